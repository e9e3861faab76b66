// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the software-managed single-path stack: scopes that the program opened and did not close,
// each with the groups of lanes that still have work in it, the last of which runs. No clock, no masks, no counter.
#pragma once

#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

#include "rtl/base/control_flow.h"

namespace heddle::bench {

class SingleSoftwareModel {
 public:
  struct Walker {
    std::uint64_t pc = 0;
    std::set<unsigned> lanes;
  };

  /// \param last_pc  the PC that 0 follows
  SingleSoftwareModel(unsigned capacity, std::uint64_t last_pc) : capacity_(capacity), last_pc_(last_pc) {}

  unsigned depth() const {
    std::size_t groups = 0;
    for (const Scope& scope : scopes_) groups += scope.size();
    return static_cast<unsigned>(groups);
  }
  bool is_full() const { return depth() == capacity_; }
  Walker walker(Side side) const { return side == Side::Right || scopes_.empty() ? Walker() : scopes_.back().back(); }
  bool walks(Side side) const { return !walker(side).lanes.empty(); }
  /// The group that runs has done its work, but others wait.
  bool waits() const { return depth() > 1 && !walks(Side::Left); }
  bool parts_in_new_entry(Side) const { return true; }
  bool may_finish() const { return scopes_.size() > 1; }

  void advance(Side) { now().pc = after(now().pc); }
  void jump(Side, std::uint64_t target) {
    now().pc = target;
    redirected_ = true;
  }
  void pass(Side side) { jump(side, after(now().pc)); }

  void launch(const std::set<unsigned>& lanes, std::uint64_t pc) {
    scopes_ = {Scope{Walker{pc, lanes}}};
    redirected_ = true;
  }

  /// Some go to the target now, the others go on later.
  void part(Side, const std::set<unsigned>& taken, std::uint64_t target, std::uint64_t) {
    Walker& from = now();
    from.pc = after(from.pc);
    for (const unsigned lane : taken) from.lanes.erase(lane);
    scopes_.back().push_back({target, taken});
    redirected_ = lanes_moved_ = true;
  }

  /// A scope of their own, from which they come back to `resume`.
  void open(Side, std::uint64_t target, std::uint64_t resume) {
    const std::set<unsigned> lanes = now().lanes;
    now().pc = resume;
    scopes_.push_back({Walker{target, lanes}});
    redirected_ = lanes_moved_ = true;
  }

  /// They have done what they had to do in this scope.
  void finish(Side) { now() = Walker(); }

  void leave(Side side, const std::set<unsigned>& gone) {
    pass(side);
    bool anybody = false;
    for (Scope& scope : scopes_) {
      for (Walker& walker : scope) {
        for (const unsigned lane : gone) walker.lanes.erase(lane);
        anybody = anybody || !walker.lanes.empty();
      }
    }
    if (!anybody) scopes_.clear();
  }

  /// The next group runs: of this scope, or the one that opened it.
  void close() {
    scopes_.back().pop_back();
    if (scopes_.back().empty()) scopes_.pop_back();
    if (depth() == 1 && !walks(Side::Left)) scopes_.clear();
    redirected_ = lanes_moved_ = true;
  }

  void forget() { redirected_ = lanes_moved_ = false; }
  bool redirected(Side side) const { return redirected_ && walks(side); }
  bool lanes_moved() const { return lanes_moved_; }

  /// Every group from the lowest on: "pc:lanes".
  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (const Scope& scope : scopes_) {
      for (const Walker& walker : scope) lines.push_back(text_of(walker));
    }
    return lines;
  }

 private:
  using Scope = std::vector<Walker>;

  static std::string text_of(const Walker& walker) {
    if (walker.lanes.empty()) return "-";
    std::string lanes;
    for (unsigned l = 0; l < 4; ++l) lanes += walker.lanes.count(l) != 0 ? '1' : '0';
    return fmt::format("{}:{}", walker.pc, lanes);
  }
  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  Walker& now() { return scopes_.back().back(); }

  unsigned capacity_;
  std::uint64_t last_pc_;
  std::vector<Scope> scopes_;
  bool redirected_ = false, lanes_moved_ = false;
};

}  // namespace heddle::bench
