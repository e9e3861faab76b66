// SPDX-License-Identifier: Apache-2.0
// Issue logic (DWF sec. 4.3): which warp of the pool goes to the pipeline.
//
// What   update_i[k], place_i[k]    Update, Placement  what enters the pool in this cycle; k = 0, 1, in this order
//        release_i                  Release    a CTA's barrier opens
//        departed_i                            lanes of the warp that was issued in the last cycle, as the pool shows it
//        ready_i                               the pipeline can take a warp
//        issue_o                    Issue      the entry that is issued in this cycle
//        drain_o                               a warp found no slot in the last cycle but one: it is uncounted
//        idle_o                                while nothing enters and nothing is released, all stays as it is
// Kinds  Policy: Majority, Minority, TimeStamp, PostDominatorPriority, ProgramCounter. Slots: entries of the table that
//        all but TimeStamp have.
// Rules  R1 With ready_i, the warp that was picked is issued; the next one is picked in that cycle. What opened in cycle n
//           can be picked in n+2.
//        R2 A warp that opens gets the slot of its key, or a free one: Majority, Minority, ProgramCounter: its PC.
//           PostDominatorPriority: its data, as it opens. The slot that is aimed at is, of those with warps: Majority the
//           first, Minority the last of the table; the others: the one with the least key. TimeStamp has a list of warps
//           as they opened.
//        R3 Of the slot's warps the first at or after the turn, which is the entry after the one picked last; so, too,
//           of the uncounted ones.
//        R4 Majority and Minority count the threads of each slot: those that open a warp, that join one which is counted,
//           and those issued. Two neighbours out of order change places, pairs in turn: so the order is approximate.
//        R5 Majority: once a warp of the current PC is picked, the current PC stays until it has none left.
//        R6 Warps that open at the barrier wait until its release; then they are uncounted.
//        R7 Uncounted warps go before a current PC that is not begun, and so before all where none ever is.
//        R8 A warp whose key finds no slot is uncounted, and threads that join it are not counted: it drains.
// Time   search in cycle n, table in n+1, pick from n+2 on, issue_o from n+3 on.
// Cost   asked from the inventory: the paper counts Slots x (PcBits + TidBits) for Majority, and nothing for the
//        others.
// Twin   issue_logic.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/each_set.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

/// First stage: a warp that opens.
template <class F>
struct IssueArrival {
  sc_uint<1> opens;
  sc_uint<F::IdxBits> idx;
  sc_uint<1> waits;  // at the barrier
  sc_uint<F::CtaBits> cta;
  HEDDLE_RECORD(IssueArrival, opens, idx, waits, cta)
};

/// First stage: its key, and the slot that has it.
template <unsigned KeyBits, unsigned SlotBits>
struct IssueSearch {
  sc_uint<KeyBits> key;
  sc_uint<1> known;
  sc_uint<SlotBits> id;
  HEDDLE_RECORD(IssueSearch, key, known, id)
};

/// First stage: threads that come.
template <class F>
struct IssueArriving {
  static constexpr unsigned Bits = count_bits(F::Lanes);
  sc_uint<1> joins;  // a warp that is counted
  sc_uint<Bits> merging;
  sc_uint<Bits> opening;
  HEDDLE_RECORD(IssueArriving, joins, merging, opening)
};

/// A slot of the table, free when the count is 0 (without counts: when it has no warps).
template <class F, unsigned KeyBits, unsigned SlotBits>
struct IssueSlot {
  sc_uint<KeyBits> key;
  sc_uint<F::CountBits> count;  // threads in the pool, until what is issued has been taken off
  sc_uint<F::CountBits> warps;  // that can be picked
  sc_uint<SlotBits> id;         // what warps know it by; it moves with it
  HEDDLE_RECORD(IssueSlot, key, count, warps, id)
};

/// The slot whose warps are picked next.
template <unsigned SlotBits>
struct IssueAim {
  sc_uint<SlotBits> id;
  sc_uint<1> valid;
  sc_uint<1> begun;  // a warp of it has been picked since it was chosen; but for Majority: never
  HEDDLE_RECORD(IssueAim, id, valid, begun)
};

