// Rows of cvt: between integers, between floats, and across, with the rounding that the suffix names.
//
// Float to integer clamps to the target's range, NaN gives 0 (PTX ISA, cvt). Directed rounding is computed from the
// nearest result and one step towards the direction, without touching the host's rounding mode.
#include <cmath>
#include <limits>

#include "sim/compiler/opcode_rows.h"

namespace heddle::compiler {
namespace {

enum class Rounding { Nearest, Zero, Down, Up };

template <class To, class From>
To resize(From value) {
  return static_cast<To>(value);
}

template <class T>
T canonical(T value) {
  constexpr Bits Nan = sizeof(T) == 4 ? 0x7fffffffU : 0x7fffffffffffffffU;
  return value != value ? from_bits<T>(Nan) : value;
}

template <Rounding R, class F>
F round_to_integral(F value) {
  if constexpr (R == Rounding::Nearest) return std::nearbyint(value);  // the host's mode is nearest even
  if constexpr (R == Rounding::Zero) return std::trunc(value);
  if constexpr (R == Rounding::Down) return std::floor(value);
  if constexpr (R == Rounding::Up) return std::ceil(value);
}

template <class I, class F, Rounding R>
I float_to_integer(F value) {
  constexpr int Digits = std::numeric_limits<I>::digits;
  const F limit = std::ldexp(F{1}, Digits);  // one past the largest
  const F rounded = round_to_integral<R>(value);
  if (rounded != rounded) return 0;
  if (rounded >= limit) return std::numeric_limits<I>::max();
  if (rounded < (std::is_signed_v<I> ? -limit : F{0})) return std::numeric_limits<I>::min();
  return static_cast<I>(rounded);
}

template <class F, Rounding R>
F float_to_integral(F value) {
  return canonical(round_to_integral<R>(value));
}

/// Is `value`, the nearest to something, on the wrong side of it? `above`: value > exact, `below`: value < exact.
template <Rounding R, class F>
F adjust(F value, bool above, bool below, bool negative) {
  constexpr F Infinity = std::numeric_limits<F>::infinity();
  const bool step_down = above && (R == Rounding::Down || (R == Rounding::Zero && !negative));
  const bool step_up = below && (R == Rounding::Up || (R == Rounding::Zero && negative));
  if (step_down) return std::nextafter(value, -Infinity);
  if (step_up) return std::nextafter(value, Infinity);
  return value;
}

template <class F, class I, Rounding R>
F integer_to_float(I value) {
  __extension__ using Exact = __int128;
  const F nearest = static_cast<F>(value);
  if constexpr (R == Rounding::Nearest) return nearest;
  const Exact exact = value, rounded = static_cast<Exact>(nearest);  // |nearest| <= 2^64: fits
  return adjust<R>(nearest, rounded > exact, rounded < exact, exact < 0);
}

template <Rounding R>
float narrow(double value) {
  const float nearest = static_cast<float>(value);
  if constexpr (R == Rounding::Nearest) return canonical(nearest);
  if (std::isinf(value)) return nearest;
  const double rounded = nearest;
  return canonical(adjust<R>(nearest, rounded > value, rounded < value, value < 0));
}
double widen(float value) {
  return canonical(static_cast<double>(value));
}

template <auto Function>
void cvt(std::vector<Opcode>& table, const std::string& suffixes) {
  const std::string spelling = "cvt." + suffixes;
  compute<Function>(table, isa::Unit::Alu, {spelling.c_str()});
}

template <class T>
struct Type {
  const char* suffix;
};
constexpr Type<std::uint8_t> U8{"u8"};
constexpr Type<std::int8_t> S8{"s8"};
constexpr Type<std::uint16_t> U16{"u16"};
constexpr Type<std::int16_t> S16{"s16"};
constexpr Type<std::uint32_t> U32{"u32"};
constexpr Type<std::int32_t> S32{"s32"};
constexpr Type<std::uint64_t> U64{"u64"};
constexpr Type<std::int64_t> S64{"s64"};
constexpr Type<float> F32{"f32"};
constexpr Type<double> F64{"f64"};

template <class To, class From>
void between_integers(std::vector<Opcode>& table, Type<To> to, Type<From> from) {
  cvt<&resize<To, From>>(table, std::string(to.suffix) + "." + from.suffix);
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

template <class F, class I>
void between_float_and_integer(std::vector<Opcode>& table, Type<F> f, Type<I> i) {
  const std::string to_integer = std::string(".") + i.suffix + "." + f.suffix;
  cvt<&float_to_integer<I, F, Rounding::Nearest>>(table, "rni" + to_integer);
  cvt<&float_to_integer<I, F, Rounding::Zero>>(table, "rzi" + to_integer);
  cvt<&float_to_integer<I, F, Rounding::Down>>(table, "rmi" + to_integer);
  cvt<&float_to_integer<I, F, Rounding::Up>>(table, "rpi" + to_integer);
  const std::string to_float = std::string(".") + f.suffix + "." + i.suffix;
  cvt<&integer_to_float<F, I, Rounding::Nearest>>(table, "rn" + to_float);
  cvt<&integer_to_float<F, I, Rounding::Zero>>(table, "rz" + to_float);
  cvt<&integer_to_float<F, I, Rounding::Down>>(table, "rm" + to_float);
  cvt<&integer_to_float<F, I, Rounding::Up>>(table, "rp" + to_float);
}

template <class F>
void within_float(std::vector<Opcode>& table, Type<F> f) {
  const std::string types = std::string(".") + f.suffix + "." + f.suffix;
  cvt<&float_to_integral<F, Rounding::Nearest>>(table, "rni" + types);
  cvt<&float_to_integral<F, Rounding::Zero>>(table, "rzi" + types);
  cvt<&float_to_integral<F, Rounding::Down>>(table, "rmi" + types);
  cvt<&float_to_integral<F, Rounding::Up>>(table, "rpi" + types);
}

template <class F>
void across(std::vector<Opcode>& table, Type<F> f) {
  between_float_and_integer(table, f, U8);
  between_float_and_integer(table, f, S8);
  between_float_and_integer(table, f, U16);
  between_float_and_integer(table, f, S16);
  between_float_and_integer(table, f, U32);
  between_float_and_integer(table, f, S32);
  between_float_and_integer(table, f, U64);
  between_float_and_integer(table, f, S64);
  within_float(table, f);
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
  across(table, F32);
  across(table, F64);
  cvt<&widen>(table, "f64.f32");
  cvt<&narrow<Rounding::Nearest>>(table, "rn.f32.f64");
  cvt<&narrow<Rounding::Zero>>(table, "rz.f32.f64");
  cvt<&narrow<Rounding::Down>>(table, "rm.f32.f64");
  cvt<&narrow<Rounding::Up>>(table, "rp.f32.f64");
}

}  // namespace heddle::compiler
