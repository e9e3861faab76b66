// SPDX-License-Identifier: Apache-2.0
// Dual-path stack (DPE sec. 3.1): for each warp a stack of entries {PC and mask of a left path, PC and mask of a right
// path, RPC of both}; the two paths of the top entry (TOS) may be issued alternately.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h. Rules R1..R13 are stated in README.md and cited
//        below where the code obeys them.
// Kinds  Forwarding = true (DPE sec. 7.1, rules F1..F8): a suspended path of a lower entry runs in a free slot of the
//        TOS, with its own RPC. False: such a slot stays free; no state and no cycle more.
//        Deals = true (DPE sec. 7.2, rule R13): lanes that wait for memory and lanes that need not take a slot each.
//        A bit a warp more.
// Time   A request of cycle n is on left_o, right_o, depth_o, status_o and idle_o in cycle n+1. A TOS that is blank in
//        cycle n is popped in the edge at the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The TOS is in flops: left_o, right_o and rpc_q. The entries beneath are a memory with one write and one read
//        port, which reset does not clear: nothing above depth_o is ever read. The edge that makes it a warp's turn
//        reads what that turn needs. With Forwarding it is in two parts, the path that waits for what is above it and
//        the one that is suspended beside it, each with such ports.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   dual_path_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth, bool Forwarding = false, bool Deals = false>
class dual_path_stack : public sc_core::sc_module {
  static_assert(Depth >= 2, "the TOS and at least one entry beneath it");
  static_assert(!(Forwarding && Deals), "a path that came up has another RPC than the one beside it");

 public:
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Pc = typename Flow::Pc;
  using Mask = typename Flow::Mask;
  using Count = sc_uint<count_bits(Depth)>;
  static constexpr unsigned WarpBits = Flow::WarpBits;

