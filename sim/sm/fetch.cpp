#include "sim/sm/fetch.h"

#include <algorithm>

#include "rtl/base/bits.h"

namespace heddle {

template <unsigned Paths>
void Fetch<Paths>::update(SliceWarp warp, unsigned k) {
  const Slot& slot = slots_[k][warp.index()];
  buffered_.set(warp, k, slot.count != 0);
  hungry_.set(warp, k, slot.active && slot.count + slot.expected + width_ <= capacity_ && slot.next < end_);
}

template <unsigned Paths>
void Fetch<Paths>::restart(SliceWarp warp, unsigned k, isa::Pc pc) {
  Slot& slot = slots_[k][warp.index()];
  slot = {pc, pc, 0, 0, slot.epoch + 1, true};
  changed_.set(warp, k);
  update(warp, k);
}

template <unsigned Paths>
void Fetch<Paths>::clear(SliceWarp warp, unsigned k) {
  Slot& slot = slots_[k][warp.index()];
  slot = {0, 0, 0, 0, slot.epoch + 1, false};
  changed_.set(warp, k);
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
  if (!hungry_.any()) return;
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
  const Fetched words{warp, k, slot.next, std::min<unsigned>(width_, end_ - slot.next)};
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
