// SPDX-License-Identifier: Apache-2.0
// What opcodes compute, at the edges: each case is a spelling, operands and the result, by PTX's definition.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "tests/compiler/opcode_semantics.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
using Bits = std::uint64_t;

namespace {

struct Case {
  const char* spelling;
  Bits a, b, c, expected;
};

Bits f(float value) {
  return compiler::to_bits(value);
}
Bits d(double value) {
  return compiler::to_bits(value);
}

void check(const std::vector<Case>& cases) {
  for (const Case& test : cases) {
    const compiler::Opcode* row = compiler::find_opcode(test.spelling);
    BOOST_REQUIRE_MESSAGE(row != nullptr, test.spelling);
    const Bits found = row->evaluate.one(test.a, test.b, test.c);
    BOOST_TEST(found == test.expected, test.spelling << " of " << std::hex << test.a << ", " << test.b << ", " << test.c
                                                     << ": " << found << ", expected " << test.expected);
  }
}

constexpr Bits Min32 = 0x80000000U, Ones32 = 0xffffffffU, Min64 = 0x8000000000000000U, Ones64 = ~Bits{0};
constexpr Bits Nan32 = 0x7fffffffU, Nan64 = 0x7fffffffffffffffU;
const float Infinity = std::numeric_limits<float>::infinity();

}  // namespace

BOOST_AUTO_TEST_CASE(integers) {
  check({
      {"add.s32", 0x7fffffff, 1, 0, Min32},
      {"add.u32", 0xdead00000001, 2, 0, 3},  // bits above the operand's width do not matter
      {"add.s16", 0x7fff, 1, 0, 0x8000},
      {"sub.u64", 0, 1, 0, Ones64},
      {"mul.lo.s32", 0x10001, 0x10001, 0, 0x20001},
      {"mul.hi.u32", Ones32, Ones32, 0, 0xfffffffe},
      {"mul.hi.s32", Ones32, Ones32, 0, 0},
      {"mul.hi.s32", Min32, 2, 0, Ones32},
      {"mul.hi.u64", Ones64, Ones64, 0, Ones64 - 1},
      {"mul.hi.s64", Min64, Min64, 0, 0x4000000000000000},
      {"mul.wide.s32", Ones32, 5, 0, Ones64 - 4},
      {"mul.wide.u32", Ones32, 5, 0, 0x4fffffffb},
      {"mul.wide.s16", 0xffff, 3, 0, 0xfffffffd},
      {"mul.wide.u16", 0xffff, 0xffff, 0, 0xfffe0001},
      {"mad.lo.s32", 3, 4, Ones32, 11},
      {"mad.wide.s32", Ones32, 1, 1, 0},
      {"mad.hi.u32", Min32, 4, 1, 3},
      {"div.s32", 7, Ones32 - 1, 0, Ones32 - 2},
      {"div.s32", 7, 0, 0, Ones32},
      {"div.u64", 7, 0, 0, Ones64},
      {"div.s32", Min32, Ones32, 0, Min32},
      {"div.s64", Min64, Ones64, 0, Min64},
      {"rem.s32", Ones32 - 6, 3, 0, Ones32},
      {"rem.s32", Min32, Ones32, 0, 0},
      {"rem.u32", 7, 0, 0, Ones32},
      {"rem.s64", 7, 0, 0, Ones64},
      {"abs.s32", Ones32, 0, 0, 1},
      {"abs.s32", Min32, 0, 0, Min32},
      {"neg.s64", 1, 0, 0, Ones64},
      {"min.s32", Ones32, 1, 0, Ones32},
      {"min.u32", Ones32, 1, 0, 1},
      {"max.s64", Ones64, 1, 0, 1},
      {"max.u16", 0xffff, 1, 0, 0xffff},
  });
}

