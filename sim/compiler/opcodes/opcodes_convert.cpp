// SPDX-License-Identifier: Apache-2.0
// Rows of cvt: between integers, between floats of 16, 32 and 64 bits, and across, with the rounding that the suffix
// names, .ftz and .sat.
//
// Float to integer clamps to the target's range. A NaN gives 0, or, if the source or the target has 64 bits, the
// target's top bit alone (PTX ISA, cvt).
#include <algorithm>

#include "sim/compiler/opcodes/half.h"
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

template <class To, class From>
To resize(From value) {
  return static_cast<To>(value);
}

/// cvt.sat: the nearest integer that To has.
template <class To, class From>
To clamp(From value) {
  __extension__ using Any = __int128;
  constexpr Any least = +std::numeric_limits<To>::min(), most = +std::numeric_limits<To>::max();
  return static_cast<To>(std::clamp(static_cast<Any>(+value), least, most));
}

// An f16 is computed with as a float.
float value_of(Half value) {
  return widen(value);
}
template <class F>
F value_of(F value) {
  return value;
}

/// .ftz concerns f32 alone, on both sides of a conversion.
template <bool Flushes, class F>
F flushed(F value) {
  if constexpr (Flushes && std::is_same_v<F, float>) return flush(value);
  return value;
}

template <class I, class F, Rounding R, bool Flushes>
I float_to_integer(F from) {
  const auto value = value_of(flushed<Flushes>(from));
  constexpr int Digits = std::numeric_limits<I>::digits;
  constexpr bool ZeroOfNan = sizeof(I) < 8 && sizeof(F) < 8;
  const auto limit = std::ldexp(decltype(value){1}, Digits);  // one past the largest
  const auto rounded = round_to_integral<R>(value);
  if (rounded != rounded) return ZeroOfNan ? I{0} : static_cast<I>(std::uint64_t{1} << (8 * sizeof(I) - 1));
  if (rounded >= limit) return std::numeric_limits<I>::max();
  if (rounded < (std::is_signed_v<I> ? -limit : 0)) return std::numeric_limits<I>::min();
  return static_cast<I>(rounded);
}

template <class F, class I, Rounding R>
F round_integer(I value) {
  if constexpr (std::is_same_v<F, Half>) {
    return to_half<R>(static_cast<double>(value));  // what double rounds is past the largest f16
  } else {
    __extension__ using Exact = __int128;
    const F nearest = static_cast<F>(value);
    const Exact exact = +value, rounded = static_cast<Exact>(nearest);  // |nearest| <= 2^64: fits
    return adjust<R>(nearest, rounded > exact, rounded < exact, exact < 0);
  }
}

/// Rounds a double, as which every float is exact.
template <class F, Rounding R>
F round_double(double value) {
  if constexpr (std::is_same_v<F, Half>) {
    return to_half<R>(value);
  } else {
    const F nearest = static_cast<F>(value);
    if (std::isinf(value)) return nearest;
    const double rounded = nearest;
    return canonical(adjust<R>(nearest, rounded > value, rounded < value, value < 0));
  }
}

template <bool Saturates, class F>
F saturated(F value) {
  if constexpr (!Saturates) {
    return value;
  } else if constexpr (std::is_same_v<F, Half>) {
    return to_half<Rounding::Nearest>(saturate(widen(value)));
  } else {
    return saturate(value);
  }
}

template <class F, class I, Rounding R, bool Saturates>
F integer_to_float(I value) {
  return saturated<Saturates>(round_integer<F, I, R>(value));
}

template <class To, class From, Rounding R, bool Flushes, bool Saturates>
To float_to_float(From from) {
  const double value = value_of(flushed<Flushes>(from));
  const auto rounded = round_double<To, R>(value);
  if constexpr (Flushes && std::is_same_v<To, float>)
    return saturated<Saturates>(flush_result(rounded, [=] { return round_double<To, R>(value * 0x1p64); }));
  return saturated<Saturates>(rounded);
}

template <class F, Rounding R, bool Flushes, bool Saturates>
F float_to_integral(F from) {
  const auto rounded = round_to_integral<R>(value_of(flushed<Flushes>(from)));
  return saturated<Saturates>(round_double<F, Rounding::Nearest>(rounded));
}

