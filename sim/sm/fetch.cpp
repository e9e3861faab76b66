#include "sim/sm/fetch.h"

#include <algorithm>

#include "rtl/base/bits.h"

namespace heddle {

void Fetch::update(SliceWarp warp, bool right) {
  const Slot& slot = slots_[right][warp.index()];
  buffered_.set(warp, right, slot.count != 0);
  hungry_.set(warp, right, slot.active && slot.count + slot.expected + width_ <= capacity_ && slot.next < end_);
}

void Fetch::restart(SliceWarp warp, bool right, isa::Pc pc) {
  Slot& slot = slots_[right][warp.index()];
  slot = {pc, pc, 0, 0, slot.epoch + 1, true};
  changed_.set(warp, right);
  update(warp, right);
}

void Fetch::clear(SliceWarp warp, bool right) {
  Slot& slot = slots_[right][warp.index()];
  slot = {0, 0, 0, 0, slot.epoch + 1, false};
  changed_.set(warp, right);
  update(warp, right);
}

void Fetch::pop(SliceWarp warp, bool right) {
  Slot& slot = slots_[right][warp.index()];
  ++slot.head;
  --slot.count;
  changed_.set(warp, right);
  update(warp, right);
}

void Fetch::step(std::uint64_t cycle) {
  while (!under_way_.empty() && under_way_.front().arrives <= cycle) {
    const UnderWay fetch = under_way_.front();
    under_way_.pop_front();
    Slot& slot = slot_of(fetch.words);
    if (slot.epoch != fetch.epoch) continue;
    if (slot.count == 0) changed_.set(fetch.words.warp, fetch.words.right);
    slot.count += fetch.words.count;
    slot.expected -= fetch.words.count;
    update(fetch.words.warp, fetch.words.right);
  }
  if (!hungry_.any()) return;
  // Round robin over warps, the left path of a warp before its right one.
  const SliceWarp served(last_ / 2);
  const bool other_side = last_ % 2 == 0 && hungry_.has(served, true);
  const SliceWarp warp = other_side ? served : SliceWarp(first_from(hungry_.warps(), (last_ / 2 + 1) % 64));
  const bool right = other_side || !hungry_.has(warp, false);
  last_ = 2 * warp.index() + right;
  Slot& slot = slots_[right][warp.index()];
  const Fetched words{warp, right, slot.next, std::min<unsigned>(width_, end_ - slot.next)};
  slot.next += words.count;
  slot.expected += words.count;
  under_way_.push_back({cycle + latency_, words, slot.epoch});
  update(warp, right);
}

Fetched Fetch::push(std::uint64_t cycle) const {
  if (under_way_.empty()) return {};
  const UnderWay& next = under_way_.front();
  return next.arrives == cycle + 1 && slot_of(next.words).epoch == next.epoch ? next.words : Fetched();
}

SlotSet Fetch::take_changed() {
  const SlotSet changed = changed_;
  changed_ = {};
  return changed;
}

}  // namespace heddle
