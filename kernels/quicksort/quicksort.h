// What kernel and driver of `quicksort` agree on.
#pragma once

namespace heddle::kernels::quicksort {

constexpr unsigned QuicksortThreads = 64;  // a block; also the most keys that it sorts without partitioning
constexpr unsigned QuicksortStack = 16;    // segments that wait: fewer than log2(keys of a block)

}  // namespace heddle::kernels::quicksort
// SPDX-License-Identifier: Apache-2.0
