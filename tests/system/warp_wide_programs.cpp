// SPDX-License-Identifier: Apache-2.0
#include "tests/system/warp_wide_programs.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace heddle::tests {
namespace {

constexpr unsigned WarpSize = 32;

/// The warp of a thread in a block.
struct WarpOf {
  unsigned first, lanes, lane;
  std::uint32_t all() const { return static_cast<std::uint32_t>((std::uint64_t{1} << lanes) - 1); }
  template <class Predicate>
  std::uint32_t ballot(Predicate holds) const {
    std::uint32_t mask = 0;
    for (unsigned l = 0; l < lanes; ++l) mask |= std::uint32_t{holds(first + l) ? 1U : 0U} << l;
    return mask;
  }
};

WarpOf warp_of(unsigned thread, unsigned threads) {
  const unsigned first = thread / WarpSize * WarpSize;
  return {first, std::min(WarpSize, threads - first), thread - first};
}

bool is_odd(unsigned thread) {
  return (value_of(thread) >> 7 & 1) != 0;
}

// ---- Shuffles, in the words of CUDA: segments of `width` lanes ----

enum class Mode { Up, Down, Butterfly, Index };

struct Shuffled {
  unsigned lane;
  bool in_range;
};

Shuffled shuffled(Mode mode, unsigned lane, int offset, int width) {
  const int first = static_cast<int>(lane) / width * width, own = static_cast<int>(lane);
  const int from = mode == Mode::Up          ? own - offset
                   : mode == Mode::Down      ? own + offset
                   : mode == Mode::Butterfly ? own ^ offset
                                             : first + offset % width;
  const bool in_range = mode == Mode::Up ? from >= first : from < first + width;
  return {in_range ? static_cast<unsigned>(from) : lane, in_range};
}

/// A lane that is not there gives the reader's own value (ours).
std::uint32_t value_from(const WarpOf& warp, unsigned lane) {
  return value_of(warp.first + (lane < warp.lanes ? lane : warp.lane));
}

void add_shuffles(std::vector<WarpWideCase>& cases) {
  const char* const names[] = {"up", "down", "bfly", "idx"};
  for (const Mode mode : {Mode::Up, Mode::Down, Mode::Butterfly, Mode::Index}) {
    const char* const name = names[static_cast<unsigned>(mode)];
    for (const int width : {32, 8, 2}) {
      for (const int offset : {0, 1, 5, 31}) {
        const int limits = (32 - width) << 8 | (mode == Mode::Up ? 0 : 31);
        WarpWideCase test;
        test.name = fmt::format("shfl {} width {} offset {}", name, width, offset);
        // Constants, no predicate read; predicate; operands in registers and the old form without a mask.
        test.body = fmt::format(R"(
shfl.sync.{0}.b32 %o0|%p1, %v, {1}, {2}, -1;
mov.u32 %r1, {1}; mov.u32 %r2, {2};
shfl.sync.{0}.b32 %r1|%p2, %v, %r1, %r2, 0xffffffff;
mov.u32 %o1, %r1; selp.u32 %o2, 1, 0, %p2;
shfl.{0}.b32 %o3, %v, {1}, {2};)",
                                name, offset, limits);
        test.expected = [mode, offset, width, threads = test.threads](unsigned t) -> FourWords {
          const WarpOf warp = warp_of(t, threads);
          const Shuffled from = shuffled(mode, warp.lane, offset, width);
          const std::uint32_t value = value_from(warp, from.lane);
          return {value, value, from.in_range ? 1U : 0U, value};
        };
        cases.push_back(std::move(test));
      }
    }
  }
  cases.push_back({"shfl under the guard that it writes",
                   R"(setp.lt.u32 %p1, %l, 16;
mov.u32 %o0, 7;
@%p1 shfl.sync.down.b32 %o0|%p1, %v, 4, 31, 0xffff;
selp.u32 %o1, 1, 0, %p1;)",
                   64, [](unsigned t) -> FourWords {
                     const unsigned lane = t % WarpSize;
                     if (lane >= 16) return {7, 0, 0, 0};
                     // Lanes 12 to 15 read lanes that take no part.
                     return {value_of(lane + 4 < 16 ? t + 4 : t), 1, 0, 0};
                   }});
  cases.push_back({"shfl of bits above the low five of b and of unused bits of c",
                   R"(shfl.sync.idx.b32 %o0, %v, 0x25, 0xffffe0ff, -1; shfl.sync.up.b32 %o1, %v, 33, 0, -1;)", 32,
                   [](unsigned t) -> FourWords {
                     return {value_of(5), value_of(t == 0 ? 0 : t - 1), 0, 0};
                   }});
  cases.push_back({"sum over a warp by shuffles, in a loop",
                   R"(mov.u32 %o0, %v; mov.u32 %r1, 16;
LOOP: shfl.sync.bfly.b32 %r2, %o0, %r1, 31, -1; add.u32 %o0, %o0, %r2; shr.u32 %r1, %r1, 1;
setp.ne.u32 %p1, %r1, 0; @%p1 bra LOOP;)",
                   96, [](unsigned t) -> FourWords {
                     std::uint32_t sum = 0;
                     for (unsigned l = 0; l < WarpSize; ++l) sum += value_of(t / WarpSize * WarpSize + l);
                     return {sum, 0, 0, 0};
                   }});
}

