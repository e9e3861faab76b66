// SPDX-License-Identifier: Apache-2.0
// Dual-path stack with path forwarding (DPE sec. 7.1): for each warp a stack of entries {PC and mask of a left path, PC
// and mask of a right path, RPC of both}. The two paths of the top entry (TOS) may be issued alternately, and a path
// that is suspended in a lower entry comes up into a slot of the TOS that is free, with its own RPC.
//
// What   The ports of a control flow unit, see rtl/base/control_flow.h. Rules R1..R12 are those of
//        rtl/dual_path_stack/README.md, F1..F8 are stated in README.md; both are cited below where the code obeys them.
// Time   A request of cycle n is on left_o, right_o, depth_o, status_o and idle_o in cycle n+1. A TOS without a path of
//        its own in cycle n is popped in the edge at the end of cycle n, or later when other warps wait too: one turn a
//        cycle, a pop or a forward. A forward is in line one cycle after it became due.
// State  The TOS is in flops: left_o, right_o and rpc_q. The entries beneath are in two memories, the path that waits
//        for the entry above (waits_q) and the one that is suspended beside it (beside_q), each with one write and one
//        read port, which reset does not clear: nothing above depth_o is ever read. The edge that makes it a warp's
//        turn reads what that turn needs.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   forwarding_stack.sv, same ports, same state.
#pragma once

#include "rtl/base/inventory.h"
#include "rtl/base/pair_kit.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
class forwarding_stack : public sc_core::sc_module {
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
  static constexpr unsigned Beneath = Depth - 1;  ///< entries beneath the TOS

