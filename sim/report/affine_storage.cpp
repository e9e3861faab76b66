// SPDX-License-Identifier: Apache-2.0
// Expansion of affine tuples, and what the affine warp needs besides: its stack and ALU, its registers, and what the SM
// has around these blocks (sim/sm/affine/affine_unit.h, dequeue_unit.h). And the tags of the affine unit with which it compares.
#include <string>

#include "elaborated_point.h"
#include "rtl/affine/affine_alu/affine_alu.h"
#include "rtl/affine/affine_expansion.h"
#include "rtl/affine/affine_stack/affine_stack.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

namespace {

/// A bit a thread: known, or a comparison that nobody has made yet. Its right side is the same for a CTA.
template <class A>
struct AffinePredicate {
  sc_uint<1> known;
  sc_uint<1> value;
  sc_uint<4> compare;
  typename A::Word base, offset_x, offset_y, offset_z, block_x, block_y, block_z;
  typename A::Word scalar, scalar_block_x, scalar_block_y, scalar_block_z;
  HEDDLE_RECORD(AffinePredicate, known, value, compare, base, offset_x, offset_y, offset_z, block_x, block_y, block_z,
                scalar, scalar_block_x, scalar_block_y, scalar_block_z)
};

/// Predicate records of a warp that are still to be expanded, and which of them are outcomes of branches.
template <unsigned Tuples>
struct Expected {
  sc_uint<Tuples> is_outcome;
  sc_uint<count_bits(Tuples)> count;
  HEDDLE_RECORD(Expected, is_outcome, count)
};

/// The affine warp and its way to CTA unit and L1 (sim/sm/affine/affine_unit.h): part of the simulator and no block, with the
/// storage that it stands for.
template <class A, unsigned Registers, unsigned Predicates, unsigned Tuples, unsigned Depth, unsigned LineBytes,
          unsigned Schedulers>
struct affine_unit : sc_core::sc_module {
  static constexpr unsigned TokenBits = index_bits(A::Warps * Depth);

  /// A line for the L1.
  struct Early {
    sc_uint<1> valid;
    sc_uint<A::WordBits - index_bits(LineBytes)> line;
    sc_uint<TokenBits> token;
    HEDDLE_RECORD(Early, valid, line, token)
  };
  /// The warps that the batch is for, told to the stack when all of its CTAs are known.
  struct BatchWarps {
    typename A::WarpMask warps, tail_warps;
    typename A::Mask tail_lanes;
    HEDDLE_RECORD(BatchWarps, warps, tail_warps, tail_lanes)
  };

  AffineTuple<A::WordBits> register_q[Registers];
  AffinePredicate<A> predicate_q[Predicates];
  sc_uint<1> busy_q[Registers + Predicates];
  typename A::Mask outcome_q[A::Warps];
  sc_uint<1> outcome_valid_q[A::Warps];
  Expected<Tuples> expected_q[A::Warps];
  Early early_q;
  sc_uint<TokenBits> arrived_q[A::Warps * Depth];
  typename A::Cta join_q[A::Ctas];
  typename A::CtaMask joins_q;
  BatchWarps batch_q;