template <class T>
struct Type {
  const char* suffix;
};
constexpr Type<std::uint8_t> U8{".u8"};
constexpr Type<std::int8_t> S8{".s8"};
constexpr Type<std::uint16_t> U16{".u16"};
constexpr Type<std::int16_t> S16{".s16"};
constexpr Type<std::uint32_t> U32{".u32"};
constexpr Type<std::int32_t> S32{".s32"};
constexpr Type<std::uint64_t> U64{".u64"};
constexpr Type<std::int64_t> S64{".s64"};
constexpr Type<Half> F16{".f16"};
constexpr Type<float> F32{".f32"};
constexpr Type<double> F64{".f64"};

/// The suffixes of a row before those of its types, and the types.
struct Spelling {
  const char* rounding;
  const char* to;
  const char* from;
};

void add_cvt(std::vector<Opcode>& table, const Spelling& of, const char* flags, const Signature& signature,
             const Evaluators& evaluate) {
  std::string spelling = "cvt";
  for (const char* part : {of.rounding, flags, of.to, of.from}) spelling += part;
  Opcode& row = add_row(table, isa::Unit::Alu, std::move(spelling), signature, evaluate);
  row.pattern = Pattern::Convert;
  row.half_rate = true;
}

template <auto Function>
void cvt(std::vector<Opcode>& table, const Spelling& of, const char* flags) {
  add_cvt(table, of, flags, signature_of(Function), evaluators<Function>());
}

constexpr bool Flush = true, Saturate = true;

// ---- Integers ----

/// Nothing is computed: whole registers are kept, dropped or set to zero.
template <class To, class From>
constexpr bool moves_registers() {
  return sizeof(To) >= 4 && sizeof(From) >= 4 && (sizeof(To) <= sizeof(From) || std::is_unsigned_v<From>);
}

template <class To, class From>
void between_integers(std::vector<Opcode>& table, Type<To> to, Type<From> from) {
  cvt<&resize<To, From>>(table, {"", to.suffix, from.suffix}, "");
  table.back().op = isa::Op::Copy;
  table.back().half_rate = !moves_registers<To, From>();
  cvt<&clamp<To, From>>(table, {"", to.suffix, from.suffix}, ".sat");
}

template <class From>
void from_integer(std::vector<Opcode>& table, Type<From> from) {
  between_integers(table, U8, from);
  between_integers(table, S8, from);
  between_integers(table, U16, from);
  between_integers(table, S16, from);
  between_integers(table, U32, from);
  between_integers(table, S32, from);
  between_integers(table, U64, from);
  between_integers(table, S64, from);
}

// ---- Integers and floats ----

/// Float to integer saturates with and without .sat.
template <class F, class I, Rounding R>
void to_integer(std::vector<Opcode>& table, const char* rounding, Type<F> f, Type<I> i) {
  cvt<&float_to_integer<I, F, R, !Flush>>(table, {rounding, i.suffix, f.suffix}, "");
  cvt<&float_to_integer<I, F, R, !Flush>>(table, {rounding, i.suffix, f.suffix}, ".sat");
  if constexpr (std::is_same_v<F, float>) {
    cvt<&float_to_integer<I, F, R, Flush>>(table, {rounding, i.suffix, f.suffix}, ".ftz");
    cvt<&float_to_integer<I, F, R, Flush>>(table, {rounding, i.suffix, f.suffix}, ".ftz.sat");
  }
}

/// No integer becomes a subnormal number: there is nothing for .ftz to do.
template <class F, class I, Rounding R>
void to_float(std::vector<Opcode>& table, const char* rounding, Type<F> f, Type<I> i) {
  cvt<&integer_to_float<F, I, R, !Saturate>>(table, {rounding, f.suffix, i.suffix}, "");
  cvt<&integer_to_float<F, I, R, Saturate>>(table, {rounding, f.suffix, i.suffix}, ".sat");
  if constexpr (std::is_same_v<F, float>) {
    cvt<&integer_to_float<F, I, R, !Saturate>>(table, {rounding, f.suffix, i.suffix}, ".ftz");
    cvt<&integer_to_float<F, I, R, Saturate>>(table, {rounding, f.suffix, i.suffix}, ".ftz.sat");
  }
}

