// SPDX-License-Identifier: Apache-2.0
// Warp-split table (dynamic warp subdivision, DPE sec. 2.2): for each warp a stack as in the single-path stack, whose
// top entry (TOS) holds several paths at once, the warp-splits. Splits share the RPC of the TOS.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h, and what subdivision needs beside them: the
//        length of the block at a branch's post-dominator and the threshold N, a request to give a slot to another
//        split, and the number of splits. Rules R1..R15 are stated in README.md and cited below where the code obeys
//        them.
// Time   A request of cycle n is on the outputs in cycle n+1. A TOS without splits in cycle n is popped in the edge at
//        the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The splits in the two slots are the registers left_o and right_o, the others wait in a queue, wait_q, from
//        place first_q to the one before next_q; none of them moves, all of a warp are searched for equal PCs. Warps that
//        are not subdivided have their TOS in one slot. The entries beneath are a memory as in the single-path stack: two
//        halves, whose words (even_word_q, odd_word_q) are read in the edge that makes it a warp's turn to be popped.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   warp_split_table.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// Instructions of the block at a post-dominator, 255 also for more: DPE compares them with 10, 50 and 100.
using BlockLength = sc_uint<8>;

/// What the last edge did to the splits, one bit a warp.
template <unsigned Warps>
struct SplitEvents {
  sc_uint<Warps> divided;  // a branch made two splits of one
  sc_uint<Warps> joined;   // lanes came to where another split stood
  sc_uint<Warps> spilled;  // the table was full: a path went to the stack instead
  HEDDLE_RECORD(SplitEvents, divided, joined, spilled)
};

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth, unsigned Entries>
class warp_split_table : public sc_core::sc_module {
  static_assert(Depth >= 2, "the TOS and at least one entry beneath it");
  static_assert(Entries >= 3, "the two slots and at least one split that waits");

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
  using SplitCount = sc_uint<count_bits(Entries)>;
  using Events = SplitEvents<Warps>;
  static constexpr unsigned WarpBits = Flow::WarpBits;
  static constexpr unsigned Waiting = Entries - 2;
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
  sc_core::sc_in<BlockLength> block_i{"block_i"};          // of the branch that resolve_i resolves
  sc_core::sc_in<BlockLength> threshold_i{"threshold_i"};  // N
  sc_core::sc_in<Grant> yield_i{"yield_i"};                // this slot's split gives way to one that waits
  sc_core::sc_vector<sc_core::sc_out<Path>> left_o{"left_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Path>> right_o{"right_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Count>> depth_o{"depth_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<SplitCount>> splits_o{"splits_o", Warps};
  sc_core::sc_out<Status> status_o{"status_o"};
  sc_core::sc_out<Events> events_o{"events_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(warp_split_table) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    probe(*this, "block_i", block_i);
    probe(*this, "threshold_i", threshold_i);
    probe(*this, "yield_i", yield_i);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 2.2, the split in the left slot"});
    declare(*this, "right_o", right_o, {Storage::Flop, paper_all(), "DPE sec. 2.2, the split in the right slot"});
    declare(*this, "wait_q", wait_q, {Storage::Cam, paper_all(), "DPE sec. 2.2, the other splits", "2R2W, all seen"});
    declare(*this, "rpc_q", rpc_q, {Storage::Flop, paper_all(), "DPE sec. 2.2, RPC of the TOS and of its splits"});
    declare(*this, "even_q", even_q,
            {Storage::Ram, paper_all(), "DPE sec. 2.1, entries beneath the TOS, even levels", "1R1W, read first"});
    declare(*this, "even_word_q", even_word_q, {Storage::Flop, paper_none(), "read port of even_q"});
    if constexpr (Odds != 0) {
      declare(*this, "odd_q", odd_q,
              {Storage::Ram, paper_all(), "DPE sec. 2.1, entries beneath the TOS, odd levels", "1R1W, read first"});
      declare(*this, "odd_word_q", odd_word_q, {Storage::Flop, paper_none(), "read port of odd_q"});
    }
    if constexpr (Waiting > 1) {
      declare(*this, "first_q", first_q, {Storage::Flop, paper_none(), "ours, place of the split that waits longest"});
      declare(*this, "next_q", next_q, {Storage::Flop, paper_none(), "ours, place of the next split to wait"});
    }
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries of the stack in use"});
    declare(*this, "splits_o", splits_o, {Storage::Flop, paper_none(), "ours, splits in the table"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, lanes that have not exited"});
    declare(*this, "busy_q", busy_q, {Storage::Flop, paper_none(), "ours, slots with a control instruction in flight"});
    declare(*this, "status_o", status_o, {Storage::Flop, paper_none(), "ours, what the last edge did"});
    declare(*this, "events_o", events_o, {Storage::Flop, paper_none(), "ours, what the last edge did to the splits"});
    declare(*this, "pop_q", pop_q, {Storage::Flop, paper_none(), "ours, warps that wait for a pop"});
    declare(*this, "takes_q", takes_q, {Storage::Flop, paper_none(), "ours, a warp takes its turn"});
    if constexpr (Warps > 1) {
      declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, whose turn it is, or was last"});
    }
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  // For benches and messages, not hardware.
  /// An entry beneath the TOS as a pop would show it; level 0 is the lowest.
  Entry entry_of(unsigned warp, unsigned level) const {
    Entry entry = even_q[warp][level / 2];
    if ((level & 1) != 0) entry = odd_q[warp][level / 2];
    entry.mask = entry.mask & live_q[warp];
    return entry;
  }
  /// Split 0 is the one in the left slot, 1 in the right one, then those that wait, the next one to come first.
  Path split_of(unsigned warp, unsigned split) const {
    Path path;
    if (split == 0) {
      path = left_o[warp].read();
    } else if (split == 1) {
      path = right_o[warp].read();
    } else if (split < splits_o[warp].read()) {
      path = wait_q[warp][(first_q[warp] + split - 2) % Waiting];
    }
    return path;
  }
  Pc rpc_of(unsigned warp) const { return rpc_q[warp]; }

 private:
  Path wait_q[Warps][Waiting];  // only when both slots are taken
  sc_uint<index_bits(Waiting)> first_q[Warps];
  sc_uint<index_bits(Waiting)> next_q[Warps];
  Pc rpc_q[Warps];
  Entry even_q[Warps][Evens];
  Entry odd_q[Warps][Odds == 0 ? 1 : Odds];
  Entry even_word_q;  // read for this turn
  Entry odd_word_q;
  Mask live_q[Warps];
  Slots busy_q;
  sc_uint<Warps> pop_q;
  sc_uint<1> takes_q;  // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  /// R9: a path without lanes, or at its RPC, is not there.
  static Path settled(const Path& path, const Pc& rpc) {
    Path next;
    if (path.mask != 0 && path.pc != rpc) next = path;
    return next;
  }

  /// How many wait in the queue, of so many splits.
  static unsigned waiting_of(unsigned splits) { return splits > 2 ? splits - 2 : 0; }

  static unsigned after_place(unsigned place) { return place + 1 == Waiting ? 0 : place + 1; }

  /// R7: lanes that come to where another split of the warp stands join it. `other` is the split in the other slot.
  bool join(unsigned warp, unsigned waiting, Path& other, bool other_busy, const Path& path) {
    bool joined = path.mask != 0 && other.mask != 0 && !other_busy && other.pc == path.pc;
    if (joined) other.mask = other.mask | path.mask;
    if (path.mask != 0 && waiting != 0) {
      unsigned place = first_q[warp];
      for (unsigned i = 0; i < Waiting; ++i) {
        if (!joined && i < waiting && wait_q[warp][place].pc == path.pc) {
          wait_q[warp][place].mask = wait_q[warp][place].mask | path.mask;
          joined = true;
        }
        place = after_place(place);
      }
    }
    return joined;
  }

  /// R10: the split that waits longest leaves the queue; blank: none waits.
  Path take(unsigned warp, unsigned& waiting) {
    Path head;
    if (waiting != 0) {
      const unsigned place = first_q[warp];
      head = wait_q[warp][place];
      first_q[warp] = after_place(place);
      waiting -= 1;
    }
    return head;
  }

  /// R10: to the end of the queue.
  void append(unsigned warp, unsigned& waiting, const Path& path) {
    if (path.mask != 0) {
      const unsigned place = next_q[warp];
      wait_q[warp][place] = path;
      next_q[warp] = after_place(place);
      waiting += 1;
    }
  }

  /// R10: what comes out of a slot goes to the end of the queue, and the queue fills the slot, then the other one.
  void seat(unsigned warp, unsigned waiting, Path& own, Path& other, const Path& first, const Path& second) {
    if (waiting != 0) {
      own = take(warp, waiting);
      append(warp, waiting, first);
      append(warp, waiting, second);
    } else {
      own = first;
      if (other.mask == 0) {
        other = second;
      } else {
        append(warp, waiting, second);
      }
    }
  }

  /// Writes what a request leaves of a warp. R13: a warp whose lowest entry has no split is done.
  void put(unsigned warp, const Path& left, const Path& right, unsigned splits, unsigned depth, const Mask& live) {
    const bool done = splits == 0 && depth <= 1;
    left_o[warp].write(left);
    right_o[warp].write(right);
    splits_o[warp].write(splits);
    live_q[warp] = done ? Mask(0) : live;
    depth_o[warp].write(done ? 0 : depth);
  }

  static const char* refused(unsigned op) {
    return op == unsigned(ResolveOp::Launch) ? "launch of a warp that is not done, or without lanes"
           : op > unsigned(ResolveOp::Exit)  ? "call: no call entries here"
                                            : "branch or exit of a slot without a control instruction in flight, or of "
                                              "lanes that are not its own";
  }

  HEDDLE_CLOCKED(step) {
    using Bits = sc_dt::uint64;  // one a warp
    const Status was = status_o.read();
    Bits valid_left = was.valid_left, valid_right = was.valid_right;
    Bits busy_left = busy_q.left, busy_right = busy_q.right, pop = pop_q;
    Bits own_left = 0, own_right = 0;  // slots that a resolve is for
    Bits moved = 0, divided = 0, joined = 0, spilled = 0;
    unsigned turn = turn_q;
    bool takes = false;
    bool grant_illegal = false, resolve_illegal = false, yield_illegal = false, overflow = false;
    const Grant grant = grant_i.read(), yield = yield_i.read();
    const Resolve resolve = resolve_i.read();
    const unsigned granted = grant.warp, resolved = resolve.warp, yielded = yield.warp;

    if (!rst_ni.read()) {
      Path blank;
      for (unsigned w = 0; w < Warps; ++w) {
        put(w, blank, blank, 0, 0, 0);
        rpc_q[w] = 0;
        first_q[w] = 0;
        next_q[w] = 0;
      }
      valid_left = 0;
      valid_right = 0;
      busy_left = 0;
      busy_right = 0;
      pop = 0;
      turn = 0;
    } else {
      bool writes[2] = {false, false};  // to even and odd levels at the end of this edge
      unsigned to_warp = 0, to_level[2] = {0, 0};
      Entry to_half[2];
      bool popped = false;

      // R1: the advance of an issued path.
      bool issued = false, advanced = false;
      Path advanced_left, advanced_right;
      unsigned advanced_splits = 0;
      if (grant.valid != 0) {
        const Bits bit = granted < Warps ? Bits(1) << granted : 0;
        const bool at_right = grant.right != 0;
        const Slots held = held_i.read();
        issued = ((at_right ? valid_right & ~busy_right : valid_left & ~busy_left) & bit) != 0;
        grant_illegal = !issued;  // R15
        if (issued && ((at_right ? held.right : held.left) & bit) != 0) {
          if (at_right) {
            busy_right |= bit;
          } else {
            busy_left |= bit;
          }
        } else if (issued) {
          advanced = true;
          Path own = left_o[granted].read(), other = right_o[granted].read();
          if (at_right) {
            own = right_o[granted].read();
            other = left_o[granted].read();
          }
          const Mask own_before = own.mask, other_before = other.mask;
          advanced_splits = splits_o[granted].read();
          own.pc = own.pc + 1;
          unsigned waiting = waiting_of(advanced_splits);
          Path next = settled(own, rpc_q[granted]);
          const bool joins = join(granted, waiting, other, ((at_right ? busy_left : busy_right) & bit) != 0, next);
          own = next;
          if (joins || next.mask == 0) {
            own = take(granted, waiting);
            advanced_splits -= 1;
          }
          if (joins) joined |= bit;
          if ((own.mask & ~own_before) != 0 || (other.mask & ~other_before) != 0) moved |= bit;
          advanced_left = own;
          advanced_right = other;
          if (at_right) {
            advanced_left = other;
            advanced_right = own;
          }
          unsigned depth = depth_o[granted].read();
          put(granted, advanced_left, advanced_right, advanced_splits, depth, live_q[granted]);
          valid_left = advanced_left.mask != 0 ? valid_left | bit : valid_left & ~bit;
          valid_right = advanced_right.mask != 0 ? valid_right | bit : valid_right & ~bit;
          if (advanced_splits == 0 && depth > 1) pop |= bit;
        }
      }

      // R2..R8: an executed control instruction, or a launch. R11: or a split gives way.
      const bool resolves = resolve.op != unsigned(ResolveOp::None);
      if (resolves || yield.valid != 0) {
        const unsigned warp = resolves ? resolved : yielded;
        const bool known = warp < Warps;
        const Bits bit = known ? Bits(1) << warp : 0;
        const bool at_right =
            resolves ? resolve.right != 0 && resolve.op != unsigned(ResolveOp::Launch) : yield.right != 0;
        const bool same_warp = advanced && granted == warp;
        Path own, other;
        unsigned depth = 0, splits = 0;
        Mask live = 0;
        Pc rpc = 0;
        if (known) {
          Path left = left_o[warp].read(), right = right_o[warp].read();
          splits = splits_o[warp].read();
          if (same_warp) {
            left = advanced_left;
            right = advanced_right;
            splits = advanced_splits;
          }
          own = left;
          other = right;
          if (at_right) {
            own = right;
            other = left;
          }
          depth = depth_o[warp].read();
          live = live_q[warp];
          rpc = rpc_q[warp];
        }
        const Mask own_before = own.mask, other_before = other.mask;
        const bool own_busy = ((at_right ? busy_right : busy_left) & bit) != 0;
        const bool other_busy = ((at_right ? busy_left : busy_right) & bit) != 0;
        const bool issues = issued && granted == warp && (grant.right != 0) == at_right;
        const bool there = own_busy && !issues && (resolve.lanes & ~own.mask) == 0;
        const Pc fall = own.pc + 1;
        const Mask rest = own.mask & ~resolve.lanes;
        bool parts = false;    // lanes go to two PCs
        bool divides = false;  // both sides stay in the table
        Path first = own, second;
        Pc meet = rpc;

        switch (unsigned(resolve.op)) {
          case unsigned(ResolveOp::Launch):  // R2
            resolve_illegal = !known || depth != 0 || resolve.lanes == 0;
            first.pc = resolve.target;
            first.mask = resolve.lanes;
            meet = resolve.rpc;
            splits = 1;
            depth = 1;
            live = resolve.lanes;
            break;
          case unsigned(ResolveOp::Branch):
            resolve_illegal = !there;
            parts = there && resolve.lanes != 0 && rest != 0 && resolve.target != fall;
            if (!parts) {  // R3
              first.pc = resolve.lanes != 0 ? resolve.target : fall;
            } else {  // R4, R5
              divides = other.mask != 0 || block_i.read() <= threshold_i.read();
              if (!divides) meet = resolve.rpc;
              first.pc = resolve.target;
              first.mask = resolve.lanes;
              second.pc = fall;
              second.mask = rest;
            }
            break;
          case unsigned(ResolveOp::Exit):  // R8
            resolve_illegal = !there;
            first.pc = fall;
            first.mask = rest;
            live = live & ~resolve.lanes;
            if (live == 0) depth = 0;  // R13: nobody is left in any entry
            break;
          default:  // R11, or a call: R15
            resolve_illegal = resolves;
            break;
        }
        yield_illegal = yield.valid != 0 && (resolves || own.mask == 0 || own_busy || issues);

        if (resolves ? !resolve_illegal : !yield_illegal) {
          first = settled(first, meet);
          second = settled(second, meet);
          unsigned waiting = waiting_of(splits);
          const bool first_joins = join(warp, waiting, other, other_busy, first);
          const bool second_joins = join(warp, waiting, other, other_busy, second);
          Path blank;
          if (second_joins) second = blank;
          if (first_joins) first = blank;
          if (first.mask == 0) {
            first = second;
            second = blank;
          }
          const bool leaves = parts && !divides && resolve.rpc != rpc;  // R4: the diverging entry stays beneath
          const bool to_stack = second.mask != 0 && (!divides || waiting == Waiting);  // R4, R6
          overflow = depth + (leaves ? 1 : 0) + (to_stack ? 1 : 0) > Depth;
          if (!overflow) {  // R14
            to_warp = warp;
            if (leaves) {
              const unsigned half = (depth - 1) & 1;
              writes[half] = true;
              to_level[half] = depth - 1;
              to_half[half].pc = resolve.rpc;
              to_half[half].mask = own.mask;
              to_half[half].rpc = rpc;
              depth = depth + 1;
            }
            if (to_stack) {
              const unsigned half = (depth - 1) & 1;
              writes[half] = true;
              to_level[half] = depth - 1;
              to_half[half].pc = second.pc;
              to_half[half].mask = second.mask;
              to_half[half].rpc = meet;
              depth = depth + 1;
              if (divides) spilled |= bit;
              second = blank;
            }
            if (first.mask == 0) splits -= 1;
            if (second.mask != 0) {
              splits += 1;
              divided |= bit;
            }
            if (first_joins || second_joins) joined |= bit;
            seat(warp, waiting, own, other, first, second);
            const bool launches = resolve.op == unsigned(ResolveOp::Launch);
            if (!launches && ((own.mask & ~own_before) != 0 || (other.mask & ~other_before) != 0)) moved |= bit;
            Path left = own, right = other;
            if (at_right) {
              left = other;
              right = own;
            }
            rpc_q[warp] = meet;
            put(warp, left, right, splits, depth, live);
            valid_left = left.mask != 0 ? valid_left | bit : valid_left & ~bit;
            valid_right = right.mask != 0 ? valid_right | bit : valid_right & ~bit;
            if (splits == 0 && depth > 1) pop |= bit;
            if (resolves && at_right) {
              busy_right &= ~bit;
              own_right |= bit;
            } else if (resolves) {
              busy_left &= ~bit;
              own_left |= bit;
            }
          }
        }
      }

      // R12: one pop a cycle. The warp has no split, so no request above is its own.
      if (takes_q != 0) {
        const unsigned warp = turn_q;
        const Bits bit = Bits(1) << warp;
        const unsigned depth = unsigned(depth_o[warp].read()) - 1;
        popped = true;
        Entry uncovered = even_word_q;
        if (((depth - 1) & 1) != 0) uncovered = odd_word_q;
        Path path, blank;
        path.pc = uncovered.pc;
        path.mask = uncovered.mask & live_q[warp];
        path = settled(path, uncovered.rpc);
        rpc_q[warp] = uncovered.rpc;
        put(warp, path, blank, path.mask != 0 ? 1 : 0, depth, live_q[warp]);
        if (path.mask != 0) {
          moved |= bit;
          valid_left |= bit;
        }
        if (path.mask != 0 || depth <= 1) pop &= ~bit;
      }

      // R12: whose turn is next, and what it needs of the memory
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
    status.valid_left = valid_left;
    status.valid_right = valid_right;
    status.fresh_left = valid_left & (moved | own_left);
    status.fresh_right = valid_right & (moved | own_right);
    status.moved = moved;
    status_o.write(status);
    Events events;
    events.divided = divided;
    events.joined = joined;
    events.spilled = spilled;
    events_o.write(events);
    idle_o.write((status.fresh_left | status.fresh_right | moved | divided | joined | spilled) == 0 && pop == 0);
    busy_q.left = busy_left;
    busy_q.right = busy_right;
    pop_q = pop;
    takes_q = takes ? 1 : 0;
    turn_q = turn;
    if (grant_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR(
          "warp_split_table/illegal",
          refusal(name(), granted, "grant of a slot that is not valid, or has a control instruction in flight")
              .c_str()));
    }
    if (resolve_illegal) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("warp_split_table/illegal", refusal(name(), resolved, refused(resolve.op)).c_str()));
    }
    if (yield_illegal) {
      HEDDLE_REPORT(SC_REPORT_ERROR(
          "warp_split_table/illegal",
          refusal(name(), yielded, "yield beside a resolve, or of a slot that cannot give way").c_str()));
    }
    if (overflow) {
      HEDDLE_REPORT(
          SC_REPORT_ERROR("warp_split_table/overflow",
                          refusal(name(), resolved, "push beyond " + std::to_string(Depth) + " entries").c_str()));
    }
  }
};

}  // namespace heddle
