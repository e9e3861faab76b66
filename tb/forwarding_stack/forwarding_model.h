// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp of the dual-path stack with path forwarding (DPE sec. 7.1): nested regions of a program.
// The innermost one has one or two groups of lanes that run; each other one may have a group that waits for the region
// inside it, and one that is left alone meanwhile. One of those left alone may visit the innermost region's free side:
// it runs there and still belongs where it came from. No clock, no masks, nothing is copied.
#pragma once

#include <array>
#include <optional>

#include "tb/bench/control_flow_bench.h"

namespace heddle::bench {

class ForwardingModel {
 public:
  static constexpr bool Forwards = true;

  struct Path {
    std::uint64_t pc = 0;
    LaneSet lanes;
  };

  /// \param last_pc  the PC that 0 follows
  ForwardingModel(unsigned capacity, std::uint64_t last_pc) : capacity_(capacity), last_pc_(last_pc) {}

  unsigned depth() const { return static_cast<unsigned>(nest_.size()); }
  /// Where the group of that side is done.
  std::uint64_t rpc(Side side = Side::Left) const {
    return nest_.empty() ? 0 : visits(side) ? nest_[visitor_->home].meet : nest_.back().meet;
  }
  Path path(Side side) const {
    if (nest_.empty()) return {};
    return (visits(side) ? nest_[visitor_->home].left_alone : nest_.back().group[unsigned(side)]).value_or(Path());
  }
  bool visits(Side side) const { return visitor_ && visitor_->side == side; }
  /// The visitor comes from a region further out than the one around the innermost.
  bool visits_from_afar() const { return visitor_ && visitor_->home + 2 < nest_.size(); }
  /// A group that was left alone wants a branch or call that its region alone can give it.
  bool has_deferred() const {
    for (const Region& region : nest_) {
      if (region.deferred) return true;
    }
    return false;
  }
  bool deferred_is_next() const { return waits() && nest_.back().deserted() && around().deferred; }

  /// The calls of the region around the innermost.
  unsigned around_calls() const { return nest_.size() < 2 ? 0 : around().calls; }
  bool has_left_alone() const { return nest_.size() > 1 && around().left_alone.has_value(); }
  bool is_loop() const { return nest_.size() > 1 && around().meet == nest_.back().meet; }

  /// Something is due without being asked: the innermost region is over, or a visitor may come.
  bool waits() const {
    if (nest_.size() < 2) return false;
    if (nest_.back().deserted()) return true;
    const bool both = nest_.back().group[0] && nest_.back().group[1];
    return !both && !visitor_ && !has_deferred() && host();
  }
  /// The innermost region is over: what is due is not that a visitor comes.
  bool is_over() const { return nest_.size() > 1 && nest_.back().deserted(); }
  /// A call keeps a group from coming.
  bool is_cut_off() const {
    if (nest_.size() < 2 || nest_.back().deserted() || visitor_ || host()) return false;
    return nest_[nest_.size() - 2].left_alone && nest_[nest_.size() - 2].called;
  }

  void advance(Side side) {
    at(side)->pc = after(at(side)->pc);
    arrive();
  }

  void launch(const LaneSet& lanes, std::uint64_t pc, std::uint64_t rpc) {
    nest_ = {Region()};
    nest_[0].meet = rpc;
    nest_[0].group[0] = Path{pc, lanes};
    left_to_exit_ = lanes;
    arrive();
    note_redirected(Side::Left);
  }

  bool fits(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) const {
    ForwardingModel trial = *this;
    trial.branch(side, taken, target, meet);
    return trial.depth() <= capacity_;
  }

  void branch(Side side, const LaneSet& taken, std::uint64_t target, std::uint64_t meet) {
    const Path from = *at(side);
    if (taken.empty() || taken == from.lanes) {
      at(side)->pc = taken.empty() ? after(from.pc) : target;
      arrive();
      return note_redirected(side);
    }
    Region inner = parted(from, DeferredBranch{taken, target, meet, false});
    if (inner.deserted()) {
      at(side)->pc = meet;
      arrive();
      return note_redirected(side);
    }
    if (visits(side)) return send_home(DeferredBranch{taken, target, meet, false});
    const bool alone = !inner.group[0] || !inner.group[1];
    const bool visitor_stays = visitor_ && alone;
    if (visitor_stays) {
      const std::optional<Path> one = inner.group[0] ? inner.group[0] : inner.group[1];
      inner.group = {};
      inner.group[unsigned(side)] = one;
    } else {
      visitor_.reset();
      lanes_moved_ = true;
    }
    inner.calls = calls();
    at(side)->pc = meet;  // who waits for them; nobody has to where the outer region ends at the same point
    arrive_in(nest_.back());
    if (nest_.back().deserted() && nest_.back().meet == meet) {
      nest_.back() = inner;
    } else {
      enclose(side, false);
      nest_.push_back(inner);
    }
    note_redirected(side);
    if (!visitor_stays) note_redirected(opposite(side));
  }

