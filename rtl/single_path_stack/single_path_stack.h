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

#include "rtl/base/inventory.h"
#include "rtl/base/stack_kit.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_path_stack : public sc_core::sc_module {
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
            {Storage::Flop, paper_none(), "ours, what the last edge did", "", "valid_right, redirected_right"});
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

  using Edge = typename Kit::Edge;
  using Change = typename Kit::Change;
  using Slot = typename Kit::Slot;
  using Bits = typename Kit::Bits;

  /// Entries of one level follow those of the other kind, so a divergent branch writes one of each.
  void put_beneath(unsigned warp, unsigned level, const Entry& entry) {
    if ((level & 1) != 0) {
      odd_q[warp][level / 2] = entry;
    } else {
      even_q[warp][level / 2] = entry;
    }
  }

  // ---- the rules of a control instruction: `next` becomes the TOS, `parent` waits beneath it ----
  /// R2
  static void launch(const Resolve& resolve, Entry& next, Change& change) {
    next.pc = resolve.target;
    next.mask = resolve.lanes;
    next.rpc = resolve.rpc;
    Kit::start(resolve, change);
  }

  /// R3, R4. `below` waits between the two where both sides are made: the right one.
  static void branch(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Entry& below,
                     Change& change) {
    if (slot.rest == 0) {  // R3
      next.pc = resolve.target;
    } else if (resolve.lanes == 0) {  // R3
      next.pc = slot.fall;
    } else {  // R4
      const bool loop = resolve.rpc == next.rpc;
      const bool left_live = resolve.target != resolve.rpc, right_live = slot.fall != resolve.rpc;
      change.places = left_live || right_live;
      change.pushes = change.places && !loop;
      parent.pc = resolve.rpc;  // which is that of its entry when it is a loop: R6 blanks it
      next.pc = left_live ? Pc(resolve.target) : right_live ? Pc(slot.fall) : Pc(resolve.rpc);
      if (change.places) {
        next.mask = left_live ? Mask(resolve.lanes) : Mask(slot.rest);
        next.rpc = resolve.rpc;
      }
      if (left_live && right_live) {
        below.pc = slot.fall;
        below.mask = slot.rest;
        below.rpc = resolve.rpc;
      }
    }
  }

  /// R5
  static void exit(const Resolve& resolve, const Slot& slot, Entry& next, Change& change) {
    next.pc = slot.fall;
    next.mask = slot.rest;
    Kit::leave(resolve, change);
  }

  /// R11
  static void call(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Change& change) {
    change.places = true;
    change.pushes = true;
    parent.pc = slot.fall;
    next.pc = resolve.target;
    next.rpc = Flow::NoPc;
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

  /// R10, R12; `rpc` is that of the TOS.
  static bool is_illegal(const Resolve& resolve, const Slot& slot, const Change& change, const Pc& rpc) {
    bool illegal = !slot.there || resolve.right != 0;
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        illegal = !Kit::launches(resolve, change);
        break;
      case unsigned(ResolveOp::Branch):
        illegal = illegal || Kit::goes_nowhere(resolve, slot, rpc);
        break;
      case unsigned(ResolveOp::Exit):
        break;
      case unsigned(ResolveOp::Call):
        illegal = illegal || slot.rest != 0 || resolve.target == Flow::NoPc;
        break;
      default:
        illegal = true;
        break;
    }
    return illegal;
  }

  static void apply(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Entry& below,
                    Change& change) {
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        launch(resolve, next, change);
        break;
      case unsigned(ResolveOp::Branch):
        branch(resolve, slot, next, parent, below, change);
        break;
      case unsigned(ResolveOp::Exit):
        exit(resolve, slot, next, change);
        break;
      default:
        call(resolve, slot, next, parent, change);
        break;
    }
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

  // ---- an edge ----
  void clear(Edge& edge) {
    Path blank;
    for (unsigned w = 0; w < Warps; ++w) {
      left_o[w].write(blank);
      depth_o[w].write(0);
      rpc_q[w] = 0;
      live_q[w] = 0;
    }
    Kit::reset(edge);
  }

  /// R1. The right paths are never there.
  void advance(const Grant& grant, Edge& edge) {
    const unsigned warp = grant.warp;
    const Slots held = held_i.read();
    Kit::issue(grant, edge);
    if (Kit::advances(grant, held, edge)) {
      const unsigned depth = depth_o[warp].read();
      Entry top = top_of(warp);
      top.pc = top.pc + 1;
      top = settled(top);
      put_top(warp, top, depth, live_q[warp]);
      Bits bit = Kit::bit_of(warp);
      Kit::show_left(bit, top.mask, false, edge);
      Kit::wait_for_pop(bit, top.mask, depth, edge);
    }
  }

  /// R2..R6, R8..R12: an executed control instruction, or a launch.
  void resolve(const Grant& grant, const Resolve& resolve, Entry& parent, Entry& below, Change& change, Edge& edge) {
    const unsigned warp = resolve.warp;
    Entry top, blank;
    Path path;
    if (warp < Warps) {
      top = top_of(warp);
      path = left_o[warp].read();
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
    }
    Slot slot;
    const bool issues = edge.issued && grant.warp == resolve.warp;
    Kit::name_slot(path, resolve, issues, slot);
    edge.resolve_illegal = is_illegal(resolve, slot, change, top.rpc);
    Entry next = top;
    parent = top;
    apply(resolve, slot, next, parent, below, change);
    const unsigned most = Depth - (change.pushes ? 1 : 0) - (below.mask != 0 ? 1 : 0);
    edge.overflow = !edge.resolve_illegal && change.depth > most;  // R9
    if (edge.resolve_illegal || edge.overflow) {
      change.pushes = false;
      below = blank;
    } else {
      change.depth += (change.pushes ? 1 : 0) + (below.mask != 0 ? 1 : 0);
      next = settled(next);
      put_top(warp, next, change.depth, change.live);
      Bits bit = Kit::bit_of(warp);
      Kit::show_left(bit, next.mask, true, edge);
      Kit::wait_for_pop(bit, next.mask, change.depth, edge);
      if (change.places) edge.lanes_moved |= bit;
    }
  }

  /// R7: the entry beneath becomes the TOS. The warp's path is not valid, so neither request of the edge is its own.
  void pop(Edge& edge) {
    const unsigned warp = turn_q;
    const unsigned depth = unsigned(depth_o[warp].read()) - 1;
    Entry next = even_word_q;
    if (((depth - 1) & 1) != 0) next = odd_word_q;
    next.mask = next.mask & live_q[warp];
    next = settled(next);
    put_top(warp, next, depth, live_q[warp]);
    Bits bit = Kit::bit_of(warp);
    edge.popped = true;
    edge.lanes_moved |= bit;
    Kit::show_left(bit, next.mask, true, edge);
    Kit::wait_for_pop(bit, next.mask, depth, edge);
  }

  /// R7: the warp of the next turn reads what the turn needs: the entry beneath its TOS.
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
    Grant grant = grant_i.read();
    Resolve request = resolve_i.read();
    Entry parent, below;
    Change change;
    Edge edge;
    Kit::clear(change);
    Kit::begin(status_o.read(), pop_q, turn_q, edge);
    if (!rst_ni.read()) {
      clear(edge);
    } else {
      advance(grant, edge);
      if (request.op != unsigned(ResolveOp::None)) resolve(grant, request, parent, below, change, edge);
      if (takes_q != 0) pop(edge);
      read_ahead(edge);
      const bool both = below.mask != 0;
      if (change.pushes) put_beneath(request.warp, change.depth - (both ? 3 : 2), parent);
      if (both) put_beneath(request.warp, change.depth - 2, below);
    }
    Kit::show(edge, status);
    status_o.write(status);
    idle_o.write(Kit::is_idle(edge));
    pop_q = edge.pop;
    takes_q = edge.takes ? 1 : 0;
    turn_q = edge.turn;
    HEDDLE_REPORT(Kit::report("single_path_stack", name(), grant, request, edge));
  }
};

}  // namespace heddle
