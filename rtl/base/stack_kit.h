// SPDX-License-Identifier: Apache-2.0
// What the stacks of paths share: the requests of one edge, the rules that all of them have, and the turns of pops.
//
// A stack's process makes an `Edge`, lets each of its rules add to it, and shows it: advance (R1), resolve (R2..R6 and what
// is the stack's own), pop and read ahead (R7), show. The numbers of rules are those of the blocks' READMEs; warp subdivision
// has its own. Flags of warps are a bit a warp.
#pragma once

#include <string>

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/refusal.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
struct StackKit {
  static_assert(Depth >= 2, "the TOS and at least one entry beneath it");

  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Pc = typename Flow::Pc;
  using Mask = typename Flow::Mask;
  using Bits = sc_dt::uint64;

  /// What an edge has found and done so far.
  struct Edge {
    Bits valid_left, valid_right;                         // slots with lanes
    Bits redirected_left, redirected_right, lanes_moved;  // as in Status
    Bits pop;                                             // warps that wait for a pop
    bool issued, popped;                  // the granted slot issues; the warp of this turn has an entry less
    bool takes;                           // in the next cycle `turn` takes its turn
    unsigned turn;                        // whose turn it is then, or was last
    bool grant_illegal, resolve_illegal;  // R10
    bool overflow;                        // R9
  };

  /// The warp of a resolve: what the request does to it.
  struct Change {
    unsigned depth;
    Mask live;
    bool places;  // lanes go to new slots
    bool pushes;  // an entry stays beneath
  };

  /// The path that a resolve names. R10: `there` says that it has the lanes named and does not issue in this edge.
  struct Slot {
    Pc pc, fall;
    Mask mask, rest;  // rest: without the lanes named
    Mask beside;      // lanes of the warp's other slot
    bool there;
  };

  static Bits bit_of(unsigned warp) { return warp < Warps ? Bits(1) << warp : 0; }

  static void begin(const Status& was, Bits pop, unsigned turn, Edge& edge) {
    edge.valid_left = was.valid_left;
    edge.valid_right = was.valid_right;
    edge.redirected_left = 0;
    edge.redirected_right = 0;
    edge.lanes_moved = 0;
    edge.pop = pop;
    edge.issued = false;
    edge.popped = false;
    edge.takes = false;
    edge.turn = turn;
    edge.grant_illegal = false;
    edge.resolve_illegal = false;
    edge.overflow = false;
  }

  static void reset(Edge& edge) {
    edge.valid_left = 0;
    edge.valid_right = 0;
    edge.pop = 0;
    edge.turn = 0;
  }

  /// R1, R10: whether the granted slot issues.
  static void issue(const Grant& grant, Edge& edge) {
    const Bits valid = grant.right != 0 ? edge.valid_right : edge.valid_left;
    edge.issued = grant.valid != 0 && (valid & bit_of(grant.warp)) != 0;
    edge.grant_illegal = grant.valid != 0 && !edge.issued;
  }

  /// R1: whether the granted slot advances, which a control instruction does not.
  static bool advances(const Grant& grant, const Slots& held, const Edge& edge) {
    const Bits stays = grant.right != 0 ? held.right : held.left;
    return edge.issued && (stays & bit_of(grant.warp)) == 0;
  }

  static void clear(Change& change) {
    change.depth = 0;
    change.live = 0;
    change.places = false;
    change.pushes = false;
  }

  /// The slot of a path; `issues` says that it is the granted one.
  static void name_slot(const Path& path, const Resolve& resolve, bool issues, Slot& slot) {
    slot.pc = path.pc;
    slot.mask = path.mask;
    slot.fall = path.pc + 1;
    slot.rest = path.mask & ~resolve.lanes;
    slot.beside = 0;
    slot.there = path.mask != 0 && (resolve.lanes & ~path.mask) == 0 && !issues;
  }

  /// R12: whether a branch takes lanes to NoPc in an entry, with this RPC, that no call pushed.
  static bool goes_nowhere(const Resolve& resolve, const Slot& slot, const Pc& rpc) {
    return resolve.target == Flow::NoPc && resolve.lanes != 0 &&
           (rpc != Flow::NoPc || (slot.rest != 0 && resolve.rpc != Flow::NoPc));
  }

  /// R2: whether a warp may start.
  static bool launches(const Resolve& resolve, const Change& change) {
    return resolve.warp < Warps && change.depth == 0 && resolve.lanes != 0;
  }

  /// R2: its lanes, in one entry.
  static void start(const Resolve& resolve, Change& change) {
    change.depth = 1;
    change.live = resolve.lanes;
  }

