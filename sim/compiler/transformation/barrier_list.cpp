// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

BarrierRange range_of(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const Barrier& barrier) {
  const bool is_left = barrier.role == BarrierRole::Predicted;
  return {code, blocks, barrier.points, is_left ? OnTheWayOut::Cancel : OnTheWayOut::Stay};
}

void leave_out_what_no_lane_does(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
                                 std::size_t index, const std::string& why_no_join, const std::string& why_no_wait) {
  Barrier& barrier = list.barriers[index];
  const BarrierRange before = range_of(code, blocks, barrier);
  const std::set<Place> joins = barrier.points.joins;
  for (const Place& join : joins) {
    if (before.leads_to_a_wait(join)) continue;
    barrier.points.joins.erase(join);
    list.decide(index, "no bssy", join, why_no_join);
  }
  const BarrierRange range = range_of(code, blocks, barrier);
  const std::set<isa::Pc> waits = barrier.points.waits;
  for (const isa::Pc wait : waits) {
    if (range.has_members(wait) && barrier.points.cancels.count(wait) == 0) continue;
    barrier.points.waits.erase(wait);
    list.decide(index, "no bsync", {wait}, why_no_wait);
  }
  if (barrier.role != BarrierRole::Predicted) return;
  const BarrierRange left = range_of(code, blocks, barrier);
  barrier.rejoins = left.rejoins();
  barrier.cancels = left.cancels();
}

}  // namespace heddle::compiler
