#include "sim/sm/sm_state.h"

namespace heddle {

unsigned InFlightPool::take() {
  if (free_.empty()) {
    free_.push_back(static_cast<unsigned>(records_.size()));
    records_.emplace_back();
  }
  const unsigned token = free_.back();
  free_.pop_back();
  return token;
}

isa::FaultSite SmState::site(const Warp& warp, isa::Pc pc, unsigned lane) const {
  return {launch.program, pc, ctas[warp.cta].index, isa::coordinates(warp.index * point.lanes + lane, launch.block),
          launch.dynamic_shared};
}

}  // namespace heddle
