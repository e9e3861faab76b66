// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/barrier_check.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>
#include <stdexcept>

#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {
namespace {

using isa::ConvergenceOp;
using isa::Pc;

using Bits = std::uint32_t;  // bit b: barrier b
constexpr Bits AllBits = ~Bits(0);
constexpr unsigned Barriers = 32;

/// What an instruction does to who participates.
struct Effect {
  Bits joins = 0, ends = 0, wants = 0;
};

Effect effect_of(const VirtualInstruction& instruction) {
  const isa::Instruction& body = instruction.body;
  Effect effect;
  if (body.kind != isa::Kind::Convergence || instruction.mark != Mark::None) return effect;
  const Bits barrier = Bits(1) << body.barrier, source = Bits(1) << body.barrier_source;
  switch (body.convergence) {
    case ConvergenceOp::Join:
    case ConvergenceOp::Arrive:
      effect.joins = barrier;
      break;
    case ConvergenceOp::Wait:
      effect.ends = effect.wants = barrier;
      break;
    case ConvergenceOp::Cancel:
      effect.ends = barrier;
      break;
    case ConvergenceOp::Take:
      effect.ends = source;
      [[fallthrough]];
    case ConvergenceOp::Copy:
      effect.joins = barrier;
      effect.wants = source;
      break;
    case ConvergenceOp::Yield:
    case ConvergenceOp::Meet:
    case ConvergenceOp::Push:
      break;
  }
  if (instruction.is_guarded()) effect.ends = 0;
  return effect;
}

class BarrierCheck {
 public:
  BarrierCheck(const VirtualCode& code, const char* after) : code_(code), after_(after) {
    const std::size_t size = code.code.size();
    successors_.resize(size), predecessors_.resize(size);
    for (Pc pc = 0; pc < size; ++pc) {
      effects_.push_back(effect_of(code.code[pc]));
      successors_[pc] = successors_of(code, pc);
      for (const Pc next : successors_[pc]) predecessors_[next].push_back(pc);
    }
  }

  void run() {
    if (std::none_of(effects_.begin(), effects_.end(), [](const Effect& e) { return (e.joins | e.ends) != 0; })) return;
    joined_ = solve(true);
    wanted_ = solve(false);
    for (Pc pc = 0; pc < effects_.size(); ++pc) {
      for_each(effects_[pc].ends & effects_[pc].wants & ~joined_.arriving[pc], [&](unsigned barrier) {
        fail(barrier, pc, "nobody has joined what is waited for here", path_to(pc, [](Pc) { return false; }, {0}));
      });
      for_each(effects_[pc].joins & ~wanted_.arriving[pc],
               [&](unsigned barrier) { fail(barrier, pc, "nobody waits for who joins here", fmt::format("{}", pc)); });
    }
    for (std::size_t f = 0; f < code_.functions.size(); ++f) check_return(f);
    find_waits_inside();
    for (unsigned barrier = 0; barrier < Barriers; ++barrier) ranges_.push_back(ranges_of(barrier));
    check_waits();
  }

 private:
  /// What arrives at each instruction: forward from those before it, backward from those behind it. Of a function: what
  /// goes through it from end to end, and what it gives whoever calls it.
  struct Flow {
    bool forward = true;
    std::vector<Bits> arriving, through, made;
  };

  template <class Do>
  static void for_each(Bits bits, const Do& act) {
    for (; bits != 0; bits &= bits - 1) act(static_cast<unsigned>(__builtin_ctz(bits)));
  }

  // ---- calls ----

  bool calls(Pc pc) const { return is_call(code_.code[pc]); }
  std::vector<std::size_t> callees(Pc pc) const { return callees_of(code_, pc); }

  // ---- flow ----

  Bits transfer(const Flow& flow, Pc pc, Bits bits) const {
    if (calls(pc)) {
      Bits result = code_.code[pc].is_guarded() ? bits : 0;
      for (const std::size_t f : callees(pc)) result |= (bits & flow.through[f]) | flow.made[f];
      return result;
    }
    return (bits & ~effects_[pc].ends) | (flow.forward ? effects_[pc].joins : effects_[pc].wants);
  }

  Pc near(const Flow& flow, const FunctionCode& function) const {
    return flow.forward ? function.first : function.last;
  }
  Pc far(const Flow& flow, const FunctionCode& function) const { return flow.forward ? function.last : function.first; }

