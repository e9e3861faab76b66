// SPDX-License-Identifier: Apache-2.0
// What a convergence barrier unit takes and gives beside the ports of every control flow unit (control_flow.h).
//
//   barrier_i   BarrierRequest   what an executed barrier instruction does to the path that is picked in its warp
//   targets_i[l]  Pc             where lane l goes with Jump
//   busy_i      one bit a warp   something of the warp is on its way (memory, scoreboard): nobody is released
//   answer_o    BarrierAnswer    what Save and Arrive return to the threads
//   release_o   BarrierRelease   a group was released although its barrier was not complete
//
// One operation a cycle: barrier_i is None in a cycle in which resolve_i is not.
#pragma once

#include "rtl/base/bits.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_dt::sc_uint;

/// What `lanes` of the picked path do; where it says nothing else, all of the path then go to the next PC.
enum class BarrierOp : unsigned {
  None = 0,
  Join = 1,     ///< BSSY: they become participants of `index`
  Wait = 2,     ///< BSYNC: those who are participants of `index` block on it, the others pass
  Cancel = 3,   ///< BREAK: they are participants of `index` no more
  Yield = 4,    ///< they let the others go first
  Sync = 5,     ///< WARPSYNC: they wait until every lane of `value` does; `index` keeps the mask
  Save = 6,     ///< the participants of `index` go to a general register
  Restore = 7,  ///< the participants of `index` are those of `value` that have not exited
  Copy = 8,     ///< the participants of `index` are those of `source`
  Take = 9,     ///< the same, and `source` is empty then
  Arrive = 10,  ///< Join, and tells how many participants there are, and whether they are more than `value`
  Jump = 11,    ///< each goes to its own targets_i (return, indirect branch); the others to the next PC
  Park = 12,    ///< they wait for a CTA barrier
  Open = 13,    ///< the CTA barrier opens for all who wait in `warp`; not of a path, `lanes` is not looked at
  Switch = 14,  ///< the path cannot issue: it stays where it is, and another one may be picked
};

/// Which group of ready threads with equal PC has its turn.
enum class Picker : unsigned {
  Oldest = 0,      ///< that of the lane that was picked longest ago
  Largest = 1,     ///< the one with most lanes
  LowestPc = 2,    ///< the one at the lowest PC
  RoundRobin = 3,  ///< that of the first ready lane after the last one
};

template <unsigned Warps, unsigned Lanes, unsigned Barriers>
struct BarrierFlow {
  static_assert(Barriers >= 1 && Barriers <= 16);
  static constexpr unsigned BarrierCount = Barriers, WarpBits = index_bits(Warps), BarrierBits = index_bits(Barriers);

  struct BarrierRequest {
    sc_uint<4> op;  // BarrierOp
    sc_uint<WarpBits> warp;
    sc_uint<Lanes> lanes;
    sc_uint<BarrierBits> index;
    sc_uint<BarrierBits> source;
    sc_uint<Lanes> value;  // the mask of Sync and Restore, the threshold of Arrive
    HEDDLE_RECORD(BarrierRequest, op, warp, lanes, index, source, value)
  };

  struct BarrierAnswer {
    sc_uint<1> valid;
    sc_uint<WarpBits> warp;
    sc_uint<Lanes> value;  // Save: the participants; Arrive: how many there are
    sc_uint<1> passed;     // Arrive: more than the threshold
    HEDDLE_RECORD(BarrierAnswer, valid, warp, value, passed)
  };

  struct BarrierRelease {
    sc_uint<1> valid;
    sc_uint<WarpBits> warp;
    sc_uint<BarrierBits> index;
    sc_uint<32> count;  // since reset
    HEDDLE_RECORD(BarrierRelease, valid, warp, index, count)
  };
};

}  // namespace heddle
