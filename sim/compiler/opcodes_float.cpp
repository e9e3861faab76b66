// Rows of 32- and 64-bit floating point, round to nearest even, no flush to zero, no approximation.
//
// A NaN result is the canonical one (0x7fffffff, 0x7fffffffffffffff), as on the GPU for f32 and ours for f64: the
// host's payloads depend on how the compiler orders operands, and results must not.
#include <cmath>

#include "sim/compiler/opcode_rows.h"

namespace heddle::compiler {
namespace {

template <class T>
using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
constexpr Word<T> SignBit = Word<T>{1} << (8 * sizeof(T) - 1);

template <class T>
T canonical(T value) {
  return value != value ? from_bits<T>(SignBit<T> - 1) : value;
}

template <class T>
T add(T a, T b) {
  return canonical(a + b);
}
template <class T>
T sub(T a, T b) {
  return canonical(a - b);
}
template <class T>
T mul(T a, T b) {
  return canonical(a * b);
}
template <class T>
T fma(T a, T b, T c) {
  return canonical(std::fma(a, b, c));
}
template <class T>
T div(T a, T b) {
  return canonical(a / b);
}
template <class T>
T rcp(T a) {
  return canonical(T{1} / a);
}
template <class T>
T sqrt(T a) {
  return canonical(std::sqrt(a));
}

// Bits, not values: the sign of a NaN and of zero too.
template <class T>
T neg(T a) {
  return from_bits<T>(to_bits(a) ^ SignBit<T>);
}
template <class T>
T abs(T a) {
  return from_bits<T>(to_bits(a) & (SignBit<T> - 1));
}

// PTX: the operand that is a number wins over a NaN, and -0 is below +0.
template <class T>
bool is_below(T a, T b) {
  return a < b || (a == b && to_bits(a) > to_bits(b) && a == 0);
}
template <class T>
T min(T a, T b) {
  return canonical(b != b || is_below(a, b) ? a : a != a || is_below(b, a) ? b : a);
}
template <class T>
T max(T a, T b) {
  return canonical(b != b || is_below(b, a) ? a : a != a || is_below(a, b) ? b : a);
}

/// slct: a where the third operand is not negative; a NaN selects b, -0 counts as 0.
template <class T, class C>
T select_by_sign(T a, T b, C c) {
  return c >= 0 ? a : b;
}

}  // namespace

void add_float_opcodes(std::vector<Opcode>& table) {
  using isa::Unit;
  const auto alu = Unit::Alu;
  const auto multiplier = Unit::Multiplier;
  const auto special = Unit::Special;

  compute<&add<float>>(table, alu, {"add.f32", "add.rn.f32"});
  compute<&add<double>>(table, alu, {"add.f64", "add.rn.f64"});
  compute<&sub<float>>(table, alu, {"sub.f32", "sub.rn.f32"});
  compute<&sub<double>>(table, alu, {"sub.f64", "sub.rn.f64"});
  compute<&mul<float>>(table, multiplier, {"mul.f32", "mul.rn.f32"});
  compute<&mul<double>>(table, multiplier, {"mul.f64", "mul.rn.f64"});
  compute<&fma<float>>(table, multiplier, {"fma.rn.f32", "mad.rn.f32"});
  compute<&fma<double>>(table, multiplier, {"fma.rn.f64", "mad.rn.f64"});
  compute<&div<float>>(table, special, {"div.rn.f32"});
  compute<&div<double>>(table, special, {"div.rn.f64"});
  compute<&rcp<float>>(table, special, {"rcp.rn.f32"});
  compute<&rcp<double>>(table, special, {"rcp.rn.f64"});
  compute<&sqrt<float>>(table, special, {"sqrt.rn.f32"});
  compute<&sqrt<double>>(table, special, {"sqrt.rn.f64"});
  compute<&neg<float>>(table, alu, {"neg.f32"});
  compute<&neg<double>>(table, alu, {"neg.f64"});
  compute<&abs<float>>(table, alu, {"abs.f32"});
  compute<&abs<double>>(table, alu, {"abs.f64"});
  compute<&min<float>>(table, alu, {"min.f32"});
  compute<&min<double>>(table, alu, {"min.f64"});
  compute<&max<float>>(table, alu, {"max.f32"});
  compute<&max<double>>(table, alu, {"max.f64"});

  compute<&select_by_sign<std::uint32_t, std::int32_t>>(
      table, alu, {"slct.b32.s32", "slct.u32.s32", "slct.s32.s32", "slct.f32.s32"});
  compute<&select_by_sign<std::uint64_t, std::int32_t>>(
      table, alu, {"slct.b64.s32", "slct.u64.s32", "slct.s64.s32", "slct.f64.s32"});
  compute<&select_by_sign<std::uint32_t, float>>(table, alu,
                                                 {"slct.b32.f32", "slct.u32.f32", "slct.s32.f32", "slct.f32.f32"});
  compute<&select_by_sign<std::uint64_t, float>>(table, alu,
                                                 {"slct.b64.f32", "slct.u64.f32", "slct.s64.f32", "slct.f64.f32"});
}

}  // namespace heddle::compiler
