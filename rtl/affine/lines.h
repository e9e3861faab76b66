// SPDX-License-Identifier: Apache-2.0
// Decoupled affine computation, the way to L1: which cache line an address record is in, and the link that unlocks one
// (DAC sec. 4.2). For warp_queues and line_locks.
#pragma once

#include "rtl/affine/affine.h"

namespace heddle {

template <class A, unsigned Bytes>
struct Lines {
  static constexpr unsigned LineBytes = Bytes;
  static_assert((LineBytes & (LineBytes - 1)) == 0 && LineBytes >= 4 * A::Lanes,
                "a line is a power of two and holds the region of any address record");
  static constexpr unsigned ByteBits = index_bits(LineBytes), LineBits = A::WordBits - ByteBits;
  static_assert(A::WordBits > ByteBits);

  using Line = sc_uint<LineBits>;

  /// The line of a region, which is aligned and no longer than a line.
  static Line line_of(const sc_uint<A::RegionBits>& region) { return Line(region >> (ByteBits - A::LaneBits)); }

  /// A data record has left its queue: one lock of its line is released.
  struct Unlock {
    sc_uint<1> valid;
    sc_uint<LineBits> line;
    HEDDLE_RECORD(Unlock, valid, line)
  };
};

}  // namespace heddle
