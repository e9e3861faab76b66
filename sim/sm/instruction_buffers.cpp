#include "sim/sm/instruction_buffers.h"

#include <algorithm>

#include "rtl/base/bits.h"

namespace heddle {

void InstructionBuffers::update(SliceWarp warp, bool right) {
  const Slot& slot = slots_[right][warp.index()];
  buffered_.set(warp, right, slot.count != 0);
  hungry_.set(warp, right, slot.active && slot.count + slot.expected + width_ <= capacity_ && slot.fetch < end_);
}

void InstructionBuffers::restart(SliceWarp warp, bool right, isa::Pc pc) {
  Slot& slot = slots_[right][warp.index()];
  slot = {pc, pc, 0, 0, slot.epoch + 1, true};
  changed_.set(warp, right);
  update(warp, right);
}

void InstructionBuffers::clear(SliceWarp warp, bool right) {
  Slot& slot = slots_[right][warp.index()];
  slot = {0, 0, 0, 0, slot.epoch + 1, false};
  changed_.set(warp, right);
  update(warp, right);
}

void InstructionBuffers::pop(SliceWarp warp, bool right) {
  Slot& slot = slots_[right][warp.index()];
  ++slot.head;
  --slot.count;
  changed_.set(warp, right);
  update(warp, right);
}

void InstructionBuffers::step(std::uint64_t cycle) {
  while (!under_way_.empty() && under_way_.front().arrives <= cycle) {
    const Fetch fetch = under_way_.front();
    under_way_.pop_front();
    Slot& slot = slots_[fetch.right][fetch.warp.index()];
    if (slot.epoch != fetch.epoch) continue;
    if (slot.count == 0) changed_.set(fetch.warp, fetch.right);
    slot.count += fetch.count;
    slot.expected -= fetch.count;
    update(fetch.warp, fetch.right);
  }
  if (!hungry_.any()) return;
  // Round robin over warps, the left path of a warp before its right one.
  const SliceWarp served(last_ / 2);
  const bool other_side = last_ % 2 == 0 && hungry_.has(served, true);
  const SliceWarp warp = other_side ? served : SliceWarp(first_from(hungry_.warps(), (last_ / 2 + 1) % 64));
  const bool right = other_side || !hungry_.has(warp, false);
  last_ = 2 * warp.index() + right;
  Slot& slot = slots_[right][warp.index()];
  const unsigned count = std::min<unsigned>(width_, end_ - slot.fetch);
  slot.fetch += count;
  slot.expected += count;
  under_way_.push_back({cycle + latency_, warp, slot.epoch, count, right});
  update(warp, right);
}

SlotSet InstructionBuffers::take_changed() {
  const SlotSet changed = changed_;
  changed_ = {};
  return changed;
}

}  // namespace heddle