void add_votes(std::vector<WarpWideCase>& cases) {
  const std::string odd = "shr.u32 %r1, %v, 7; and.b32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, 0;\n";
  cases.push_back({"ballot and the old ballot", odd + R"(
vote.sync.ballot.b32 %o0, %p1, -1; vote.sync.ballot.b32 %o1, !%p1, -1; vote.ballot.b32 %o2, %p1; activemask.b32 %o3;)",
                   72, [](unsigned t) -> FourWords {
                     const WarpOf warp = warp_of(t, 72);
                     const std::uint32_t mask = warp.ballot(is_odd);
                     return {mask, mask ^ warp.all(), mask, warp.all()};
                   }});
  for (const unsigned limit : {0U, 5U, 40U, 72U}) {
    // True in the lanes of threads below a limit, so that warps have all, some or none.
    cases.push_back({fmt::format("all, any, uni of {} threads", limit),
                     fmt::format(R"(setp.lt.u32 %p1, %t, {};
vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, %p1, -1; vote.sync.uni.pred %p4, %p1, -1;
vote.all.pred %p5, !%p1; vote.any.pred %p6, !%p1; vote.uni.pred %p7, !%p1;
selp.u32 %o0, 1, 0, %p2; selp.u32 %o1, 1, 0, %p3; selp.u32 %o2, 1, 0, %p4;
selp.u32 %o3, 1, 0, %p5; @%p6 add.u32 %o3, %o3, 2; @%p7 add.u32 %o3, %o3, 4;)",
                                 limit),
                     72, [limit](unsigned t) -> FourWords {
                       const WarpOf warp = warp_of(t, 72);
                       const std::uint32_t mask = warp.ballot([&](unsigned thread) { return thread < limit; });
                       const bool all = mask == warp.all(), any = mask != 0;
                       return {all, any, all || !any, (any ? 0U : 1U) + (all ? 0U : 2U) + (all || !any ? 4U : 0U)};
                     }});
  }
  cases.push_back({"groups with masks of their own at one instruction", odd + R"(
and.b32 %r2, %l, 24; mov.u32 %r3, 0xff; shl.b32 %r3, %r3, %r2; vote.sync.ballot.b32 %o0, %p1, %r3;
setp.lt.u32 %p2, %l, 8; @%p2 vote.sync.ballot.b32 %o1, %p1, 0xff;)",
                   72, [](unsigned t) -> FourWords {
                     const WarpOf warp = warp_of(t, 72);
                     const std::uint32_t mask = warp.ballot(is_odd);
                     return {mask & 0xffU << (warp.lane & 24), warp.lane < 8 ? mask & 0xff : 0, 0, 0};
                   }});
  cases.push_back({"both sides of a branch, by mask and as they are", odd + R"(
vote.sync.ballot.b32 %r2, %p1, -1; not.b32 %r3, %r2;
@%p1 bra ODD;
vote.sync.ballot.b32 %o0, 1, %r3; activemask.b32 %o1; vote.ballot.b32 %o2, 1; shfl.idx.b32 %o3, %l, %l, 31; bra MET;
ODD: vote.sync.ballot.b32 %o0, 1, %r2; activemask.b32 %o1; add.u32 %o1, %o1, 1;
vote.any.pred %p2, %p1; selp.u32 %o2, 1, 0, %p2;
MET: bar.warp.sync -1; activemask.b32 %r4; add.u32 %o3, %o3, %r4;)",
                   64, [](unsigned t) -> FourWords {
                     const WarpOf warp = warp_of(t, 64);
                     const std::uint32_t odd_lanes = warp.ballot(is_odd);
                     if (is_odd(t)) return {odd_lanes, odd_lanes + 1, 1, 0xffffffff};
                     return {~odd_lanes, ~odd_lanes, ~odd_lanes, warp.lane + 0xffffffffU};
                   }});
  cases.push_back(
      {"loops of different length between meetings",
       R"(and.b32 %r1, %v, 15; mov.u32 %r2, 0;
LOOP: add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra LOOP;
setp.gt.u32 %p2, %r2, 8; vote.sync.ballot.b32 %o0, %p2, -1; activemask.b32 %o1;)",
       72, [](unsigned t) -> FourWords {
         const WarpOf warp = warp_of(t, 72);
         return {warp.ballot([](unsigned thread) { return (value_of(thread) & 15) >= 8; }), warp.all(), 0, 0};
       }});
  cases.push_back({"lanes that have left count no more", R"(setp.eq.u32 %p1, %l, 3; mov.u32 %o0, 9;
@%p1 bra LEAVE; setp.lt.u32 %p2, %l, 6; vote.sync.ballot.b32 %o0, %p2, -1; vote.sync.all.pred %p3, 1, -1;
selp.u32 %o1, 1, 0, %p3; shfl.sync.idx.b32 %o2, %l, 3, 31, -1; elect.sync %o3|%p4, -1; @%p4 add.u32 %o3, %o3, 100;
bra DONE; LEAVE: exit; DONE:)",
                   64, [](unsigned t) -> FourWords {
                     const unsigned lane = t % WarpSize;
                     if (lane == 3) return {0, 0, 0, 0};
                     return {0x37, 1, lane, lane == 0 ? 100U : 0U};
                   }});
  cases.push_back({"lanes that leave from inside of branches, before the others meet",
                   R"(setp.lt.u32 %p1, %l, 16; @%p1 bra LOW; and.b32 %r1, %l, 1; setp.eq.u32 %p2, %r1, 0; @%p2 bra GONE;
add.u32 %o0, %o0, 1; bra MET;
LOW: setp.lt.u32 %p3, %l, 3; @%p3 exit; add.u32 %o0, %o0, 2;
MET: redux.sync.add.u32 %o1, %o0, -1; vote.sync.ballot.b32 %o2, 1, -1; bra DONE;
GONE: exit; DONE:)",
                   64, [](unsigned t) -> FourWords {
                     const unsigned lane = t % WarpSize;
                     if (lane < 3 || (lane >= 16 && lane % 2 == 0)) return {};
                     return {lane < 16 ? 2U : 1U, 13 * 2 + 8, 0xaaaafff8, 0};
                   }});
  cases.push_back({"elect without the lane", R"(and.b32 %r1, %l, 16; mov.u32 %r2, 0xffff; shl.b32 %r2, %r2, %r1;
elect.sync _|%p1, %r2; selp.u32 %o0, 1, 0, %p1; elect.sync %o1|_, %r2;)",
                   64, [](unsigned t) -> FourWords {
                     return {t % 16 == 0 ? 1U : 0U, t % WarpSize & 16, 0, 0};
                   }});
}

