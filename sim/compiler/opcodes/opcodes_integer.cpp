// SPDX-License-Identifier: Apache-2.0
// Rows of integer arithmetic, logic and shifts, on 16, 32 and 64 bits and on predicates.
//
// As on the GPU: arithmetic wraps; division by zero gives all ones, and so does its remainder (the manual leaves it
// open, ptxas computes it so: tests/compiler/ptxas_folding_test.cpp); the smallest number divided by -1 wraps; a shift
// by the width or more gives 0, or the sign for shr.sN.
#include <limits>

#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

using S16 = std::int16_t;
using U16 = std::uint16_t;
using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

// Arithmetic runs on 64-bit words without sign and is cut to T: it wraps, and nothing overflows.
template <class T>
U64 word(T value) {
  return static_cast<U64>(value);
}

template <class T>
T add(T a, T b) {
  return static_cast<T>(word(a) + word(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(word(a) - word(b));
}
template <class T>
T mul_lo(T a, T b) {
  return static_cast<T>(word(a) * word(b));
}
template <class T>
T mad_lo(T a, T b, T c) {
  return static_cast<T>(word(a) * word(b) + word(c));
}
template <class T>
T neg(T a) {
  return static_cast<T>(0 - word(a));
}
template <class T>
T abs(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}

__extension__ using S128 = __int128;
__extension__ using U128 = unsigned __int128;

/// The type of twice the width: exact products.
template <class T>
struct Twice;
template <>
struct Twice<S16> {
  using Type = S32;
};
template <>
struct Twice<U16> {
  using Type = U32;
};
template <>
struct Twice<S32> {
  using Type = S64;
};
template <>
struct Twice<U32> {
  using Type = U64;
};
template <>
struct Twice<S64> {
  using Type = S128;
};
template <>
struct Twice<U64> {
  using Type = U128;
};
template <class T>
using TwiceOf = typename Twice<T>::Type;

template <class T>
TwiceOf<T> mul_wide(T a, T b) {
  return static_cast<TwiceOf<T>>(static_cast<TwiceOf<T>>(a) * b);
}
template <class T>
TwiceOf<T> mad_wide(T a, T b, TwiceOf<T> c) {
  return add<TwiceOf<T>>(mul_wide(a, b), c);
}
template <class T>
T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}

// .sat, of s32 only: the nearest number that there is.
S32 clamp(S64 value) {
  constexpr S64 least = std::numeric_limits<S32>::min(), most = std::numeric_limits<S32>::max();
  return static_cast<S32>(value < least ? least : value > most ? most : value);
}
S32 add_clamped(S32 a, S32 b) {
  return clamp(S64{a} + b);
}
S32 sub_clamped(S32 a, S32 b) {
  return clamp(S64{a} - b);
}
S32 mad_hi_clamped(S32 a, S32 b, S32 c) {
  return clamp(S64{mul_hi(a, b)} + c);
}

// mul24: the low 24 bits of the operands, with their sign; all 48 bits of the product.
S64 product_24(S32 a, S32 b) {
  const auto low_24 = [](S32 value) { return S64{static_cast<S32>(static_cast<U32>(value) << 8) >> 8}; };
  return low_24(a) * low_24(b);
}
U64 product_24(U32 a, U32 b) {
  return U64{a & 0xffffffU} * (b & 0xffffffU);
}
template <class T>
T mul24_lo(T a, T b) {
  return static_cast<T>(product_24(a, b));
}
template <class T>
T mul24_hi(T a, T b) {
  return static_cast<T>(product_24(a, b) >> 16);
}
template <class T>
T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
S32 mad24_hi_clamped(S32 a, S32 b, S32 c) {
  return clamp(S64{mul24_hi(a, b)} + c);
}

/// Sum of absolute differences.
template <class T>
T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

template <class T>
bool wraps(T a, T b) {
  return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1);
}
template <class T>
T div(T a, T b) {
  if (b == 0) return static_cast<T>(~U64{0});
  return wraps(a, b) ? a : static_cast<T>(a / b);
}
template <class T>
T rem(T a, T b) {
  if (b == 0) return static_cast<T>(~U64{0});
  return wraps(a, b) ? T{0} : static_cast<T>(a % b);
}

template <class T>
T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T bit_not(T a) {
  return static_cast<T>(~a);
}
/// cnot: C's `!`.
template <class T>
T is_zero(T a) {
  return a == 0 ? 1 : 0;
}
bool predicate_not(bool a) {
  return !a;
}

template <class T>
T shl(T a, U32 by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(word(a) << by);
}
template <class T>
T shr(T a, U32 by) {
  constexpr U32 Width = 8 * sizeof(T);
  const U32 clamped = by < Width ? by : Width - 1;
  const T shifted = static_cast<T>(a >> clamped);
  return by >= Width && !std::is_signed_v<T> ? T{0} : shifted;
}

template <class T>
T select(T a, T b, bool which) {
  return which ? a : b;
}

}  // namespace

