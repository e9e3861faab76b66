// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/barrier_ranges.h"

#include <algorithm>

#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {
namespace {

bool flow(bool from, std::vector<bool>::reference into) {
  if (!from || into) return false;
  into = true;
  return true;
}

/// For lanes: the end of their part in it; or passed, for who asks how far a lane gets that rejoins wherever it has waited.
enum class Waits : std::uint8_t { End, Pass };

/// Both equations over one barrier. An edge that falls through may have a Join of its own.
class Equations {
 public:
  Equations(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const JoinsAndWaits& barrier)
      : code_(code), blocks_(blocks), barrier_(barrier) {}

  bool waits(isa::Pc pc) const { return barrier_.waits.count(pc) != 0; }
  bool joins(isa::Pc pc) const { return barrier_.joins.count({pc, false}) != 0; }
  bool cancels(isa::Pc pc) const { return barrier_.cancels.count(pc) != 0; }
  bool calls(isa::Pc pc) const { return barrier_.calls.count(pc) != 0; }
  bool joins_on_edge(isa::Pc pc, isa::Pc next) const { return next == pc + 1 && barrier_.joins.count({pc, true}) != 0; }

  template <class Visit>
  void visit_next(const isa::BasicBlock& block, isa::Pc pc, Visit visit) const {
    if (pc != block.last) return visit(pc + 1);
    for (const unsigned next : block.successors) visit(blocks_[next].first);
  }

  /// Whether some of the lanes that are in the barrier in front of an instruction are in it behind.
  bool goes_through(const std::vector<bool>& in, isa::Pc pc, Waits at_waits = Waits::End) const {
    if (cancels(pc) || (waits(pc) && at_waits == Waits::End)) return false;
    if (!calls(pc)) return true;
    bool through = code_.code[pc].is_guarded();
    for (const std::size_t callee : callees_of(code_, pc))
      through = through || !barrier_.on_the_way[callee] || in[code_.functions[callee].last];
    return through;
  }

  /// Eq. 1; with what rejoins taken as Joins, who is in the barrier.
  std::vector<bool> forward(const std::set<isa::Pc>& rejoins, Waits at_waits = Waits::End) const {
    std::vector<bool> in(code_.code.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const isa::BasicBlock& block : blocks_)
        for (isa::Pc pc = block.first; pc <= block.last; ++pc) {
          const bool out = (in[pc] && goes_through(in, pc, at_waits)) || joins(pc) || rejoins.count(pc) != 0;
          visit_next(block, pc,
                     [&](isa::Pc next) { changed = flow(out || joins_on_edge(pc, next), in[next]) || changed; });
          for_each_function(pc, [&](const FunctionCode& function) {
            changed = flow(in[pc] && !cancels(pc), in[function.first]) || changed;
          });
        }
    }
    return in;
  }

  /// Eq. 2, behind what the barrier has in front of an instruction.
  bool is_live_behind(const std::vector<bool>& live, const isa::BasicBlock& block, isa::Pc pc) const {
    bool out = false;
    visit_next(block, pc, [&](isa::Pc next) { out = out || (live[next] && !joins_on_edge(pc, next)); });
    if (pc == block.last && block.successors.empty()) out = live[pc];  // a function's end, as its callers say
    return out;
  }
  std::vector<bool> backward() const {
    std::vector<bool> live(code_.code.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t index = blocks_.size(); index-- > 0;)
        for (isa::Pc pc = blocks_[index].last + 1; pc-- > blocks_[index].first;) {
          const bool behind = is_live_behind(live, blocks_[index], pc);
          bool here = behind && !joins(pc);
          for_each_function(pc, [&](const FunctionCode& function) {
            changed = flow(behind, live[function.last]) || changed;
            here = here || live[function.first];
          });
          changed = flow((here || waits(pc)) && !cancels(pc), live[pc]) || changed;
        }
    }
    return live;
  }

 private:
  /// On the way to a Wait, that a call goes to.
  template <class Visit>
  void for_each_function(isa::Pc pc, Visit visit) const {
    if (!calls(pc)) return;
    for (const std::size_t callee : callees_of(code_, pc))
      if (barrier_.on_the_way[callee]) visit(code_.functions[callee]);
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const JoinsAndWaits& barrier_;
};

}  // namespace

BarrierRange::BarrierRange(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                           const JoinsAndWaits& barrier, OnTheWayOut way_out)
    : way_out_(way_out) {
  const Equations equations(code, blocks, barrier);
  live_ = equations.backward();
  joined_ = equations.forward({});
  for (const isa::BasicBlock& block : blocks)
    for (const Place& join : barrier.joins)
      if (join.pc >= block.first && join.pc <= block.last &&
          (join.behind ? live_[join.pc + 1] : equations.is_live_behind(live_, block, join.pc)))
        useful_.insert(join);
  const std::vector<bool> reached = equations.forward({}, Waits::Pass);
  if (way_out == OnTheWayOut::Cancel)
    for (const isa::BasicBlock& block : blocks)
      for (isa::Pc pc = block.first; pc <= block.last; ++pc)
        if (reached[pc] && equations.waits(pc) && !equations.joins(pc) && equations.is_live_behind(live_, block, pc))
          rejoins_.insert(pc);
  member_ = equations.forward(rejoins_);
  if (way_out == OnTheWayOut::Stay) return;
  for (const isa::BasicBlock& block : blocks) {
    const isa::Pc last = block.last;
    const bool stays =
        (member_[last] && equations.goes_through(member_, last)) || equations.joins(last) || rejoins_.count(last) != 0;
    if (!stays || (!equations.is_live_behind(live_, block, last) && !equations.calls(last))) continue;
    equations.visit_next(block, last, [&](isa::Pc next) {
      if (!live_[next]) cancels_.insert(next);
    });
  }
}

bool conflict(const BarrierRange& a, const std::set<isa::Pc>& waits_of_a, const BarrierRange& b,
              const std::set<isa::Pc>& waits_of_b) {
  const auto ends_in = [](const std::set<isa::Pc>& waits, const BarrierRange& range, const std::set<isa::Pc>& others) {
    return std::any_of(waits.begin(), waits.end(),
                       [&](isa::Pc pc) { return range.holds(pc) && others.count(pc) == 0; });
  };
  return ends_in(waits_of_a, b, waits_of_b) && ends_in(waits_of_b, a, waits_of_a);
}

}  // namespace heddle::compiler
