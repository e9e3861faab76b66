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

  HEDDLE_CLOCKED(step) {
    const Request request = request_i.read();
    const Outcome outcome = outcome_i.read(), heard = heard_q;
    const Path was = path_o.read();
    Path path = was;
    Pc rpc = rpc_q;
    Bits mixed = mixed_q, live = live_q, check = check_q;
    const unsigned had = depth_o.read();
    unsigned depth = had;
    Group group = group_o.read();
    Event event;
    const bool op = request.op != unsigned(PathOp::None), next = next_i.read();
    bool request_illegal = false, outcome_illegal = false, next_illegal = false, overflow = false;

    if (!rst_ni.read()) {
      Path none;
      Group nobody;
      Outcome nothing;
      path = none;
      group = nobody;
      heard_q = nothing;
      rpc = 0;
      mixed = 0;
      live = 0;
      depth = 0;
      check = 0;
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
    } else {
      // The warp that was read, and which one is next; what is written at the end of this edge.
      const Bits look = look_q;
      unsigned warp = first_of(look);
      const Mask alive = live_lanes(), own = looked_lanes();
      Bits then_look = 0;
      bool writes_body = false, writes_first = false, writes_last = false, writes_live = false, pops = false,
           reads = false;
      unsigned body_to = 0;
      LaneCount first_to = 0, last_to = 0;
      Entry body;
      Mask first_lanes = 0, last_lanes = 0;

      request_illegal = op && was.valid == 0 && (depth != 0 || request.op != unsigned(PathOp::Launch));  // R14
      outcome_illegal = heard.valid != 0 && (was.open == 0 || look == 0);
      next_illegal = next && group.valid == 0;
      const Pc fall = was.pc + 1;

      if (depth == 0) {
        if (request.op == unsigned(PathOp::Launch)) {  // R1
          const Bits others = Bits(request.tail_warps) & ~Bits(request.warps);
          if (request.warps == 0 || others != 0 || (request.tail_warps != 0 && request.tail_lanes == 0)) {
            request_illegal = true;  // R14
          } else {
            path.pc = request.target;
            path.warps = request.warps;
            rpc = request.rpc;
            mixed = 0;
            live = request.warps;
            depth = 1;
            exited_q = 0;
            tail_warps_q = request.tail_warps;
            tail_lanes_q = request.tail_lanes;
            for (unsigned w = 0; w < Warps; ++w) lane_depth_q[w] = 0;
          }
        }
      } else if (was.valid != 0) {
        // R10: the next group; none is left over when an instruction acts on the path.
        const bool midway = group.valid != 0 && next ? group.last == 0 : begun_q;
        begun_q = midway;
        if (op && midway) request_illegal = true;  // R14
        const Bits single = Bits(was.warps) & (parted() | Bits(exited_q)), whole = Bits(was.warps) & ~single;
        const bool first = group.valid == 0 && look == 0;
        bool goes_on = first;
        const Bits unnamed = first ? single : Bits(rest_q);
        if (group.valid == 0 || next) {
          if ((group.valid == 0 || group.last != 0) && whole != 0) {
            group.valid = 1;
            group.warps = whole;
            group.lanes = AllLanes;
            group.last = single == 0;
          } else if (look != 0) {
            group.valid = 1;
            group.warps = look;
            group.lanes = own;
            group.last = look_last_q;
            goes_on = true;
          }
        }
        then_look = look;
        if (goes_on) {  // to the lanes of the next warp, after the last one of the first
          then_look = lowest(unnamed);
          reads = true;
          const Bits rest = unnamed & ~then_look;
          rest_q = rest == 0 ? single : rest;
          look_last_q = rest == 0;
        }
        if (op && !request_illegal) {
          const Bits lanewise = Bits(was.warps) & parted();
          switch (unsigned(request.op)) {
            case unsigned(PathOp::Advance):  // R2
              path.pc = fall;
              break;
            case unsigned(PathOp::Jump):  // R2
              path.pc = request.target;
              break;
            case unsigned(PathOp::Branch):  // R3
              path.open = 1;
              target_q = request.target;
              meet_q = request.rpc;
              left_q = 0;
              right_q = 0;
              writes_body = depth < Depth;  // where nothing is yet
              body_to = depth - 1;
              body.pc = request.rpc;
              body.warps = was.warps;
              body.mixed = mixed;
              body.rpc = rpc;
              break;
            case unsigned(PathOp::Exit):  // R9
              live &= ~(Bits(was.warps) & ~lanewise);
              leave_q = lanewise;
              path.warps = 0;
              break;
            default:
              request_illegal = true;  // R14
              break;
          }
        }
      } else if (was.open != 0) {
        const bool loop = meet_q == rpc;
        const bool left_there = target_q != meet_q, right_there = fall != meet_q;
        const bool both = left_there && right_there, places = left_there || right_there, leaves = places && !loop;
        if (Bits(left_q | right_q) != Bits(was.warps)) {
          if (outcome.valid != 0) then_look = lowest(outcome.warps);
          reads = true;
          if (heard.valid != 0 && look != 0) {  // R4
            const Bits warps = heard.warps;
            const bool alone = warps == look;
            const Mask take = alone ? Mask(heard.lanes & own) : Mask(heard.lanes);
            const Mask stay = alone ? Mask(own & ~take) : Mask(~take);
            const Bits left = take != 0 ? Bits(left_q) | warps : Bits(left_q);
            const Bits right = stay != 0 ? Bits(right_q) | warps : Bits(right_q);
            const bool parts = take != 0 && stay != 0;
            // R6: masks of the sides; those of a path that is not kept give way.
            const bool replaces = places && loop && (mixed & look) != 0;
            const unsigned from = unsigned(lane_depth_q[warp]) - (replaces ? 1 : 0);
            const unsigned more = (left_there ? 1 : 0) + (right_there ? 1 : 0);
            const bool spoken = (warps & ~(Bits(was.warps) & ~Bits(left_q | right_q))) != 0;
            if (spoken || (!alone && parts)) {
              outcome_illegal = true;  // R14
            } else if ((left != 0 && right != 0 && depth + (leaves ? 1 : 0) + (both ? 1 : 0) > Depth) ||
                       (parts && from + more > LaneDepth)) {
              overflow = true;  // R13
            } else {
              left_q = left;
              right_q = right;
              if (parts && places) {
                writes_first = right_there;
                first_to = from;
                first_lanes = stay;
                writes_last = left_there;
                last_to = from + more - 1;
                last_lanes = take;
                lane_depth_q[warp] = from + more;
              }
            }
          }
        } else {                                         // R5: all have spoken
          if (heard.valid != 0) outcome_illegal = true;  // R14
          const Bits left = left_q, right = right_q, parts = left & right;
          event.branch = 1;
          event.divergent = left != 0 && right != 0;
          event.parted = parts != 0;
          path.open = 0;
          if (right == 0) {
            path.pc = target_q;
          } else if (left == 0) {
            path.pc = fall;
          } else if (!places) {
            path.pc = meet_q;
          } else {
            // R6: who holds a mask with which side. The path's own entry has been left beneath when the branch opened.
            const Bits kept = loop ? mixed & live : 0;
            const Bits left_mixed = left_there ? parts | (kept & left) : 0;
            const Bits right_mixed = right_there ? parts | (kept & right) : 0;
            if (leaves) depth = depth + 1;
            if (both) {
              writes_body = true;
              body_to = depth - 1;
              body.pc = fall;
              body.warps = right;
              body.mixed = right_mixed;
              body.rpc = meet_q;
              depth = depth + 1;
            }
            path.pc = left_there ? target_q : fall;
            path.warps = left_there ? left : right;
            mixed = left_there ? left_mixed : right_mixed;
            rpc = meet_q;
            pop_lanes(kept & ~(left_mixed | right_mixed));
          }
        }
      } else if (leave_q != 0) {  // R9: lanes of one warp exit
        if (look != 0) {
          writes_live = true;
          exited_q = Bits(exited_q) | look;
          if ((alive & ~own) == 0) live &= ~look;
          leave_q = Bits(leave_q) & ~look;
          event.lanes = 1;
        }
        then_look = lowest(leave_q);
        reads = true;
      } else if (check != 0) {  // R11: whether a warp has lanes left here
        if (look != 0) {
          if (own == 0) path.warps = Bits(path.warps) & ~look;
          check &= ~look;
          event.lanes = 1;
        }
        then_look = lowest(check);
        reads = true;
      } else if (depth == 1) {  // R12
        depth = 0;
        live = 0;
      } else {  // R8
        const Entry entry = body_word_q;
        pop_lanes(mixed & live);
        path.pc = entry.pc;
        path.warps = Bits(entry.warps) & live;
        mixed = entry.mixed;
        rpc = entry.rpc;
        depth = depth - 1;
        check = Bits(path.warps) & Bits(exited_q) & parted();
        event.pop = 1;
        pops = true;
      }

      // A path at its RPC or without warps is blank; it waits for its pop.
      if (path.warps == 0 || path.pc == rpc) {
        path.pc = 0;
        path.warps = 0;
        check = 0;
      }
      path.valid = path.warps != 0 && path.open == 0 && check == 0;
      if (path.valid == 0) {
        Group nobody;
        group = nobody;
        rest_q = 0;
        look_last_q = false;
        if (was.valid != 0) then_look = 0;
      }
      look_q = then_look;
      heard_q.valid = outcome.valid;
      if (outcome.valid != 0) {
        heard_q.warps = outcome.warps;
        heard_q.lanes = outcome.lanes;
      }

      // The memories: what the next edge may need is read, then what this one leaves is written.
      if (had > (pops ? 2U : 1U)) body_word_q = body_q[had - (pops ? 3 : 2)];
      if (writes_body) body_q[body_to] = body;
      if (reads && then_look != 0) {
        unsigned at = first_of(then_look);
        const unsigned masks = lane_depth_q[at];
        live_word_q = live_lanes_q[at];
        if (masks != 0 && (masks & 1) != 0) even_word_q = even_q[at][(masks - 1) / 2];
        if (masks != 0 && (masks & 1) == 0) odd_word_q = odd_q[at][(masks - 1) / 2];
      }
      if (writes_live) live_lanes_q[warp] = alive & ~own;
      if (writes_first) write_mask(warp, first_to, first_lanes);
      if (writes_last) write_mask(warp, last_to, last_lanes);
    }

    path_o.write(path);
    rpc_q = rpc;
    mixed_q = mixed;
    live_q = live;
    check_q = check;
    depth_o.write(depth);
    group_o.write(group);
    event_o.write(event);
    // It rests where it is done, where a path runs and its group is named, and where a branch waits for outcomes.
    const bool rests = depth == 0 || group.valid != 0 || (path.open != 0 && Bits(left_q | right_q) != Bits(path.warps));
    const bool heard_now = rst_ni.read() && outcome.valid != 0;
    idle_o.write(rests && !heard_now && event.branch == 0 && event.pop == 0 && event.lanes == 0);
    if (request_illegal) HEDDLE_REPORT(refuse(was.warps, "request that the path does not allow"));
    if (outcome_illegal) HEDDLE_REPORT(refuse(heard.warps, "outcome of a warp that nobody asked"));
    if (next_illegal) HEDDLE_REPORT(refuse(was.warps, "next without a group"));
    if (overflow) HEDDLE_REPORT(refuse_overflow(heard.warps));
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
