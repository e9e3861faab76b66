// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the dual-path stack: nested regions of a program, each with the one or two groups of
// lanes that still run in it. Groups are sets of lanes, an exit takes a lane out of every group. No clock, no masks.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "tb/bench/control_flow_bench.h"

namespace heddle::bench {

class DualPathModel {
 public:
  struct Path {
    std::uint64_t pc = 0;
    LaneSet lanes;
  };

  /// \param last_pc  the PC that 0 follows
  DualPathModel(unsigned capacity, std::uint64_t last_pc) : capacity_(capacity), last_pc_(last_pc) {}

  unsigned depth() const { return static_cast<unsigned>(nest_.size()); }
  std::uint64_t rpc(Side = Side::Left) const { return nest_.empty() ? 0 : nest_.back().meet; }
  Path path(Side side) const { return nest_.empty() ? Path() : nest_.back().group[unsigned(side)].value_or(Path()); }
  /// Nobody runs in the innermost region, but it is not the outermost.
  bool waits() const { return nest_.size() > 1 && nest_.back().deserted(); }

  void advance(Side side) {
    at(side)->pc = after(at(side)->pc);
    arrive();
  }

  void launch(const LaneSet& lanes, std::uint64_t pc, std::uint64_t rpc) {
    nest_ = {Region{rpc, {Path{pc, lanes}, std::nullopt}, 0}};
    left_to_exit_ = lanes;
    arrive();
    note_redirected(Side::Left);
  }

  bool fits(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) const {
    DualPathModel trial = *this;
    trial.branch(side, taken, target, meet);
    return trial.depth() <= capacity_;
  }

  void branch(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) {
    const Path from = *at(side);
    LaneSet stay;
    for (const unsigned lane : from.lanes) {
      if (taken.count(lane) == 0) stay.insert(lane);
    }
    if (taken.empty() || stay.empty()) {
      at(side)->pc = taken.empty() ? after(from.pc) : target;
      arrive();
      return note_redirected(side);
    }
    Region inner{meet, {}, calls()};
    if (target != meet) inner.group[0] = Path{target, taken};
    if (after(from.pc) != meet) inner.group[1] = Path{after(from.pc), stay};
    at(side)->pc = meet;  // who waits for them; nobody has to where the outer region ends at the same point
    arrive();
    if (inner.deserted()) return note_redirected(side);
    if (nest_.empty()) {  // the last of the outermost region
      nest_.push_back(inner);
    } else if (nest_.back().deserted() && nest_.back().meet == meet) {
      nest_.back() = inner;
    } else {
      nest_.back().split_by_memory = false;
      nest_.push_back(inner);
    }
    lanes_moved_ = true;
    note_redirected(Side::Left);
    note_redirected(Side::Right);
  }

  bool fits_call(Side) const { return depth() < capacity_; }
  /// All of the group of that side; the other one waits too.
  void call(Side side, std::uint64_t target) {
    const Region callee{last_pc_, {Path{target, at(side)->lanes}, std::nullopt}, calls() + 1};
    at(side)->pc = after(at(side)->pc);
    if (at(side)->pc == nest_.back().meet) at(side).reset();  // nothing is left to do behind the call
    nest_.back().split_by_memory = false;
    nest_.push_back(callee);
    lanes_moved_ = true;
    arrive();
    note_redirected(Side::Left);
  }
  /// Calls under way of the groups that run.
  unsigned calls() const { return nest_.empty() ? 0 : nest_.back().calls; }

  void leave(Side side, const LaneSet& gone) {
    at(side)->pc = after(at(side)->pc);
    for (Region& region : nest_) {
      for (auto& group : region.group) {
        for (const unsigned lane : gone) {
          if (group) group->lanes.erase(lane);
        }
      }
    }
    for (const unsigned lane : gone) left_to_exit_.erase(lane);
    if (left_to_exit_.empty()) nest_.clear();
    arrive();
    note_redirected(side);
  }

  void pop() {
    nest_.pop_back();
    arrive();
    lanes_moved_ = true;
    note_redirected(Side::Left);
    note_redirected(Side::Right);
  }

  /// One group runs, or two that were split by memory and stand at one place, and `chosen` are some of their lanes.
  bool may_split_by_memory(const LaneSet& chosen) const {
    if (nest_.empty() || chosen.empty()) return false;
    const Path left = path(Side::Left), right = path(Side::Right);
    const bool two = !left.lanes.empty() && !right.lanes.empty();
    if (two && !(nest_.back().split_by_memory && left.pc == right.pc)) return false;
    return std::all_of(chosen.begin(), chosen.end(),
                       [&](unsigned lane) { return left.lanes.count(lane) + right.lanes.count(lane) != 0; });
  }
  /// Their lanes: `chosen` in the group of that side, the others in the other one.
  void memory_split(Side side, const LaneSet& chosen) {
    std::array<Path, 2> was{path(Side::Left), path(Side::Right)};
    const std::uint64_t pc = was[was[0].lanes.empty()].pc;
    LaneSet others;
    for (const Path& group : was) {
      for (const unsigned lane : group.lanes) {
        if (chosen.count(lane) == 0) others.insert(lane);
      }
    }
    for (const Side each : {Side::Left, Side::Right}) at(each) = Path{pc, each == side ? chosen : others};
    nest_.back().split_by_memory = true;
    arrive();
    lanes_moved_ = true;
    note_redirected(Side::Left);
    note_redirected(Side::Right);
  }

  void forget() { redirected_ = {}, lanes_moved_ = false; }
  bool redirected(Side side) const { return redirected_[unsigned(side)]; }
  bool lanes_moved() const { return lanes_moved_; }

  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Region& region : nest_) {
      std::string line;
      for (const auto& group : region.group) {
        const bool empty = !group || group->lanes.empty();
        line += empty ? "-" : fmt::format("{}:{}", group->pc, digits(to_mask(group->lanes), 4));
        line += " | ";
      }
      lines.push_back(line + text_of_rpc(region.meet));
    }
    return lines;
  }

 private:
  struct Region {
    std::uint64_t meet;
    std::array<std::optional<Path>, 2> group;
    unsigned calls;
    bool split_by_memory = false;  // its two groups were one
    bool deserted() const { return !group[0] && !group[1]; }
  };

  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  std::optional<Path>& at(Side side) { return nest_.back().group[unsigned(side)]; }

  /// Groups that reached the end of the innermost region, or lost all lanes, run in it no more.
  void arrive() {
    if (nest_.empty()) return;
    for (auto& group : nest_.back().group) {
      if (group && (group->lanes.empty() || group->pc == nest_.back().meet)) group.reset();
      if (!group) nest_.back().split_by_memory = false;
    }
    if (nest_.size() == 1 && nest_.back().deserted()) nest_.clear();
  }
  void note_redirected(Side side) {
    if (!path(side).lanes.empty()) redirected_[unsigned(side)] = true;
  }

  unsigned capacity_;
  std::uint64_t last_pc_;
  std::vector<Region> nest_;
  LaneSet left_to_exit_;
  std::array<bool, 2> redirected_{};
  bool lanes_moved_ = false;
};

/// The model of the kind for memory divergence (DPE sec. 7.2).
class MemorySplitModel : public DualPathModel {
 public:
  static constexpr bool MemorySplits = true;
  using DualPathModel::DualPathModel;
};

}  // namespace heddle::bench
