// A library with the blocks of decoupled affine computation at one design point (scripts/slice_point), which
// make_affine_blocks() loads.
#include "sim/sm/affine_blocks_of.h"
#include "slice_point.h"

extern "C" heddle::AffineBlocksFactory heddle_affine_blocks;
heddle::AffineBlocks* heddle_affine_blocks(const char* name, const heddle::Mechanism&,
                                           const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  using Point = heddle::slice_point;
  return new heddle::affine_at_point<Point, heddle::affine_expansion_of<Point>>(name, clk, rst_n);
}