  bool fits_call(Side side) const { return visits(side) || depth() < capacity_; }
  /// All of the group of that side; the other one waits too.
  void call(Side side, std::uint64_t target) {
    const LaneSet all = at(side)->lanes;
    if (visits(side)) return send_home(DeferredBranch{all, target, last_pc_, true});
    visitor_.reset();
    Region callee;
    callee.meet = last_pc_;
    callee.group[0] = Path{target, all};
    callee.calls = calls() + 1;
    at(side)->pc = after(at(side)->pc);
    arrive_in(nest_.back());  // nothing may be left to do behind the call
    enclose(side, true);
    nest_.push_back(callee);
    lanes_moved_ = true;
    arrive();
    note_redirected(Side::Left);
  }
  /// Calls under way of the groups that belong here.
  unsigned calls() const { return nest_.empty() ? 0 : nest_.back().calls; }

  void leave(Side side, const LaneSet& gone) {
    at(side)->pc = after(at(side)->pc);
    for (Region& region : nest_) {
      for (std::optional<Path>* group : {&region.group[0], &region.group[1], &region.waiting, &region.left_alone}) {
        for (const unsigned lane : gone) {
          if (*group) (*group)->lanes.erase(lane);
        }
      }
    }
    for (const unsigned lane : gone) left_to_exit_.erase(lane);
    if (left_to_exit_.empty()) nest_.clear(), visitor_.reset();
    arrive();
    note_redirected(side);
  }

  /// What was due.
  void pop() {
    if (!nest_.back().deserted()) {
      visitor_ = Visitor{*host(), nest_.back().group[0] ? Side::Right : Side::Left};
      return note_redirected(visitor_->side);
    }
    lanes_moved_ = true;
    if (around().deferred) {
      run_deferred();
      note_redirected(Side::Left);
      return note_redirected(Side::Right);
    }
    nest_.pop_back();
    Region& inner = nest_.back();
    const Side first = visitor_ ? opposite(visitor_->side) : Side::Left;
    inner.group[unsigned(first)] = inner.waiting;
    note_redirected_of(inner, first);
    if (!visitor_ || visitor_->home + 1 == nest_.size()) inner.group[unsigned(opposite(first))] = inner.left_alone;
    if (!visitor_) note_redirected_of(inner, opposite(first));
    if (visitor_ && visitor_->home + 1 == nest_.size()) visitor_.reset();  // at home
    inner.waiting.reset();
    inner.left_alone.reset();
    inner.called = false;
    arrive();
  }

  void forget() { redirected_ = {}, lanes_moved_ = false; }
  bool redirected(Side side) const { return redirected_[unsigned(side)]; }
  bool lanes_moved() const { return lanes_moved_; }

  std::vector<std::string> entries() const {
    std::vector<std::string> lines;
    for (std::size_t level = 0; level < nest_.size(); ++level) {
      const Region& region = nest_[level];
      const bool innermost = level + 1 == nest_.size();
      const bool is_away = visitor_ && visitor_->home == level;
      const auto text = [&](const std::optional<Path>& group, std::uint64_t meet) {
        const bool none = !group || group->lanes.empty() || group->pc == meet;
        return (none ? "-" : fmt::format("{}:{}", group->pc, digits(to_mask(group->lanes), 4))) + " | ";
      };
      std::string line;
      if (innermost) {
        for (const Side side : {Side::Left, Side::Right}) line += text(path(side), rpc(side));
      } else {
        line = text(region.waiting, region.meet) + (is_away ? "- | " : text(region.left_alone, region.meet));
      }
      lines.push_back(line + text_of_rpc(region.meet));
    }
    return lines;
  }

