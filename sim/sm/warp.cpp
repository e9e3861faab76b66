#include "sim/sm/warp.h"

namespace heddle {

void Warp::start(const isa::Program& program, unsigned cta_slot, unsigned warp_index, isa::Lanes lanes) {
  used = true;
  cta = cta_slot;
  index = warp_index;
  live = lanes;
  waiting = 0;
  in_flight = 0;
  branching = false;
  registers.assign(std::size_t(program.registers + 1) * isa::MaxLanes, 0);  // + 1: the upper half of a last pair
  predicates.assign(isa::MaxPredicates + 1U, 0);                            // + 1: the carry
  pending.assign(isa::CarryId + 2U, 0);
}

void Warp::note_pending(isa::RegisterName name, isa::Lanes lanes, bool on) {
  if (name.is_none()) return;
  for (unsigned id = name.id; id <= name.id + (name.wide ? 1U : 0U); ++id) {
    pending[id] = on ? pending[id] | lanes : pending[id] & ~lanes;
  }
}

}  // namespace heddle
