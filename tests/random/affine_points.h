// SPDX-License-Identifier: Apache-2.0
// Sizes of the blocks of decoupled affine computation at which nothing may be lost and nothing may wait for ever: queues of
// one, locks of one, an L1 of a few lines.
#pragma once

#include <vector>

#include "rtl/config/design_points.h"

namespace heddle::tests {

/// tiny and isca17 with such sizes. Their blocks are built by scripts/slice_point at the first call, once.
/// \throws std::runtime_error if they cannot be
const std::vector<const DesignPoint*>& affine_points();

}  // namespace heddle::tests