void add_matches_and_reductions(std::vector<WarpWideCase>& cases) {
  cases.push_back({"match.any of zeros with signs, and of 64 bits",
                   R"(and.b32 %r1, %l, 3; setp.eq.u32 %p1, %r1, 1; selp.b32 %r2, 0x80000000, 0, %p1;
match.any.sync.b32 %o0, %r2, -1;
cvt.u64.u32 %rd3, %r1; shl.b64 %rd3, %rd3, 32; match.any.sync.b64 %o1, %rd3, -1;
match.any.sync.b32 %o2, %t, -1;)",
                   72, [](unsigned t) -> FourWords {
                     const WarpOf warp = warp_of(t, 72);
                     return {warp.ballot([&](unsigned other) { return (other % 4 == 1) == (t % 4 == 1); }),
                             warp.ballot([&](unsigned other) { return other % 4 == t % 4; }), 1U << warp.lane, 0};
                   }});
  cases.push_back({"match.all of equal and other values",
                   R"(shr.u32 %r1, %t, 5; match.all.sync.b32 %o0|%p1, %r1, -1; selp.u32 %o2, 1, 0, %p1;
cvt.u64.u32 %rd3, %t; setp.lt.u32 %p2, %t, 32; @%p2 mov.u64 %rd3, 5; mov.u32 %o1, 9;
match.all.sync.b64 %o1|%p3, %rd3, -1; @%p3 add.u32 %o2, %o2, 2;
match.all.sync.b32 _|%p4, %r1, -1; @%p4 add.u32 %o2, %o2, 4;)",
                   72, [](unsigned t) -> FourWords {
                     const WarpOf warp = warp_of(t, 72);
                     return {warp.all(), t < 32 ? warp.all() : 0U, t < 32 ? 7U : 5U, 0};
                   }});
  struct Reduction {
    const char* suffixes;
    std::function<std::uint32_t(std::uint32_t, std::uint32_t)> combine;
  };
  const auto as_signed = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  const std::vector<Reduction> reductions = {
      {"add.u32", [](auto x, auto y) { return x + y; }},
      {"add.s32", [](auto x, auto y) { return x + y; }},
      {"min.u32", [](auto x, auto y) { return std::min(x, y); }},
      {"max.u32", [](auto x, auto y) { return std::max(x, y); }},
      {"min.s32", [=](auto x, auto y) { return as_signed(x) < as_signed(y) ? x : y; }},
      {"max.s32", [=](auto x, auto y) { return as_signed(x) < as_signed(y) ? y : x; }},
      {"and.b32", [](auto x, auto y) { return x & y; }},
      {"or.b32", [](auto x, auto y) { return x | y; }},
      {"xor.b32", [](auto x, auto y) { return x ^ y; }}};
  for (const Reduction& reduction : reductions) {
    cases.push_back({fmt::format("redux {}", reduction.suffixes),
                     fmt::format(R"(or.b32 %r1, %v, 5; redux.sync.{0} %o0, %r1, -1;
setp.lt.u32 %p1, %l, 7; @%p1 redux.sync.{0} %o1, %r1, 0x7f;)",
                                 reduction.suffixes),
                     72, [reduction](unsigned t) -> FourWords {
                       const WarpOf warp = warp_of(t, 72);
                       FourWords words{};
                       for (unsigned l = 0; l < warp.lanes; ++l) {
                         const std::uint32_t value = value_of(warp.first + l) | 5;
                         words[0] = l == 0 ? value : reduction.combine(words[0], value);
                         if (l < 7) words[1] = words[0];
                       }
                       if (warp.lane >= 7) words[1] = 0;
                       return words;
                     }});
  }
}

