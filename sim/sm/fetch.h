// Fetch of one issue scheduler: which path slot is served, from which PC, and when its words stand before the
// instruction buffers (rtl/instruction_buffer), which hold words and no PCs. An ideal instruction cache: what is asked
// for comes after the fetch latency (ours).
//
//   restart, clear   the slot has a fresh PC, or is gone: what was asked for before is kept back
//   pop              the head of the slot was issued
//   step(cycle)      one slot with room for a whole fetch is asked for, round robin, up to `width` words; the slot's
//                    words of earlier cycles are in its buffer from this edge on
//   push()           what reaches the buffers at the next edge; at most one fetch does
//
// Fetch knows how many words a slot holds because it brought them: with the PC of the oldest that is what decode says
// of a head, an edge before the buffer shows it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "sim/isa/instruction.h"
#include "sim/sm/slot_set.h"

namespace heddle {

/// Words of consecutive PCs for the buffer of one slot; count 0: none.
struct Fetched {
  SliceWarp warp;
  unsigned k = 0;
  isa::Pc pc = 0;
  unsigned count = 0;
};

template <unsigned Paths>
class Fetch {
 public:
  /// \param capacity  words a slot
  /// \param width     words a fetch
  /// \param latency   cycles, at least 1
  Fetch(unsigned capacity, unsigned width, unsigned latency) : capacity_(capacity), width_(width), latency_(latency) {}

  void load(const isa::Program& program) { end_ = static_cast<isa::Pc>(program.code.size()); }

  void restart(SliceWarp warp, unsigned k, isa::Pc pc);
  void clear(SliceWarp warp, unsigned k);
  void pop(SliceWarp warp, unsigned k);
  void step(std::uint64_t cycle);
  Fetched push(std::uint64_t cycle) const;

  bool empty(SliceWarp warp, unsigned k) const { return slots_[k][warp.index()].count == 0; }
  isa::Pc head(SliceWarp warp, unsigned k) const { return slots_[k][warp.index()].head; }
  const SlotSet<Paths>& buffered() const { return buffered_; }
  /// Slots whose head is another one than at the last call.
  SlotSet<Paths> take_changed();
  /// Another step would change nothing: nothing to ask for, nothing under way.
  bool idle() const { return under_way_.empty() && !hungry_.any(); }

 private:
  struct Slot {
    isa::Pc head = 0, next = 0;  // the oldest word's; of the next fetch
    unsigned count = 0, expected = 0, epoch = 0;
    bool active = false;
  };
  struct UnderWay {
    std::uint64_t arrives;
    Fetched words;
    unsigned epoch;
  };

  Slot& slot_of(const Fetched& words) { return slots_[words.k][words.warp.index()]; }
  const Slot& slot_of(const Fetched& words) const { return slots_[words.k][words.warp.index()]; }
  void update(SliceWarp warp, unsigned k);

  unsigned capacity_, width_, latency_;
  isa::Pc end_ = 0;
  std::array<std::array<Slot, 64>, Paths> slots_{};
  SlotSet<Paths> buffered_, hungry_, changed_;
  std::deque<UnderWay> under_way_;  // a pipe: in the order of their cycles, at most one a cycle
  unsigned last_ = 0;               // slot served last: Paths x warp + k
};

}  // namespace heddle
