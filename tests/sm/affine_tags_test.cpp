// SPDX-License-Identifier: Apache-2.0
// Tags of registers: what the affine unit beside the lanes may compute, and when a tag goes.
#include "sim/sm/lanes/affine_tags.h"

#include <systemc>

#include <boost/test/unit_test.hpp>

using namespace heddle;
using isa::Instruction;
using isa::Lanes;
using isa::LaneValues;
using isa::Op;
using isa::Source;
using isa::SpecialRegister;

int sc_main(int, char**) {
  return 0;  // libsystemc's own main() is not used
}

namespace {

constexpr Lanes All = 0xffffffff;
constexpr SliceWarp Warp(1);
constexpr SmWarp Row(2);
constexpr auto None = AffineTag::None, Scalar = AffineTag::Scalar, Affine = AffineTag::Affine;

Source reg(unsigned index, bool wide = false) {
  Source source;
  source.kind = Source::Kind::Register;
  source.index = static_cast<std::uint16_t>(index);
  source.wide = wide;
  return source;
}

Source immediate(std::uint64_t value) {
  Source source;
  source.kind = Source::Kind::Immediate;
  source.value = value;
  return source;
}

Source special(SpecialRegister which) {
  Source source;
  source.kind = Source::Kind::Special;
  source.index = static_cast<std::uint16_t>(which);
  return source;
}

/// A product of 32 bits each, as 64 bits.
void multiply(const LaneValues& a, const LaneValues& b, const LaneValues&, LaneValues& product) {
  for (unsigned lane = 0; lane < isa::MaxLanes; ++lane) product[lane] = (a[lane] & 0xffffffff) * (b[lane] & 0xffffffff);
}

Instruction instruction(Op op, unsigned destination, const std::array<Source, 3>& sources, bool wide = false) {
  Instruction made;
  made.op = op;
  made.destination = {static_cast<std::uint16_t>(destination), wide};
  made.sources = sources;
  made.narrowest = wide ? 64 : 32;
  made.evaluate_lanes = multiply;
  return made;
}

/// One warp of a scheduler, the first of its block.
struct Tags {
  explicit Tags(const isa::Dim3& block = {64, 1, 1}, unsigned warp = 0) {
    program.registers = 16;
    launch.program = &program;
    launch.block = block;
    threads.load(launch);
    threads[Row].warp = CtaWarp(warp);
    registers.start(Row, program);
    tags.start(Warp, All);
  }

  AffineTag of(const Instruction& what, Lanes path = All, Lanes live = All) const {
    return tags.result(what, Warp, Row, path, live);
  }
  AffineTag issue(const Instruction& what, Lanes path = All) {
    const AffineTag result = of(what, path);
    tags.issue(Warp, what.destination, result);
    return result;
  }
  AffineTag holds(unsigned index, bool wide = false) const {
    return of(instruction(Op::Copy, 15, {reg(index, wide)}, wide));
  }

  isa::Program program;
  isa::Launch launch;
  RegisterFile registers{4};
  ThreadTable threads{4, 32, {}};
  AffineTags tags{2, registers, threads};
};

const Instruction TidInto0 = instruction(Op::Copy, 0, {special(SpecialRegister::TidX)});

}  // namespace

BOOST_AUTO_TEST_CASE(operations) {
  Tags tags;
  BOOST_TEST((tags.holds(0) == None));
  BOOST_TEST((tags.issue(TidInto0) == Affine));
  BOOST_TEST((tags.issue(instruction(Op::Copy, 1, {special(SpecialRegister::CtaidX)})) == Scalar));
  const auto of = [&](Op op, std::array<Source, 3> sources) { return tags.of(instruction(op, 2, sources)); };
  const Source tid = reg(0), cta = reg(1), unknown = reg(9), three = immediate(3);
  BOOST_TEST((of(Op::Add, {tid, cta}) == Affine));
  BOOST_TEST((of(Op::Subtract, {tid, tid}) == Affine));
  BOOST_TEST((of(Op::Add, {cta, three}) == Scalar));
  BOOST_TEST((of(Op::Add, {cta, unknown}) == None));
  BOOST_TEST((of(Op::Negate, {tid}) == Affine));
  BOOST_TEST((of(Op::Multiply, {cta, tid}) == Affine));
  BOOST_TEST((of(Op::Multiply, {tid, tid}) == None));
  BOOST_TEST((of(Op::MultiplyAdd, {tid, three, tid}) == Affine));
  BOOST_TEST((of(Op::MultiplyAdd, {tid, tid, cta}) == None));
  BOOST_TEST((of(Op::MultiplyAdd, {tid, three, unknown}) == None));
  BOOST_TEST((of(Op::ShiftLeft, {tid, cta}) == Affine));
  BOOST_TEST((of(Op::ShiftLeft, {cta, tid}) == None));
  BOOST_TEST((of(Op::Other, {tid, cta}) == None));
}