void add_barriers(std::vector<WarpWideCase>& cases) {
  cases.push_back({"shared memory between bar.warp.sync",
                   R"(shl.b32 %r1, %t, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1], %v;
bar.warp.sync -1; xor.b32 %r3, %l, 7; shl.b32 %r3, %r3, 2; shl.b32 %r4, %w, 7; add.u32 %r3, %r3, %r4;
add.u32 %r3, %r3, %r2; ld.shared.u32 %o0, [%r3];)",
                   72, [](unsigned t) -> FourWords {
                     return {value_of(t ^ 7), 0, 0, 0};
                   }});
  cases.push_back({"bar.red over live threads",
                   R"(setp.eq.u32 %p1, %t, 70; @%p1 exit;
setp.lt.u32 %p2, %t, 10; bar.red.popc.u32 %o0, 0, %p2; bar.red.and.pred %p3, 0, %p2; bar.red.or.pred %p4, 0, %p2;
setp.ne.u32 %p5, %t, 70; barrier.cta.red.and.aligned.pred %p6, 3, %p5; barrier.red.popc.u32 %o1, 3, !%p2;
barrier.red.or.pred %p7, 3, !%p5;
selp.u32 %o2, 1, 0, %p3; @%p4 add.u32 %o2, %o2, 2; @%p6 add.u32 %o2, %o2, 4; @%p7 add.u32 %o2, %o2, 8;)",
                   72, [](unsigned t) -> FourWords {
                     return t == 70 ? FourWords{} : FourWords{10, 61, 6, 0};
                   }});
  cases.push_back({"bar.red overwrites its operand; the result waits for the slowest warp",
                   R"(setp.eq.u32 %p1, %w, 1; @!%p1 bra FAST; mov.u32 %r1, 0;
LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 50; @%p2 bra LOOP;
FAST: setp.eq.u32 %p3, %l, 0; bar.red.or.pred %p3, 0, %p3; bar.red.popc.u32 %r1, 0, %p3; add.u32 %o0, %r1, %r1;)",
                   96, [](unsigned) -> FourWords {
                     return {192, 0, 0, 0};
                   }});
  // Warp 0 writes, warp 1 reads, five times: one waits for the other by arrive and sync on two barriers.
  cases.push_back({"producer and consumer",
                   R"(shl.b32 %r1, %l, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2; mov.u32 %r3, 0;
setp.eq.u32 %p1, %w, 0; @%p1 bra PRODUCE;
CONSUME: barrier.sync 1, 64; ld.shared.u32 %r4, [%r1]; mad.lo.u32 %o0, %o0, 3, %r4; barrier.arrive 2, 64;
add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 5; @%p2 bra CONSUME; bra DONE;
PRODUCE: add.u32 %r5, %v, %r3; st.shared.u32 [%r1], %r5; bar.arrive 1, 64; bar.sync 2, 64;
add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 5; @%p2 bra PRODUCE;
DONE:)",
                   64, [](unsigned t) -> FourWords {
                     FourWords words{};
                     if (t >= 32)
                       for (unsigned turn = 0; turn < 5; ++turn) words[0] = words[0] * 3 + value_of(t - 32) + turn;
                     return words;
                   }});
  cases.push_back({"pairs of warps at barriers with number and count in registers",
                   R"(shr.u32 %r1, %w, 1; add.u32 %r1, %r1, 4; mov.u32 %r2, 64;
shl.b32 %r3, %t, 2; mov.u32 %r4, tile; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %v; bar.sync %r1, %r2;
xor.b32 %r5, %t, 63; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r4; ld.shared.u32 %o0, [%r5];
setp.lt.u32 %p1, %l, 5; bar.red.popc.u32 %o1, %r1, %r2, %p1;)",
                   128, [](unsigned t) -> FourWords {
                     return {value_of(t ^ 63), 10, 0, 0};
                   }});
  cases.push_back({"a count of whole warps, a block with a part of one, lanes that have left",
                   R"(setp.eq.u32 %p1, %t, 4; @%p1 exit; bar.sync 5, 64; mov.u32 %o0, 1;
setp.eq.u32 %p2, %w, 1; bar.red.popc.u32 %o1, 5, 64, %p2;)",
                   40, [](unsigned t) -> FourWords {
                     return t == 4 ? FourWords{} : FourWords{1, 8, 0, 0};
                   }});
  cases.push_back({"an exit opens a barrier",
                   R"(setp.lt.u32 %p1, %t, 32; @%p1 bra SLOW; bar.sync 0; mov.u32 %o0, 1; bra DONE;
SLOW: mov.u32 %r1, 0;
LOOP: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 30; @%p2 bra LOOP; exit;
DONE:)",
                   96, [](unsigned t) -> FourWords {
                     return {t < 32 ? 0U : 1U, 0, 0, 0};
                   }});
  cases.push_back({"barriers on the two sides of a branch in one warp, counted",
                   R"(setp.lt.u32 %p1, %t, 32; @%p1 bra WHOLE; setp.lt.u32 %p2, %l, 16; @%p2 bra LEFT;
barrier.sync 6, 64; mov.u32 %o0, 2; bra DONE; LEFT: barrier.arrive 6, 64; mov.u32 %o0, 1; bra DONE;
WHOLE: barrier.sync 6, 64; mov.u32 %o0, 3; DONE:)",
                   64, [](unsigned t) -> FourWords {
                     return {t < 32 ? 3U : t < 48 ? 1U : 2U, 0, 0, 0};
                   }});
  cases.push_back(
      {"a barrier whose guard is false for a warp",
       R"(setp.eq.u32 %p1, %w, 1; mov.u32 %o0, 5; @!%p1 bar.red.popc.u32 %o0, 7, 64, %p1; setp.lt.u32 %p2, %l, 9;
@!%p1 bar.red.popc.u32 %o1, 7, 64, %p2; add.u32 %o1, %o1, %o0;)",
       96, [](unsigned t) -> FourWords {
         return t / 32 == 1 ? FourWords{5, 5, 0, 0} : FourWords{0, 18, 0, 0};
       }});
}

