// SPDX-License-Identifier: Apache-2.0
// Which values an affine warp can compute for all threads of a batch of CTAs at once, as tuples (DAC sec. 3, 4), and why
// it cannot compute the others.
//
// A tuple is a base and what a step of each of threadIdx.x, y, z and blockIdx.x, y, z adds (y, z and blockIdx ours; DAC has
// an offset a thread and one a block). Tuples have 32 bits, in which sums, products and shifts to the left are exact,
// and so are extensions; so of a 64-bit value a tuple has the low word. An address needs no more: it is a pointer that is
// a parameter, plus such a value, and all allocations lie in one window of 4 GiB (DESIGN 6.7). Anything else that looks at
// 64 bits, such as a comparison, has none.
//
// Scalar: the same for the whole batch. Block: the same for each CTA. Thread: affine. Comparison: a predicate that the
// predicate expansion unit makes, of something that is the same for each CTA and something affine (DAC sec. 4.3).
// Other: no tuple. The affine warp has no memory (DAC sec. 4): what is loaded is other, but for parameters.
//
// Tuples have no lane mask, so one of them stands for all threads. By control: what is written under a guard that
// is not the same for the batch is other; and where threads meet that came different ways from such a branch, what was
// written on those ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

enum class AffineKind : std::uint8_t { None, Scalar, Block, Thread, Comparison, Other };

/// Why a value is no tuple.
enum class NoTuple : std::uint8_t {
  None,
  Loaded,      // from memory
  Atomic,      // what an atomic gave
  WarpWide,    // from other lanes
  Clock,       // or another register that no tuple says: a lane's number, a mask
  Operation,   // no operation on tuples
  Product,     // of two values that both differ between threads
  SixtyFour,   // it takes the high word
  Sixteen,     // it wraps at 16 bits
  TwoThreads,  // a comparison of two values that both differ within a CTA
  Predicate,   // computed from a predicate that differs between threads
  Source,      // computed from something that is no tuple
  Guard,       // written under a guard that differs between threads
  Branch,      // threads come different ways from a branch that differs between them
  OutOfTurn,   // threads meet at a prediction, in different turns
};

/// What pointers that are parameters are multiples of, for what is said of the alignment of addresses: a launch of which
/// that is not true has no tuples (isa::LaunchCondition).
constexpr unsigned MostAlignedBits = 2, MostAligned = 1U << MostAlignedBits;

struct AffineValue {
  AffineKind kind = AffineKind::None;
  bool is_address = false;  // a parameter of 64 bits, plus a tuple
  NoTuple why = NoTuple::None;
  isa::Pc by = isa::NoPc;  // that branch
  unsigned zeros = 0;      // so many low bits are zeros, if pointers that are parameters are multiples of MostAligned

  bool operator==(const AffineValue& other) const {
    return kind == other.kind && is_address == other.is_address && zeros == other.zeros;
  }
  bool operator!=(const AffineValue& other) const { return !(*this == other); }
};

/// "scalar", "block", "affine", "comparison", "other".
std::string to_string(AffineKind kind);

/// Why it is other; with the line of the branch.
std::string reason_of(const AffineValue& value, const VirtualCode& code);

/// For every instruction, by PC.
struct AffineValues {
  std::vector<AffineValue> results;    // what it writes; None if nothing
  std::vector<AffineValue> addresses;  // of a load, store or atomic; None of others
  std::vector<AffineValue> guards;     // of a guarded one; None of others
};

AffineValues analyse_affine(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

}  // namespace heddle::compiler
