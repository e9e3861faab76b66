#pragma once

namespace heddle::kernels::matrix_multiply {

constexpr unsigned TileWidth = 16;  // the size of a matrix is a multiple of it

}  // namespace heddle::kernels::matrix_multiply
// SPDX-License-Identifier: Apache-2.0
