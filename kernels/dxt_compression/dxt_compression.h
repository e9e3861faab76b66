// What kernel and driver of `dxt_compression` agree on.
#pragma once

namespace heddle::kernels::dxt_compression {

constexpr unsigned DxtPixels = 16;     // of a block of the image, 4 x 4
constexpr unsigned DxtThreads = 64;    // that share its partitions
constexpr int DxtPowerIterations = 8;  // towards the axis of greatest variance

}  // namespace heddle::kernels::dxt_compression
// SPDX-License-Identifier: Apache-2.0
