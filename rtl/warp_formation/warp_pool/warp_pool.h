// Warp pool (DWF sec. 4.2, Fig. 11c): the warps that are being formed or wait for issue, an entry a thread in the worst
// case. The TIDs are one memory a lane, each with its own decoder, so that one update can write two warps.
//
// What   update_i[k]        Update     threads with one PC; k = 0, 1, in this order
//        tid_i[k*Lanes + l]            their TIDs
//        place_i[k]         Placement  which of their lanes join which warp, and which open which
//        issue_i            Issue      this entry's warp goes to issued_o, and the entry is free
//        taken_i                       the pipeline takes issued_o in this cycle
//        release_i          Release    a CTA's barrier opens
//        warp_o[i]          PoolWarp   entry i but for its TIDs; blank: free
//        issued_o           Issued     the warp that goes to the pipeline; issued_tid_o[l] its threads
//        idle_o                        issued_o is blank: without a placement, an issue or a release nothing changes,
//                                      whatever taken_i says
// Rules  R1 A warp that opens has the update's PC, CTA, data and barrier flag, and the lanes of `open`.
//        R2 A warp that is joined gets the lanes of `merge`, and the larger data of the two.
//        R3 TIDs are written in the lanes of `merge` and `open`, each in one warp, and nowhere else.
//        R4 The issued entry is blank at the next edge, and its warp in issued_o.
//        R5 issued_o stays until taken_i, then it is blank or the next warp; a lane without a thread has TID 0.
//        R6 A release ends the waiting of every warp of its CTA, those that are written in this cycle included.
//        R7 Refused by name and without effect: an issue of a free or waiting warp, or while issued_o stays; an open
//           of an entry in use; a join of a free, waiting or issued one, of another PC or CTA, of lanes that are taken,
//           or by threads that wait; a placement that both joins and opens with one lane.
// Time   everything of cycle n shows in warp_o, issued_o and issued_tid_o in cycle n+1.
// Cost   asked from the inventory: the paper counts TIDs, PC and data of an entry.
// Twin   warp_pool.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

