// SPDX-License-Identifier: Apache-2.0
// Reference model of one warp under convergence barriers: threads, each with its own PC, state and number of its last
// turn, and barriers as sets of threads. No clock, no masks, no order kept.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "rtl/convergence_barrier/barrier_operation.h"
#include "tb/bench/control_flow_bench.h"

namespace heddle::bench {

class ConvergenceBarrierModel {
 public:
  enum class State { Exited, Ready, Blocked, Yielded, Synced, Parked };
  /// When the warp is to be looked at again: not before something happens to it, at once, or once it is not busy.
  enum class Need { Nothing, Turn, NotBusy };

  struct Request {
    BarrierOp op;
    LaneSet lanes;
    unsigned index, source;
    std::uint64_t value;
    std::vector<std::uint64_t> targets;
  };
  struct Answer {
    std::uint64_t value;
    bool passed;
  };

  /// \param last_pc  the PC that 0 follows
  ConvergenceBarrierModel(unsigned lanes, unsigned barriers, Picker picker, std::uint64_t last_pc)
      : threads_(lanes), barriers_(barriers), picker_(picker), last_pc_(last_pc) {
    for (unsigned l = 0; l < lanes; ++l) threads_[l].turn = l;
    turns_ = lanes;
  }

  // ---- what there is to see ----
  const LaneSet& picked() const { return picked_; }
  std::uint64_t pc() const { return picked_.empty() ? 0 : threads_[*picked_.begin()].pc; }
  std::uint64_t pc_of(unsigned lane) const { return threads_[lane].pc; }
  bool alive() const { return !in(State::Exited, threads_.size()); }
  Need need() const { return need_; }
  LaneSet lanes_in(State state) const {
    LaneSet lanes;
    for (unsigned l = 0; l < threads_.size(); ++l) {
      if (threads_[l].state == state) lanes.insert(l);
    }
    return lanes;
  }
  State state(unsigned lane) const { return threads_[lane].state; }
  unsigned waits_on(unsigned lane) const { return threads_[lane].barrier; }
  const LaneSet& participants(unsigned barrier) const { return barriers_[barrier]; }
  /// A mask without those who have exited.
  LaneSet living(std::uint64_t mask) const {
    LaneSet lanes;
    for (unsigned l = 0; l < threads_.size(); ++l) {
      if ((mask >> l & 1) != 0 && threads_[l].state != State::Exited) lanes.insert(l);
    }
    return lanes;
  }

  // ---- what happens to it ----
  void advance() {
    for (const unsigned l : picked_) threads_[l].pc = after(threads_[l].pc);
  }

  void launch(const LaneSet& lanes, std::uint64_t pc) {
    for (const unsigned l : lanes) threads_[l].state = State::Ready, threads_[l].pc = pc;
    picked_ = lanes;
  }

  void branch(const LaneSet& taken, std::uint64_t target) {
    advance();
    for (const unsigned l : taken) threads_[l].pc = target;
    give_up();
  }

  void leave(const LaneSet& gone) {
    advance();
    for (const unsigned l : gone) {
      threads_[l].state = State::Exited;
      for (LaneSet& barrier : barriers_) barrier.erase(l);
    }
    give_up();
  }

  std::optional<Answer> operate(const Request& request) {
    if (request.op == BarrierOp::Open) {
      const LaneSet parked = lanes_in(State::Parked);
      for (const unsigned l : parked) threads_[l].state = State::Ready;
      if (picked_.empty() && !parked.empty()) need_ = Need::Turn;
      return std::nullopt;
    }
    LaneSet& barrier = barriers_[request.index];
    const std::uint64_t here = pc();
    if (request.op != BarrierOp::Switch) advance();
    switch (request.op) {
      case BarrierOp::Join:
        barrier.insert(request.lanes.begin(), request.lanes.end());
        return std::nullopt;
      case BarrierOp::Arrive:
        barrier.insert(request.lanes.begin(), request.lanes.end());
        return Answer{barrier.size(), barrier.size() > request.value};
      case BarrierOp::Save:
        return Answer{to_mask(barrier), false};
      case BarrierOp::Wait:
        for (const unsigned l : request.lanes) {
          if (barrier.count(l) != 0) wait(l, State::Blocked, request.index);
        }
        break;
      case BarrierOp::Cancel:
        for (const unsigned l : request.lanes) barrier.erase(l);
        break;
      case BarrierOp::Yield:
        for (const unsigned l : request.lanes) threads_[l].state = State::Yielded;
        break;
      case BarrierOp::Sync:
        sync(request, here);
        break;
      case BarrierOp::Restore:
        barrier = living(request.value);
        break;
      case BarrierOp::Copy:
        barrier = LaneSet(barriers_[request.source]);
        break;
      case BarrierOp::Take: {
        const LaneSet taken = barriers_[request.source];
        barriers_[request.source].clear();
        barrier = taken;
        break;
      }
      case BarrierOp::Jump:
        for (const unsigned l : request.lanes) threads_[l].pc = request.targets[l];
        break;
      case BarrierOp::Park:
        for (const unsigned l : request.lanes) threads_[l].state = State::Parked;
        break;
      default:
        break;
    }
    give_up();
    return std::nullopt;
  }

  /// How many groups a settlement looks at, one after the other, when the picker compares them.
  unsigned looks() const {
    ConvergenceBarrierModel woken(*this);
    woken.rouse();
    const LaneSet ready = woken.lanes_in(State::Ready);
    if (ready.empty()) return woken.lanes_in(State::Blocked).empty() ? 0 : 1;
    if (turn_of_the_oldest()) return 1;
    std::set<std::uint64_t> places;
    for (const unsigned l : ready) places.insert(threads_[l].pc);
    return unsigned(places.size());
  }