BOOST_AUTO_TEST_CASE(logic_shifts_and_bits) {
  check({
      {"and.pred", 1, 0, 0, 0},
      {"xor.pred", 1, 1, 0, 0},
      {"not.pred", 0, 0, 0, 1},
      {"not.b32", 0, 0, 0, Ones32},
      {"not.b16", 0, 0, 0, 0xffff},
      {"not.b64", 0, 0, 0, Ones64},
      {"shl.b32", 1, 31, 0, Min32},
      {"shl.b32", 1, 32, 0, 0},
      {"shl.b64", 1, 0x100000000, 0, 1},  // the amount is 32 bits wide
      {"shl.b16", 0xffff, 8, 0, 0xff00},
      {"shr.u32", Min32, 31, 0, 1},
      {"shr.u32", Min32, 32, 0, 0},
      {"shr.s32", Min32, 40, 0, Ones32},
      {"shr.s64", Min64, 200, 0, Ones64},
      {"shr.u64", Ones64, 64, 0, 0},
      {"selp.b32", 1, 2, 0, 2},
      {"selp.f64", 1, 2, 1, 1},
      {"slct.f32.s32", 1, 2, Ones32, 2},
      {"slct.u32.f32", 1, 2, f(-0.0F), 1},
      {"bfe.u32", 0x00abcd00, 8, 8, 0xcd},
      {"bfe.s32", 0x00abcd00, 8, 8, 0xffffffcd},
      {"bfe.u32", Ones32, 28, 8, 0xf},
      {"bfe.s32", Min32, 28, 8, 0xfffffff8},
      {"bfe.s32", Ones32, 5, 0, 0},
      {"bfe.u32", Ones32, 32, 4, 0},
      {"bfe.u64", Ones64, 60, 64, 0xf},
      {"bfe.u32", Ones32, 0x104, 0x108, 0xff},
      {"bfe.u64", Ones64, 4, 0x108, Ones64 >> 4},
      {"bfe.u64", Ones64, 0x104, 8, 0},
      {"popc.b64", Ones64, 0, 0, 64},
      {"clz.b32", 0, 0, 0, 32},
      {"clz.b64", 1, 0, 0, 63},
      {"brev.b32", 1, 0, 0, Min32},
      {"shf.l.wrap.b32", 0x80000001, 0x80000001, 33, 3},
      {"shf.r.wrap.b32", 1, 2, 0, 1},
      {"shf.l.clamp.b32", 5, 6, 40, 5},
      {"shf.r.clamp.b32", 5, 6, 40, 6},
      {"mov.b64 {", 0xffffffff12345678, 0x9abcdef0, 0, 0x9abcdef012345678},
  });
}

BOOST_AUTO_TEST_CASE(floats) {
  check({
      {"add.f32", f(0.1F), f(0.2F), 0, f(0.1F + 0.2F)},
      {"add.f32", f(Infinity), f(-Infinity), 0, Nan32},
      {"sub.rn.f64", d(1), d(0.9), 0, d(1 - 0.9)},
      {"mul.f32", f(1e-30F), f(1e-10F), 0, f(1e-30F * 1e-10F)},  // subnormal: not flushed
      {"fma.rn.f32", f(1 + 0x1p-12F), f(1 + 0x1p-12F), f(-1 - 0x1p-11F), f(0x1p-24F)},
      {"fma.rn.f64", d(3), d(4), d(5), d(17)},
      {"div.rn.f32", f(1), f(0), 0, f(Infinity)},
      {"div.rn.f64", d(0), d(0), 0, Nan64},
      {"rcp.rn.f32", f(-0.0F), 0, 0, f(-Infinity)},
      {"sqrt.rn.f32", f(2), 0, 0, f(std::sqrt(2.0F))},
      {"sqrt.rn.f64", d(-1), 0, 0, Nan64},
      {"neg.f32", 0x7fc00001, 0, 0, 0xffc00001},
      {"abs.f64", d(-0.0), 0, 0, d(0)},
      {"min.f32", Nan32, f(3), 0, f(3)},
      {"max.f32", f(3), Nan32, 0, f(3)},
      {"min.f32", f(0), f(-0.0F), 0, f(-0.0F)},
      {"max.f64", d(-0.0), d(0), 0, d(0)},
      {"min.f64", Nan64, Nan64, 0, Nan64},
  });
}

BOOST_AUTO_TEST_CASE(comparisons) {
  check({
      {"setp.lt.s32", Ones32, 0, 0, 1},
      {"setp.lt.u32", Ones32, 0, 0, 0},
      {"setp.lo.u32", 1, 2, 0, 1},
      {"setp.hs.u64", 2, 2, 0, 1},
      {"setp.eq.b16", 0x10001, 1, 0, 1},
      {"setp.ne.s64", 1, 1, 0, 0},
      {"setp.eq.f32", Nan32, Nan32, 0, 0},
      {"setp.ne.f32", Nan32, f(1), 0, 0},
      {"setp.neu.f32", Nan32, f(1), 0, 1},
      {"setp.equ.f64", Nan64, d(1), 0, 1},
      {"setp.ltu.f32", Nan32, f(1), 0, 1},
      {"setp.geu.f32", f(0), f(1), 0, 0},
      {"setp.num.f32", f(0), f(1), 0, 1},
      {"setp.nan.f64", d(0), Nan64, 0, 1},
      {"setp.eq.f32", f(0), f(-0.0F), 0, 1},
      {"setp.lt.and.s32", 0, 1, 0, 0},
      {"setp.lt.or.s32", 1, 0, 1, 1},
      {"setp.lt.xor.s32", 0, 1, 1, 0},
  });
  const compiler::Opcode& unordered = *compiler::find_opcode("setp.lt.and.f32");
  BOOST_TEST(unordered.inverse.one(Nan32, f(1), 1) == 1U);  // q: not (a < b), and c
}

