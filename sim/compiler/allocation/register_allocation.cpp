// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/allocation/register_allocation.h"

#include <algorithm>
#include <bitset>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

#include "sim/compiler/analysis/interference.h"

namespace heddle::compiler {
namespace {

constexpr unsigned NoPlace = ~0U, MaxPlaces = isa::MaxRegisters;
using Places = std::bitset<MaxPlaces>;

/// How often each register is named, an instruction in a loop eight times as often: loops are what a branch goes back
/// over, which is enough to choose by.
std::vector<double> uses_of(const VirtualCode& code) {
  constexpr double Turns = 8, Most = 1e9;
  std::vector<double> times(code.code.size(), 1), uses(code.registers.size(), 0);
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const isa::Instruction& body = code.code[pc].body;
    if (body.kind != isa::Kind::Branch || body.branch != isa::BranchKind::Jump || body.target > pc) continue;
    for (isa::Pc inside = body.target; inside <= pc; ++inside) times[inside] = std::min(Turns * times[inside], Most);
  }
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const auto count = [&](VirtualId id) {
      if (id != NoVirtual) uses[static_cast<std::size_t>(id)] += times[pc];
    };
    count(code.code[pc].destination);
    count(code.code[pc].guard);
    for (const VirtualId source : code.code[pc].sources) count(source);
  }
  return uses;
}

class Colouring {
 public:
  Colouring(const VirtualCode& code, unsigned registers)
      : code_(code), registers_(registers), apart_(code, false), uses_(uses_of(code)) {
    result_.place.assign(code.registers.size(), NoPlace);
  }

  Assignment run() {
    const std::vector<VirtualId> order = smallest_last();
    for (auto id = order.rbegin(); id != order.rend(); ++id) place(*id);
    for (unsigned& place : result_.place)
      if (place == NoPlace) place = 0;  // nobody names it
    return std::move(result_);
  }

 private:
  const VirtualRegister& declared(VirtualId id) const { return code_.registers[static_cast<std::size_t>(id)]; }
  bool is_predicate(VirtualId id) const { return declared(id).width == Class::Predicate; }
  bool is_wide(VirtualId id) const { return declared(id).width == Class::Wide; }
  unsigned limit(VirtualId id) const { return is_predicate(id) ? isa::MaxPredicates : registers_; }
  unsigned& place_of(VirtualId id) { return result_.place[static_cast<std::size_t>(id)]; }

  /// Registers that `other` can take from `id` at most: a pair loses both with one.
  unsigned taken(VirtualId id, VirtualId other) const { return is_wide(id) || is_wide(other) ? 2 : 1; }

  // ---- order ----

  std::vector<VirtualId> smallest_last() const {
    std::vector<unsigned> pressure(code_.registers.size(), 0);
    std::set<std::pair<unsigned, VirtualId>> waiting;
    for (VirtualId id = 0; id < static_cast<VirtualId>(code_.registers.size()); ++id) {
      if (uses_[static_cast<std::size_t>(id)] == 0) continue;
      for (const VirtualId other : apart_.with(id)) pressure[static_cast<std::size_t>(id)] += taken(id, other);
      waiting.insert({pressure[static_cast<std::size_t>(id)], id});
    }
    std::vector<VirtualId> order;
    while (!waiting.empty()) {
      const auto next = choose(waiting);
      const VirtualId id = next->second;
      waiting.erase(next);
      order.push_back(id);
      for (const VirtualId other : apart_.with(id)) {
        unsigned& left = pressure[static_cast<std::size_t>(other)];
        if (waiting.erase({left, other}) == 0) continue;
        left -= taken(other, id);
        waiting.insert({left, other});
      }
    }
    return order;
  }

  /// The one with the least pressure if it surely finds a place; else the one that costs least to give up.
  std::set<std::pair<unsigned, VirtualId>>::iterator choose(
      const std::set<std::pair<unsigned, VirtualId>>& waiting) const {
    const auto finds_a_place = [&](const auto& one) {
      return one.first + (is_wide(one.second) ? 2 : 1) <= limit(one.second);
    };
    auto best = waiting.begin();
    if (finds_a_place(*best)) return best;
    for (auto one = waiting.begin(); one != waiting.end(); ++one) {
      if (finds_a_place(*one)) return one;
      if (cost(*one) < cost(*best)) best = one;
    }
    return best;
  }

  double cost(const std::pair<unsigned, VirtualId>& one) const {
    constexpr double Never = 1e300;
    return declared(one.second).is_temporary ? Never : uses_[static_cast<std::size_t>(one.second)] / one.first;
  }

  // ---- places ----

  void place(VirtualId id) {
    std::optional<unsigned> found = find_place(id);
    while (!found) {
      const VirtualId victim = cheapest_in_the_way(id);
      result_.spilled.push_back(victim);
      if (victim == id) return;
      place_of(victim) = NoPlace;
      found = find_place(id);
    }
    place_of(id) = *found;
    unsigned& used = is_predicate(id) ? result_.predicates : result_.registers;
    used = std::max(used, *found + (is_wide(id) ? 2 : 1));
  }

  /// The lowest free one; for a single register one whose partner is held, if possible, so that pairs stay whole.
  std::optional<unsigned> find_place(VirtualId id) {
    const Places held = held_around(id);
    const unsigned step = is_wide(id) ? 2 : 1;
    std::optional<unsigned> lowest;
    for (unsigned place = 0; place + step <= limit(id); place += step) {
      if (held[place] || (is_wide(id) && held[place + 1])) continue;
      if (!lowest) lowest = place;
      if (is_wide(id) || held[place ^ 1U]) return place;
    }
    return lowest;
  }

  Places held_around(VirtualId id) {
    Places held;
    for (const VirtualId other : apart_.with(id)) {
      if (place_of(other) == NoPlace) continue;
      held.set(place_of(other));
      if (is_wide(other)) held.set(place_of(other) + 1);
    }
    return held;
  }

  /// The cheapest one of the register and those that hold a place it could have.
  VirtualId cheapest_in_the_way(VirtualId id) {
    VirtualId cheapest = declared(id).is_temporary ? NoVirtual : id;
    const auto uses = [&](VirtualId of) { return uses_[static_cast<std::size_t>(of)]; };
    for (const VirtualId other : apart_.with(id)) {
      if (place_of(other) == NoPlace || declared(other).is_temporary) continue;
      if (cheapest == NoVirtual || uses(other) < uses(cheapest)) cheapest = other;
    }
    if (cheapest == NoVirtual) {
      throw std::length_error(is_predicate(id) ? fmt::format("needs more than {} predicates at once", limit(id))
                                               : fmt::format("needs more than {} registers at once", limit(id)));
    }
    return cheapest;
  }

  const VirtualCode& code_;
  const unsigned registers_;
  const Interference apart_;
  const std::vector<double> uses_;
  Assignment result_;
};

}  // namespace

Assignment allocate_registers(const VirtualCode& code, unsigned registers) {
  return Colouring(code, registers).run();
}

}  // namespace heddle::compiler