  /// Complete barriers open, somebody is picked; returns the barrier of a group that had to be released: it is picked next.
  std::optional<unsigned> settle(bool busy) {
    rouse();
    const LaneSet blocked = lanes_in(State::Blocked);
    if (in(State::Ready, 0) && !blocked.empty() && !busy) {
      const unsigned released = threads_[longest_without_turn(blocked)].barrier;
      for (const unsigned l : blocked) {
        if (threads_[l].barrier == released) wake(l);
      }
      need_ = Need::Turn;
      return released;
    }
    if (in(State::Ready, 0)) {
      need_ = blocked.empty() ? Need::Nothing : Need::NotBusy;
    } else {
      need_ = Need::Nothing;
      pick();
    }
    return std::nullopt;
  }

 private:
  struct Thread {
    State state = State::Exited;
    std::uint64_t pc = 0;
    unsigned barrier = 0;
    unsigned long turn = 0;  ///< of its last pick
  };

  std::uint64_t after(std::uint64_t pc) const { return pc == last_pc_ ? 0 : pc + 1; }
  bool in(State state, std::size_t count) const { return lanes_in(state).size() == count; }
  void wait(unsigned lane, State state, unsigned barrier) {
    threads_[lane].state = state;
    threads_[lane].barrier = barrier;
  }
  void give_up() {
    picked_.clear();
    need_ = alive() ? Need::Turn : Need::Nothing;
  }

  void sync(const Request& request, std::uint64_t here) {
    bool free = true, blocked = false;
    for (const Thread& thread : threads_) {
      if (thread.barrier != request.index) continue;
      blocked = blocked || thread.state == State::Blocked;
      free = free && thread.state != State::Synced && thread.state != State::Blocked;
    }
    const LaneSet named = living(request.value);
    const bool joins = free || (!blocked && barriers_[request.index] == named);
    if (joins) barriers_[request.index] = named;
    for (const unsigned l : request.lanes) {
      if (joins) {
        wait(l, State::Synced, request.index);
      } else {
        threads_[l].state = State::Yielded;  // later, here again
        threads_[l].pc = here;
      }
    }
  }

  void wake(unsigned lane) {
    threads_[lane].state = State::Ready;
    barriers_[threads_[lane].barrier].erase(lane);
  }

  /// A thread wakes when every participant of its barrier has come, or need not be waited for.
  void wake() {
    LaneSet woken;
    for (unsigned l = 0; l < threads_.size(); ++l) {
      const Thread& thread = threads_[l];
      if (thread.state != State::Blocked && thread.state != State::Synced) continue;
      bool complete = true;
      for (const unsigned p : barriers_[thread.barrier]) {
        const Thread& other = threads_[p];
        const bool came = other.state == thread.state && other.barrier == thread.barrier;
        complete = complete && (came || (thread.state == State::Blocked && other.state == State::Yielded));
      }
      if (complete) woken.insert(l);
    }
    for (const unsigned l : woken) wake(l);
  }

  unsigned longest_without_turn(const LaneSet& lanes) const {
    unsigned best = *lanes.begin();
    for (const unsigned l : lanes) {
      if (threads_[l].turn < threads_[best].turn) best = l;
    }
    return best;
  }

  void rouse() {
    wake();
    if (in(State::Ready, 0) || passed_ == 4 * threads_.size()) {
      for (const unsigned l : lanes_in(State::Yielded)) threads_[l].state = State::Ready;
    }
  }

  bool turn_of_the_oldest() const {
    const bool ages = picker_ == Picker::Largest || picker_ == Picker::LowestPc;
    return picker_ == Picker::Oldest || (ages && picks_ % 4 == 3);
  }

  unsigned leader(const LaneSet& ready) {
    if (turn_of_the_oldest()) return longest_without_turn(ready);
    if (picker_ == Picker::RoundRobin) {
      const auto at = ready.lower_bound(next_);
      return at == ready.end() ? *ready.begin() : *at;
    }
    std::map<std::uint64_t, LaneSet> groups;
    for (const unsigned l : ready) groups[threads_[l].pc].insert(l);
    if (picker_ == Picker::LowestPc) return *groups.begin()->second.begin();
    const LaneSet* best = nullptr;
    for (const auto& [pc, group] : groups) {
      const bool better = best == nullptr || group.size() > best->size() ||
                          (group.size() == best->size() && *group.begin() < *best->begin());
      if (better) best = &group;
    }
    return *best->begin();
  }

  void pick() {
    const LaneSet ready = lanes_in(State::Ready);
    const unsigned first = leader(ready);
    std::map<unsigned long, unsigned> by_turn;
    for (const unsigned l : ready) {
      if (threads_[l].pc == threads_[first].pc) by_turn[threads_[l].turn] = l;
    }
    for (const auto& [turn, lane] : by_turn) picked_.insert(lane), threads_[lane].turn = turns_++;
    next_ = first + 1;  // beyond the last lane: the first one is next
    ++picks_;
    passed_ = in(State::Yielded, 0) ? 0 : passed_ + 1;
  }

  std::vector<Thread> threads_;
  std::vector<LaneSet> barriers_;
  Picker picker_;
  std::uint64_t last_pc_;
  LaneSet picked_;
  Need need_ = Need::Nothing;
  unsigned long turns_ = 0, picks_ = 0;
  std::size_t passed_ = 0;
  unsigned next_ = 0;
};

}  // namespace heddle::bench
