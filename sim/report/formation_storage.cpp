// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation, lane aware, with the Majority policy: what DWF Table 1 counts; and the table of the SM in which
// warps wait for memory, which the paper does not count.
#include "elaborated_point.h"
#include "rtl/warp_formation/warp_formation.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

namespace {

/// Warps whose access has missed (sim/sm/formation/formation_pipeline.h): part of the simulator and no block, with the storage that
/// it stands for. Threads and PC by entry, which an access names.
template <class F, unsigned Entries>
struct pending_table : sc_core::sc_module {
  typename F::Issued warp_q[Entries];
  typename F::Tid tid_q[Entries * F::Lanes];
  sc_dt::sc_uint<1> valid_q[Entries];

  SC_CTOR(pending_table) {
    declare(*this, "warp_q", warp_q, {Storage::Ram, paper_none(), "ours, warps with a miss (no block)", "1R1W"});
    declare(*this, "tid_q", tid_q,
            {Storage::Ram, paper_none(), "ours, threads of warps with a miss (no block)", "1R1W a lane"});
    declare(*this, "valid_q", valid_q, {Storage::Flop, paper_none(), "ours, entries with a warp (no block)"});
  }
};

}  // namespace

Modules elaborate() {
  using F = Formation<P::Threads, P::Lanes, P::PcBits, P::Ctas, P::SchedulerDataBits>;
  using Unit = warp_formation<F, Policy::Majority, P::LutSets, P::MajorityEntries, true, true>;
  Modules units;
  units.push_back(std::make_unique<Unit>("warp_formation"));
  units.push_back(std::make_unique<pending_table<F, P::PendingWarps>>("pending_table"));
  return units;
}

}  // namespace heddle::report