/// A warp in the pool: the CTA at whose barrier it waits, and the slot that it has.
template <class F, unsigned SlotBits>
struct IssueEntry {
  sc_uint<F::CtaBits> cta;
  sc_uint<SlotBits> slot;
  HEDDLE_RECORD(IssueEntry, cta, slot)
};

/// Bits of a word in which sets of n entries are kept: the most that divide n, 64 at most.
constexpr unsigned entry_word_bits(unsigned n) {
  unsigned bits = 64;
  while (n % bits != 0) --bits;
  return bits;
}

/// The warp that was picked.
template <class F, unsigned SlotBits>
struct IssueNext {
  sc_uint<1> valid;
  sc_uint<F::IdxBits> idx;
  sc_uint<1> counted;
  sc_uint<SlotBits> id;
  HEDDLE_RECORD(IssueNext, valid, idx, counted, id)
};

/// Threads that have left a slot, to be taken off.
template <class F, unsigned SlotBits>
struct IssueGone {
  sc_uint<count_bits(F::Lanes)> threads;
  sc_uint<SlotBits> id;
  HEDDLE_RECORD(IssueGone, threads, id)
};

template <class F, Policy Order, unsigned Slots>
class issue_logic : public sc_core::sc_module {
  static_assert(Slots >= 1 && Slots <= 64, "slots of the table: 1 to 64");

