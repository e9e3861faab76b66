// SPDX-License-Identifier: Apache-2.0
// Warp update register (DWF sec. 4.2, Fig. 11a): takes, of a warp in the last stage, the threads of one next PC.
//
// What   warp_i      Commit   the warp; its `lanes` are those that no other register takes in this cycle
//        tid_i[l], pc_i[l]    thread and next PC of lane l
//        release_i   Release  a CTA's barrier opens
//        rest_o               lanes of warp_i that this register does not take
//        update_o    Update   PC, lanes (REQ) and the rest of what was taken; tid_o[l] the threads
//        idle_o               it holds nothing: without a warp it stays as it is
// Rules  R1 It takes the lanes whose next PC is that of the lowest lane of warp_i; all others are in rest_o.
//        R2 Without lanes it takes nothing: update_o is blank.  R3 A lane without a thread has TID 0.
//        R4 `data` counts the instruction of this warp when it is a post-dominator, and stays at its largest value.
//        R5 Threads that commit at the barrier do not wait when it opens in that cycle.
//        R6 LaneAware = false: the threads move down to the lowest positions, in the order of their lanes.
// Time   rest_o follows warp_i and pc_i in the same cycle; update_o and tid_o show in cycle n+1 what was taken in n.
// Cost   asked from the inventory: Lanes x TidBits + PcBits + Lanes + CtaBits + DataBits + 2 bits; the paper counts the
//        TIDs, the PC and half of REQ.
// Twin   warp_update_register.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/each_set.h"
#include "rtl/base/inventory.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

template <class F, bool LaneAware>
class warp_update_register : public sc_core::sc_module {
 public:
  using Commit = typename F::Commit;
  using Release = typename F::Release;
  using Update = typename F::Update;
  using Mask = typename F::Mask;
  using Tid = typename F::Tid;
  using Pc = typename F::Pc;
  static constexpr unsigned Lanes = F::Lanes;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Commit> warp_i{"warp_i"};
  sc_core::sc_vector<sc_core::sc_in<Tid>> tid_i{"tid_i", Lanes};
  sc_core::sc_vector<sc_core::sc_in<Pc>> pc_i{"pc_i", Lanes};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_out<Mask> rest_o{"rest_o"};
  sc_core::sc_out<Update> update_o{"update_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> tid_o{"tid_o", Lanes};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(warp_update_register) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(split);
    sensitive << warp_i;
    for (unsigned l = 0; l < Lanes; ++l) sensitive << pc_i[l];
    probe(*this, "warp_i", warp_i);
    probe(*this, "tid_i", tid_i);
    probe(*this, "pc_i", pc_i);
    probe(*this, "release_i", release_i);
    probe(*this, "rest_o", rest_o);
    declare(*this, "tid_o", tid_o, {Storage::Flop, paper_all(), "DWF Table 1, warp update register"});
    declare(*this, "update_o", update_o,
            {Storage::Flop, paper_fields("pc,req:" + std::to_string((Lanes + 1) / 2)),
             "DWF Table 1, warp update register, 8 of 16 REQ bits"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a warp"});
  }

 private:
  /// R1
  void split() {
    const std::uint64_t lanes = warp_i.read().lanes;
    std::uint64_t rest = 0;
    if (lanes != 0) {
      const Pc pc = pc_i[lowest_set(lanes)].read();
      HEDDLE_EACH_SET(l, Lanes, lanes) {
        if (pc_i[l].read() != pc) rest |= std::uint64_t(1) << l;
      }
    }
    rest_o.write(rest);
  }

  HEDDLE_CLOCKED(step) {
    const Update shown = update_o.read();
    Update update_d;
    const Commit warp = warp_i.read();
    const Release release = release_i.read();
    Mask taken = warp.lanes & ~rest_o.read();
    if (!rst_ni.read()) taken = 0;
    if (taken != 0) {
      update_d.pc = pc_i[lowest_set(taken)].read();
      update_d.cta = warp.cta;
      update_d.data = warp.data;
      if (warp.passed != 0 && warp.data != sc_uint<F::DataBits>(~sc_dt::uint64(0))) {  // R4
        update_d.data = warp.data + 1;
      }
      update_d.waits = warp.waits != 0 && !(release.valid != 0 && release.cta == warp.cta) ? 1 : 0;  // R5
    }
    if constexpr (LaneAware) {
      update_d.req = taken;
      HEDDLE_EACH_SET(l, Lanes, shown.req & ~taken) {  // R3; the others have none as it is
        tid_o[l].write(0);
      }
      HEDDLE_EACH_SET(l, Lanes, taken) {
        tid_o[l].write(tid_i[l].read());
      }
    } else {  // R6
      Tid tid_d[Lanes];
      unsigned at = 0;
      for (unsigned l = 0; l < Lanes; ++l) tid_d[l] = 0;
      HEDDLE_EACH_SET(l, Lanes, taken) {
        tid_d[at] = tid_i[l].read();
        update_d.req[at] = 1;
        ++at;
      }
      HEDDLE_EACH_SET(l, Lanes, update_d.req | shown.req) {
        tid_o[l].write(tid_d[l]);
      }
    }
    update_o.write(update_d);
    idle_o.write(taken == 0);
  }
};

}  // namespace heddle
