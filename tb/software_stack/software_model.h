// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the software-managed stack: scopes that the program opened and did not close, with the
// one or two walkers of each. A walker is a set of lanes at a PC; who leaves for good is taken out of all of them. No
// clock, no masks.
#pragma once

#include <array>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "rtl/base/control_flow.h"

namespace heddle::bench {

class SoftwareModel {
 public:
  struct Walker {
    std::uint64_t pc = 0;
    std::set<unsigned> lanes;
  };

  /// \param last_pc  the PC that 0 follows
  SoftwareModel(unsigned capacity, std::uint64_t last_pc) : capacity_(capacity), last_pc_(last_pc) {}

  unsigned depth() const { return static_cast<unsigned>(scopes_.size()); }
  bool is_full() const { return scopes_.size() == capacity_; }
  Walker walker(Side side) const { return scopes_.empty() ? Walker() : scopes_.back()[unsigned(side)]; }
  bool walks(Side side) const { return !walker(side).lanes.empty(); }
  /// Everybody in the innermost scope is done, but it is not the only one.
  bool waits() const { return scopes_.size() > 1 && is_deserted(scopes_.back()); }

  /// A scope of its own, if somebody else walks in this one.
  bool parts_in_new_entry(Side side) const { return walks(side == Side::Left ? Side::Right : Side::Left); }
  bool may_finish() const { return scopes_.size() > 1; }

  void advance(Side side) { at(side).pc = after(at(side).pc); }
  void jump(Side side, std::uint64_t target) {
    at(side).pc = target;
    redirected_[unsigned(side)] = true;
  }
  void pass(Side side) { jump(side, after(at(side).pc)); }

  void launch(const std::set<unsigned>& lanes, std::uint64_t pc) {
    scopes_ = {Scope{Walker{pc, lanes}, Walker()}};
    redirected_[0] = true;
  }

  /// Some go to the target, some do not: in this scope, or if somebody else walks in it, in one of their own.
  void part(Side side, const std::set<unsigned>& taken, std::uint64_t target, std::uint64_t resume) {
    const Walker from = at(side);
    Walker stay{after(from.pc), {}};
    for (const unsigned lane : from.lanes)
      if (taken.count(lane) == 0) stay.lanes.insert(lane);
    const Scope sides{Walker{target, taken}, stay};
    if (parts_in_new_entry(side)) {
      at(side).pc = resume;
      scopes_.push_back(sides);
    } else {
      scopes_.back() = sides;
    }
    show_both();
  }

  /// A scope of their own, from which they come back to `resume`.
  void open(Side side, std::uint64_t target, std::uint64_t resume) {
    const std::set<unsigned> lanes = at(side).lanes;
    at(side).pc = resume;
    scopes_.push_back(Scope{Walker{target, lanes}, Walker()});
    show_both();
  }

  /// They have done what they had to do in this scope.
  void finish(Side side) { at(side) = Walker(); }

  void leave(Side side, const std::set<unsigned>& gone) {
    pass(side);
    for (Scope& scope : scopes_)
      for (Walker& walker : scope)
        for (const unsigned lane : gone) walker.lanes.erase(lane);
    bool anybody = false;
    for (const Scope& scope : scopes_) anybody = anybody || !is_deserted(scope);
    if (!anybody) scopes_.clear();
    if (!walks(side)) redirected_[unsigned(side)] = false;
  }

  /// The innermost scope is closed.
  void close() {
    scopes_.pop_back();
    show_both();
    if (depth() == 1 && is_deserted(scopes_.back())) scopes_.clear();
  }

  void forget() { redirected_ = {}, lanes_moved_ = false; }
  bool redirected(Side side) const { return redirected_[unsigned(side)] && walks(side); }
  bool lanes_moved() const { return lanes_moved_; }

  /// Every scope from the outermost on: "pc:lanes" of both walkers.
  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Scope& scope : scopes_) {
      std::vector<std::string> both;
      for (const Walker& walker : scope) both.push_back(text_of(walker));
      lines.push_back(fmt::format("{}", fmt::join(both, " | ")));
    }
    return lines;
  }

 private:
  using Scope = std::array<Walker, 2>;

  static bool is_deserted(const Scope& scope) { return scope[0].lanes.empty() && scope[1].lanes.empty(); }
  static std::string text_of(const Walker& walker) {
    if (walker.lanes.empty()) return "-";
    std::string lanes;
    for (unsigned l = 0; l < 4; ++l) lanes += walker.lanes.count(l) != 0 ? '1' : '0';
    return fmt::format("{}:{}", walker.pc, lanes);
  }
  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  Walker& at(Side side) { return scopes_.back()[unsigned(side)]; }
  void show_both() { redirected_ = {true, true}, lanes_moved_ = true; }

  unsigned capacity_;
  std::uint64_t last_pc_;
  std::vector<Scope> scopes_;
  std::array<bool, 2> redirected_{};
  bool lanes_moved_ = false;
};

}  // namespace heddle::bench
