// SPDX-License-Identifier: Apache-2.0
// Decoupled affine computation: the records on the links between its blocks, and the walk over a CTA's threads that the
// two expansion units share (DAC sec. 3 and 4; DESIGN 6.7).
//
// A tuple stands for one value a thread:
//   base + offset_x tx + offset_y ty + offset_z tz + block_x bx + block_y by + block_z bz   modulo 2^WordBits
// with threadIdx (tx, ty, tz) and blockIdx (bx, by, bz). The paper has base, one thread offset and one block offset;
// the y and z terms are ours. Threads of a CTA are numbered x first, then y, then z, and fill the lanes of its warps in
// that order; only the last warp of a CTA may be partial.
#pragma once

#include <systemc>

#include "rtl/base/bits.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_dt::sc_uint;

/// What an entry of the affine tuple queue is for (DAC sec. 4.1).
enum class TupleKind : unsigned {
  None = 0,
  Data = 1,       ///< enq.data: addresses of a load, requested from L1 at once
  Address = 2,    ///< enq.addr: addresses of another access
  Predicate = 3,  ///< enq.pred: tuple `compare` scalar, one bit a thread
  Barrier = 4,    ///< expansion for a CTA stops here until it has passed the barrier
};

/// How a tuple is compared with its scalar operand, as in PTX; lo to hs are unsigned.
enum class Compare : unsigned { Eq = 0, Ne = 1, Lt = 2, Le = 3, Gt = 4, Ge = 5, Lo = 6, Ls = 7, Hi = 8, Hs = 9 };

/// What each thread accesses: 1 << size bytes (the granularity of DAC sec. 4.2).
enum class AccessSize : unsigned { Byte = 0, Half = 1, Word = 2 };

/// How the lanes of an address record stand to the set bits of its mask, lowest lane first.
enum class LaneOrder : unsigned {
  Up = 0,    ///< the first lane has the lowest bit
  Down = 1,  ///< the first lane has the highest bit
  Same = 2,  ///< all lanes have the only bit
};

enum class BatchOp : unsigned {
  None = 0,
  Open = 1,  ///< a new batch, of launches of this shape, with this CTA in it
  Join = 2,  ///< this CTA is in the batch too
};

template <unsigned WarpCount, unsigned LaneCount, unsigned CtaCount, unsigned WordWidth>
struct Affine {
  static constexpr unsigned Warps = WarpCount, Lanes = LaneCount, Ctas = CtaCount, WordBits = WordWidth;
  static_assert(Warps >= 1 && Warps <= 64 && Ctas >= 1 && Ctas <= 64 && WordBits <= 64);
  static_assert(Lanes >= 2 && Lanes <= 64 && (Lanes & (Lanes - 1)) == 0, "regions are powers of two");
  static constexpr unsigned WarpBits = index_bits(Warps), LaneBits = index_bits(Lanes), CtaBits = index_bits(Ctas),
                            ThreadBits = count_bits(Warps * Lanes), RegionBits = WordBits - LaneBits;
  static_assert(WordBits >= LaneBits + 3);

  using Word = sc_uint<WordBits>;
  using Mask = sc_uint<Lanes>;
  using WarpMask = sc_uint<Warps>;
  using CtaMask = sc_uint<Ctas>;

  /// A tuple on its way to the threads. It is for the lanes `lanes` of every warp in `warps`; a warp whose lanes have
  /// parted gets an entry of its own, so one mask of lanes is enough (ours).
  struct Enqueue {
    sc_uint<3> kind;     // TupleKind
    sc_uint<2> size;     // AccessSize; addresses are multiples of it
    sc_uint<4> compare;  // Compare
    sc_uint<WordBits> base;
    sc_uint<WordBits> offset_x;
    sc_uint<WordBits> offset_y;
    sc_uint<WordBits> offset_z;
    sc_uint<WordBits> block_x;
    sc_uint<WordBits> block_y;
    sc_uint<WordBits> block_z;
    sc_uint<WordBits> scalar;  // of a predicate: the other operand, the same for all threads of a CTA
    sc_uint<WordBits> scalar_block_x;
    sc_uint<WordBits> scalar_block_y;
    sc_uint<WordBits> scalar_block_z;
    sc_uint<Warps> warps;
    sc_uint<Lanes> lanes;
    HEDDLE_RECORD(Enqueue, kind, size, compare, base, offset_x, offset_y, offset_z, block_x, block_y, block_z, scalar,
                  scalar_block_x, scalar_block_y, scalar_block_z, warps, lanes)
  };

  /// A CTA that is resident: its warps are consecutive warp slots.
  struct Cta {
    sc_uint<WarpBits> first_warp;
    sc_uint<WordBits> index_x;  // blockIdx
    sc_uint<WordBits> index_y;
    sc_uint<WordBits> index_z;
    HEDDLE_RECORD(Cta, first_warp, index_x, index_y, index_z)
  };

