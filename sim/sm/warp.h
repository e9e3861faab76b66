// One warp slot of the SM: which threads it holds, their registers, what of it is on its way.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle {

struct Warp {
  bool used = false;
  unsigned cta = 0;        ///< CTA slot of the SM
  unsigned index = 0;      ///< warp number within its CTA
  isa::Lanes live = 0;     ///< lanes that have not exited
  isa::Lanes waiting = 0;  ///< lanes that wait at a CTA barrier
  isa::Pc barrier_pc = 0;  ///< of the last arrival there
  unsigned in_flight = 0;  ///< issued, not yet written back (or, of a store, not yet ordered)
  bool branching = false;  ///< one unresolved branch or exit, of the slot `branch_right`
  bool branch_right = false;

  std::vector<std::uint32_t> registers;  ///< register r of lane l at r * MaxLanes + l
  std::vector<isa::Lanes> predicates;    ///< one mask a predicate, then the carry
  std::vector<isa::Lanes> pending;  ///< by scoreboard name: lanes with a write on its way, for stall reasons and the
                                    ///< optimistic scoreboard

  void start(const isa::Program& program, unsigned cta_slot, unsigned warp_index, isa::Lanes lanes);

  void note_pending(isa::RegisterName name, isa::Lanes lanes, bool on);

  std::uint32_t* row(unsigned reg) { return registers.data() + std::size_t(reg) * isa::MaxLanes; }
  const std::uint32_t* row(unsigned reg) const { return registers.data() + std::size_t(reg) * isa::MaxLanes; }
};

}  // namespace heddle