 public:
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Release = typename F::Release;
  using Issue = typename F::Issue;
  using Idx = typename F::Idx;
  static constexpr unsigned Threads = F::Threads, LaneCount = F::Lanes;
  static constexpr bool Counts = Order == Policy::Majority || Order == Policy::Minority;
  static constexpr bool Ages = Order == Policy::TimeStamp;
  static constexpr bool Keys = !Counts && !Ages;
  static constexpr unsigned SlotBits = index_bits(Slots),
                            KeyBits = Order == Policy::PostDominatorPriority ? F::DataBits : F::PcBits;
  using SlotId = sc_uint<SlotBits>;
  using Arrival = IssueArrival<F>;
  using Search = IssueSearch<KeyBits, SlotBits>;
  using Arriving = IssueArriving<F>;
  using Slot = IssueSlot<F, KeyBits, SlotBits>;
  using Current = IssueAim<SlotBits>;
  using Entry = IssueEntry<F, SlotBits>;
  using Next = IssueNext<F, SlotBits>;
  using Gone = IssueGone<F, SlotBits>;
  static constexpr unsigned WordBits = entry_word_bits(Threads), Words = Threads / WordBits;
  using Word = sc_uint<WordBits>;  ///< of a set of entries: entry i is bit i % WordBits of word i / WordBits
  using Bits = std::uint64_t;      ///< a word, or a set of slots

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_in<sc_uint<F::Lanes>> departed_i{"departed_i"};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_out<Issue> issue_o{"issue_o"};
  sc_core::sc_out<bool> drain_o{"drain_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(issue_logic) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(show);
    sensitive << ready_i << next_q;
    probe(*this, "update_i", update_i);
    probe(*this, "place_i", place_i);
    probe(*this, "release_i", release_i);
    probe(*this, "ready_i", ready_i);
    probe(*this, "issue_o", issue_o);
    declare(*this, "arrival_q", arrival_q,
            {Storage::Flop, paper_none(), "ours, warps on their way to the second stage"});
    declare(*this, "entry_q", entry_q,
            {Storage::Cam, paper_none(), "ours, which slot or barrier a warp belongs to", "1R3W, all seen",
             Ages ? "slot" : ""});
    declare(*this, "waits_q", waits_q, {Storage::Flop, paper_none(), "ours, entries whose warp waits at its barrier"});
    declare(*this, "uncounted_q", uncounted_q, {Storage::Flop, paper_none(), "ours, entries whose warp goes as it is"});
    declare(*this, "next_q", next_q,
            {Storage::Flop, paper_none(), "ours, the warp that was picked", "", Counts ? "" : "counted,id"});
    declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, round robin among equals"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
    if constexpr (!Ages) {
      declare(*this, "counted_q", counted_q, {Storage::Flop, paper_none(), "ours, entries whose warp has a slot"});
      declare(*this, "search_q", search_q, {Storage::Flop, paper_none(), "ours, what the search has found"});
      declare(*this, "slot_q", slot_q,
              {Storage::Cam,
               Order == Policy::Majority ? paper_fields("key,count:" + std::to_string(F::TidBits)) : paper_none(),
               "DWF Table 1, issue logic, 32 x {PC, counter}", "4R4W, 2 searches of key", Counts ? "" : "count,id"});
      declare(
          *this, "current_q", current_q,
          {Storage::Flop, paper_none(), "ours, the slot that is issued", "", Order == Policy::Majority ? "" : "begun"});
      declare(*this, "drain_o", drain_o, {Storage::Flop, paper_none(), "ours, a warp found no slot"});
      declare(*this, "same_q", same_q, {Storage::Flop, paper_none(), "ours, both have one key"});
    } else {
      probe(*this, "drain_o", drain_o);
      declare(*this, "order_q", order_q,
              {Storage::Ram, paper_none(), "ours, warps as they opened", "1R2W, write first"});
      declare(*this, "oldest_q", oldest_q, {Storage::Flop, paper_none(), "read port of order_q"});
      declare(*this, "head_q", head_q, {Storage::Flop, paper_none(), "ours, where the oldest is"});
      declare(*this, "tail_q", tail_q, {Storage::Flop, paper_none(), "ours, where the next one goes"});
      declare(*this, "length_q", length_q, {Storage::Flop, paper_none(), "ours, warps in the list"});
    }
    if constexpr (Counts) {
      declare(*this, "arriving_q", arriving_q, {Storage::Flop, paper_none(), "ours, threads that come"});
      declare(*this, "first_q", first_q, {Storage::Flop, paper_none(), "ours, the second joins what the first opens"});
      declare(*this, "departed_q", departed_q,
              {Storage::Flop, paper_none(), "ours, a warp that is counted was issued"});
      declare(*this, "left_id_q", left_id_q, {Storage::Flop, paper_none(), "ours, its slot"});
      declare(*this, "gone_q", gone_q, {Storage::Flop, paper_none(), "ours, its threads, to be taken off"});
      if constexpr (Slots > 1) {
        declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours, which pairs may change places"});
      }
    }
    if constexpr (Keys) {
      declare(*this, "less_q", less_q, {Storage::Flop, paper_none(), "ours, of two slots the one with the lesser key"});
    }
  }

  /// For benches, not hardware.
  const Slot& slot_of(unsigned s) const { return slot_q[s]; }
  struct Seen {
    bool waits, uncounted, counted;  // none: nothing that can be picked
  };
  Seen entry_of(unsigned idx) const { return {has(waits_q, idx), has(uncounted_q, idx), has(counted_q, idx)}; }
  /// The entry that goes when the pipeline is ready; Threads: none.
  unsigned picked() const { return next_q.read().valid != 0 ? unsigned(next_q.read().idx) : Threads; }

 private:
  Arrival arrival_q[2];
  Search search_q[2];
  bool same_q;
  Arriving arriving_q[2];
  bool first_q;
  Entry entry_q[Threads];
  Word waits_q[Words];      ///< at the barrier
  Word uncounted_q[Words];  ///< goes as it is
  Word counted_q[Words];    ///< has a slot
  Slot slot_q[Slots];
  bool phase_q;
  sc_uint<Slots> less_q[Slots];  ///< whose keys the key of slot s is less than
  Current current_q;
  Link<Next> next_q{"next_q"};
  Idx turn_q;
  bool departed_q;
  SlotId left_id_q;
  Gone gone_q;
  Idx order_q[Threads];
  Idx oldest_q, head_q, tail_q;
  typename F::Count length_q;

