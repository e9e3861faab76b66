// SPDX-License-Identifier: Apache-2.0
// Software-managed dual-path stack (DPE sec. 7.3): for each warp a stack of entries {PC and mask of a left path, PC and
// mask of a right path}; the program pushes and pops them. No RPC: the hardware does not know where paths meet.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h. Rules R1..R12 are stated in README.md and cited
//        below where the code obeys them.
// Time   A request of cycle n is on left_o, right_o, depth_o, status_o and idle_o in cycle n+1. A TOS that is blank in
//        cycle n is popped in the edge at the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The top entry (TOS) is in flops: left_o and right_o. The entries beneath are a memory with one write and one
//        read port, which reset does not clear: nothing above depth_o is ever read. The edge that makes it a warp's turn
//        reads what that turn needs.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   software_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class software_stack : public sc_core::sc_module {
  static_assert(Depth >= 2, "the TOS and at least one entry beneath it");

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
    HEDDLE_RECORD(Entry, pc_l, mask_l, pc_r, mask_r)
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

  SC_CTOR(software_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 7.3, left path of the TOS"});
    declare(*this, "right_o", right_o, {Storage::Flop, paper_all(), "DPE sec. 7.3, right path of the TOS"});
    declare(*this, "body_q", body_q,
            {Storage::Ram, paper_all(), "DPE sec. 7.3, entries beneath the TOS", "1R1W, read first"});
    declare(*this, "word_q", word_q, {Storage::Flop, paper_none(), "read port of body_q"});
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries in use"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, lanes that have not exited"});
    declare(*this, "status_o", status_o, {Storage::Flop, paper_none(), "ours, what the last edge did"});
    declare(*this, "pop_q", pop_q, {Storage::Flop, paper_none(), "ours, warps that wait for a pop"});
    declare(*this, "takes_q", takes_q, {Storage::Flop, paper_none(), "ours, a warp takes its turn"});
    if constexpr (Warps > 1) {
      declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, whose turn it is, or was last"});
    }
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware: an entry as a pop would show it; level 0 is the lowest.
  Entry entry_of(unsigned warp, unsigned level) const {
    Entry entry = level + 1 == depth_o[warp].read() ? top_of(warp) : body_q[warp][level];
    entry.mask_l = entry.mask_l & live_q[warp];
    entry.mask_r = entry.mask_r & live_q[warp];
    return settled(entry);
  }

 private:
  Entry body_q[Warps][Depth - 1];
  Mask live_q[Warps];
  Entry word_q;  // read for this turn
  sc_uint<Warps> pop_q;
  sc_uint<1> takes_q;  // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  /// R6: a path without lanes is not there.
  static Entry settled(const Entry& entry) {
    Entry next;
    if (entry.mask_l != 0) {
      next.pc_l = entry.pc_l;
      next.mask_l = entry.mask_l;
    }
    if (entry.mask_r != 0) {
      next.pc_r = entry.pc_r;
      next.mask_r = entry.mask_r;
    }
    return next;
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
    live_q[warp] = done ? Mask(0) : live;
    depth_o[warp].write(done ? 0 : depth);
  }

  HEDDLE_CLOCKED(step) {
    using Bits = sc_dt::uint64;  // one a warp
    const Status was = status_o.read();
    Bits valid_left = was.valid_left, valid_right = was.valid_right, pop = pop_q;
    Bits fresh_left = 0, fresh_right = 0, moved = 0;
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
        live_q[w] = 0;
      }
      valid_left = 0;
      valid_right = 0;
      pop = 0;
      turn = 0;
    } else {
      bool writes = false;  // beneath the TOS, at the end of this edge
      unsigned to_level = 0;
      Entry to_body;
      bool popped = false;

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
          advanced = top_of(granted);
          if ((stays >> granted & 1) == 0) {
            if (grant.right != 0) {
              advanced.pc_r = advanced.pc_r + 1;
            } else {
              advanced.pc_l = advanced.pc_l + 1;
            }
            put_top(granted, advanced, depth_o[granted].read(), live_q[granted]);
          }
        }
      }

      // R2..R5, R11, R12: an executed control instruction, or a launch.
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
        const Pc pc = right ? top.pc_r : top.pc_l;
        const Mask mask = right ? top.mask_r : top.mask_l;
        const Mask sibling = right ? top.mask_l : top.mask_r;
        const Pc fall = pc + 1;
        const Mask rest = mask & ~resolve.lanes;
        const bool there = mask != 0 && (resolve.lanes & ~mask) == 0 && !(same_warp && (grant.right != 0) == right);
        bool places = false;  // lanes go to new slots
        bool pushes = false;
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
              depth = 1;
              live = resolve.lanes;
            }
            break;
          case unsigned(ResolveOp::Branch):
            if (!there) {
              resolve_illegal = true;  // R10
            } else if (rest == 0) {    // R3
              next = with(top, right, resolve.target, mask);
            } else if (resolve.lanes == 0) {  // R3
              next = with(top, right, fall, mask);
            } else {  // R4
              places = true;
              pushes = sibling != 0;
              overflow = pushes && depth == Depth;  // R9
              parent = with(top, right, resolve.rpc, mask);
              next.pc_l = resolve.target;
              next.mask_l = resolve.lanes;
              next.pc_r = fall;
              next.mask_r = rest;
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
          case unsigned(ResolveOp::Push):  // R11
            if (!there || rest != 0) {
              resolve_illegal = true;  // R10
            } else {
              places = true;
              pushes = true;
              overflow = depth == Depth;  // R9
              parent = with(top, right, resolve.rpc, mask);
              next.pc_l = resolve.target;
              next.mask_l = mask;
              next.pc_r = 0;
              next.mask_r = 0;
            }
            break;
          case unsigned(ResolveOp::Pop):  // R12
            if (!there || rest != 0 || depth <= 1) {
              resolve_illegal = true;  // R10
            } else {
              next = with(top, right, Pc(0), Mask(0));
            }
            break;
          default:
            resolve_illegal = true;  // R10
            break;
        }

        if (!resolve_illegal && !overflow) {
          if (pushes) {
            writes = true;
            to_level = depth - 1;
            to_body = parent;
            depth = depth + 1;
          }
          next = settled(next);
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
          if (places) moved |= bit;
          if (next.mask_l == 0 && next.mask_r == 0 && depth > 1) pop |= bit;
        }
      }

      // R7: one pop a cycle. The warp's slots are not valid, so neither request above is its own.
      if (takes_q != 0) {
        const unsigned warp = turn_q;
        const Bits bit = Bits(1) << warp;
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

      // R7: whose turn is next, and what it needs of the memory
      takes = pop != 0;
      if (takes) {
        const unsigned last = turn_q;
        turn = first_from(pop, last == Warps - 1 ? 0 : last + 1);
        const unsigned entries = unsigned(depth_o[turn].read()) - (popped && turn == last ? 1 : 0);
        word_q = body_q[turn][entries - 2];
      }
      if (writes) body_q[resolved][to_level] = to_body;
    }

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
      HEDDLE_REPORT(SC_REPORT_ERROR("software_stack/illegal",
                                    refusal(name(), granted, "grant of a slot that is not valid").c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("software_stack/illegal", refusal(name(), resolved, illegal_resolve(resolve.op)).c_str()));
    }
    if (overflow) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("software_stack/overflow",
                          refusal(name(), resolved, "push beyond " + std::to_string(Depth) + " entries").c_str()));
    }
  }
};

}  // namespace heddle
