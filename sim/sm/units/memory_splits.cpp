// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/units/memory_splits.h"

#include <algorithm>
#include <utility>

namespace heddle {

using isa::Lanes;

void MemorySplits::partly_served(unsigned token, Lanes served) {
  parts_.push_back({token, served});
}

void MemorySplits::served(unsigned token) {
  parts_.erase(std::remove_if(parts_.begin(), parts_.end(), [token](const Part& part) { return part.token == token; }),
               parts_.end());
}

void MemorySplits::settle(const Look& look) {
  for_each_warp(split_, [&](SliceWarp warp) {
    const SplitView now = look(warp);
    const bool both = now.path[0].mask != 0 && now.path[1].mask != 0;
    const bool apart = now.together[0] && now.together[1] && now.path[0].pc != now.path[1].pc;
    if (now.settled && (!both || apart)) split_ &= ~bit(warp);
  });
}

Resolution MemorySplits::ask(const Look& look) {
  const Resolution joined = join(look);
  return joined.op != ResolveOp::None ? joined : split(look);
}

/// Splits a warp at a load that was partly served: one whose warp cannot be split now is of no use later either.
Resolution MemorySplits::split(const Look& look) {
  for (auto part = parts_.begin(); part != parts_.end();) {
    const InFlight& load = in_flight_[part->token];
    const SplitView now = look(load.warp);
    if (!now.settled) {
      ++part;
      continue;
    }
    const Lanes own = now.path[load.k].mask, missing = load.lanes & ~part->served;
    const bool alone = now.path[1 - load.k].mask == 0;
    const bool parts = (own & missing) != 0 && (own & ~missing) != 0;
    const unsigned token = part->token;
    part = parts_.erase(part);
    if (!alone || !parts || now.waiting != 0) continue;
    due_ = {true, token, missing};
    split_ |= bit(load.warp);
    ++counters_.statistics.memory_splits;
    return {ResolveOp::MemorySplit, load.warp, 1 - load.k, own & ~missing};
  }
  return {};
}

Resolution MemorySplits::join(const Look& look) {
  Resolution memory_split;
  for_each_warp(split_, [&](SliceWarp warp) {
    if (memory_split.op != ResolveOp::None) return;
    const SplitView now = look(warp);
    if (!now.settled || !now.together[0] || !now.together[1]) return;
    split_ &= ~bit(warp);
    ++counters_.statistics.memory_joins;
    memory_split = {ResolveOp::MemorySplit, warp, 0, now.path[0].mask | now.path[1].mask};
  });
  return memory_split;
}

MissingPart MemorySplits::take_due() {
  return std::exchange(due_, {});
}

}  // namespace heddle
