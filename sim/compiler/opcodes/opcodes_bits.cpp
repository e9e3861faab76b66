// SPDX-License-Identifier: Apache-2.0
// Rows that work on bits: fields, counts, searches, reversal and funnel shifts.
//
// A field's position and length are the low 8 bits of their operands where it is in 32 bits, as the manual says. In 64
// bits they are all bits of the operands: so ptxas makes them, of instructions of 32 bits, and compiled code decides
// (tests/compiler/ptxas_folding_test.cpp). Bits past the word read as 0, or as the sign for bfe.sN, whose sign is the
// field's top bit inside the word (PTX ISA, bfe).
#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

/// A position or length of a field in T, as far as it matters.
template <class T>
unsigned field_part(U32 operand) {
  constexpr U32 Most = 0xff;  // past any word
  return sizeof(T) == 8 && operand > Most ? Most : operand & Most;
}

template <class T>
T extract(T a, U32 position, U32 length) {
  constexpr unsigned Width = 8 * sizeof(T);
  using Word = std::make_unsigned_t<T>;
  const unsigned from = field_part<T>(position), count = field_part<T>(length);
  const unsigned top = from + count == 0 ? 0 : from + count - 1;
  const bool negative =
      std::is_signed_v<T> && count != 0 && (static_cast<Word>(a) >> (top < Width ? top : Width - 1) & 1) != 0;
  const Word shifted = from < Width ? static_cast<Word>(static_cast<Word>(a) >> from) : Word{0};
  const unsigned inside = from >= Width ? 0 : count < Width - from ? count : Width - from;
  const Word mask = inside >= Width ? ~Word{0} : (Word{1} << inside) - 1;
  return static_cast<T>((shifted & mask) | (negative ? ~mask : Word{0}));
}

/// A field as bfi's third source.
template <class T>
U32 field(U32 position, U32 length) {
  return field_part<T>(length) << 8 | field_part<T>(position);
}

template <class T>
T insert(T a, T b, U32 position_and_length) {
  constexpr unsigned Width = 8 * sizeof(T);
  const unsigned position = position_and_length & 0xffU, length = position_and_length >> 8 & 0xffU;
  if (position >= Width) return b;
  const T ones = length >= Width ? ~T{0} : static_cast<T>((T{1} << length) - 1);
  const T mask = static_cast<T>(ones << position);
  return static_cast<T>((b & ~mask) | (a << position & mask));
}

U32 count_ones_32(U32 a) {
  return static_cast<U32>(__builtin_popcount(a));
}
U32 count_ones_64(U64 a) {
  return static_cast<U32>(__builtin_popcountll(a));
}
U32 leading_zeros_32(U32 a) {
  return a == 0 ? 32 : static_cast<U32>(__builtin_clz(a));
}
U32 leading_zeros_64(U64 a) {
  return a == 0 ? 64 : static_cast<U32>(__builtin_clzll(a));
}

/// The highest bit that is not the sign, or all ones if there is none.
template <class T>
U32 find_highest(T a) {
  const auto bits = static_cast<U64>(std::is_signed_v<T> && a < 0 ? static_cast<T>(~a) : a);
  return bits == 0 ? ~U32{0} : 63 - leading_zeros_64(bits);
}
/// The shift to the left that brings it to the top.
template <class T>
U32 shift_to_highest(T a) {
  const U32 found = find_highest(a);
  return found == ~U32{0} ? found : 8 * sizeof(T) - 1 - found;
}

/// fns: the n-th set bit of the mask from `base` on, downwards for a negative n; 0: bit `base` itself.
U32 find_nth_set(U32 mask, U32 base, std::int32_t n) {
  const bool down = n < 0;
  U32 left = n == 0 ? 1 : down ? 0 - static_cast<U32>(n) : static_cast<U32>(n);
  for (U32 at = base; at < 32; at = down ? at - 1 : at + 1) {
    left -= mask >> at & 1U;
    if (left == 0) return at;
    if (n == 0) break;
  }
  return ~U32{0};
}

template <class T>
T reverse(T a) {
  T result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) result = static_cast<T>(result << 1 | (a >> bit & 1));
  return result;
}

