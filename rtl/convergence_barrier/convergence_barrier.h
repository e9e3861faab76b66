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
    declare(
        *this, "status_o", status_o,
        {Storage::Flop, paper_none(), "ours, what the last edge did", "", "valid_right,redirected_right,lanes_moved"});
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

  /// What an edge has found and done so far. Flags of warps are a bit a warp.
  struct Edge {
    Bits valid, redirected;  // as in Status
    Bits turn, stuck;        // as turn_q and stuck_q will be
    Bits opened;             // R17: the warp whose CTA barrier opens
    bool issued;             // R1: the granted path issues
    bool free;               // no warp is in hand, or its settlement ends in this edge
    unsigned phase;          // as phase_q, sort_q and last_q will be
    unsigned sort;
    unsigned last;
    bool grant_illegal;  // R18
    bool resolve_illegal;
    bool barrier_illegal;
  };

  /// What an executed instruction or an operation does to the picked path of a warp.
  struct Change {
    unsigned warp;
    Bits bit;        // none: there is no such warp
    bool there;      // R18: a path is picked, has the lanes named and does not issue in this edge
    bool refused;    // R18
    Bits elsewhere;  // lanes that do not go to the next PC,
    Pc target;       // but here,
    bool apart;      // or each to its own target
    bool keeps;      // the path stays picked
  };

  static unsigned ones(Bits bits) {
    unsigned n = 0;
    for (unsigned i = 0; i < Lanes; ++i) n += unsigned(bits >> i & 1);
    return n;
  }
  static Bits live(const Threads& t) { return t.ready | t.blocked | t.yielded | t.synced | t.parked; }
  static Bits bit_of(unsigned warp) { return warp < Warps ? Bits(1) << warp : 0; }

  // ---- an edge ----
  void begin(Edge& edge) const {
    Status was = status_o.read();
    edge.valid = was.valid_left;
    edge.redirected = 0;
    edge.turn = turn_q;
    edge.stuck = stuck_q;
    edge.opened = 0;
    edge.issued = false;
    edge.free = false;
    edge.phase = phase_q;
    edge.sort = sort_q == 0 || sort_q == 3 ? 0 : unsigned(sort_q) + 1;
    edge.last = last_q;
    edge.grant_illegal = false;
    edge.resolve_illegal = false;
    edge.barrier_illegal = false;
  }

  void reset(Edge& edge) {
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
    edge.valid = 0;
    edge.turn = 0;
    edge.stuck = 0;
    edge.last = 0;
    edge.phase = None;
    edge.sort = 0;
  }

  /// R1: an issued path advances, but for a control instruction.
  void advance(const Grant& grant, Edge& edge) {
    const unsigned warp = grant.warp;
    Bits bit = bit_of(warp);
    edge.issued = grant.valid != 0 && grant.right == 0 && (edge.valid & bit) != 0;
    edge.grant_illegal = grant.valid != 0 && !edge.issued;  // R18
    if (edge.issued && (held_i.read().left & bit) == 0) {
      Path next = left_o[warp].read();
      next.pc = next.pc + 1;
      left_o[warp].write(next);
    }
  }

  // ---- what executed instructions do: R2..R4 ----
  /// R2: a warp that is done starts.
  void launch(const Resolve& resolve, Threads& t, Change& change, Edge& edge) {
    change.refused = change.bit == 0 || live(t) != 0 || resolve.lanes == 0;
    if (!change.refused) {
      const unsigned warp = change.warp;
      Path first;
      first.pc = resolve.target;
      first.mask = resolve.lanes;
      t.ready = resolve.lanes;
      threads_q[warp] = t;
      left_o[warp].write(first);
      depth_o[warp].write(1);
      edge.valid |= change.bit;
      edge.redirected |= change.bit;
    }
  }

  /// R3: lanes go to the target, the others to the next PC.
  static void branch(const Mask& lanes, Change& change) { change.elsewhere = lanes; }

  /// R3: each of the lanes goes to its own target.
  static void jump(const Mask& lanes, Change& change) {
    change.elsewhere = lanes;
    change.apart = true;
  }

  /// R4: lanes are done, and leave every barrier.
  void exit(unsigned warp, const Mask& lanes, Threads& t) {
    t.ready = t.ready & ~lanes;
    for (unsigned k = 0; k < Barriers; ++k) mask_q[warp][k] = mask_q[warp][k] & ~lanes;
  }

  // ---- what operations do: `mask` are the participants of the register named, `source` those of the other one ----
  /// R5: the lanes become participants, beside those that are.
  static void join_barrier(const Mask& lanes, Mask& mask, Change& change) {
    mask = mask | lanes;
    change.keeps = true;
  }

  /// R6, a Wait: participants block, other lanes pass.
  static void block(const Mask& lanes, const Mask& mask, Threads& t) {
    t.blocked = t.blocked | (mask & lanes);
    t.ready = t.ready & ~(mask & lanes);
  }

  /// R7: the lanes are participants no more.
  static void cancel(const Mask& lanes, Mask& mask) { mask = mask & ~lanes; }

  /// R8: the register takes the mask less who has exited, and the lanes wait. Where another mask or a Wait uses the
  /// register, which these wait on, they yield and come back to the instruction.
  static void sync(const Request& barrier, Bits waiting, Mask& mask, Threads& t, Change& change) {
    const Mask named = barrier.value & live(t);
    change.refused = (barrier.lanes & ~barrier.value) != 0;
    if (!change.refused) {
      if (waiting == 0 || ((waiting & t.blocked) == 0 && mask == named)) {
        mask = named;
        t.synced = t.synced | barrier.lanes;
      } else {
        t.yielded = t.yielded | barrier.lanes;
        change.elsewhere = barrier.lanes;
      }
      t.ready = t.ready & ~barrier.lanes;
    }
  }

  /// R9: the participants go to a general register.
  static void save(const Mask& mask, Asked& asked, Change& change) {
    asked.valid = 1;
    asked.warp = change.warp;
    asked.mask = mask;
    change.keeps = true;
  }

  /// R9: they come from there, without those who have exited.
  static void restore(const Mask& value, const Threads& t, Mask& mask) { mask = value & live(t); }

  /// R9: they are those of another register.
  static void copy(const Mask& source, Mask& mask) { mask = source; }

  /// R9: the same, and that one is empty then.
  static void take(Mask& source, Mask& mask) {
    mask = source;
    source = 0;
  }

  /// R10: join and count in one step.
  static void arrive(const Request& barrier, Mask& mask, Asked& asked, Change& change) {
    asked.valid = 1;
    asked.arrives = 1;
    asked.warp = change.warp;
    asked.mask = mask | barrier.lanes;
    asked.threshold = barrier.value;
    mask = mask | barrier.lanes;
    change.keeps = true;
  }

  /// R13: the lanes let the others go first, and stay participants.
  static void yield(const Mask& lanes, Threads& t) {
    t.yielded = t.yielded | lanes;
    t.ready = t.ready & ~lanes;
  }

  /// R15, a Switch: the path stays where it is, and gives its turn up.
  static void give_up(const Mask& picked, Change& change) { change.elsewhere = picked; }

  /// R17: the lanes wait for a CTA barrier.
  static void park(const Mask& lanes, Threads& t) {
    t.parked = t.parked | lanes;
    t.ready = t.ready & ~lanes;
  }

  /// R17: the CTA barrier opens, for all of the warp that wait there. A warp without a path waits to be settled.
  static void open(const Mask& picked, Bits bit, Threads& t, Edge& edge) {
    edge.opened = bit;
    if (t.parked != 0 && picked == 0) edge.turn |= bit;
    t.ready = t.ready | t.parked;
    t.parked = 0;
  }

  // ---- an instruction or an operation of a warp ----
  /// The picked path of a warp, as it is before the instruction.
  void name_path(const Mask& lanes, const Grant& grant, const Edge& edge, Path& pick, Threads& t,
                 Change& change) const {
    const unsigned warp = change.warp;
    if (warp < Warps) {
      pick = left_o[warp].read();
      t = threads_q[warp];
    }
    change.bit = bit_of(warp);
    change.there = pick.mask != 0 && (lanes & ~pick.mask) == 0 && !(edge.issued && grant.warp == warp);
    change.refused = false;
    change.elsewhere = 0;
    change.target = pick.pc;
    change.apart = false;
    change.keeps = false;
  }

  /// R2..R4: an executed instruction, or a launch.
  void execute(const Grant& grant, const Resolve& resolve, Edge& edge) {
    Path pick;
    Threads t;
    Change change;
    change.warp = resolve.warp;
    name_path(resolve.lanes, grant, edge, pick, t, change);
    change.target = resolve.target;
    change.refused = !change.there;
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        launch(resolve, t, change, edge);
        break;
      case unsigned(ResolveOp::Branch):
        branch(resolve.lanes, change);
        break;
      case unsigned(ResolveOp::Exit):
        if (change.there) exit(change.warp, resolve.lanes, t);
        break;
      default:  // R18: a call is a branch here, a return a jump
        change.refused = true;
        break;
    }
    edge.resolve_illegal = change.refused;
    if (resolve.op != unsigned(ResolveOp::Launch) && !change.refused) go_on(0, pick, t, change, edge);
  }

  /// R5..R10, R13, R15, R17: an operation. R18: it is of a picked path and of registers that there are.
  void operate(const Grant& grant, const Request& barrier, Asked& asked, Edge& edge) {
    Path pick;
    Threads t;
    Change change;
    change.warp = barrier.warp;
    const unsigned index = barrier.index, source = barrier.source;
    name_path(barrier.lanes, grant, edge, pick, t, change);
    const bool opens = barrier.op == unsigned(BarrierOp::Open);
    change.refused = change.bit == 0 || index >= Barriers || source >= Barriers || !(change.there || opens);
    if (!change.refused) apply(barrier, pick, t, asked, change, edge);
    edge.barrier_illegal = change.refused;
    if (opens && !change.refused) threads_q[change.warp] = t;
    if (!opens && !change.refused) go_on(index, pick, t, change, edge);
  }

  void apply(const Request& barrier, const Path& pick, Threads& t, Asked& asked, Change& change, Edge& edge) {
    const unsigned warp = change.warp, index = barrier.index, from = barrier.source;
    Mask mask = mask_q[warp][index], source = mask_q[warp][from];
    Bits waiting = 0;
    switch (unsigned(barrier.op)) {
      case unsigned(BarrierOp::Join):
        join_barrier(barrier.lanes, mask, change);
        break;
      case unsigned(BarrierOp::Wait):
        block(barrier.lanes, mask, t);
        break;
      case unsigned(BarrierOp::Cancel):
        cancel(barrier.lanes, mask);
        break;
      case unsigned(BarrierOp::Yield):
        yield(barrier.lanes, t);
        break;
      case unsigned(BarrierOp::Sync):
        waiting = waiting_on(warp, index, t);
        sync(barrier, waiting, mask, t, change);
        break;
      case unsigned(BarrierOp::Save):
        save(mask, asked, change);
        break;
      case unsigned(BarrierOp::Restore):
        restore(barrier.value, t, mask);
        break;
      case unsigned(BarrierOp::Copy):
        copy(source, mask);
        break;
      case unsigned(BarrierOp::Take):
        take(source, mask);
        break;
      case unsigned(BarrierOp::Arrive):
        arrive(barrier, mask, asked, change);
        break;
      case unsigned(BarrierOp::Jump):
        jump(barrier.lanes, change);
        break;
      case unsigned(BarrierOp::Park):
        park(barrier.lanes, t);
        break;
      case unsigned(BarrierOp::Open):
        open(pick.mask, change.bit, t, edge);
        break;
      case unsigned(BarrierOp::Switch):
        give_up(pick.mask, change);
        break;
      default:
        change.refused = true;
        break;
    }
    mask_q[warp][from] = source;
    mask_q[warp][index] = mask;
  }

  /// The lanes that wait on a barrier.
  Bits waiting_on(unsigned warp, unsigned barrier, const Threads& t) const {
    Bits lanes = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (on_q[warp][l] == barrier) lanes |= Bits(1) << l;
    }
    return lanes & (t.blocked | t.synced);
  }

  /// The path stays picked, at its next PC; or its lanes go where they go, and the warp waits to be settled.
  void go_on(unsigned barrier, const Path& pick, const Threads& t, const Change& change, Edge& edge) {
    const unsigned warp = change.warp;
    Path next;
    if (change.keeps) {
      next.pc = pick.pc + 1;
      next.mask = pick.mask;
    } else {
      put_lanes(barrier, pick, t, change);
      threads_q[warp] = t;
      edge.valid &= ~change.bit;
      if (live(t) != 0) {
        edge.turn |= change.bit;
      } else {
        depth_o[warp].write(0);  // R4
      }
    }
    left_o[warp].write(next);
  }

  /// Where each lane of the path goes, and the barrier that it waits on.
  void put_lanes(unsigned barrier, const Path& pick, const Threads& t, const Change& change) {
    const unsigned warp = change.warp;
    const Pc fall = pick.pc + 1;
    const Bits picked = pick.mask, waits = t.blocked | t.synced;
    for (unsigned l = 0; l < Lanes; ++l) {
      if ((picked >> l & 1) != 0) {
        pc_q[warp][l] = (change.elsewhere >> l & 1) == 0 ? fall
                        : change.apart                   ? Pc(targets_i[l].read())
                                                         : change.target;
        if ((waits >> l & 1) != 0) on_q[warp][l] = barrier;
      }
    }
  }

  /// R9, R10: what was asked in the edge before, counted.
  void count_asked(Answer& answer) const {
    if (asked_q.valid != 0) {
      const unsigned arrived = ones(asked_q.mask);
      answer.valid = 1;
      answer.warp = asked_q.warp;
      answer.value = asked_q.arrives != 0 ? Bits(arrived) : Bits(asked_q.mask);
      answer.passed = asked_q.arrives != 0 && arrived > asked_q.threshold ? 1 : 0;
    }
  }

  // ---- R16: the picked lanes of a warp are now the ones picked last, in their order, behind the others ----
  /// First: counted by rank.
  void count() {
    bool picked[Lanes];
    for (unsigned l = 0; l < Lanes; ++l) picked[unsigned(sort_rank_q[l])] = (sort_group_q >> l & 1) != 0;
    unsigned before = 0;
    for (unsigned i = 0; i < Lanes; ++i) {
      lower_q[i] = before;
      if (picked[i]) before = before + 1;
    }
  }

  /// Then: found by lane.
  void find() {
    for (unsigned l = 0; l < Lanes; ++l) below_q[l] = lower_q[unsigned(sort_rank_q[l])];
    others_q = Lanes - ones(sort_group_q);
  }

  /// Then: written.
  void sort() {
    for (unsigned l = 0; l < Lanes; ++l) {
      const unsigned below = below_q[l];
      rank_q[sort_warp_q][l] = (sort_group_q >> l & 1) != 0 ? others_q + below : sort_rank_q[l] - below;
    }
  }

  /// The pick before; the warp may be in hand again when its ranks are written.
  void rank() {
    if (sort_q == 3) sort();
    if (sort_q == 2) find();
    if (sort_q == 1) count();
  }

  // ---- the warp in hand, first stage: barriers clear, lanes wake ----
  /// R11: who wakes of those blocked on a barrier: all, when each participant is blocked on it, yielded or exited.
  static Bits cleared(Bits mask, Bits here, Bits yielded) {
    Bits woken = 0;
    if ((mask & ~(here | yielded)) == 0) woken = here;
    return woken;
  }

  /// R12: who wakes of those that a .sync holds: all, when each lane of its mask waits there or has exited.
  static Bits completed(Bits mask, Bits met) {
    Bits woken = 0;
    if ((mask & ~met) == 0) woken = met;
    return woken;
  }

  /// R11, R12: a barrier loses those whom it wakes.
  void clear_barriers(Threads& t) {
    Bits waits[Barriers], awake = 0;
    for (unsigned k = 0; k < Barriers; ++k) waits[k] = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (((t.blocked | t.synced) >> l & 1) != 0) waits[hand_on_q[l]] |= Bits(1) << l;
    }
    for (unsigned k = 0; k < Barriers; ++k) {
      const Bits mask = hand_mask_q[k];
      const Bits woken = cleared(mask, waits[k] & t.blocked, t.yielded) | completed(mask, waits[k] & t.synced);
      hand_mask_q[k] = mask & ~woken;
      awake |= woken;
    }
    t.ready = t.ready | awake;
    t.blocked = t.blocked & ~awake;
    t.synced = t.synced & ~awake;
  }

  /// R13: yielded lanes are ready when no other one is, or when they have let so many picks pass.
  static void wake_yielded(unsigned passed, Threads& t) {
    if (t.ready == 0 || passed == Patience) {
      t.ready = t.ready | t.yielded;
      t.yielded = 0;
    }
  }

  void clear() {
    const unsigned hand = hand_q;
    Threads t = hand_threads_q;
    if ((t.blocked | t.synced) != 0) clear_barriers(t);
    wake_yielded(hand_sat_q, t);
    hand_threads_q = t;
    rest_q = t.ready != 0 ? t.ready : t.blocked;
    if (Walks) {
      group_q = 0;
      best_q = 0;
      best_pc_q = 0;
    }
    if (Policy == Picker::Largest) most_q = 0;
    for (unsigned l = 0; l < Lanes; ++l) hand_rank_q[l] = rank_q[hand][l];
  }

  // ---- second and third stage: a lane, and who is with it; Largest and LowestPc come back for each group ----
  /// R14, R16: the lane in hand of `some` that was picked longest ago.
  unsigned oldest(Bits some) const {
    unsigned eldest = 0, least = Lanes;
    for (unsigned l = 0; l < Lanes; ++l) {
      const unsigned rank = hand_rank_q[l];
      if ((some >> l & 1) != 0 && rank < least) {
        least = rank;
        eldest = l;
      }
    }
    return eldest;
  }

  /// The lanes in hand of `some` with this PC.
  Bits at(Bits some, const Pc& pc) const {
    Bits group = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if ((some >> l & 1) != 0 && word_q[l] == pc) group |= Bits(1) << l;
    }
    return group;
  }

  /// R16: it is the turn of the lane that was picked longest ago.
  bool oldest_turn() const {
    return Policy == Picker::Oldest || (Ages && hand_fair_q == Fair - 1) || hand_threads_q.ready == 0;
  }

  /// R15: whether the group that was looked at is better than the best before.
  bool better() const {
    return Policy == Picker::Largest ? ones(group_q) > most_q : group_q != 0 && (best_q == 0 || lead_pc_q < best_pc_q);
  }

  /// R15: a lane of the group that is looked at; the group before is compared.
  void lead() {
    const Bits rest = rest_q;
    const unsigned eldest = oldest(rest);
    unsigned lead_lane = eldest;
    if (!oldest_turn()) lead_lane = Policy == Picker::RoundRobin ? first_from(rest, hand_next_q) : lowest_set(rest);
    if (Walks && better()) {
      if (Policy == Picker::Largest) most_q = ones(group_q);
      best_q = group_q;
      best_pc_q = lead_pc_q;
    }
    if (rest != 0) {
      lead_pc_q = word_q[lead_lane];
      first_on_q = hand_on_q[eldest];
      if (Policy == Picker::RoundRobin) lead_q = lead_lane;
    }
  }

  /// R15: every ready lane at the PC of that lane.
  void gather() {
    const Bits group = at(hand_threads_q.ready, lead_pc_q);
    group_q = group;
    rest_q = oldest_turn() ? Bits(0) : Bits(rest_q) & ~group;
  }

  // ---- last edge: the settlement is written ----
  /// R15: the group that is picked, by policy.
  void name_pick(Path& pick) const {
    if (Walks) {
      pick.pc = better() ? lead_pc_q : best_pc_q;
      pick.mask = better() ? group_q : best_q;
    } else {
      pick.pc = lead_pc_q;
      pick.mask = at(hand_threads_q.ready, lead_pc_q);
    }
  }

  /// R13, R15, R16: it is picked. Its lanes get new ranks from the next cycle on.
  void pick_group(unsigned hand, const Path& pick, Edge& edge) {
    left_o[hand].write(pick);
    edge.valid |= Bits(1) << hand;
    edge.redirected |= Bits(1) << hand;
    if (Policy == Picker::RoundRobin) next_q[hand] = lead_q == Lanes - 1 ? 0 : unsigned(lead_q) + 1;
    if (Ages) fair_q[hand] = hand_fair_q == Fair - 1 ? 0 : unsigned(hand_fair_q) + 1;
    sat_q[hand] = hand_threads_q.yielded != 0 ? unsigned(hand_sat_q) + 1 : 0;
    edge.sort = 1;
    sort_warp_q = hand;
    sort_group_q = pick.mask;
    for (unsigned l = 0; l < Lanes; ++l) sort_rank_q[l] = hand_rank_q[l];
  }

  /// R14: nobody is ready. Those blocked on the barrier of the longest-waiting lane wake and leave it, counted; the warp
  /// waits to be settled once more.
  void release_group(unsigned hand, Threads& t, Release& release, Edge& edge) {
    const unsigned first_on = first_on_q;
    Bits let_go = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (hand_on_q[l] == first_on) let_go |= Bits(1) << l;
    }
    let_go &= t.blocked;
    release.valid = 1;
    release.warp = hand;
    release.index = first_on;
    release.count = release.count + 1;
    mask_q[hand][first_on] = hand_mask_q[first_on] & ~let_go;
    t.ready = let_go;
    t.blocked = t.blocked & ~let_go;
    edge.turn |= Bits(1) << hand;
  }

  /// R14, R15: the warp gets a path, or releases a group, or waits until it is not busy.
  void finish(Bits busy, Release& release, Edge& edge) {
    const unsigned hand = hand_q;
    const Bits bit = Bits(1) << hand;
    Threads t = hand_threads_q;
    for (unsigned k = 0; k < Barriers; ++k) mask_q[hand][k] = hand_mask_q[k];
    edge.turn &= ~bit;
    edge.stuck &= ~bit;
    if (t.ready != 0) {
      Path pick;
      name_pick(pick);
      pick_group(hand, pick, edge);
    } else if (t.blocked != 0 && (busy & bit) == 0) {
      release_group(hand, t, release, edge);
    } else if (t.blocked != 0) {
      edge.stuck |= bit;
    }
    threads_q[hand] = t;
  }

  /// R11..R16: a stage of the warp in hand. It has no path, so only an Open can be its own: then it waits again.
  void settle(Bits busy, Release& release, Edge& edge) {
    const unsigned hand = hand_q, phase = phase_q;
    const bool put_back = phase != None && edge.opened == Bits(1) << hand;
    const bool finishes = Walks ? phase == Lead && rest_q == 0 : phase == Group;
    edge.free = !put_back && (phase == None || finishes);
    if (put_back) {
      edge.phase = None;
    } else if (phase == Clear) {
      clear();
      edge.phase = Lead;
    } else if (finishes) {
      finish(busy, release, edge);
      edge.phase = None;
    } else if (phase == Lead) {
      lead();
      edge.phase = Group;
    } else if (phase == Group) {
      gather();
      edge.phase = Lead;
    }
  }

  /// The next warp that waits, in turn, is taken in hand.
  void take_next(Bits busy, Edge& edge) {
    const unsigned hand = hand_q;
    const Bits waiting = (turn_q | (stuck_q & ~busy)) & ~(phase_q != None ? Bits(1) << hand : 0);
    if (edge.free && waiting != 0) {
      const unsigned chosen = first_from(waiting, last_q == Warps - 1 ? 0 : unsigned(last_q) + 1);
      if (edge.opened != Bits(1) << chosen) {
        edge.phase = Clear;
        edge.last = chosen;
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
  }

  static bool is_idle(const Edge& edge, const Asked& asked, const Answer& answer, const Release& release) {
    return edge.redirected == 0 && asked.valid == 0 && answer.valid == 0 && release.valid == 0 && edge.turn == 0 &&
           edge.stuck == 0 && edge.sort == 0;
  }

  HEDDLE_CLOCKED(step) {
    Grant grant = grant_i.read();
    Resolve resolve = resolve_i.read();
    Request barrier = barrier_i.read();
    Bits busy = busy_i.read();
    const Release before = release_o.read();
    Status status;
    Asked asked;
    Answer answer;
    Release release;
    Edge edge;
    begin(edge);
    if (!rst_ni.read()) {
      reset(edge);
    } else {
      release.count = before.count;
      advance(grant, edge);
      if (resolve.op != unsigned(ResolveOp::None)) {
        execute(grant, resolve, edge);
        edge.barrier_illegal = barrier.op != unsigned(BarrierOp::None);  // R18: one of them at a time
      } else if (barrier.op != unsigned(BarrierOp::None)) {
        operate(grant, barrier, asked, edge);
      }
      count_asked(answer);
      rank();
      settle(busy, release, edge);
      take_next(busy, edge);
    }
    status.valid_left = edge.valid;
    status.redirected_left = edge.redirected;
    status_o.write(status);
    answer_o.write(answer);
    release_o.write(release);
    idle_o.write(is_idle(edge, asked, answer, release));
    asked_q = asked;
    phase_q = edge.phase;
    sort_q = edge.sort;
    turn_q = edge.turn;
    stuck_q = edge.stuck;
    last_q = edge.last;
    HEDDLE_REPORT(report(grant, resolve, barrier, edge));
  }

  HEDDLE_REPORT(void report(const Grant& grant, const Resolve& resolve, const Request& barrier,
                            const Edge& edge) const {
    const auto error = [this](unsigned warp, const char* why) {
      SC_REPORT_ERROR("convergence_barrier/illegal", refusal(name(), warp, why).c_str());
    };
    if (edge.grant_illegal) error(grant.warp, "grant of a path that is not picked");
    if (edge.resolve_illegal) error(resolve.warp, illegal_resolve(resolve.op));
    if (edge.barrier_illegal)
      error(barrier.warp,
            "barrier operation of no picked path, of lanes of others, on no such register, of a path that issues, "
            "or beside a resolve");
  })
};

}  // namespace heddle
