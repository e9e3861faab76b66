// SPDX-License-Identifier: Apache-2.0
// Affine SIMT stack (DAC sec. 4.4): control flow of the affine warp, which stands for every warp of a batch of CTAs and
// executes their control flow in lock-step. Two levels: paths of whole warps, and lanes only of warps that part.
//
// What   request_i   Request  what the affine warp's instruction does to the path; a launch
//        outcome_i   Outcome  while a branch is open: which lanes of which warps take it
//        next_i               the group on group_o has been enqueued
//        path_o      Path     PC and warps of the path; valid: an instruction may act on it; open: its branch waits
//        group_o     Group    for enq: warps of the path and their lanes, the whole warps first, then one at a time
//        depth_o              entries of paths in use; 0: the affine warp is done
//        event_o     Event    what the last edge did, for statistics
//        idle_o               without a request, an outcome or next nothing changes
// Rules  R1..R14 are stated in README.md and cited below where the code obeys them.
// Time   A request of cycle n is on path_o in n+1. An outcome is judged one cycle after it came, and a branch takes one
//        cycle more; of work on lanes (an exit, a return to warps with exited lanes) one warp is done a cycle, the first
//        after one more; one path is popped a cycle.
// State  The top entry is in flops (path_o, mixed_q, rpc_q), the entries beneath in a memory, of which the next pop's is
//        read ahead. The masks of lanes of all warps are a memory in two halves, of even and of odd levels, of which one
//        warp (look_q) is read in one cycle and used in the next. Reset and launches do not clear the memories.
// Cost   asked from the inventory: scripts/heddle area, or the bench with --state-bits.
// Twin   affine_stack.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// What an instruction of the affine warp does to its path.
enum class PathOp : unsigned {
  None = 0,
  Launch = 1,   ///< a batch starts: `warps` at `target`, of which `tail_warps` have only the lanes `tail_lanes`
  Advance = 2,  ///< to the next PC
  Jump = 3,     ///< to `target`
  Branch = 4,   ///< opens a branch: to `target` for lanes that take it, else the next PC; they meet at `rpc`
  Exit = 5,     ///< all lanes of the path are done
};

template <class A, unsigned PcBits, unsigned Depth, unsigned LaneDepth>
class affine_stack : public sc_core::sc_module {
  static_assert(PcBits >= 3 && PcBits <= 64 && Depth >= 2 && LaneDepth >= 1);

 public:
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes;
  using Pc = sc_uint<PcBits>;
  using Mask = typename A::Mask;
  using WarpMask = typename A::WarpMask;
  using Count = sc_uint<count_bits(Depth)>;
  using LaneCount = sc_uint<count_bits(LaneDepth)>;
  static constexpr unsigned LaneEvens = (LaneDepth + 1) / 2, LaneOdds = LaneDepth / 2;  ///< levels of masks
  static constexpr sc_dt::uint64 NoPc = ~sc_dt::uint64(0) >> (64 - PcBits);  ///< RPC of paths that never meet

  struct Request {
    sc_uint<3> op;  // PathOp
    sc_uint<PcBits> target;
    sc_uint<PcBits> rpc;
    sc_uint<Warps> warps;
    sc_uint<Warps> tail_warps;
    sc_uint<Lanes> tail_lanes;
    HEDDLE_RECORD(Request, op, target, rpc, warps, tail_warps, tail_lanes)
  };

  struct Outcome {
    sc_uint<1> valid;
    sc_uint<Warps> warps;
    sc_uint<Lanes> lanes;  // that take the branch
    HEDDLE_RECORD(Outcome, valid, warps, lanes)
  };

  struct Path {
    sc_uint<1> valid;
    sc_uint<1> open;
    sc_uint<PcBits> pc;
    sc_uint<Warps> warps;
    HEDDLE_RECORD(Path, valid, open, pc, warps)
  };

  struct Group {
    sc_uint<1> valid;
    sc_uint<Warps> warps;
    sc_uint<Lanes> lanes;
    sc_uint<1> last;  // of the path; the next one is the first again
    HEDDLE_RECORD(Group, valid, warps, lanes, last)
  };

