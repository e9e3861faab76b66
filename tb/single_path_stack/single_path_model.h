// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the single-path stack: a to-do list of groups of lanes, the last one runs. Groups are
// sets of lanes, an exit takes a lane out of every group. No clock, no masks.
#pragma once

#include "tb/bench/control_flow_bench.h"

namespace heddle::bench {

class SinglePathModel {
 public:
  struct Path {
    std::uint64_t pc = 0;
    LaneSet lanes;
  };

  /// \param last_pc  the PC that 0 follows
  SinglePathModel(unsigned capacity, std::uint64_t last_pc) : capacity_(capacity), last_pc_(last_pc) {}

  unsigned depth() const { return static_cast<unsigned>(todo_.size()); }
  std::uint64_t rpc(Side = Side::Left) const { return todo_.empty() ? 0 : todo_.back().meet; }
  Path path(Side side) const {
    return side == Side::Right || todo_.empty() || todo_.back().lanes.empty()
               ? Path()
               : Path{todo_.back().pc, todo_.back().lanes};
  }
  /// The running group is gone, but others wait beneath it.
  bool waits() const { return todo_.size() > 1 && todo_.back().lanes.empty(); }

  void advance(Side) {
    todo_.back().pc = after(todo_.back().pc);
    arrive();
  }

  void launch(const LaneSet& lanes, std::uint64_t pc, std::uint64_t rpc) {
    todo_ = {Group{pc, lanes, rpc, 0}};
    left_to_exit_ = lanes;
    arrive();
    note_redirected();
  }

  bool fits(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) const {
    SinglePathModel trial = *this;
    trial.branch(side, taken, target, meet);
    return trial.depth() <= capacity_;
  }

  void branch(Side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) {
    Group& from = todo_.back();
    const std::uint64_t fall = after(from.pc);
    LaneSet stay;
    for (const unsigned lane : from.lanes) {
      if (taken.count(lane) == 0) stay.insert(lane);
    }
    if (taken.empty() || stay.empty()) {
      from.pc = taken.empty() ? fall : target;
    } else if (target == meet && fall == meet) {
      from.pc = meet;  // all of them are where they meet
    } else {
      lanes_moved_ = true;
      from.pc = meet;
      const unsigned calls = from.calls;
      if (from.meet == meet) todo_.pop_back();  // a group beneath waits there already
      if (fall != meet) todo_.push_back({fall, stay, meet, calls});
      if (target != meet) todo_.push_back({target, taken, meet, calls});
    }
    arrive();
    note_redirected();
  }

  bool fits_call(Side) const { return depth() < capacity_; }
  /// All of the running group.
  void call(Side, std::uint64_t target) {
    Group& from = todo_.back();
    const Group callee{target, from.lanes, last_pc_, from.calls + 1};
    from.pc = after(from.pc);
    if (from.pc == from.meet) from.lanes.clear();  // nothing is left to do behind the call
    todo_.push_back(callee);
    lanes_moved_ = true;
    arrive();
    note_redirected();
  }
  /// Calls under way of the group that runs.
  unsigned calls() const { return todo_.empty() ? 0 : todo_.back().calls; }

  void leave(Side, const LaneSet& gone) {
    todo_.back().pc = after(todo_.back().pc);
    for (const unsigned lane : gone) {
      for (Group& group : todo_) group.lanes.erase(lane);
      left_to_exit_.erase(lane);
    }
    if (left_to_exit_.empty()) todo_.clear();
    arrive();
    note_redirected();
  }

  void pop() {
    todo_.pop_back();
    arrive();
    lanes_moved_ = true;
    note_redirected();
  }

  void forget() { redirected_ = lanes_moved_ = false; }
  bool redirected(Side side) const { return redirected_ && side == Side::Left; }
  bool lanes_moved() const { return lanes_moved_; }

  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Group& group : todo_) {
      const std::string path = fmt::format("{}:{}", group.pc, digits(to_mask(group.lanes), 4));
      lines.push_back((group.lanes.empty() ? "-" : path) + " | " + name_of(group.meet));
    }
    return lines;
  }
  static std::string name_of(std::uint64_t rpc) { return rpc > 1000 ? "none" : fmt::format("{}", rpc); }

 private:
  struct Group {
    std::uint64_t pc;
    LaneSet lanes;
    std::uint64_t meet;
    unsigned calls;
  };

  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  /// A group that is where it meets the ones beneath runs no more.
  void arrive() {
    if (todo_.empty()) return;
    if (todo_.back().pc == todo_.back().meet) todo_.back().lanes.clear();
    if (todo_.size() == 1 && todo_.back().lanes.empty()) todo_.clear();
  }
  void note_redirected() { redirected_ = redirected_ || !path(Side::Left).lanes.empty(); }

  unsigned capacity_;
  std::uint64_t last_pc_;
  std::vector<Group> todo_;
  LaneSet left_to_exit_;
  bool redirected_ = false, lanes_moved_ = false;
};

}  // namespace heddle::bench
