// SPDX-License-Identifier: Apache-2.0
// Which values and branches are the same for all lanes of a warp: uniform, affine in the thread index, or varying.
//
// A value is uniform if the active lanes of a warp that execute its instruction together all compute the same. It is
// known before the program runs, so it is a promise: a branch that is called uniform never diverges.
//
// Uniform: parameters, immediates, block index and sizes of block and grid, and what is computed from uniform values
// alone. A load is uniform if its address is and all lanes that execute it together are served by one access: not a
// volatile one, and not of local memory, which is another for each thread and which a generic address may name.
// Results of atomics and clocks vary; reductions over a block are uniform, and so is what a warp-wide operation gives
// to all lanes with one mask, if the mask is. Affine (DAC sec. 2): a uniform value plus constants or uniform factors
// times tid.x, tid.y and tid.z, kept by moves, additions, and multiplication and shifts by uniform values. As in DAC,
// an extension from 32 to 64 bits is taken for affine, though the narrow sum could wrap; nothing that must be safe
// depends on it. Varying: all else, and by control: a value written under a varying guard; and, where lanes meet that
// took different ways from a varying branch, every register written on those ways. The ways through a loop count, so a
// register that a loop writes varies where lanes meet that left it in different iterations; and at the point of a
// prediction, where lanes meet in different iterations (out_of_turn.h).
//
// A function is analysed once, for all its calls together.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

struct LaneValue {
  enum class Kind : std::uint8_t { Unknown, Uniform, Affine, Varying };  // Unknown: no path comes here
  Kind kind = Kind::Unknown;
  bool constant_strides = false;             // of an affine value; if not, they are uniform
  std::array<std::int64_t, 3> strides = {};  // change a step of tid.x, tid.y, tid.z

  bool is_uniform() const { return kind == Kind::Unknown || kind == Kind::Uniform; }
  bool operator==(const LaneValue& other) const {
    return kind == other.kind && constant_strides == other.constant_strides && strides == other.strides;
  }
  bool operator!=(const LaneValue& other) const { return !(*this == other); }
};

/// "uniform", "affine 4x+128y", "affine" with factors that are not constant, "varying".
std::string to_string(const LaneValue& value);

/// For every instruction, by PC.
struct Divergence {
  std::vector<LaneValue> results;      // what it writes; Unknown if nothing
  std::vector<LaneValue> addresses;    // of a load, store or atomic; Unknown of others
  std::vector<bool> divergent_guards;  // lanes may differ in whether they take the branch, exit, or execute it; of a
                                       // peel, in where they go

  /// Whether lanes may go both ways at a jump or peel.
  bool is_divergent(isa::Pc pc) const { return divergent_guards[pc]; }
};

/// The threads that are compared: those of a warp, or those of a block, each of which runs at its own pace. What those
/// of a block load from one address is the same for all if no thread writes there meanwhile: no race.
enum class Together : std::uint8_t { Warp, Block };

Divergence analyse_divergence(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                              Together together = Together::Warp);

}  // namespace heddle::compiler