BOOST_AUTO_TEST_CASE(conversions) {
  check({
      {"cvt.s64.s32", Ones32, 0, 0, Ones64},
      {"cvt.u64.u32", Ones32, 0, 0, Ones32},
      {"cvt.s32.s8", 0x1ff, 0, 0, Ones32},
      {"cvt.u32.u8", 0x1ff, 0, 0, 0xff},
      {"cvt.u16.u64", 0x123456789, 0, 0, 0x6789},
      {"cvt.s16.s8", 0x80, 0, 0, 0xffffff80},  // extended to the whole register
      {"cvt.rzi.s32.f32", f(-2.9F), 0, 0, Ones32 - 1},
      {"cvt.rni.s32.f32", f(2.5F), 0, 0, 2},
      {"cvt.rni.s32.f32", f(3.5F), 0, 0, 4},
      {"cvt.rmi.s32.f64", d(-2.1), 0, 0, Ones32 - 2},
      {"cvt.rpi.s32.f64", d(2.1), 0, 0, 3},
      {"cvt.rzi.s32.f32", f(1e20F), 0, 0, 0x7fffffff},
      {"cvt.rzi.s32.f32", f(-1e20F), 0, 0, Min32},
      {"cvt.rzi.u32.f32", f(-1), 0, 0, 0},
      {"cvt.rzi.u64.f64", d(1.8446744073709552e19), 0, 0, Ones64},
      {"cvt.rzi.s32.f32", Nan32, 0, 0, 0},
      {"cvt.rn.f32.s32", Ones32, 0, 0, f(-1)},
      {"cvt.rn.f32.u32", Ones32, 0, 0, f(4294967296.0F)},
      {"cvt.rz.f32.u32", Ones32, 0, 0, f(4294967040.0F)},
      {"cvt.rm.f32.s32", 0x80000001, 0, 0, f(-2147483648.0F)},
      {"cvt.rz.f32.s32", 0x80000001, 0, 0, f(-2147483520.0F)},
      {"cvt.rp.f32.s32", 0x01000001, 0, 0, f(16777218.0F)},
      {"cvt.rz.f64.u64", Ones64, 0, 0, d(18446744073709549568.0)},
      {"cvt.rn.f64.u32", 7, 0, 0, d(7)},
      {"cvt.f64.f32", f(0.1F), 0, 0, d(0.1F)},
      {"cvt.rn.f32.f64", d(0.1), 0, 0, f(0.1F)},
      {"cvt.rz.f32.f64", d(1e300), 0, 0, f(std::numeric_limits<float>::max())},
      {"cvt.rn.f32.f64", d(1e300), 0, 0, f(Infinity)},
      {"cvt.rm.f32.f64", d(0.1), 0, 0, f(std::nextafter(0.1F, 0.0F))},
      {"cvt.rni.f32.f32", f(-0.4F), 0, 0, f(-0.0F)},
  });
}

BOOST_AUTO_TEST_CASE(every_row_has_a_reference) {
  using namespace heddle::tests;
  for (const compiler::Opcode& row : compiler::opcode_table())
    if (row.evaluate.one != nullptr || row.pattern == compiler::Pattern::WarpWide)
      BOOST_TEST((part_of(Spelling(row.spelling)) != Part::None),
                 row.spelling << " is tested by no compiler_*_semantics");
}

BOOST_AUTO_TEST_CASE(every_row_computes_lanes_as_it_computes_one) {
  const Bits edges[] = {0,
                        1,
                        2,
                        31,
                        32,
                        33,
                        63,
                        64,
                        0x7f,
                        0x80,
                        0xff,
                        0x7fff,
                        0x8000,
                        0x7fffffff,
                        Min32,
                        Ones32,
                        Min64,
                        Ones64,
                        Nan64,
                        0x3f800000,
                        0xbf800000,
                        0x80000000,
                        0x7f800000,
                        0x7fc01234,
                        0x00000001,
                        0x3ff0000000000000,
                        0xbff8000000000000,
                        0x7ff0000000000000,
                        0x7ff8000000001234,
                        0xc1e0000000200000,
                        0x43e0000000000000,
                        0x123456789abcdef0};
  std::set<std::string> spellings;
  unsigned computing = 0;
  for (const compiler::Opcode& row : compiler::opcode_table()) {
    BOOST_TEST(spellings.insert(row.spelling).second, row.spelling << " is in the table twice");
    if (row.evaluate.one == nullptr) continue;
    ++computing;
    for (unsigned turn = 0; turn < isa::MaxLanes; ++turn) {
      isa::LaneValues a{}, b{}, c{}, found{};
      for (unsigned lane = 0; lane < isa::MaxLanes; ++lane) {
        a[lane] = edges[lane];
        b[lane] = edges[(lane + turn) % std::size(edges)];
        c[lane] = edges[(lane * 7 + turn) % std::size(edges)];
      }
      row.evaluate.lanes(a, b, c, found);
      for (unsigned lane = 0; lane < isa::MaxLanes; ++lane) {
        const Bits expected = row.evaluate.one(a[lane], b[lane], c[lane]);
        if (found[lane] != expected) BOOST_ERROR(row.spelling << " lane " << lane << " turn " << turn);
      }
    }
  }
  BOOST_TEST_MESSAGE(computing << " rows compute");
  BOOST_TEST(computing > 1800U);
}
