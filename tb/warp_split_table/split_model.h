// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the warp-split table: groups of threads. Each thread of a group that runs a control
// instruction is asked where it goes; those that go to one PC are a group again. The line is R10 as README.md states
// it: whatever comes out of a slot goes to its end. No clock, no masks.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tb/bench/control_flow_bench.h"

namespace heddle::bench {

class SplitModel {
 public:
  struct Group {
    std::uint64_t pc = 0;
    LaneSet lanes;
    bool decides = false;  ///< a control instruction of these threads is in flight
  };

  /// \param last_pc  the PC that 0 follows
  SplitModel(unsigned capacity, unsigned entries, std::uint64_t last_pc)
      : capacity_(capacity), entries_(entries), last_pc_(last_pc) {}

  unsigned depth() const { return alive_ ? static_cast<unsigned>(beneath_.size()) + 1 : 0; }
  std::uint64_t rpc() const { return meet_; }
  const Group& group(Side side) const { return seat_[unsigned(side)]; }
  std::uint64_t mask(Side side) const { return to_mask(group(side).lanes); }
  unsigned waiting() const { return static_cast<unsigned>(line_.size()); }
  /// Where the other splits stand.
  std::vector<std::uint64_t> others(Side side) const {
    std::vector<std::uint64_t> pcs;
    if (const Group& beside = group(side == Side::Left ? Side::Right : Side::Left); !beside.lanes.empty()) {
      pcs.push_back(beside.pc);
    }
    for (const Group& group : line_) pcs.push_back(group.pc);
    return pcs;
  }
  std::uint64_t fall(Side side) const { return after(group(side).pc); }
  unsigned running() const { return !seat_[0].lanes.empty() + !seat_[1].lanes.empty() + waiting(); }
  bool waits() const { return alive_ && running() == 0; }

  void advance(Side side) { leave_slot(side, {{after(group(side).pc), group(side).lanes}}, true); }
  void hold(Side side) { seat_[unsigned(side)].decides = true; }

  void launch(const LaneSet& lanes, std::uint64_t pc, std::uint64_t rpc) {
    alive_ = true;
    launched_ = true;
    meet_ = rpc;
    left_to_exit_ = lanes;
    leave_slot(Side::Left, {{pc, lanes}}, false);
  }

  bool fits(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet, bool short_block) const {
    SplitModel trial = *this;
    trial.branch(side, taken, target, meet, short_block);
    return trial.depth() <= capacity_;
  }

  /// \param short_block  the block at the post-dominator has at most N instructions
  void branch(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet, bool short_block) {
    const Group from = group(side);
    std::vector<Group> sides;  // taken first
    for (const bool jumps : {true, false}) {
      for (const unsigned lane : from.lanes) {
        if ((taken.count(lane) != 0) == jumps) put_thread(sides, lane, jumps ? target : after(from.pc));
      }
    }
    if (sides.size() == 2 && running() == 1 && !short_block) {
      by_stack(side, from, sides, meet);
    } else {
      leave_slot(side, sides, false);
    }
  }

  void leave(Side side, const LaneSet& gone) {
    std::vector<Group> rest;
    for (const unsigned lane : group(side).lanes) {
      if (gone.count(lane) == 0) put_thread(rest, lane, after(group(side).pc));
    }
    for (const unsigned lane : gone) {
      for (Beneath& entry : beneath_) entry.lanes.erase(lane);
      left_to_exit_.erase(lane);
    }
    if (left_to_exit_.empty()) beneath_.clear();
    leave_slot(side, rest, false);
  }

  void yield(Side side) {
    const bool touched = touched_[unsigned(side)];
    const Group from = group(side);
    leave_slot(side, {from}, false);
    touched_[unsigned(side)] = touched;
  }

  void pop() {
    const Beneath entry = beneath_.back();
    beneath_.pop_back();
    meet_ = entry.meet;
    if (!entry.lanes.empty() && entry.pc != meet_) seat_[0] = {entry.pc, entry.lanes};
    finish();
  }

  // ---- what happened since forget() ----
  void forget() {
    for (const unsigned side : {0, 1}) before_[side] = seat_[side].lanes, touched_[side] = false;
    launched_ = divided_ = joined_ = spilled_ = refilled_ = refused_ = false;
  }
  /// A lane stands in a slot where it did not stand.
  bool lanes_moved() const {
    return !launched_ &&
           !(std::includes(before_[0].begin(), before_[0].end(), seat_[0].lanes.begin(), seat_[0].lanes.end()) &&
             std::includes(before_[1].begin(), before_[1].end(), seat_[1].lanes.begin(), seat_[1].lanes.end()));
  }
  bool redirected(Side side) const { return !group(side).lanes.empty() && (lanes_moved() || touched_[unsigned(side)]); }
  bool divided() const { return divided_; }
  bool joined() const { return joined_; }
  bool spilled() const { return spilled_; }
  bool refilled() const { return refilled_; }        ///< from the line
  bool refused_to_join() const { return refused_; }  ///< the other one's control instruction is in flight

