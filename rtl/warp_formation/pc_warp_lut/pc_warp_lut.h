// SPDX-License-Identifier: Apache-2.0
// PC-warp LUT (DWF sec. 4.2, Fig. 11b): for a PC, the warp in the pool that is being formed there, and its free lanes.
//
// What   update_i[0], update_i[1]  Update     threads that look for a warp; the second sees what the first did
//        release_i                 Release    a CTA's barrier opens: its threads between the stages do not wait any more
//        offer_i                   Offer      the pool entries for up to two new warps
//        issue_i                   Issue      the pool entry that is issued in this cycle
//        update_o[0], update_o[1]  Update     the threads of the last cycle's updates,
//        place_o[0], place_o[1]    Placement  and where they go
//        idle_o                               without an update or an issue nothing changes
// Rules  R1 An entry stands for a warp {PC, CTA} when it has lanes (OCC). 2 ways; set = hash(PC) ^ CTA; the tag is PC
//           and CTA.
//        R2 Threads that wait at the barrier open a new warp and do not touch the LUT.
//        R3 Hit, no lane taken: all join IDX, OCC |= REQ.
//        R4 Hit, some lanes taken: the others join IDX; those open a new warp, which IDX and OCC then stand for.
//        R5 Miss: all open a new warp; it takes a free way, else the one used less recently, whose warp stays in the
//           pool and is not merged into any more.
//        R6 The entry that points at the issued warp is invalid at the next edge, and is not hit in this cycle.
//        R7 The first new warp of a cycle takes offer_i.first, another one offer_i.second.
//        R8 LaneAware = false: the threads, which fill the lowest positions, first move up past those that are there.
//        R9 An entry keeps the scheduler data of its warp: the larger of those that joined. place_o says what a warp is
//           that threads join: its lanes and its data then.
// Time   first stage, cycle n: all PCs are compared with those of the updates, those that the second stage writes in n
//        too. Second stage, n+1: place_o, from what was found, the entries after the last edge, offer_i and issue_i; the
//        entries change at its end. So it is as if an update looked up and wrote in n+1 alone.
// Cost   asked from the inventory: 2 x Sets x (PcBits + Lanes + IdxBits + CtaBits + DataBits) + Sets bits, of which PC, OCC
//        and IDX are the paper's; and what stands between the stages.
// Twin   pc_warp_lut.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
#include "rtl/base/links.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

/// An entry, blank when it stands for no warp.
template <class F>
struct LutEntry {
  sc_uint<F::PcBits> pc;
  sc_uint<F::Lanes> occ;
  sc_uint<F::IdxBits> idx;
  sc_uint<F::CtaBits> cta;
  sc_uint<F::DataBits> data;
  HEDDLE_RECORD(LutEntry, pc, occ, idx, cta, data)
};

/// What an update writes at the end of the cycle: the entry at set * 2 + way.
template <class F, unsigned EntryBits>
struct LutWrite {
  sc_uint<1> valid;
  sc_uint<EntryBits> at;
  sc_uint<F::PcBits> pc;
  sc_uint<F::Lanes> occ;
  sc_uint<F::IdxBits> idx;
  sc_uint<F::CtaBits> cta;
  sc_uint<F::DataBits> data;
  HEDDLE_RECORD(LutWrite, valid, at, pc, occ, idx, cta, data)
};

template <class F, unsigned Sets, bool LaneAware>
class pc_warp_lut : public sc_core::sc_module {
  static_assert(Sets >= 1 && Sets <= 32 && (Sets & (Sets - 1)) == 0, "sets: a power of two up to 32");

