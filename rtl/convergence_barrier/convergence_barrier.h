// Convergence barriers (SR sec. 2, 4): for each warp barrier registers that hold masks of participating threads, and
// for each thread a PC and a state. A group of ready threads with equal PC is picked and shown as the warp's left path.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h, and those of barrier_operation.h. Rules R1..R18
//        are stated in README.md and cited below where the code obeys them.
// Time   An operation of cycle n takes the pick from the warp in cycle n+1 (but for Join, Save and Arrive, which keep
//        it); the warp is settled in the edge at the end of cycle n+1, or later when other warps wait too: one a cycle.
//        Settling clears barriers, wakes, releases, and picks the next group.
// State  PCs of threads that are not picked are a memory, a row a warp, with one write port (lane enables) and one read
//        port, which reset does not clear: nothing of a thread that was never picked is read. The rest is in flops.
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
  static constexpr unsigned WarpBits = Flow::WarpBits, LaneBits = index_bits(Lanes);
  static constexpr unsigned BarrierBits = Barrier::BarrierBits;
  /// R13: picks that a yielded thread lets pass at most.
  static constexpr unsigned Patience = 4 * Lanes;
  /// R16: of so many picks of the largest group or the lowest PC the last goes to the oldest.
  static constexpr unsigned Fair = 4;
  static constexpr bool Ages = Policy == Picker::Largest || Policy == Picker::LowestPc;

  /// The lanes of a warp by state; a lane in none of them has exited, or never was.
  struct Threads {
    sc_uint<Lanes> ready;    // picked ones too
    sc_uint<Lanes> blocked;  // at on_q
    sc_uint<Lanes> yielded;
    sc_uint<Lanes> synced;  // at on_q
    sc_uint<Lanes> parked;  // at a CTA barrier
    HEDDLE_RECORD(Threads, ready, blocked, yielded, synced, parked)
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
    declare(*this, "pc_q", pc_q, {Storage::Ram, paper_all(), "SR sec. 2, a PC a thread", "1R1W"});
    // Four states are two bits a thread; the one-hot code has a third, and two states more.
    declare(*this, "threads_q", threads_q,
            {Storage::Flop, paper_fields("ready,blocked"), "SR sec. 2, state of a thread"});
    declare(*this, "on_q", on_q, {Storage::Flop, paper_all(), "SR sec. 2, the barrier that a thread waits on"});
    declare(*this, "left_o", left_o, {Storage::Flop, paper_none(), "ours, the group that is picked"});
    declare(*this, "order_q", order_q, {Storage::Flop, paper_none(), "ours, lanes, the one picked longest ago first"});
    declare(*this, "sat_q", sat_q, {Storage::Flop, paper_none(), "ours, picks that yielded threads let pass"});
    if constexpr (Ages) {
      declare(*this, "fair_q", fair_q, {Storage::Flop, paper_none(), "ours, picks until the oldest has its turn"});
    }
    if constexpr (Policy == Picker::RoundRobin) {
      declare(*this, "next_q", next_q, {Storage::Flop, paper_none(), "ours, the lane that is asked first"});
    }
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
  Threads threads_q[Warps];
  sc_uint<BarrierBits> on_q[Warps][Lanes];
  sc_uint<LaneBits> order_q[Warps][Lanes];
  sc_uint<count_bits(Patience)> sat_q[Warps];
  sc_uint<index_bits(Fair)> fair_q[Warps];
  sc_uint<LaneBits> next_q[Warps];
  sc_uint<Warps> turn_q;
  sc_uint<Warps> stuck_q;
  sc_uint<WarpBits> last_q;

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

  /// R14, R16: the lane of `some` that was picked longest ago.
  unsigned oldest(unsigned warp, Bits some) const {
    unsigned lane = 0;
    bool found = false;
    for (unsigned i = 0; i < Lanes; ++i) {
      const unsigned candidate = order_q[warp][i];
      if (!found && (some >> candidate & 1) != 0) {
        found = true;
        lane = candidate;
      }
    }
    return lane;
  }

  /// The lanes of `some` with this PC.
  Bits at(unsigned warp, Bits some, const Pc& pc) const {
    Bits group = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if ((some >> l & 1) != 0 && pc_q[warp][l] == pc) group |= Bits(1) << l;
    }
    return group;
  }

  /// R15: a lane of the group that is to issue.
  unsigned leader(unsigned warp, Bits ready) const {
    unsigned lane = 0;
    if (Policy == Picker::Oldest || (Ages && fair_q[warp] == Fair - 1)) {  // R16
      lane = oldest(warp, ready);
    } else if (Policy == Picker::RoundRobin) {
      lane = first_from(ready, next_q[warp]);
    } else if (Policy == Picker::LowestPc) {
      bool found = false;
      for (unsigned l = 0; l < Lanes; ++l) {
        if ((ready >> l & 1) != 0 && (!found || pc_q[warp][l] < pc_q[warp][lane])) {
          found = true;
          lane = l;
        }
      }
    } else {
      unsigned most = 0;
      Bits rest = ready;
      for (unsigned l = 0; l < Lanes; ++l) {
        if ((rest >> l & 1) != 0) {
          Bits group = at(warp, ready, pc_q[warp][l]);
          rest &= ~group;
          if (ones(group) > most) {
            most = ones(group);
            lane = l;
          }
        }
      }
    }
    return lane;
  }

  /// The picked lanes are now the ones picked last.
  void reorder(unsigned warp, Bits group) {
    unsigned front = 0, back = Lanes - ones(group);
    sc_uint<LaneBits> next[Lanes];
    for (unsigned i = 0; i < Lanes; ++i) {
      const sc_uint<LaneBits> lane = order_q[warp][i];
      const bool picked = (group >> unsigned(lane) & 1) != 0;
      next[picked ? back : front] = lane;
      if (picked) {
        back = back + 1;
      } else {
        front = front + 1;
      }
    }
    for (unsigned i = 0; i < Lanes; ++i) order_q[warp][i] = next[i];
  }

  /// R11..R16: clears, wakes, releases, picks. The answer says whether a group was released, and of which barrier.
  Release settle(unsigned warp, bool busy) {
    Release release;
    const Threads t = threads_q[warp];
    Bits waits[Barriers];
    Bits ready = t.ready, blocked = t.blocked, yielded = t.yielded, synced = t.synced;
    for (unsigned k = 0; k < Barriers; ++k) waits[k] = 0;
    if ((t.blocked | t.synced) != 0) {
      for (unsigned l = 0; l < Lanes; ++l) {
        if (((t.blocked | t.synced) >> l & 1) != 0) waits[on_q[warp][l]] |= Bits(1) << l;
      }
      for (unsigned k = 0; k < Barriers; ++k) {
        const Bits mask = mask_q[warp][k];
        const Bits here = waits[k] & t.blocked, met = waits[k] & t.synced;
        Bits woken = 0;
        if (here != 0 && (mask & ~(here | t.yielded)) == 0) woken |= here;  // R11
        if (met != 0 && (mask & ~met) == 0) woken |= met;                   // R12
        if (woken != 0) mask_q[warp][k] = mask & ~woken;
        ready |= woken;
        blocked &= ~woken;
        synced &= ~woken;
      }
    }
    if (ready == 0 || sat_q[warp] == Patience) {  // R13
      ready |= yielded;
      yielded = 0;
    }
    if (ready == 0 && blocked != 0 && !busy) {  // R14
      release.valid = 1;
      release.warp = warp;
      const unsigned first = oldest(warp, blocked);
      release.index = on_q[warp][first];
      ready = waits[release.index] & blocked;
      blocked &= ~ready;
      mask_q[warp][release.index] = mask_q[warp][release.index] & ~ready;
    }
    Threads next;
    next.ready = ready;
    next.blocked = blocked;
    next.yielded = yielded;
    next.synced = synced;
    next.parked = t.parked;
    threads_q[warp] = next;
    if (ready != 0) {  // R15
      const unsigned first = leader(warp, ready);
      Path pick;
      pick.pc = pc_q[warp][first];
      pick.mask = at(warp, ready, pick.pc);
      left_o[warp].write(pick);
      reorder(warp, pick.mask);
      if (Policy == Picker::RoundRobin) next_q[warp] = first == Lanes - 1 ? 0 : first + 1;
      if (Ages) fair_q[warp] = fair_q[warp] == Fair - 1 ? 0 : unsigned(fair_q[warp]) + 1;
      sat_q[warp] = yielded != 0 ? unsigned(sat_q[warp]) + 1 : 0;
    }
    return release;
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
          order_q[w][l] = l;
        }
      }
      valid = 0;
      turn = 0;
      stuck = 0;
      last = 0;
      release.count = 0;
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
                answer.valid = 1;
                answer.value = mask;
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
                const unsigned arrived = ones(mask | lanes);
                mask_q[warp][index] = mask | lanes;
                answer.valid = 1;
                answer.value = arrived;
                answer.passed = arrived > barrier.value ? 1 : 0;
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
          if (answer.valid != 0) answer.warp = warp;
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

      // R11..R16: one warp a cycle, in turn. It has no path, so the requests above are not its own.
      const Bits busy = busy_i.read();
      const Bits waiting = (turn_q | (stuck_q & ~busy)) & ~opened;
      if (waiting != 0) {
        unsigned settled = first_from(waiting, last_q == Warps - 1 ? 0 : unsigned(last_q) + 1);
        const Bits bit = Bits(1) << settled;
        const sc_uint<32> count = release.count;
        release = settle(settled, (busy & bit) != 0);
        release.count = count + unsigned(release.valid);
        turn &= ~bit;
        stuck &= ~bit;
        if (threads_q[settled].ready != 0) {
          valid |= bit;
          fresh |= bit;
        } else if (threads_q[settled].blocked != 0) {
          stuck |= bit;
        }
        last = settled;
      }
    }

    Status status;
    status.valid_left = valid;
    status.fresh_left = fresh;
    status_o.write(status);
    answer_o.write(answer);
    release_o.write(release);
    idle_o.write(fresh == 0 && answer.valid == 0 && release.valid == 0 && turn == 0 && stuck == 0);
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