 private:
  struct DeferredBranch {
    LaneSet taken;
    std::uint64_t target, meet;
    bool is_call;
  };
  struct Region {
    std::uint64_t meet = 0;
    std::array<std::optional<Path>, 2> group;  ///< that run, of the innermost
    std::optional<Path> waiting, left_alone;   ///< of the others
    bool called = false;                       ///< ... its waiting group waits for a function
    std::optional<DeferredBranch> deferred;    ///< ... of the one left alone
    unsigned calls = 0;
    bool deserted() const { return !group[0] && !group[1]; }
  };
  struct Visitor {
    std::size_t home;
    Side side;
  };

  static Side opposite(Side side) { return side == Side::Left ? Side::Right : Side::Left; }
  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  const Region& around() const { return nest_[nest_.size() - 2]; }
  std::optional<Path>& at(Side side) {
    return visits(side) ? nest_[visitor_->home].left_alone : nest_.back().group[unsigned(side)];
  }

  /// The region nearest to the innermost that has a group left alone, and no function between.
  std::optional<std::size_t> host() const {
    for (std::size_t i = nest_.size() - 1; i-- > 0;) {
      if (nest_[i].called) return std::nullopt;
      if (nest_[i].left_alone) return i;
    }
    return std::nullopt;
  }

  /// The region of the two sides of a branch.
  Region parted(const Path& from, const DeferredBranch& deferred) const {
    Region inner;
    inner.meet = deferred.meet;
    LaneSet stay = from.lanes;
    for (const unsigned lane : deferred.taken) stay.erase(lane);
    const std::uint64_t fall = after(from.pc);
    if (deferred.target != deferred.meet) inner.group[0] = Path{deferred.target, deferred.taken};
    if (!stay.empty() && fall != deferred.meet) inner.group[1] = Path{fall, stay};
    return inner;
  }

  /// The innermost region gets another one inside it, by what the group of that side did.
  void enclose(Side side, bool called) {
    Region& region = nest_.back();
    region.waiting = region.group[unsigned(side)];
    region.left_alone = region.group[unsigned(opposite(side))];
    region.called = called;
    region.group = {};
  }

  /// The visitor cannot part here: its region is not the innermost. It waits in it behind its branch.
  void send_home(const DeferredBranch& deferred) {
    Region& home = nest_[visitor_->home];
    home.deferred = deferred;
    visitor_.reset();
    home.left_alone->pc = after(home.left_alone->pc);
  }

  void run_deferred() {
    nest_.pop_back();
    Region& home = nest_.back();
    const DeferredBranch deferred = *home.deferred;
    Path from = *home.left_alone;
    Path before = from;
    before.pc = from.pc == 0 ? last_pc_ : from.pc - 1;
    Region inner = parted(before, deferred);
    inner.calls = home.calls + deferred.is_call;
    if (!deferred.is_call) from.pc = deferred.meet;
    home.left_alone = home.waiting;
    home.waiting = from;
    home.deferred.reset();
    home.called = deferred.is_call;
    if (deferred.meet == home.meet && !deferred.is_call) home.waiting.reset();
    if (home.left_alone && (home.left_alone->lanes.empty() || home.left_alone->pc == home.meet))
      home.left_alone.reset();
    nest_.push_back(inner);
    arrive();
  }

  static void clear_if_done(std::optional<Path>& group, std::uint64_t meet) {
    if (group && (group->lanes.empty() || group->pc == meet)) group.reset();
  }
  static void arrive_in(Region& region) {
    for (auto& group : region.group) clear_if_done(group, region.meet);
  }
  /// Groups that reached the end of their region, or lost all lanes, run no more.
  void arrive() {
    if (nest_.empty()) return;
    arrive_in(nest_.back());
    if (visitor_) {
      Region& home = nest_[visitor_->home];
      clear_if_done(home.left_alone, home.meet);
      if (!home.left_alone) visitor_.reset();
    }
    if (nest_.size() == 1 && nest_.back().deserted()) nest_.clear();
  }
  void note_redirected(Side side) {
    if (!path(side).lanes.empty()) redirected_[unsigned(side)] = true;
  }
  void note_redirected_of(Region& inner, Side side) {
    clear_if_done(inner.group[unsigned(side)], inner.meet);
    if (inner.group[unsigned(side)]) redirected_[unsigned(side)] = true;
  }

  unsigned capacity_;
  std::uint64_t last_pc_;
  std::vector<Region> nest_;
  std::optional<Visitor> visitor_;
  LaneSet left_to_exit_;
  std::array<bool, 2> redirected_{};
  bool lanes_moved_ = false;
};

}  // namespace heddle::bench
