// SPDX-License-Identifier: Apache-2.0
// Rows of exact 32- and 64-bit floating point: every rounding, .ftz and .sat of f32.
//
// A NaN result is the canonical one (float_rounding.h). .ftz flushes subnormal operands, and results that are below the
// normal numbers after rounding to 24 bits.
#include "sim/compiler/opcodes/float_rounding.h"
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

/// The suffixes of a spelling as a type: what its functions are instantiated with.
template <Rounding R, bool Flushes, bool Saturates>
struct Mode {
  static constexpr Rounding rounding = R;

  template <class T>
  static T operand(T value) {
    return Flushes ? flush(value) : value;
  }
  template <class T>
  static T result(T value) {
    return saturated(operand(canonical(value)));
  }
  /// The result of an operation that may round where numbers are subnormal; `scaled` is it 2^64 times as large.
  template <class T, class Scaled>
  static T result(T value, Scaled scaled) {
    if constexpr (Flushes) return saturated(flush_result(canonical(value), scaled));
    return result(value);
  }
  template <class T>
  static T saturated(T value) {
    return Saturates ? saturate(value) : value;
  }
  static std::string suffixes() {
    constexpr const char* Names[] = {".rn", ".rz", ".rm", ".rp"};
    return Names[static_cast<unsigned>(R)] + unrounded();
  }
  static std::string unrounded() { return std::string(Flushes ? ".ftz" : "") + (Saturates ? ".sat" : ""); }
};

// .ftz: operands are no subnormal numbers, so those of a result near the least normal number are small enough for
// Scale. Sums are exact there.
template <class T>
constexpr T Scale = T{0x1p64};

