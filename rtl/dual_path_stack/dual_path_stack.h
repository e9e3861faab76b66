// SPDX-License-Identifier: Apache-2.0
// Dual-path stack (DPE sec. 3.1): for each warp a stack of entries {PC and mask of a left path, PC and mask of a right
// path, RPC of both}; the two paths of the top entry (TOS) may be issued alternately.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h. Rules R1..R13 are stated in README.md and cited
//        below where the code obeys them.
// Kinds  MemorySplits = true (DPE sec. 7.2, rule R13): lanes that wait for memory and lanes that need not have a slot each.
//        A bit a warp more. Path forwarding (DPE sec. 7.1) is a block of its own, rtl/forwarding_stack.
// Time   A request of cycle n is on left_o, right_o, depth_o, status_o and idle_o in cycle n+1. A TOS that is blank in
//        cycle n is popped in the edge at the end of cycle n, or later when other warps wait too: one pop a cycle.
// State  The TOS is in flops: left_o, right_o and rpc_q. The entries beneath are a memory with one write and one read
//        port, which reset does not clear: nothing above depth_o is ever read. The edge that makes it a warp's turn
//        reads what that turn needs.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   dual_path_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/inventory.h"
#include "rtl/base/pair_kit.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth, bool MemorySplits = false>
class dual_path_stack : public sc_core::sc_module {
 public:
  using Kit = PairKit<Warps, Lanes, PcBits, Depth>;
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Pc = typename Flow::Pc;
  using Mask = typename Flow::Mask;
  using Count = sc_uint<count_bits(Depth)>;
  using Entry = typename Kit::Entry;
  static constexpr unsigned WarpBits = Flow::WarpBits;

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
    declare(*this, "body_q", body_q,
            {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS", "1R1W, read first"});
    declare(*this, "word_q", word_q, {Storage::Flop, paper_none(), "read port of body_q"});
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, entries in use"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, lanes that have not exited"});
    declare(*this, "status_o", status_o, {Storage::Flop, paper_none(), "ours, what the last edge did"});
    declare(*this, "pop_q", pop_q, {Storage::Flop, paper_none(), "ours, warps that wait for a pop"});
    if constexpr (MemorySplits)
      declare(*this, "split_by_memory_q", split_by_memory_q, {Storage::Flop, paper_none(), "ours, DPE sec. 7.2"});
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
    return Kit::settled(entry, entry.rpc, entry.rpc);
  }

 private:
  Pc rpc_q[Warps];
  Entry body_q[Warps][Depth - 1];
  Mask live_q[Warps];
  Entry word_q;  // read for this turn
  sc_uint<Warps> pop_q;
  sc_uint<Warps> split_by_memory_q;  // with MemorySplits: the warp's two paths are one that was split by memory
  sc_uint<1> takes_q;                // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  using Edge = typename Kit::Edge;
  using Change = typename Kit::Change;
  using Slot = typename Kit::Slot;
  using Bits = typename Kit::Bits;

  /// R13
  static void memory_split(const Resolve& resolve, Entry& next, Change& change) {
    const bool right = resolve.right != 0;
    const Mask others = (next.mask_l | next.mask_r) & ~resolve.lanes;
    const Pc memory_split_pc = next.mask_l != 0 ? next.pc_l : next.pc_r;
    change.places = true;
    next = Kit::with(next, right, memory_split_pc, resolve.lanes);
    next = Kit::with(next, !right, memory_split_pc, others);
  }

  /// R13: whether the lanes of both slots may be split anew; `split_by_memory`: they are parts of a path that was.
  static bool may_split_by_memory(const Resolve& resolve, const Entry& top, bool split_by_memory) {
    const Mask all_lanes = top.mask_l | top.mask_r;
    const bool apart = top.mask_l != 0 && top.mask_r != 0 && (top.pc_l != top.pc_r || !split_by_memory);
    return !apart && resolve.lanes != 0 && (resolve.lanes & ~all_lanes) == 0;
  }

  Entry top_of(unsigned warp) const {
    const Path left = left_o[warp].read(), right = right_o[warp].read();
    return Kit::top_of(left, right, rpc_q[warp]);
  }

  /// Makes `top`, which is settled, the TOS of the warp. R8: a warp whose lowest entry is blank is done.
  void put_top(unsigned warp, const Entry& top, unsigned depth, const Mask& live) {
    const bool done = (top.mask_l | top.mask_r) == 0 && depth <= 1;
    left_o[warp].write(Kit::path_of(top, false));
    right_o[warp].write(Kit::path_of(top, true));
    rpc_q[warp] = top.rpc;
    live_q[warp] = done ? Mask(0) : live;
    depth_o[warp].write(done ? 0 : depth);
  }

  // ---- an edge ----
  void clear(Edge& edge) {
    Path blank;
    for (unsigned w = 0; w < Warps; ++w) {
      left_o[w].write(blank);
      right_o[w].write(blank);
      depth_o[w].write(0);
      rpc_q[w] = 0;
      live_q[w] = 0;
    }
    Kit::reset(edge);
  }

  /// What a request leaves of a warp, whose TOS becomes `next`. R6, R7: and whether it waits for a pop.
  void put(unsigned warp, const Change& change, Entry& next, Edge& edge) {
    Bits bit = Kit::bit_of(warp);
    next = Kit::settled(next, next.rpc, next.rpc);
    Kit::wait_for_pop(bit, next.mask_l | next.mask_r, change.depth, edge);
    put_top(warp, next, change.depth, change.live);
  }

  /// R1; `advanced` is the TOS of the granted warp after it.
  void advance(const Grant& grant, Entry& advanced, Edge& edge) {
    const unsigned warp = grant.warp;
    const bool right = grant.right != 0;
    const Slots held = held_i.read();
    Kit::issue(grant, edge);
    if (edge.issued) advanced = top_of(warp);
    if (Kit::advances(grant, held, edge)) {
      Path path = Kit::path_of(advanced, right);
      advanced = Kit::with(advanced, right, Pc(path.pc + 1), path.mask);
      Change change;
      Kit::clear(change);
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
      put(warp, change, advanced, edge);
      Bits bit = Kit::bit_of(warp);
      Kit::show_left(bit, advanced.mask_l, false, edge);
      Kit::show_right(bit, advanced.mask_r, false, edge);
    }
  }

  /// R2..R6, R8..R13: an executed control instruction, a launch, or a memory split.
  void resolve(const Grant& grant, const Resolve& resolve, const Entry& advanced, Entry& parent, Change& change,
               Edge& edge) {
    const unsigned warp = resolve.warp;
    const bool same_warp = edge.issued && grant.warp == resolve.warp;
    const bool memory_splits = MemorySplits && resolve.op == unsigned(ResolveOp::MemorySplit);
    Bits bit = Kit::bit_of(warp);
    Entry top;
    if (warp < Warps) {
      top = top_of(warp);
      if (same_warp) top = advanced;
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
    }
    Slot slot;
    const bool issues = same_warp && grant.right == resolve.right;
    Kit::name_slot_of(top, resolve, issues, slot);
    Entry next = top;
    parent = top;
    if (memory_splits) {
      edge.resolve_illegal = same_warp || !may_split_by_memory(resolve, top, (split_by_memory_q & bit) != 0);
      memory_split(resolve, next, change);
    } else {
      edge.resolve_illegal = Kit::is_illegal(resolve, slot, top.rpc, change);
      Kit::apply(resolve, slot, top.rpc, next, parent, change);
    }
    edge.overflow = !edge.resolve_illegal && change.pushes && change.depth == Depth;  // R9
    if (edge.resolve_illegal || edge.overflow) {
      change.pushes = false;
    } else {
      if (change.pushes) change.depth += 1;
      put(warp, change, next, edge);
      Kit::show_resolved(resolve, next, change.places, edge);
      if constexpr (MemorySplits) {
        if (change.places) split_by_memory_q = memory_splits ? split_by_memory_q | bit : split_by_memory_q & ~bit;
      }
    }
  }

  /// R7: the entry beneath becomes the TOS. The warp's slots are not valid, so neither request of the edge is its own.
  void pop(Edge& edge) {
    const unsigned warp = turn_q;
    Change change;
    Kit::clear(change);
    change.depth = unsigned(depth_o[warp].read()) - 1;
    change.live = live_q[warp];
    Entry next = word_q;
    next.mask_l = next.mask_l & change.live;
    next.mask_r = next.mask_r & change.live;
    put(warp, change, next, edge);
    Bits bit = Kit::bit_of(warp);
    edge.popped = true;
    edge.lanes_moved |= bit;
    Kit::show_left(bit, next.mask_l, true, edge);
    Kit::show_right(bit, next.mask_r, true, edge);
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
    Entry advanced, parent;
    Change change;
    Edge edge;
    Kit::clear(change);
    Kit::begin(status_o.read(), pop_q, turn_q, edge);
    if (!rst_ni.read()) {
      clear(edge);
    } else {
      advance(grant, advanced, edge);
      if (request.op != unsigned(ResolveOp::None)) resolve(grant, request, advanced, parent, change, edge);
      if (takes_q != 0) pop(edge);
      read_ahead(edge);
      if (change.pushes) body_q[request.warp][change.depth - 2] = parent;
    }
    if constexpr (MemorySplits) split_by_memory_q = split_by_memory_q & edge.valid_left & edge.valid_right;
    Kit::show(edge, status);
    status_o.write(status);
    idle_o.write(Kit::is_idle(edge));
    pop_q = edge.pop;
    takes_q = edge.takes ? 1 : 0;
    turn_q = edge.turn;
    HEDDLE_REPORT(Kit::report("dual_path_stack", name(), grant, request, edge));
  }
};

}  // namespace heddle
