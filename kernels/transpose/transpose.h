#pragma once

namespace heddle::kernels::transpose {

constexpr unsigned TileWidth = 32;  // width and height of the matrix are multiples of it
constexpr unsigned RowsPerTurn = 8;

}  // namespace heddle::kernels::transpose
// SPDX-License-Identifier: Apache-2.0
