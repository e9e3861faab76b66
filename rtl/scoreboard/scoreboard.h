// SPDX-License-Identifier: Apache-2.0
// Scoreboard: for each warp, the registers with a write under way, so that no instruction issues before what it reads
// or overwrites is there (DPE sec. 3.2; DESIGN 6.3).
//
// What   head_left_i[w], head_right_i[w]  Head     registers of the instructions that want to issue
//        hazard_o[w]                      Hazard   why they must wait; zero: they may issue
//        grant_i                          Grant    the head of this slot issues: its destination is pending from now on
//        decode_i                         Grant    words come to this slot: in the next cycle it may have another head
//        flush_i                          Slots    slots that lose their words: no head in the next cycle, but for
//                                                  decode_i
//        release_i                        Release  a write is done: of register `id`, by an instruction of side `right`;
//                                                  or, for the lanes on the other side, a part of it
//        status_i                         Status   `lanes_moved`: warps whose lanes changed side (the rest is not used)
// Kinds  Shadow = true: a left and a right set of Entries a warp, each {S, P, id, wide}: P pending, S pending and of
//        interest to the other side, because lanes changed side since it was issued.
//        Shadow = false, the baseline: one set of Entries a warp for both sides, each {P, id, wide}.
//        AtDecode = true: a head is compared with the entries of its warp in the first cycle in which it stands, at most
//        two heads a cycle, and a mask of those that it names is kept; afterwards only with what its sibling issues.
//        AtDecode = false: every head is compared with every entry of its warp in every cycle. The answers are the same.
// Rules  R1..R12, README.md.
// Time   hazard_o follows the heads and the state after the last edge, in the same cycle. grant_i, release_i and
//        status_i.moved of cycle n are in hazard_o in cycle n+1. Always idle: it changes only with one of these three,
//        and with decode_i, flush_i and the heads that they announce.
// Cost   asked from the inventory: Warps x Sets x Entries x (11 + Shadow) bits, 10 + Shadow of them the paper's; with
//        AtDecode a mask a head, all ours.
// Twin   scoreboard.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/link.h"
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

/// Where heads are compared at decode: the answer to those that have been, one bit a warp; of the edge before, the slot
/// whose head was issued and the one that got words, whose heads are compared now with all entries of their warp; and
/// the entry that was allocated, with which the sibling of the first is compared.
template <unsigned Warps, unsigned WarpBits, unsigned PerWarp>
struct ScoreboardTurn {
  sc_uint<Warps> own_left;
  sc_uint<Warps> shadow_left;
  sc_uint<Warps> full_left;
  sc_uint<Warps> own_right;
  sc_uint<Warps> shadow_right;
  sc_uint<Warps> full_right;
  sc_uint<1> issued;
  sc_uint<WarpBits> issued_warp;
  sc_uint<1> issued_right;  // Side
  sc_uint<1> decoded;
  sc_uint<WarpBits> decoded_warp;
  sc_uint<1> decoded_right;
  sc_uint<PerWarp> allocated;  // one bit, or none
  sc_uint<RegisterId::Bits> id;
  sc_uint<1> wide;
  HEDDLE_RECORD(ScoreboardTurn, own_left, shadow_left, full_left, own_right, shadow_right, full_right, issued,
                issued_warp, issued_right, decoded, decoded_warp, decoded_right, allocated, id, wide)
};

template <class Flow, unsigned Entries, bool Shadow, bool AtDecode = true>
class scoreboard : public sc_core::sc_module {
 public:
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  using Head = ScoreboardHead;
  using Hazard = ScoreboardHazard;
  using Release = ScoreboardRelease<Flow::WarpBits>;
  using Rules = ScoreboardRules;
  using Entry = ScoreboardEntry;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;
  static constexpr bool HearsOfHeads = AtDecode;
  using Masks = ScoreboardMasks<Entries, Shadow>;
  static constexpr unsigned PerWarp = Masks::PerWarp;
  using Turn = ScoreboardTurn<Warps, Flow::WarpBits, PerWarp>;
  using Mask = sc_uint<PerWarp>;  // a bit an entry of a warp
  static_assert(PerWarp <= 64, "a mask of the entries of a warp is one field");
  static_assert(Entries >= 1, "without an entry nothing with a destination ever issues");

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_in<Head>> head_left_i{"head_left_i", Warps};
  sc_core::sc_vector<sc_in<Head>> head_right_i{"head_right_i", Warps};
  sc_in<Grant> grant_i{"grant_i"};
  sc_in<Grant> decode_i{"decode_i"};
  sc_in<Slots> flush_i{"flush_i"};
  sc_in<Release> release_i{"release_i"};
  sc_in<Status> status_i{"status_i"};
  sc_core::sc_vector<sc_out<Hazard>> hazard_o{"hazard_o", Warps};

