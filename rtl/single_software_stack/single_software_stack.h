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

#include "rtl/base/inventory.h"
#include "rtl/base/stack_kit.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class single_software_stack : public sc_core::sc_module {
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

  using Edge = typename Kit::Edge;
  using Change = typename Kit::Change;
  using Slot = typename Kit::Slot;
  using Bits = typename Kit::Bits;

  // ---- the rules of a control instruction: `next` becomes the TOS, `parent` waits beneath it ----
  /// R2
  static void launch(const Resolve& resolve, Entry& next, Change& change) {
    next.pc = resolve.target;
    next.mask = resolve.lanes;
    Kit::start(resolve, change);
  }

  /// R3, R4
  static void branch(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Change& change) {
    if (slot.rest == 0) {  // R3
      next.pc = resolve.target;
    } else if (resolve.lanes == 0) {  // R3
      next.pc = slot.fall;
    } else {  // R4
      change.pushes = true;
      parent.pc = slot.fall;
      parent.mask = slot.rest;
      next.pc = resolve.target;
      next.mask = resolve.lanes;
    }
  }

  /// R5
  static void exit(const Resolve& resolve, const Slot& slot, Entry& next, Change& change) {
    next.pc = slot.fall;
    next.mask = slot.rest;
    Kit::leave(resolve, change);
  }

  /// R11
  static void push(const Resolve& resolve, Entry& next, Entry& parent, Change& change) {
    change.pushes = true;
    parent.pc = resolve.rpc;
    parent.pushed = 1;
    next.pc = resolve.target;
  }

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

  /// R10; `open`: pushes of the program that the warp has not popped.
  static bool is_illegal(const Resolve& resolve, const Slot& slot, const Change& change, unsigned open) {
    bool illegal = !slot.there || resolve.right != 0;
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        illegal = !Kit::launches(resolve, change);
        break;
      case unsigned(ResolveOp::Branch):
      case unsigned(ResolveOp::Exit):
        break;
      case unsigned(ResolveOp::Push):
        illegal = illegal || slot.rest != 0;
        break;
      case unsigned(ResolveOp::Pop):
        illegal = illegal || slot.rest != 0 || open == 0;
        break;
      default:
        illegal = true;
        break;
    }
    return illegal;
  }

  static void apply(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Change& change) {
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        launch(resolve, next, change);
        break;
      case unsigned(ResolveOp::Branch):
        branch(resolve, slot, next, parent, change);
        break;
      case unsigned(ResolveOp::Exit):
        exit(resolve, slot, next, change);
        break;
      case unsigned(ResolveOp::Push):
        push(resolve, next, parent, change);
        break;
      default:  // R12
        next.mask = 0;
        break;
    }
  }

  static Entry entry_at(const Path& path) {
    Entry entry;
    entry.pc = path.pc;
    entry.mask = path.mask;
    return entry;
  }

  Entry top_of(unsigned warp) const {
    const Path path = left_o[warp].read();
    return entry_at(path);
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

  // ---- an edge ----
  void clear(Edge& edge) {
    Path blank;
    for (unsigned w = 0; w < Warps; ++w) {
      left_o[w].write(blank);
      depth_o[w].write(0);
      open_q[w] = 0;
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
      Entry top = top_of(warp);
      top.pc = top.pc + 1;
      const unsigned depth = depth_o[warp].read();
      put_top(warp, top, depth, open_q[warp], live_q[warp]);
    }
  }

  /// R2..R6, R8..R12: an executed control instruction, or a launch.
  void resolve(const Grant& grant, const Resolve& resolve, Entry& parent, Change& change, Edge& edge) {
    const unsigned warp = resolve.warp;
    Path path;
    unsigned open = 0;
    if (warp < Warps) {
      path = left_o[warp].read();
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
      open = open_q[warp];
    }
    Slot slot;
    const bool issues = edge.issued && grant.warp == resolve.warp;
    Kit::name_slot(path, resolve, issues, slot);
    edge.resolve_illegal = is_illegal(resolve, slot, change, open);
    Entry next = entry_at(path);
    parent = next;
    apply(resolve, slot, next, parent, change);
    edge.overflow = !edge.resolve_illegal && change.pushes && change.depth == Depth;  // R9
    if (edge.resolve_illegal || edge.overflow) {
      change.pushes = false;
    } else {
      if (change.pushes) change.depth += 1;
      if (resolve.op == unsigned(ResolveOp::Push)) open += 1;
      next = settled(next);
      put_top(warp, next, change.depth, open, change.live);
      Bits bit = Kit::bit_of(warp);
      Kit::show_left(bit, next.mask, true, edge);
      Kit::wait_for_pop(bit, next.mask, change.depth, edge);
      if (change.pushes) edge.lanes_moved |= bit;
    }
  }

  /// R7: the entry beneath becomes the TOS. The warp's path is not valid, so neither request of the edge is its own.
  void pop(Edge& edge) {
    const unsigned warp = turn_q;
    const unsigned depth = unsigned(depth_o[warp].read()) - 1;
    Entry next = word_q;
    next.mask = next.mask & live_q[warp];
    next = settled(next);
    put_top(warp, next, depth, unsigned(open_q[warp]) - (next.pushed != 0 ? 1 : 0), live_q[warp]);
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
      word_q = body_q[turn][Kit::level_to_read(depth, turn_q, edge)];
    }
  }

  HEDDLE_CLOCKED(step) {
    Status status;
    Grant grant = grant_i.read();
    Resolve request = resolve_i.read();
    Entry parent;
    Change change;
    Edge edge;
    Kit::clear(change);
    Kit::begin(status_o.read(), pop_q, turn_q, edge);
    if (!rst_ni.read()) {
      clear(edge);
    } else {
      advance(grant, edge);
      if (request.op != unsigned(ResolveOp::None)) resolve(grant, request, parent, change, edge);
      if (takes_q != 0) pop(edge);
      read_ahead(edge);
      if (change.pushes) body_q[request.warp][change.depth - 2] = parent;
    }
    Kit::show(edge, status);
    status_o.write(status);
    idle_o.write(Kit::is_idle(edge));
    pop_q = edge.pop;
    takes_q = edge.takes ? 1 : 0;
    turn_q = edge.turn;
    HEDDLE_REPORT(Kit::report("single_software_stack", name(), grant, request, edge));
  }
};

}  // namespace heddle
