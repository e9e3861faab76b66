// SPDX-License-Identifier: Apache-2.0
// Warp pool (DWF sec. 4.2, Fig. 11c): the warps that are being formed or wait for issue, an entry a thread in the worst
// case. The TIDs are one memory a lane, each with its own decoder, so that one update can write two warps.
//
// What   update_i[k]        Update     threads with one PC; k = 0, 1, in this order
//        tid_i[k*Lanes + l]            their TIDs
//        place_i[k]         Placement  which of their lanes join which warp, what that is then, and which open which
//        issue_i            Issue      this entry's warp goes to issued_o, and the entry is free
//        taken_i                       the pipeline takes issued_o in this cycle
//        issued_o           Issued     the warp that goes to the pipeline; issued_tid_o[l] its threads
//        idle_o                        issued_o is blank: without a placement or an issue nothing changes, whatever
//                                      taken_i says
// Rules  R1 A warp that opens has the update's PC, CTA and data, and the lanes of `open`.
//        R2 A warp that is joined has the lanes and the data that the placement says.
//        R3 TIDs are written in the lanes of `merge` and `open`, each in one warp, and nowhere else.
//        R4 The issued entry is free at the next edge, and its warp, as it was before this cycle's updates, in issued_o.
//        R5 issued_o stays until taken_i, then it is blank or the next warp; a lane without a thread has TID 0.
//        R6 Refused by name and without effect: an issue of a free entry, or while issued_o stays; an open of an entry
//           in use; a join of a free or issued one; a placement that both joins and opens with one lane.
// Time   a warp that is written in cycle n can be issued in n+1; one that is issued in n is in issued_o in n+1.
// Cost   asked from the inventory: the paper counts TIDs, PC and data of an entry. Nothing searches them: memories.
// Twin   warp_pool.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/each_set.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
#include "rtl/base/links.h"
#include "rtl/base/refusal.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