  /// With these bits at the near end of each function.
  void spread(Flow& flow, const std::vector<Bits>& start) const {
    const auto& from = flow.forward ? predecessors_ : successors_;
    const auto& to = flow.forward ? successors_ : predecessors_;
    flow.arriving.assign(effects_.size(), 0);
    for (std::size_t f = 0; f < start.size(); ++f) flow.arriving[near(flow, code_.functions[f])] = start[f];
    const std::vector<Bits> fixed = flow.arriving;
    std::deque<Pc> rest;
    for (Pc pc = 0; pc < effects_.size(); ++pc) flow.forward ? rest.push_back(pc) : rest.push_front(pc);
    while (!rest.empty()) {
      const Pc pc = rest.front();
      rest.pop_front();
      Bits bits = fixed[pc];
      for (const Pc neighbour : from[pc]) bits |= transfer(flow, neighbour, flow.arriving[neighbour]);
      if (bits == flow.arriving[pc]) continue;
      flow.arriving[pc] = bits;
      rest.insert(rest.end(), to[pc].begin(), to[pc].end());
    }
  }

  /// Until what functions let through, what they make, and what they are called with stay as they are.
  Flow solve(bool forward) const {
    const std::size_t count = code_.functions.size();
    Flow flow;
    flow.forward = forward;
    flow.through.assign(count, 0), flow.made.assign(count, 0);
    const auto settle = [&](std::vector<Bits>& summary, Bits start) {
      for (bool changed = true; changed;) {
        changed = false;
        spread(flow, std::vector<Bits>(count, start));
        for (std::size_t f = 0; f < count; ++f) {
          const Pc end = far(flow, code_.functions[f]);
          const Bits bits = transfer(flow, end, flow.arriving[end]);
          changed = changed || bits != summary[f];
          summary[f] = bits;
        }
      }
    };
    settle(flow.through, AllBits);
    settle(flow.made, 0);
    std::vector<Bits> start(count, 0);
    for (bool changed = true; changed;) {
      changed = false;
      spread(flow, start);
      for (Pc pc = 0; pc < effects_.size(); ++pc) {
        if (!calls(pc)) continue;
        for (const std::size_t f : callees(pc)) {
          changed = changed || (flow.arriving[pc] & ~start[f]) != 0;
          start[f] |= flow.arriving[pc];
        }
      }
    }
    return flow;
  }

  // ---- ranges ----

  Bits joined_behind(Pc pc) const { return transfer(joined_, pc, joined_.arriving[pc]); }

  /// The barriers that a function and what it calls wait for.
  void find_waits_inside() {
    waits_inside_.assign(code_.functions.size(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t f = 0; f < code_.functions.size(); ++f) {
        Bits waits = waits_inside_[f];
        for (Pc pc = code_.functions[f].first; pc <= code_.functions[f].last; ++pc) {
          waits |= effects_[pc].wants;
          if (calls(pc))
            for (const std::size_t callee : callees(pc)) waits |= waits_inside_[callee];
        }
        changed = changed || waits != waits_inside_[f];
        waits_inside_[f] = waits;
      }
    }
  }

  /// By instruction: the number of the range of this barrier in front of it, a stretch of code that lanes go through
  /// without an end to their part in it; 0: none. A function that waits for it, or calls itself, is part of its callers'
  /// ranges; else what they have joined is a range of its own there.
  std::vector<unsigned> ranges_of(unsigned barrier) const {
    const Bits bit = Bits(1) << barrier;
    std::vector<std::vector<Pc>> beside(effects_.size());
    const auto connect = [&](Pc from, Pc to, bool goes_on) {
      if (!goes_on || (joined_.arriving[from] & joined_.arriving[to] & bit) == 0) return;
      beside[from].push_back(to), beside[to].push_back(from);
    };
    for (Pc pc = 0; pc < effects_.size(); ++pc) {
      const bool goes_on = (joined_behind(pc) & bit) != 0;
      for (const Pc next : successors_[pc]) connect(pc, next, goes_on);
      if (!calls(pc)) continue;
      for (const std::size_t f : callees(pc)) {
        const bool is_part = (waits_inside_[f] & bit) != 0 || code_.functions[f].is_recursive;
        connect(pc, code_.functions[f].first, is_part);
        connect(code_.functions[f].last, pc + 1, is_part);
      }
    }
    std::vector<unsigned> number(effects_.size(), 0);
    unsigned last = 0;
    for (Pc start = 0; start < effects_.size(); ++start) {
      if ((joined_.arriving[start] & bit) == 0 || number[start] != 0) continue;
      std::vector<Pc> rest{start};
      number[start] = ++last;
      while (!rest.empty()) {
        const Pc pc = rest.back();
        rest.pop_back();
        for (const Pc other : beside[pc]) {
          if (number[other] != 0) continue;
          number[other] = last;
          rest.push_back(other);
        }
      }
    }
    return number;
  }