  struct Event {
    sc_uint<1> branch;     // a branch has its outcome
    sc_uint<1> divergent;  // ... and two sides
    sc_uint<1> parted;     // ... and lanes of one warp on both: the second level was written
    sc_uint<1> pop;
    sc_uint<1> lanes;  // the second level was read for an exit or a return
    HEDDLE_RECORD(Event, branch, divergent, parted, pop, lanes)
  };

  /// A path beneath the running one.
  struct Entry {
    sc_uint<PcBits> pc;
    sc_uint<Warps> warps;
    sc_uint<Warps> mixed;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Entry, pc, warps, mixed, rpc)
  };

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Request> request_i{"request_i"};
  sc_core::sc_in<Outcome> outcome_i{"outcome_i"};
  sc_core::sc_in<bool> next_i{"next_i"};
  sc_core::sc_out<Path> path_o{"path_o"};
  sc_core::sc_out<Group> group_o{"group_o"};
  sc_core::sc_out<Count> depth_o{"depth_o"};
  sc_core::sc_out<Event> event_o{"event_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(affine_stack) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "request_i", request_i);
    probe(*this, "outcome_i", outcome_i);
    probe(*this, "next_i", next_i);
    declare(*this, "path_o", path_o, {Storage::Flop, paper_none(), "DAC sec. 4.4, the running path"});
    declare(*this, "mixed_q", mixed_q, {Storage::Flop, paper_none(), "DAC sec. 4.4, its warps with a mask of lanes"});
    declare(*this, "rpc_q", rpc_q, {Storage::Flop, paper_none(), "DAC sec. 4.4, where it ends"});
    declare(*this, "body_q", body_q, {Storage::Ram, paper_none(), "DAC sec. 4.4, paths beneath", "1R1W, read first"});
    declare(*this, "body_word_q", body_word_q, {Storage::Flop, paper_none(), "read port of body_q"});
    declare(*this, "depth_o", depth_o, {Storage::Flop, paper_none(), "ours, paths in use"});
    declare(*this, "even_q", even_q,
            {Storage::Ram, paper_none(), "DAC sec. 4.4, masks of lanes, a warp, even levels", "1R1W, read first"});
    declare(*this, "even_word_q", even_word_q, {Storage::Flop, paper_none(), "read port of even_q"});
    if constexpr (LaneOdds != 0) {
      declare(*this, "odd_q", odd_q,
              {Storage::Ram, paper_none(), "DAC sec. 4.4, masks of lanes, a warp, odd levels", "1R1W, read first"});
      declare(*this, "odd_word_q", odd_word_q, {Storage::Flop, paper_none(), "read port of odd_q"});
    }
    declare(*this, "lane_depth_q", lane_depth_q, {Storage::Flop, paper_none(), "ours, masks in use"});
    declare(*this, "live_q", live_q, {Storage::Flop, paper_none(), "ours, warps that have not exited"});
    declare(*this, "exited_q", exited_q, {Storage::Flop, paper_none(), "ours, warps of which lanes have exited"});
    declare(*this, "live_lanes_q", live_lanes_q,
            {Storage::Ram, paper_none(), "ours, the others of them", "1R1W, read first"});
    declare(*this, "live_word_q", live_word_q, {Storage::Flop, paper_none(), "read port of live_lanes_q"});
    declare(*this, "tail_warps_q", tail_warps_q, {Storage::Flop, paper_none(), "ours, partial last warps"});
    declare(*this, "tail_lanes_q", tail_lanes_q, {Storage::Flop, paper_none(), "ours, their lanes"});
    declare(*this, "target_q", target_q, {Storage::Flop, paper_none(), "ours, of the open branch"});
    declare(*this, "meet_q", meet_q, {Storage::Flop, paper_none(), "ours, RPC of the open branch"});
    declare(*this, "heard_q", heard_q, {Storage::Flop, paper_none(), "ours, the outcome of the last cycle"});
    declare(*this, "look_q", look_q, {Storage::Flop, paper_none(), "ours, the warp whose lanes were read"});
    declare(*this, "look_last_q", look_last_q, {Storage::Flop, paper_none(), "ours, it is the last one of the path"});
    declare(*this, "left_q", left_q, {Storage::Flop, paper_none(), "ours, warps of which lanes take it"});
    declare(*this, "right_q", right_q, {Storage::Flop, paper_none(), "ours, warps of which lanes do not"});
    declare(*this, "leave_q", leave_q, {Storage::Flop, paper_none(), "ours, warps whose lanes are to exit"});
    declare(*this, "check_q", check_q, {Storage::Flop, paper_none(), "ours, warps that may have no lane here"});
    declare(*this, "group_o", group_o, {Storage::Flop, paper_none(), "ours, who an enq is for"});
    declare(*this, "rest_q", rest_q, {Storage::Flop, paper_none(), "ours, warps whose lanes the next groups read"});
    declare(*this, "begun_q", begun_q, {Storage::Flop, paper_none(), "ours, some groups have been enqueued"});
    declare(*this, "event_o", event_o, {Storage::Flop, paper_none(), "ours, for statistics"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For benches, not hardware: how many masks of lanes a warp has.
  unsigned lane_depth(unsigned warp) const { return lane_depth_q[warp]; }
  WarpMask live_warps() const { return live_q; }

 private:
  using Bits = sc_dt::uint64;  // one a warp
  static constexpr Bits AllLanes = ~Bits(0) >> (64 - Lanes);

  WarpMask mixed_q;
  Pc rpc_q;
  Entry body_q[Depth - 1];
  Entry body_word_q;
  Mask even_q[Warps][LaneEvens];
  Mask even_word_q;
  Mask odd_q[Warps][LaneOdds == 0 ? 1 : LaneOdds];
  Mask odd_word_q;
  LaneCount lane_depth_q[Warps];
  WarpMask live_q, exited_q;
  Mask live_lanes_q[Warps];
  Mask live_word_q;
  WarpMask tail_warps_q;
  Mask tail_lanes_q;
  Pc target_q, meet_q;
  Outcome heard_q;
  WarpMask left_q, right_q, leave_q, check_q, rest_q;
  WarpMask look_q;  // its lanes are in the words
  bool look_last_q = false, begun_q = false;

  /// Warps with a mask of lanes.
  Bits parted() const {
    Bits warps = 0;
    for (unsigned w = 0; w < Warps; ++w) {
      if (lane_depth_q[w] != 0) warps |= Bits(1) << w;
    }
    return warps;
  }
  /// R9: lanes of the warp that was read that there are and that have not exited.
  Mask live_lanes() const {
    Mask lanes = AllLanes;
    if ((Bits(exited_q) & Bits(look_q)) != 0) {
      lanes = live_word_q;
    } else if ((Bits(tail_warps_q) & Bits(look_q)) != 0) {
      lanes = tail_lanes_q;
    }
    return lanes;
  }
  /// R7: its lanes on the running path, if it is on it.
  Mask looked_lanes() const {
    Mask lanes = live_lanes();
    unsigned masks = 0;
    if (look_q != 0) masks = lane_depth_q[first_of(look_q)];
    if (masks != 0) lanes = lanes & ((masks & 1) != 0 ? even_word_q : odd_word_q);
    return lanes;
  }
  /// R8: one mask less for each of these warps.
  void pop_lanes(Bits warps) {
    for (unsigned w = 0; w < Warps; ++w) {
      if ((warps >> w & 1) != 0) lane_depth_q[w] = lane_depth_q[w] - 1;
    }
  }

  void write_mask(unsigned warp, unsigned level, const Mask& lanes) {
    if ((level & 1) != 0) {
      odd_q[warp][level / 2] = lanes;
    } else {
      even_q[warp][level / 2] = lanes;
    }
  }

  static unsigned first_of(Bits warps) { return warps == 0 ? 0 : lowest_set(warps); }
  static Bits lowest(Bits warps) { return warps & (~warps + 1); }

  /// What an edge makes of the running path and of what is beside it, and what it refuses.
  struct Edge {
    Pc pc, rpc;
    Bits warps, mixed;  // of the path, and those of them with a mask of lanes
    bool valid, open;   // as in Path
    unsigned depth;
    Bits live, check;
    Bits look;                                            // the warp whose lanes the next edge uses, ...
    bool reads;                                           // which this one reads
    bool branch, divergent, parted, pops, lanes;          // as in Event
    bool request_illegal, outcome_illegal, next_illegal;  // R14
    bool overflow;                                        // R13
  };

  /// The warp whose lanes were read.
  struct Looked {
    Bits bit;  // 0: none was
    unsigned warp;
    Mask alive, own;  // its lanes that have not exited, and those of them on the path
  };

  /// What is written into the memories at the end of an edge.
  struct Writes {
    bool body, first, last, live;
    unsigned body_to;
    LaneCount first_to, last_to;  // levels of the masks
    Mask first_lanes, last_lanes;
  };

  /// R5: the sides of the open branch.
  struct Sides {
    Pc fall;
    bool left_there, right_there;  // the side is there: it is not at the RPC
    bool loop;                     // they meet at the path's own RPC, so the path is not kept
    bool places;                   // one of them is there
    bool both;
    bool leaves;  // the path's entry stays beneath
  };

  /// R4: what an outcome says.
  struct Said {
    bool alone;        // of the warp that was read, and of no other
    Mask take, stay;   // its lanes on each side
    bool parts;        // R6
    Bits left, right;  // warps of which lanes do, with those that spoke before
  };

  void begin(const Path& was, Edge& edge) const {
    edge.pc = was.pc;
    edge.rpc = rpc_q;
    edge.warps = was.warps;
    edge.mixed = mixed_q;
    edge.valid = false;
    edge.open = was.open != 0;
    edge.depth = depth_o.read();
    edge.live = live_q;
    edge.check = check_q;
    edge.look = 0;
    edge.reads = false;
    edge.branch = false;
    edge.divergent = false;
    edge.parted = false;
    edge.pops = false;
    edge.lanes = false;
    edge.request_illegal = false;
    edge.outcome_illegal = false;
    edge.next_illegal = false;
    edge.overflow = false;
  }

  void clear(Group& group, Edge& edge) {
    Group nobody;
    Outcome nothing;
    group = nobody;
    heard_q = nothing;
    edge.pc = 0;
    edge.rpc = 0;
    edge.warps = 0;
    edge.mixed = 0;
    edge.open = false;
    edge.depth = 0;
    edge.live = 0;
    edge.check = 0;
    for (unsigned w = 0; w < Warps; ++w) lane_depth_q[w] = 0;
    exited_q = 0;
    tail_warps_q = 0;
    tail_lanes_q = 0;
    target_q = 0;
    meet_q = 0;
    left_q = 0;
    right_q = 0;
    leave_q = 0;
    rest_q = 0;
    look_q = 0;
    look_last_q = false;
    begun_q = false;
  }

  /// R7: the warp that was read.
  void look(Looked& looked) const {
    looked.bit = look_q;
    looked.warp = first_of(looked.bit);
    looked.alive = live_lanes();
    looked.own = looked_lanes();
  }

  static void clear(Writes& writes) {
    writes.body = false;
    writes.first = false;
    writes.last = false;
    writes.live = false;
    writes.body_to = 0;
    writes.first_to = 0;
    writes.last_to = 0;
    writes.first_lanes = 0;
    writes.last_lanes = 0;
  }

  /// R14: without a path, a branch or a group there is nothing to act on; the rules find the rest.
  static void judge(const Request& request, const Outcome& heard, bool next, const Path& was, const Group& group,
                    const Looked& looked, Edge& edge) {
    edge.request_illegal = request.op != unsigned(PathOp::None) && was.valid == 0 &&
                           (edge.depth != 0 || request.op != unsigned(PathOp::Launch));
    edge.outcome_illegal = heard.valid != 0 && (was.open == 0 || looked.bit == 0);
    edge.next_illegal = next && group.valid == 0;
  }

  /// R1, R14
  void launch(const Request& request, Edge& edge) {
    const Bits others = Bits(request.tail_warps) & ~Bits(request.warps);
    edge.request_illegal = request.warps == 0 || others != 0 || (request.tail_warps != 0 && request.tail_lanes == 0);
    if (!edge.request_illegal) {
      edge.pc = request.target;
      edge.warps = request.warps;
      edge.rpc = request.rpc;
      edge.mixed = 0;
      edge.live = request.warps;
      edge.depth = 1;
      exited_q = 0;
      tail_warps_q = request.tail_warps;
      tail_lanes_q = request.tail_lanes;
      for (unsigned w = 0; w < Warps; ++w) lane_depth_q[w] = 0;
    }
  }

  /// R10: the next group, and to the lanes of the next warp, after the last one of the first.
  void name_group(bool next, const Looked& looked, Group& group, Edge& edge) {
    begun_q = group.valid != 0 && next ? group.last == 0 : begun_q;
    const Bits single = edge.warps & (parted() | Bits(exited_q)), whole = edge.warps & ~single;
    const bool first = group.valid == 0 && looked.bit == 0;
    bool goes_on = first;
    if (group.valid == 0 || next) {
      if ((group.valid == 0 || group.last != 0) && whole != 0) {
        group.valid = 1;
        group.warps = whole;
        group.lanes = AllLanes;
        group.last = single == 0;
      } else if (looked.bit != 0) {
        group.valid = 1;
        group.warps = looked.bit;
        group.lanes = looked.own;
        group.last = look_last_q;
        goes_on = true;
      }
    }
    edge.look = looked.bit;
    if (goes_on) {
      const Bits unnamed = first ? single : Bits(rest_q);
      edge.look = lowest(unnamed);
      edge.reads = true;
      const Bits rest = unnamed & ~edge.look;
      rest_q = rest == 0 ? single : rest;
      look_last_q = rest == 0;
    }
  }

  /// R3: the path's own entry is left beneath, where nothing is yet.
  void open_branch(const Request& request, Entry& body, Edge& edge, Writes& writes) {
    edge.open = true;
    target_q = request.target;
    meet_q = request.rpc;
    left_q = 0;
    right_q = 0;
    writes.body = edge.depth < Depth;
    writes.body_to = edge.depth - 1;
    body.pc = request.rpc;
    body.warps = edge.warps;
    body.mixed = edge.mixed;
    body.rpc = edge.rpc;
  }

  /// R9: warps without a mask are gone, lanes of the others go one warp a cycle.
  void exit(Edge& edge) {
    const Bits lanewise = edge.warps & parted();
    edge.live &= ~(edge.warps & ~lanewise);
    leave_q = lanewise;
    edge.warps = 0;
  }

  /// R2, R3, R9: an instruction acts on the path. R14: it may not while groups are left over.
  void act(const Request& request, Entry& body, Edge& edge, Writes& writes) {
    edge.request_illegal = begun_q;
    if (!edge.request_illegal) {
      switch (unsigned(request.op)) {
        case unsigned(PathOp::Advance):  // R2
          edge.pc = edge.pc + 1;
          break;
        case unsigned(PathOp::Jump):  // R2
          edge.pc = request.target;
          break;
        case unsigned(PathOp::Branch):
          open_branch(request, body, edge, writes);
          break;
        case unsigned(PathOp::Exit):
          exit(edge);
          break;
        default:
          edge.request_illegal = true;
          break;
      }
    }
  }

  /// R5
  void name_sides(const Edge& edge, Sides& sides) const {
    sides.fall = edge.pc + 1;
    sides.left_there = target_q != meet_q;
    sides.right_there = sides.fall != meet_q;
    sides.loop = meet_q == edge.rpc;
    sides.places = sides.left_there || sides.right_there;
    sides.both = sides.left_there && sides.right_there;
    sides.leaves = sides.places && !sides.loop;
  }

  /// R4: which lanes of which warps go which way.
  void read_outcome(const Outcome& heard, const Looked& looked, Said& said) const {
    const Bits warps = heard.warps;
    said.alone = warps == looked.bit;
    said.take = said.alone ? Mask(heard.lanes & looked.own) : Mask(heard.lanes);
    said.stay = said.alone ? Mask(looked.own & ~said.take) : Mask(~said.take);
    said.parts = said.take != 0 && said.stay != 0;
    said.left = said.take != 0 ? Bits(left_q) | warps : Bits(left_q);
    said.right = said.stay != 0 ? Bits(right_q) | warps : Bits(right_q);
  }

  /// R3, R4, R14: a warp that is not on the path or has spoken, or several of which lanes part.
  bool may_not_speak(const Outcome& heard, const Said& said, const Edge& edge) const {
    const Bits asked = edge.warps & ~Bits(left_q | right_q);
    return (Bits(heard.warps) & ~asked) != 0 || (!said.alone && said.parts);
  }

  /// R6: masks of the warp that was read, less the one that gives way as the path is not kept.
  unsigned masks_beneath(const Looked& looked, const Sides& sides, const Edge& edge) const {
    const bool replaces = sides.places && sides.loop && (edge.mixed & looked.bit) != 0;
    return unsigned(lane_depth_q[looked.warp]) - (replaces ? 1 : 0);
  }

  static unsigned masks_of(const Sides& sides) { return (sides.left_there ? 1 : 0) + (sides.right_there ? 1 : 0); }

  /// R13; `masks`: what the warp would have.
  static bool overflows(const Said& said, const Sides& sides, unsigned masks, const Edge& edge) {
    const unsigned paths = edge.depth + (sides.leaves ? 1 : 0) + (sides.both ? 1 : 0);
    return (said.left != 0 && said.right != 0 && paths > Depth) || (said.parts && masks > LaneDepth);
  }

  /// R6: a mask for each side that is there, on `from` others.
  void part(const Looked& looked, const Said& said, const Sides& sides, unsigned from, unsigned masks, Writes& writes) {
    writes.first = sides.right_there;
    writes.first_to = from;
    writes.first_lanes = said.stay;
    writes.last = sides.left_there;
    writes.last_to = masks - 1;
    writes.last_lanes = said.take;
    lane_depth_q[looked.warp] = masks;
  }

  /// R4, R6, R13, R14: warps speak.
  void hear(const Outcome& heard, const Looked& looked, const Sides& sides, Edge& edge, Writes& writes) {
    Said said;
    read_outcome(heard, looked, said);
    unsigned from = masks_beneath(looked, sides, edge);
    unsigned masks = from + masks_of(sides);
    edge.outcome_illegal = may_not_speak(heard, said, edge);
    edge.overflow = !edge.outcome_illegal && overflows(said, sides, masks, edge);
    if (!edge.outcome_illegal && !edge.overflow) {
      left_q = said.left;
      right_q = said.right;
      if (said.parts && sides.places) part(looked, said, sides, from, masks, writes);
    }
  }

  /// R5, R6: warps go both ways, and those with lanes on both sides hold a mask with either.
  void diverge(const Sides& sides, Entry& body, Edge& edge, Writes& writes) {
    const Bits left = left_q, right = right_q, parts = left & right;
    const Bits kept = sides.loop ? edge.mixed & edge.live : 0;
    const Bits left_mixed = sides.left_there ? parts | (kept & left) : 0;
    const Bits right_mixed = sides.right_there ? parts | (kept & right) : 0;
    if (sides.leaves) edge.depth += 1;
    if (sides.both) {
      writes.body = true;
      writes.body_to = edge.depth - 1;
      body.pc = sides.fall;
      body.warps = right;
      body.mixed = right_mixed;
      body.rpc = meet_q;
      edge.depth += 1;
    }
    edge.pc = sides.left_there ? target_q : sides.fall;
    edge.warps = sides.left_there ? left : right;
    edge.mixed = sides.left_there ? left_mixed : right_mixed;
    edge.rpc = meet_q;
    pop_lanes(kept & ~(left_mixed | right_mixed));
  }

  /// R5: all have spoken.
  void close_branch(const Sides& sides, Entry& body, Edge& edge, Writes& writes) {
    edge.branch = true;
    edge.divergent = left_q != 0 && right_q != 0;
    edge.parted = (left_q & right_q) != 0;
    edge.open = false;
    if (right_q == 0) {
      edge.pc = target_q;
    } else if (left_q == 0) {
      edge.pc = sides.fall;
    } else if (!sides.places) {
      edge.pc = meet_q;
    } else {
      diverge(sides, body, edge, writes);
    }
  }

  /// R3: an open branch waits until every warp has spoken.
  void branch(const Outcome& outcome, const Outcome& heard, const Looked& looked, Entry& body, Edge& edge,
              Writes& writes) {
    Sides sides;
    name_sides(edge, sides);
    if (Bits(left_q | right_q) != edge.warps) {
      if (outcome.valid != 0) edge.look = lowest(outcome.warps);
      edge.reads = true;
      if (heard.valid != 0 && looked.bit != 0) hear(heard, looked, sides, edge, writes);
    } else {
      if (heard.valid != 0) edge.outcome_illegal = true;  // R14
      close_branch(sides, body, edge, writes);
    }
  }

  /// R9: the lanes of one warp exit.
  void leave(const Looked& looked, Edge& edge, Writes& writes) {
    if (looked.bit != 0) {
      writes.live = true;
      exited_q = Bits(exited_q) | looked.bit;
      if ((looked.alive & ~looked.own) == 0) edge.live &= ~looked.bit;
      leave_q = Bits(leave_q) & ~looked.bit;
      edge.lanes = true;
    }
    edge.look = lowest(leave_q);
    edge.reads = true;
  }

  /// R11: whether one warp has lanes left on the path.
  static void come_back(const Looked& looked, Edge& edge) {
    if (looked.bit != 0) {
      if (looked.own == 0) edge.warps &= ~looked.bit;
      edge.check &= ~looked.bit;
      edge.lanes = true;
    }
    edge.look = lowest(edge.check);
    edge.reads = true;
  }

  /// R8; R12: the lowest path ends the launch.
  void pop(Edge& edge) {
    if (edge.depth == 1) {
      edge.depth = 0;
      edge.live = 0;
    } else {
      pop_lanes(edge.mixed & edge.live);
      const Entry entry = body_word_q;
      edge.pc = entry.pc;
      edge.warps = Bits(entry.warps) & edge.live;
      edge.mixed = entry.mixed;
      edge.rpc = entry.rpc;
      edge.depth -= 1;
      edge.check = edge.warps & Bits(exited_q) & parted();
      edge.pops = true;
    }
  }

  /// R8: a path at its RPC or without warps is blank; it waits for its pop.
  static void settle(Edge& edge) {
    if (edge.warps == 0 || edge.pc == edge.rpc) {
      edge.pc = 0;
      edge.warps = 0;
      edge.check = 0;
    }
    edge.valid = edge.warps != 0 && !edge.open && edge.check == 0;
  }

  /// R10: the groups of a path end with it.
  void end_groups(const Path& was, Group& group, Edge& edge) {
    if (!edge.valid) {
      Group nobody;
      group = nobody;
      rest_q = 0;
      look_last_q = false;
      if (was.valid != 0) edge.look = 0;
    }
  }

  /// An outcome is judged in the next edge, as the lanes of its warp are read in this one.
  void keep(const Outcome& outcome) {
    heard_q.valid = outcome.valid;
    if (outcome.valid != 0) {
      heard_q.warps = outcome.warps;
      heard_q.lanes = outcome.lanes;
    }
  }

  /// What the next edge may need of the memories: the entry that a pop takes, and lanes of a warp.
  void read_ahead(const Edge& edge) {
    const unsigned depth = depth_o.read();
    if (depth > (edge.pops ? 2U : 1U)) body_word_q = body_q[depth - (edge.pops ? 3 : 2)];
    if (edge.reads && edge.look != 0) {
      unsigned at = first_of(edge.look);
      const unsigned masks = lane_depth_q[at];
      live_word_q = live_lanes_q[at];
      if (masks != 0 && (masks & 1) != 0) even_word_q = even_q[at][(masks - 1) / 2];
      if (masks != 0 && (masks & 1) == 0) odd_word_q = odd_q[at][(masks - 1) / 2];
    }
  }

  /// What the edge leaves there.
  void store(const Looked& looked, const Entry& body, const Writes& writes) {
    const unsigned warp = looked.warp;
    if (writes.body) body_q[writes.body_to] = body;
    if (writes.live) live_lanes_q[warp] = looked.alive & ~looked.own;
    if (writes.first) write_mask(warp, writes.first_to, writes.first_lanes);
    if (writes.last) write_mask(warp, writes.last_to, writes.last_lanes);
  }

  void show(const Outcome& outcome, const Group& group, const Edge& edge) {
    Path path;
    path.valid = edge.valid ? 1 : 0;
    path.open = edge.open ? 1 : 0;
    path.pc = edge.pc;
    path.warps = edge.warps;
    path_o.write(path);
    rpc_q = edge.rpc;
    mixed_q = edge.mixed;
    live_q = edge.live;
    check_q = edge.check;
    depth_o.write(edge.depth);
    group_o.write(group);
    Event event;
    event.branch = edge.branch ? 1 : 0;
    event.divergent = edge.divergent ? 1 : 0;
    event.parted = edge.parted ? 1 : 0;
    event.pop = edge.pops ? 1 : 0;
    event.lanes = edge.lanes ? 1 : 0;
    event_o.write(event);
    // It rests where it is done, where a path runs and its group is named, and where a branch waits for outcomes.
    const bool rests = edge.depth == 0 || group.valid != 0 || (edge.open && Bits(left_q | right_q) != edge.warps);
    const bool heard_now = rst_ni.read() && outcome.valid != 0;
    idle_o.write(rests && !heard_now && !edge.branch && !edge.pops && !edge.lanes);
  }

  HEDDLE_CLOCKED(step) {
    const Request request = request_i.read();
    const Outcome outcome = outcome_i.read(), heard = heard_q;
    const Path was = path_o.read();
    const bool next = next_i.read();
    Group group = group_o.read();
    Entry body;
    Edge edge;
    begin(was, edge);
    if (!rst_ni.read()) {
      clear(group, edge);
    } else {
      Looked looked;
      Writes writes;
      look(looked);
      clear(writes);
      judge(request, heard, next, was, group, looked, edge);
      if (edge.depth == 0) {
        if (request.op == unsigned(PathOp::Launch)) launch(request, edge);
      } else if (was.valid != 0) {
        name_group(next, looked, group, edge);
        if (request.op != unsigned(PathOp::None)) act(request, body, edge, writes);
      } else if (was.open != 0) {
        branch(outcome, heard, looked, body, edge, writes);
      } else if (leave_q != 0) {
        leave(looked, edge, writes);
      } else if (edge.check != 0) {
        come_back(looked, edge);
      } else {
        pop(edge);
      }
      settle(edge);
      end_groups(was, group, edge);
      look_q = edge.look;
      keep(outcome);
      read_ahead(edge);
      store(looked, body, writes);
    }
    show(outcome, group, edge);
    if (edge.request_illegal) HEDDLE_REPORT(refuse(was.warps, "request that the path does not allow"));
    if (edge.outcome_illegal) HEDDLE_REPORT(refuse(heard.warps, "outcome of a warp that nobody asked"));
    if (edge.next_illegal) HEDDLE_REPORT(refuse(was.warps, "next without a group"));
    if (edge.overflow) HEDDLE_REPORT(refuse_overflow(heard.warps));
  }

  HEDDLE_REPORT(void refuse(Bits warps, const char* why) {
    SC_REPORT_ERROR("affine_stack/illegal", refusal(name(), first_of(warps), why).c_str());
  })

  HEDDLE_REPORT(void refuse_overflow(Bits warps) {
    const std::string why =
        "a path beyond " + std::to_string(Depth) + ", or a mask of lanes beyond " + std::to_string(LaneDepth);
    SC_REPORT_ERROR("affine_stack/overflow", refusal(name(), first_of(warps), why).c_str());
  })
};

}  // namespace heddle