template <class T, class M>
T add(T a, T b) {
  return M::result(sum<M::rounding>(M::operand(a), M::operand(b)));
}
template <class T, class M>
T sub(T a, T b) {
  return M::result(sum<M::rounding>(M::operand(a), -M::operand(b)));
}
template <class T, class M>
T mul(T a, T b) {
  const T x = M::operand(a), y = M::operand(b);
  return M::result(product<M::rounding>(x, y), [=] { return product<M::rounding>(x * Scale<T>, y); });
}
template <class T, class M>
T fma(T a, T b, T c) {
  const T x = M::operand(a), y = M::operand(b), z = M::operand(c);
  return M::result(product_sum<M::rounding>(x, y, z),
                   [=] { return product_sum<M::rounding>(x * Scale<T>, y, z * Scale<T>); });
}
template <class T, class M>
T div(T a, T b) {
  const T x = M::operand(a), y = M::operand(b);
  return M::result(quotient<M::rounding>(x, y), [=] { return quotient<M::rounding>(x * Scale<T>, y); });
}
template <class T, class M>
T rcp(T a) {
  return div<T, M>(T{1}, a);
}
template <class T, class M>
T sqrt(T a) {
  return M::result(square_root<M::rounding>(M::operand(a)));
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
float neg_flushed(float a) {
  return neg(flush(a));
}
float abs_flushed(float a) {
  return abs(flush(a));
}
/// PTX: the sign of a on the magnitude of b.
template <class T>
T copysign(T a, T b) {
  return from_bits<T>((to_bits(a) & SignBit<T>) | (to_bits(b) & (SignBit<T> - 1)));
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
template <float (*Function)(float, float)>
float flushed(float a, float b) {
  return Function(flush(a), flush(b));
}
/// .NaN: a NaN operand wins.
template <float (*Function)(float, float)>
float or_nan(float a, float b) {
  return a != a || b != b ? canonical(a + b) : Function(a, b);
}

/// slct: a where the third operand is not negative; a NaN selects b, -0 counts as 0.
template <class T, class C>
T select_by_sign(T a, T b, C c) {
  return c >= 0 ? a : b;
}
template <class T>
T select_by_sign_flushed(T a, T b, float c) {
  return select_by_sign(a, b, flush(c));
}

template <class T>
bool is_finite(T a) {
  return std::isfinite(a);
}
template <class T>
bool is_infinite(T a) {
  return std::isinf(a);
}
template <class T>
bool is_number(T a) {
  return a == a;
}
template <class T>
bool is_nan(T a) {
  return a != a;
}
template <class T>
bool is_subnormal(T a) {
  return a != 0 && std::fabs(a) < std::numeric_limits<T>::min();
}
/// Zero counts as normal.
template <class T>
bool is_normal(T a) {
  return std::isfinite(a) && !is_subnormal(a);
}

constexpr auto Alu = isa::Unit::Alu;
constexpr auto Multiplier = isa::Unit::Multiplier;
constexpr auto Special = isa::Unit::Special;

template <auto Function>
void row(std::vector<Opcode>& table, isa::Unit unit, const std::string& spelling) {
  compute<Function>(table, unit, {spelling.c_str()});
}

template <class T, class M>
void sums_and_products(std::vector<Opcode>& table, const std::string& type) {
  const std::string suffixes = M::suffixes() + type;
  row<&add<T, M>>(table, Alu, "add" + suffixes);
  row<&sub<T, M>>(table, Alu, "sub" + suffixes);
  row<&mul<T, M>>(table, Multiplier, "mul" + suffixes);
  row<&fma<T, M>>(table, Multiplier, "fma" + suffixes);
  row<&fma<T, M>>(table, Multiplier, "mad" + suffixes);
  if constexpr (M::rounding == Rounding::Nearest) {
    // What is written without rounding rounds to nearest.
    const std::string unrounded = M::unrounded() + type;
    row<&add<T, M>>(table, Alu, "add" + unrounded);
    row<&sub<T, M>>(table, Alu, "sub" + unrounded);
    row<&mul<T, M>>(table, Multiplier, "mul" + unrounded);
  }
}

template <class T, class M>
void quotients_and_roots(std::vector<Opcode>& table, const std::string& type) {
  row<&div<T, M>>(table, Special, "div" + M::suffixes() + type);
  row<&rcp<T, M>>(table, Special, "rcp" + M::suffixes() + type);
  row<&sqrt<T, M>>(table, Special, "sqrt" + M::suffixes() + type);
}

template <Rounding R>
void arithmetic(std::vector<Opcode>& table) {
  sums_and_products<float, Mode<R, false, false>>(table, ".f32");
  sums_and_products<float, Mode<R, false, true>>(table, ".f32");
  sums_and_products<float, Mode<R, true, false>>(table, ".f32");
  sums_and_products<float, Mode<R, true, true>>(table, ".f32");
  sums_and_products<double, Mode<R, false, false>>(table, ".f64");
  quotients_and_roots<float, Mode<R, false, false>>(table, ".f32");
  quotients_and_roots<float, Mode<R, true, false>>(table, ".f32");
  quotients_and_roots<double, Mode<R, false, false>>(table, ".f64");
}

template <class T>
void signs_and_tests(std::vector<Opcode>& table, const std::string& type) {
  row<&neg<T>>(table, Alu, "neg" + type);
  row<&abs<T>>(table, Alu, "abs" + type);
  row<&copysign<T>>(table, Alu, "copysign" + type);
  row<&min<T>>(table, Alu, "min" + type);
  row<&max<T>>(table, Alu, "max" + type);
  row<&is_finite<T>>(table, Alu, "testp.finite" + type);
  row<&is_infinite<T>>(table, Alu, "testp.infinite" + type);
  row<&is_number<T>>(table, Alu, "testp.number" + type);
  row<&is_nan<T>>(table, Alu, "testp.notanumber" + type);
  row<&is_normal<T>>(table, Alu, "testp.normal" + type);
  row<&is_subnormal<T>>(table, Alu, "testp.subnormal" + type);
}

}  // namespace

void add_float_opcodes(std::vector<Opcode>& table) {
  arithmetic<Rounding::Nearest>(table);
  arithmetic<Rounding::Zero>(table);
  arithmetic<Rounding::Down>(table);
  arithmetic<Rounding::Up>(table);
  signs_and_tests<float>(table, ".f32");
  signs_and_tests<double>(table, ".f64");
  compute<&neg_flushed>(table, Alu, {"neg.ftz.f32"});
  compute<&abs_flushed>(table, Alu, {"abs.ftz.f32"});
  compute<&flushed<&min<float>>>(table, Alu, {"min.ftz.f32"});
  compute<&flushed<&max<float>>>(table, Alu, {"max.ftz.f32"});
  compute<&or_nan<&min<float>>>(table, Alu, {"min.NaN.f32"});
  compute<&or_nan<&max<float>>>(table, Alu, {"max.NaN.f32"});
  compute<&or_nan<&flushed<&min<float>>>>(table, Alu, {"min.ftz.NaN.f32"});
  compute<&or_nan<&flushed<&max<float>>>>(table, Alu, {"max.ftz.NaN.f32"});

  compute<&select_by_sign<std::uint32_t, std::int32_t>>(
      table, Alu, {"slct.b32.s32", "slct.u32.s32", "slct.s32.s32", "slct.f32.s32"});
  compute<&select_by_sign<std::uint64_t, std::int32_t>>(
      table, Alu, {"slct.b64.s32", "slct.u64.s32", "slct.s64.s32", "slct.f64.s32"});
  compute<&select_by_sign<std::uint32_t, float>>(table, Alu,
                                                 {"slct.b32.f32", "slct.u32.f32", "slct.s32.f32", "slct.f32.f32"});
  compute<&select_by_sign<std::uint64_t, float>>(table, Alu,
                                                 {"slct.b64.f32", "slct.u64.f32", "slct.s64.f32", "slct.f64.f32"});
  // -0 counts as 0, so that a flushed c selects what c would, unless c is a negative subnormal.
  compute<&select_by_sign_flushed<std::uint32_t>>(
      table, Alu, {"slct.ftz.b32.f32", "slct.ftz.u32.f32", "slct.ftz.s32.f32", "slct.ftz.f32.f32"});
  compute<&select_by_sign_flushed<std::uint64_t>>(
      table, Alu, {"slct.ftz.b64.f32", "slct.ftz.u64.f32", "slct.ftz.s64.f32", "slct.ftz.f64.f32"});
}

}  // namespace heddle::compiler