  /// What may be picked in an edge, and what is.
  struct Pick {
    bool any_uncounted, any_order;  // there are uncounted warps; there is a current PC, or a list of warps
    unsigned first_uncounted;       // R3
    bool issues, takes;             // R1: the warp that was picked goes; the next one is picked
    bool of_order;                  // R7: and that is of the current PC, or of the list
  };

  /// What the second stage finds for an update: whether it has a slot, which one, and whether that was free.
  struct Found {
    bool goes_on, has, allocates, fits;
    unsigned at, id;  // where the slot stands, and its number
  };

  /// A local array of records cannot have initialisers in place.
  static void clear(Found& found) {
    found.goes_on = false;
    found.has = false;
    found.allocates = false;
    found.fits = false;
    found.at = 0;
    found.id = 0;
  }

  void show() {
    const Next next = next_q.read();
    Issue issue;
    if (next.valid != 0 && ready_i.read()) {  // R1
      issue.valid = 1;
      issue.idx = next.idx;
    }
    issue_o.write(issue);
  }

  static unsigned after(unsigned at) { return at == Threads - 1 ? 0 : at + 1; }

  // ---- sets of entries ----
  static bool has(const Word (&set)[Words], unsigned idx) {
    return (Bits(set[idx / WordBits]) >> idx % WordBits & 1) != 0;
  }
  static void put(Word (&set)[Words], unsigned idx, bool in) {
    const unsigned word = idx / WordBits;
    const Bits bit = Bits(1) << idx % WordBits, others = set[word] & ~bit;
    set[word] = in ? others | bit : others;
  }

  /// The entry of word w that was picked before, if it is there.
  static Bits held(unsigned w, const Next& next) {
    return next.valid != 0 && next.idx / WordBits == w ? Bits(1) << next.idx % WordBits : Bits(0);
  }

  /// R3: the first entry of the set at or after the turn, else the first; Threads: it is empty.
  static unsigned first_in_turn(const Bits (&set)[Words], unsigned turn) {
    unsigned first = Threads, ahead = Threads;
    for (unsigned w = 0; w < Words; ++w) {
      const Bits entries = set[w];
      if (entries != 0 && first == Threads) first = w * WordBits + lowest_set(entries);
      Bits later = 0;
      if (w == turn / WordBits) later = entries >> turn % WordBits << turn % WordBits;
      if (w > turn / WordBits) later = entries;
      if (later != 0 && ahead == Threads) ahead = w * WordBits + lowest_set(later);
    }
    return ahead != Threads ? ahead : first;
  }

  // ---- sets of slots ----
  static constexpr Bits AllSlots = ~Bits(0) >> (64 - Slots), OddSlots = 0xaaaaaaaaaaaaaaaa;

  bool in_use(unsigned s) const { return Counts ? slot_q[s].count != 0 : slot_q[s].warps != 0; }

  Bits slots_in_use() const {
    Bits used = 0;
    for (unsigned s = Slots; s != 0; --s) used = used << 1 | Bits(in_use(s - 1));
    return used;
  }

  Bits slots_with_warps(Bits used) const {
    Bits with_warps = 0;
    HEDDLE_EACH_SET(s, Slots, used) with_warps |= Bits(slot_q[s].warps != 0) << s;
    return with_warps;
  }

  /// Where the slot of this number stands: they move where threads are counted.
  unsigned place_of(const SlotId& id) const {
    unsigned at = id;
    if constexpr (Counts) {
      for (unsigned s = 0; s < Slots; ++s) {
        if (slot_q[s].id == id) at = s;
      }
    }
    return at;
  }

  // ---- the pick ----
  /// R3: of the current PC's warps, but for the one that was picked before.
  unsigned first_of_current(const Next& next) {
    Bits matching[Words];
    for (unsigned w = 0; w < Words; ++w) {
      matching[w] = 0;
      const Bits counted = counted_q[w] & ~held(w, next);
      HEDDLE_EACH_SET(b, WordBits, counted) {
        if (entry_q[w * WordBits + b].slot == current_q.id) matching[w] |= Bits(1) << b;
      }
    }
    return first_in_turn(matching, turn_q);
  }

