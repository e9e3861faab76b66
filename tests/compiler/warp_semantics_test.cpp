// SPDX-License-Identifier: Apache-2.0
// Rows of warp-wide operations against references that follow the pseudocode of the PTX manual, thread by thread.
#include "sim/isa/warp_wide.h"
#include "tests/compiler/opcode_semantics.h"

namespace isa = heddle::isa;
namespace compiler = heddle::compiler;
using namespace heddle::tests;

namespace {

constexpr unsigned Lanes = isa::MaxLanes;

/// The operands of a whole warp, and who takes part.
struct WarpOperands {
  std::array<Bits, Lanes> a{}, b{}, c{};
  std::uint32_t lanes = 0;
  bool takes_part(unsigned lane) const { return (lanes >> lane & 1) != 0; }
};

// ---- shfl: "Data Movement and Conversion Instructions: shfl" ----

struct Shuffle {
  unsigned lane;
  bool in_range;
};

Shuffle shuffle(const std::string& mode, unsigned lane, Bits b, Bits c) {
  const int own = static_cast<int>(lane), bval = static_cast<int>(b & 0x1f), cval = static_cast<int>(c & 0x1f);
  const int segmask = static_cast<int>(c >> 8 & 0x1f);
  const int max_lane = (own & segmask) | (cval & ~segmask & 0x1f), min_lane = own & segmask;
  int j = 0;
  bool pval = false;
  if (mode == "up") {
    j = own - bval;
    pval = j >= max_lane;
  } else if (mode == "down") {
    j = own + bval;
    pval = j <= max_lane;
  } else if (mode == "bfly") {
    j = own ^ bval;
    pval = j <= max_lane;
  } else {
    j = min_lane | (bval & ~segmask & 0x1f);
    pval = j <= max_lane;
  }
  return {static_cast<unsigned>(pval ? j : own), pval};
}

// ---- What each lane gets ----

using WarpReference = std::function<Bits(const WarpOperands& in, unsigned lane)>;

template <class Predicate>
std::uint32_t lanes_where(const WarpOperands& in, Predicate holds) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (in.takes_part(lane) && holds(lane)) mask |= 1U << lane;
  return mask;
}

Bits reduction(const Spelling& s, const WarpOperands& in) {
  const bool is_signed = s.has("s32");
  std::int64_t best = 0;
  std::uint64_t sum = 0;
  std::uint32_t all = ~0U, any = 0, parity = 0;
  bool first = true;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!in.takes_part(lane)) continue;
    const auto word = static_cast<std::uint32_t>(in.a[lane]);
    const std::int64_t number = is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(word)) : word;
    sum += word;
    all &= word, any |= word, parity ^= word;
    const bool better = s.has("min") ? number < best : number > best;
    if (first || better) best = number;
    first = false;
  }
  if (s.has("add")) return sum & 0xffffffff;
  if (s.has("and")) return all;
  if (s.has("or")) return any;
  if (s.has("xor")) return parity;
  return static_cast<std::uint32_t>(best);
}

Bits match(const Spelling& s, const WarpOperands& in, unsigned lane) {
  const Bits mask = s.has("b64") ? ~Bits{0} : 0xffffffff;
  const auto same = [&](unsigned other) { return (in.a[other] & mask) == (in.a[lane] & mask); };
  const std::uint32_t equal = lanes_where(in, same);
  return s.has("any") || equal == in.lanes ? equal : 0;
}

Bits vote(const Spelling& s, const WarpOperands& in) {
  const std::uint32_t trues = lanes_where(in, [&](unsigned lane) { return in.a[lane] != 0; });
  if (s.has("ballot")) return trues;
  if (s.has("all")) return trues == in.lanes;
  if (s.has("any")) return trues != 0;
  return trues == in.lanes || trues == 0;
}

WarpReference reference_of(const Spelling& s) {
  if (s.word == "shfl") {
    const std::string mode = s.last(1);
    return [mode](const WarpOperands& in, unsigned lane) -> Bits {
      const unsigned from = shuffle(mode, lane, in.b[lane], in.c[lane]).lane;
      // A lane that takes no part has no value to give: the reader keeps its own (ours).
      return in.a[in.takes_part(from) ? from : lane] & 0xffffffff;
    };
  }
  if (s.word == "vote") return [s](const WarpOperands& in, unsigned) { return vote(s, in); };
  if (s.word == "match") return [s](const WarpOperands& in, unsigned lane) { return match(s, in, lane); };
  if (s.word == "redux") return [s](const WarpOperands& in, unsigned) { return reduction(s, in); };
  if (s.word == "activemask") return [](const WarpOperands& in, unsigned) -> Bits { return in.lanes; };
  if (s.word == "elect")
    return [](const WarpOperands& in, unsigned) -> Bits { return static_cast<unsigned>(__builtin_ctz(in.lanes)); };
  return nullptr;
}

/// Sets of lanes: all, one, halves, odd ones, what the last warp of a block has, random ones.
std::uint32_t lanes_of(unsigned turn, std::mt19937_64& random) {
  const std::uint32_t sets[] = {~0U, 1, 0x80000000U, 0xffff, 0xffff0000U, 0xaaaaaaaaU, 0xff, 0x7fffffff};
  if (turn < std::size(sets)) return sets[turn];
  const auto lanes = static_cast<std::uint32_t>(random());
  return lanes == 0 ? 1 : lanes;
}