 public:
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Release = typename F::Release;
  using Offer = typename F::Offer;
  using Issue = typename F::Issue;
  using Mask = typename F::Mask;
  using Entry = LutEntry<F>;
  static constexpr unsigned Entries = 2 * Sets;
  static constexpr unsigned SetBits = Sets == 1 ? 0 : index_bits(Sets);
  using Write = LutWrite<F, SetBits + 1>;
  using Match = sc_uint<Entries>;
  using Set = sc_uint<(Sets == 1 ? 1 : SetBits)>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_in<Offer> offer_i{"offer_i"};
  sc_core::sc_in<Issue> issue_i{"issue_i"};
  sc_core::sc_vector<sc_core::sc_out<Update>> update_o{"update_o", 2};
  sc_core::sc_vector<sc_core::sc_out<Placement>> place_o{"place_o", 2};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(pc_warp_lut) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(look);
    sensitive << offer_i << issue_i << recent_q << same_q;
    for (unsigned k = 0; k < 2; ++k) sensitive << update_o[k] << match_q[k] << set_q[k];
    for (unsigned e = 0; e < Entries; ++e) sensitive << entry_q[e];
    probe(*this, "update_i", update_i);
    probe(*this, "release_i", release_i);
    probe(*this, "offer_i", offer_i);
    probe(*this, "issue_i", issue_i);
    probe(*this, "place_o", place_o);
    declare(*this, "entry_q", entry_q,
            {Storage::Cam, paper_fields("pc,occ,idx"), "DWF Table 1, PC-warp LUT",
             "2W, 2 searches of PC and CTA, 1 of IDX"});
    declare(*this, "recent_q", recent_q, {Storage::Flop, paper_none(), "ours, the way used last in each set"});
    declare(*this, "update_o", update_o, {Storage::Flop, paper_none(), "ours, the updates in the second stage"});
    declare(*this, "match_q", match_q, {Storage::Flop, paper_none(), "ours, entries that have their PC and CTA"});
    if constexpr (Sets > 1) declare(*this, "set_q", set_q, {Storage::Flop, paper_none(), "ours, their sets"});
    declare(*this, "same_q", same_q, {Storage::Flop, paper_none(), "ours, both have one PC and CTA"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing is in the second stage"});
  }

  /// R1: the set of a PC.
  static unsigned set_of(const sc_uint<F::PcBits>& pc, const sc_uint<F::CtaBits>& cta) {
    unsigned set = 0;
    if constexpr (SetBits != 0) {
      std::uint64_t bits = sc_dt::uint64(pc);
      set = cta;
      for (unsigned b = 0; b < F::PcBits; b += SetBits) {
        set ^= static_cast<unsigned>(bits & (Sets - 1));
        bits >>= SetBits;
      }
    }
    return set & (Sets - 1);
  }

  /// For benches, not hardware: the entry at set * 2 + way.
  Entry entry_of(unsigned at) const { return entry_q[at].read(); }

 private:
  Links<Entry> entry_q{"entry_q", Entries};
  Link<sc_uint<Sets>> recent_q{"recent_q"};
  Links<Match> match_q{"match_q", 2};
  Links<Set> set_q{"set_q", 2};
  Link<bool> same_q{"same_q"};
  Links<Write> write{"write", 2};

  /// The entry at the start of this cycle: R6.
  Entry entry_now(unsigned at) {
    Entry entry = entry_q[at].read();
    const Issue issue = issue_i.read();
    if (gone(entry, issue)) entry.occ = 0;
    return entry;
  }

  static bool is_of(const Entry& entry, const Update& update) {
    return entry.pc == update.pc && entry.cta == update.cta;
  }
  static bool gone(const Entry& entry, const Issue& issue) { return issue.valid != 0 && entry.idx == issue.idx; }
  static bool one_key(const Update& a, const Update& b) { return a.pc == b.pc && a.cta == b.cta; }

  /// The second stage.
  void look() {
    const Offer offer = offer_i.read();
    Write first;  // of update 0, as update 1 sees it
    bool opened = false;
    for (unsigned k = 0; k < 2; ++k) {
      const Update update = update_o[k].read();
      const std::uint64_t match = match_q[k].read();
      Placement place;
      Write next;
      if (update.req != 0) {
        const unsigned set = set_q[k].read();
        bool hit = false;
        unsigned way = 0, free_way = 2;
        Mask occ = 0;
        sc_uint<F::IdxBits> idx = 0;
        sc_uint<F::DataBits> data = 0;
        for (unsigned w = 0; w < 2; ++w) {
          Entry entry = entry_now(2 * set + w);
          bool matches = (match >> (2 * set + w) & 1) != 0;
          if (first.valid != 0 && first.at == 2 * set + w) {
            entry.pc = first.pc;
            entry.occ = first.occ;
            entry.idx = first.idx;
            entry.cta = first.cta;
            entry.data = first.data;
            matches = same_q.read();
          }
          if (entry.occ == 0) {
            if (free_way == 2) free_way = w;
          } else if (matches && update.waits == 0) {
            hit = true;
            way = w;
            occ = entry.occ;
            idx = entry.idx;
            data = entry.data;
          }
        }
        unsigned turn = 0;
        if constexpr (!LaneAware) turn = count_set(occ) % F::Lanes;  // R8
        Mask req = F::rotated(update.req, turn);
        place.turn = turn;
        place.hit = hit ? 1 : 0;
        place.merge = hit ? Mask(req & ~occ) : Mask(0);
        place.merge_idx = hit ? idx : sc_uint<F::IdxBits>(0);
        place.open = req & ~place.merge;
        if (place.merge != 0) {  // R9
          place.lanes = occ | place.merge;
          place.data = update.data > data ? update.data : data;
        }
        if (place.open != 0) {
          place.open_idx = opened ? offer.second : offer.first;  // R7
          opened = true;
        }
        if (update.waits == 0) {  // R2
          if (!hit) {             // R5
            bool recent = recent_q.read()[set];
            if (first.valid != 0 && first.at / 2 == set) recent = first.at[0];
            way = free_way != 2 ? free_way : recent ? 0 : 1;
            place.evict = free_way == 2 ? 1 : 0;
          }
          next.valid = 1;
          next.at = 2 * set + way;
          next.pc = update.pc;
          next.cta = update.cta;
          next.occ = place.open != 0 ? place.open : sc_uint<F::Lanes>(occ | req);  // R4, R3
          next.idx = place.open != 0 ? place.open_idx : place.merge_idx;
          next.data = place.open != 0 ? update.data : place.data;
        }
      }
      if (k == 0) first = next;
      place_o[k].write(place);
      write[k].write(next);
    }
  }

  /// The first stage; what the second one writes in this cycle is found, too.
  void search() {
    const Release release = release_i.read();
    const Update none;
    Update update_d[2];
    for (unsigned k = 0; k < 2; ++k) {
      update_d[k] = update_i[k].read();
      std::uint64_t match = 0;
      Match match_d = 0;
      Set set_d = 0;
      if (update_d[k].req == 0) {
        update_d[k] = none;
      } else {
        for (unsigned e = 0; e < Entries; ++e) {
          const Entry entry = entry_q[e].read();
          match |= std::uint64_t(is_of(entry, update_d[k])) << e;
        }
        match_d = match;
        for (unsigned j = 0; j < 2; ++j) {
          if (write[j].read().valid != 0) {
            const Update before = update_o[j].read();
            match_d[write[j].read().at] = one_key(update_d[k], before);
          }
        }
        set_d = set_of(update_d[k].pc, update_d[k].cta);
        if (release.valid != 0 && release.cta == update_d[k].cta) update_d[k].waits = 0;
      }
      update_o[k].write(update_d[k]);
      match_q[k].write(match_d);
      set_q[k].write(set_d);
    }
    same_q.write(update_d[0].req != 0 && update_d[1].req != 0 && one_key(update_d[0], update_d[1]));
    idle_o.write(update_d[0].req == 0 && update_d[1].req == 0);
  }

  HEDDLE_CLOCKED(step) {
    const Entry blank;
    if (!rst_ni.read()) {
      for (unsigned e = 0; e < Entries; ++e) entry_q[e].write(blank);
      recent_q.write(0);
      const Update none;
      for (unsigned k = 0; k < 2; ++k) {
        update_o[k].write(none);
        match_q[k].write(0);
        set_q[k].write(0);
      }
      same_q.write(false);
      idle_o.write(true);
    } else {
      search();
      const Issue issue = issue_i.read();
      if (issue.valid != 0) {
        for (unsigned e = 0; e < Entries; ++e) {
          const Entry entry = entry_q[e].read();
          if (entry.occ != 0 && gone(entry, issue)) entry_q[e].write(blank);  // R6
        }
      }
      sc_uint<Sets> recent_d = recent_q.read();
      for (unsigned k = 0; k < 2; ++k) {
        if (write[k].read().valid != 0) {
          const Write next = write[k].read();
          Entry entry;
          entry.pc = next.pc;
          entry.occ = next.occ;
          entry.idx = next.idx;
          entry.cta = next.cta;
          entry.data = next.data;
          entry_q[next.at].write(entry);
          recent_d[next.at / 2] = next.at[0];
        }
      }
      recent_q.write(recent_d);
    }
  }
};

}  // namespace heddle
