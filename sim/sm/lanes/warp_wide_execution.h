// SPDX-License-Identifier: Apache-2.0
// Operand read and execution of instructions that concern more than one lane: warp-wide operations, and arrivals at CTA
// barriers.
#pragma once

#include "rtl/config/design_points.h"
#include "sim/isa/cta_barriers.h"
#include "sim/sm/lanes/operands.h"
#include "sim/sm/links/in_flight.h"

namespace heddle {

/// Fills the in-flight record's values. \throws isa::ExecutionError where a mask names a live lane that is not active
/// on this path (DESIGN 5: on a stack it cannot come), or does not name its own lane.
void execute_warp_wide(const OperandCollector& operands, const ThreadTable& threads, std::uint64_t cycle,
                       InFlight& flight);

/// Lanes `there` of a warp stand at a `.sync` operation whose mask names `missing` live lanes, which will not come.
[[noreturn]] void throw_lanes_missing(const ThreadTable& threads, const isa::Instruction& instruction, SmWarp row,
                                      isa::Pc pc, isa::Lanes there, isa::Lanes missing, isa::Lanes mask);

/// Cycles from operand read to writeback. Ours: what moves values between lanes goes the way of shared memory, votes
/// take as long as an ALU instruction.
unsigned warp_wide_latency(const DesignPoint& point, const isa::Instruction& instruction);

/// The arrival of the record's lanes, of which there is at least one, as if all were of one warp. \throws
/// isa::ExecutionError if the lanes disagree about number or count (ours: lanes of one path arrive together).
isa::BarrierArrival read_arrival(const OperandCollector& operands, const ThreadTable& threads, std::uint64_t cycle,
                                 const InFlight& flight);

}  // namespace heddle
