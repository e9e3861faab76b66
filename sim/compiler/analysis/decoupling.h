// SPDX-License-Identifier: Apache-2.0
// Which instructions of a kernel an affine warp does for all warps of a batch (DAC sec. 4.1), and why not the others:
// loads (enq.data), addresses of stores (enq.addr), predicates of branches (enq.pred), and what these are computed from.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/analysis/affine.h"

namespace heddle::compiler {

enum class Decoupled : std::uint8_t { No, Tuple, Data, Address, Predicate };

struct Decoupling {
  Decoupled how = Decoupled::No;       // Tuple: computed by the affine warp alone
  AffineKind kind = AffineKind::None;  // of what it writes; of a load or store, its address; of a branch, its guard
  std::string why;                     // not
};

struct KernelDecoupling {
  std::vector<Decoupling> instructions;  // by PC
  std::vector<bool> kept;                // by PC: the affine stream has it, or what stands for it
  std::string why_not;                   // the kernel stays as it is; empty: it is split
};

/// Decides the decoupling of an entry whose registers are virtual, without marks.
///
/// A load stays in the warps if it is of another space than global memory, of eight bytes, volatile or of constants, where
/// its address is no pointer that is a parameter plus a tuple, or may be no multiple of its bytes, under a guard, behind a
/// fence, or where an atomic of the kernel may write what it reads; a store for the same reasons, but it may be behind a
/// fence and beside atomics. A kernel stays as it is where a loop may wait for another thread (an exit that depends on an
/// atomic or a volatile load), where one of its barriers is not for all threads of the block, where it calls functions,
/// where nothing is decoupled, or where the affine stream cannot be made (affine_slice.h).
/// \param told  the affine stream may have branches that the warps decide, for which the affine warp waits (DAC sec. 4.4);
///   else an access stays in the warps that needs one, and a kernel of which a barrier or an exit does stays as it is
KernelDecoupling decide_decoupling(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                   bool told = true);

}  // namespace heddle::compiler