  /// R7: uncounted warps go before a current PC that is not begun, and so before all where none ever is.
  bool goes_by_order(const Pick& pick) const { return pick.any_order && (current_q.begun != 0 || !pick.any_uncounted); }

  /// R1, R3, R7: what may be picked beside the warp that was picked before.
  void look(const Next& next, Pick& pick) const {
    Bits uncounted[Words];
    for (unsigned w = 0; w < Words; ++w) uncounted[w] = uncounted_q[w] & ~held(w, next);
    pick.first_uncounted = first_in_turn(uncounted, turn_q);
    pick.any_uncounted = pick.first_uncounted != Threads;
    pick.any_order = Ages ? length_q != 0 : current_q.valid != 0;
    pick.issues = next.valid != 0 && ready_i.read();
    pick.takes = next.valid == 0 || pick.issues;
    pick.of_order = pick.takes && goes_by_order(pick);
  }

  /// R1: the next warp is picked, where there is one. R3: the turn goes on.
  void pick_next(const Next& next, const Pick& pick) {
    Next picked;
    if (pick.any_order || pick.any_uncounted) {
      picked.valid = 1;
      if (!pick.of_order)
        picked.idx = pick.first_uncounted;
      else if (Ages)
        picked.idx = oldest_q;
      else
        picked.idx = first_of_current(next);
      if (Counts && pick.of_order) {
        picked.counted = 1;
        picked.id = current_q.id;
      }
      turn_q = after(picked.idx);
    }
    next_q.write(picked);
  }

  // ---- second stage ----
  /// R2: a warp that opens gets the slot of its key, or a free one. R6: at its barrier it waits.
  void find(const Release& release, Bits used, Found (&found)[2]) {
    Bits free = AllSlots & ~used;
    for (unsigned k = 0; k < 2; ++k) {
      clear(found[k]);
      found[k].at = search_q[k].known != 0 ? place_of(search_q[k].id) : 0;
      if (search_q[k].known != 0) free &= ~(Bits(1) << found[k].at);
    }
    for (unsigned k = 0; k < 2; ++k) {
      const bool stays = arrival_q[k].waits != 0 && !(release.valid != 0 && release.cta == arrival_q[k].cta);
      found[k].goes_on = arrival_q[k].opens != 0 && !stays;
      found[k].has = search_q[k].known != 0;
      found[k].id = search_q[k].id;
      if (!found[k].has) {
        if (k == 1 && same_q && found[0].has) {
          found[k].has = true;
          found[k].id = found[0].id;
          found[k].at = found[0].at;
        } else if (free != 0) {
          found[k].at = lowest_set(free);
          found[k].id = slot_q[found[k].at].id;
          found[k].allocates = found[k].goes_on;
          found[k].has = found[k].goes_on;
          if (found[k].goes_on) free &= free - 1;
        }
      }
      found[k].fits = found[k].goes_on && (Ages || found[k].has);
    }
  }

  /// R8: a warp whose key finds no slot is uncounted.
  static bool drains(const Found (&found)[2]) {
    return !Ages && ((found[0].goes_on && !found[0].has) || (found[1].goes_on && !found[1].has));
  }

  // ---- first stage: what it finds out, from the state at the start of this cycle ----
  /// R2: the slot of each update's key; whether both updates have one key.
  bool search(Bits used, const Found (&found)[2], Search (&next_search)[2]) {
    bool come[2];
    for (unsigned k = 0; k < 2; ++k) {
      const Search nothing;
      next_search[k] = nothing;
      come[k] = update_i[k].read().req != 0;
      if (come[k]) {
        if constexpr (Order == Policy::PostDominatorPriority)
          next_search[k].key = update_i[k].read().data;
        else
          next_search[k].key = update_i[k].read().pc;
        HEDDLE_EACH_SET(s, Slots, used) {
          if (slot_q[s].key == next_search[k].key) {
            next_search[k].known = 1;
            next_search[k].id = slot_q[s].id;
          }
        }
        for (unsigned j = 0; j < 2; ++j) {  // what the second stage does at this moment
          if (found[j].has && search_q[j].key == next_search[k].key) {
            next_search[k].known = 1;
            next_search[k].id = found[j].id;
          }
        }
      }
    }
    return come[0] && come[1] && next_search[0].key == next_search[1].key;
  }