  struct Entry {
    sc_uint<PcBits> pc_l;
    sc_uint<Lanes> mask_l;
    sc_uint<PcBits> pc_r;
    sc_uint<Lanes> mask_r;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Entry, pc_l, mask_l, pc_r, mask_r, rpc)
  };

  // ---- with Forwarding ----
  static constexpr unsigned Beneath = Depth - 1;  ///< entries beneath the TOS

  /// Of an entry beneath the TOS: the path that waits for the entry above.
  struct Waiting {
    sc_uint<PcBits> pc;
    sc_uint<Lanes> mask;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Waiting, pc, mask, rpc)
  };
  /// The path that a warp forwarded, if any.
  struct Lift {
    sc_uint<1> up;      // it runs at the TOS
    sc_uint<1> right;   // in this slot
    sc_uint<1> parked;  // it waits in its entry with what its branch or call wants, below
    sc_uint<1> call;
    sc_uint<1> loop;                     // its branch meets where its entry does
    sc_uint<index_bits(Beneath)> level;  // its entry; before it comes up, the one to take
    sc_uint<PcBits> rpc;                 // of its entry; of its branch
    sc_uint<PcBits> target;
    sc_uint<Lanes> taken;
    HEDDLE_RECORD(Lift, up, right, parked, call, loop, level, rpc, target, taken)
  };

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Grant> grant_i{"grant_i"};
  sc_core::sc_in<Slots> held_i{"held_i"};
  sc_core::sc_in<Resolve> resolve_i{"resolve_i"};
  sc_core::sc_vector<sc_core::sc_out<Path>> left_o{"left_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Path>> right_o{"right_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Count>> depth_o{"depth_o", Warps};
  sc_core::sc_out<Status> status_o{"status_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(dual_path_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 3.1, left path of the TOS"});
    declare(*this, "right_o", right_o, {Storage::Flop, paper_all(), "DPE sec. 3.1, right path of the TOS"});
    declare(*this, "rpc_q", rpc_q, {Storage::Flop, paper_all(), "DPE sec. 3.1, RPC of the TOS"});
    if constexpr (Forwarding) {
      declare(*this, "waits_q", waits_q,
              {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS: path that waits, RPC",
               "1R1W, read first"});
      declare(*this, "waits_word_q", waits_word_q, {Storage::Flop, paper_none(), "read port of waits_q"});
      declare(*this, "beside_q", beside_q,
              {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS: suspended path", "1R1W, read first"});
      declare(*this, "beside_word_q", beside_word_q, {Storage::Flop, paper_none(), "read port of beside_q"});
      declare(*this, "has_q", has_q, {Storage::Flop, paper_none(), "ours, entries with a suspended path"});
      declare(*this, "closed_q", closed_q, {Storage::Flop, paper_none(), "ours, entries whose waiting path called"});
      declare(*this, "lift_q", lift_q, {Storage::Flop, paper_none(), "ours, DPE sec. 7.1: forwarded path and its RPC"});
    } else {
      declare(*this, "body_q", body_q,
              {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS", "1R1W, read first"});
      declare(*this, "word_q", word_q, {Storage::Flop, paper_none(), "read port of body_q"});
    }
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries in use"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, lanes that have not exited"});
    declare(*this, "status_o", status_o, {Storage::Flop, paper_none(), "ours, what the last edge did"});
    declare(*this, "pop_q", pop_q, {Storage::Flop, paper_none(), "ours, warps that wait for a pop"});
    if constexpr (Deals) declare(*this, "dealt_q", dealt_q, {Storage::Flop, paper_none(), "ours, DPE sec. 7.2"});
    declare(*this, "takes_q", takes_q, {Storage::Flop, paper_none(), "ours, a warp takes its turn"});
    if constexpr (Warps > 1) {
      declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, whose turn it is, or was last"});
    }
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware: an entry as a pop would show it; level 0 is the lowest.
  Entry entry_of(unsigned warp, unsigned level) const {
    Entry entry;
    if (level + 1 == depth_o[warp].read()) {
      return top_of(warp);
    } else if constexpr (Forwarding) {  // what came up is shown there
      entry.pc_l = waits_q[warp][level].pc;
      entry.mask_l = waits_q[warp][level].mask;
      entry.rpc = waits_q[warp][level].rpc;
      if (has_q[warp][level] != 0 && !(lift_q[warp].up != 0 && lift_q[warp].level == level)) {
        entry.pc_r = beside_q[warp][level].pc;
        entry.mask_r = beside_q[warp][level].mask;
      }
    } else {
      entry = body_q[warp][level];
    }
    entry.mask_l = entry.mask_l & live_q[warp];
    entry.mask_r = entry.mask_r & live_q[warp];
    return settled(entry);
  }

 private:
  static constexpr unsigned Plain = Forwarding ? 1 : Warps, Lifted = Forwarding ? Warps : 1;  // warps that use them

  Pc rpc_q[Warps];
  Entry body_q[Plain][Beneath];
  Waiting waits_q[Lifted][Beneath];
  Path beside_q[Lifted][Beneath];
  sc_uint<1> has_q[Lifted][Beneath];
  sc_uint<1> closed_q[Lifted][Beneath];
  Lift lift_q[Lifted];
  Mask live_q[Warps];
  Entry word_q;  // read for this turn
  Waiting waits_word_q;
  Path beside_word_q;
  sc_uint<Warps> pop_q;
  sc_uint<Warps> dealt_q;  // with Deals: the warp's two paths are one that was dealt
  sc_uint<1> takes_q;      // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  /// R6: a path without lanes, or at its RPC, is not there.
  static Entry settled(const Entry& entry) {
    Entry next;
    next.rpc = entry.rpc;
    if (entry.mask_l != 0 && entry.pc_l != entry.rpc) {
      next.pc_l = entry.pc_l;
      next.mask_l = entry.mask_l;
    }
    if (entry.mask_r != 0 && entry.pc_r != entry.rpc) {
      next.pc_r = entry.pc_r;
      next.mask_r = entry.mask_r;
    }
    return next;
  }

  // ---- with Forwarding: a TOS with the forwarded path in one of its slots ----
  static bool lifted(const Lift& lift, bool right) { return lift.up != 0 && (lift.right != 0) == right; }

  /// R6, F3: each path is judged by the RPC of its own entry.
  static Entry settled_beside(const Entry& entry, const Lift& lift) {
    Entry next;
    next.rpc = entry.rpc;
    const Pc rpc_l = lifted(lift, false) ? lift.rpc : entry.rpc;
    const Pc rpc_r = lifted(lift, true) ? lift.rpc : entry.rpc;
    if (entry.mask_l != 0 && entry.pc_l != rpc_l) {
      next.pc_l = entry.pc_l;
      next.mask_l = entry.mask_l;
    }
    if (entry.mask_r != 0 && entry.pc_r != rpc_r) {
      next.pc_r = entry.pc_r;
      next.mask_r = entry.mask_r;
    }
    return next;
  }

  /// Of the entry that is at the top, nobody runs.
  static bool own_blank(const Entry& top, const Lift& lift) {
    return (top.mask_l == 0 || lifted(lift, false)) && (top.mask_r == 0 || lifted(lift, true));
  }

  /// F3: what the forwarded path was is forgotten where it ended.
  void end_lift(unsigned warp, const Entry& top, Lift& lift) {
    if (lift.up != 0 && (lift.right != 0 ? top.mask_r : top.mask_l) == 0) {
      has_q[warp][unsigned(lift.level)] = 0;
      lift.up = 0;
    }
  }

  /// F1: whether the warp waits for a turn, with this TOS; where that is to bring a path up, lift.level says from
  /// where.
  bool look_down(unsigned warp, const Entry& top, unsigned depth, Lift& lift) {
    bool wants = false;
    if (depth > 1) {
      if (own_blank(top, lift)) {
        wants = true;
      } else if (lift.up == 0 && lift.parked == 0 && (top.mask_l == 0 || top.mask_r == 0)) {
        for (unsigned i = 0; i < Beneath; ++i) {
          if (has_q[warp][i] != 0 || closed_q[warp][i] != 0) {
            wants = closed_q[warp][i] == 0;
            if (wants) lift.level = i;
          }
        }
      }
    }
    return wants;
  }

  /// The entry with one of its paths replaced.
  static Entry with(const Entry& entry, bool right, const Pc& pc, const Mask& mask) {
    Entry next = entry;
    if (right) {
      next.pc_r = pc;
      next.mask_r = mask;
    } else {
      next.pc_l = pc;
      next.mask_l = mask;
    }
    return next;
  }

  Entry top_of(unsigned warp) const {
    const Path left = left_o[warp].read(), right = right_o[warp].read();
    Entry top;
    top.pc_l = left.pc;
    top.mask_l = left.mask;
    top.pc_r = right.pc;
    top.mask_r = right.mask;
    top.rpc = rpc_q[warp];
    return top;
  }

  /// Makes `top`, which is settled, the TOS of the warp. R8: a warp whose lowest entry is blank is done.
  void put_top(unsigned warp, const Entry& top, unsigned depth, const Mask& live) {
    const bool done = top.mask_l == 0 && top.mask_r == 0 && depth <= 1;
    Path left, right;
    left.pc = top.pc_l;
    left.mask = top.mask_l;
    right.pc = top.pc_r;
    right.mask = top.mask_r;
    left_o[warp].write(left);
    right_o[warp].write(right);
    rpc_q[warp] = top.rpc;
    live_q[warp] = done ? Mask(0) : live;
    depth_o[warp].write(done ? 0 : depth);
  }

  HEDDLE_CLOCKED(step) {
    using Bits = sc_dt::uint64;  // one a warp
    const Status was = status_o.read();
    Bits valid_left = was.valid_left, valid_right = was.valid_right, pop = pop_q;
    Bits fresh_left = 0, fresh_right = 0, moved = 0, dealt = dealt_q;
    Bits comes = 0;  // with Forwarding: of `pop`, those that wait for a path to come up
    unsigned turn = turn_q;
    bool takes = false;
    bool grant_illegal = false, resolve_illegal = false, overflow = false;
    const Grant grant = grant_i.read();
    const Resolve resolve = resolve_i.read();
    const unsigned granted = grant.warp, resolved = resolve.warp;

    if (!rst_ni.read()) {
      Path blank;
      for (unsigned w = 0; w < Warps; ++w) {
        left_o[w].write(blank);
        right_o[w].write(blank);
        depth_o[w].write(0);
        rpc_q[w] = 0;
        live_q[w] = 0;
        if constexpr (Forwarding) {
          Lift none;
          lift_q[w] = none;
          for (unsigned i = 0; i < Beneath; ++i) {
            has_q[w][i] = 0;
            closed_q[w][i] = 0;
          }
        }
      }
      valid_left = 0;
      valid_right = 0;
      dealt = 0;
      pop = 0;
      turn = 0;
    } else {
      // What is written beneath the TOS at the end of this edge
      bool writes = false, writes_waiting = false, writes_beside = false;
      unsigned to_warp = 0, to_level = 0, beside_level = 0;
      Entry to_body;
      Waiting to_waits;
      Path to_beside;
      Bits parked = 0;      // F6, in this edge
      bool popped = false;  // the warp of this turn has an entry less
      if constexpr (Forwarding) {
        for (unsigned w = 0; w < Warps; ++w) {
          if ((pop >> w & 1) != 0 && !own_blank(top_of(w), lift_q[w])) comes |= Bits(1) << w;
        }
      }
      const Bits came = comes;

      // R1: the advance of an issued slot.
      bool issued = false;
      Entry advanced;
      if (grant.valid != 0) {
        const Bits valid = grant.right != 0 ? valid_right : valid_left;
        const Slots held = held_i.read();
        const Bits stays = grant.right != 0 ? held.right : held.left;
        issued = granted < Warps && (valid >> granted & 1) != 0;
        grant_illegal = !issued;  // R10
        if (issued) {
          const Bits bit = Bits(1) << granted;
          advanced = top_of(granted);
          if ((stays & bit) == 0) {
            const bool right = grant.right != 0;
            const Pc pc = right ? advanced.pc_r : advanced.pc_l;
            const Mask mask = right ? advanced.mask_r : advanced.mask_l;
            const unsigned depth = depth_o[granted].read();
            advanced = with(advanced, right, Pc(pc + 1), mask);
            if constexpr (Forwarding) {
              Lift lift = lift_q[granted];
              advanced = settled_beside(advanced, lift);
              end_lift(granted, advanced, lift);
              comes &= ~bit;
              if (look_down(granted, advanced, depth, lift)) {
                pop |= bit;
                if (!own_blank(advanced, lift)) comes |= bit;
              }
              lift_q[granted] = lift;
            } else {
              advanced = settled(advanced);
            }
            put_top(granted, advanced, depth, live_q[granted]);
            if (advanced.mask_l == 0) valid_left &= ~bit;
            if (advanced.mask_r == 0) valid_right &= ~bit;
            if (!Forwarding && advanced.mask_l == 0 && advanced.mask_r == 0 && depth > 1) pop |= bit;
          }
        }
      }

      // R2..R5, R11, R13: an executed control instruction, a launch, or a deal.
      if (resolve.op != unsigned(ResolveOp::None)) {
        const bool known = resolved < Warps;
        const bool right = resolve.right != 0;
        const Bits bit = known ? Bits(1) << resolved : 0;
        const bool same_warp = issued && granted == resolved;
        Entry top;
        unsigned depth = 0;
        Mask live = 0;
        if (known) {
          depth = depth_o[resolved].read();
          live = live_q[resolved];
          top = top_of(resolved);
          if (same_warp) top = advanced;
        }
        Lift lift;
        if constexpr (Forwarding) {
          if (known) lift = lift_q[resolved];
        }
        const bool is_lifted = Forwarding && lifted(lift, right);    // the slot's path came from below
        const bool has_lifted = Forwarding && lifted(lift, !right);  // ... the one beside it did
        const Pc pc = right ? top.pc_r : top.pc_l;
        const Mask mask = right ? top.mask_r : top.mask_l;
        const Mask sibling = has_lifted ? Mask(0) : right ? Mask(top.mask_l) : Mask(top.mask_r);
        const Pc slot_rpc = is_lifted ? Pc(lift.rpc) : Pc(top.rpc);
        const Pc fall = pc + 1;
        const Mask rest = mask & ~resolve.lanes;
        const bool there = mask != 0 && (resolve.lanes & ~mask) == 0 && !(same_warp && (grant.right != 0) == right);
        // R12: nobody runs at NoPc.
        const bool nowhere = resolve.target == Flow::NoPc && resolve.lanes != 0 &&
                             (slot_rpc != Flow::NoPc || (rest != 0 && resolve.rpc != Flow::NoPc));
        bool places = false;  // lanes go to new slots
        bool pushes = false;
        bool parks = false;  // F6
        bool stays = false;  // F5
        Entry next = top, parent = top;

        switch (unsigned(resolve.op)) {
          case unsigned(ResolveOp::Launch):  // R2
            if (!known || depth != 0 || resolve.lanes == 0) {
              resolve_illegal = true;  // R10
            } else {
              next.pc_l = resolve.target;
              next.mask_l = resolve.lanes;
              next.pc_r = 0;
              next.mask_r = 0;
              next.rpc = resolve.rpc;
              depth = 1;
              live = resolve.lanes;
            }
            break;
          case unsigned(ResolveOp::Branch):
            if (!there || nowhere) {
              resolve_illegal = true;  // R10
            } else if (rest == 0) {    // R3
              next = with(top, right, resolve.target, mask);
            } else if (resolve.lanes == 0) {  // R3
              next = with(top, right, fall, mask);
            } else {  // R4
              const bool loop = resolve.rpc == slot_rpc;
              const bool left_live = resolve.target != resolve.rpc, right_live = fall != resolve.rpc;
              places = left_live || right_live;
              parks = places && is_lifted;
              stays = has_lifted && left_live != right_live;
              pushes = places && !is_lifted && !(loop && sibling == 0);
              parent = with(top, right, loop ? Pc(0) : Pc(resolve.rpc), loop ? Mask(0) : mask);
              if (pushes && depth == Depth) {
                overflow = true;  // R9
              } else if (parks) {
                lift.loop = loop ? 1 : 0;
                lift.rpc = resolve.rpc;
              } else if (stays) {
                next = with(top, right, left_live ? Pc(resolve.target) : fall, left_live ? Mask(resolve.lanes) : rest);
                next.rpc = resolve.rpc;
              } else if (places) {
                next.pc_l = left_live ? Pc(resolve.target) : Pc(0);
                next.mask_l = left_live ? Mask(resolve.lanes) : Mask(0);
                next.pc_r = right_live ? fall : Pc(0);
                next.mask_r = right_live ? rest : Mask(0);
                next.rpc = resolve.rpc;
              } else {
                next = parent;
              }
            }
            break;
          case unsigned(ResolveOp::Exit):  // R5
            if (!there) {
              resolve_illegal = true;  // R10
            } else {
              next = with(top, right, fall, rest);
              live = live & ~resolve.lanes;
              if (live == 0) depth = 0;  // R8: nobody is left in any entry
            }
            break;
          case unsigned(ResolveOp::Call):  // R11
            if (!there || rest != 0 || resolve.target == Flow::NoPc) {
              resolve_illegal = true;  // R10, R12
            } else {
              parks = is_lifted;
              places = true;
              pushes = !is_lifted;
              overflow = pushes && depth == Depth;  // R9
              parent = with(top, right, fall, mask);
              next.pc_l = resolve.target;
              next.mask_l = mask;
              next.pc_r = 0;
              next.mask_r = 0;
              next.rpc = Flow::NoPc;
              if (parks) {
                lift.call = 1;
                lift.rpc = Flow::NoPc;
              }
            }
            break;
          case unsigned(ResolveOp::Deal): {  // R13
            const Mask all = top.mask_l | top.mask_r, others = all & ~resolve.lanes;
            const bool two = top.mask_l != 0 && top.mask_r != 0;
            const bool apart = two && (top.pc_l != top.pc_r || (dealt & bit) == 0);
            const Pc at = top.mask_l != 0 ? top.pc_l : top.pc_r;
            if (!Deals || same_warp || apart || resolve.lanes == 0 || (resolve.lanes & ~all) != 0) {
              resolve_illegal = true;  // R10
            } else {
              places = true;
              next = with(top, right, at, resolve.lanes);
              next = with(next, !right, at, others);
            }
            break;
          }
          default:
            resolve_illegal = true;  // R10
            break;
        }

        if (!resolve_illegal && !overflow) {
          if constexpr (Forwarding) {
            to_warp = resolved;
            if (parks) {  // F6: as if its branch had still to come
              writes_beside = true;
              to_beside.pc = fall;
              to_beside.mask = mask;
              beside_level = lift.level;
              parked = bit;
              lift.up = 0;
              lift.parked = 1;
              lift.target = resolve.target;
              lift.taken = resolve.lanes;
              next = with(top, right, Pc(0), Mask(0));
              places = false;
            } else {
              to_beside.pc = right ? top.pc_l : top.pc_r;
              to_beside.mask = right ? top.mask_l : top.mask_r;
              if (places && !stays && has_lifted) {  // F4
                writes_beside = true;
                beside_level = lift.level;
                lift.up = 0;
              }
              if (pushes) {
                writes_waiting = true;
                to_waits.pc = right ? parent.pc_r : parent.pc_l;
                to_waits.mask = right ? parent.mask_r : parent.mask_l;
                to_waits.rpc = top.rpc;
                to_level = depth - 1;
                has_q[resolved][to_level] = sibling != 0 ? 1 : 0;
                closed_q[resolved][to_level] = resolve.op == unsigned(ResolveOp::Call) ? 1 : 0;  // F1
                if (sibling != 0) {
                  writes_beside = true;
                  beside_level = to_level;
                }
                depth = depth + 1;
              }
            }
            next = settled_beside(next, lift);
            end_lift(resolved, next, lift);
            if (depth == 0) {
              for (unsigned i = 0; i < Beneath; ++i) closed_q[resolved][i] = 0;
            }
            pop &= ~bit;
            comes &= ~bit;
            if (look_down(resolved, next, depth, lift)) {
              pop |= bit;
              if (!own_blank(next, lift)) comes |= bit;
            }
            lift_q[resolved] = lift;
            if (stays) places = false;
          } else {
            if (pushes) {
              writes = true;
              to_warp = resolved;
              to_level = depth - 1;
              to_body = parent;
              depth = depth + 1;
            }
            next = settled(next);
          }
          put_top(resolved, next, depth, live);
          const bool launch = resolve.op == unsigned(ResolveOp::Launch);
          valid_left &= ~bit;
          valid_right &= ~bit;
          if (next.mask_l != 0) {
            valid_left |= bit;
            if (places || launch || !right) fresh_left |= bit;
          }
          if (next.mask_r != 0) {
            valid_right |= bit;
            if (places || right) fresh_right |= bit;
          }
          if (places) {
            moved |= bit;
            dealt &= ~bit;
            if (resolve.op == unsigned(ResolveOp::Deal)) dealt |= bit;
          }
          if (!Forwarding && next.mask_l == 0 && next.mask_r == 0 && depth > 1) pop |= bit;
        }
      }

      // R7: one pop a cycle. The warp's slots are not valid, so neither request above is its own.
      if (takes_q != 0) {
        const unsigned warp = turn_q;
        const Bits bit = Bits(1) << warp;
        if constexpr (Forwarding) {
          // F2: nothing else happens to the warp in this cycle, and where a branch waits, no memory is written.
          const bool resolves = resolve.op != unsigned(ResolveOp::None);
          const bool touched = (grant.valid != 0 && granted == warp) || (resolves && resolved == warp);
          Lift lift = lift_q[warp];
          Entry next = top_of(warp);
          unsigned depth = depth_o[warp].read();
          const bool pops = own_blank(next, lift);
          const unsigned level = pops ? depth - 2 : unsigned(lift.level);
          Waiting waiting = waits_word_q;
          Path beside;
          if (has_q[warp][level] != 0) beside = beside_word_q;
          waiting.mask = waiting.mask & live_q[warp];
          if (waiting.pc == waiting.rpc) waiting.mask = 0;  // R6
          if (waiting.mask == 0) waiting.pc = 0;
          const bool replaces = pops && lift.parked != 0 && lift.level == level;  // F7
          if (!touched && !(replaces && resolves)) {
            bool shows_left = true, shows_right = true;
            if (replaces) {
              next.pc_l = lift.target;
              next.mask_l = lift.taken;
              next.pc_r = beside.pc;
              next.mask_r = beside.mask & ~lift.taken;
              next.rpc = lift.rpc;
              writes_waiting = true;
              writes_beside = true;
              to_warp = warp;
              to_level = level;
              beside_level = level;
              to_waits.rpc = waiting.rpc;
              if (lift.loop == 0) {
                to_waits.pc = lift.call != 0 ? Pc(beside.pc) : Pc(lift.rpc);
                to_waits.mask = beside.mask;
              }
              to_beside.pc = waiting.pc;
              to_beside.mask = waiting.mask;
              has_q[warp][level] = waiting.mask != 0 ? 1 : 0;
              closed_q[warp][level] = lift.call;
              lift.parked = 0;
              lift.call = 0;
              lift.loop = 0;
              lift.rpc = 0;
              lift.target = 0;
              lift.taken = 0;
            } else if (pops) {  // R7
              next.rpc = waiting.rpc;
              if (lift.up == 0) {
                next.pc_l = waiting.pc;
                next.mask_l = waiting.mask;
                next.pc_r = beside.pc;
                next.mask_r = beside.mask;
              } else {
                next = with(next, lift.right == 0, waiting.pc, waiting.mask);
                shows_left = lift.right != 0;
                shows_right = lift.right == 0;
                if (lift.level == level) lift.up = 0;  // at home
              }
              has_q[warp][level] = 0;
              closed_q[warp][level] = 0;
              depth = depth - 1;
              popped = true;
            } else {  // F1
              lift.up = 1;
              lift.right = next.mask_r == 0 ? 1 : 0;
              lift.rpc = waiting.rpc;
              next = with(next, lift.right != 0, beside.pc, beside.mask);
              shows_left = lift.right == 0;
              shows_right = lift.right != 0;
            }
            next = settled_beside(next, lift);
            put_top(warp, next, depth, live_q[warp]);
            pop &= ~bit;
            comes &= ~bit;
            if (look_down(warp, next, depth, lift)) {
              pop |= bit;
              if (!own_blank(next, lift)) comes |= bit;
            }
            lift_q[warp] = lift;
            if (pops) moved |= bit;
            valid_left &= ~bit;
            valid_right &= ~bit;
            if (next.mask_l != 0) {
              valid_left |= bit;
              if (shows_left) fresh_left |= bit;
            }
            if (next.mask_r != 0) {
              valid_right |= bit;
              if (shows_right) fresh_right |= bit;
            }
          }
        } else {
          const unsigned depth = unsigned(depth_o[warp].read()) - 1;
          popped = true;
          Entry next = word_q;
          next.mask_l = next.mask_l & live_q[warp];
          next.mask_r = next.mask_r & live_q[warp];
          next = settled(next);
          put_top(warp, next, depth, live_q[warp]);
          moved |= bit;
          if (next.mask_l != 0) {
            valid_left |= bit;
            fresh_left |= bit;
          }
          if (next.mask_r != 0) {
            valid_right |= bit;
            fresh_right |= bit;
          }
          if (next.mask_l != 0 || next.mask_r != 0 || depth <= 1) pop &= ~bit;
        }
      }

      // R7: whose turn is next, and what it needs of the memory
      Bits ready = pop;
      if constexpr (Forwarding) {  // F2
        const Bits asked = resolve.op != unsigned(ResolveOp::None) && resolved < Warps ? Bits(1) << resolved : 0;
        ready = pop & ~parked & (~comes | (came & ~asked));
      }
      takes = ready != 0;
      if (takes) {
        const unsigned last = turn_q;
        turn = first_from(ready, last == Warps - 1 ? 0 : last + 1);
        const unsigned entries = unsigned(depth_o[turn].read()) - (popped && turn == last ? 1 : 0);
        if constexpr (Forwarding) {
          const unsigned level = (comes >> turn & 1) != 0 ? unsigned(lift_q[turn].level) : entries - 2;
          waits_word_q = waits_q[turn][level];
          beside_word_q = beside_q[turn][level];
        } else {
          word_q = body_q[turn][entries - 2];
        }
      }
      if constexpr (Forwarding) {
        if (writes_waiting) waits_q[to_warp][to_level] = to_waits;
        if (writes_beside) beside_q[to_warp][beside_level] = to_beside;
      } else {
        if (writes) body_q[to_warp][to_level] = to_body;
      }
    }

    if constexpr (Deals) dealt_q = dealt & valid_left & valid_right;
    Status status;
    status.valid_left = valid_left;
    status.valid_right = valid_right;
    status.fresh_left = fresh_left;
    status.fresh_right = fresh_right;
    status.moved = moved;
    status_o.write(status);
    idle_o.write((fresh_left | fresh_right) == 0 && moved == 0 && pop == 0);
    pop_q = pop;
    takes_q = takes ? 1 : 0;
    turn_q = turn;
    if (grant_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR("dual_path_stack/illegal",
                                    refusal(name(), granted, "grant of a slot that is not valid").c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("dual_path_stack/illegal", refusal(name(), resolved, illegal_resolve(resolve.op)).c_str()));
    }
    if (overflow) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("dual_path_stack/overflow",
                          refusal(name(), resolved, "push beyond " + std::to_string(Depth) + " entries").c_str()));
    }
  }
};

}  // namespace heddle