// ---- Atomics: every operation by 64 threads on one place, then each thread reads one word of the places ----

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// By word of the places.
std::vector<std::uint32_t> words_after_atomics(bool shared) {
  std::uint64_t sum_of_doubles = 0;
  const double doubles = 64 * 0x1p-40 + 2016;
  std::memcpy(&sum_of_doubles, &doubles, sizeof doubles);
  return {2016,                             // add.u32 of t
          static_cast<std::uint32_t>(-10),  // min.s32 of t - 10
          73,                               // max.u32 of t + 10
          0xffffffffU ^ 0xffff,             // and.b32 without bit t / 4
          0,
          2016,  // add.u64 of t << 32
          0xffffffffU,
          0xffffffffU,  // or.b64 of 1 << t
          static_cast<std::uint32_t>(-5),
          0xffffffffU,  // max.s64 of -5 - t, from the least
          0,
          0,   // xor.b64 of ~0, an even number of times
          4,   // inc.u32 up to 9
          6,   // dec.u32 from 0 down to 0, then from 9
          77,  // exch.b32
          63,  // cas.b32, by one thread alone
          bits_of(2016),
          bits_of(shared ? 0x1p-149F * 64 : 0.0F),  // add.f32 of t; of the least subnormal
          static_cast<std::uint32_t>(sum_of_doubles),
          static_cast<std::uint32_t>(sum_of_doubles >> 32),
          0x00050000,  // cas.b16 of the upper half
          0};
}