  SC_CTOR(scoreboard) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "head_left_i", head_left_i);
    probe(*this, "head_right_i", head_right_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "decode_i", decode_i);
    probe(*this, "flush_i", flush_i);
    probe(*this, "release_i", release_i);
    probe(*this, "status_i", status_i);
    probe(*this, "hazard_o", hazard_o);
    declare(*this, "entry_q", entry_q,
            {Storage::Cam, paper_fields("id"), "DPE sec. 3.2, Fig. 5, registers with a write under way",
             AtDecode ? "1W, 12 searches" : "1W, 10 searches a warp"});
    declare(*this, "pending_q", pending_q, {Storage::Flop, paper_all(), "DPE sec. 3.2, P of the entries of a warp"});
    if constexpr (Shadow)
      declare(*this, "shadow_q", shadow_q, {Storage::Flop, paper_all(), "DPE sec. 3.2, S of the entries of a warp"});
    if constexpr (AtDecode) {
      SC_METHOD(compare);
      sensitive << turn_q;
      for (unsigned w = 0; w < Warps; ++w) sensitive << head_left_i[w] << head_right_i[w];
      for (unsigned w = 0; w < Warps; ++w) sensitive << pending_q[w] << shadow_q[w];
      for (unsigned i = 0; i < Warps * PerWarp; ++i) sensitive << entry_q[i];
      declare(*this, "named_left_q", named_left_q,
              {Storage::Flop, paper_none(), "ours, entries that the left head of a warp names"});
      declare(*this, "named_right_q", named_right_q,
              {Storage::Flop, paper_none(), "ours, entries that the right head of a warp names"});
      declare(*this, "known_q", known_q, {Storage::Flop, paper_none(), "ours, slots whose head has been compared"});
      declare(*this, "turn_q", turn_q,
              {Storage::Flop, paper_none(), "ours, the answer to heads that have been compared; heads to compare now",
               "", Shadow ? "" : "shadow_left,shadow_right"});
    } else {
      for (unsigned w = 0; w < Warps; ++w) {
        query[w].head_left_i(head_left_i[w]);
        query[w].head_right_i(head_right_i[w]);
        query[w].pending_i(pending_q[w]);
        query[w].shadow_i(shadow_q[w]);
        query[w].hazard_o(hazard_o[w]);
        for (unsigned e = 0; e < PerWarp; ++e) query[w].entry_i[e](entry_q[w * PerWarp + e]);
      }
    }
  }

  static constexpr unsigned Queries = AtDecode ? 0 : Warps;
  /// Not AtDecode.
  sc_core::sc_vector<scoreboard_query<Entries, Shadow>> query{"query", Queries};

 private:
  /// Entry e of warp w is at w * PerWarp + e; the left set comes first. Not reset: what is not pending says nothing.
  sc_core::sc_vector<Link<Entry>> entry_q{"entry_q", Warps* PerWarp};
  sc_core::sc_vector<Link<Mask>> pending_q{"pending_q", Warps};
  sc_core::sc_vector<Link<Mask>> shadow_q{"shadow_q", Warps};  // with Shadow; a part of pending_q

  // AtDecode. What a head names says nothing where it is not known. Not reset.
  Mask named_left_q[Warps];
  Mask named_right_q[Warps];
  Slots known_q;
  sc_signal<Turn> turn_q{"turn_q"};

  /// Why the heads of one side must wait, a bit a warp.
  struct Answers {
    std::uint64_t own = 0, shadow = 0, full = 0;
  };

  // What the head of a slot does.
  bool issues(unsigned warp, bool right) {
    return grant_i.read().valid != 0 && grant_i.read().warp == warp && (grant_i.read().right != 0) == right;
  }
  bool writes(unsigned warp, bool right) {
    return (right ? head_right_i[warp].read().d : head_left_i[warp].read().d) != RegisterId::None;
  }
  /// What it writes, as an entry has it.
  Entry destination(unsigned warp, bool right) {
    Entry entry;
    if (right) {
      entry.id = head_right_i[warp].read().d;
      entry.wide = head_right_i[warp].read().d_wide;
    } else {
      entry.id = head_left_i[warp].read().d;
      entry.wide = head_left_i[warp].read().d_wide;
    }
    return entry;
  }
  bool names(unsigned warp, bool right, const Entry& entry) {
    Head head;
    if (right)
      head = head_right_i[warp].read();
    else
      head = head_left_i[warp].read();
    return Rules::names(head, entry);
  }
  /// Pending entries that it names.
  std::uint64_t search(unsigned warp, bool right) {
    const std::uint64_t pending = pending_q[warp].read();
    std::uint64_t named = 0;
    for (unsigned e = 0; e < PerWarp; ++e) {
      if ((pending >> e & 1) != 0) {
        const Entry entry = entry_q[warp * PerWarp + e].read();
        if (names(warp, right, entry)) named |= std::uint64_t(1) << e;
      }
    }
    return named;
  }

  /// R12: the entry that was allocated beside this head, if it names it.
  std::uint64_t added(unsigned warp, bool right) {
    const Turn turn = turn_q.read();
    Entry entry;
    entry.id = turn.id;
    entry.wide = turn.wide;
    const bool sibling_names = turn.allocated != 0 && names(warp, right, entry);
    return sibling_names ? std::uint64_t(turn.allocated) : 0;
  }

  // Those that have been given before.
  static Answers left_answers(const Turn& turn) {
    Answers answers;
    answers.own = turn.own_left;
    answers.shadow = turn.shadow_left;
    answers.full = turn.full_left;
    return answers;
  }
  static Answers right_answers(const Turn& turn) {
    Answers answers;
    answers.own = turn.own_right;
    answers.shadow = turn.shadow_right;
    answers.full = turn.full_right;
    return answers;
  }

  /// R3, R4, R5: what the head of a slot waits for that names these entries, beside what it waits for already.
  void wait_too(Answers& answers, unsigned warp, bool right, std::uint64_t named, std::uint64_t pending,
                std::uint64_t shadow) {
    const std::uint64_t bit = std::uint64_t(1) << warp;
    answers.full &= ~bit;
    if (Masks::own(named, pending, right)) answers.own |= bit;
    if (Masks::shadowed(named, shadow, right)) answers.shadow |= bit;
    if (Masks::full(pending, right) && writes(warp, right)) answers.full |= bit;
  }

  /// The same, and nothing else.
  void answer(Answers& answers, unsigned warp, bool right, std::uint64_t named, std::uint64_t pending,
              std::uint64_t shadow) {
    const std::uint64_t bit = std::uint64_t(1) << warp;
    answers.own &= ~bit;
    answers.shadow &= ~bit;
    wait_too(answers, warp, right, named, pending, shadow);
  }

  /// AtDecode: heads that have been compared have their answer, the others are compared now.
  void compare() {
    const Turn turn = turn_q.read();
    Answers left = left_answers(turn), right = right_answers(turn);
    if (turn.issued != 0) {
      unsigned w = turn.issued_warp;
      const std::uint64_t pending = pending_q[w].read(), shadow = shadow_q[w].read();
      // R11 for one side; R12: the other one waits for what it has waited for, and for what is new.
      std::uint64_t named_left = 0, named_right = 0;
      if (turn.issued_right != 0) {
        named_left = added(w, false);
        named_right = search(w, true);
        wait_too(left, w, false, named_left, pending, shadow);
        answer(right, w, true, named_right, pending, shadow);
      } else {
        named_left = search(w, false);
        named_right = added(w, true);
        answer(left, w, false, named_left, pending, shadow);
        wait_too(right, w, true, named_right, pending, shadow);
      }
    }
    if (turn.decoded != 0) {  // R11
      unsigned w = turn.decoded_warp;
      const std::uint64_t pending = pending_q[w].read(), shadow = shadow_q[w].read();
      std::uint64_t decoded_names = 0;
      if (turn.decoded_right != 0) {
        decoded_names = search(w, true);
        answer(right, w, true, decoded_names, pending, shadow);
      } else {
        decoded_names = search(w, false);
        answer(left, w, false, decoded_names, pending, shadow);
      }
    }
    for (unsigned w = 0; w < Warps; ++w) {
      Hazard hazard;
      hazard.own_left = left.own >> w & 1;
      hazard.shadow_left = left.shadow >> w & 1;
      hazard.full_left = left.full >> w & 1;
      hazard.own_right = right.own >> w & 1;
      hazard.shadow_right = right.shadow >> w & 1;
      hazard.full_right = right.full >> w & 1;
      hazard_o[w].write(hazard);
    }
  }

  bool may_issue(unsigned warp, bool right) {
    const Hazard hazard = hazard_o[warp].read();
    return right ? (hazard.own_right | hazard.shadow_right | hazard.full_right) == 0
                 : (hazard.own_left | hazard.shadow_left | hazard.full_left) == 0;
  }

  /// R6. The pending entry that the release names, or none.
  std::uint64_t released_entry(const Release& release) {
    std::uint64_t released = 0;
    if (release.valid != 0 && release.warp < Warps) {
      const unsigned warp = release.warp;
      const std::uint64_t set = pending_q[warp].read() & Masks::own_of(release.right != 0);
      HEDDLE_EACH_SET(e, PerWarp, set) {
        const Entry entry = entry_q[warp * PerWarp + e].read();
        if (entry.id == release.id) released = std::uint64_t(1) << e;
      }
    }
    return released;
  }

  /// R11: the entries that the head of this slot names are kept, but of a head that issues now.
  void keep_searched(unsigned warp, bool right) {
    const std::uint64_t bit = std::uint64_t(1) << warp;
    if (right) {
      known_q.right = known_q.right | bit;
      if (!issues(warp, true)) named_right_q[warp] = search(warp, true);
    } else {
      known_q.left = known_q.left | bit;
      if (!issues(warp, false)) named_left_q[warp] = search(warp, false);
    }
  }

  /// AtDecode: what was compared in this cycle is kept; R11, R12. The warps of these heads.
  std::uint64_t keep() {
    const Turn turn = turn_q.read();
    std::uint64_t warps = 0;
    if (turn.issued != 0) {
      unsigned w = turn.issued_warp;
      warps |= std::uint64_t(1) << w;
      if (turn.issued_right != 0) {
        keep_searched(w, true);
        named_left_q[w] = (named_left_q[w] & ~std::uint64_t(turn.allocated)) | added(w, false);
      } else {
        keep_searched(w, false);
        named_right_q[w] = (named_right_q[w] & ~std::uint64_t(turn.allocated)) | added(w, true);
      }
    }
    if (turn.decoded != 0) {
      unsigned w = turn.decoded_warp;
      warps |= std::uint64_t(1) << w;
      keep_searched(w, turn.decoded_right != 0);
    }
    known_q.left = known_q.left & ~std::uint64_t(flush_i.read().left);
    known_q.right = known_q.right & ~std::uint64_t(flush_i.read().right);
    return warps;
  }

  /// R6: P of a warp after this edge, but for what is allocated in it.
  std::uint64_t pending_after(unsigned warp, std::uint64_t released) {
    std::uint64_t pending = pending_q[warp].read();
    if (release_i.read().warp == warp && release_i.read().part == 0) pending &= ~released;
    return pending;
  }

  /// R6, R8, R10: S.
  std::uint64_t shadowed_after(unsigned warp, std::uint64_t pending, std::uint64_t released) {
    std::uint64_t shadow = shadow_q[warp].read();
    if ((status_i.read().lanes_moved >> warp & 1) != 0) shadow = pending;
    if (release_i.read().warp == warp) shadow &= ~released;
    return shadow;
  }

  /// AtDecode: the answer to heads that have been compared, after this edge. What is allocated is not looked at: both
  /// heads of that warp are compared in the next cycle, to which `turn_d` goes.
  void judge(std::uint64_t warps, std::uint64_t released, Turn& turn_d) {
    const Turn turn = turn_q.read();
    Answers left = left_answers(turn), right = right_answers(turn);
    HEDDLE_EACH_SET(w, Warps, warps) {
      std::uint64_t pending = pending_after(w, released), shadow = 0;
      if constexpr (Shadow) shadow = shadowed_after(w, pending, released);
      answer(left, w, false, named_left_q[w], pending, shadow);
      answer(right, w, true, named_right_q[w], pending, shadow);
    }
    turn_d.own_left = known_q.left & left.own;
    turn_d.shadow_left = known_q.left & left.shadow;
    turn_d.full_left = known_q.left & left.full;
    turn_d.own_right = known_q.right & right.own;
    turn_d.shadow_right = known_q.right & right.shadow;
    turn_d.full_right = known_q.right & right.full;
  }

  /// AtDecode: what is compared in the next cycle, where the head that issues, if any, has allocated `taken`.
  void follow(std::uint64_t released, std::uint64_t taken) {
    Turn turn_d;
    const Grant grant = grant_i.read(), decode = decode_i.read();
    std::uint64_t warps = keep();
    if constexpr (Shadow) warps |= status_i.read().lanes_moved;
    if (released != 0) warps |= std::uint64_t(1) << unsigned(release_i.read().warp);
    judge(warps, released, turn_d);
    if (grant.valid != 0 && grant.warp < Warps) {
      turn_d.issued = 1;
      turn_d.issued_warp = grant.warp;
      turn_d.issued_right = grant.right;
    }
    if (taken != 0) {
      const Entry entry = destination(grant.warp, grant.right != 0);
      turn_d.allocated = taken;
      turn_d.id = entry.id;
      turn_d.wide = entry.wide;
    }
    if (decode.valid != 0 && decode.warp < Warps) {
      turn_d.decoded = 1;
      turn_d.decoded_warp = decode.warp;
      turn_d.decoded_right = decode.right;
    }
    turn_q.write(turn_d);
  }

  /// R7: the destination of the head that issues takes the first entry that was free; which, or none.
  std::uint64_t allocate(unsigned warp, bool right) {
    std::uint64_t taken = 0;
    if (writes(warp, right)) {
      const std::uint64_t is_free = Masks::own_of(right) & ~std::uint64_t(pending_q[warp].read());
      taken = is_free & (~is_free + 1);
      const unsigned e = lowest_set(taken);
      const Entry entry = destination(warp, right);
      entry_q[warp * PerWarp + e].write(entry);
    }
    return taken;
  }

  /// R9. `may`: what was granted is not refused.
  void refuse(bool may, std::uint64_t released) {
    if (decode_i.read().valid != 0 && decode_i.read().warp >= Warps) {
      HEDDLE_REPORT(SC_REPORT_ERROR(
          "scoreboard/illegal", refusal(name(), decode_i.read().warp, "words for a warp that is not there").c_str()));
    }
    if (!may) {
      HEDDLE_REPORT(SC_REPORT_ERROR("scoreboard/illegal",
                                    refusal(name(), grant_i.read().warp, "grant of a head that must wait").c_str()));
    }
    if (release_i.read().valid != 0 && released == 0) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("scoreboard/illegal",
                          refusal(name(), release_i.read().warp, "release of a register that is not pending").c_str()));
    }
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      for (unsigned w = 0; w < Warps; ++w) {
        pending_q[w].write(0);
        shadow_q[w].write(0);
      }
      if constexpr (AtDecode) {
        Turn turn_d;
        known_q.left = 0;
        known_q.right = 0;
        turn_q.write(turn_d);
      }
    } else {
      // R6, R10: the entry of the write that is done, or of which a part is.
      std::uint64_t released = released_entry(release_i.read());
      std::uint64_t lanes_moved = 0;
      if constexpr (Shadow) lanes_moved = status_i.read().lanes_moved;
      std::uint64_t touched = lanes_moved;
      if (released != 0) touched |= std::uint64_t(1) << unsigned(release_i.read().warp);
      const std::uint64_t changes_shadow = touched;  // what is allocated changes P alone

      // R7
      const Grant grant = grant_i.read();
      bool may = true;
      std::uint64_t taken = 0;
      if (grant.valid != 0) {
        const unsigned warp = grant.warp;
        const bool right = grant.right != 0;
        may = warp < Warps;
        if (may) may = may_issue(warp, right);
        if (may) taken = allocate(warp, right);
        if (taken != 0) touched |= std::uint64_t(1) << warp;
      }

      // R8: in a warp whose lanes changed side, every write that is pending then is of interest to both sides.
      HEDDLE_EACH_SET(w, Warps, touched) {
        std::uint64_t pending = pending_after(w, released), added = 0;
        if (w == grant.warp) added = taken;
        if (Shadow && (changes_shadow >> w & 1) != 0) {
          std::uint64_t shadow = shadowed_after(w, pending, released);
          if ((lanes_moved >> w & 1) != 0) shadow |= added;
          shadow_q[w].write(shadow);
        }
        pending |= added;
        pending_q[w].write(pending);
      }
      if constexpr (AtDecode) follow(released, taken);

      refuse(may, released);
    }
  }
};

}  // namespace heddle