  /// Every entry from the lowest on, the last with all splits: left, right and those that wait.
  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Beneath& b : beneath_) lines.push_back(text(b.pc, b.lanes) + " | " + name_of(b.meet));
    if (!alive_) return lines;
    std::string splits = text(seat_[0].pc, seat_[0].lanes) + "  " + text(seat_[1].pc, seat_[1].lanes);
    for (const Group& group : line_) splits += "  " + text(group.pc, group.lanes);
    lines.push_back(splits + " | " + name_of(meet_));
    return lines;
  }
  static std::string text(std::uint64_t pc, const LaneSet& lanes) {
    return lanes.empty() ? "-" : fmt::format("{}:{}", pc, digits(to_mask(lanes), 4));
  }
  static std::string name_of(std::uint64_t rpc) { return rpc > 1000 ? "none" : fmt::format("{}", rpc); }

 private:
  struct Beneath {
    std::uint64_t pc;
    LaneSet lanes;
    std::uint64_t meet;
  };

  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }

  static void put_thread(std::vector<Group>& groups, unsigned lane, std::uint64_t pc) {
    for (Group& group : groups) {
      if (group.pc == pc) {
        group.lanes.insert(lane);
        return;
      }
    }
    groups.push_back({pc, {lane}});
  }

  /// The group that stands at this PC and takes others in.
  Group* host(std::uint64_t pc) {
    for (Group& group : seat_) {
      if (group.lanes.empty() || group.pc != pc) continue;
      if (!group.decides) return &group;
      refused_ = true;
    }
    for (Group& group : line_) {
      if (group.pc == pc) return &group;
    }
    return nullptr;
  }

  /// The slot's group is replaced by `groups`. One that only advanced keeps its slot while it is on its own.
  void leave_slot(Side side, const std::vector<Group>& groups, bool keeps) {
    const unsigned before = running(), waited = waiting();
    Group& own = seat_[unsigned(side)];
    own = {};
    touched_[unsigned(side)] = touched_[unsigned(side)] || !keeps;
    for (const Group& group : groups) {
      if (group.lanes.empty() || group.pc == meet_) continue;
      if (Group* there = host(group.pc)) {
        there->lanes.insert(group.lanes.begin(), group.lanes.end());
        joined_ = true;
      } else if (keeps) {
        own = group;
      } else {
        line_.push_back(group);
      }
    }
    if (running() > entries_) {
      beneath_.push_back({line_.back().pc, line_.back().lanes, meet_});
      line_.pop_back();
      spilled_ = true;
    }
    divided_ = divided_ || (before != 0 && running() > before);
    refilled_ = refilled_ || (waited != 0 && own.lanes.empty());
    fill(side);
    fill(side == Side::Left ? Side::Right : Side::Left);
    finish();
  }

  void fill(Side side) {
    if (!seat_[unsigned(side)].lanes.empty() || line_.empty()) return;
    seat_[unsigned(side)] = line_.front();
    line_.pop_front();
  }

  void by_stack(Side side, const Group& from, std::vector<Group> sides, std::uint64_t meet) {
    if (meet != meet_) beneath_.push_back({meet, from.lanes, meet_});
    meet_ = meet;
    if (sides[0].pc != meet && sides[1].pc != meet) {
      beneath_.push_back({sides[1].pc, sides[1].lanes, meet});
      sides.pop_back();
    }
    leave_slot(side, sides, false);
  }

  void finish() {
    if (running() == 0 && beneath_.empty()) {
      alive_ = false;
      left_to_exit_.clear();
    }
  }

  unsigned capacity_, entries_;
  std::uint64_t last_pc_;
  bool alive_ = false;
  std::uint64_t meet_ = 0;
  Group seat_[2];
  std::deque<Group> line_;
  std::vector<Beneath> beneath_;
  LaneSet left_to_exit_;

  LaneSet before_[2];
  bool touched_[2] = {false, false};
  bool launched_ = false, divided_ = false, joined_ = false, spilled_ = false, refilled_ = false, refused_ = false;
};

}  // namespace heddle::bench
