// Operand read and register write of one warp instruction: the only places where values leave and enter registers.
#pragma once

#include "sim/sm/cta.h"
#include "sim/sm/warp.h"

namespace heddle {

/// The lanes for which the guard holds (all lanes without a guard).
isa::Lanes guard_lanes(const isa::Source& guard, const Warp& warp);

/// A source's value in every lane.
void read_source(const isa::Source& source, const Warp& warp, const ThreadCoordinates& at, unsigned lanes,
                 isa::LaneValues& out);

/// 32-bit words that the register file delivers for an instruction.
unsigned operand_words(const isa::Instruction& instruction);

/// Writes the destination in these lanes.
void write_destination(isa::RegisterName destination, isa::Lanes lanes, const isa::LaneValues& values, Warp& warp);

}  // namespace heddle