void add_atomics(std::vector<WarpWideCase>& cases) {
  for (const bool shared : {true, false}) {
    const char* const space = shared ? "shared" : "global";
    cases.push_back({fmt::format("atomics in {} memory", space),
                     fmt::format(R"(mov.u64 %rd5, tile; sub.u64 %rd6, %rd1, %rd2; {1}
setp.ne.u32 %p1, %t, 0; @%p1 bra READY;
st.{0}.u32 [%rd5+12], 0xffffffff; st.{0}.u64 [%rd5+32], 0x8000000000000000;
READY: bar.sync 0;
cvt.u64.u32 %rd7, %t;
atom.{0}.add.u32 %r1, [%rd5], %t;
sub.u32 %r2, %t, 10; atom.{0}.min.s32 %r1, [%rd5+4], %r2;
add.u32 %r2, %t, 10; red.{0}.max.u32 [%rd5+8], %r2;
shr.u32 %r2, %t, 2; shl.b32 %r2, 1, %r2; not.b32 %r2, %r2; atom.{0}.and.b32 %r1, [%rd5+12], %r2;
shl.b64 %rd8, %rd7, 32; atom.{0}.add.u64 %rd9, [%rd5+16], %rd8;
shl.b64 %rd8, 1, %t; red.{0}.or.b64 [%rd5+24], %rd8;
sub.s64 %rd8, -5, %rd7; atom.{0}.max.s64 %rd9, [%rd5+32], %rd8;
atom.{0}.xor.b64 %rd9, [%rd5+40], 0xffffffffffffffff;
atom.{0}.inc.u32 %r1, [%rd5+48], 9;
atom.{0}.dec.u32 %r1, [%rd5+52], 9;
atom.{0}.exch.b32 %r1, [%rd5+56], 77;
atom.{0}.cas.b32 %r1, [%rd5+60], 0, 63; setp.eq.u32 %p2, %r1, 0; bar.red.popc.u32 %o1, 0, %p2;
cvt.rn.f32.u32 %r2, %t; atom.{0}.add.f32 %r1, [%rd5+64], %r2;
red.{0}.add.f32 [%rd5+68], 1;
cvt.rn.f64.u32 %rd8, %t; red.{0}.add.f64 [%rd5+72], %rd8; atom.{0}.add.f64 %rd9, [%rd5+72], 0d3d70000000000000;
atom.{0}.cas.b16 %r1, [%rd5+82], 0, 5;
bar.sync 0;
setp.gt.u32 %p3, %t, 21; @%p3 bra DONE;
shl.b32 %r4, %t, 2; cvt.u64.u32 %rd8, %r4; add.u64 %rd8, %rd8, %rd5; ld.volatile.{0}.u32 %o0, [%rd8];
DONE: bar.sync 0;)",
                                 space, shared ? "" : "mov.u64 %rd5, %rd6;"),
                     64, [shared](unsigned t) -> FourWords {
                       const std::vector<std::uint32_t> words = words_after_atomics(shared);
                       return {t < words.size() ? words[t] : 0, 1, 0, 0};
                     }});
  }
}

// ---- Lanes that parted meet again ----

std::uint32_t after_turns(unsigned thread, unsigned turns) {
  std::uint32_t value = value_of(thread);
  for (unsigned turn = 0; turn < turns; ++turn) value = value * 5 + 1;
  return value;
}

