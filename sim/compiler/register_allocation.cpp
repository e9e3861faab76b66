#include "sim/compiler/register_allocation.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::compiler {
namespace {

constexpr unsigned NoPlace = ~0U;

/// The registers of one file, with who holds each.
class Pool {
 public:
  explicit Pool(unsigned size) : held_(size, false) {}

  /// A free register; one whose partner is held if possible, so that pairs stay whole.
  unsigned take_single() {
    unsigned found = NoPlace;
    for (unsigned index = 0; index < held_.size(); ++index) {
      if (held_[index]) continue;
      if (found == NoPlace) found = index;
      if (held_[index ^ 1U]) return take(index, 1);
    }
    return found == NoPlace ? found : take(found, 1);
  }

  unsigned take_pair() {
    for (unsigned index = 0; index + 1 < held_.size(); index += 2)
      if (!held_[index] && !held_[index + 1]) return take(index, 2);
    return NoPlace;
  }

  void release(unsigned first, unsigned count) { std::fill_n(held_.begin() + first, count, false); }
  unsigned used() const { return used_; }

 private:
  unsigned take(unsigned first, unsigned count) {
    std::fill_n(held_.begin() + first, count, true);
    used_ = std::max(used_, first + count);
    return first;
  }

  std::vector<bool> held_;
  unsigned used_ = 0;
};

class LinearScan {
 public:
  LinearScan(const VirtualCode& code, unsigned registers)
      : code_(code), limit_(registers), registers_(registers), predicates_(isa::MaxPredicates) {
    result_.place.assign(code.registers.size(), 0);
  }

  Assignment run(const std::vector<LiveRange>& ranges) {
    for (const LiveRange& range : ranges) {
      expire(range.from);
      unsigned place = take(range.id);
      while (place == NoPlace) {
        const LiveRange victim = last_to_end(range);
        result_.spilled.push_back(victim.id);
        if (victim.id == range.id) break;
        give_up(victim);
        place = take(range.id);
      }
      if (place == NoPlace) continue;
      result_.place[static_cast<std::size_t>(range.id)] = place;
      active_.push_back(range);
    }
    result_.registers = registers_.used();
    result_.predicates = predicates_.used();
    return std::move(result_);
  }

 private:
  const VirtualRegister& declared(VirtualId id) const { return code_.registers[static_cast<std::size_t>(id)]; }
  bool is_predicate(VirtualId id) const { return declared(id).width == Class::Predicate; }

  unsigned take(VirtualId id) {
    if (is_predicate(id)) return predicates_.take_single();
    return declared(id).width == Class::Wide ? registers_.take_pair() : registers_.take_single();
  }

  void release(VirtualId id) {
    const unsigned place = result_.place[static_cast<std::size_t>(id)];
    (is_predicate(id) ? predicates_ : registers_).release(place, declared(id).width == Class::Wide ? 2 : 1);
  }

  void expire(unsigned from) {
    const auto expired =
        std::partition(active_.begin(), active_.end(), [&](const LiveRange& other) { return other.to >= from; });
    for (auto old = expired; old != active_.end(); ++old) release(old->id);
    active_.erase(expired, active_.end());
  }

  /// Of the new range and those of its file that hold a place.
  LiveRange last_to_end(const LiveRange& range) const {
    const LiveRange* victim = declared(range.id).is_temporary ? nullptr : &range;
    for (const LiveRange& other : active_) {
      if (declared(other.id).is_temporary || is_predicate(other.id) != is_predicate(range.id)) continue;
      if (victim == nullptr || other.to > victim->to) victim = &other;
    }
    if (victim == nullptr) {
      throw std::length_error(is_predicate(range.id)
                                  ? fmt::format("needs more than {} predicates at once", isa::MaxPredicates)
                                  : fmt::format("needs more than {} registers at once", limit_));
    }
    return *victim;
  }

  void give_up(const LiveRange& victim) {
    release(victim.id);
    active_.erase(
        std::find_if(active_.begin(), active_.end(), [&](const LiveRange& other) { return other.id == victim.id; }));
  }

  const VirtualCode& code_;
  const unsigned limit_;
  Pool registers_, predicates_;
  std::vector<LiveRange> active_;
  Assignment result_;
};

}  // namespace

Assignment allocate_registers(const VirtualCode& code, const std::vector<LiveRange>& ranges, unsigned registers) {
  return LinearScan(code, registers).run(ranges);
}

}  // namespace heddle::compiler