template <class F, class I>
void between_float_and_integer(std::vector<Opcode>& table, Type<F> f, Type<I> i) {
  to_integer<F, I, Rounding::Nearest>(table, ".rni", f, i);
  to_integer<F, I, Rounding::Zero>(table, ".rzi", f, i);
  to_integer<F, I, Rounding::Down>(table, ".rmi", f, i);
  to_integer<F, I, Rounding::Up>(table, ".rpi", f, i);
  to_float<F, I, Rounding::Nearest>(table, ".rn", f, i);
  to_float<F, I, Rounding::Zero>(table, ".rz", f, i);
  to_float<F, I, Rounding::Down>(table, ".rm", f, i);
  to_float<F, I, Rounding::Up>(table, ".rp", f, i);
}

// ---- Floats ----

template <class To, class From, Rounding R>
void between_floats(std::vector<Opcode>& table, const char* rounding, Type<To> to, Type<From> from) {
  cvt<&float_to_float<To, From, R, !Flush, !Saturate>>(table, {rounding, to.suffix, from.suffix}, "");
  cvt<&float_to_float<To, From, R, !Flush, Saturate>>(table, {rounding, to.suffix, from.suffix}, ".sat");
  if constexpr (std::is_same_v<To, float> || std::is_same_v<From, float>) {
    cvt<&float_to_float<To, From, R, Flush, !Saturate>>(table, {rounding, to.suffix, from.suffix}, ".ftz");
    cvt<&float_to_float<To, From, R, Flush, Saturate>>(table, {rounding, to.suffix, from.suffix}, ".ftz.sat");
  }
}

template <class To, class From>
void narrowing(std::vector<Opcode>& table, Type<To> to, Type<From> from) {
  between_floats<To, From, Rounding::Nearest>(table, ".rn", to, from);
  between_floats<To, From, Rounding::Zero>(table, ".rz", to, from);
  between_floats<To, From, Rounding::Down>(table, ".rm", to, from);
  between_floats<To, From, Rounding::Up>(table, ".rp", to, from);
}

/// Exact, and written without rounding.
template <class To, class From>
void widening(std::vector<Opcode>& table, Type<To> to, Type<From> from) {
  between_floats<To, From, Rounding::Nearest>(table, "", to, from);
}

template <class F, Rounding R>
void to_integral(std::vector<Opcode>& table, const char* rounding, Type<F> f) {
  cvt<&float_to_integral<F, R, !Flush, !Saturate>>(table, {rounding, f.suffix, f.suffix}, "");
  cvt<&float_to_integral<F, R, !Flush, Saturate>>(table, {rounding, f.suffix, f.suffix}, ".sat");
  if constexpr (std::is_same_v<F, float>) {
    cvt<&float_to_integral<F, R, Flush, !Saturate>>(table, {rounding, f.suffix, f.suffix}, ".ftz");
    cvt<&float_to_integral<F, R, Flush, Saturate>>(table, {rounding, f.suffix, f.suffix}, ".ftz.sat");
  }
}

template <class F>
void of_float(std::vector<Opcode>& table, Type<F> f) {
  between_float_and_integer(table, f, U8);
  between_float_and_integer(table, f, S8);
  between_float_and_integer(table, f, U16);
  between_float_and_integer(table, f, S16);
  between_float_and_integer(table, f, U32);
  between_float_and_integer(table, f, S32);
  between_float_and_integer(table, f, U64);
  between_float_and_integer(table, f, S64);
  widening(table, f, f);
  to_integral<F, Rounding::Nearest>(table, ".rni", f);
  to_integral<F, Rounding::Zero>(table, ".rzi", f);
  to_integral<F, Rounding::Down>(table, ".rmi", f);
  to_integral<F, Rounding::Up>(table, ".rpi", f);
}

}  // namespace

void add_convert_opcodes(std::vector<Opcode>& table) {
  from_integer(table, U8);
  from_integer(table, S8);
  from_integer(table, U16);
  from_integer(table, S16);
  from_integer(table, U32);
  from_integer(table, S32);
  from_integer(table, U64);
  from_integer(table, S64);
  of_float(table, F16);
  of_float(table, F32);
  of_float(table, F64);
  widening(table, F32, F16);
  widening(table, F64, F16);
  widening(table, F64, F32);
  narrowing(table, F16, F32);
  narrowing(table, F16, F64);
  narrowing(table, F32, F64);
}

}  // namespace heddle::compiler
