// SPDX-License-Identifier: Apache-2.0
// Convergence barriers (SR sec. 2, 4): for each warp barrier registers that hold masks of participating threads, and
// for each thread a PC and a state. A group of ready threads with equal PC is picked and shown as the warp's left path.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h, and those of barrier_operation.h. Rules R1..R18
//        are stated in README.md and cited below where the code obeys them.
// Time   An operation of cycle n takes the pick from the warp in cycle n+1 (but for Join, Save and Arrive, which keep
//        it). The warp is settled in stages, one warp at a time: it is taken in hand in cycle n+1, or later when other
//        warps wait too; barriers clear in n+2, the leader is found in n+3, its group in n+4, and shows in n+5. Largest
//        and LowestPc look at one group after the other, two cycles each, and show the best a cycle later. All that
//        settling does to the warp, it does in its last edge.
// State  PCs of threads that are not picked are a memory, a row a warp, with one write port (lane enables) and one read
//        port, which reset does not clear: nothing of a thread that was never picked is read. The rest is in flops: the
//        warps', and what the stages know of the warp in hand.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   convergence_barrier.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"
#include "rtl/convergence_barrier/barrier_operation.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Barriers, Picker Policy>
class convergence_barrier : public sc_core::sc_module {
 public:
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Pc = typename Flow::Pc;
  using Mask = typename Flow::Mask;
  using Barrier = BarrierFlow<Warps, Lanes, Barriers>;
  using Request = typename Barrier::BarrierRequest;
  using Answer = typename Barrier::BarrierAnswer;
  using Release = typename Barrier::BarrierRelease;
  using Count = sc_uint<1>;
  static constexpr unsigned WarpBits = Flow::WarpBits, LaneBits = index_bits(Lanes), CountBits = count_bits(Lanes);
  static constexpr unsigned BarrierBits = Barrier::BarrierBits;
  /// R13: picks that a yielded thread lets pass at most.
  static constexpr unsigned Patience = 4 * Lanes;
  /// R16: of so many picks of the largest group or the lowest PC the last goes to the oldest.
  static constexpr unsigned Fair = 4;
  static constexpr bool Ages = Policy == Picker::Largest || Policy == Picker::LowestPc;

  /// Largest and LowestPc look at each group of a warp.
  static constexpr bool Walks = Ages;
  /// What a settlement does in this cycle with the warp in hand: none, or
  static constexpr unsigned None = 0;
  static constexpr unsigned Clear = 1;  // R11, R12: barriers
  static constexpr unsigned Lead = 2;   // R15, R16: a lane
  static constexpr unsigned Group = 3;  // R15: and who is with it

  /// The lanes of a warp by state; a lane in none of them has exited, or never was.
  struct Threads {
    sc_uint<Lanes> ready;    // picked ones too
    sc_uint<Lanes> blocked;  // at on_q
    sc_uint<Lanes> yielded;
    sc_uint<Lanes> synced;  // at on_q
    sc_uint<Lanes> parked;  // at a CTA barrier
    HEDDLE_RECORD(Threads, ready, blocked, yielded, synced, parked)
  };

