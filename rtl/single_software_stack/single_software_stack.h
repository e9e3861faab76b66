// SPDX-License-Identifier: Apache-2.0
// Software-managed single-path stack: for each warp a stack of entries {PC, mask}, of which the top one (TOS) runs; the
// program pushes and pops them (DPE sec. 7.3, with one path an entry). No RPC: the hardware does not know where paths meet.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h; the right paths are blank. Rules R1..R12 are stated
//        in README.md and cited below where the code obeys them.
// Time   A request of cycle n is on left_o, depth_o, status_o and idle_o in cycle n+1. A TOS that is blank in cycle n is
//        popped in the edge at the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The TOS is in flops: left_o. The entries beneath are a memory with one write and one read port, which reset does
//        not clear: nothing above depth_o is ever read. The edge that makes it a warp's turn reads what that turn needs.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   single_software_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_software_stack : public sc_core::sc_module {
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
    sc_uint<PcBits> pc;
    sc_uint<Lanes> mask;
    sc_uint<1> pushed;  ///< by the program, not by a branch
    HEDDLE_RECORD(Entry, pc, mask, pushed)
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

  SC_CTOR(single_software_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    probe(*this, "right_o", right_o);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 7.3, PC and mask of the TOS"});
    declare(*this, "body_q", body_q,
            {Storage::Ram, paper_fields("pc,mask"), "DPE sec. 7.3, entries beneath the TOS", "1R1W, read first"});
    declare(*this, "word_q", word_q, {Storage::Flop, paper_none(), "read port of body_q"});
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries in use"});
    declare(*this, "open_q", open_q, {Storage::Flop, paper_none(), "ours, pushes of the program that are open"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, lanes that have not exited"});
    declare(*this, "status_o", status_o,
            {Storage::Flop, paper_none(), "ours, what the last edge did", "", "valid_right, fresh_right"});
    declare(*this, "pop_q", pop_q, {Storage::Flop, paper_none(), "ours, warps that wait for a pop"});
    declare(*this, "takes_q", takes_q, {Storage::Flop, paper_none(), "ours, a warp takes its turn"});
    if constexpr (Warps > 1) {
      declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, whose turn it is, or was last"});
    }
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches and messages, not hardware: an entry as a pop would show it; level 0 is the lowest.
  Entry entry_of(unsigned warp, unsigned level) const {
    if (level + 1 == depth_o[warp].read()) return settled(top_of(warp));
    Entry entry = body_q[warp][level];
    entry.mask = entry.mask & live_q[warp];
    return settled(entry);
  }

 private:
  Entry body_q[Warps][Depth - 1];
  Mask live_q[Warps];
  Count open_q[Warps];
  Entry word_q;  // read for this turn
  sc_uint<Warps> pop_q;
  sc_uint<1> takes_q;  // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  /// R6: a path without lanes is not there.
  static Entry settled(const Entry& entry) {
    Entry next;
    next.pushed = entry.pushed;
    if (entry.mask != 0) {
      next.pc = entry.pc;
      next.mask = entry.mask;
    }
    return next;
  }

  Entry top_of(unsigned warp) const {
    const Path path = left_o[warp].read();
    Entry top;
    top.pc = path.pc;
    top.mask = path.mask;
    return top;
  }

  /// Makes `top`, which is settled, the TOS of the warp. R8: a warp whose lowest entry is blank is done.
  void put_top(unsigned warp, const Entry& top, unsigned depth, unsigned open, const Mask& live) {
    const bool done = top.mask == 0 && depth <= 1;
    Path path;
    path.pc = top.pc;
    path.mask = top.mask;
    left_o[warp].write(path);
    live_q[warp] = done ? Mask(0) : live;
    open_q[warp] = done ? 0 : open;
    depth_o[warp].write(done ? 0 : depth);
  }

  HEDDLE_CLOCKED(step) {
    using Bits = sc_dt::uint64;  // one a warp
    const Status was = status_o.read();
    Bits valid = was.valid_left, pop = pop_q;
    Bits fresh = 0, moved = 0;
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
        depth_o[w].write(0);
        open_q[w] = 0;
        live_q[w] = 0;
      }
      valid = 0;
      pop = 0;
      turn = 0;
    } else {
      bool writes = false;  // beneath the TOS, at the end of this edge
      unsigned to_level = 0;
      Entry to_body;
      bool popped = false;

      // R1: the advance of an issued path. The right ones are never there.
      bool issued = false;
      if (grant.valid != 0) {
        const Slots held = held_i.read();
        issued = granted < Warps && grant.right == 0 && (valid >> granted & 1) != 0;
        grant_illegal = !issued;  // R10
        if (issued && (held.left >> granted & 1) == 0) {
          Entry top = top_of(granted);
          top.pc = top.pc + 1;
          put_top(granted, top, depth_o[granted].read(), open_q[granted], live_q[granted]);
        }
      }

      // R2..R5, R11, R12: an executed control instruction, or a launch.
      if (resolve.op != unsigned(ResolveOp::None)) {
        const bool known = resolved < Warps;
        const Bits bit = known ? Bits(1) << resolved : 0;
        Entry top;
        unsigned depth = 0, open = 0;
        Mask live = 0;
        if (known) {
          depth = depth_o[resolved].read();
          open = open_q[resolved];
          live = live_q[resolved];
          top = top_of(resolved);
        }
        const Pc fall = top.pc + 1;
        const Mask rest = top.mask & ~resolve.lanes;
        const bool there =
            resolve.right == 0 && top.mask != 0 && (resolve.lanes & ~top.mask) == 0 && !(issued && granted == resolved);
        bool pushes = false;  // an entry waits beneath, and the path starts elsewhere
        Entry next = top, parent = top;

        switch (unsigned(resolve.op)) {
          case unsigned(ResolveOp::Launch):  // R2
            if (!known || depth != 0 || resolve.lanes == 0) {
              resolve_illegal = true;  // R10
            } else {
              next.pc = resolve.target;
              next.mask = resolve.lanes;
              depth = 1;
              open = 0;
              live = resolve.lanes;
            }
            break;
          case unsigned(ResolveOp::Branch):
            if (!there) {
              resolve_illegal = true;  // R10
            } else if (rest == 0) {    // R3
              next.pc = resolve.target;
            } else if (resolve.lanes == 0) {  // R3
              next.pc = fall;
            } else {  // R4
              pushes = true;
              overflow = depth == Depth;  // R9
              parent.pc = fall;
              parent.mask = rest;
              next.pc = resolve.target;
              next.mask = resolve.lanes;
            }
            break;
          case unsigned(ResolveOp::Exit):  // R5
            if (!there) {
              resolve_illegal = true;  // R10
            } else {
              next.pc = fall;
              next.mask = rest;
              live = live & ~resolve.lanes;
              if (live == 0) depth = 0;  // R8: no lane is left in any entry
            }
            break;
          case unsigned(ResolveOp::Push):  // R11
            if (!there || rest != 0) {
              resolve_illegal = true;  // R10
            } else {
              pushes = true;
              overflow = depth == Depth;  // R9
              parent.pc = resolve.rpc;
              parent.pushed = 1;
              next.pc = resolve.target;
              open = open + 1;
            }
            break;
          case unsigned(ResolveOp::Pop):  // R12
            if (!there || rest != 0 || open == 0) {
              resolve_illegal = true;  // R10
            } else {
              next.mask = 0;
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
          put_top(resolved, next, depth, open, live);
          valid &= ~bit;
          if (next.mask != 0) {
            valid |= bit;
            fresh |= bit;
          } else if (depth > 1) {
            pop |= bit;
          }
          if (pushes) moved |= bit;
        }
      }

      // R7: one pop a cycle. The warp's path is not valid, so neither request above is its own.
      if (takes_q != 0) {
        const unsigned warp = turn_q;
        const Bits bit = Bits(1) << warp;
        const unsigned depth = unsigned(depth_o[warp].read()) - 1;
        popped = true;
        Entry next = word_q;
        next.mask = next.mask & live_q[warp];
        next = settled(next);
        put_top(warp, next, depth, unsigned(open_q[warp]) - (next.pushed != 0 ? 1 : 0), live_q[warp]);
        moved |= bit;
        if (next.mask != 0) {
          valid |= bit;
          fresh |= bit;
        }
        if (next.mask != 0 || depth <= 1) pop &= ~bit;
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
    status.valid_left = valid;
    status.fresh_left = fresh;
    status.moved = moved;
    status_o.write(status);
    idle_o.write(fresh == 0 && moved == 0 && pop == 0);
    pop_q = pop;
    takes_q = takes ? 1 : 0;
    turn_q = turn;
    if (grant_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR("single_software_stack/illegal",
                                    refusal(name(), granted, "grant of a slot that is not valid").c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR("single_software_stack/illegal",
                                    refusal(name(), resolved, illegal_resolve(resolve.op)).c_str()));
    }
    if (overflow) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("single_software_stack/overflow",
                          refusal(name(), resolved, "push beyond " + std::to_string(Depth) + " entries").c_str()));
    }
  }
};

}  // namespace heddle