  /// blockDim, as the walk over the threads needs it.
  struct Shape {
    sc_uint<ThreadBits> row;      // blockDim.x
    sc_uint<ThreadBits> rows;     // blockDim.y
    sc_uint<ThreadBits> plane;    // blockDim.x * blockDim.y
    sc_uint<ThreadBits> threads;  // blockDim.x * blockDim.y * blockDim.z
    HEDDLE_RECORD(Shape, row, rows, plane, threads)
  };

  /// CTAs become resident, before the affine warp runs for them (DAC sec. 4.1: once for each batch).
  struct Batch {
    sc_uint<2> op;  // BatchOp
    sc_uint<CtaBits> cta;
    sc_uint<WarpBits> first_warp;
    sc_uint<WordBits> index_x;
    sc_uint<WordBits> index_y;
    sc_uint<WordBits> index_z;
    sc_uint<ThreadBits> row;  // the shape, read with Open
    sc_uint<ThreadBits> rows;
    sc_uint<ThreadBits> plane;
    sc_uint<ThreadBits> threads;
    HEDDLE_RECORD(Batch, op, cta, first_warp, index_x, index_y, index_z, row, rows, plane, threads)
  };

  /// An expansion unit is done with the oldest entry of a CTA.
  struct Pop {
    sc_uint<1> valid;
    sc_uint<CtaBits> cta;
    HEDDLE_RECORD(Pop, valid, cta)
  };

  /// An address record for one warp (DAC sec. 4.2): Lanes units of 1 << size bytes from `region` on, a bit a unit that
  /// is accessed. A region is aligned to its own length; `region` counts in Lanes bytes.
  struct AddressOffer {
    sc_uint<1> valid;
    sc_uint<1> data;  // requested from L1 and locked there
    sc_uint<WarpBits> warp;
    sc_uint<2> size;   // AccessSize
    sc_uint<2> order;  // LaneOrder
    sc_uint<RegionBits> region;
    sc_uint<Lanes> mask;   // units
    sc_uint<Lanes> lanes;  // lanes that this record serves
    sc_uint<1> last;       // of the warp's records for one tuple
    HEDDLE_RECORD(AddressOffer, valid, data, warp, size, order, region, mask, lanes, last)
  };

  /// A predicate record: the outcome of each lane of one warp; lanes that the tuple is not for read 0.
  struct PredicateOffer {
    sc_uint<1> valid;
    sc_uint<WarpBits> warp;
    sc_uint<Lanes> mask;
    HEDDLE_RECORD(PredicateOffer, valid, warp, mask)
  };

  /// What the address expansion unit did at the last edge.
  struct AddressEvent {
    sc_uint<1> start;   // the ALU found a term of the start address, or an adjustment
    sc_uint<1> adjust;  // a row or a plane ended where the value does not go on by offset_x
    sc_uint<1> skip;    // it walked past threads that the tuple is not for
    sc_uint<1> region;  // a record was taken that has a closed form ...
    sc_uint<1> thread;  // ... or that is for one thread, since its offset has none
    sc_uint<1> refuse;  // a record was not taken ...
    sc_uint<1> leave;   // ... and the unit went to another CTA
    HEDDLE_RECORD(AddressEvent, start, adjust, skip, region, thread, refuse, leave)
  };

  /// What the predicate expansion unit did at the last edge.
  struct PredicateEvent {
    sc_uint<1> start;      // the ALU found a term of a start value, or an adjustment
    sc_uint<1> adjust;     // a row or a plane ended where the value does not go on by offset_x
    sc_uint<1> skip;       // it walked past threads that the tuple is not for
    sc_uint<1> scalar;     // one comparison told the outcome of a whole CTA ...
    sc_uint<1> pair;       // ... or two that of a warp ...
    sc_uint<1> lanes;      // ... or the SIMT lanes were asked for a run of threads, since for their warp
    sc_uint<1> unordered;  // ... the comparison is not an ordered one,
    sc_uint<1> steps;      // ... a row or a plane ends within it,
    sc_uint<1> wraps;      // ... the value may wrap around within it,
    sc_uint<1> differs;    // ... or its ends have different outcomes
    sc_uint<1> taken;      // a record was taken
    sc_uint<1> refuse;     // a record was not taken ...
    sc_uint<1> leave;      // ... and the unit went to another CTA
    HEDDLE_RECORD(PredicateEvent, start, adjust, skip, scalar, pair, lanes, unordered, steps, wraps, differs, taken,
                  refuse, leave)
  };