  // ---- rules ----

  /// What callers have joined is their affair. The last instruction of an entry is no return, but an exit, a trap or a
  /// branch to an exit further up: who exits leaves every barrier.
  void check_return(std::size_t f) const {
    const Pc last = code_.functions[f].last;
    const isa::Instruction& body = code_.code[last].body;
    if (body.kind != isa::Kind::Branch || body.branch != isa::BranchKind::Return) return;
    for_each(joined_.made[f] & ~wanted_.arriving[last], [&](unsigned barrier) {
      fail(barrier, last, "nobody waits any more for who returns here", way_from_join(last, barrier));
    });
  }

  /// In front of the Wait of a soft barrier stands the way out of others for those who have to wait there (SR Fig. 6):
  ///
  ///   arrive p <- count; @!p break other; @p break all; @p btake own <- count; bsync own
  ///
  /// Of those for whom p holds, `own` has who has arrived alone: nobody who has to come from elsewhere. Others copy to it
  /// only what they are not in.
  Bits left_by_who_waits(Pc wait) const {
    const Bits own = effects_[wait].wants;
    Bits copied = 0, left = 0;
    for (Pc pc = 0; pc < effects_.size(); ++pc)
      if (effects_[pc].joins == own && code_.code[pc].body.convergence == ConvergenceOp::Copy)
        copied |= effects_[pc].wants;
    VirtualId enough = NoVirtual;
    for (Pc pc = wait; pc > 0 && predecessors_[pc] == std::vector<Pc>{pc - 1}; --pc) {
      const VirtualInstruction& before = code_.code[pc - 1];
      if (before.body.kind != isa::Kind::Convergence) break;
      const bool if_not = before.body.guard.negated;
      const Bits barrier = Bits(1) << before.body.barrier;
      if (before.body.convergence == ConvergenceOp::Arrive)
        return before.destination == enough && copied == 0 ? left : 0;
      if (before.body.convergence == ConvergenceOp::Take && effects_[pc - 1].joins == own && !if_not)
        enough = before.guard;
      else if (before.body.convergence == ConvergenceOp::Cancel && before.guard == enough && before.is_guarded())
        if_not ? left |= barrier : copied &= ~barrier;
      else
        break;
    }
    return 0;
  }

  using Range = std::pair<unsigned, unsigned>;  // barrier, number

  /// Each barrier with those into which its participants are put, by any copy.
  std::map<Range, std::set<Range>> find_copies() const {
    std::map<Range, std::set<Range>> copies;
    for (Pc pc = 0; pc + 1 < effects_.size(); ++pc) {
      if (effects_[pc].joins == 0 || effects_[pc].wants == 0) continue;
      for_each(effects_[pc].wants, [&](unsigned from) {
        for_each(effects_[pc].joins, [&](unsigned to) {
          copies[{from, ranges_[from][pc]}].insert({to, ranges_[to][pc + 1]});
        });
      });
    }
    return copies;
  }

  /// A lane that waits for one barrier may be in another, one that waits for that in a third: not back to the first.
  void check_waits() const {
    const std::map<Range, std::set<Range>> copies = find_copies();
    std::map<Range, std::map<Range, Pc>> holds_up;  // where who waits for the one may be in the other
    for (Pc pc = 0; pc < effects_.size(); ++pc)
      for_each(effects_[pc].ends & effects_[pc].wants, [&](unsigned barrier) {
        std::map<Range, Pc>& found = holds_up[{barrier, ranges_[barrier][pc]}];
        const Bits others = joined_.arriving[pc] & ~(Bits(1) << barrier) & ~left_by_who_waits(pc);
        for_each(others, [&](unsigned other) {
          const Range is_in{other, ranges_[other][pc]};
          found.emplace(is_in, pc);
          if (const auto copied = copies.find(is_in); copied != copies.end())
            for (const Range& to : copied->second)
              if (to.first != barrier) found.emplace(to, pc);
        });
      });
    for (Pc pc = 0; pc < effects_.size(); ++pc) {
      if (!calls(pc)) continue;
      for (const std::size_t f : callees(pc)) {
        if (code_.functions[f].is_recursive) continue;
        const Pc entry = code_.functions[f].first;
        for_each(joined_.arriving[pc] & ~waits_inside_[f], [&](unsigned barrier) {
          holds_up[{barrier, ranges_[barrier][entry]}].emplace(Range{barrier, ranges_[barrier][pc]}, pc);
        });
      }
    }
    for (const auto& [first, others] : holds_up) {
      std::map<Range, Range> before;
      std::deque<Range> rest{first};
      while (!rest.empty() && before.count(first) == 0) {
        const Range at = rest.front();
        rest.pop_front();
        const auto next = holds_up.find(at);
        if (next == holds_up.end()) continue;
        // A ring has a Wait: that a function's range is in its caller's, and that in another's, makes none.
        for (const auto& [to, pc] : next->second)
          if ((at != first || !calls(pc)) && before.emplace(to, at).second) rest.push_back(to);
      }
      if (before.count(first) != 0) fail_around(first, before, holds_up);
    }
  }

