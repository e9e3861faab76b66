#pragma once

namespace heddle::kernels::convolution {

constexpr unsigned Radius = 8, Taps = 2 * Radius + 1;
// A block of the row pass makes one row of RowTile pixels, of the column pass a tile of ColumnTile x ColumnTile.
constexpr unsigned RowTile = 128, ColumnTile = 32, ColumnThreads = 8;

}  // namespace heddle::kernels::convolution
// SPDX-License-Identifier: Apache-2.0
