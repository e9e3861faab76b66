// SPDX-License-Identifier: Apache-2.0
// Which registers of a scheduler's warps hold base + stride x lane, so that an affine unit beside the lanes can compute
// with them: `--affine cae`, with which DAC compares itself (Collange et al.; Kim et al.). Of each warp by itself: as
// many instructions issue as without.
//
// A tag is two bits for each register of a warp, set at issue and so in program order of the warp:
//   None     anything, or not known
//   Scalar   the same in all lanes
//   Affine   base + stride x lane, modulo 2^32; of a pair of registers modulo 2^64
//   Upper    the upper half of a pair, which says nothing by itself
// An instruction is the unit's if all lanes that the warp started with execute it without a guard, it computes integers of
// 32 or 64 bits by one of the operations below, and what it reads has tags. Any other one clears tags of what it writes.
//   copy, negate               the tag of the source
//   add, subtract              affine unless both are scalar
//   multiply (and add)         of two affine factors: None
//   shift left                 by a scalar
// A narrower value that is widened is affine only if it does not wrap between its lanes, which the unit sees by base and
// stride.
#pragma once

#include <array>
#include <vector>

#include "sim/sm/lanes/operands.h"
#include "sim/sm/links/in_flight.h"

namespace heddle {

class AffineTags {
 public:
  AffineTags(unsigned warps, const RegisterFile& registers, const ThreadTable& threads)
      : operands_(registers, threads), threads_(threads), warps_(warps) {}

  /// A warp starts with these lanes, and nothing is known of its registers.
  void start(SliceWarp warp, isa::Lanes lanes);
  /// What the unit would write if the warp issued this with the lanes `path` of its `live` ones; None: it is not the
  /// unit's.
  AffineTag result(const isa::Instruction& instruction, SliceWarp warp, SmWarp row, isa::Lanes path,
                   isa::Lanes live) const;
  /// It is issued, and writes this.
  void issue(SliceWarp warp, isa::RegisterName destination, AffineTag result);

 private:
  struct Warp {
    isa::Lanes started = 0;
    std::array<AffineTag, isa::MaxRegisters> tags{};
  };

  AffineTag combined(const isa::Instruction& instruction, const Warp& warp, SmWarp row) const;
  AffineTag tag(const isa::Source& source, const Warp& warp, SmWarp row) const;
  AffineTag special(isa::SpecialRegister which, SmWarp row) const;
  bool is_one_row(SmWarp row) const;
  bool wraps(const isa::Instruction& instruction, SmWarp row, isa::Lanes path) const;

  const OperandCollector operands_;
  const ThreadTable& threads_;
  std::vector<Warp> warps_;
};

/// Are the values of these lanes, which follow each other, what the tag says?
bool agrees(AffineTag tag, const isa::LaneValues& values, isa::Lanes lanes, bool wide);

}  // namespace heddle