  /// The path of an entry beneath the TOS that waits for the entry above.
  struct Waiting {
    sc_uint<PcBits> pc;
    sc_uint<Lanes> mask;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Waiting, pc, mask, rpc)
  };
  /// The path that a warp forwarded, if any.
  struct Forwarded {
    sc_uint<1> up;        // it runs at the TOS
    sc_uint<1> right;     // in this slot
    sc_uint<1> deferred;  // it waits in its entry with what its branch or call wants, below
    sc_uint<1> call;
    sc_uint<1> loop;                     // its branch meets where its entry does
    sc_uint<index_bits(Beneath)> level;  // its entry; before it comes up, the one to take
    sc_uint<PcBits> rpc;                 // of its entry; of its branch
    sc_uint<PcBits> target;
    sc_uint<Lanes> taken;
    HEDDLE_RECORD(Forwarded, up, right, deferred, call, loop, level, rpc, target, taken)
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

  SC_CTOR(forwarding_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "grant_i", grant_i);
    probe(*this, "held_i", held_i);
    probe(*this, "resolve_i", resolve_i);
    declare(*this, "left_o", left_o, {Storage::Flop, paper_all(), "DPE sec. 3.1, left path of the TOS"});
    declare(*this, "right_o", right_o, {Storage::Flop, paper_all(), "DPE sec. 3.1, right path of the TOS"});
    declare(*this, "rpc_q", rpc_q, {Storage::Flop, paper_all(), "DPE sec. 3.1, RPC of the TOS"});
    declare(
        *this, "waits_q", waits_q,
        {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS: path that waits, RPC", "1R1W, read first"});
    declare(*this, "waits_word_q", waits_word_q, {Storage::Flop, paper_none(), "read port of waits_q"});
    declare(*this, "beside_q", beside_q,
            {Storage::Ram, paper_all(), "DPE sec. 3.1, entries beneath the TOS: suspended path", "1R1W, read first"});
    declare(*this, "beside_word_q", beside_word_q, {Storage::Flop, paper_none(), "read port of beside_q"});
    declare(*this, "has_q", has_q, {Storage::Flop, paper_none(), "ours, entries with a suspended path"});
    declare(*this, "closed_q", closed_q, {Storage::Flop, paper_none(), "ours, entries whose waiting path called"});
    declare(*this, "forwarded_q", forwarded_q,
            {Storage::Flop, paper_none(), "ours, DPE sec. 7.1: forwarded path and its RPC"});
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
    Entry entry;
    if (level + 1 == depth_o[warp].read()) return top_of(warp);  // what came up is shown there
    entry.pc_l = waits_q[warp][level].pc;
    entry.mask_l = waits_q[warp][level].mask;
    entry.rpc = waits_q[warp][level].rpc;
    if (has_q[warp][level] != 0 && !(forwarded_q[warp].up != 0 && forwarded_q[warp].level == level)) {
      entry.pc_r = beside_q[warp][level].pc;
      entry.mask_r = beside_q[warp][level].mask;
    }
    entry.mask_l = entry.mask_l & live_q[warp];
    entry.mask_r = entry.mask_r & live_q[warp];
    return Kit::settled(entry, entry.rpc, entry.rpc);
  }

 private:
  Pc rpc_q[Warps];
  Waiting waits_q[Warps][Beneath];
  Path beside_q[Warps][Beneath];
  sc_uint<1> has_q[Warps][Beneath];
  sc_uint<1> closed_q[Warps][Beneath];
  Forwarded forwarded_q[Warps];
  Mask live_q[Warps];
  Waiting waits_word_q;  // read for this turn
  Path beside_word_q;
  sc_uint<Warps> pop_q;
  sc_uint<1> takes_q;  // in this cycle turn_q takes its turn
  sc_uint<WarpBits> turn_q;

  using Edge = typename Kit::Edge;
  using Change = typename Kit::Change;
  using Slot = typename Kit::Slot;
  using Bits = typename Kit::Bits;

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

  // ---- a TOS with the forwarded path in one of its slots ----
  /// Warps of `Edge::pop` that wait for a path to come up, and those that did before; F6: those whose path went down.
  struct Forwards {
    Bits comes, came, deferred;
  };

  /// What is written beneath the TOS at the end of the edge, in each of the two memories.
  struct Writes {
    unsigned warp;
    bool waits_go, beside_go;
    unsigned waiting_level, beside_level;
    Pc waiting_pc, waiting_rpc, beside_pc;
    Mask waiting_mask, beside_mask;
  };

  static void begin(Forwards& forwards, Writes& writes) {
    forwards.comes = 0;
    forwards.came = 0;
    forwards.deferred = 0;
    writes.waits_go = false;
    writes.beside_go = false;
    writes.warp = 0;
    writes.waiting_level = 0;
    writes.beside_level = 0;
  }

  static void write_waiting(unsigned warp, unsigned level, const Pc& pc, const Mask& mask, const Pc& rpc,
                            Writes& writes) {
    writes.waits_go = true;
    writes.warp = warp;
    writes.waiting_level = level;
    writes.waiting_pc = pc;
    writes.waiting_mask = mask;
    writes.waiting_rpc = rpc;
  }
  static void write_beside(unsigned warp, unsigned level, const Pc& pc, const Mask& mask, Writes& writes) {
    writes.beside_go = true;
    writes.warp = warp;
    writes.beside_level = level;
    writes.beside_pc = pc;
    writes.beside_mask = mask;
  }

  void store(const Writes& writes) {
    Waiting waiting;
    waiting.pc = writes.waiting_pc;
    waiting.mask = writes.waiting_mask;
    waiting.rpc = writes.waiting_rpc;
    Path beside;
    beside.pc = writes.beside_pc;
    beside.mask = writes.beside_mask;
    if (writes.waits_go) waits_q[writes.warp][writes.waiting_level] = waiting;
    if (writes.beside_go) beside_q[writes.warp][writes.beside_level] = beside;
  }

  static bool forwarded_in(const Forwarded& forwarded, bool right) {
    return forwarded.up != 0 && (forwarded.right != 0) == right;
  }

  /// R6, F3: each path is judged by the RPC of its own entry.
  static Entry settled_beside(const Entry& entry, const Forwarded& forwarded) {
    Pc rpc_l = forwarded_in(forwarded, false) ? forwarded.rpc : entry.rpc;
    Pc rpc_r = forwarded_in(forwarded, true) ? forwarded.rpc : entry.rpc;
    return Kit::settled(entry, rpc_l, rpc_r);
  }

  /// No path of the entry at the top runs.
  static bool own_blank(const Entry& top, const Forwarded& forwarded) {
    return (top.mask_l == 0 || forwarded_in(forwarded, false)) && (top.mask_r == 0 || forwarded_in(forwarded, true));
  }

  /// F3: what the forwarded path was is forgotten where it ended.
  void end_forwarded(unsigned warp, const Entry& top, Forwarded& forwarded) {
    if (forwarded.up != 0 && (forwarded.right != 0 ? top.mask_r : top.mask_l) == 0) {
      has_q[warp][unsigned(forwarded.level)] = 0;
      forwarded.up = 0;
    }
  }

  /// F1: whether the warp waits for a turn, with this TOS; where that is to bring a path up, forwarded.level says from
  /// where.
  bool look_down(unsigned warp, const Entry& top, unsigned depth, Forwarded& forwarded) {
    bool wants = false;
    if (depth > 1) {
      if (own_blank(top, forwarded)) {
        wants = true;
      } else if (forwarded.up == 0 && forwarded.deferred == 0 && (top.mask_l == 0 || top.mask_r == 0)) {
        for (unsigned i = 0; i < Beneath; ++i) {
          if (has_q[warp][i] != 0 || closed_q[warp][i] != 0) {
            wants = closed_q[warp][i] == 0;
            if (wants) forwarded.level = i;
          }
        }
      }
    }
    return wants;
  }

  /// F6: a forwarded path that diverges or calls goes down, and what its branch or call wants waits with it.
  static void defer(const Resolve& resolve, const Slot& slot, const Entry& top, Entry& next, Forwarded& forwarded,
                    Change& change, Writes& writes) {
    write_beside(resolve.warp, forwarded.level, slot.fall, slot.mask, writes);
    const bool calls = resolve.op == unsigned(ResolveOp::Call);
    forwarded.call = calls ? 1 : 0;
    forwarded.loop = !calls && resolve.rpc == forwarded.rpc ? 1 : 0;
    forwarded.rpc = calls ? Pc(Flow::NoPc) : Pc(resolve.rpc);
    forwarded.target = resolve.target;
    forwarded.taken = resolve.lanes;
    forwarded.up = 0;
    forwarded.deferred = 1;
    next = Kit::with(top, resolve.right != 0, Pc(0), Mask(0));
    change.places = false;
  }

  /// F4, F5: a path diverges or calls beside a forwarded one, whose lanes are in `top`.
  static void part_beside(const Resolve& resolve, const Entry& top, Entry& next, Forwarded& forwarded, Change& change,
                          Writes& writes) {
    const bool right = resolve.right != 0;
    const bool branches = resolve.op == unsigned(ResolveOp::Branch);
    if (branches && (next.mask_l == 0 || next.mask_r == 0)) {  // F5
      Path side = Kit::path_of(next, next.mask_l == 0);
      next = Kit::with(top, right, side.pc, side.mask);
      next.rpc = resolve.rpc;
      change.places = false;
    } else {  // F4
      Path path = Kit::path_of(top, !right);
      write_beside(resolve.warp, forwarded.level, path.pc, path.mask, writes);
      forwarded.up = 0;
    }
  }

  /// R4, R11: an entry in its two parts, the path that waits for the one above and the one that is suspended beside it.
  void push_parts(const Resolve& resolve, const Slot& slot, const Entry& parent, unsigned level, Writes& writes) {
    const unsigned warp = resolve.warp;
    const bool right = resolve.right != 0;
    Path path = Kit::path_of(parent, right), beside = Kit::path_of(parent, !right);
    write_waiting(warp, level, path.pc, path.mask, parent.rpc, writes);
    has_q[warp][level] = slot.beside != 0 ? 1 : 0;
    closed_q[warp][level] = resolve.op == unsigned(ResolveOp::Call) ? 1 : 0;  // F1
    if (slot.beside != 0) write_beside(warp, level, beside.pc, beside.mask, writes);
  }

  // ---- an edge ----
  void clear(Edge& edge) {
    Path blank;
    Forwarded none;
    for (unsigned w = 0; w < Warps; ++w) {
      left_o[w].write(blank);
      right_o[w].write(blank);
      depth_o[w].write(0);
      rpc_q[w] = 0;
      live_q[w] = 0;
      forwarded_q[w] = none;
      for (unsigned i = 0; i < Beneath; ++i) {
        has_q[w][i] = 0;
        closed_q[w][i] = 0;
      }
    }
    Kit::reset(edge);
  }

  /// What a request leaves of a warp, whose TOS becomes `next`. F1, R7: and whether it waits for a turn.
  void put(unsigned warp, const Change& change, Entry& next, Forwarded& forwarded, Edge& edge, Forwards& forwards) {
    Bits bit = Kit::bit_of(warp);
    next = settled_beside(next, forwarded);
    end_forwarded(warp, next, forwarded);
    if (change.depth == 0)
      for (unsigned i = 0; i < Beneath; ++i) closed_q[warp][i] = 0;
    const bool wants = look_down(warp, next, change.depth, forwarded);
    const bool comes = wants && !own_blank(next, forwarded);
    edge.pop = wants ? edge.pop | bit : edge.pop & ~bit;
    forwards.comes = comes ? forwards.comes | bit : forwards.comes & ~bit;
    forwarded_q[warp] = forwarded;
    put_top(warp, next, change.depth, change.live);
  }

  /// R1; `advanced` is the TOS of the granted warp after it.
  void advance(const Grant& grant, Entry& advanced, Edge& edge, Forwards& forwards) {
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
      Forwarded forwarded = forwarded_q[warp];
      put(warp, change, advanced, forwarded, edge, forwards);
      Bits bit = Kit::bit_of(warp);
      Kit::show_left(bit, advanced.mask_l, false, edge);
      Kit::show_right(bit, advanced.mask_r, false, edge);
    }
  }

  /// R4, R11, F4..F6: a branch or a call where a path may be up.
  void place(const Resolve& resolve, const Slot& slot, const Entry& top, const Entry& parent, Entry& next,
             Forwarded& forwarded, Change& change, Forwards& forwards, Writes& writes) {
    const bool right = resolve.right != 0;
    if (forwarded_in(forwarded, right) && change.places) {
      forwards.deferred = Kit::bit_of(resolve.warp);
      defer(resolve, slot, top, next, forwarded, change, writes);
    } else {
      if (change.pushes) push_parts(resolve, slot, parent, change.depth - 1, writes);
      if (forwarded_in(forwarded, !right) && change.places) part_beside(resolve, top, next, forwarded, change, writes);
    }
  }

  /// R2..R6, R8..R12, F4..F6: an executed control instruction, or a launch.
  void resolve(const Grant& grant, const Resolve& resolve, const Entry& advanced, Change& change, Edge& edge,
               Forwards& forwards, Writes& writes) {
    const unsigned warp = resolve.warp;
    const bool right = resolve.right != 0;
    const bool same_warp = edge.issued && grant.warp == resolve.warp;
    Entry top;
    Forwarded forwarded;
    if (warp < Warps) {
      top = top_of(warp);
      if (same_warp) top = advanced;
      forwarded = forwarded_q[warp];
      change.depth = depth_o[warp].read();
      change.live = live_q[warp];
    }
    Slot slot;
    const bool issues = same_warp && grant.right == resolve.right;
    Kit::name_slot_of(top, resolve, issues, slot);
    const bool is_forwarded = forwarded_in(forwarded, right);  // the slot's path came from below
    if (forwarded_in(forwarded, !right)) slot.beside = 0;      // ... the one beside it did
    const Pc rpc = is_forwarded ? Pc(forwarded.rpc) : Pc(top.rpc);
    edge.resolve_illegal = Kit::is_illegal(resolve, slot, rpc, change);
    Entry next = top, parent = top;
    Kit::apply(resolve, slot, rpc, next, parent, change);
    if (is_forwarded) change.pushes = false;                                          // F6
    edge.overflow = !edge.resolve_illegal && change.pushes && change.depth == Depth;  // R9
    if (!edge.resolve_illegal && !edge.overflow) {
      place(resolve, slot, top, parent, next, forwarded, change, forwards, writes);
      if (change.pushes) change.depth += 1;
      put(warp, change, next, forwarded, edge, forwards);
      Kit::show_resolved(resolve, next, change.places, edge);
    }
  }

  // ---- a turn ----
  /// F7: the branch or call that waits is carried out: its sides take the place of the entry that is popped.
  void carry_out(unsigned warp, const Waiting& waiting, const Path& beside, Entry& next, Forwarded& forwarded,
                 Writes& writes) {
    const unsigned level = forwarded.level;
    next.pc_l = forwarded.target;
    next.mask_l = forwarded.taken;
    next.pc_r = beside.pc;
    next.mask_r = beside.mask & ~forwarded.taken;
    next.rpc = forwarded.rpc;
    Path caller;
    if (forwarded.loop == 0) {
      caller.pc = forwarded.call != 0 ? Pc(beside.pc) : Pc(forwarded.rpc);
      caller.mask = beside.mask;
    }
    write_waiting(warp, level, caller.pc, caller.mask, waiting.rpc, writes);
    write_beside(warp, level, waiting.pc, waiting.mask, writes);
    has_q[warp][level] = waiting.mask != 0 ? 1 : 0;
    closed_q[warp][level] = forwarded.call;
    forwarded.deferred = 0;
    forwarded.call = 0;
    forwarded.loop = 0;
    forwarded.rpc = 0;
    forwarded.target = 0;
    forwarded.taken = 0;
  }

  /// R7, F8: the entry beneath becomes the TOS, and a path that is up stays in its slot.
  void uncover(unsigned warp, unsigned level, const Waiting& waiting, const Path& beside, Entry& next,
               Forwarded& forwarded) {
    next.rpc = waiting.rpc;
    if (forwarded.up == 0) {
      next.pc_l = waiting.pc;
      next.mask_l = waiting.mask;
      next.pc_r = beside.pc;
      next.mask_r = beside.mask;
    } else {
      next = Kit::with(next, forwarded.right == 0, waiting.pc, waiting.mask);
      if (forwarded.level == level) forwarded.up = 0;  // at home
    }
    has_q[warp][level] = 0;
    closed_q[warp][level] = 0;
  }

  /// F1: the suspended path comes up into the free slot.
  static void forward(const Waiting& waiting, const Path& beside, Entry& next, Forwarded& forwarded) {
    forwarded.up = 1;
    forwarded.right = next.mask_r == 0 ? 1 : 0;
    forwarded.rpc = waiting.rpc;
    next = Kit::with(next, forwarded.right != 0, beside.pc, beside.mask);
  }

  /// R7, F1, F2, F7: nothing else happens to the warp in this cycle, and where a branch waits, no memory is written.
  void take_turn(const Grant& grant, const Resolve& resolve, Edge& edge, Forwards& forwards, Writes& writes) {
    const unsigned warp = turn_q;
    const bool resolves = resolve.op != unsigned(ResolveOp::None);
    const bool touched = (grant.valid != 0 && grant.warp == warp) || (resolves && resolve.warp == warp);
    Forwarded forwarded = forwarded_q[warp];
    Entry next = top_of(warp);
    Change change;
    Kit::clear(change);
    change.depth = depth_o[warp].read();
    change.live = live_q[warp];
    const bool pops = own_blank(next, forwarded);
    const unsigned level = pops ? change.depth - 2 : unsigned(forwarded.level);
    Waiting waiting = waits_word_q;
    waiting.mask = waiting.mask & change.live;
    if (waiting.pc == waiting.rpc) waiting.mask = 0;  // R6
    if (waiting.mask == 0) waiting.pc = 0;
    Path beside;
    if (has_q[warp][level] != 0) beside = beside_word_q;
    const bool replaces = pops && forwarded.deferred != 0 && forwarded.level == level;  // F7
    if (!touched && !(replaces && resolves)) {
      bool redirected_left = true, redirected_right = true;
      if (replaces) {
        carry_out(warp, waiting, beside, next, forwarded, writes);
      } else if (pops) {
        redirected_left = forwarded.up == 0 || forwarded.right != 0;
        redirected_right = forwarded.up == 0 || forwarded.right == 0;
        uncover(warp, level, waiting, beside, next, forwarded);
        change.depth -= 1;
        edge.popped = true;
      } else {
        forward(waiting, beside, next, forwarded);
        redirected_left = forwarded.right == 0;
        redirected_right = forwarded.right != 0;
      }
      put(warp, change, next, forwarded, edge, forwards);
      Bits bit = Kit::bit_of(warp);
      if (pops) edge.lanes_moved |= bit;
      Kit::show_left(bit, next.mask_l, redirected_left, edge);
      Kit::show_right(bit, next.mask_r, redirected_right, edge);
    }
  }

  /// F2: the warps that wait for a path to come up, with their TOS as the last edge left it.
  void find_forwards(const Edge& edge, Forwards& forwards) {
    for (unsigned w = 0; w < Warps; ++w) {
      if ((edge.pop >> w & 1) != 0 && !own_blank(top_of(w), forwarded_q[w])) forwards.comes |= Bits(1) << w;
    }
    forwards.came = forwards.comes;
  }

  /// R7, F2: the warp of the next turn reads what the turn needs: the entry beneath its TOS, or the one to forward from.
  void read_parts_ahead(const Resolve& resolve, Edge& edge, const Forwards& forwards) {
    Bits asked = resolve.op != unsigned(ResolveOp::None) ? Kit::bit_of(resolve.warp) : 0;
    Kit::next_turn(edge.pop & ~forwards.deferred & (~forwards.comes | (forwards.came & ~asked)), edge);
    const unsigned turn = edge.turn;
    if (edge.takes) {
      const unsigned depth = depth_o[turn].read();
      const bool comes = (forwards.comes >> turn & 1) != 0;
      const unsigned level = comes ? unsigned(forwarded_q[turn].level) : Kit::level_to_read(depth, turn_q, edge);
      waits_word_q = waits_q[turn][level];
      beside_word_q = beside_q[turn][level];
    }
  }

  HEDDLE_CLOCKED(step) {
    Status status;
    Grant grant = grant_i.read();
    Resolve request = resolve_i.read();
    Entry advanced;
    Change change;
    Edge edge;
    Forwards forwards;
    Writes writes;
    Kit::clear(change);
    Kit::begin(status_o.read(), pop_q, turn_q, edge);
    begin(forwards, writes);
    if (!rst_ni.read()) {
      clear(edge);
    } else {
      find_forwards(edge, forwards);
      advance(grant, advanced, edge, forwards);
      if (request.op != unsigned(ResolveOp::None)) resolve(grant, request, advanced, change, edge, forwards, writes);
      if (takes_q != 0) take_turn(grant, request, edge, forwards, writes);
      read_parts_ahead(request, edge, forwards);
      store(writes);
    }
    Kit::show(edge, status);
    status_o.write(status);
    idle_o.write(Kit::is_idle(edge));
    pop_q = edge.pop;
    takes_q = edge.takes ? 1 : 0;
    turn_q = edge.turn;
    HEDDLE_REPORT(Kit::report("forwarding_stack", name(), grant, request, edge));
  }
};

}  // namespace heddle
