// SPDX-License-Identifier: Apache-2.0
// The approximate functions: their error against long double, below the bounds of the PTX manual and below ours, and
// the special cases of the manual's tables.
#include <map>

#include "tests/compiler/float_semantics.h"

namespace {

using namespace heddle::tests;
using Real = long double;

constexpr unsigned Samples = 300'000;
const float Infinity = std::numeric_limits<float>::infinity();

struct Function {
  const char* opcode;
  Real (*exact)(Real);
  float from, to;       // of the operand, alike in all exponents
  bool absolute;        // the bound is that of the absolute error
  double manual, ours;  // bounds, as exponents of 2
};

Real rcp(Real a) {
  return 1 / a;
}
Real rsqrt(Real a) {
  return 1 / std::sqrt(a);
}

// Ours: half a unit in the last place, and a little for the host's own error.
constexpr double HalfUnit = -23.9999;
const Function Functions[] = {
    {"rcp.approx.f32", rcp, 0x1p-126F, 0x1p126F, false, -23, HalfUnit},
    {"sqrt.approx.f32", std::sqrt, 0x1p-149F, 0x1.fp127F, false, -23, HalfUnit},
    {"rsqrt.approx.f32", rsqrt, 0x1p-149F, 0x1.fp127F, false, -22.9, HalfUnit},
    {"ex2.approx.f32", std::exp2, 0x1p-20F, 126, false, -22, HalfUnit},
    {"lg2.approx.f32", std::log2, 0.5F, 2, true, -22, HalfUnit},
    {"lg2.approx.f32", std::log2, 0x1p-149F, 0.5F, false, -22, HalfUnit},
    {"lg2.approx.f32", std::log2, 2, 0x1.fp127F, false, -22, HalfUnit},
    {"sin.approx.f32", std::sin, 0x1p-126F, 6.2831F, true, -20.5, -24.9999},
    {"cos.approx.f32", std::cos, 0x1p-126F, 6.2831F, true, -20.5, -24.9999},
    {"sin.approx.f32", std::sin, 6.2831F, 314, true, -14.7, -24.9999},
    {"cos.approx.f32", std::cos, 6.2831F, 314, true, -14.7, -24.9999},
    {"tanh.approx.f32", std::tanh, 0x1p-126F, 100, false, -11, HalfUnit},
};

/// log2 of the largest error of f32 results that are normal.
double largest_error(const Function& function) {
  const auto& row = *heddle::compiler::find_opcode(function.opcode);
  std::mt19937_64 random(1);
  const auto from = static_cast<std::uint32_t>(bits_of(function.from)),
             to = static_cast<std::uint32_t>(bits_of(function.to));
  Real largest = 0;
  for (unsigned turn = 0; turn < Samples; ++turn) {
    const float operand = float_of<float>(from + random() % (to - from));
    const auto found = float_of<float>(row.evaluate.one(bits_of(operand), 0, 0));
    const Real exact = function.exact(operand);
    if (std::fabs(exact) < std::numeric_limits<float>::min() && !function.absolute) continue;
    const Real error = std::fabs(found - exact);
    largest = std::max(largest, function.absolute ? error : error / std::fabs(exact));
  }
  return static_cast<double>(std::log2(largest));
}

/// Units in the last place of the correctly rounded quotient.
double largest_division_error(const char* opcode) {
  const auto& row = *heddle::compiler::find_opcode(opcode);
  std::mt19937_64 random(1);
  double largest = 0;
  for (unsigned turn = 0; turn < Samples; ++turn) {
    const Bits a = random_float<float>(random), b = random_float<float>(random);
    const auto operand = [&](Bits bits) {
      return Spelling(opcode).has("ftz") ? flushed_to_zero(float_of<float>(bits)) : float_of<float>(bits);
    };
    const float dividend = operand(a), divisor = operand(b);
    const float exact = dividend / divisor, found = float_of<float>(row.evaluate.one(a, b, 0));
    const bool in_range = std::fabs(divisor) >= 0x1p-126F && std::fabs(divisor) <= 0x1p126F;
    if (!in_range || !std::isnormal(exact)) continue;
    const float unit = std::nextafter(std::fabs(exact), Infinity) - std::fabs(exact);
    largest = std::max(largest, std::fabs(static_cast<double>(found) - exact) / unit);
  }
  return largest;
}

struct Special {
  const char* opcode;
  float a, expected;
};

}  // namespace

