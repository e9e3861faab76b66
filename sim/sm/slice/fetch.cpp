// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/slice/fetch.h"

#include <algorithm>
#include <utility>

#include "rtl/base/bits.h"
#include "tlm/instruction_cache.h"

namespace heddle {

template <unsigned Paths>
Fetch<Paths>::Fetch(unsigned capacity, unsigned width, unsigned latency, const CodeMemory& memory)
    : capacity_(capacity), width_(width), latency_(latency), memory_(memory) {
  if (memory_.cache != nullptr) memory_.cache->add_listener([this](std::uint64_t line) { line_arrived(line); });
  if (memory_.port != nullptr) number_ = memory_.port->add();
}

template <unsigned Paths>
void Fetch<Paths>::load(const isa::Program& program, std::uint64_t code) {
  end_ = static_cast<isa::Pc>(program.code.size());
  code_ = code;
}

template <unsigned Paths>
unsigned Fetch<Paths>::most_words(isa::Pc pc) const {
  return std::min(width_, memory_.words_per_line - pc % memory_.words_per_line);
}

template <unsigned Paths>
void Fetch<Paths>::update(SliceWarp warp, unsigned k) {
  const Slot& slot = slots_[k][warp.index()];
  buffered_.set(warp, k, slot.count != 0);
  hungry_.set(warp, k,
              slot.active && !awaiting_.has(warp, k) && slot.next < end_ &&
                  slot.count + slot.expected + most_words(slot.next) <= capacity_);
}

// ---- the instruction cache ----

/// Between edges: the next one hears of it.
template <unsigned Paths>
void Fetch<Paths>::line_arrived(std::uint64_t line) {
  for_each_slot(awaiting_, [&](SliceWarp warp, unsigned k) {
    Slot& slot = slots_[k][warp.index()];
    if (slot.awaited == line) slot.has_line = true;
    if (slot.awaited == line || slot.awaited == any_line) arrived_.set(warp, k);
  });
}

template <unsigned Paths>
void Fetch<Paths>::sample_lines() {
  if (!arrived_.any()) return;
  awaiting_ = awaiting_ & ~arrived_;
  for_each_slot(std::exchange(arrived_, {}), [this](SliceWarp warp, unsigned k) { update(warp, k); });
}

/// Is the line of the slot's next fetch here? Else the slot waits for it.
template <unsigned Paths>
bool Fetch<Paths>::has_line(Slot& slot, SliceWarp warp, unsigned k) {
  if (memory_.cache == nullptr || std::exchange(slot.has_line, false)) return true;
  const std::uint64_t line = code_ + std::uint64_t{slot.next / memory_.words_per_line} * memory_.line_bytes;
  const instruction_cache::Look found = memory_.cache->look(line);
  if (found == instruction_cache::Look::Hit) return true;
  slot.awaited = found == instruction_cache::Look::Missed ? line : any_line;
  awaiting_.set(warp, k);
  update(warp, k);
  return false;
}

// ---- slots ----

template <unsigned Paths>
void Fetch<Paths>::restart(SliceWarp warp, unsigned k, isa::Pc pc) {
  Slot& slot = slots_[k][warp.index()];
  slot = {pc, pc, 0, 0, slot.epoch + 1, true, 0, false};
  changed_.set(warp, k);
  awaiting_.set(warp, k, false);
  arrived_.set(warp, k, false);
  update(warp, k);
}

template <unsigned Paths>
void Fetch<Paths>::clear(SliceWarp warp, unsigned k) {
  Slot& slot = slots_[k][warp.index()];
  slot = {0, 0, 0, 0, slot.epoch + 1, false, 0, false};
  changed_.set(warp, k);
  awaiting_.set(warp, k, false);
  arrived_.set(warp, k, false);
  update(warp, k);
}

template <unsigned Paths>
void Fetch<Paths>::pop(SliceWarp warp, unsigned k) {
  Slot& slot = slots_[k][warp.index()];
  ++slot.head;
  --slot.count;
  changed_.set(warp, k);
  update(warp, k);
}

template <unsigned Paths>
void Fetch<Paths>::step(std::uint64_t cycle) {
  while (!under_way_.empty() && under_way_.front().arrives <= cycle) {
    const UnderWay fetch = under_way_.front();
    under_way_.pop_front();
    Slot& slot = slot_of(fetch.words);
    if (slot.epoch != fetch.epoch) continue;
    if (slot.count == 0) changed_.set(fetch.words.warp, fetch.words.k);
    slot.count += fetch.words.count;
    slot.expected -= fetch.words.count;
    update(fetch.words.warp, fetch.words.k);
  }
  sample_lines();
  if (hungry_.any() && (memory_.port == nullptr || memory_.port->grants(number_, cycle))) serve(cycle);
  if (memory_.port != nullptr) memory_.port->ask(number_, hungry_.any());
}

/// One slot of those that have room.
template <unsigned Paths>
void Fetch<Paths>::serve(std::uint64_t cycle) {
  // Round robin over warps, the paths of a warp in their order.
  const SliceWarp served(last_ / Paths);
  unsigned k = last_ % Paths + 1;
  while (k < Paths && !hungry_.has(served, k)) ++k;
  SliceWarp warp = served;
  if (k == Paths) {
    warp = SliceWarp(first_from(hungry_.warps(), (served.index() + 1) % 64));
    for (k = 0; !hungry_.has(warp, k);) ++k;
  }
  last_ = Paths * warp.index() + k;
  Slot& slot = slots_[k][warp.index()];
  if (!has_line(slot, warp, k)) return;
  const Fetched words{warp, k, slot.next, std::min(most_words(slot.next), end_ - slot.next)};
  slot.next += words.count;
  slot.expected += words.count;
  under_way_.push_back({cycle + latency_, words, slot.epoch});
  update(warp, k);
}

template <unsigned Paths>
Fetched Fetch<Paths>::push(std::uint64_t cycle) const {
  if (under_way_.empty()) return {};
  const UnderWay& next = under_way_.front();
  return next.arrives == cycle + 1 && slot_of(next.words).epoch == next.epoch ? next.words : Fetched();
}

template <unsigned Paths>
SlotSet<Paths> Fetch<Paths>::take_changed() {
  const SlotSet<Paths> changed = changed_;
  changed_ = {};
  return changed;
}

template class Fetch<2>;
template class Fetch<MostPaths>;

}  // namespace heddle
