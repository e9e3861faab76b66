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

}  // namespace

Assignment allocate_registers(const VirtualCode& code, const std::vector<LiveRange>& ranges) {
  Pool registers(isa::MaxRegisters), predicates(isa::MaxPredicates);
  Assignment result;
  result.place.assign(code.registers.size(), 0);
  const auto width_of = [&](VirtualId id) { return code.registers[static_cast<std::size_t>(id)].width; };

  std::vector<LiveRange> active;
  for (const LiveRange& range : ranges) {
    const auto expired =
        std::partition(active.begin(), active.end(), [&](const LiveRange& other) { return other.to >= range.from; });
    for (auto old = expired; old != active.end(); ++old) {
      const Class width = width_of(old->id);
      const unsigned place = result.place[static_cast<std::size_t>(old->id)];
      (width == Class::Predicate ? predicates : registers).release(place, width == Class::Wide ? 2 : 1);
    }
    active.erase(expired, active.end());

    const Class width = width_of(range.id);
    const unsigned place = width == Class::Predicate ? predicates.take_single()
                           : width == Class::Wide    ? registers.take_pair()
                                                     : registers.take_single();
    if (place == NoPlace) {
      throw std::length_error(width == Class::Predicate
                                  ? fmt::format("needs more than {} predicates at once", isa::MaxPredicates)
                                  : fmt::format("needs more than {} registers at once", isa::MaxRegisters));
    }
    result.place[static_cast<std::size_t>(range.id)] = place;
    active.push_back(range);
  }
  result.registers = registers.used();
  result.predicates = predicates.used();
  return result;
}

}  // namespace heddle::compiler