template <class F>
class warp_pool : public sc_core::sc_module {
 public:
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using PoolPc = typename F::PoolPc;
  using PoolWarp = typename F::PoolWarp;
  using Issued = typename F::Issued;
  using Tid = typename F::Tid;
  static constexpr unsigned Threads = F::Threads, Lanes = F::Lanes;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_vector<sc_core::sc_in<Tid>> tid_i{"tid_i", 2 * Lanes};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<Issue> issue_i{"issue_i"};
  sc_core::sc_in<bool> taken_i{"taken_i"};
  sc_core::sc_out<Issued> issued_o{"issued_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> issued_tid_o{"issued_tid_o", Lanes};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(warp_pool) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(show);
    sensitive << there_q << pc_word_q << warp_word_q;
    for (unsigned l = 0; l < Lanes; ++l) sensitive << tid_word_q[l];
    probe(*this, "update_i", update_i);
    probe(*this, "tid_i", tid_i);
    probe(*this, "place_i", place_i);
    probe(*this, "issue_i", issue_i);
    probe(*this, "taken_i", taken_i);
    probe(*this, "issued_o", issued_o);
    probe(*this, "issued_tid_o", issued_tid_o);
    declare(*this, "tid_q", tid_q,
            {Storage::Ram, paper_all(), "DWF Table 1, warp pool, TIDs", "1R2W a lane, read first"});
    declare(*this, "pc_q", pc_q, {Storage::Ram, paper_fields("pc"), "DWF Table 1, warp pool, PC", "1R2W, read first"});
    declare(*this, "warp_q", warp_q,
            {Storage::Ram, paper_fields("data"), "DWF Table 1, warp pool, scheduler data", "1R4W, read first"});
    declare(*this, "tid_word_q", tid_word_q, {Storage::Flop, paper_none(), "read port of tid_q"});
    declare(*this, "pc_word_q", pc_word_q, {Storage::Flop, paper_none(), "read port of pc_q"});
    declare(*this, "warp_word_q", warp_word_q, {Storage::Flop, paper_none(), "read port of warp_q"});
    declare(*this, "used_q", used_q, {Storage::Flop, paper_none(), "ours, entries with a warp"});
    declare(*this, "there_q", there_q, {Storage::Flop, paper_none(), "ours, a warp is on its way to the pipeline"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware: what an entry holds; no lanes: it is free.
  unsigned tid_of(unsigned idx, unsigned lane) const { return tid_q[lane * Threads + idx]; }
  PoolPc pc_of(unsigned idx) const { return used_q[idx] ? pc_q[idx] : PoolPc(); }
  PoolWarp warp_of(unsigned idx) const { return used_q[idx] ? warp_q[idx] : PoolWarp(); }

 private:
  Tid tid_q[Lanes * Threads];  ///< lane l of entry i at l * Threads + i
  PoolPc pc_q[Threads];
  PoolWarp warp_q[Threads];
  Links<Tid> tid_word_q{"tid_word_q", Lanes};
  Link<PoolPc> pc_word_q{"pc_word_q"};
  Link<PoolWarp> warp_word_q{"warp_word_q"};
  bool used_q[Threads];
  Link<bool> there_q{"there_q"};

  /// R5: what is in the read ports, while it is there.
  void show() {
    Issued issued;
    if (there_q.read()) {
      const PoolPc pc = pc_word_q.read();
      const PoolWarp warp = warp_word_q.read();
      issued.lanes = warp.lanes;
      issued.pc = pc.pc;
      issued.cta = pc.cta;
      issued.data = warp.data;
    }
    issued_o.write(issued);
    const std::uint64_t lanes = issued.lanes;
    for (unsigned l = 0; l < Lanes; ++l) {
      Tid tid = 0;
      if ((lanes >> l & 1) != 0) tid = tid_word_q[l].read();
      issued_tid_o[l].write(tid);
    }
  }

  void reset() {
    for (unsigned i = 0; i < Threads; ++i) used_q[i] = false;
    there_q.write(false);
    idle_o.write(true);
  }

  bool in_use(unsigned idx) const { return idx < Threads && used_q[idx]; }

  /// R6: whether update k joins and opens. What is in use, not asked for issue, or opened by the first update may be
  /// joined; what is free may open.
  void admit(unsigned k, const Issue& issue, const Placement (&place)[2], bool (&merges)[2], bool (&opens)[2]) const {
    const bool meets = (place[k].merge & place[k].open) != 0;
    bool free = false, there = in_use(place[k].merge_idx);
    if (place[k].open_idx < Threads) free = !used_q[place[k].open_idx];
    if (issue.valid != 0 && issue.idx == place[k].merge_idx) there = false;
    if (k == 1) {
      if (opens[0] && place[0].open_idx == place[1].open_idx) free = false;
      if (opens[0] && place[0].open_idx == place[1].merge_idx) there = true;
    }
    opens[k] = place[k].open != 0 && !meets && free;
    merges[k] = place[k].merge != 0 && !meets && there;
  }

  /// R4: the entry is free, its warp as it is before this cycle's updates in the read ports.
  void leave(const Issue& issue) {
    used_q[issue.idx] = false;
    pc_word_q.write(pc_q[issue.idx]);
    warp_word_q.write(warp_q[issue.idx]);
    for (unsigned l = 0; l < Lanes; ++l) tid_word_q[l].write(tid_q[l * Threads + issue.idx]);
  }

  /// R2: a warp is joined.
  void join(const Placement& place) {
    PoolWarp warp;
    warp.data = place.data;
    warp.lanes = place.lanes;
    warp_q[place.merge_idx] = warp;
  }

  /// R1: a warp opens.
  void open(const Update& update, const Placement& place) {
    PoolPc pc;
    PoolWarp warp;
    pc.pc = update.pc;
    pc.cta = update.cta;
    warp.data = update.data;
    warp.lanes = place.open;
    used_q[place.open_idx] = true;
    pc_q[place.open_idx] = pc;
    warp_q[place.open_idx] = warp;
  }

  /// R3: the TIDs of update k, in these lanes of a warp.
  void write_tids(unsigned k, unsigned idx, std::uint64_t lanes) {
    HEDDLE_EACH_SET(l, Lanes, lanes) {
      tid_q[l * Threads + idx] = tid_i[k * Lanes + l].read();
    }
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      reset();
    } else {
      Issue issue = issue_i.read();
      const bool stays = there_q.read() && !taken_i.read();                 // R5
      const bool leaves = issue.valid != 0 && in_use(issue.idx) && !stays;  // R6
      Placement place[2];
      bool merges[2], opens[2];
      for (unsigned k = 0; k < 2; ++k) {
        if (place_i[k].read().open != 0 || place_i[k].read().merge != 0) place[k] = place_i[k].read();
        admit(k, issue, place, merges, opens);
      }
      there_q.write(stays || leaves);
      idle_o.write(!stays && !leaves);
      if (leaves) leave(issue);
      for (unsigned k = 0; k < 2; ++k) {
        if (merges[k]) {
          join(place[k]);
          write_tids(k, place[k].merge_idx, place[k].merge);
        }
        if (opens[k]) {
          Update update = update_i[k].read();
          open(update, place[k]);
          write_tids(k, place[k].open_idx, place[k].open);
        }
      }
      HEDDLE_REPORT(report(issue, leaves, place, merges, opens));
    }
  }

  HEDDLE_REPORT(void report(const Issue& issue, bool leaves, const Placement (&place)[2], const bool (&merges)[2],
                            const bool (&opens)[2]) const {
    bool legal = true;
    for (unsigned k = 0; k < 2; ++k) {
      if ((place[k].open != 0 && !opens[k]) || (place[k].merge != 0 && !merges[k])) legal = false;
    }
    const auto error = [this](unsigned idx, const char* why) {
      SC_REPORT_ERROR("warp_pool/illegal", refusal(name(), idx, why).c_str());
    };
    if (issue.valid != 0 && !leaves) error(issue.idx, "issue of a free entry, or past a warp that stays");
    if (!legal) error(place[0].merge_idx, "open of an entry in use, or join of a warp that is not there");
  })
};

}  // namespace heddle
