// SPDX-License-Identifier: Apache-2.0
// Single-path stack (DPE sec. 2.1, DWF sec. 3.2): for each warp a stack of entries {PC, mask, RPC}; only the path of
// the top entry (TOS) is issued. The baseline of the papers.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h; the right paths are blank. Rules R1..R12 are
//        stated in README.md and cited below where the code obeys them.
// Time   A request of cycle n is on left_o, depth_o, status_o and idle_o in cycle n+1. A TOS that is blank in cycle n
//        is popped in the edge at the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The TOS is in flops: left_o and rpc_q. The entries beneath are a memory in two halves, of even and of odd
//        levels, each with one write and one read port: a divergent branch leaves its own entry and the right path beneath
//        the left one, at levels that follow one another, a call only its own. Reset does not clear them: nothing above
//        depth_o is ever read. The edge that makes it a warp's turn reads what that turn needs.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   single_path_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_path_stack : public sc_core::sc_module {
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

  static constexpr unsigned Evens = Depth / 2, Odds = (Depth - 1) / 2;  ///< levels beneath the TOS

  struct Entry {
    sc_uint<PcBits> pc;
    sc_uint<Lanes> mask;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Entry, pc, mask, rpc)
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

  SC_CTOR(single_path_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    probe(*this, "right_o", right_o);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 2.1, PC and mask of the TOS"});
    declare(*this, "rpc_q", rpc_q, {Storage::Flop, paper_all(), "DPE sec. 2.1, RPC of the TOS"});
    declare(*this, "even_q", even_q,
            {Storage::Ram, paper_all(), "DPE sec. 2.1, entries beneath the TOS, even levels", "1R1W, read first"});
    declare(*this, "even_word_q", even_word_q, {Storage::Flop, paper_none(), "read port of even_q"});
    if constexpr (Odds != 0) {
      declare(*this, "odd_q", odd_q,
              {Storage::Ram, paper_all(), "DPE sec. 2.1, entries beneath the TOS, odd levels", "1R1W, read first"});
      declare(*this, "odd_word_q", odd_word_q, {Storage::Flop, paper_none(), "read port of odd_q"});
    }
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries in use"});
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
    Entry entry = level + 1 == depth_o[warp].read() ? top_of(warp) : beneath(warp, level);
    entry.mask = entry.mask & live_q[warp];
    return settled(entry);
  }

 private:
  Pc rpc_q[Warps];
  Entry even_q[Warps][Evens];
  Entry odd_q[Warps][Odds == 0 ? 1 : Odds];
  Entry even_word_q;  // read for this turn
  Entry odd_word_q;
  Mask live_q[Warps];
  sc_uint<Warps> pop_q;
  sc_uint<1> takes_q;  // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  Entry beneath(unsigned warp, unsigned level) const {
    Entry entry = even_q[warp][level / 2];
    if ((level & 1) != 0) entry = odd_q[warp][level / 2];
    return entry;
  }

  /// R6: a path without lanes, or at its RPC, is not there.
  static Entry settled(const Entry& entry) {
    Entry next;
    next.rpc = entry.rpc;
    if (entry.mask != 0 && entry.pc != entry.rpc) {
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
    top.rpc = rpc_q[warp];
    return top;
  }

  /// Makes `top`, which is settled, the TOS of the warp. R8: a warp whose lowest entry is blank is done.
  void put_top(unsigned warp, const Entry& top, unsigned depth, const Mask& live) {
    const bool done = top.mask == 0 && depth <= 1;
    Path path;
    path.pc = top.pc;
    path.mask = top.mask;
    left_o[warp].write(path);
    rpc_q[warp] = top.rpc;
    live_q[warp] = done ? Mask(0) : live;
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
        rpc_q[w] = 0;
        live_q[w] = 0;
      }
      valid = 0;
      pop = 0;
      turn = 0;
    } else {
      bool writes[2] = {false, false};  // to even and odd levels at the end of this edge
      unsigned to_warp = 0, to_level[2] = {0, 0};
      Entry to_half[2];
      bool popped = false;

      // R1: the advance of an issued path. The right ones are never there.
      bool issued = false;
      if (grant.valid != 0) {
        const Slots held = held_i.read();
        issued = granted < Warps && grant.right == 0 && (valid >> granted & 1) != 0;
        grant_illegal = !issued;  // R10
        if (issued && (held.left >> granted & 1) == 0) {
          const Bits bit = Bits(1) << granted;
          const unsigned depth = depth_o[granted].read();
          Entry top = top_of(granted);
          top.pc = top.pc + 1;
          top = settled(top);
          put_top(granted, top, depth, live_q[granted]);
          if (top.mask == 0) {
            valid &= ~bit;
            if (depth > 1) pop |= bit;
          }
        }
      }

      // R2..R5, R11: an executed control instruction, or a launch.
      if (resolve.op != unsigned(ResolveOp::None)) {
        const bool known = resolved < Warps;
        const Bits bit = known ? Bits(1) << resolved : 0;
        Entry top;
        unsigned depth = 0;
        Mask live = 0;
        if (known) {
          depth = depth_o[resolved].read();
          live = live_q[resolved];
          top = top_of(resolved);
        }
        const Pc fall = top.pc + 1;
        const Mask rest = top.mask & ~resolve.lanes;
        const bool there =
            resolve.right == 0 && top.mask != 0 && (resolve.lanes & ~top.mask) == 0 && !(issued && granted == resolved);
        // R12: nobody runs at NoPc.
        const bool nowhere = resolve.target == Flow::NoPc && resolve.lanes != 0 &&
                             (top.rpc != Flow::NoPc || (rest != 0 && resolve.rpc != Flow::NoPc));
        bool places = false;  // lanes go to new entries
        bool leaves = false;  // the entry that diverges or calls stays beneath them
        bool both = false;    // the right path stays beneath the left one
        Entry next = top, parent = top, below;

        switch (unsigned(resolve.op)) {
          case unsigned(ResolveOp::Launch):  // R2
            if (!known || depth != 0 || resolve.lanes == 0) {
              resolve_illegal = true;  // R10
            } else {
              next.pc = resolve.target;
              next.mask = resolve.lanes;
              next.rpc = resolve.rpc;
              depth = 1;
              live = resolve.lanes;
            }
            break;
          case unsigned(ResolveOp::Branch):
            if (!there || nowhere) {
              resolve_illegal = true;  // R10
            } else if (rest == 0) {    // R3
              next.pc = resolve.target;
            } else if (resolve.lanes == 0) {  // R3
              next.pc = fall;
            } else {  // R4
              const bool loop = resolve.rpc == top.rpc;
              const bool left_live = resolve.target != resolve.rpc, right_live = fall != resolve.rpc;
              both = left_live && right_live;
              places = left_live || right_live;
              leaves = places && !loop;
              parent.pc = resolve.rpc;
              below.pc = fall;
              below.mask = rest;
              below.rpc = resolve.rpc;
              if (depth + (leaves ? 1 : 0) + (both ? 1 : 0) > Depth) {
                overflow = true;  // R9
              } else if (left_live) {
                next.pc = resolve.target;
                next.mask = resolve.lanes;
                next.rpc = resolve.rpc;
              } else if (right_live) {
                next = below;
              } else {
                next = parent;  // at its RPC when it is a loop: R6 blanks it
              }
            }
            break;
          case unsigned(ResolveOp::Exit):  // R5
            if (!there) {
              resolve_illegal = true;  // R10
            } else {
              next.pc = fall;
              next.mask = rest;
              live = live & ~resolve.lanes;
              if (live == 0) depth = 0;  // R8: nobody is left in any entry
            }
            break;
          case unsigned(ResolveOp::Call):  // R11
            if (!there || rest != 0 || resolve.target == Flow::NoPc) {
              resolve_illegal = true;  // R10, R12
            } else {
              places = true;
              leaves = true;
              overflow = depth == Depth;  // R9
              parent.pc = fall;
              next.pc = resolve.target;
              next.rpc = Flow::NoPc;
            }
            break;
          default:
            resolve_illegal = true;  // R10
            break;
        }

        if (!resolve_illegal && !overflow) {
          to_warp = resolved;
          if (leaves) {
            const unsigned half = (depth - 1) & 1;
            writes[half] = true;
            to_level[half] = depth - 1;
            to_half[half] = parent;
            depth = depth + 1;
          }
          if (both) {
            const unsigned half = (depth - 1) & 1;
            writes[half] = true;
            to_level[half] = depth - 1;
            to_half[half] = below;
            depth = depth + 1;
          }
          next = settled(next);
          put_top(resolved, next, depth, live);
          valid &= ~bit;
          if (next.mask != 0) {
            valid |= bit;
            fresh |= bit;
          } else if (depth > 1) {
            pop |= bit;
          }
          if (places) moved |= bit;
        }
      }

      // R7: one pop a cycle. The warp's path is not valid, so neither request above is its own.
      if (takes_q != 0) {
        const unsigned warp = turn_q;
        const Bits bit = Bits(1) << warp;
        const unsigned depth = unsigned(depth_o[warp].read()) - 1;
        popped = true;
        Entry next = even_word_q;
        if (((depth - 1) & 1) != 0) next = odd_word_q;
        next.mask = next.mask & live_q[warp];
        next = settled(next);
        put_top(warp, next, depth, live_q[warp]);
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
        const unsigned level = entries - 2;
        if ((level & 1) != 0) {
          odd_word_q = odd_q[turn][level / 2];
        } else {
          even_word_q = even_q[turn][level / 2];
        }
      }
      if (writes[0]) even_q[to_warp][to_level[0] / 2] = to_half[0];
      if (writes[1]) odd_q[to_warp][to_level[1] / 2] = to_half[1];
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
      HEDDLE_REPORT(SC_REPORT_ERROR("single_path_stack/illegal",
                                    refusal(name(), granted, "grant of a slot that is not valid").c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("single_path_stack/illegal", refusal(name(), resolved, illegal_resolve(resolve.op)).c_str()));
    }
    if (overflow) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("single_path_stack/overflow",
                          refusal(name(), resolved, "push beyond " + std::to_string(Depth) + " entries").c_str()));
    }
  }
};

}  // namespace heddle