  /// R4, R8: threads that come; whether the second update's join the warp that the first one opens.
  bool count_newcomers(const Found (&found)[2], Arriving (&next_arriving)[2]) {
    const Arriving nobody;
    Placement place[2];
    for (unsigned k = 0; k < 2; ++k) {
      next_arriving[k] = nobody;
      if (place_i[k].read().merge != 0 || place_i[k].read().open != 0) {
        place[k] = place_i[k].read();
        bool joins = false;
        if (place[k].merge_idx < Threads) joins = has(counted_q, place[k].merge_idx);
        for (unsigned j = 0; j < 2; ++j) {
          if (arrival_q[j].opens != 0 && arrival_q[j].idx == place[k].merge_idx) joins = found[j].fits;
        }
        const unsigned merging = count_set(place[k].merge), opening = count_set(place[k].open);
        next_arriving[k].joins = place[k].merge != 0 && joins ? 1 : 0;
        next_arriving[k].merging = merging;
        next_arriving[k].opening = opening;
      }
    }
    const bool first_d = place[1].merge != 0 && place[0].open != 0 && place[1].merge_idx == place[0].open_idx;
    if (first_d) next_arriving[1].joins = 0;
    return first_d;
  }

  // ---- the table ----
  /// R2: a slot has a warp more for each that gets it, and one less where one is picked.
  void give_slots(bool picks, unsigned is_current, const Found (&found)[2]) {
    for (unsigned k = 0; k < 2; ++k) {
      if (found[k].fits) {
        const unsigned s = found[k].at;
        slot_q[s].warps = slot_q[s].warps + 1;
        if (found[k].allocates) slot_q[s].key = search_q[k].key;
      }
    }
    if (picks) slot_q[is_current].warps = slot_q[is_current].warps - 1;
  }

  /// R4: which neighbours are out of order, by the one that stands first.
  Bits find_disorder(Bits used) const {
    Bits disorder = 0;
    HEDDLE_EACH_SET(s, Slots - 1, used >> 1) disorder |= Bits(slot_q[s].count < slot_q[s + 1].count) << s;
    return disorder;
  }

  /// R4: threads are counted, and of the pairs that are out of order those change places whose turn it is.
  void count_threads(const Found (&found)[2], Bits swaps) {
    for (unsigned k = 0; k < 2; ++k) {
      const bool joins = arriving_q[k].joins != 0 || (k == 1 && first_q && found[0].fits);
      unsigned threads = 0;
      if (joins) threads = arriving_q[k].merging;
      if (found[k].fits) threads = threads + unsigned(arriving_q[k].opening);
      if (threads != 0) {
        const unsigned s = found[k].at;
        slot_q[s].count = slot_q[s].count + threads;
      }
    }
    if (gone_q.threads != 0) {
      const unsigned s = place_of(gone_q.id);
      slot_q[s].count = slot_q[s].count - gone_q.threads;
    }
    HEDDLE_EACH_SET(s, Slots - 1, swaps) {
      const Slot kept = slot_q[s];
      slot_q[s] = slot_q[s + 1];
      slot_q[s + 1] = kept;
    }
  }

  /// R2: the keys of the slots that are taken, against all others.
  void order_keys(const Found (&found)[2]) {
    for (unsigned k = 0; k < 2; ++k) {
      if (found[k].allocates) {
        const unsigned target = found[k].id;
        Bits row = 0;
        for (unsigned s = 0; s < Slots; ++s) {
          row |= Bits(slot_q[target].key < slot_q[s].key) << s;
          less_q[s][target] = slot_q[s].key < slot_q[target].key;
        }
        less_q[target] = row;
      }
    }
  }

