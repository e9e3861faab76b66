// SPDX-License-Identifier: Apache-2.0
// Random programs for decoupled affine computation, as PTX text: made to show what a compiler that splits kernels in two
// streams, or a machine that runs both, gets wrong. A seed says everything.
//
// Shapes: blocks and grids of one to three dimensions, warps that span rows, partial last warps, more CTAs than fit.
// Addresses: a pointer that is a parameter, plus threadIdx, blockIdx, counters of loops and other tuples times 1 to 4096,
// upwards and from the end of an array downwards, all threads at one word; bytes, halves, words; pointers that move in
// loops or come from both arms of a branch; and some that no tuple says.
// Control flow: branches and loops by constants, parameters, blockIdx, threadIdx (also where a product wraps) and by what
// was loaded, with accesses on both sides; breaks, continues, exits; whole warps and single threads that store and leave at
// every depth, by sides that stand there or behind all other code; barriers where all threads of the block that are left
// come, in loops and branches too.
// No data races: a thread writes its own elements alone; some are open to the block between one barrier and the next,
// when nobody writes them; atomics add, and are read behind a barrier.
#pragma once

#include "tests/random/program.h"

namespace heddle::tests {

/// Words of the table, so many that a stride of 4096 bytes takes a warp and more. Of the other arrays those of RandomProgramWords.
struct RandomAffineWords {
  static constexpr unsigned Table = 65536;
};

/// At tiny, and for every second seed at isca17.
RandomProgram random_affine_program(std::uint64_t seed);

}  // namespace heddle::tests
