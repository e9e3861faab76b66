#pragma once

namespace heddle::kernels::bitonic_sort {

// That a block sorts, one a thread; powers of two. The fewer where a machine has no room for more threads (DWF: 256).
constexpr unsigned BitonicKeys = 512, FewerBitonicKeys = 256;

}  // namespace heddle::kernels::bitonic_sort
// SPDX-License-Identifier: Apache-2.0