  /// R5: Majority keeps a current PC that is begun until it has no warp left.
  bool keeps_current(bool picks, unsigned is_current, Bits eligible) const {
    const bool has_more = (eligible >> is_current & 1) != 0;
    return Order == Policy::Majority && current_q.valid != 0 && (current_q.begun != 0 || picks) && has_more;
  }

  /// R2: the current PC of the next cycle, from the table as it is; `picks`: a warp of this one, at `is_current`, goes.
  void choose_current(bool picks, unsigned is_current, Bits with_warps) {
    Bits eligible = with_warps;
    if (picks && slot_q[is_current].warps == 1) eligible &= ~(Bits(1) << is_current);
    Bits best = eligible;  // Majority: the first of them
    if constexpr (Keys) { HEDDLE_EACH_SET(s, Slots, eligible) best &= ~Bits(less_q[s]); }
    Current current_d;
    if (keeps_current(picks, is_current, eligible)) {
      current_d = current_q;
      current_d.begun = 1;
    } else if (best != 0) {
      current_d.id = slot_q[Order == Policy::Minority ? highest_set(best) : lowest_set(best)].id;
      current_d.valid = 1;
    }
    current_q = current_d;
  }

  /// R2, Time Stamp: warps as they opened.
  void keep_list(bool pops, const Found (&found)[2]) {
    for (unsigned k = 0; k < 2; ++k) {
      if (found[k].goes_on) {
        order_q[tail_q] = arrival_q[k].idx;
        tail_q = after(tail_q);
        length_q = length_q + 1;
      }
    }
    if (pops) {
      head_q = after(head_q);
      length_q = length_q - 1;
    }
    oldest_q = order_q[head_q];  // write first
  }

  /// What the edge leaves of the table, and of both stages. Neighbours that are out of order are in `disorder`.
  void step_table(const Pick& pick, const Found (&found)[2], Bits used, Bits with_warps, Bits disorder) {
    Search next_search[2];
    Arriving next_arriving[2];
    same_q = search(used, found, next_search);
    bool first_d = false;
    if constexpr (Counts) first_d = count_newcomers(found, next_arriving);
    unsigned is_current = place_of(current_q.id);  // what is picked is of this slot
    choose_current(pick.of_order, is_current, with_warps);
    give_slots(pick.of_order, is_current, found);
    if constexpr (Counts) count_threads(found, disorder & (phase_q ? OddSlots : ~OddSlots));
    if constexpr (Keys) order_keys(found);
    for (unsigned k = 0; k < 2; ++k) {
      search_q[k] = next_search[k];
      if constexpr (Counts) arriving_q[k] = next_arriving[k];
    }
    first_q = first_d;
    phase_q = phase_q != (disorder != 0);
  }

  // ---- entries ----
  /// R1: the warp that is issued leaves.
  void leave(const Next& next) {
    put(uncounted_q, next.idx, false);
    put(counted_q, next.idx, false);
  }

  /// R6: what waits at the barrier of the CTA is uncounted.
  void open_barrier(const Release& release) {
    for (unsigned w = 0; w < Words; ++w) {
      Bits freed = 0;
      HEDDLE_EACH_SET(b, WordBits, waits_q[w]) {
        if (entry_q[w * WordBits + b].cta == release.cta) freed |= Bits(1) << b;
      }
      waits_q[w] = waits_q[w] & ~freed;
      uncounted_q[w] = uncounted_q[w] | freed;
    }
  }

  /// A warp that has opened waits (R6), is uncounted (R8) or has a slot (R2).
  void enter(const Found (&found)[2]) {
    for (unsigned k = 0; k < 2; ++k) {
      if (arrival_q[k].opens != 0) {
        const unsigned idx = arrival_q[k].idx;
        entry_q[idx].cta = arrival_q[k].cta;
        entry_q[idx].slot = found[k].id;
        put(waits_q, idx, !found[k].goes_on);
        put(uncounted_q, idx, found[k].goes_on && !found[k].fits);
        put(counted_q, idx, !Ages && found[k].fits);
      }
    }
  }

