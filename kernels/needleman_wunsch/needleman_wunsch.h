// What kernel and driver of `needleman_wunsch` agree on.
#pragma once

namespace heddle::kernels::needleman_wunsch {

constexpr int AlignmentTile = 32;      // a block of so many threads scores a tile of as many rows and columns
constexpr int AlignmentResidues = 24;  // letters of the alphabet

}  // namespace heddle::kernels::needleman_wunsch
// SPDX-License-Identifier: Apache-2.0