  SC_CTOR(affine_unit) {
    declare(*this, "register_q", register_q,
            {Storage::Ram, paper_none(), "ours, registers of the affine warp (no block)", "3R1W"});
    declare(*this, "predicate_q", predicate_q,
            {Storage::Ram, paper_none(), "ours, predicates of the affine warp (no block)", "2R1W"});
    declare(*this, "busy_q", busy_q, {Storage::Flop, paper_none(), "ours, results under way (no block)"});
    declare(*this, "outcome_q", outcome_q,
            {Storage::Ram, paper_none(), "ours, lanes of a warp that take a branch (no block)",
             ("1R" + std::to_string(Schedulers) + "W").c_str()});
    declare(*this, "outcome_valid_q", outcome_valid_q,
            {Storage::Flop, paper_none(), "ours, warps whose outcome is here (no block)"});
    declare(*this, "expected_q", expected_q,
            {Storage::Flop, paper_none(), "ours, which predicate records are outcomes (no block)"});
    declare(*this, "early_q", early_q, {Storage::Flop, paper_none(), "ours, the early request that waits (no block)"});
    declare(*this, "arrived_q", arrived_q,
            {Storage::Ram, paper_none(), "ours, lines that came, to be told (no block)", "1R1W"});
    declare(*this, "join_q", join_q, {Storage::Flop, paper_none(), "ours, CTAs to be told (no block)"});
    declare(*this, "joins_q", joins_q, {Storage::Flop, paper_none(), "ours, which CTAs to be told (no block)"});
    declare(*this, "batch_q", batch_q, {Storage::Flop, paper_none(), "ours, warps of the batch (no block)"});
  }
};

/// Instructions that wait for records (sim/sm/lanes/dequeue_unit.h), one a warp; no block either. An access gathers its
/// addresses there until it has its last record.
template <class A>
struct dequeue_unit : sc_core::sc_module {
  struct Waiting {
    sc_uint<1> valid;
    sc_uint<2> queue;  // data, address, predicate
    sc_uint<1> asked;
    sc_uint<1> complete;
    typename A::Mask lanes;  // that have an address; of a branch: that take it
    HEDDLE_RECORD(Waiting, valid, queue, asked, complete, lanes)
  };
  struct Asked {
    sc_uint<1> valid;
    sc_uint<A::WarpBits> warp;
    HEDDLE_RECORD(Asked, valid, warp)
  };

  Waiting waiting_q[A::Warps];
  typename A::Word low_q[A::Warps * A::Lanes];
  sc_uint<A::WarpBits> order_q[A::Warps];
  Asked address_asked_q[2], predicate_asked_q[2];

  SC_CTOR(dequeue_unit) {
    declare(*this, "waiting_q", waiting_q, {Storage::Flop, paper_none(), "ours, a warp's deq instruction (no block)"});
    declare(*this, "low_q", low_q,
            {Storage::Ram, paper_none(), "ours, addresses of a deq so far (no block)", "1R1W a lane"});
    declare(*this, "order_q", order_q, {Storage::Flop, paper_none(), "ours, warps by age of their deq (no block)"});
    declare(*this, "address_asked_q", address_asked_q,
            {Storage::Flop, paper_none(), "ours, for whom a record is on its way (no block)"});
    declare(*this, "predicate_asked_q", predicate_asked_q,
            {Storage::Flop, paper_none(), "ours, for whom a record is on its way (no block)"});
  }
};

/// The tags of `--affine cae`: which registers of a scheduler hold base + stride x lane (affine_tags.h); no block
/// either. An entry is a pair of registers, as an instruction reads three operands and writes one. The unit's adders and
/// multiplier hold nothing that lasts; base and stride are where the registers are.
template <unsigned RegisterRows>
struct affine_tags : sc_core::sc_module {
  struct Pair {
    sc_uint<2> low;
    sc_uint<2> high;
    HEDDLE_RECORD(Pair, low, high)
  };

  Pair tag_q[RegisterRows / 2];

  SC_CTOR(affine_tags) {
    declare(*this, "tag_q", tag_q, {Storage::Ram, paper_none(), "ours, tags of registers (no block)", "3R1W"});
  }
};

}  // namespace

Modules elaborate() {
  using A = Affine<P::Warps, P::Lanes, P::Ctas, P::AffineBits>;
  using Expansion = affine_expansion<A, P::AtqEntries, P::WarpQueueEntries, P::L1Sets, P::L1Ways, P::LineBytes,
                                     P::LockBits, P::L1HashFrom>;
  using Unit = affine_unit<A, P::AffineRegisters, P::AffinePredicates, P::AtqEntries, P::WarpQueueEntries, P::LineBytes,
                           P::Schedulers>;
  Modules units;
  units.push_back(std::make_unique<Expansion>("affine_expansion"));
  units.push_back(std::make_unique<affine_stack<A, P::PcBits, P::AffineDepth, P::AffineLaneDepth>>("affine_stack"));
  units.push_back(std::make_unique<affine_alu<A>>("affine_alu"));
  units.push_back(std::make_unique<Unit>("affine_unit"));
  units.push_back(std::make_unique<dequeue_unit<A>>("dequeue_unit"));
  for (auto& tags : each_scheduler<affine_tags<P::RegisterRows / P::Schedulers>>("affine_tags", P::Schedulers))
    units.push_back(std::move(tags));
  return units;
}

}  // namespace heddle::report