  /// R5, R8: lanes leave; where none is left, no entry is.
  static void leave(const Resolve& resolve, Change& change) {
    change.live = change.live & ~resolve.lanes;
    if (change.live == 0) change.depth = 0;
  }

  // ---- entries of two paths: pc_l, mask_l, pc_r, mask_r ----
  template <class Entry>
  static Path path_of(const Entry& entry, bool right) {
    Path path;
    path.pc = right ? entry.pc_r : entry.pc_l;
    path.mask = right ? entry.mask_r : entry.mask_l;
    return path;
  }

  /// The entry with one of its paths replaced.
  template <class Entry>
  static Entry with(const Entry& entry, bool right, const Pc& pc, const Mask& mask) {
    Entry next = entry;
    if (right) {
      next.pc_r = pc;
      next.mask_r = mask;
    } else {
      next.pc_l = pc;
      next.mask_l = mask;
    }
    return next;
  }

  /// The slot of an entry that a resolve names.
  template <class Entry>
  static void name_slot_of(const Entry& top, const Resolve& resolve, bool issues, Slot& slot) {
    const bool right = resolve.right != 0;
    Path path = path_of(top, right);
    name_slot(path, resolve, issues, slot);
    slot.beside = right ? top.mask_l : top.mask_r;
  }

  /// The slots of a warp whose entry was resolved: of a slot alone, or of both where lanes go to new ones.
  template <class Entry>
  static void show_resolved(const Resolve& resolve, const Entry& next, bool places, Edge& edge) {
    Bits bit = bit_of(resolve.warp);
    const bool restarts = places || resolve.op == unsigned(ResolveOp::Launch);
    show_left(bit, next.mask_l, restarts || resolve.right == 0, edge);
    show_right(bit, next.mask_r, restarts || resolve.right != 0, edge);
    if (places) edge.lanes_moved |= bit;
  }

  // ---- what an edge shows ----
  /// A left slot after a resolve or a pop; `redirected` as in Status, where it has lanes.
  static void show_left(Bits bit, const Mask& lanes, bool redirected, Edge& edge) {
    edge.valid_left = lanes != 0 ? edge.valid_left | bit : edge.valid_left & ~bit;
    if (lanes != 0 && redirected) edge.redirected_left |= bit;
  }
  static void show_right(Bits bit, const Mask& lanes, bool redirected, Edge& edge) {
    edge.valid_right = lanes != 0 ? edge.valid_right | bit : edge.valid_right & ~bit;
    if (lanes != 0 && redirected) edge.redirected_right |= bit;
  }

  /// R7: whether the warp, whose TOS has these lanes, waits for a pop.
  static void wait_for_pop(Bits bit, const Mask& lanes, unsigned depth, Edge& edge) {
    edge.pop = lanes == 0 && depth > 1 ? edge.pop | bit : edge.pop & ~bit;
  }

  /// R7: the warp of the next turn, the first after this turn's that is `ready`.
  static void next_turn(Bits ready, Edge& edge) {
    edge.takes = ready != 0;
    if (edge.takes) edge.turn = first_from(ready, edge.turn == Warps - 1 ? 0 : edge.turn + 1);
  }

  /// R7: the level of the entry beneath the TOS of that warp, which has `depth` entries but for one that `last`, the warp of
  /// this turn, may have popped.
  static unsigned level_to_read(unsigned depth, unsigned last, const Edge& edge) {
    const unsigned popped = edge.popped && edge.turn == last ? 1 : 0;
    return depth - popped - 2;
  }

  static void show(const Edge& edge, Status& status) {
    status.valid_left = edge.valid_left;
    status.valid_right = edge.valid_right;
    status.redirected_left = edge.redirected_left;
    status.redirected_right = edge.redirected_right;
    status.lanes_moved = edge.lanes_moved;
  }
  static bool is_idle(const Edge& edge) {
    return (edge.redirected_left | edge.redirected_right | edge.lanes_moved | edge.pop) == 0;
  }

  HEDDLE_REPORT(
      /// What the edge refused, as errors BLOCK/illegal and BLOCK/overflow of the instance `name`.
      static void report(const char* block, const char* name, const Grant& grant, const Resolve& resolve,
                         const Edge& edge) {
        const auto error = [block, name](const char* what, unsigned warp, const std::string& why) {
          SC_REPORT_ERROR((block + std::string(what)).c_str(), refusal(name, warp, why).c_str());
        };
        if (edge.grant_illegal) error("/illegal", grant.warp, "grant of a slot that is not valid");
        if (edge.resolve_illegal) error("/illegal", resolve.warp, illegal_resolve(resolve.op));
        if (edge.overflow) error("/overflow", resolve.warp, "push beyond " + std::to_string(Depth) + " entries");
      })
};

}  // namespace heddle
