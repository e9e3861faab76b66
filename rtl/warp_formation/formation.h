// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation: the records on the links between its blocks, and the rules that several of them share
// (DWF sec. 4; DESIGN 6.6).
//
// Threads are numbered by thread slot, 0 to Threads-1 (TID). The pool has an entry a thread, so an entry's number (IDX)
// is as wide as a TID. A warp is there when it has lanes: no record has a valid bit beside its mask.
#pragma once

#include <systemc>

#include "rtl/base/bits.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_dt::sc_uint;

/// Which warp issues first (DWF sec. 4.3).
enum class Policy : unsigned {
  Majority = 0,
  Minority = 1,
  TimeStamp = 2,
  PostDominatorPriority = 3,
  ProgramCounter = 4
};

/// Set bits of a mask: a tree of adders, over pairs of bits first.
constexpr unsigned count_set(std::uint64_t mask) {
  constexpr std::uint64_t Halves[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                      0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  std::uint64_t sums = mask;
  for (unsigned level = 0; level < 6; ++level) sums = (sums & Halves[level]) + (sums >> (1U << level) & Halves[level]);
  return static_cast<unsigned>(sums);
}

template <unsigned ThreadCount, unsigned LaneCount, unsigned PcWidth, unsigned CtaCount, unsigned DataWidth>
struct Formation {
  static constexpr unsigned Threads = ThreadCount, Lanes = LaneCount, PcBits = PcWidth, Ctas = CtaCount,
                            DataBits = DataWidth, Warps = Threads / Lanes;
  static_assert(Lanes >= 1 && Lanes <= 64 && Threads % Lanes == 0 && Threads >= 2 && PcBits <= 64 && DataBits <= 64);
  static constexpr unsigned TidBits = index_bits(Threads), IdxBits = TidBits, CtaBits = index_bits(Ctas),
                            WarpBits = index_bits(Warps), TurnBits = index_bits(Lanes), CountBits = count_bits(Threads);

  using Tid = sc_uint<TidBits>;
  using Pc = sc_uint<PcBits>;
  using Mask = sc_uint<Lanes>;
  using Idx = sc_uint<IdxBits>;
  using Count = sc_uint<CountBits>;

  /// A warp in the last stage of the pipeline. Its TIDs and next PCs, one a lane, are ports of their own.
  struct Commit {
    sc_uint<Lanes> lanes;  // that go on; none: no warp
    sc_uint<CtaBits> cta;
    sc_uint<DataBits> data;  // post-dominators that the warp had passed when it was issued
    sc_uint<1> passed;       // and its instruction is one
    sc_uint<1> waits;        // its instruction is the CTA barrier
    HEDDLE_RECORD(Commit, lanes, cta, data, passed, waits)
  };

  /// Threads that start: of warp slot `warp`, with TIDs warp x Lanes + t for each bit t of `threads`.
  struct Launch {
    sc_uint<Lanes> threads;  // none: nothing starts
    sc_uint<WarpBits> warp;
    sc_uint<CtaBits> cta;
    sc_uint<PcBits> pc;
    HEDDLE_RECORD(Launch, threads, warp, cta, pc)
  };

  /// The CTA's barrier opens.
  struct Release {
    sc_uint<1> valid;
    sc_uint<CtaBits> cta;
    HEDDLE_RECORD(Release, valid, cta)
  };

  /// What a warp update register holds beside its TIDs: threads with one next PC on their way into the pool.
  struct Update {
    sc_uint<PcBits> pc;
    sc_uint<Lanes> req;  // lanes that the threads need; none: no update
    sc_uint<CtaBits> cta;
    sc_uint<DataBits> data;
    sc_uint<1> waits;  // at the CTA barrier
    HEDDLE_RECORD(Update, pc, req, cta, data, waits)
  };

  /// Where the threads of an update go.
  struct Placement {
    sc_uint<Lanes> merge;  // lanes of them that join the warp `merge_idx`, which is being formed
    sc_uint<IdxBits> merge_idx;
    sc_uint<Lanes> lanes;    // all lanes of that warp then,
    sc_uint<DataBits> data;  // and its scheduler data: the larger of both (ours)
    sc_uint<Lanes> open;     // lanes of them that open the warp `open_idx`
    sc_uint<IdxBits> open_idx;
    sc_uint<TurnBits> turn;  // naive formation: all lanes above are those of the update, rotated up by so many
    sc_uint<1> hit;          // the LUT had a warp for this PC and CTA
    sc_uint<1> evict;        // a warp of another PC can no longer be merged into
    HEDDLE_RECORD(Placement, merge, merge_idx, lanes, data, open, open_idx, turn, hit, evict)
  };

  /// The pool entry that is issued in this cycle.
  struct Issue {
    sc_uint<1> valid;
    sc_uint<IdxBits> idx;
    HEDDLE_RECORD(Issue, valid, idx)
  };

  /// The entries that the allocator gives next, and how many it has.
  struct Offer {
    sc_uint<IdxBits> first;
    sc_uint<IdxBits> second;
    sc_uint<CountBits> free;
    HEDDLE_RECORD(Offer, first, second, free)
  };

  /// What an entry of the pool keeps from its opening to its issue,
  struct PoolPc {
    sc_uint<PcBits> pc;
    sc_uint<CtaBits> cta;
    HEDDLE_RECORD(PoolPc, pc, cta)
  };

  /// and what threads that join change. The TIDs are memories of their own.
  struct PoolWarp {
    sc_uint<DataBits> data;
    sc_uint<Lanes> lanes;
    HEDDLE_RECORD(PoolWarp, data, lanes)
  };

  /// A warp that goes to the pipeline; its TIDs are ports of their own.
  struct Issued {
    sc_uint<Lanes> lanes;  // none: no warp
    sc_uint<PcBits> pc;
    sc_uint<CtaBits> cta;
    sc_uint<DataBits> data;
    HEDDLE_RECORD(Issued, lanes, pc, cta, data)
  };

  /// What happens in this cycle; bit 0 is the first update, bit 1 the second.
  struct Status {
    sc_uint<CountBits> used;  // pool entries
    sc_uint<2> hit;           // threads meet a warp of their PC
    sc_uint<2> conflict;      // but some find their lane taken
    sc_uint<2> evict;         // a warp loses its place in the LUT
    sc_uint<1> stall;         // the warp in the last stage has more next PCs than go in this cycle
    sc_uint<1> drain;         // the majority table has overflowed
    HEDDLE_RECORD(Status, used, hit, conflict, evict, stall, drain)
  };

  /// Thread swizzling (DWF sec. 4.1): in every other warp, threads in even and odd lanes change places. The last lane
  /// of an odd width stays.
  static unsigned home_lane(unsigned warp, unsigned thread) {
    return warp % 2 != 0 && (thread ^ 1U) < Lanes ? thread ^ 1U : thread;
  }

  /// The lanes of a mask, rotated up.
  static Mask rotated(const Mask& mask, unsigned turn) {
    const std::uint64_t lanes = mask;
    return turn == 0 ? Mask(lanes) : Mask(lanes << turn | lanes >> (Lanes - turn));
  }
};

}  // namespace heddle