BOOST_AUTO_TEST_CASE(errors_are_within_the_bounds) {
  for (const Function& function : Functions) {
    const double error = largest_error(function);
    BOOST_TEST_MESSAGE(function.opcode << " in [" << function.from << ", " << function.to << "]: largest "
                                       << (function.absolute ? "absolute" : "relative") << " error 2^" << error
                                       << ", the manual's bound 2^" << function.manual);
    BOOST_TEST(error < function.manual, function.opcode << ": 2^" << error);
    BOOST_TEST(error < function.ours, function.opcode << ": 2^" << error);
  }
  for (const char* opcode : {"div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"}) {
    const double error = largest_division_error(opcode);
    BOOST_TEST_MESSAGE(opcode << ": largest error " << error << " ulp from the correct quotient, the manual's bound 2");
    BOOST_TEST(error == 0.0, opcode);
  }
}

/// .ftz changes nothing where operand and result are normal.
BOOST_AUTO_TEST_CASE(flushing_rows_equal_the_others) {
  unsigned rows = 0;
  for (const auto* row : rows_of(Part::Approximate, "f32")) {
    const Spelling spelling(row->spelling);
    if (!spelling.has("ftz") || spelling.word == "div") continue;
    ++rows;
    const auto& plain = *heddle::compiler::find_opcode(spelling.word + ".approx.f32");
    std::mt19937_64 random(1);
    for (unsigned turn = 0; turn < 20'000; ++turn) {
      const Bits a = random_float<float>(random), expected = plain.evaluate.one(a, 0, 0);
      if (std::isnormal(float_of<float>(a)) && std::isnormal(float_of<float>(expected)))
        BOOST_REQUIRE_EQUAL(row->evaluate.one(a, 0, 0), expected);
    }
  }
  BOOST_TEST(rows == 7U);
  BOOST_TEST(rows_of(Part::Approximate).size() == 22U);  // all of them are in this file
}

BOOST_AUTO_TEST_CASE(special_cases_of_the_manual) {
  const float tiny = 0x1p-140F, nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Special> cases = {{"rcp", -Infinity, -0.0F},
                                      {"rcp", -0.0F, -Infinity},
                                      {"rcp", 0, Infinity},
                                      {"rcp", Infinity, 0},
                                      {"sqrt", -Infinity, nan},
                                      {"sqrt", -1, nan},
                                      {"sqrt", -0.0F, -0.0F},
                                      {"sqrt", 0, 0},
                                      {"sqrt", Infinity, Infinity},
                                      {"rsqrt", -Infinity, nan},
                                      {"rsqrt", -1, nan},
                                      {"rsqrt", -0.0F, -Infinity},
                                      {"rsqrt", 0, Infinity},
                                      {"rsqrt", Infinity, 0},
                                      {"ex2", -Infinity, 0},
                                      {"ex2", -0.0F, 1},
                                      {"ex2", 0, 1},
                                      {"ex2", Infinity, Infinity},
                                      {"ex2", 128, Infinity},
                                      {"lg2", -Infinity, nan},
                                      {"lg2", -1, nan},
                                      {"lg2", -0.0F, -Infinity},
                                      {"lg2", 0, -Infinity},
                                      {"lg2", Infinity, Infinity},
                                      {"sin", -Infinity, nan},
                                      {"sin", -0.0F, -0.0F},
                                      {"sin", 0, 0},
                                      {"sin", Infinity, nan},
                                      {"cos", -Infinity, nan},
                                      {"cos", -0.0F, 1},
                                      {"cos", 0, 1},
                                      {"cos", Infinity, nan}};
  for (const Special& special : cases) {
    for (const char* suffix : {".approx.f32", ".approx.ftz.f32"}) {
      const auto& row = *heddle::compiler::find_opcode(special.opcode + std::string(suffix));
      BOOST_TEST(row.evaluate.one(bits_of(special.a), 0, 0) == result_bits(special.expected),
                 row.spelling << " of " << special.a);
      BOOST_TEST(row.evaluate.one(0x7fc01234, 0, 0) == 0x7fffffffU, row.spelling << " of a NaN");
    }
  }
  // Subnormal operands and results are flushed by .ftz alone.
  const std::vector<Special> flushed = {
      {"rcp.approx.ftz.f32", -tiny, -Infinity}, {"rcp.approx.f32", 0x1p127F, 0x1p-127F},
      {"rcp.approx.ftz.f32", 0x1p127F, 0},      {"sqrt.approx.ftz.f32", tiny, 0},
      {"sqrt.approx.f32", tiny, 0x1p-70F},      {"rsqrt.approx.ftz.f32", tiny, Infinity},
      {"ex2.approx.ftz.f32", -130, 0},          {"ex2.approx.f32", -130, 0x1p-130F},
      {"ex2.approx.f32", -149, 0x1p-149F},      {"lg2.approx.ftz.f32", tiny, -Infinity},
      {"lg2.approx.f32", tiny, -140},           {"sin.approx.ftz.f32", -tiny, -0.0F},
      {"sin.approx.f32", -tiny, -tiny},         {"cos.approx.ftz.f32", tiny, 1},
      {"tanh.approx.f32", Infinity, 1},         {"tanh.approx.f32", -0.0F, -0.0F}};
  for (const Special& special : flushed) {
    const auto& row = *heddle::compiler::find_opcode(special.opcode);
    BOOST_TEST(row.evaluate.one(bits_of(special.a), 0, 0) == bits_of(special.expected),
               row.spelling << " of " << special.a);
  }
}

