// Fetch and instruction buffers of one issue scheduler: for each path slot, instructions at consecutive PCs.
//
// Each cycle one slot with room is served, round robin, and gets up to `width` instructions after the fetch latency
// (ideal instruction cache, ours). A fresh PC empties the slot and voids what is under way for it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "sim/isa/instruction.h"
#include "sim/sm/slot_set.h"

namespace heddle {

class InstructionBuffers {
 public:
  InstructionBuffers(unsigned capacity, unsigned width, unsigned latency)
      : capacity_(capacity), width_(width), latency_(latency) {}

  void load(const isa::Program& program) { end_ = static_cast<isa::Pc>(program.code.size()); }

  /// The slot starts at this PC; what it held is stale.
  void restart(SliceWarp warp, bool right, isa::Pc pc);
  /// The slot is gone.
  void clear(SliceWarp warp, bool right);
  /// The head was issued.
  void pop(SliceWarp warp, bool right);
  /// One cycle: instructions arrive, one slot is served.
  void step(std::uint64_t cycle);

  bool empty(SliceWarp warp, bool right) const { return slots_[right][warp.index()].count == 0; }
  isa::Pc head(SliceWarp warp, bool right) const { return slots_[right][warp.index()].head; }
  const SlotSet& buffered() const { return buffered_; }
  /// Slots whose head is another one than at the last call.
  SlotSet take_changed();
  /// Another step would change nothing: nothing to fetch, nothing fetched that has not arrived.
  bool idle() const { return under_way_.empty() && !hungry_.any(); }

 private:
  struct Slot {
    isa::Pc head = 0, fetch = 0;  // first buffered; next to fetch
    unsigned count = 0, expected = 0, epoch = 0;
    bool active = false;
  };
  struct Fetch {
    std::uint64_t arrives;
    SliceWarp warp;
    unsigned epoch, count;
    bool right;
  };

  void update(SliceWarp warp, bool right);

  unsigned capacity_, width_, latency_;
  isa::Pc end_ = 0;
  std::array<std::array<Slot, 64>, 2> slots_{};
  SlotSet buffered_, hungry_, changed_;
  std::deque<Fetch> under_way_;
  unsigned last_ = 0;  // slot served last: 2 x warp + side
};

}  // namespace heddle
