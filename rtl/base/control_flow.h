// SPDX-License-Identifier: Apache-2.0
// Control flow units: the records of their ports, the same for every mechanism (DESIGN sec. 2.3).
//
// A control flow unit holds, for each warp of one issue scheduler, which lanes run and where. It shows up to two paths
// a warp, left and right: a path slot is (warp, side). A mechanism with one path leaves the right one blank, so the SM
// does not know which mechanism is behind.
//
//   grant_i    Grant     the scheduler issued the head of this slot: its PC advances by one, unless held_i says that
//                        the head is a control instruction (it stays until resolve_i)
//   held_i     Slots     slots whose head is a branch or an exit
//   resolve_i  Resolve   what an executed control instruction does to its slot, or a warp that starts
//   left_o[w], right_o[w]  Path   PC and active mask of the two slots at the top of warp w; blank: not there
//   depth_o[w]           entries in use
//   status_o   Status    one bit a slot or warp, about the state after the last edge:
//                        valid        the slot has lanes and may issue
//                        redirected   in the last edge the slot got a PC that is not its old one plus one (what was
//                                     fetched for it is stale)
//                        lanes_moved  in the last edge lanes of the warp changed side (the shadow scoreboard copies,
//                                     DESIGN sec. 6.3); every slot of that warp is then redirected, or not valid, or
//                                     its lanes are the same on the same side as before (path forwarding)
//
// The order within one edge: the advance of grant_i, then resolve_i; a pop the warp waits for goes when neither
// touches that warp. PC counts instructions; NoPc is the RPC of paths that meet only at the virtual exit, and of the
// entries that calls push. Nobody runs at NoPc: a Branch to it is the return of a function that was called by Call.
//
// Units without call entries refuse Call by name: where each thread keeps its return address, as under convergence
// barriers, a call and a return are branches. All but the dual-path stack for memory divergence refuse MemorySplit,
// all but the software-managed stack Push and Pop.
#pragma once

#include "rtl/base/bits.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_dt::sc_uint;

enum class ResolveOp : unsigned {
  None = 0,
  Launch = 1,  ///< the warp starts: left = {lanes, target}, RPC = rpc
  Branch = 2,  ///< `lanes` of the slot go to target, its others to the next PC; they meet at rpc (software-managed
               ///< stack: where they go on if an entry has to be pushed for them)
  Exit = 3,    ///< `lanes` of the slot are done, its others go to the next PC
  Call = 4,  ///< `lanes`, all of the slot, go to target in an entry of their own with RPC NoPc, beneath which the slot
             ///< waits at the next PC; rpc is not read
  /// The lanes of both slots, of which one is blank or which a memory split made and which stand at one PC, are split
  /// anew: `lanes` to the slot, the others to the other one; target and rpc are not read.
  MemorySplit = 5,
  Push = 6,  ///< `lanes`, all of the slot, go to target in an entry of their own, beneath which the slot waits at rpc
  Pop = 7,   ///< `lanes`, all of the slot, are done in its entry; target and rpc are not read
};

/// Which of the two paths of a warp.
enum class Side : unsigned { Left = 0, Right = 1 };

template <unsigned Warps, unsigned Lanes, unsigned PcBits>
struct ControlFlow {
  static_assert(Warps >= 1 && Warps <= 64 && Lanes >= 1 && Lanes <= 64 && PcBits >= 2 && PcBits <= 64);
  static constexpr unsigned WarpBits = index_bits(Warps);

  using Pc = sc_uint<PcBits>;
  using Mask = sc_uint<Lanes>;
  static constexpr sc_dt::uint64 NoPc = ~sc_dt::uint64(0) >> (64 - PcBits);

  struct Grant {
    sc_uint<1> valid;
    sc_uint<WarpBits> warp;
    sc_uint<1> right;  // Side
    HEDDLE_RECORD(Grant, valid, warp, right)
  };

  /// One bit a warp and side.
  struct Slots {
    sc_uint<Warps> left;
    sc_uint<Warps> right;
    HEDDLE_RECORD(Slots, left, right)
  };

  struct Resolve {
    sc_uint<3> op;  // ResolveOp
    sc_uint<WarpBits> warp;
    sc_uint<1> right;  // Side
    sc_uint<Lanes> lanes;
    sc_uint<PcBits> target;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Resolve, op, warp, right, lanes, target, rpc)
  };

  struct Path {
    sc_uint<PcBits> pc;
    sc_uint<Lanes> mask;
    HEDDLE_RECORD(Path, pc, mask)
  };

  struct Status {
    sc_uint<Warps> valid_left;
    sc_uint<Warps> valid_right;
    sc_uint<Warps> redirected_left;
    sc_uint<Warps> redirected_right;
    sc_uint<Warps> lanes_moved;
    HEDDLE_RECORD(Status, valid_left, valid_right, redirected_left, redirected_right, lanes_moved)
  };
};

}  // namespace heddle
