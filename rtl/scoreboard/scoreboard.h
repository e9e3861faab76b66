// Scoreboard: for each warp, the registers with a write under way, so that no instruction issues before what it reads
// or overwrites is there (DPE sec. 3.2; DESIGN 6.3).
//
// What   head_left_i[w], head_right_i[w]  Head     registers of the instructions that want to issue
//        hazard_o[w]                      Hazard   why they must wait; zero: they may issue
//        grant_i                          Grant    the head of this slot issues: its destination is pending from now on
//        release_i                        Release  a write is done: of register `id`, by an instruction of side `right`;
//                                                  or, for the lanes on the other side, a part of it
//        status_i                         Status   `moved`: warps whose lanes changed side (the rest is not used)
// Kinds  Shadow = true: a left and a right set of Entries a warp, each {S, P, id, wide}: P pending, S pending and of
//        interest to the other side, because lanes changed side since it was issued.
//        Shadow = false, the baseline: one set of Entries a warp for both sides, each {P, id, wide}.
// Rules  R1..R10, README.md.
// Time   hazard_o follows the heads and the state after the last edge, in the same cycle. grant_i, release_i and
//        status_i.moved of cycle n are in hazard_o in cycle n+1. Always idle: it changes only with one of these three.
// Cost   asked from the inventory: Warps x Sets x Entries x (11 + Shadow) bits, 10 + Shadow of them the paper's.
// Twin   scoreboard.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/refusal.h"
#include "rtl/scoreboard/scoreboard_query.h"

namespace heddle {

using sc_core::sc_signal;

/// The write of register `id` by an instruction of this warp is done; `right` tells on which side it issued. A part of
/// it (DPE sec. 7.2): it is under way for lanes of that side alone.
template <unsigned WarpBits>
struct ScoreboardRelease {
  sc_uint<1> valid;
  sc_uint<WarpBits> warp;
  sc_uint<1> right;  // Side
  sc_uint<1> part;   // only for lanes that are on the other side now
  sc_uint<RegisterId::Bits> id;
  HEDDLE_RECORD(ScoreboardRelease, valid, warp, right, part, id)
};

template <class Flow, unsigned Entries, bool Shadow>
class scoreboard : public sc_core::sc_module {
 public:
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  using Head = ScoreboardHead;
  using Hazard = ScoreboardHazard;
  using Release = ScoreboardRelease<Flow::WarpBits>;
  using Rules = ScoreboardRules<Shadow>;
  using Entry = typename Rules::Entry;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;
  static constexpr unsigned Sets = Shadow ? 2 : 1;
  static constexpr unsigned PerWarp = Sets * Entries;
  static_assert(Entries >= 1, "without an entry nothing with a destination ever issues");

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_in<Head>> head_left_i{"head_left_i", Warps};
  sc_core::sc_vector<sc_in<Head>> head_right_i{"head_right_i", Warps};
  sc_in<Grant> grant_i{"grant_i"};
  sc_in<Release> release_i{"release_i"};
  sc_in<Status> status_i{"status_i"};
  sc_core::sc_vector<sc_out<Hazard>> hazard_o{"hazard_o", Warps};

  SC_CTOR(scoreboard) {
    for (unsigned w = 0; w < Warps; ++w) {
      query[w].head_left_i(head_left_i[w]);
      query[w].head_right_i(head_right_i[w]);
      query[w].hazard_o(hazard_o[w]);
      for (unsigned e = 0; e < PerWarp; ++e) query[w].entry_i[e](entry_q[w * PerWarp + e]);
    }
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "head_left_i", head_left_i);
    probe(*this, "head_right_i", head_right_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "release_i", release_i);
    probe(*this, "status_i", status_i);
    probe(*this, "hazard_o", hazard_o);
    declare(*this, "entry_q", entry_q,
            {Storage::Cam, paper_fields("s,p,id"), "DPE sec. 3.2, Fig. 5", "1R1W, 10 searches"});
  }

 private:
  static constexpr unsigned Nowhere = Warps * PerWarp;