template <class F>
class warp_pool : public sc_core::sc_module {
 public:
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using Release = typename F::Release;
  using PoolWarp = typename F::PoolWarp;
  using Issued = typename F::Issued;
  using Tid = typename F::Tid;
  using Mask = typename F::Mask;
  static constexpr unsigned Threads = F::Threads, Lanes = F::Lanes;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_vector<sc_core::sc_in<Tid>> tid_i{"tid_i", 2 * Lanes};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<Issue> issue_i{"issue_i"};
  sc_core::sc_in<bool> taken_i{"taken_i"};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_vector<sc_core::sc_out<PoolWarp>> warp_o{"warp_o", Threads};
  sc_core::sc_out<Issued> issued_o{"issued_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> issued_tid_o{"issued_tid_o", Lanes};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(warp_pool) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "update_i", update_i);
    probe(*this, "tid_i", tid_i);
    probe(*this, "place_i", place_i);
    probe(*this, "issue_i", issue_i);
    probe(*this, "taken_i", taken_i);
    probe(*this, "release_i", release_i);
    declare(*this, "tid_q", tid_q, {Storage::Ram, paper_all(), "DWF Table 1, warp pool, TIDs", "1R2W a lane"});
    declare(*this, "warp_o", warp_o,
            {Storage::Cam, paper_fields("pc,data"), "DWF Table 1, warp pool, PC and scheduler data", "1R4W, all seen"});
    declare(*this, "issued_o", issued_o, {Storage::Flop, paper_none(), "ours, the warp on its way to the pipeline"});
    declare(*this, "issued_tid_o", issued_tid_o, {Storage::Flop, paper_none(), "ours, its threads"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware: the thread in a lane of an entry.
  unsigned tid_of(unsigned idx, unsigned lane) const { return tid_q[lane * Threads + idx]; }

 private:
  Tid tid_q[Lanes * Threads];  ///< lane l of entry i at l * Threads + i

  HEDDLE_REPORT(void refuse(unsigned idx, const char* why) {
    SC_REPORT_ERROR("warp_pool/illegal", refusal(name(), idx, why).c_str());
  })

  HEDDLE_CLOCKED(step) {
    const PoolWarp blank;
    if (!rst_ni.read()) {
      const Issued nothing;
      for (unsigned i = 0; i < Threads; ++i) warp_o[i].write(blank);
      issued_o.write(nothing);
      for (unsigned l = 0; l < Lanes; ++l) issued_tid_o[l].write(0);
      idle_o.write(true);
    } else {
      const Issue issue = issue_i.read();
      const Release release = release_i.read();

      // The entries that this cycle writes: of each update the warp it joins, then the one it opens.
      PoolWarp written[4];
      unsigned at[4];
      bool valid[4];
      bool legal_update = true;
      for (unsigned k = 0; k < 2; ++k) {
        const Update update = update_i[k].read();
        const Placement place = place_i[k].read();
        const unsigned j = 2 * k, o = 2 * k + 1;
        at[j] = place.merge_idx;
        at[o] = place.open_idx;
        const bool meets = (place.merge & place.open) != 0;  // R7: a lane has one thread
        valid[j] = place.merge != 0 && !meets;
        valid[o] = place.open != 0 && !meets;
        if (meets) legal_update = false;
        if (valid[j]) {  // R2
          PoolWarp warp;
          if (at[j] < Threads) warp = warp_o[at[j]].read();
          if (issue.valid != 0 && issue.idx == at[j]) warp = blank;
          for (unsigned e = 0; e < 2; ++e) {
            if (e < j && valid[e] && at[e] == at[j]) warp = written[e];  // the second update sees the first
          }
          if (warp.lanes == 0 || warp.waits != 0 || update.waits != 0 || warp.pc != update.pc ||
              warp.cta != update.cta || (warp.lanes & place.merge) != 0) {  // R7
            valid[j] = false;
            legal_update = false;
          }
          warp.lanes = warp.lanes | place.merge;
          if (update.data > warp.data) warp.data = update.data;
          written[j] = warp;
        }
        if (valid[o]) {  // R1
          PoolWarp there;
          bool used = at[o] >= Threads;
          if (!used) there = warp_o[at[o]].read();
          if (there.lanes != 0) used = true;
          for (unsigned e = 0; e < 3; ++e) {
            if (e < o && valid[e] && at[e] == at[o]) used = true;
          }
          if (used) {  // R7
            valid[o] = false;
            legal_update = false;
          }
          written[o].pc = update.pc;
          written[o].data = update.data;
          written[o].lanes = place.open;
          written[o].cta = update.cta;
          written[o].waits = update.waits;
        }
        for (unsigned l = 0; l < Lanes; ++l) {  // R3
          if (valid[j] && place.merge[l]) tid_q[l * Threads + at[j]] = tid_i[k * Lanes + l].read();
          if (valid[o] && place.open[l]) tid_q[l * Threads + at[o]] = tid_i[k * Lanes + l].read();
        }
      }

      // R4, R5: the warp that leaves, as it was before this cycle's updates.
      const Issued on_its_way = issued_o.read();
      const bool stays = on_its_way.lanes != 0 && !taken_i.read();
      PoolWarp leaving;
      bool legal_issue = true;
      if (issue.valid != 0) {
        if (issue.idx < Threads) leaving = warp_o[issue.idx].read();
        legal_issue = leaving.lanes != 0 && leaving.waits == 0 && !stays;  // R7
      }
      const bool leaves = issue.valid != 0 && legal_issue;
      idle_o.write(!stays && !leaves);
      if (!stays) {
        Issued issued;
        if (leaves) {
          issued.lanes = leaving.lanes;
          issued.pc = leaving.pc;
          issued.cta = leaving.cta;
          issued.data = leaving.data;
          warp_o[issue.idx].write(blank);
        }
        issued_o.write(issued);
        for (unsigned l = 0; l < Lanes; ++l) {
          issued_tid_o[l].write(issued.lanes[l] ? tid_q[l * Threads + issue.idx] : Tid(0));
        }
      }

      // R6
      if (release.valid != 0) {
        for (unsigned i = 0; i < Threads; ++i) {
          PoolWarp warp = warp_o[i].read();
          if (warp.waits != 0 && warp.cta == release.cta) {
            warp.waits = 0;
            warp_o[i].write(warp);
          }
        }
      }
      for (unsigned e = 0; e < 4; ++e) {
        if (valid[e]) {
          if (release.valid != 0 && written[e].cta == release.cta) written[e].waits = 0;
          warp_o[at[e]].write(written[e]);
        }
      }

      if (!legal_issue) { HEDDLE_REPORT(refuse(issue.idx, "issue of a free or waiting warp, or past one that stays");) }
      if (!legal_update) {
        HEDDLE_REPORT(refuse(at[0], "open of an entry in use, or join of a warp that cannot take these threads");)
      }
    }
  }
};

}  // namespace heddle
