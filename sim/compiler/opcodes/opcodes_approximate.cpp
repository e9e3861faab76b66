// SPDX-License-Identifier: Apache-2.0
// Rows of approximate functions (.approx, .full).
//
// f32: the host's function in double, rounded once. The error is at most half a unit in the last place (2^-24 of the
// result) and what the host's double adds, which is some 2^-52: inside every bound of the PTX manual.
//
//   opcode        the manual's bound                              ours
//   rcp, sqrt     2^-23 relative                                  2^-24
//   rsqrt         2^-22.9 relative                                2^-24
//   div, div.full 2 ulp                                           0.5 ulp
//   ex2           2 ulp                                           0.5 ulp
//   lg2           2^-22 absolute in (0.5, 2), else relative       2^-24 relative
//   sin, cos      2^-20.5 absolute in [-2pi, 2pi], 2^-14.7 in     2^-25 absolute, everywhere
//                 [-100pi, 100pi]
//   tanh          2^-11 relative                                  2^-24
//
// f64: rcp and rsqrt.approx.ftz read and write the upper word only; the manual gives no bound, ours is 2^-19 relative.
// rsqrt.approx.f64 is correct to 2^-52.
#include "sim/compiler/opcodes/float_rounding.h"
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

double rcp(double a) {
  return 1 / a;
}
double sqrt(double a) {
  return std::sqrt(a);
}
double rsqrt(double a) {
  return 1 / std::sqrt(a);
}
double ex2(double a) {
  return std::exp2(a);
}
double lg2(double a) {
  return std::log2(a);
}
double sin(double a) {
  return std::sin(a);
}
double cos(double a) {
  return std::cos(a);
}
double tanh(double a) {
  return std::tanh(a);
}

template <double (*Function)(double)>
float rounded(float a) {
  return canonical(static_cast<float>(Function(a)));
}
template <double (*Function)(double)>
float rounded_flushed(float a) {
  return flush(rounded<Function>(flush(a)));
}

float div_full(float a, float b) {
  return canonical(a / b);
}
/// Computed on the GPU as a * (1 / b): where 1 / b is subnormal, it is zero.
float div_approximate(float a, float b) {
  const bool reciprocal_is_zero = std::fabs(b) > 0x1p126F && std::isfinite(b);
  return canonical(reciprocal_is_zero ? a * std::copysign(0.0F, b) : a / b);
}
template <float (*Function)(float, float)>
float flushed(float a, float b) {
  return flush(Function(flush(a), flush(b)));
}

/// The upper word of a double: 20 bits of fraction.
double upper_word(double a) {
  return from_bits<double>(to_bits(a) & 0xffffffff00000000U);
}
template <double (*Function)(double)>
double of_upper_word(double a) {
  if (a != a) return upper_word(canonical(a));
  return upper_word(canonical(flush(Function(flush(upper_word(a))))));
}
double rsqrt_f64(double a) {
  return canonical(rsqrt(a));
}

template <double (*Function)(double)>
void approximate(std::vector<Opcode>& table, const std::string& name) {
  compute<&rounded<Function>>(table, isa::Unit::Special, {(name + ".approx.f32").c_str()});
  compute<&rounded_flushed<Function>>(table, isa::Unit::Special, {(name + ".approx.ftz.f32").c_str()});
}

}  // namespace

void add_approximate_opcodes(std::vector<Opcode>& table) {
  approximate<&rcp>(table, "rcp");
  approximate<&sqrt>(table, "sqrt");
  approximate<&rsqrt>(table, "rsqrt");
  approximate<&ex2>(table, "ex2");
  approximate<&lg2>(table, "lg2");
  approximate<&sin>(table, "sin");
  approximate<&cos>(table, "cos");
  compute<&rounded<&tanh>>(table, isa::Unit::Special, {"tanh.approx.f32"});
  compute<&div_full>(table, isa::Unit::Special, {"div.full.f32"});
  compute<&flushed<&div_full>>(table, isa::Unit::Special, {"div.full.ftz.f32"});
  compute<&div_approximate>(table, isa::Unit::Special, {"div.approx.f32"});
  compute<&flushed<&div_approximate>>(table, isa::Unit::Special, {"div.approx.ftz.f32"});
  compute<&of_upper_word<&rcp>>(table, isa::Unit::Special, {"rcp.approx.ftz.f64"});
  compute<&of_upper_word<&rsqrt>>(table, isa::Unit::Special, {"rsqrt.approx.ftz.f64"});
  compute<&rsqrt_f64>(table, isa::Unit::Special, {"rsqrt.approx.f64"});
}

}  // namespace heddle::compiler
