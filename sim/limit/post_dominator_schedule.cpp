// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "sim/isa/lanes.h"
#include "sim/limit/schedule.h"

namespace heddle::limit {
namespace {

using isa::Lanes;
using isa::Pc;

class Replay {
 public:
  Replay(const LaunchTrace& launch, const WarpTraces& traces)
      : launch_(launch), traces_(traces), next_(traces.size(), 0) {}

  Schedule run() {
    Lanes all = 0;
    for (unsigned lane = 0; lane < traces_.size(); ++lane) all |= Lanes{1} << lane;
    run_entry(all, isa::NoPc);
    return schedule_;
  }

 private:
  /// An entry of the stack: its lanes, until all are at the reconvergence point or at their ends.
  void run_entry(Lanes lanes, Pc rpc) {
    Pc meeting = isa::NoPc;  // of the branch before
    for (;;) {
      const std::map<PieceIndex, Lanes> sides = sides_of(lanes);
      if (sides.empty()) return;
      if (sides.size() > 1) {
        for (const auto& [piece, side] : sides) run_entry(side, meeting);
        continue;
      }
      const auto [piece, live] = *sides.begin();
      if (launch_.pieces[piece].first == rpc) return;
      schedule_.push_back({piece, live});
      isa::for_each_lane(live, [&](unsigned lane) { ++next_[lane]; });
      meeting = launch_.last[piece].rpc;
    }
  }

  /// Lanes that have not ended, by where they stand.
  std::map<PieceIndex, Lanes> sides_of(Lanes lanes) const {
    std::map<PieceIndex, Lanes> sides;
    isa::for_each_lane(lanes, [&](unsigned lane) {
      if (traces_[lane] != nullptr && next_[lane] < traces_[lane]->size())
        sides[(*traces_[lane])[next_[lane]]] |= Lanes{1} << lane;
    });
    return sides;
  }

  const LaunchTrace& launch_;
  const WarpTraces& traces_;
  std::vector<std::size_t> next_;  // of each lane: place in its trace
  Schedule schedule_;
};

}  // namespace

Schedule post_dominator_schedule(const LaunchTrace& launch, const WarpTraces& traces) {
  return Replay(launch, traces).run();
}

}  // namespace heddle::limit