BOOST_AUTO_TEST_CASE(divisions_outside_the_range) {
  struct Division {
    const char* opcode;
    float a, b, expected;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Division& division : std::vector<Division>{{"div.approx.f32", 1, 0x1.8p126F, 0},
                                                        {"div.approx.f32", -1, 0x1.8p127F, -0.0F},
                                                        {"div.approx.f32", Infinity, -0x1.8p126F, nan},
                                                        {"div.approx.f32", 0x1p126F, 0x1p126F, 1},
                                                        {"div.approx.f32", 1, Infinity, 0},
                                                        {"div.approx.f32", 1, 0, Infinity},
                                                        {"div.approx.f32", 0, 0, nan},
                                                        {"div.approx.ftz.f32", 1, -0x1p-130F, -Infinity},
                                                        {"div.full.f32", 0x1p127F, 0x1p127F, 1},
                                                        {"div.full.f32", 0x1p-130F, 2, 0x1p-131F},
                                                        {"div.full.ftz.f32", 0x1p-125F, 4, 0}}) {
    const auto& row = *heddle::compiler::find_opcode(division.opcode);
    BOOST_TEST(row.evaluate.one(bits_of(division.a), bits_of(division.b), 0) == result_bits(division.expected),
               row.spelling << " of " << division.a << ", " << division.b);
  }
}

BOOST_AUTO_TEST_CASE(doubles) {
  const auto value = [](const char* opcode, double a) {
    return float_of<double>(heddle::compiler::find_opcode(opcode)->evaluate.one(bits_of(a), 0, 0));
  };
  std::mt19937_64 random(1);
  Real upper = 0, whole = 0;
  for (unsigned turn = 0; turn < Samples; ++turn) {
    const double a = std::fabs(float_of<double>(random_float<double>(random)));
    if (!(a > 0x1p-1000 && a < 0x1p1000)) continue;
    const double found = value("rcp.approx.ftz.f64", a), root = value("rsqrt.approx.ftz.f64", a);
    BOOST_REQUIRE(((bits_of(found) | bits_of(root)) & 0xffffffffU) == 0);
    upper = std::max({upper, std::fabs(found * Real{a} - 1), std::fabs(root * std::sqrt(Real{a}) - 1)});
    whole = std::max(whole, std::fabs(value("rsqrt.approx.f64", a) * std::sqrt(Real{a}) - 1));
  }
  BOOST_TEST_MESSAGE("rcp, rsqrt.approx.ftz.f64: largest relative error 2^"
                     << std::log2(upper) << "; rsqrt.approx.f64: 2^" << std::log2(whole));
  BOOST_TEST(upper < 0x1p-19L);
  BOOST_TEST(whole < 0x1p-52L);
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(value("rcp.approx.ftz.f64", 0x1p-1070) == infinity);
  BOOST_TEST(value("rsqrt.approx.ftz.f64", -0x1p-1070) == -infinity);
  BOOST_TEST(value("rsqrt.approx.ftz.f64", infinity) == 0);
  BOOST_TEST(bits_of(value("rsqrt.approx.ftz.f64", -1)) == 0x7fffffff00000000U);
  BOOST_TEST(bits_of(value("rcp.approx.ftz.f64", std::numeric_limits<double>::quiet_NaN())) == 0x7fffffff00000000U);
  BOOST_TEST(value("rsqrt.approx.f64", 4) == 0.5);
}