void add_meetings(std::vector<WarpWideCase>& cases) {
  const std::string turns = R"(and.b32 %r1, %l, 3; mov.u32 %r2, %v;
TURN: mad.lo.u32 %r2, %r2, 5, 1; setp.ne.u32 %p1, %r1, 0; sub.u32 %r1, %r1, 1; @%p1 bra TURN;)";
  const auto partner_after_turns = [](unsigned t) -> FourWords {
    return {after_turns(t ^ 1, ((t ^ 1) & 3) + 1), 0, 0, 0};
  };
  cases.push_back({"a shuffle behind a loop that lanes leave in different turns",
                   turns + "shfl.sync.bfly.b32 %o0, %r2, 1, 31, -1;", 72, partner_after_turns});
  cases.push_back({"bar.warp.sync behind such a loop, and shared memory behind that",
                   turns + R"(mov.u32 %r3, tile; mad.lo.u32 %r4, %t, 4, %r3; st.shared.u32 [%r4], %r2;
bar.warp.sync -1; xor.b32 %r4, %t, 1; mad.lo.u32 %r4, %r4, 4, %r3; ld.shared.u32 %o0, [%r4];)",
                   72, partner_after_turns});
  cases.push_back({"the mask in a register, from a load", turns + R"(st.global.u32 [%rd1], -1;
ld.global.u32 %r5, [%rd1]; shfl.sync.bfly.b32 %o0, %r2, 1, 31, %r5;)",
                   72, partner_after_turns});
  cases.push_back({"lanes part and meet in each turn of a loop",
                   R"(mov.u32 %r1, 0; mov.u32 %r2, %v;
TURN: add.u32 %r3, %l, %r1; and.b32 %r3, %r3, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra EVEN;
mul.lo.u32 %r2, %r2, 3; bra MET;
EVEN: div.u32 %r2, %r2, 3; add.u32 %r2, %r2, 7;
MET: shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1; add.u32 %r2, %r2, %r4;
add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 4; @%p2 bra TURN;
mov.u32 %o0, %r2;)",
                   72, [](unsigned t) -> FourWords {
                     std::uint32_t own = value_of(t), other = value_of(t ^ 1);
                     for (unsigned turn = 0; turn < 4; ++turn) {
                       const bool is_even = (t + turn) % 2 == 0;
                       own = is_even ? own / 3 + 7 : own * 3;
                       other = is_even ? other * 3 : other / 3 + 7;
                       own = other = own + other;
                     }
                     return {own, 0, 0, 0};
                   }});
  cases.push_back(
      {"nobody waits for lanes that store and leave", R"(rem.u32 %r1, %l, 5; setp.eq.u32 %p1, %r1, 1;
@!%p1 bra STAY; st.global.u32 [%rd1], %v; exit;
STAY: )" + turns + "vote.sync.ballot.b32 %o0, 1, -1;",
       72, [](unsigned t) -> FourWords {
         if (t % WarpSize % 5 == 1) return {value_of(t), 0, 0, 0};
         return {warp_of(t, 72).ballot([](unsigned thread) { return thread % WarpSize % 5 != 1; }), 0, 0, 0};
       }});
  cases.push_back({"each side's own lanes, behind a loop in one of them", R"(
setp.lt.u32 %p2, %l, 11; vote.sync.ballot.b32 %r6, %p2, -1; @!%p2 bra ELSE;
)" + turns + R"(redux.sync.xor.b32 %o0, %r2, %r6; bra MET;
ELSE: not.b32 %r6, %r6; redux.sync.max.u32 %o0, %v, %r6;
MET: vote.sync.ballot.b32 %o1, %p2, -1;)",
                   96, [](unsigned t) -> FourWords {
                     const unsigned first = t / WarpSize * WarpSize;
                     std::uint32_t low = 0, high = 0;
                     for (unsigned lane = 0; lane < WarpSize; ++lane)
                       lane < 11 ? low ^= after_turns(first + lane, (lane & 3) + 1)
                                 : high = std::max(high, value_of(first + lane));
                     return {t - first < 11 ? low : high, (1U << 11) - 1, 0, 0};
                   }});
}

}  // namespace

const std::vector<WarpWideCase>& warp_wide_cases() {
  static const std::vector<WarpWideCase> cases = [] {
    std::vector<WarpWideCase> all;
    add_shuffles(all);
    add_votes(all);
    add_matches_and_reductions(all);
    add_barriers(all);
    add_atomics(all);
    add_meetings(all);
    return all;
  }();
  return cases;
}

