// SPDX-License-Identifier: Apache-2.0
// Reference model of the affine stack: the plain SIMT stack of all threads of the batch. A path is a set of threads;
// there are no two levels, no clock, and nothing waits. How many masks of lanes a warp would need is counted beside it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace heddle::bench {

/// A set of threads: lanes of each warp.
class Threads {
 public:
  explicit Threads(unsigned warps) : lanes_(warps, 0) {}
  std::uint64_t& operator[](unsigned warp) { return lanes_[warp]; }
  std::uint64_t operator[](unsigned warp) const { return lanes_[warp]; }
  unsigned warps() const { return static_cast<unsigned>(lanes_.size()); }
  bool none() const { return warp_mask() == 0; }
  std::uint64_t warp_mask() const {
    std::uint64_t mask = 0;
    for (unsigned w = 0; w < warps(); ++w) mask |= std::uint64_t(lanes_[w] != 0) << w;
    return mask;
  }
  Threads both(const Threads& other) const {
    Threads all(warps());
    for (unsigned w = 0; w < warps(); ++w) all[w] = lanes_[w] & other[w];
    return all;
  }
  Threads without(const Threads& other) const {
    Threads rest(warps());
    for (unsigned w = 0; w < warps(); ++w) rest[w] = lanes_[w] & ~other[w];
    return rest;
  }
  friend bool operator==(const Threads& a, const Threads& b) { return a.lanes_ == b.lanes_; }

 private:
  std::vector<std::uint64_t> lanes_;
};

class AffineStackModel {
 public:
  struct Path {
    std::uint64_t pc;
    Threads threads;
    std::uint64_t meet;
    std::vector<unsigned> beneath;  ///< of each warp: masks of lanes that lower paths hold ...
    std::vector<bool> own;          ///< ... and whether this one holds one
  };

  /// What an enq names: warps, and their lanes when they are not all there.
  struct Group {
    std::uint64_t warps = 0, lanes = 0;
    bool last = false;
  };

  AffineStackModel(unsigned warps, unsigned depth, unsigned lane_depth, std::uint64_t all_lanes, std::uint64_t last_pc)
      : warps_(warps),
        depth_(depth),
        lane_depth_(lane_depth),
        all_(all_lanes),
        last_pc_(last_pc),
        born_(warps),
        live_(warps) {}

  bool done() const { return stack_.empty(); }
  unsigned depth() const { return static_cast<unsigned>(stack_.size()); }
  std::uint64_t pc() const { return stack_.back().pc; }
  std::uint64_t fall() const { return pc() == last_pc_ ? 0 : pc() + 1; }
  std::uint64_t meet() const { return stack_.back().meet; }
  const Threads& running() const { return stack_.back().threads; }
  const Threads& live() const { return live_; }
  /// Pops of the last operation, and the masks of lanes that a warp of the running path has.
  unsigned pops() const { return pops_; }
  unsigned masks(unsigned warp) const { return stack_.back().beneath[warp] + stack_.back().own[warp]; }
  /// Whole: all its lanes run here and none has exited.
  bool whole(unsigned warp) const { return running()[warp] != 0 && running()[warp] == born_[warp]; }

  std::vector<Group> groups() const {
    std::vector<Group> list;
    Group first;
    for (unsigned w = 0; w < warps_; ++w) first.warps |= std::uint64_t(whole(w)) << w;
    first.lanes = all_;
    if (first.warps != 0) list.push_back(first);
    for (unsigned w = 0; w < warps_; ++w) {
      if (running()[w] != 0 && !whole(w)) list.push_back({std::uint64_t(1) << w, running()[w]});
    }
    list.back().last = true;
    return list;
  }

  void launch(const Threads& threads, std::uint64_t pc, std::uint64_t meet) {
    born_ = live_ = threads;
    stack_ = {Path{pc, threads, meet, std::vector<unsigned>(warps_, 0), std::vector<bool>(warps_, false)}};
    settle();
  }
  void go(std::uint64_t pc) {
    stack_.back().pc = pc;
    settle();
  }
  void exit() {
    live_ = live_.without(running());
    settle();
  }

  /// Whether a branch with two sides has room among the paths, and among the masks of a warp that parts.
  bool has_room(std::uint64_t target, std::uint64_t meet_at) const {
    const unsigned sides = (target != meet_at) + (fall() != meet_at);
    return depth() + (sides == 0 ? 0 : sides - 1 + (meet_at != meet())) <= depth_;
  }
  bool has_lane_room(unsigned warp, std::uint64_t target, std::uint64_t meet_at) const {
    const unsigned sides = (target != meet_at) + (fall() != meet_at);
    return sides == 0 ? masks(warp) <= lane_depth_ : base(warp, meet_at) + sides <= lane_depth_;
  }

  void branch(const Threads& taken, std::uint64_t target, std::uint64_t meet_at) {
    const Path from = stack_.back();
    const Threads left = from.threads.both(taken), right = from.threads.without(taken);
    if (left.none() || right.none()) return go(right.none() ? target : fall());
    if (target == meet_at && fall() == meet_at) return go(meet_at);
    const std::uint64_t next = fall();
    stack_.back().pc = meet_at;
    const bool loop = from.meet == meet_at, right_side = next != meet_at;
    Path side{next, right, meet_at, std::vector<unsigned>(warps_), std::vector<bool>(warps_)};
    for (unsigned w = 0; w < warps_; ++w) {
      side.own[w] = (left[w] != 0 && right[w] != 0) || (loop && from.own[w]);
      side.beneath[w] = from.beneath[w] + (loop ? 0 : from.own[w]);
    }
    if (loop) stack_.pop_back();
    if (right_side) stack_.push_back(side);
    for (unsigned w = 0; w < warps_; ++w) side.beneath[w] += right_side && left[w] != 0 && right[w] != 0;
    side.pc = target;
    side.threads = left;
    if (target != meet_at) stack_.push_back(side);
    settle();
  }

  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Path& path : stack_) {
      std::string text = fmt::format("{}:", path.pc);
      for (unsigned w = 0; w < warps_; ++w) {
        text += w == 0 ? "" : ".";
        for (std::uint64_t l = 1; (all_ & l) != 0; l <<= 1) text += (path.threads[w] & l) != 0 ? '1' : '0';
      }
      lines.push_back(text + (path.meet == last_pc_ ? " | none" : fmt::format(" | {}", path.meet)));
    }
    return lines;
  }

 private:
  unsigned base(unsigned warp, std::uint64_t meet_at) const {
    return meet_at == meet() ? stack_.back().beneath[warp] : masks(warp);
  }
  /// Threads that have exited or arrived leave; then whoever waited beneath runs.
  void settle() {
    pops_ = 0;
    bool again = true;
    while (again && !stack_.empty()) {
      Path& top = stack_.back();
      top.threads = top.pc == top.meet ? Threads(warps_) : top.threads.both(live_);
      again = top.threads.none();
      if (again) {
        stack_.pop_back();
        pops_ += !stack_.empty();
      }
    }
    if (stack_.empty()) live_ = Threads(warps_);
  }

  unsigned warps_, depth_, lane_depth_;
  std::uint64_t all_, last_pc_;
  Threads born_, live_;
  std::vector<Path> stack_;
  unsigned pops_ = 0;
};

}  // namespace heddle::bench
