// SPDX-License-Identifier: Apache-2.0
// What the predicate expansion unit means, thread by thread: no clock, no accumulator, no walk.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace heddle::bench {

/// What a tuple asks of a CTA, and how it goes about it; events of a random run.
enum class Seen : unsigned {
  Scalar,
  ScalarWarps,
  PairSigned,
  PairUnsigned,
  PairHolds,
  PairFails,
  PairFalls,
  PairPartial,
  PairOne,
  Equal,
  NotEqual,
  Differs,
  WrapSigned,
  WrapUnsigned,
  Far,
  StepRow,
  StepPlane,
  SeveralRuns,
  TrapSigned,
  TrapUnsigned,
  TrapEqual,
  TrapStep,
  LinearRows,
  WalkedPast,
  SomeLanes,
  NoLane,
  OneD,
  TwoD,
  ThreeD,
  BlockTerms,
  ScalarTerms,
  Count
};

constexpr std::array<const char*, std::size_t(Seen::Count)> SeenNames{
    "scalar: one comparison a CTA",
    "scalar: for several warps",
    "pair: signed",
    "pair: unsigned",
    "pair: all threads hold",
    "pair: no thread holds",
    "pair: falling values",
    "pair: partial warp",
    "pair: one thread",
    "lanes: equal",
    "lanes: not equal",
    "lanes: ends differ",
    "lanes: signed wrap",
    "lanes: unsigned wrap",
    "lanes: offset too large",
    "lanes: a row ends in the warp",
    "lanes: a plane ends in the warp",
    "lanes: several runs in a warp",
    "trap: ends agree and a thread between does not, signed wrap",
    "trap: ends agree and a thread between does not, unsigned wrap",
    "trap: ends agree and a thread between does not, equal",
    "trap: ends agree and a thread between does not, row or plane",
    "rows go on linearly",
    "warp walked past",
    "lanes left out",
    "no lane wanted",
    "1-D block",
    "2-D block",
    "3-D block",
    "block terms",
    "block terms of the scalar",
};

struct PredicateTask {
  unsigned compare;  ///< as in PTX: eq ne lt le gt ge lo ls hi hs
  std::uint64_t base, offset[3], block[3], scalar, scalar_block[3];
  std::uint64_t warps, lanes;
  unsigned first_warp, dim[3];
  std::uint64_t index[3];
};

/// What the unit must do for a CTA.
struct PredicateWork {
  struct Record {
    unsigned warp;
    std::uint64_t mask;
  };
  struct Run {
    unsigned first, count;
    std::uint64_t base;
  };
  std::vector<Record> records;
  std::vector<Run> asked;  ///< of the SIMT lanes
  std::uint64_t scalar = 0;
  // how often, as the flags of PredicateEvent
  unsigned start = 0, adjust = 0, skip = 0, same = 0, pair = 0, unordered = 0, steps = 0, wraps = 0, differs = 0;
  std::uint64_t seen = 0;  ///< a bit a Seen
};

class PredicateModel {
 public:
  PredicateModel(unsigned word_bits, unsigned lanes)
      : word_bits_(word_bits), lanes_(lanes), all_(~std::uint64_t(0) >> (64 - word_bits)) {}

  /// The comparison of two words.
  bool holds(unsigned compare, std::uint64_t a, std::uint64_t b) const {
    const __int128 x = number(a & all_, is_signed(compare)), y = number(b & all_, is_signed(compare));
    switch (compare) {
      case 0:
        return x == y;
      case 1:
        return x != y;
      case 2:
      case 6:
        return x < y;
      case 3:
      case 7:
        return x <= y;
      case 4:
      case 8:
        return x > y;
      default:
        return x >= y;
    }
  }

