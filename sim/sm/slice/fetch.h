// SPDX-License-Identifier: Apache-2.0
// Fetch of one issue scheduler: which path slot is served, from which PC, and when its words stand before the
// instruction buffers (rtl/instruction_buffer), which hold words and no PCs. What is asked for comes after the fetch
// latency (ours) if the SM's instruction cache has its line, or if there is no such cache: then fetch is ideal. Else
// the slot is not served again before the line has come; other slots are.
//
//   restart, clear   the slot has a new PC, or is gone: what was asked for before is kept back
//   pop              the head of the slot was issued
//   step(cycle)      one slot with room for a whole fetch is asked for, round robin, up to `width` words of one line, if
//                    the SM's instruction cache has a port for it in this cycle (fetch_port.h); the slot's words of
//                    earlier cycles are in its buffer from this edge on
//   push()           what reaches the buffers at the next edge; at most one fetch does
//
// Fetch knows how many words a slot holds because it brought them: with the PC of the oldest that is what decode says
// of a head, an edge before the buffer shows it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/slot_set.h"
#include "sim/sm/slice/fetch_port.h"

namespace heddle {

class instruction_cache;

/// Where the instructions of fetch come from.
struct CodeMemory {
  instruction_cache* cache = nullptr;  ///< null: ideal
  unsigned line_bytes = 128;
  unsigned words_per_line = ~0U;  ///< instructions that lie in one line
  FetchPort* port = nullptr;      ///< which other fetches share; null: it may fetch in each cycle
};

/// One lies in one line, in whole bytes.
inline unsigned instructions_per_line(const DesignPoint& point) {
  return point.line_bytes / ((point.instruction_bits + 7) / 8);
}

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
  Fetch(unsigned capacity, unsigned width, unsigned latency, const CodeMemory& memory);
  Fetch(const Fetch&) = delete;  // the cache knows it
  Fetch& operator=(const Fetch&) = delete;

  /// \param code  address of the first instruction, at a line's start
  void load(const isa::Program& program, std::uint64_t code);

  void restart(SliceWarp warp, unsigned k, isa::Pc pc);
  void clear(SliceWarp warp, unsigned k);
  void pop(SliceWarp warp, unsigned k);
  void step(std::uint64_t cycle);
  Fetched push(std::uint64_t cycle) const;

  bool empty(SliceWarp warp, unsigned k) const { return slots_[k][warp.index()].count == 0; }
  isa::Pc head(SliceWarp warp, unsigned k) const { return slots_[k][warp.index()].head; }
  const SlotSet<Paths>& buffered() const { return buffered_; }
  /// Slots whose line of code was not here at the last edge.
  const SlotSet<Paths>& awaiting() const { return awaiting_; }
  /// Slots whose head is another one than at the last call.
  SlotSet<Paths> take_changed();
  /// Another step would change nothing: nothing to ask for, nothing under way.
  bool idle() const { return under_way_.empty() && !hungry_.any() && !arrived_.any(); }

 private:
  struct Slot {
    isa::Pc head = 0, next = 0;  // the oldest word's; of the next fetch
    unsigned count = 0, expected = 0, epoch = 0;
    bool active = false;
    std::uint64_t awaited = 0;  // a line; any: an MSHR
    bool has_line = false;      // the line that it waited for has come: its next fetch needs no look
  };
  static constexpr std::uint64_t any_line = ~std::uint64_t{0};
  struct UnderWay {
    std::uint64_t arrives;
    Fetched words;
    unsigned epoch;
  };

  Slot& slot_of(const Fetched& words) { return slots_[words.k][words.warp.index()]; }
  const Slot& slot_of(const Fetched& words) const { return slots_[words.k][words.warp.index()]; }
  void update(SliceWarp warp, unsigned k);
  void line_arrived(std::uint64_t line);
  void sample_lines();
  void serve(std::uint64_t cycle);
  bool has_line(Slot& slot, SliceWarp warp, unsigned k);
  /// The most words of a fetch from there.
  unsigned most_words(isa::Pc pc) const;

  const unsigned capacity_, width_, latency_;
  const CodeMemory memory_;
  unsigned number_ = 0;  // of those that share the port
  isa::Pc end_ = 0;
  std::uint64_t code_ = 0;
  std::array<std::array<Slot, 64>, Paths> slots_{};
  SlotSet<Paths> buffered_, hungry_, changed_;
  SlotSet<Paths> awaiting_;         // a line
  SlotSet<Paths> arrived_;          // of which, those whose line has come since the last edge
  std::deque<UnderWay> under_way_;  // a pipe: in the order of their cycles, at most one a cycle
  unsigned last_ = 0;               // slot served last: Paths x warp + k
};

}  // namespace heddle