  /// R4: what is issued comes off when the pool has shown its lanes.
  void take_off(const Next& next, const Pick& pick) {
    Gone gone;
    if (departed_q) { gone.threads = count_set(departed_i.read()); }
    gone.id = left_id_q;
    gone_q = gone;
    departed_q = pick.issues && next.counted != 0;
    left_id_q = pick.issues ? next.id : SlotId(0);
  }

  /// Warps that open. R6: those at a barrier that is released in this cycle need not wait.
  void arrive(const Release& release) {
    for (unsigned k = 0; k < 2; ++k) {
      Arrival arrival;
      if (place_i[k].read().open != 0) {
        const Update update = update_i[k].read();
        arrival.opens = 1;
        arrival.idx = place_i[k].read().open_idx;
        arrival.waits = update.waits != 0 && !(release.valid != 0 && release.cta == update.cta) ? 1 : 0;
        arrival.cta = update.cta;
      }
      arrival_q[k] = arrival;
    }
  }

  // ---- an edge ----
  void reset() {
    const Arrival arrival;
    const Search nothing;
    const Arriving nobody;
    const Entry blank;
    const Current current_d;
    const Next next;
    const Gone gone;
    for (unsigned k = 0; k < 2; ++k) {
      arrival_q[k] = arrival;
      search_q[k] = nothing;
      arriving_q[k] = nobody;
    }
    for (unsigned i = 0; i < Threads; ++i) entry_q[i] = blank;
    for (unsigned w = 0; w < Words; ++w) {
      waits_q[w] = 0;
      uncounted_q[w] = 0;
      counted_q[w] = 0;
    }
    for (unsigned s = 0; s < Slots; ++s) {
      Slot slot;
      slot.id = s;
      slot_q[s] = slot;
      less_q[s] = 0;
    }
    same_q = false;
    first_q = false;
    phase_q = false;
    departed_q = false;
    left_id_q = 0;
    gone_q = gone;
    current_q = current_d;
    next_q.write(next);
    turn_q = 0;
    head_q = 0;
    tail_q = 0;
    length_q = 0;
    drain_o.write(false);
    idle_o.write(true);
  }

  /// Nothing is on its way, nothing can be picked, and the table is in order.
  bool is_idle(const Release& release, const Next& next, const Pick& pick, Bits with_warps, Bits disorder) const {
    bool idle = !release.valid && next.valid == 0 && !pick.any_uncounted && !pick.any_order;
    for (unsigned k = 0; k < 2; ++k) {
      if (update_i[k].read().req != 0 || arrival_q[k].opens != 0) idle = false;
      if (Counts && arriving_q[k].joins != 0) idle = false;
    }
    if constexpr (Counts) {
      if (disorder != 0 || departed_q || gone_q.threads != 0 || first_q) idle = false;
    }
    if constexpr (!Ages) {
      if (with_warps != 0) idle = false;
    }
    return idle;
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      reset();
    } else {
      Release release = release_i.read();
      Next next = next_q.read();
      Pick pick;
      Found found[2];
      look(next, pick);
      if (pick.takes) pick_next(next, pick);
      Bits used = slots_in_use(), with_warps = slots_with_warps(used), disorder = 0;
      find(release, used, found);
      if constexpr (Counts) disorder = find_disorder(used);
      idle_o.write(is_idle(release, next, pick, with_warps, disorder));
      drain_o.write(drains(found));
      if constexpr (Ages) {
        keep_list(pick.of_order, found);
      } else {
        step_table(pick, found, used, with_warps, disorder);
      }
      if (pick.issues) leave(next);
      if (release.valid != 0) open_barrier(release);
      enter(found);
      take_off(next, pick);
      arrive(release);
    }
  }
};

}  // namespace heddle