  /// The predicate expansion unit asks the SIMT lanes: lane l of the `count` lanes from `first` on compares
  /// base + (l - first) offset with scalar.
  struct LaneCompare {
    sc_uint<1> valid;
    sc_uint<4> compare;  // Compare
    sc_uint<WordBits> base;
    sc_uint<WordBits> offset;
    sc_uint<WordBits> scalar;
    sc_uint<LaneBits> first;
    sc_uint<LaneBits + 1> count;
    HEDDLE_RECORD(LaneCompare, valid, compare, base, offset, scalar, first, count)
  };

  /// Their answer, at least a cycle later: a bit a lane that it asked, 1 where the comparison holds.
  struct LaneReply {
    sc_uint<1> valid;
    sc_uint<Lanes> mask;
    HEDDLE_RECORD(LaneReply, valid, mask)
  };

  /// Where an expansion unit stands among the threads of a CTA.
  struct Walk {
    sc_uint<WarpBits> warp;
    sc_uint<LaneBits> lane;          // the next thread's
    sc_uint<ThreadBits> row_left;    // threads to the end of the row, while rows matter
    sc_uint<ThreadBits> plane_left;  // ... of the plane, while planes matter
    sc_uint<ThreadBits> cta_left;    // ... of the CTA
    HEDDLE_RECORD(Walk, warp, lane, row_left, plane_left, cta_left)
  };

  /// A product on its way, for a unit with one adder: two bits of the factor a cycle, as Booth's digits -2 to 2.
  struct Product {
    sc_uint<WordBits> term;    // times 4 a digit
    sc_uint<WordBits> factor;  // what is left of it ...
    sc_uint<1> carry;          // ... and 1, as the last digit was negative
    HEDDLE_RECORD(Product, term, factor, carry)
  };

  /// What the next digit adds.
  static Word digit_of(const Product& product) {
    const unsigned bits = unsigned(product.factor) & 3, sum = bits + unsigned(product.carry);
    Word part = 0;
    if (sum == 1 || sum == 3) part = product.term;
    if (sum == 2) part = product.term << 1;
    return bits >= 2 ? Word(0 - part) : part;
  }

  /// After that digit; the product is complete when factor and carry are 0.
  static Product product_on(const Product& product) {
    Product next;
    next.term = product.term << 2;
    next.factor = product.factor >> 2;
    next.carry = (unsigned(product.factor) & 2) != 0 ? 1 : 0;
    return next;
  }

  /// Before the first thread of a CTA.
  static Walk walk_start(const Cta& cta, const Shape& shape) {
    Walk walk;
    walk.warp = cta.first_warp;
    walk.row_left = shape.row;
    walk.plane_left = shape.plane;
    walk.cta_left = shape.threads;
    return walk;
  }

  /// The lanes below `count`.
  static sc_dt::uint64 lanes_below(unsigned count) {
    return count == 0 ? 0 : ~sc_dt::uint64(0) >> (64 - (count < Lanes ? count : Lanes));
  }

  /// The first of `others` after the CTA `at`, in turn; without others it stays.
  static unsigned next_cta(sc_dt::uint64 others, unsigned at) {
    return others == 0 ? at : first_from(others, at == Ctas - 1 ? 0 : at + 1);
  }

  /// Threads of the walk's warp: all lanes, but in the last warp of a CTA.
  static unsigned walk_existing(const Walk& walk) {
    const unsigned threads = unsigned(walk.lane) + unsigned(walk.cta_left);
    return threads < Lanes ? threads : Lanes;
  }

  /// Threads from here on that are in one warp and between which the value grows by offset_x: `by_row` and `by_plane`
  /// say that it does not at the end of a row or of a plane.
  static unsigned walk_run(const Walk& walk, bool by_row, bool by_plane) {
    unsigned run = Lanes - unsigned(walk.lane);
    if (walk.cta_left < run) run = walk.cta_left;
    if (by_row && walk.row_left < run) run = walk.row_left;
    if (by_plane && walk.plane_left < run) run = walk.plane_left;
    return run;
  }

  /// `count` threads further, within a run; ends of rows and planes stay at 0 until walk_row() and walk_plane().
  static Walk walk_on(const Walk& walk, unsigned count, bool by_row, bool by_plane) {
    Walk next = walk;
    const unsigned lane = unsigned(walk.lane) + count;
    next.lane = lane % Lanes;
    if (lane == Lanes) next.warp = walk.warp + 1;
    if (by_row) next.row_left = walk.row_left - count;
    if (by_plane) next.plane_left = walk.plane_left - count;
    next.cta_left = walk.cta_left - count;
    return next;
  }

  /// At the end of a row: the next one.
  static Walk walk_row(const Walk& walk, const Shape& shape) {
    Walk next = walk;
    next.row_left = shape.row;
    return next;
  }

  /// At the end of a plane: the next one.
  static Walk walk_plane(const Walk& walk, const Shape& shape) {
    Walk next = walk;
    next.plane_left = shape.plane;
    return next;
  }
};

}  // namespace heddle
