// What kernel and driver of `lu_decomposition` agree on.
#pragma once

namespace heddle::kernels::lu_decomposition {

constexpr unsigned LuTile = 16;  // rows and columns of a tile

}  // namespace heddle::kernels::lu_decomposition
// SPDX-License-Identifier: Apache-2.0
