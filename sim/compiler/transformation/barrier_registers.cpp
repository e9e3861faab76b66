// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/barrier_registers.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

#include "sim/compiler/analysis/calls.h"
#include "sim/compiler/analysis/natural_loops.h"  // block_at

namespace heddle::compiler {
namespace {

using Blocks = std::vector<bool>;

/// Lanes in the barrier `there` may come to a Wait of `waiting`: from a region that has the Wait's block inside and does not
/// join in it.
bool waits_among(const Barrier& waiting, const Barrier& there, const std::vector<isa::BasicBlock>& blocks) {
  return std::any_of(waiting.points.waits.begin(), waiting.points.waits.end(), [&](isa::Pc wait) {
    const isa::BasicBlock& block = blocks[block_at(blocks, wait)];
    return there.inside[block_at(blocks, wait)] &&
           std::none_of(there.points.joins.begin(), there.points.joins.end(),
                        [&](const Place& join) { return join.pc >= block.first && join.pc <= block.last; });
  });
}

/// Lanes on both sides of a branch may be in regions that share a register, and wait for each other. Default regions lie
/// in each other, and the list has the inner ones first, so that those waits have an order; predictions lie anywhere.
bool overlap(const Barrier& a, const Barrier& b, const std::vector<isa::BasicBlock>& blocks,
             const std::vector<Blocks>& calls) {
  if (a.role != BarrierRole::Default || b.role != BarrierRole::Default) return true;
  if (a.function != b.function) return calls[a.function][b.function] || calls[b.function][a.function];
  for (std::size_t block = 0; block < a.inside.size(); ++block)
    if (a.inside[block] && b.inside[block]) return true;
  return waits_among(a, b, blocks) || waits_among(b, a, blocks);
}

/// With this barrier in that register: who waits in it may be in another register, who waits there perhaps in a third, and
/// that way leads back. Default regions alone have an order; a prediction joins them in any.
bool closes_a_ring(const BarrierList& list, std::size_t index, int at) {
  if (list.may_be_in.empty()) return false;
  const auto register_of = [&](std::size_t barrier) { return barrier == index ? at : list.barriers[barrier].barrier; };
  std::set<int> found;
  std::vector<int> rest{at};
  while (!rest.empty()) {
    const int from = rest.back();
    rest.pop_back();
    for (std::size_t a = 0; a < list.barriers.size(); ++a) {
      if (register_of(a) != from) continue;
      for (std::size_t b = 0; b < list.barriers.size(); ++b)
        if (list.may_be_in[a][b] && register_of(b) >= 0 && found.insert(register_of(b)).second)
          rest.push_back(register_of(b));
    }
  }
  return found.count(at) != 0;
}

/// What somebody wrote is refused rather than left out.
const Prediction* written(const VirtualCode& code, const Barrier& barrier) {
  if (barrier.role != BarrierRole::Predicted) return nullptr;
  const Prediction& prediction = code.predictions[static_cast<std::size_t>(barrier.prediction)];
  return prediction.is_automatic ? nullptr : &prediction;
}

[[noreturn]] void refuse(const Prediction& prediction) {
  throw std::invalid_argument(
      fmt::format("prediction {} (line {}): finds no barrier register: too many where its lanes may wait",
                  prediction.label, prediction.where.line));
}

/// The masks of one barrier.
std::vector<int Barrier::*> masks_of(const Barrier& barrier) {
  std::vector<int Barrier::*> masks{&Barrier::barrier};
  if (barrier.has_all()) masks.push_back(&Barrier::all);
  if (barrier.threshold) masks.push_back(&Barrier::count);
  return masks;
}

/// A register for each mask, of those that are free; or none for any.
bool assign(Barrier& barrier, const std::vector<bool>& taken) {
  std::vector<int> free;
  for (std::size_t index = 0; index < taken.size(); ++index)
    if (!taken[index]) free.push_back(static_cast<int>(index));
  const auto masks = masks_of(barrier);
  if (free.size() < masks.size()) return false;
  for (std::size_t i = 0; i < masks.size(); ++i) barrier.*masks[i] = free[i];
  return true;
}

class Registers {
 public:
  Registers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
            std::size_t registers)
      : code_(code), blocks_(blocks), list_(list), registers_(registers), calls_(calls_between_functions(code)) {}

  void choose() {
    for (std::size_t index = 0; index < list_.barriers.size(); ++index) {
      Barrier& barrier = list_.barriers[index];
      if (barrier.is_removed) continue;
      while (!find_place(index)) {
        if (const Prediction* prediction = written(code_, barrier)) refuse(*prediction);
        const std::size_t innermost = barrier.role == BarrierRole::Default ? innermost_around(index) : index;
        drop(innermost);
        if (innermost == index) break;
      }
    }
  }

 private:
  bool find_place(std::size_t index) {
    std::vector<Barrier>& barriers = list_.barriers;
    std::vector<bool> used(registers_, false), taken(registers_, false);
    for (std::size_t other = 0; other < index; ++other) {
      if (barriers[other].barrier < 0) continue;
      const bool is_taken = overlap(barriers[index], barriers[other], blocks_, calls_);
      for (const auto mask : masks_of(barriers[other])) {
        const auto at = static_cast<std::size_t>(barriers[other].*mask);
        used[at] = true;
        taken[at] = taken[at] || is_taken;
      }
    }
    if (assign(barriers[index], used)) return true;
    for (std::size_t at = 0; at < registers_; ++at)
      taken[at] = taken[at] || closes_a_ring(list_, index, static_cast<int>(at));
    return assign(barriers[index], taken);
  }

  /// The innermost one of this and the default barriers in front of it whose lanes may wait at the same time.
  std::size_t innermost_around(std::size_t index) const {
    const auto size_of = [&](std::size_t one) {
      const std::vector<bool>& inside = list_.barriers[one].inside;
      return std::count(inside.begin(), inside.end(), true);
    };
    std::size_t innermost = index;
    for (std::size_t other = 0; other < index; ++other) {
      const Barrier& barrier = list_.barriers[other];
      if (barrier.barrier >= 0 && barrier.role == BarrierRole::Default &&
          barrier.function == list_.barriers[index].function &&
          overlap(list_.barriers[index], barrier, blocks_, calls_) && size_of(other) < size_of(innermost))
        innermost = other;
    }
    return innermost;
  }

  void drop(std::size_t index) {
    Barrier& barrier = list_.barriers[index];
    barrier.barrier = barrier.all = barrier.count = -1;
    list_.decide(index, "dropped", *barrier.points.joins.begin(),
                 "all registers belong to barriers whose lanes may wait at the same time, and this is the innermost");
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  BarrierList& list_;
  const std::size_t registers_;
  const std::vector<Blocks> calls_;  // [a][b]: function b may run while a call in a does
};

}  // namespace

void choose_barrier_registers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
                              std::size_t registers) {
  Registers(code, blocks, list, registers).choose();
}

}  // namespace heddle::compiler