  /// Entry e of warp w is at w * PerWarp + e; the left set comes first.
  sc_core::sc_vector<sc_signal<Entry>> entry_q{"entry_q", Warps* PerWarp};
  sc_core::sc_vector<scoreboard_query<Entries, Shadow>> query{"query", Warps};

  /// First entry of the set that tracks this side of the warp.
  static unsigned set_of(unsigned warp, bool right) { return warp * PerWarp + (Shadow && right ? Entries : 0); }

  /// R6. Where the pending write that is done stands; Nowhere: there is none.
  unsigned released_by(const Release& release) {
    unsigned at = Nowhere;
    if (release.valid != 0 && release.warp < Warps) {
      unsigned set = set_of(release.warp, release.right != 0);
      for (unsigned e = 0; e < Entries; ++e) {
        if (Rules::pending(entry_q[set + e].read(), release.id)) at = set + e;
      }
    }
    return at;
  }

  /// The first free entry of the set that tracks this side; Nowhere: none is free.
  unsigned room_for(unsigned warp, bool right) {
    unsigned at = Nowhere;
    unsigned set = set_of(warp, right);
    for (unsigned e = 0; e < Entries; ++e) {
      if (at == Nowhere && Rules::free(entry_q[set + e].read())) at = set + e;
    }
    return at;
  }

  HEDDLE_CLOCKED(step) {
    Entry blank;
    if (!rst_ni.read()) {
      for (unsigned i = 0; i < Warps * PerWarp; ++i) entry_q[i].write(blank);
    } else {
      // R6: the write that is done frees its entry.
      const unsigned named = released_by(release_i.read());
      const bool part = release_i.read().part != 0;
      const unsigned released = part ? Nowhere : named;
      if (released != Nowhere) entry_q[released].write(blank);

      // R7: then the instruction that issues marks its destination pending.
      const bool granted = grant_i.read().valid != 0;
      unsigned allocated = Nowhere;
      Entry fresh;
      bool may = true;
      if (granted) {
        const Grant grant = grant_i.read();
        may = grant.warp < Warps;
        if (may) {
          const bool right = grant.right != 0;
          const Hazard hazard = hazard_o[grant.warp].read();
          Head head;
          if (right) {
            head = head_right_i[grant.warp].read();
            may = hazard.own_right == 0 && hazard.shadow_right == 0 && hazard.full_right == 0;
          } else {
            head = head_left_i[grant.warp].read();
            may = hazard.own_left == 0 && hazard.shadow_left == 0 && hazard.full_left == 0;
          }
          if (may && head.d != RegisterId::None) {
            allocated = room_for(grant.warp, right);
            fresh.id = head.d;
            fresh.wide = head.d_wide;
            fresh.p = 1;
            entry_q[allocated].write(fresh);
          }
        }
      }

      // R8: then, where lanes changed side, every pending write is of interest to both sides.
      if constexpr (Shadow) {
        const sc_uint<Warps> moved = status_i.read().moved;
        if (moved != 0) {
          for (unsigned w = 0; w < Warps; ++w) {
            if (moved[w]) {
              for (unsigned e = 0; e < PerWarp; ++e) {
                const unsigned at = w * PerWarp + e;
                Entry next = entry_q[at].read();
                if (at == allocated) next = fresh;
                if (at == released) next = blank;
                next.s = next.p;
                entry_q[at].write(next);
              }
            }
          }
        }
        // R10: a part of a write is done, and lanes of the other side wait for it no more.
        if (part && named != Nowhere) {
          Entry next = entry_q[named].read();
          next.s = 0;
          entry_q[named].write(next);
        }
      }

      if (!may) {
        HEDDLE_REPORT(SC_REPORT_ERROR("scoreboard/illegal",
                                      refusal(name(), grant_i.read().warp, "grant of a head that must wait").c_str()));
      }
      if (release_i.read().valid != 0 && named == Nowhere) {
        HEDDLE_REPORT(SC_REPORT_ERROR(
            "scoreboard/illegal",
            refusal(name(), release_i.read().warp, "release of a register that is not pending").c_str()));
      }
    }
  }
};

}  // namespace heddle
