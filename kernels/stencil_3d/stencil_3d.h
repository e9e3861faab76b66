// What kernel and driver of `stencil_3d` agree on.
#pragma once

namespace heddle::kernels::stencil_3d {

constexpr unsigned StencilWidth = 16, StencilHeight = 8;  // threads a block: points of a plane

}  // namespace heddle::kernels::stencil_3d
// SPDX-License-Identifier: Apache-2.0
