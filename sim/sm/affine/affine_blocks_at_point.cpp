// SPDX-License-Identifier: Apache-2.0
// A library with the blocks of decoupled affine computation at one design point (scripts/slice_point), which
// make_affine_blocks() loads.
#include "sim/sm/affine/affine_blocks_of.h"
#include "slice_point.h"

extern "C" heddle::AffineBlocksFactory heddle_affine_blocks;
heddle::AffineBlocks* heddle_affine_blocks(const char* name, const heddle::Twins& twins,
                                           const sc_core::sc_signal<bool>& rst_n) {
  return heddle::affine_blocks_of<heddle::slice_point, heddle::slice_has_twins>(name, twins, rst_n);
}
