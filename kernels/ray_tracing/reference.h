// The picture of `ray_tracing` on the CPU.
#pragma once

#include <vector>

#include "kernels/ray_tracing/ray_tracing.h"

namespace heddle::kernels::ray_tracing {

/// One word a pixel, row by row: red in the low byte, then green and blue. Same operations in the same order as the
/// kernel's, so the same bits.
std::vector<unsigned> traced_image(const std::vector<Sphere>& spheres, unsigned width, unsigned height);

}  // namespace heddle::kernels::ray_tracing
// SPDX-License-Identifier: Apache-2.0
