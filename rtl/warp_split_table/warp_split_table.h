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

#include "rtl/base/inventory.h"
#include "rtl/base/stack_kit.h"

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
  static_assert(Entries >= 3, "the two slots and at least one split that waits");

 public:
  using Kit = StackKit<Warps, Lanes, PcBits, Depth>;
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

  using Edge = typename Kit::Edge;
  using Bits = typename Kit::Bits;

  /// What an edge has found and done so far, beside Kit::Edge.
  struct Splits {
    Bits busy_left, busy_right;     // slots with a control instruction in flight
    Bits own_left, own_right;       // slots that a resolve is for
    Bits divided, joined, spilled;  // as in SplitEvents
    bool advanced;                  // the granted warp, which has so many splits then
    unsigned advanced_splits;
    bool yield_illegal;  // R15
  };

  /// A resolve or a yield: the slot that it is for, and what it makes of the warp.
  struct Change {
    unsigned warp;
    Bits bit;
    bool resolves, at_right;
    bool own_busy, other_busy;  // a control instruction is in flight
    bool issues;                // the slot, in this edge
    bool parts;                 // lanes go to two PCs
    bool divides;               // both sides stay in the table
    unsigned splits, depth;
    Mask live;
    Pc rpc, meet;  // RPC of the TOS before and after
  };

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
  bool join_split(unsigned warp, unsigned waiting, Path& other, bool other_busy, const Path& path) {
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

  /// Entries of one level follow those of the other kind, so a divergent branch writes one of each.
  void put_beneath(unsigned warp, unsigned level, const Entry& entry) {
    if ((level & 1) != 0) {
      odd_q[warp][level / 2] = entry;
    } else {
      even_q[warp][level / 2] = entry;
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

  /// What is seen of it. R12: without a split it waits for a pop.
  static void show_warp(Bits bit, const Path& left, const Path& right, unsigned depth, Edge& edge) {
    Kit::show_left(bit, left.mask, false, edge);
    Kit::show_right(bit, right.mask, false, edge);
    Kit::wait_for_pop(bit, left.mask | right.mask, depth, edge);
  }

  /// (left, right) as (own, other) where the slot is the right one, or back.
  static void exchange(bool at_right, const Path& a, const Path& b, Path& first, Path& second) {
    first = a;
    second = b;
    if (at_right) {
      first = b;
      second = a;
    }
  }

  /// Whether a slot got lanes that it had not.
  static bool gains(const Path& now, const Mask& before) { return (now.mask & ~before) != 0; }

  // ---- an edge ----
  void clear(Edge& edge, Splits& did) {
    Path blank;
    for (unsigned w = 0; w < Warps; ++w) {
      put(w, blank, blank, 0, 0, 0);
      rpc_q[w] = 0;
      first_q[w] = 0;
      next_q[w] = 0;
    }
    did.busy_left = 0;
    did.busy_right = 0;
    Kit::reset(edge);
  }

  static void begin(const Slots& busy, Splits& did) {
    did.busy_left = busy.left;
    did.busy_right = busy.right;
    did.own_left = 0;
    did.own_right = 0;
    did.divided = 0;
    did.joined = 0;
    did.spilled = 0;
    did.advanced = false;
    did.advanced_splits = 0;
    did.yield_illegal = false;
  }

  /// R1, R15: a slot is issued; its split advances, or a control instruction of it is in flight from now on. `left` and
  /// `right` are the slots of a warp that advanced.
  void advance(const Grant& grant, Path& left, Path& right, Edge& edge, Splits& did) {
    const unsigned warp = grant.warp;
    Bits bit = Kit::bit_of(warp);
    const bool at_right = grant.right != 0;
    const Slots held = held_i.read();
    const Bits free = at_right ? edge.valid_right & ~did.busy_right : edge.valid_left & ~did.busy_left;
    const Bits stays = at_right ? held.right : held.left;
    edge.issued = grant.valid != 0 && (free & bit) != 0;
    edge.grant_illegal = grant.valid != 0 && !edge.issued;
    if (edge.issued && (stays & bit) != 0) {
      if (at_right) {
        did.busy_right |= bit;
      } else {
        did.busy_left |= bit;
      }
    } else if (edge.issued) {
      left = left_o[warp].read();
      right = right_o[warp].read();
      did.advanced = true;
      move_on(warp, at_right, left, right, edge, did);
    }
  }

  /// R1, R7, R9, R10: the split of a slot goes to its next PC, where it may end or join another one.
  void move_on(unsigned warp, bool at_right, Path& left, Path& right, Edge& edge, Splits& did) {
    Bits bit = Kit::bit_of(warp);
    Path own, other;
    exchange(at_right, left, right, own, other);
    const Mask own_before = own.mask, other_before = other.mask;
    const bool other_busy = ((at_right ? did.busy_left : did.busy_right) & bit) != 0;
    did.advanced_splits = splits_o[warp].read();
    unsigned waiting = waiting_of(did.advanced_splits);
    own.pc = own.pc + 1;
    own = settled(own, rpc_q[warp]);
    bool joins = join_split(warp, waiting, other, other_busy, own);
    if (joins || own.mask == 0) {
      own = take(warp, waiting);
      did.advanced_splits -= 1;
    }
    if (joins) did.joined |= bit;
    if (gains(own, own_before) || gains(other, other_before)) edge.lanes_moved |= bit;
    exchange(at_right, own, other, left, right);
    const unsigned depth = depth_o[warp].read();
    put(warp, left, right, did.advanced_splits, depth, live_q[warp]);
    show_warp(bit, left, right, depth, edge);
  }

  /// The slot that a resolve is for, or a yield where none is.
  void name_slot(const Grant& grant, const Resolve& resolve, const Grant& yield, const Edge& edge, const Splits& did,
                 Change& change) {
    const bool launches = resolve.op == unsigned(ResolveOp::Launch);
    change.resolves = resolve.op != unsigned(ResolveOp::None);
    change.warp = change.resolves ? resolve.warp : yield.warp;
    change.at_right = change.resolves ? resolve.right != 0 && !launches : yield.right != 0;
    const unsigned warp = change.warp;
    Bits bit = Kit::bit_of(warp);
    change.bit = bit;
    change.own_busy = ((change.at_right ? did.busy_right : did.busy_left) & bit) != 0;
    change.other_busy = ((change.at_right ? did.busy_left : did.busy_right) & bit) != 0;
    change.issues = edge.issued && grant.warp == warp && (grant.right != 0) == change.at_right;
    change.parts = false;
    change.divides = false;
    change.splits = 0;
    change.depth = 0;
    change.live = 0;
    change.rpc = 0;
    if (warp < Warps) {
      change.splits = did.advanced && grant.warp == warp ? did.advanced_splits : unsigned(splits_o[warp].read());
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
      change.rpc = rpc_q[warp];
    }
    change.meet = change.rpc;
  }

  // ---- the rules of a control instruction: `first` and `second` come out of the slot ----
  /// R2
  static void launch(const Resolve& resolve, Path& first, Change& change) {
    first.pc = resolve.target;
    first.mask = resolve.lanes;
    change.meet = resolve.rpc;
    change.splits = 1;
    change.depth = 1;
    change.live = resolve.lanes;
  }

  /// R3, R4, R5; `divides`: beside another split, or to a short block, both sides stay in the table.
  static void branch(const Resolve& resolve, bool divides, Path& first, Path& second, Change& change) {
    const Pc fall = first.pc + 1;
    const Mask rest = first.mask & ~resolve.lanes;
    change.parts = resolve.lanes != 0 && rest != 0 && resolve.target != fall;
    if (!change.parts) {  // R3
      first.pc = resolve.lanes != 0 ? Pc(resolve.target) : fall;
    } else {  // R4, R5
      change.divides = divides;
      if (!divides) change.meet = resolve.rpc;
      first.pc = resolve.target;
      first.mask = resolve.lanes;
      second.pc = fall;
      second.mask = rest;
    }
  }

  /// R8
  static void exit(const Resolve& resolve, Path& first, Change& change) {
    first.pc = first.pc + 1;
    first.mask = first.mask & ~resolve.lanes;
    change.live = change.live & ~resolve.lanes;
    if (change.live == 0) change.depth = 0;  // R13: no lane is left in any entry
  }

  /// R15
  static bool is_illegal(const Resolve& resolve, const Path& own, const Change& change) {
    const bool there = change.own_busy && !change.issues && (resolve.lanes & ~own.mask) == 0;
    bool illegal = !there;
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        illegal = resolve.warp >= Warps || change.depth != 0 || resolve.lanes == 0;
        break;
      case unsigned(ResolveOp::Branch):
      case unsigned(ResolveOp::Exit):
        break;
      default:  // a call
        illegal = change.resolves;
        break;
    }
    return illegal;
  }

  void apply(const Resolve& resolve, const Path& other, Path& first, Path& second, Change& change) {
    const bool divides = other.mask != 0 || block_i.read() <= threshold_i.read();
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        launch(resolve, first, change);
        break;
      case unsigned(ResolveOp::Branch):
        branch(resolve, divides, first, second, change);
        break;
      case unsigned(ResolveOp::Exit):
        exit(resolve, first, change);
        break;
      default:  // R11: the split gives way as it is
        break;
    }
  }

  /// R2..R11, R14, R15: an executed control instruction, a launch, or a split that gives way.
  void change_warp(const Grant& grant, const Resolve& resolve, const Grant& yield, const Path& advanced_left,
                   const Path& advanced_right, Entry& parent, Entry& below, Change& change, Edge& edge, Splits& did) {
    name_slot(grant, resolve, yield, edge, did, change);
    const unsigned warp = change.warp;
    Path left, right, own, other, second;
    if (warp < Warps) {
      left = left_o[warp].read();
      right = right_o[warp].read();
      if (did.advanced && grant.warp == warp) {
        left = advanced_left;
        right = advanced_right;
      }
    }
    exchange(change.at_right, left, right, own, other);
    edge.resolve_illegal = is_illegal(resolve, own, change);
    did.yield_illegal = yield.valid != 0 && (change.resolves || own.mask == 0 || change.own_busy || change.issues);
    if (change.resolves ? !edge.resolve_illegal : !did.yield_illegal) {
      Path first = own;
      apply(resolve, other, first, second, change);
      take_out(resolve, own, other, first, second, parent, below, change, edge, did);
    }
  }

  /// R4, R6, R7, R10, R14: what comes out of the slot joins, goes to the stack, or is seated.
  void take_out(const Resolve& resolve, Path& own, Path& other, Path& first, Path& second, Entry& parent, Entry& below,
                Change& change, Edge& edge, Splits& did) {
    const unsigned warp = change.warp;
    const Mask own_before = own.mask, other_before = other.mask;
    Path blank;
    first = settled(first, change.meet);
    second = settled(second, change.meet);
    unsigned waiting = waiting_of(change.splits);
    bool first_joins = join_split(warp, waiting, other, change.other_busy, first);
    bool second_joins = join_split(warp, waiting, other, change.other_busy, second);
    if (second_joins) second = blank;
    if (first_joins) first = blank;
    if (first.mask == 0) {
      first = second;
      second = blank;
    }
    const bool leaves = change.parts && !change.divides && resolve.rpc != change.rpc;   // R4: the entry stays beneath
    const bool to_stack = second.mask != 0 && (!change.divides || waiting == Waiting);  // R4, R6
    edge.overflow = change.depth + (leaves ? 1 : 0) + (to_stack ? 1 : 0) > Depth;
    if (!edge.overflow) {  // R14
      if (leaves) {
        parent.pc = resolve.rpc;
        parent.mask = own.mask;
        parent.rpc = change.rpc;
        change.depth += 1;
      }
      if (to_stack) {
        below.pc = second.pc;
        below.mask = second.mask;
        below.rpc = change.meet;
        change.depth += 1;
        if (change.divides) did.spilled |= change.bit;
        second = blank;
      }
      if (first.mask == 0) change.splits -= 1;
      if (second.mask != 0) {
        change.splits += 1;
        did.divided |= change.bit;
      }
      if (first_joins || second_joins) did.joined |= change.bit;
      seat(warp, waiting, own, other, first, second);
      const bool launches = resolve.op == unsigned(ResolveOp::Launch);
      if (!launches && (gains(own, own_before) || gains(other, other_before))) edge.lanes_moved |= change.bit;
      put_slots(own, other, change, edge, did);
    }
  }

  /// The warp after its change. A resolve ends that its control instruction is in flight.
  void put_slots(const Path& own, const Path& other, const Change& change, Edge& edge, Splits& did) {
    const unsigned warp = change.warp;
    Path left, right;
    exchange(change.at_right, own, other, left, right);
    rpc_q[warp] = change.meet;
    put(warp, left, right, change.splits, change.depth, change.live);
    show_warp(change.bit, left, right, change.depth, edge);
    if (change.resolves && change.at_right) {
      did.busy_right &= ~change.bit;
      did.own_right |= change.bit;
    } else if (change.resolves) {
      did.busy_left &= ~change.bit;
      did.own_left |= change.bit;
    }
  }

  /// R12: the entry beneath becomes the TOS. The warp has no split, so no request of the edge is its own.
  void pop(Edge& edge) {
    const unsigned warp = turn_q;
    const unsigned depth = unsigned(depth_o[warp].read()) - 1;
    Entry uncovered = even_word_q;
    if (((depth - 1) & 1) != 0) uncovered = odd_word_q;
    Path path, blank;
    path.pc = uncovered.pc;
    path.mask = uncovered.mask & live_q[warp];
    path = settled(path, uncovered.rpc);
    rpc_q[warp] = uncovered.rpc;
    put(warp, path, blank, path.mask != 0 ? 1 : 0, depth, live_q[warp]);
    Bits bit = Kit::bit_of(warp);
    edge.popped = true;
    if (path.mask != 0) edge.lanes_moved |= bit;
    show_warp(bit, path, blank, depth, edge);
  }

  /// R12: the warp of the next turn reads what the turn needs: the entry beneath its TOS.
  void read_ahead(Edge& edge) {
    Kit::next_turn(edge.pop, edge);
    const unsigned turn = edge.turn;
    if (edge.takes) {
      const unsigned depth = depth_o[turn].read();
      const unsigned level = Kit::level_to_read(depth, turn_q, edge);
      if ((level & 1) != 0) {
        odd_word_q = odd_q[turn][level / 2];
      } else {
        even_word_q = even_q[turn][level / 2];
      }
    }
  }

  HEDDLE_CLOCKED(step) {
    Status status;
    Grant grant = grant_i.read(), yield = yield_i.read();
    Resolve resolve = resolve_i.read();
    Path left, right;
    Entry parent, below;
    Change change;
    Edge edge;
    Splits did;
    Kit::begin(status_o.read(), pop_q, turn_q, edge);
    begin(busy_q, did);
    if (!rst_ni.read()) {
      clear(edge, did);
    } else {
      advance(grant, left, right, edge, did);
      if (resolve.op != unsigned(ResolveOp::None) || yield.valid != 0)
        change_warp(grant, resolve, yield, left, right, parent, below, change, edge, did);
      if (takes_q != 0) pop(edge);
      read_ahead(edge);
      const bool to_stack = below.mask != 0;
      if (parent.mask != 0) put_beneath(change.warp, change.depth - (to_stack ? 3 : 2), parent);
      if (to_stack) put_beneath(change.warp, change.depth - 2, below);
    }
    edge.redirected_left = edge.valid_left & (edge.lanes_moved | did.own_left);
    edge.redirected_right = edge.valid_right & (edge.lanes_moved | did.own_right);
    Kit::show(edge, status);
    status_o.write(status);
    Events events;
    events.divided = did.divided;
    events.joined = did.joined;
    events.spilled = did.spilled;
    events_o.write(events);
    idle_o.write(Kit::is_idle(edge) && (did.divided | did.joined | did.spilled) == 0);
    busy_q.left = did.busy_left;
    busy_q.right = did.busy_right;
    pop_q = edge.pop;
    takes_q = edge.takes ? 1 : 0;
    turn_q = edge.turn;
    HEDDLE_REPORT(report(grant, resolve, yield, edge, did));
  }

  HEDDLE_REPORT(
      static const char* refused(unsigned op) {
        return op == unsigned(ResolveOp::Launch) ? "launch of a warp that is not done, or without lanes"
               : op > unsigned(ResolveOp::Exit)  ? "call: no call entries here"
                                                 : "branch or exit of a slot without a control instruction in flight, "
                                                   "or of lanes that are not its own";
      }

      void report(const Grant& grant, const Resolve& resolve, const Grant& yield, const Edge& edge, const Splits& did)
          const {
            const auto error = [this](const char* what, unsigned warp, const std::string& why) {
              SC_REPORT_ERROR(what, refusal(name(), warp, why).c_str());
            };
            const char* const illegal = "warp_split_table/illegal";
            if (edge.grant_illegal)
              error(illegal, grant.warp, "grant of a slot that is not valid, or has a control instruction in flight");
            if (edge.resolve_illegal) error(illegal, resolve.warp, refused(resolve.op));
            if (did.yield_illegal)
              error(illegal, yield.warp, "yield beside a resolve, or of a slot that cannot give way");
            if (edge.overflow)
              error("warp_split_table/overflow", resolve.warp, "push beyond " + std::to_string(Depth) + " entries");
          })
};

}  // namespace heddle