void add_integer_opcodes(std::vector<Opcode>& table) {
  using isa::Unit;
  const auto alu = Unit::Alu;
  const auto mul = Unit::Multiplier;
  const auto special = Unit::Special;

  compute<&add<U16>>(table, alu, {"add.u16", "add.s16"}, isa::Op::Add);
  compute<&add<U32>>(table, alu, {"add.u32", "add.s32"}, isa::Op::Add);
  compute<&add<U64>>(table, alu, {"add.u64", "add.s64"}, isa::Op::Add);
  compute<&sub<U16>>(table, alu, {"sub.u16", "sub.s16"}, isa::Op::Subtract);
  compute<&sub<U32>>(table, alu, {"sub.u32", "sub.s32"}, isa::Op::Subtract);
  compute<&sub<U64>>(table, alu, {"sub.u64", "sub.s64"}, isa::Op::Subtract);

  compute<&mul_lo<U16>>(table, mul, {"mul.lo.u16", "mul.lo.s16"}, isa::Op::Multiply);
  compute<&mul_lo<U32>>(table, mul, {"mul.lo.u32", "mul.lo.s32"}, isa::Op::Multiply);
  compute<&mul_lo<U64>>(table, mul, {"mul.lo.u64", "mul.lo.s64"}, isa::Op::Multiply);
  compute<&mul_hi<U16>>(table, mul, {"mul.hi.u16"});
  compute<&mul_hi<S16>>(table, mul, {"mul.hi.s16"});
  compute<&mul_hi<U32>>(table, mul, {"mul.hi.u32"});
  compute<&mul_hi<S32>>(table, mul, {"mul.hi.s32"});
  compute<&mul_hi<U64>>(table, mul, {"mul.hi.u64"});
  compute<&mul_hi<S64>>(table, mul, {"mul.hi.s64"});
  compute<&mul_wide<U16>>(table, mul, {"mul.wide.u16"}, isa::Op::Multiply);
  compute<&mul_wide<S16>>(table, mul, {"mul.wide.s16"}, isa::Op::Multiply);
  compute<&mul_wide<U32>>(table, mul, {"mul.wide.u32"}, isa::Op::Multiply);
  compute<&mul_wide<S32>>(table, mul, {"mul.wide.s32"}, isa::Op::Multiply);

  compute<&mad_lo<U16>>(table, mul, {"mad.lo.u16", "mad.lo.s16"}, isa::Op::MultiplyAdd);
  compute<&mad_lo<U32>>(table, mul, {"mad.lo.u32", "mad.lo.s32"}, isa::Op::MultiplyAdd);
  compute<&mad_lo<U64>>(table, mul, {"mad.lo.u64", "mad.lo.s64"}, isa::Op::MultiplyAdd);
  compute<&mad_hi<U16>>(table, mul, {"mad.hi.u16"});
  compute<&mad_hi<S16>>(table, mul, {"mad.hi.s16"});
  compute<&mad_hi<U32>>(table, mul, {"mad.hi.u32"});
  compute<&mad_hi<S32>>(table, mul, {"mad.hi.s32"});
  compute<&mad_hi<U64>>(table, mul, {"mad.hi.u64"});
  compute<&mad_hi<S64>>(table, mul, {"mad.hi.s64"});
  compute<&mad_wide<U16>>(table, mul, {"mad.wide.u16"}, isa::Op::MultiplyAdd);
  compute<&mad_wide<S16>>(table, mul, {"mad.wide.s16"}, isa::Op::MultiplyAdd);
  compute<&mad_wide<U32>>(table, mul, {"mad.wide.u32"}, isa::Op::MultiplyAdd);
  compute<&mad_wide<S32>>(table, mul, {"mad.wide.s32"}, isa::Op::MultiplyAdd);

  compute<&add_clamped>(table, alu, {"add.sat.s32"});
  compute<&sub_clamped>(table, alu, {"sub.sat.s32"});
  compute<&mad_hi_clamped>(table, mul, {"mad.hi.sat.s32"});
  compute<&mul24_lo<U32>>(table, mul, {"mul24.lo.u32"});
  compute<&mul24_lo<S32>>(table, mul, {"mul24.lo.s32"});
  compute<&mul24_hi<U32>>(table, mul, {"mul24.hi.u32"});
  compute<&mul24_hi<S32>>(table, mul, {"mul24.hi.s32"});
  compute<&mad24_lo<U32>>(table, mul, {"mad24.lo.u32"});
  compute<&mad24_lo<S32>>(table, mul, {"mad24.lo.s32"});
  compute<&mad24_hi<U32>>(table, mul, {"mad24.hi.u32"});
  compute<&mad24_hi<S32>>(table, mul, {"mad24.hi.s32"});
  compute<&mad24_hi_clamped>(table, mul, {"mad24.hi.sat.s32"});
  compute<&sad<U16>>(table, alu, {"sad.u16"});
  compute<&sad<S16>>(table, alu, {"sad.s16"});
  compute<&sad<U32>>(table, alu, {"sad.u32"});
  compute<&sad<S32>>(table, alu, {"sad.s32"});
  compute<&sad<U64>>(table, alu, {"sad.u64"});
  compute<&sad<S64>>(table, alu, {"sad.s64"});

  compute<&div<U16>>(table, special, {"div.u16"});
  compute<&div<S16>>(table, special, {"div.s16"});
  compute<&div<U32>>(table, special, {"div.u32"});
  compute<&div<S32>>(table, special, {"div.s32"});
  compute<&div<U64>>(table, special, {"div.u64"});
  compute<&div<S64>>(table, special, {"div.s64"});
  compute<&rem<U16>>(table, special, {"rem.u16"});
  compute<&rem<S16>>(table, special, {"rem.s16"});
  compute<&rem<U32>>(table, special, {"rem.u32"});
  compute<&rem<S32>>(table, special, {"rem.s32"});
  compute<&rem<U64>>(table, special, {"rem.u64"});
  compute<&rem<S64>>(table, special, {"rem.s64"});

  compute<&neg<S16>>(table, alu, {"neg.s16"}, isa::Op::Negate);
  compute<&neg<S32>>(table, alu, {"neg.s32"}, isa::Op::Negate);
  compute<&neg<S64>>(table, alu, {"neg.s64"}, isa::Op::Negate);
  compute<&abs<S16>>(table, alu, {"abs.s16"});
  compute<&abs<S32>>(table, alu, {"abs.s32"});
  compute<&abs<S64>>(table, alu, {"abs.s64"});
  compute<&min<U16>>(table, alu, {"min.u16"});
  compute<&min<S16>>(table, alu, {"min.s16"});
  compute<&min<U32>>(table, alu, {"min.u32"});
  compute<&min<S32>>(table, alu, {"min.s32"});
  compute<&min<U64>>(table, alu, {"min.u64"});
  compute<&min<S64>>(table, alu, {"min.s64"});
  compute<&max<U16>>(table, alu, {"max.u16"});
  compute<&max<S16>>(table, alu, {"max.s16"});
  compute<&max<U32>>(table, alu, {"max.u32"});
  compute<&max<S32>>(table, alu, {"max.s32"});
  compute<&max<U64>>(table, alu, {"max.u64"});
  compute<&max<S64>>(table, alu, {"max.s64"});

  compute<&bit_and<bool>>(table, alu, {"and.pred"});
  compute<&bit_and<U16>>(table, alu, {"and.b16"});
  compute<&bit_and<U32>>(table, alu, {"and.b32"});
  compute<&bit_and<U64>>(table, alu, {"and.b64"});
  compute<&bit_or<bool>>(table, alu, {"or.pred"});
  compute<&bit_or<U16>>(table, alu, {"or.b16"});
  compute<&bit_or<U32>>(table, alu, {"or.b32"});
  compute<&bit_or<U64>>(table, alu, {"or.b64"});
  compute<&bit_xor<bool>>(table, alu, {"xor.pred"});
  compute<&bit_xor<U16>>(table, alu, {"xor.b16"});
  compute<&bit_xor<U32>>(table, alu, {"xor.b32"});
  compute<&bit_xor<U64>>(table, alu, {"xor.b64"});
  compute<&predicate_not>(table, alu, {"not.pred"});
  compute<&bit_not<U16>>(table, alu, {"not.b16"});
  compute<&bit_not<U32>>(table, alu, {"not.b32"});
  compute<&bit_not<U64>>(table, alu, {"not.b64"});

  compute<&is_zero<U16>>(table, alu, {"cnot.b16"});
  compute<&is_zero<U32>>(table, alu, {"cnot.b32"});
  compute<&is_zero<U64>>(table, alu, {"cnot.b64"});

  compute<&shl<U16>>(table, alu, {"shl.b16"}, isa::Op::ShiftLeft);
  compute<&shl<U32>>(table, alu, {"shl.b32"}, isa::Op::ShiftLeft);
  compute<&shl<U64>>(table, alu, {"shl.b64"}, isa::Op::ShiftLeft);
  compute<&shr<U16>>(table, alu, {"shr.u16", "shr.b16"});
  compute<&shr<S16>>(table, alu, {"shr.s16"});
  compute<&shr<U32>>(table, alu, {"shr.u32", "shr.b32"});
  compute<&shr<S32>>(table, alu, {"shr.s32"});
  compute<&shr<U64>>(table, alu, {"shr.u64", "shr.b64"});
  compute<&shr<S64>>(table, alu, {"shr.s64"});

  compute<&select<U16>>(table, alu, {"selp.b16", "selp.u16", "selp.s16"});
  compute<&select<U32>>(table, alu, {"selp.b32", "selp.u32", "selp.s32", "selp.f32"});
  compute<&select<U64>>(table, alu, {"selp.b64", "selp.u64", "selp.s64", "selp.f64"});
}

}  // namespace heddle::compiler