  [[noreturn]] void fail_around(Range first, const std::map<Range, Range>& before,
                                const std::map<Range, std::map<Range, Pc>>& holds_up) const {
    std::vector<Range> around{first};  // backwards
    do around.push_back(before.at(around.back()));
    while (around.back() != first);
    std::string text = "who waits here may be in";
    for (std::size_t i = around.size() - 1; i-- > 1;)
      text +=
          fmt::format(" B{}, who waits for that at {} in", around[i].first, holds_up.at(around[i]).at(around[i - 1]));
    const Pc pc = holds_up.at(first).at(around[around.size() - 2]);
    fail(first.first, pc, text + fmt::format(" B{}", first.first), way_from_join(pc, around[around.size() - 2].first));
  }

  // ---- what to say ----

  std::string way_from_join(Pc pc, unsigned barrier) const {
    const Bits bit = Bits(1) << barrier;
    std::vector<Pc> joins;
    for (Pc start = 0; start < effects_.size(); ++start)
      if ((effects_[start].joins & bit) != 0) joins.push_back(start);
    return path_to(
        pc, [&](Pc at) { return (effects_[at].ends & bit) != 0; }, joins);
  }

  /// The shortest way, past nothing that ends it; into calls, or behind them.
  template <class Ends>
  std::string path_to(Pc pc, const Ends& ends, const std::vector<Pc>& starts) const {
    std::vector<Pc> before(effects_.size(), isa::NoPc);
    std::deque<Pc> rest(starts.begin(), starts.end());
    for (const Pc start : starts) before[start] = start;
    while (!rest.empty() && before[pc] == isa::NoPc) {
      const Pc at = rest.front();
      rest.pop_front();
      if (ends(at) && before[at] != at) continue;
      std::vector<Pc> next = successors_[at];
      if (calls(at))
        for (const std::size_t f : callees(at)) next.push_back(code_.functions[f].first);
      for (const Pc to : next) {
        if (before[to] != isa::NoPc) continue;
        before[to] = at;
        rest.push_back(to);
      }
    }
    if (before[pc] == isa::NoPc) return fmt::format("... {}", pc);
    std::vector<Pc> way{pc};
    while (before[way.back()] != way.back()) way.push_back(before[way.back()]);
    std::string text;
    for (std::size_t i = way.size(); i-- > 0;) {
      const bool inside = i + 1 < way.size() && i > 0 && way[i] == way[i + 1] + 1 && way[i - 1] == way[i] + 1;
      if (!inside) text += fmt::format("{}{}", text.empty() ? "" : " ", way[i]);
    }
    return text;
  }

  [[noreturn]] void fail(unsigned barrier, Pc pc, const std::string& what, const std::string& path) const {
    const isa::Instruction& body = code_.code[pc].body;
    throw std::logic_error(fmt::format("after pass {}: barrier B{}, instruction {} ({}, line {}): {}; path {}", after_,
                                       barrier, pc, body.mnemonic, body.line, what, path));
  }

  const VirtualCode& code_;
  const char* after_;
  std::vector<Effect> effects_;
  std::vector<std::vector<Pc>> successors_, predecessors_;
  Flow joined_, wanted_;
  std::vector<Bits> waits_inside_;             // by function
  std::vector<std::vector<unsigned>> ranges_;  // by barrier
};

}  // namespace

void check_barriers(const VirtualCode& code, const char* after) {
  BarrierCheck(code, after).run();
}

}  // namespace heddle::compiler