const std::vector<WarpWideError>& warp_wide_errors() {
  const std::string lost =
      R"(setp.lt.u32 %p1, %l, 16; @%p1 bra LEFT; vote.sync.ballot.b32 %o0, %p1, -1; bra MET;
LEFT: redux.sync.add.u32 %o0, %l, -1;
MET:)";
  static const std::vector<WarpWideError> errors = {
      {"lanes of the other side of a branch", lost, 32,
       "never meets: lanes 0x0000ffff of warp 0 wait for lanes 0xffff0000 of the mask 0xffffffff: kernel k, file.ptx:",
       " are live and in the mask 0xffffffff, but not active at it with lanes 0x"},
      {"a lane outside its own mask", "vote.sync.ballot.b32 %o0, 1, 0xfffffffe;", 32,
       "vote.sync.ballot.b32: lane 0 is not in its mask 0xfffffffe: kernel k, file.ptx:",
       "vote.sync.ballot.b32: lane 0 is not in its mask 0xfffffffe: kernel k, file.ptx:"},
      {"masks that contradict each other",
       "setp.lt.u32 %p1, %l, 4; selp.b32 %r1, 0xff, 0xfffffff0, %p1; bar.warp.sync %r1; vote.sync.any.pred %p2, 1, -1;",
       32, "bar.warp.sync never meets: lanes 0x0000000f of warp 0 wait for lanes 0x000000f0 of the mask 0x000000ff",
       "bar.warp.sync: lanes 0x000000f0 of warp 0 are live and in the mask 0x000000ff, but not active at it with lanes "
       "0x0000000f"},
      {"a barrier's number", "add.u32 %r1, %w, 15; bar.sync %r1, 32;", 64,
       "barrier 16: expected a number from 0 to 15: kernel k, file.ptx:", "barrier 16: expected a number from 0 to 15"},
      {"a count that is no multiple of the warp size", "bar.sync 1, 33;", 64,
       "barrier 1 for 33 threads: expected a multiple of the warp size 32, at most the 64 of the CTA",
       "barrier 1 for 33 threads: expected a multiple of the warp size 32, at most the 64 of the CTA"},
      {"a count of nobody", "bar.arrive 1, 0;", 64, "barrier 1 for 0 threads", "barrier 1 for 0 threads"},
      {"a count above the block", "bar.sync 1, 96;", 64, "at most the 64 of the CTA", "at most the 64 of the CTA"},
      {"two barriers that never open", "add.u32 %r1, %w, 1; bar.sync %r1;", 64,
       "all threads of a block wait, and no barrier opens: barrier 1 has 32 of 64 threads, barrier 2 has 32 of 64",
       "all threads of a block wait, and no barrier opens: barrier 1 has 32 of 64 threads, barrier 2 has 32 of 64"},
      {"a count that is never reached", "setp.ne.u32 %p1, %w, 1; @%p1 exit; bar.sync 3, 64;", 96,
       "no barrier opens: barrier 3 has 32 of 64 threads", "no barrier opens: barrier 3 has 32 of 64 threads"},
      {"two counts at one barrier", "mad.lo.u32 %r1, %w, 32, 64; bar.sync 1, %r1;", 96, "barrier 1 is for ",
       "barrier 1 is for "},
      {"arrival a second time", "setp.eq.u32 %p1, %w, 0; @!%p1 bra DONE; bar.arrive 1, 64; bar.arrive 1, 64; DONE:", 64,
       "lanes 0x00000001 of warp 0 arrive at barrier 1 a second time before it opens",
       "lanes 0xffffffff of warp 0 arrive at barrier 1 a second time before it opens"},
      {"a reduction and a sync at one barrier",
       "setp.eq.u32 %p1, %w, 0; @%p1 bra A; bar.sync 1; bra DONE; A: bar.red.popc.u32 %o0, 1, %p1; DONE:", 64,
       "barrier 1 is used for a reduction and for something else at once",
       "barrier 1 is used for a reduction and for something else at once"},
      {"a barrier in divergent code", "setp.lt.u32 %p1, %l, 5; @!%p1 bra DONE; bar.sync 0; DONE: bar.sync 1;", 32,
       "all threads of a block wait, and no barrier opens: barrier 0 has 5 of 32 threads, barrier 1 has 27 of 32",
       "barrier in divergent code"},
      {"a barrier whose guard holds for a part of the warp", "setp.lt.u32 %p1, %l, 5; @%p1 bar.sync 0; bar.sync 1;", 32,
       "all threads of a block wait, and no barrier opens", "barrier in divergent code: lanes 0x0000001f of warp 0"}};
  return errors;
}

isa::Program warp_wide_program(const std::string& body, const compiler::MachineOptions& machine) {
  const std::string text = R"(.visible .entry k(.param .u64 p) {
.reg .pred %p<8>; .reg .b32 %t, %l, %w, %v, %r<16>, %o<4>; .reg .b64 %rd<16>; .shared .align 4 .b8 tile[4096];
ld.param.u64 %rd1, [p]; mov.u32 %t, %tid.x; mov.u32 %l, %laneid; mov.u32 %w, %warpid; mul.lo.u32 %v, %t, 0x9e3779b1;
mov.u32 %o0, 0; mov.u32 %o1, 0; mov.u32 %o2, 0; mov.u32 %o3, 0;
mul.wide.u32 %rd2, %t, 16; add.u64 %rd1, %rd1, %rd2;
)" + body + "\nst.global.v4.u32 [%rd1], {%o0, %o1, %o2, %o3};\nret;\n}\n";
  compiler::CompileOptions options;
  options.machine = machine;
  return compiler::compile(ptx::parse(text, "file.ptx"), "k", nullptr, options);
}

}  // namespace heddle::tests