/// Values of one kind a turn: equal, few different, zeros with signs, edges, anything.
Bits value(unsigned turn, compiler::Class width, std::mt19937_64& random) {
  const Bits few[] = {0, 0x80000000, 0x8000000000000000, 0x7fffffff, 0xffffffff, 1};
  const Bits bits = turn % 5 == 0   ? 0x8000000012345678
                    : turn % 5 == 1 ? few[random() % 2]
                    : turn % 5 == 2 ? few[random() % std::size(few)]
                    : turn % 5 == 3 ? random() % 3
                                    : random();
  if (width == compiler::Class::Predicate) return turn % 5 == 0 ? turn / 5 % 2 : bits & 1;
  return width == compiler::Class::Wide ? bits : bits & 0xffffffff;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exchanges) {
  std::mt19937_64 random(1);
  unsigned rows = 0;
  for (const compiler::Opcode& row : compiler::opcode_table()) {
    if (row.pattern != compiler::Pattern::WarpWide || row.warp_op == isa::WarpOp::None) continue;
    const Spelling spelling(row.spelling);
    const WarpReference reference = reference_of(spelling);
    BOOST_REQUIRE_MESSAGE(reference != nullptr, row.spelling << " has no reference");
    ++rows;
    unsigned failures = 0;
    for (unsigned turn = 0; turn < 2000 && failures < 4; ++turn) {
      WarpOperands in;
      in.lanes = lanes_of(turn, random);
      // The limits of CUDA's widths, then any bits.
      const Bits limits = turn % 2 == 0 ? Bits{0x1f} << (8 + random() % 6) | (random() % 2 != 0 ? 0x1f : 0) : random();
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        in.a[lane] = value(turn, row.operands[0], random);
        in.b[lane] = turn % 3 == 0 ? turn / 3 % 34 : random() & 0xffffffff;
        in.c[lane] = limits & 0xffffffff;
      }
      isa::Instruction instruction;
      instruction.warp_op = row.warp_op;
      instruction.lane_limits = static_cast<std::uint16_t>(limits & isa::LimitBits);
      isa::LaneValues found;
      found.fill(0xdead);
      isa::exchange(instruction, in.lanes, in.a, in.b, found);
      // The same with the limits in the lane's register.
      isa::LaneValues packed = found;
      if (spelling.word == "shfl") {
        isa::LaneValues b{};
        for (unsigned lane = 0; lane < Lanes; ++lane)
          b[lane] = compiler::find_opcode("shfl.limits {")->evaluate.one(in.b[lane], in.c[lane], 0);
        instruction.lane_limits = isa::LimitsInSource;
        isa::exchange(instruction, in.lanes, in.a, b, packed);
      }
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        const Bits expected = in.takes_part(lane) ? reference(in, lane) : 0xdead;
        if (found[lane] == expected && packed[lane] == expected) continue;
        ++failures;
        BOOST_ERROR(row.spelling << " lane " << lane << " turn " << turn << std::hex << ": " << found[lane] << " and "
                                 << packed[lane] << ", expected " << expected);
      }
    }
  }
  BOOST_TEST(rows == 35U);
}

BOOST_AUTO_TEST_CASE(predicates_of_shuffles) {
  const std::pair<isa::WarpOp, const char*> modes[] = {{isa::WarpOp::ShuffleUp, "up"},
                                                       {isa::WarpOp::ShuffleDown, "down"},
                                                       {isa::WarpOp::ShuffleButterfly, "bfly"},
                                                       {isa::WarpOp::ShuffleIndex, "idx"}};
  for (const auto& [op, mode] : modes) {
    const compiler::Opcode* row = compiler::find_opcode(compiler::in_range_of_shuffle(op));
    BOOST_REQUIRE(row != nullptr);
    for (unsigned lane = 0; lane < Lanes; ++lane)
      for (Bits b = 0; b < 40; ++b)
        for (Bits c = 0; c < 0x2000; c += 7)
          if (row->evaluate.one(b, c, lane) != (shuffle(mode, lane, b, c).in_range ? 1U : 0U))
            BOOST_ERROR(mode << " lane " << lane << " b " << b << " c " << c);
  }
}

BOOST_AUTO_TEST_CASE(who_meets) {
  isa::LaneValues masks{};
  for (unsigned lane = 0; lane < Lanes; ++lane) masks[lane] = lane < 8 ? 0xffff : 0xffffff00;
  // Lanes 0 to 7 name 8 to 15 too, which name others.
  isa::Members members = isa::members_of_lowest(0xffffffff, 0xffffffff, masks);
  BOOST_TEST(members.lanes == 0xffU);
  BOOST_TEST(members.missing == 0xff00U);
  BOOST_TEST(members.names_itself);
  // They are gone, or never were.
  BOOST_TEST(isa::members_of_lowest(0xff, 0xffff00ff, masks).missing == 0U);
  members = isa::members_of_lowest(0xffffff00, 0xffffff00, masks);
  BOOST_TEST(members.lanes == 0xffffff00U);
  BOOST_TEST(members.missing == 0U);
  masks[9] = 0xfffffd00;
  BOOST_TEST(!isa::members_of_lowest(0x200, 0x200, masks).names_itself);
}