BOOST_AUTO_TEST_CASE(narrow_types_and_predicates_are_the_lanes_own) {
  Tags tags;
  Instruction add = instruction(Op::Add, 2, {immediate(1), immediate(2)});
  BOOST_TEST((tags.of(add) == Scalar));
  add.narrowest = 16;
  BOOST_TEST((tags.of(add) == None));
  BOOST_TEST((tags.of(instruction(Op::Copy, isa::FirstPredicate, {immediate(1)})) == None));
}

/// A path that is not the whole warp, a warp that has lost lanes, a guard: not the unit's, and what they write is unknown.
BOOST_AUTO_TEST_CASE(divergence) {
  Tags tags;
  tags.issue(TidInto0);
  const Instruction add = instruction(Op::Add, 0, {reg(0), immediate(1)});
  BOOST_TEST((tags.of(add, 0xffff, All) == None));
  BOOST_TEST((tags.of(add, 0xffff, 0xffff) == None));
  Instruction guarded = add;
  guarded.guard.kind = Source::Kind::Predicate;
  BOOST_TEST((tags.of(guarded) == None));
  BOOST_TEST((tags.holds(0) == Affine));
  tags.issue(add, 0xffff);
  BOOST_TEST((tags.holds(0) == None));
  tags.issue(TidInto0);
  tags.issue(guarded);
  BOOST_TEST((tags.holds(0) == None));
  tags.issue(TidInto0);
  tags.tags.issue(Warp, {0, true}, None);  // a load
  BOOST_TEST((tags.holds(0) == None));
}

/// The upper half of a pair says nothing by itself, and two registers by themselves are no pair.
BOOST_AUTO_TEST_CASE(pairs) {
  Tags tags;
  const Instruction pair = instruction(Op::Copy, 2, {immediate(1)}, true);
  const Instruction low = instruction(Op::Copy, 2, {immediate(1)}), high = instruction(Op::Copy, 3, {immediate(1)});
  tags.issue(pair);
  BOOST_TEST((tags.holds(2, true) == Scalar));
  BOOST_TEST((tags.holds(2) == Scalar));
  BOOST_TEST((tags.holds(3) == None));
  tags.issue(low);
  BOOST_TEST((tags.holds(2, true) == None));
  tags.issue(pair);
  tags.issue(high);
  BOOST_TEST((tags.holds(2, true) == None));
  BOOST_TEST((tags.holds(2) == Scalar));
  tags.issue(low);
  BOOST_TEST((tags.holds(2, true) == None));
  tags.tags.issue(Warp, {2, true}, None);
  BOOST_TEST((tags.holds(2) == None));
  BOOST_TEST((tags.holds(3) == None));
}

/// tid x 2^27 stays below 2^32, and twice as much does not.
BOOST_AUTO_TEST_CASE(what_wraps_is_not_widened) {
  Tags tags;
  LaneValues values{};
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = lane;
  tags.registers.write({0, false}, Threads(Row), All, values);
  tags.issue(TidInto0);
  Instruction product = instruction(Op::Multiply, 2, {reg(0), immediate(1U << 27)}, true);
  product.narrowest = 32;
  BOOST_TEST((tags.of(product) == Affine));
  for (std::uint64_t& value : values) value = (value << 28) & 0xffffffff;
  tags.registers.write({0, false}, Threads(Row), All, values);
  BOOST_TEST((tags.of(product) == None));
}

/// tid.x counts the lanes of a warp whose threads lie in one row; then tid.y and tid.z are the same for them.
BOOST_AUTO_TEST_CASE(rows_of_a_block) {
  const Instruction y = instruction(Op::Copy, 1, {special(SpecialRegister::TidY)});
  const Instruction lane = instruction(Op::Copy, 1, {special(SpecialRegister::Laneid)});
  struct Case {
    isa::Dim3 block;
    unsigned warp;
    bool one_row;
  };
  for (const Case& c : {Case{{64, 2, 1}, 3, true}, Case{{20, 1, 1}, 0, true}, Case{{40, 2, 1}, 0, true},
                        Case{{40, 2, 1}, 1, false}, Case{{16, 4, 1}, 0, false}, Case{{1, 1, 64}, 1, false}}) {
    const Tags tags(c.block, c.warp);
    BOOST_TEST((tags.of(TidInto0) == (c.one_row ? Affine : None)));
    BOOST_TEST((tags.of(y) == (c.one_row ? Scalar : None)));
    BOOST_TEST((tags.of(lane) == Affine));
  }
}

BOOST_AUTO_TEST_CASE(values_agree) {
  LaneValues values{};
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = std::uint32_t(7 - 3 * lane);  // wraps at 32 bits
  BOOST_TEST(agrees(Affine, values, All, false));
  BOOST_TEST(!agrees(Affine, values, All, true));
  BOOST_TEST(!agrees(Scalar, values, All, false));
  BOOST_TEST(agrees(Scalar, values, 1, false));
  values[31] += 1;
  BOOST_TEST(!agrees(Affine, values, All, false));
  BOOST_TEST(agrees(Affine, values, All >> 1, false));
}