  /// R9, R10: what Save or Arrive asked, until it is counted.
  struct Asked {
    sc_uint<1> valid;
    sc_uint<1> arrives;
    sc_uint<WarpBits> warp;
    sc_uint<Lanes> mask;
    sc_uint<Lanes> threshold;
    HEDDLE_RECORD(Asked, valid, arrives, warp, mask, threshold)
  };

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Grant> grant_i{"grant_i"};
  sc_core::sc_in<Slots> held_i{"held_i"};
  sc_core::sc_in<Resolve> resolve_i{"resolve_i"};
  sc_core::sc_in<Request> barrier_i{"barrier_i"};
  sc_core::sc_vector<sc_core::sc_in<Pc>> targets_i{"targets_i", Lanes};
  sc_core::sc_in<sc_uint<Warps>> busy_i{"busy_i"};
  sc_core::sc_vector<sc_core::sc_out<Path>> left_o{"left_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Path>> right_o{"right_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Count>> depth_o{"depth_o", Warps};
  sc_core::sc_out<Status> status_o{"status_o"};
  sc_core::sc_out<Answer> answer_o{"answer_o"};
  sc_core::sc_out<Release> release_o{"release_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(convergence_barrier) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    probe(*this, "barrier_i", barrier_i);
    probe(*this, "targets_i", targets_i);
    probe(*this, "busy_i", busy_i);
    declare(*this, "mask_q", mask_q, {Storage::Flop, paper_all(), "SR sec. 2, barrier registers"});
    declare(*this, "pc_q", pc_q, {Storage::Ram, paper_all(), "SR sec. 2, a PC a thread", "1R1W, read first"});
    declare(*this, "word_q", word_q, {Storage::Flop, paper_none(), "read port of pc_q"});
    // Four states are two bits a thread; the one-hot code has a third, and two states more.
    declare(*this, "threads_q", threads_q,
            {Storage::Flop, paper_fields("ready,blocked"), "SR sec. 2, state of a thread"});
    declare(*this, "on_q", on_q, {Storage::Flop, paper_all(), "SR sec. 2, the barrier that a thread waits on"});
    declare(*this, "left_o", left_o, {Storage::Flop, paper_none(), "ours, the group that is picked"});
    declare(*this, "rank_q", rank_q, {Storage::Flop, paper_none(), "ours, 0: the lane that was picked longest ago"});
    declare(*this, "sat_q", sat_q, {Storage::Flop, paper_none(), "ours, picks that yielded threads let pass"});
    if constexpr (Ages) {
      declare(*this, "fair_q", fair_q, {Storage::Flop, paper_none(), "ours, picks until the oldest has its turn"});
    }
    if constexpr (Policy == Picker::RoundRobin) {
      declare(*this, "next_q", next_q, {Storage::Flop, paper_none(), "ours, the lane that is asked first"});
    }
    declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours, how far the settlement is"});
    declare(*this, "hand_q", hand_q, {Storage::Flop, paper_none(), "ours, the warp in hand"});
    declare(*this, "sort_warp_q", sort_warp_q, {Storage::Flop, paper_none(), "ours, whose ranks change"});
    declare(*this, "hand_threads_q", hand_threads_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    declare(*this, "hand_mask_q", hand_mask_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    declare(*this, "hand_on_q", hand_on_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    declare(*this, "hand_rank_q", hand_rank_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    declare(*this, "hand_sat_q", hand_sat_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    if constexpr (Ages) {
      declare(*this, "hand_fair_q", hand_fair_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
    }
    if constexpr (Policy == Picker::RoundRobin) {
      declare(*this, "hand_next_q", hand_next_q, {Storage::Flop, paper_none(), "ours, of the warp in hand"});
      declare(*this, "lead_q", lead_q, {Storage::Flop, paper_none(), "ours, the lane whose turn it is"});
    }
    declare(*this, "rest_q", rest_q, {Storage::Flop, paper_none(), "ours, lanes that may lead"});
    declare(*this, "lead_pc_q", lead_pc_q, {Storage::Flop, paper_none(), "ours, PC of the group that is looked at"});
    declare(*this, "first_on_q", first_on_q,
            {Storage::Flop, paper_none(), "ours, the barrier of the lane that waited longest"});
    if constexpr (Walks) {
      declare(*this, "group_q", group_q, {Storage::Flop, paper_none(), "ours, the group that is looked at"});
      declare(*this, "best_q", best_q, {Storage::Flop, paper_none(), "ours, the best group so far"});
      declare(*this, "best_pc_q", best_pc_q, {Storage::Flop, paper_none(), "ours, and its PC"});
    }
    if constexpr (Policy == Picker::Largest) {
      declare(*this, "most_q", most_q, {Storage::Flop, paper_none(), "ours, and how many they are"});
    }
    declare(*this, "sort_q", sort_q,
            {Storage::Flop, paper_none(), "ours, ranks change: 1, counted; 2, found; 3, written"});
    declare(*this, "sort_group_q", sort_group_q, {Storage::Flop, paper_none(), "ours, the lanes that were picked"});
    declare(*this, "sort_rank_q", sort_rank_q, {Storage::Flop, paper_none(), "ours, the ranks before"});
    declare(*this, "lower_q", lower_q, {Storage::Flop, paper_none(), "ours, picked lanes below each rank"});
    declare(*this, "below_q", below_q, {Storage::Flop, paper_none(), "ours, picked lanes below each lane's rank"});
    declare(*this, "others_q", others_q, {Storage::Flop, paper_none(), "ours, lanes that were not picked"});
    declare(*this, "asked_q", asked_q, {Storage::Flop, paper_none(), "ours, Save or Arrive before the count"});
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, the warp has threads"});
    declare(*this, "status_o", status_o,
            {Storage::Flop, paper_none(), "ours, what the last edge did", "", "valid_right,fresh_right,moved"});
    declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, warps that wait to be settled"});
    declare(*this, "stuck_q", stuck_q, {Storage::Flop, paper_none(), "ours, warps that wait until they are not busy"});
    if constexpr (Warps > 1) {
      declare(*this, "last_q", last_q, {Storage::Flop, paper_none(), "ours, round robin over the warps"});
    }
    declare(*this, "answer_o", answer_o, {Storage::Flop, paper_none(), "ours, what Save and Arrive return"});
    declare(*this, "release_o", release_o, {Storage::Flop, paper_none(), "ours, releases and their number"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware.
  const Threads& threads(unsigned warp) const { return threads_q[warp]; }
  Mask participants(unsigned warp, unsigned barrier) const { return mask_q[warp][barrier]; }
  unsigned waits_on(unsigned warp, unsigned lane) const { return on_q[warp][lane]; }
  Pc pc_of(unsigned warp, unsigned lane) const {
    const Path pick = left_o[warp].read();
    return (pick.mask >> lane & 1) != 0 ? pick.pc : pc_q[warp][lane];
  }

 private:
  using Bits = sc_dt::uint64;  // one a lane, or one a warp
  static constexpr Bits AllLanes = ~Bits(0) >> (64 - Lanes);

  Mask mask_q[Warps][Barriers];
  Pc pc_q[Warps][Lanes];
  Pc word_q[Lanes];
  Threads threads_q[Warps];
  sc_uint<BarrierBits> on_q[Warps][Lanes];
  sc_uint<LaneBits> rank_q[Warps][Lanes];
  sc_uint<count_bits(Patience)> sat_q[Warps];
  sc_uint<index_bits(Fair)> fair_q[Warps];
  sc_uint<LaneBits> next_q[Warps];
  sc_uint<Warps> turn_q;
  sc_uint<Warps> stuck_q;
  sc_uint<WarpBits> last_q;
  Asked asked_q;

  // The warp in hand: as it was taken, from Lead on with its barriers cleared
  sc_uint<2> phase_q;
  sc_uint<WarpBits> hand_q;
  Threads hand_threads_q;
  Mask hand_mask_q[Barriers];
  sc_uint<BarrierBits> hand_on_q[Lanes];
  sc_uint<LaneBits> hand_rank_q[Lanes];
  sc_uint<count_bits(Patience)> hand_sat_q;
  sc_uint<index_bits(Fair)> hand_fair_q;
  sc_uint<LaneBits> hand_next_q;
  Mask rest_q;
  sc_uint<LaneBits> lead_q;
  Pc lead_pc_q;
  sc_uint<BarrierBits> first_on_q;
  Mask group_q;
  Mask best_q;
  Pc best_pc_q;
  sc_uint<CountBits> most_q;

  // Ranks of the warp that was picked last, in the three cycles after the pick
  sc_uint<2> sort_q;
  sc_uint<WarpBits> sort_warp_q;
  Mask sort_group_q;
  sc_uint<LaneBits> sort_rank_q[Lanes];
  sc_uint<CountBits> lower_q[Lanes];  // by rank
  sc_uint<CountBits> below_q[Lanes];  // by lane
  sc_uint<CountBits> others_q;

  static unsigned ones(Bits bits) {
    unsigned n = 0;
    for (unsigned i = 0; i < Lanes; ++i) n += unsigned(bits >> i & 1);
    return n;
  }
  static Bits live(const Threads& t) { return t.ready | t.blocked | t.yielded | t.synced | t.parked; }

  /// The lanes of `some` that wait on a barrier.
  Bits on(unsigned warp, unsigned barrier, Bits some) const {
    Bits lanes = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (on_q[warp][l] == barrier) lanes |= Bits(1) << l;
    }
    return lanes & some;
  }

  /// R14, R16: the lane in hand of `some` that was picked longest ago.
  unsigned oldest(Bits some) const {
    unsigned lane = 0, least = Lanes;
    for (unsigned l = 0; l < Lanes; ++l) {
      const unsigned rank = hand_rank_q[l];
      if ((some >> l & 1) != 0 && rank < least) {
        least = rank;
        lane = l;
      }
    }
    return lane;
  }

  /// The lanes in hand of `some` with this PC.
  Bits at(Bits some, const Pc& pc) const {
    Bits group = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if ((some >> l & 1) != 0 && word_q[l] == pc) group |= Bits(1) << l;
    }
    return group;
  }

  /// First stage, R11 to R13: barriers clear, lanes wake.
  void clear() {
    const Threads t = hand_threads_q;
    Bits waits[Barriers];
    Bits ready = t.ready, blocked = t.blocked, yielded = t.yielded, synced = t.synced;
    for (unsigned k = 0; k < Barriers; ++k) waits[k] = 0;
    if ((t.blocked | t.synced) != 0) {
      for (unsigned l = 0; l < Lanes; ++l) {
        if (((t.blocked | t.synced) >> l & 1) != 0) waits[hand_on_q[l]] |= Bits(1) << l;
      }
      for (unsigned k = 0; k < Barriers; ++k) {
        const Bits mask = hand_mask_q[k];
        const Bits here = waits[k] & t.blocked, met = waits[k] & t.synced;
        Bits woken = 0;
        if (here != 0 && (mask & ~(here | t.yielded)) == 0) woken |= here;  // R11
        if (met != 0 && (mask & ~met) == 0) woken |= met;                   // R12
        hand_mask_q[k] = mask & ~woken;
        ready |= woken;
        blocked &= ~woken;
        synced &= ~woken;
      }
    }
    if (ready == 0 || hand_sat_q == Patience) {  // R13
      ready |= yielded;
      yielded = 0;
    }
    Threads next;
    next.ready = ready;
    next.blocked = blocked;
    next.yielded = yielded;
    next.synced = synced;
    next.parked = t.parked;
    hand_threads_q = next;
    rest_q = ready != 0 ? ready : blocked;
    if (Walks) {
      group_q = 0;
      best_q = 0;
      best_pc_q = 0;
    }
    if (Policy == Picker::Largest) most_q = 0;
  }

  /// R16: it is the turn of the lane that was picked longest ago.
  bool oldest_turn() const {
    return Policy == Picker::Oldest || (Ages && hand_fair_q == Fair - 1) || hand_threads_q.ready == 0;
  }

  /// Whether the group that was looked at is better than the best before.
  bool better() const {
    return Policy == Picker::Largest ? ones(group_q) > most_q : group_q != 0 && (best_q == 0 || lead_pc_q < best_pc_q);
  }

  /// Second stage, R15: a lane of the group that is looked at; the group before is compared.
  void lead() {
    const Bits rest = rest_q;
    const unsigned eldest = oldest(rest);
    unsigned lane = eldest;
    if (!oldest_turn()) lane = Policy == Picker::RoundRobin ? first_from(rest, hand_next_q) : lowest_set(rest);
    if (Walks && better()) {
      if (Policy == Picker::Largest) most_q = ones(group_q);
      best_q = group_q;
      best_pc_q = lead_pc_q;
    }
    if (rest != 0) {
      lead_pc_q = word_q[lane];
      first_on_q = hand_on_q[eldest];
      if (Policy == Picker::RoundRobin) lead_q = lane;
    }
  }

  /// The picked lanes of the warp are now the ones picked last, in their order, behind the others: counted by rank,
  void count() {
    bool picked[Lanes];
    for (unsigned l = 0; l < Lanes; ++l) picked[unsigned(sort_rank_q[l])] = (sort_group_q >> l & 1) != 0;
    unsigned before = 0;
    for (unsigned i = 0; i < Lanes; ++i) {
      lower_q[i] = before;
      if (picked[i]) before = before + 1;
    }
  }
  /// found by lane,
  void find() {
    for (unsigned l = 0; l < Lanes; ++l) below_q[l] = lower_q[unsigned(sort_rank_q[l])];
    others_q = Lanes - ones(sort_group_q);
  }
  /// and written.
  void sort() {
    for (unsigned l = 0; l < Lanes; ++l) {
      const unsigned below = below_q[l];
      rank_q[sort_warp_q][l] = (sort_group_q >> l & 1) != 0 ? others_q + below : sort_rank_q[l] - below;
    }
  }

  HEDDLE_CLOCKED(step) {
    const Grant grant = grant_i.read();
    const Resolve resolve = resolve_i.read();
    const Request barrier = barrier_i.read();
    const bool resolves = resolve.op != unsigned(ResolveOp::None), asks = barrier.op != unsigned(BarrierOp::None);
    const unsigned granted = grant.warp;
    const unsigned warp = resolves ? unsigned(resolve.warp) : unsigned(barrier.warp);
    const Status was = status_o.read();
    const Release before = release_o.read();
    Bits valid = was.valid_left, fresh = 0, turn = turn_q, stuck = stuck_q;
    unsigned last = last_q;
    bool grant_illegal = false, resolve_illegal = false, barrier_illegal = false;
    const Bits busy = busy_i.read();
    const unsigned hand = hand_q, phase = phase_q;
    unsigned phase_d = phase;
    unsigned sort_d = sort_q == 0 || sort_q == 3 ? 0 : unsigned(sort_q) + 1;
    bool takes = false;  // a warp in hand, in this edge
    unsigned chosen = 0;
    Asked asked;
    Answer answer;
    Release release;
    release.count = before.count;

    if (!rst_ni.read()) {
      Path blank;
      Threads none;
      for (unsigned w = 0; w < Warps; ++w) {
        left_o[w].write(blank);
        right_o[w].write(blank);
        depth_o[w].write(0);
        threads_q[w] = none;
        sat_q[w] = 0;
        fair_q[w] = 0;
        next_q[w] = 0;
        for (unsigned k = 0; k < Barriers; ++k) mask_q[w][k] = 0;
        for (unsigned l = 0; l < Lanes; ++l) {
          on_q[w][l] = 0;
          rank_q[w][l] = l;
        }
      }
      valid = 0;
      turn = 0;
      stuck = 0;
      last = 0;
      release.count = 0;
      phase_d = None;
      sort_d = 0;
    } else {
      // R1: the advance of an issued path.
      const bool issued = grant.valid != 0 && grant.right == 0 && granted < Warps && (valid >> granted & 1) != 0;
      grant_illegal = grant.valid != 0 && !issued;  // R18
      if (issued && (held_i.read().left >> granted & 1) == 0) {
        Path next = left_o[granted].read();
        next.pc = next.pc + 1;
        left_o[granted].write(next);
      }

      // R2..R10: what an executed instruction does to the picked path, a launch, or the end of a CTA barrier.
      Bits opened = 0;
      if (resolves || asks) {
        const bool known = warp < Warps;
        const Bits bit = known ? Bits(1) << warp : 0;
        Path pick;
        Threads t;
        if (known) {
          pick = left_o[warp].read();
          t = threads_q[warp];
        }
        const Bits lanes = resolves ? Bits(resolve.lanes) : Bits(barrier.lanes);
        const unsigned index = barrier.index, source = barrier.source;
        const Pc fall = pick.pc + 1;
        const bool there = pick.mask != 0 && (lanes & ~Bits(pick.mask)) == 0 && !(issued && granted == warp);
        Bits elsewhere = 0;  // lanes that do not go to the next PC,
        Pc target;           // but here,
        bool apart = false;  // or each to its own target
        bool keeps = false;  // the path stays picked

        if (resolves) {
          barrier_illegal = asks;  // R18
          target = resolve.target;
          switch (unsigned(resolve.op)) {
            case unsigned(ResolveOp::Launch):  // R2
              resolve_illegal = !known || live(t) != 0 || lanes == 0;
              if (!resolve_illegal) {
                Path first;
                first.pc = resolve.target;
                first.mask = lanes;
                t.ready = lanes;
                threads_q[warp] = t;
                left_o[warp].write(first);
                depth_o[warp].write(1);
                valid |= bit;
                fresh |= bit;
              }
              break;
            case unsigned(ResolveOp::Branch):  // R3
              resolve_illegal = !there;
              elsewhere = lanes;
              break;
            case unsigned(ResolveOp::Exit):  // R4
              resolve_illegal = !there;
              if (there) {
                t.ready = t.ready & ~lanes;
                for (unsigned k = 0; k < Barriers; ++k) mask_q[warp][k] = mask_q[warp][k] & ~lanes;
              }
              break;
            default:  // R18: a call is a branch here, a return a jump
              resolve_illegal = true;
              break;
          }
        } else {
          barrier_illegal =
              !known || index >= Barriers || source >= Barriers || !(there || barrier.op == unsigned(BarrierOp::Open));
          target = pick.pc;
          if (!barrier_illegal) {
            const Mask mask = mask_q[warp][index];
            switch (unsigned(barrier.op)) {
              case unsigned(BarrierOp::Join):  // R5
                mask_q[warp][index] = mask | lanes;
                keeps = true;
                break;
              case unsigned(BarrierOp::Wait):  // R6
                t.blocked = t.blocked | (mask & lanes);
                t.ready = t.ready & ~(mask & lanes);
                break;
              case unsigned(BarrierOp::Cancel):  // R7
                mask_q[warp][index] = mask & ~lanes;
                break;
              case unsigned(BarrierOp::Yield):  // R13
                t.yielded = t.yielded | lanes;
                t.ready = t.ready & ~lanes;
                break;
              case unsigned(BarrierOp::Sync): {  // R8
                const Bits named = barrier.value & live(t);
                const Bits waiting = on(warp, index, t.blocked | t.synced);
                barrier_illegal = (lanes & ~Bits(barrier.value)) != 0;
                if (!barrier_illegal) {
                  if (waiting == 0 || ((waiting & t.blocked) == 0 && mask == named)) {
                    mask_q[warp][index] = named;
                    t.synced = t.synced | lanes;
                  } else {
                    t.yielded = t.yielded | lanes;
                    elsewhere = lanes;
                  }
                  t.ready = t.ready & ~lanes;
                }
                break;
              }
              case unsigned(BarrierOp::Save):  // R9
                asked.valid = 1;
                asked.mask = mask;
                keeps = true;
                break;
              case unsigned(BarrierOp::Restore):  // R9
                mask_q[warp][index] = barrier.value & live(t);
                break;
              case unsigned(BarrierOp::Copy):  // R9
                mask_q[warp][index] = mask_q[warp][source];
                break;
              case unsigned(BarrierOp::Take): {  // R9
                const Mask taken = mask_q[warp][source];
                mask_q[warp][source] = 0;
                mask_q[warp][index] = taken;
                break;
              }
              case unsigned(BarrierOp::Arrive): {  // R10
                mask_q[warp][index] = mask | lanes;
                asked.valid = 1;
                asked.arrives = 1;
                asked.mask = mask | lanes;
                asked.threshold = barrier.value;
                keeps = true;
                break;
              }
              case unsigned(BarrierOp::Jump):  // R3
                elsewhere = lanes;
                apart = true;
                break;
              case unsigned(BarrierOp::Park):  // R17
                t.parked = t.parked | lanes;
                t.ready = t.ready & ~lanes;
                break;
              case unsigned(BarrierOp::Open):  // R17
                opened = bit;
                if (t.parked != 0 && pick.mask == 0) turn |= bit;
                t.ready = t.ready | t.parked;
                t.parked = 0;
                threads_q[warp] = t;
                break;
              case unsigned(BarrierOp::Switch):  // R15
                elsewhere = pick.mask;
                break;
              default:
                barrier_illegal = true;
                break;
            }
          }
          if (asked.valid != 0) asked.warp = warp;
        }

        const bool of_path = resolves ? resolve.op != unsigned(ResolveOp::Launch) : opened == 0;
        if (of_path && !resolve_illegal && !(asks && barrier_illegal && !resolves)) {
          if (keeps) {
            Path next;
            next.pc = fall;
            next.mask = pick.mask;
            left_o[warp].write(next);
          } else {
            Path blank;
            for (unsigned l = 0; l < Lanes; ++l) {
              const bool waits = ((t.blocked | t.synced) >> l & 1) != 0;
              if ((pick.mask >> l & 1) != 0) {
                pc_q[warp][l] = (elsewhere >> l & 1) == 0 ? fall : apart ? Pc(targets_i[l].read()) : target;
                if (waits) on_q[warp][l] = index;
              }
            }
            left_o[warp].write(blank);
            threads_q[warp] = t;
            valid &= ~bit;
            if (live(t) != 0) {
              turn |= bit;
            } else {
              depth_o[warp].write(0);
            }
          }
        }
      }

      // R9, R10: the answer, counted
      if (asked_q.valid != 0) {
        const unsigned arrived = ones(asked_q.mask);
        answer.valid = 1;
        answer.warp = asked_q.warp;
        answer.value = asked_q.arrives != 0 ? Bits(arrived) : Bits(asked_q.mask);
        answer.passed = asked_q.arrives != 0 && arrived > asked_q.threshold ? 1 : 0;
      }

      // R16: of the pick before; the warp may be in hand again when its ranks are written
      if (sort_q == 3) sort();
      if (sort_q == 2) find();
      if (sort_q == 1) count();

      // R11..R16: the warp in hand. It has no path, so only an Open can be its own: then it waits again.
      const Bits hand_bit = Bits(1) << hand;
      const Threads t = hand_threads_q;
      const bool finishes = Walks ? phase == Lead && rest_q == 0 : phase == Group;
      const bool put_back = phase != None && opened == hand_bit;
      if (put_back) {
        phase_d = None;
      } else if (phase == Clear) {
        clear();
        for (unsigned l = 0; l < Lanes; ++l) hand_rank_q[l] = rank_q[hand][l];
        phase_d = Lead;
      } else if (finishes) {
        Bits ready = t.ready, blocked = t.blocked, let_go = 0;
        Path pick;
        if (Walks) {
          pick.pc = better() ? lead_pc_q : best_pc_q;
          pick.mask = better() ? group_q : best_q;
        } else {
          pick.pc = lead_pc_q;
          pick.mask = at(ready, lead_pc_q);
        }
        for (unsigned k = 0; k < Barriers; ++k) mask_q[hand][k] = hand_mask_q[k];
        turn &= ~hand_bit;
        stuck &= ~hand_bit;
        if (ready == 0 && blocked != 0) {
          if ((busy & hand_bit) == 0) {  // R14
            const unsigned first_on = first_on_q;
            for (unsigned l = 0; l < Lanes; ++l) {
              if (hand_on_q[l] == first_on) let_go |= Bits(1) << l;
            }
            let_go &= blocked;
            release.valid = 1;
            release.warp = hand;
            release.index = first_on;
            release.count = release.count + 1;
            mask_q[hand][first_on] = hand_mask_q[first_on] & ~let_go;
            turn |= hand_bit;
          } else {
            stuck |= hand_bit;
          }
        }
        Threads next = t;
        next.ready = ready | let_go;
        next.blocked = blocked & ~let_go;
        threads_q[hand] = next;
        if (ready != 0) {  // R15
          left_o[hand].write(pick);
          valid |= hand_bit;
          fresh |= hand_bit;
          if (Policy == Picker::RoundRobin) next_q[hand] = lead_q == Lanes - 1 ? 0 : unsigned(lead_q) + 1;
          if (Ages) fair_q[hand] = hand_fair_q == Fair - 1 ? 0 : unsigned(hand_fair_q) + 1;
          sat_q[hand] = t.yielded != 0 ? unsigned(hand_sat_q) + 1 : 0;
          sort_d = 1;
          sort_warp_q = hand;
          sort_group_q = pick.mask;
          for (unsigned l = 0; l < Lanes; ++l) sort_rank_q[l] = hand_rank_q[l];
        }
        phase_d = None;
      } else if (phase == Lead) {
        lead();
        phase_d = Group;
      } else if (phase == Group) {
        group_q = at(t.ready, lead_pc_q);
        rest_q = oldest_turn() ? Bits(0) : Bits(rest_q) & ~at(t.ready, lead_pc_q);
        phase_d = Lead;
      }

      // The next one, in turn
      const Bits waiting = (turn_q | (stuck_q & ~busy)) & ~(phase != None ? hand_bit : 0);
      if ((phase == None || finishes) && !put_back && waiting != 0) {
        chosen = first_from(waiting, last_q == Warps - 1 ? 0 : unsigned(last_q) + 1);
        takes = opened != Bits(1) << chosen;
      }
      if (takes) {
        phase_d = Clear;
        last = chosen;
        hand_q = chosen;
        hand_threads_q = threads_q[chosen];
        hand_sat_q = sat_q[chosen];
        hand_fair_q = fair_q[chosen];
        hand_next_q = next_q[chosen];
        for (unsigned k = 0; k < Barriers; ++k) hand_mask_q[k] = mask_q[chosen][k];
        for (unsigned l = 0; l < Lanes; ++l) {
          hand_on_q[l] = on_q[chosen][l];
          word_q[l] = pc_q[chosen][l];  // not the row that is written in this edge: that warp has a path
        }
      }
    }

    Status status;
    status.valid_left = valid;
    status.fresh_left = fresh;
    status_o.write(status);
    answer_o.write(answer);
    release_o.write(release);
    idle_o.write(fresh == 0 && asked.valid == 0 && answer.valid == 0 && release.valid == 0 && turn == 0 && stuck == 0 &&
                 sort_d == 0);
    asked_q = asked;
    phase_q = phase_d;
    sort_q = sort_d;
    turn_q = turn;
    stuck_q = stuck;
    last_q = last;
    if (grant_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR("convergence_barrier/illegal",
                                    refusal(name(), granted, "grant of a path that is not picked").c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("convergence_barrier/illegal", refusal(name(), warp, illegal_resolve(resolve.op)).c_str()));
    }
    if (barrier_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("convergence_barrier/illegal",
                          refusal(name(), unsigned(barrier.warp),
                                  "barrier operation of no picked path, of lanes of others, on no such register, of a "
                                  "path that issues, or beside a resolve")
                              .c_str()));
    }
  }
};

}  // namespace heddle