  PredicateWork work(const PredicateTask& task) const {
    PredicateWork work;
    const auto note = [&work](Seen what, bool happened) { work.seen |= std::uint64_t(happened) << unsigned(what); };
    const unsigned threads = task.dim[0] * task.dim[1] * task.dim[2];
    std::uint64_t start = task.base;
    work.scalar = task.scalar;
    for (unsigned d = 0; d < 3; ++d) {
      start += task.block[d] * task.index[d];
      work.scalar += task.scalar_block[d] * task.index[d];
      work.start += task.block[d] != 0 && task.index[d] != 0;
      work.start += task.scalar_block[d] != 0 && task.index[d] != 0;
      note(Seen::BlockTerms, task.block[d] != 0 && task.index[d] != 0);
      note(Seen::ScalarTerms, task.scalar_block[d] != 0 && task.index[d] != 0);
    }
    work.scalar &= all_;
    const bool has_rows = task.dim[0] != threads, has_planes = task.dim[0] * task.dim[1] != threads;
    work.start += has_rows && task.offset[0] != 0;
    work.start += has_planes && task.offset[1] != 0;
    const std::uint64_t row_jump = has_rows ? (task.offset[1] - task.offset[0] * task.dim[0]) & all_ : 0;
    const std::uint64_t plane_jump = has_planes ? (task.offset[2] - task.offset[1] * task.dim[1]) & all_ : 0;
    const bool same = task.offset[0] == 0 && (!has_rows || task.offset[1] == 0) && (!has_planes || task.offset[2] == 0);
    work.same = same;
    note(Seen::Scalar, same);
    note(Seen::ScalarWarps, same && threads > 2 * lanes_);
    note(task.dim[2] > 1 ? Seen::ThreeD : task.dim[1] > 1 ? Seen::TwoD : Seen::OneD, true);
    note(Seen::LinearRows, has_rows && !same && row_jump == 0);

    std::vector<std::uint64_t> values;
    for (unsigned from = 0, warp = task.first_warp; from < threads; from += lanes_, ++warp) {
      const unsigned count = std::min(lanes_, threads - from);
      values.clear();
      std::vector<PredicateWork::Run> runs;
      bool row_step = false, plane_step = false;
      for (unsigned t = from; t < from + count; ++t) {
        const unsigned x = t % task.dim[0], y = t / task.dim[0] % task.dim[1], z = t / task.dim[0] / task.dim[1];
        values.push_back((start + task.offset[0] * x + task.offset[1] * y + task.offset[2] * z) & all_);
        const bool row = t != 0 && x == 0 && row_jump != 0, plane = t != 0 && x == 0 && y == 0 && plane_jump != 0;
        work.adjust += unsigned(row) + unsigned(plane);
        row_step = row_step || (t != from && row);
        plane_step = plane_step || (t != from && plane);
        if (t == from || row || plane) runs.push_back({t - from, 0, values.back()});
        ++runs.back().count;
      }
      if ((task.warps >> warp & 1) == 0) {
        work.skip += unsigned(runs.size());
        note(Seen::WalkedPast, true);
        continue;
      }
      std::uint64_t mask = 0;
      for (unsigned l = 0; l < count; ++l) mask |= std::uint64_t(holds(task.compare, values[l], work.scalar)) << l;
      work.records.push_back({warp, mask & task.lanes});
      note(Seen::SomeLanes, (task.lanes & ~std::uint64_t(0) >> (64 - count)) != ~std::uint64_t(0) >> (64 - count));
      note(Seen::NoLane, (task.lanes & ~std::uint64_t(0) >> (64 - count)) == 0);
      if (!same) judge(task, values, runs, row_step, plane_step, mask, work, note);
    }
    return work;
  }

 private:
  unsigned word_bits_, lanes_;
  std::uint64_t all_;

  static bool is_signed(unsigned compare) { return compare >= 2 && compare <= 5; }

  /// What a word stands for.
  __int128 number(std::uint64_t word, bool as_signed) const {
    const __int128 range = __int128(1) << word_bits_;
    return as_signed && (word >> (word_bits_ - 1) & 1) != 0 ? __int128(word) - range : __int128(word);
  }

  /// Two comparisons or the lanes, for one warp whose threads have `values`, in `runs`; their outcomes are `mask`.
  template <class Note>
  void judge(const PredicateTask& task, const std::vector<std::uint64_t>& values,
             const std::vector<PredicateWork::Run>& runs, bool row_step, bool plane_step, std::uint64_t mask,
             PredicateWork& work, Note&& note) const {
    const unsigned count = unsigned(values.size());
    const bool as_signed = is_signed(task.compare), ordered = task.compare >= 2, one_run = runs.size() == 1;
    const __int128 range = __int128(1) << word_bits_, lowest = as_signed ? -range / 2 : __int128(0);
    const __int128 offset = number(task.offset[0], true), far = range / lanes_;
    const __int128 last = number(values.front(), as_signed) + offset * (count - 1);  // without wrapping
    const bool too_far = offset < -far || offset >= far;
    const bool wraps = last < lowest || last >= lowest + range;
    const bool agree = (mask & 1) == (mask >> (count - 1) & 1);
    const bool mixed = mask != 0 && mask != ~std::uint64_t(0) >> (64 - count);
    if (ordered && one_run && !too_far && !wraps && agree) {
      ++work.pair;
      note(as_signed ? Seen::PairSigned : Seen::PairUnsigned, true);
      note(mask != 0 ? Seen::PairHolds : Seen::PairFails, true);
      note(Seen::PairFalls, offset < 0);
      note(Seen::PairPartial, count < lanes_);
      note(Seen::PairOne, count == 1);
      return;
    }
    work.asked.insert(work.asked.end(), runs.begin(), runs.end());
    const bool trap = agree && mixed;
    note(Seen::SeveralRuns, runs.size() > 1);
    if (!ordered) {
      ++work.unordered;
      note(task.compare == 0 ? Seen::Equal : Seen::NotEqual, true);
      note(Seen::TrapEqual, trap);
    } else if (!one_run) {
      ++work.steps;
      note(Seen::StepRow, row_step);
      note(Seen::StepPlane, plane_step);
      note(Seen::TrapStep, trap);
    } else if (too_far || wraps) {
      ++work.wraps;
      note(too_far ? Seen::Far : as_signed ? Seen::WrapSigned : Seen::WrapUnsigned, true);
      note(as_signed ? Seen::TrapSigned : Seen::TrapUnsigned, trap);
    } else {
      ++work.differs;
      note(Seen::Differs, true);
    }
  }
};

}  // namespace heddle::bench
