// SPDX-License-Identifier: Apache-2.0
// A loop over what a mask names: HEDDLE_EACH_SET(w, Warps, mask) { ... } runs its body for each bit w < Warps that is set
// in `mask`, the lowest first. The body must not change `mask`.
//
// A synthesis tool sees a loop of fixed length with a test, one copy of the body a bit. A simulation, where few bits are
// set as a rule, visits these alone: to look at all costs as much as the rest of a small block.
#pragma once

#include <cstdint>

#ifdef __SC_TOOL__
#define HEDDLE_EACH_SET(i, count, mask)  \
  for (unsigned i = 0; i < (count); ++i) \
    if ((std::uint64_t(mask) >> i & 1) != 0)
#else
#define HEDDLE_EACH_SET(i, count, mask)                                                      \
  for (std::uint64_t rest_of_##i = (mask); rest_of_##i != 0; rest_of_##i &= rest_of_##i - 1) \
    if (const unsigned i = static_cast<unsigned>(__builtin_ctzll(rest_of_##i)); i < (count))
#endif