// {high, low} shifted as 64 bits; the upper word comes from a left shift, the lower from a right shift.
U32 funnel_left(U32 low, U32 high, U32 by) {
  return static_cast<U32>((U64{high} << 32 | low) << by >> 32);
}
U32 funnel_right(U32 low, U32 high, U32 by) {
  return static_cast<U32>((U64{high} << 32 | low) >> by);
}
U32 clamped(U32 by) {
  return by < 32 ? by : 32;
}
U32 funnel_left_wrap(U32 low, U32 high, U32 by) {
  return funnel_left(low, high, by & 31U);
}
U32 funnel_right_wrap(U32 low, U32 high, U32 by) {
  return funnel_right(low, high, by & 31U);
}
U32 funnel_left_clamp(U32 low, U32 high, U32 by) {
  return funnel_left(low, high, clamped(by));
}
U32 funnel_right_clamp(U32 low, U32 high, U32 by) {
  return funnel_right(low, high, clamped(by));
}

/// bmsk: ones from `position` on, as many as `length` says and the word has.
U32 mask_of(U32 position, U32 length) {
  const U64 ones = (U64{1} << length) - 1;
  return static_cast<U32>(ones << position);
}
U32 mask_wrap(U32 position, U32 length) {
  return mask_of(position & 31U, length & 31U);
}
U32 mask_clamp(U32 position, U32 length) {
  return position < 32 ? mask_of(position, clamped(length)) : 0;
}

}  // namespace

void add_bit_opcodes(std::vector<Opcode>& table) {
  const auto alu = isa::Unit::Alu;
  compute<&extract<std::uint32_t>>(table, alu, {"bfe.u32"});
  compute<&extract<std::int32_t>>(table, alu, {"bfe.s32"});
  compute<&extract<std::uint64_t>>(table, alu, {"bfe.u64"});
  compute<&extract<std::int64_t>>(table, alu, {"bfe.s64"});
  compute<&field<U32>>(table, alu, {"bfi.field.b32 {"});
  compute<&field<U64>>(table, alu, {"bfi.field.b64 {"});
  compute<&insert<U32>>(table, alu, {"bfi.b32"});
  table.back().pattern = Pattern::Insert;
  compute<&insert<U64>>(table, alu, {"bfi.b64"});
  table.back().pattern = Pattern::Insert;
  compute<&count_ones_32>(table, alu, {"popc.b32"});
  compute<&count_ones_64>(table, alu, {"popc.b64"});
  compute<&leading_zeros_32>(table, alu, {"clz.b32"});
  compute<&leading_zeros_64>(table, alu, {"clz.b64"});
  compute<&find_highest<U32>>(table, alu, {"bfind.u32"});
  compute<&find_highest<std::int32_t>>(table, alu, {"bfind.s32"});
  compute<&find_highest<U64>>(table, alu, {"bfind.u64"});
  compute<&find_highest<std::int64_t>>(table, alu, {"bfind.s64"});
  compute<&shift_to_highest<U32>>(table, alu, {"bfind.shiftamt.u32"});
  compute<&shift_to_highest<std::int32_t>>(table, alu, {"bfind.shiftamt.s32"});
  compute<&shift_to_highest<U64>>(table, alu, {"bfind.shiftamt.u64"});
  compute<&shift_to_highest<std::int64_t>>(table, alu, {"bfind.shiftamt.s64"});
  compute<&find_nth_set>(table, alu, {"fns.b32"});
  compute<&reverse<U32>>(table, alu, {"brev.b32"});
  compute<&reverse<U64>>(table, alu, {"brev.b64"});
  compute<&mask_wrap>(table, alu, {"bmsk.wrap.b32"});
  compute<&mask_clamp>(table, alu, {"bmsk.clamp.b32"});
  compute<&funnel_left_wrap>(table, alu, {"shf.l.wrap.b32"});
  compute<&funnel_right_wrap>(table, alu, {"shf.r.wrap.b32"});
  compute<&funnel_left_clamp>(table, alu, {"shf.l.clamp.b32"});
  compute<&funnel_right_clamp>(table, alu, {"shf.r.clamp.b32"});
}

}  // namespace heddle::compiler
