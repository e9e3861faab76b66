// SPDX-License-Identifier: Apache-2.0
// What stacks of pairs share, beside what all stacks of paths do (stack_kit.h): an entry is two paths and the RPC of
// both (DPE sec. 3.1). The numbers of rules are those of rtl/dual_path_stack/README.md.
#pragma once

#include "rtl/base/stack_kit.h"

namespace heddle {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
struct PairKit : StackKit<Warps, Lanes, PcBits, Depth> {
  using Kit = StackKit<Warps, Lanes, PcBits, Depth>;
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Pc = typename Flow::Pc;
  using Mask = typename Flow::Mask;
  using Change = typename Kit::Change;
  using Slot = typename Kit::Slot;

  struct Entry {
    sc_uint<PcBits> pc_l;
    sc_uint<Lanes> mask_l;
    sc_uint<PcBits> pc_r;
    sc_uint<Lanes> mask_r;
    sc_uint<PcBits> rpc;
    HEDDLE_RECORD(Entry, pc_l, mask_l, pc_r, mask_r, rpc)
  };

  static Entry top_of(const Path& left, const Path& right, const Pc& rpc) {
    Entry top;
    top.pc_l = left.pc;
    top.mask_l = left.mask;
    top.pc_r = right.pc;
    top.mask_r = right.mask;
    top.rpc = rpc;
    return top;
  }

  /// R6: a path without lanes, or at the RPC by which it is judged, is not there.
  static Entry settled(const Entry& entry, const Pc& rpc_l, const Pc& rpc_r) {
    Entry next;
    next.rpc = entry.rpc;
    if (entry.mask_l != 0 && entry.pc_l != rpc_l) {
      next.pc_l = entry.pc_l;
      next.mask_l = entry.mask_l;
    }
    if (entry.mask_r != 0 && entry.pc_r != rpc_r) {
      next.pc_r = entry.pc_r;
      next.mask_r = entry.mask_r;
    }
    return next;
  }

  /// The entry has one path, on the left.
  static void replace(const Pc& pc, const Mask& mask, const Pc& rpc, Entry& next) {
    next.pc_l = pc;
    next.mask_l = mask;
    next.pc_r = 0;
    next.mask_r = 0;
    next.rpc = rpc;
  }

  // The rules of a control instruction: `next` becomes the TOS, `parent` waits beneath it.
  /// R2
  static void launch(const Resolve& resolve, Entry& next, Change& change) {
    replace(resolve.target, resolve.lanes, resolve.rpc, next);
    Kit::start(resolve, change);
  }

  /// R3, R4; `rpc` is that of the slot's own entry.
  static void branch(const Resolve& resolve, const Slot& slot, const Pc& rpc, Entry& next, Entry& parent,
                     Change& change) {
    const bool right = resolve.right != 0;
    if (slot.rest == 0) {  // R3
      next = Kit::with(next, right, resolve.target, slot.mask);
    } else if (resolve.lanes == 0) {  // R3
      next = Kit::with(next, right, slot.fall, slot.mask);
    } else {  // R4
      const bool loop = resolve.rpc == rpc;
      const bool left_live = resolve.target != resolve.rpc, right_live = slot.fall != resolve.rpc;
      change.places = left_live || right_live;
      change.pushes = change.places && !(loop && slot.beside == 0);
      parent = Kit::with(next, right, loop ? Pc(0) : Pc(resolve.rpc), loop ? Mask(0) : slot.mask);
      if (change.places) {
        next.pc_l = left_live ? Pc(resolve.target) : Pc(0);
        next.mask_l = left_live ? Mask(resolve.lanes) : Mask(0);
        next.pc_r = right_live ? slot.fall : Pc(0);
        next.mask_r = right_live ? slot.rest : Mask(0);
        next.rpc = resolve.rpc;
      } else {
        next = parent;
      }
    }
  }

  /// R5
  static void exit(const Resolve& resolve, const Slot& slot, Entry& next, Change& change) {
    next = Kit::with(next, resolve.right != 0, slot.fall, slot.rest);
    Kit::leave(resolve, change);
  }

  /// R11
  static void call(const Resolve& resolve, const Slot& slot, Entry& next, Entry& parent, Change& change) {
    change.places = true;
    change.pushes = true;
    parent = Kit::with(next, resolve.right != 0, slot.fall, slot.mask);
    replace(resolve.target, slot.mask, Flow::NoPc, next);
  }

  /// R10, R12; `rpc` is that of the slot's own entry.
  static bool is_illegal(const Resolve& resolve, const Slot& slot, const Pc& rpc, const Change& change) {
    bool illegal = !slot.there;
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

  static void apply(const Resolve& resolve, const Slot& slot, const Pc& rpc, Entry& next, Entry& parent,
                    Change& change) {
    switch (unsigned(resolve.op)) {
      case unsigned(ResolveOp::Launch):
        launch(resolve, next, change);
        break;
      case unsigned(ResolveOp::Branch):
        branch(resolve, slot, rpc, next, parent, change);
        break;
      case unsigned(ResolveOp::Exit):
        exit(resolve, slot, next, change);
        break;
      default:
        call(resolve, slot, next, parent, change);
        break;
    }
  }
};

}  // namespace heddle
