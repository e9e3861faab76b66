// What kernel and driver of `laplace` agree on.
#pragma once

namespace heddle::kernels::laplace {

constexpr unsigned LaplaceWidth = 32, LaplaceHeight = 4;  // threads a block: points of a plane

}  // namespace heddle::kernels::laplace
// SPDX-License-Identifier: Apache-2.0
