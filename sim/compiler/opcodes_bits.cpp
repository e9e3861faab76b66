// Rows that work on bits: fields, counts, reversal and funnel shifts.
//
// A field's position and length are the low 8 bits of their operands; bits past the word read as 0, or as the sign
// for bfe.sN, whose sign is the field's top bit inside the word (PTX ISA, bfe).
#include "sim/compiler/opcode_rows.h"

namespace heddle::compiler {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <class T>
T extract(T a, U32 position, U32 length) {
  constexpr unsigned Width = 8 * sizeof(T);
  using Word = std::make_unsigned_t<T>;
  const unsigned from = position & 0xffU, count = length & 0xffU;
  const unsigned top = from + count == 0 ? 0 : from + count - 1;
  const bool negative =
      std::is_signed_v<T> && count != 0 && (static_cast<Word>(a) >> (top < Width ? top : Width - 1) & 1) != 0;
  const Word shifted = from < Width ? static_cast<Word>(static_cast<Word>(a) >> from) : Word{0};
  const unsigned inside = from >= Width ? 0 : count < Width - from ? count : Width - from;
  const Word mask = inside >= Width ? ~Word{0} : (Word{1} << inside) - 1;
  return static_cast<T>((shifted & mask) | (negative ? ~mask : Word{0}));
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

}  // namespace

void add_bit_opcodes(std::vector<Opcode>& table) {
  const auto alu = isa::Unit::Alu;
  compute<&extract<std::uint32_t>>(table, alu, {"bfe.u32"});
  compute<&extract<std::int32_t>>(table, alu, {"bfe.s32"});
  compute<&extract<std::uint64_t>>(table, alu, {"bfe.u64"});
  compute<&extract<std::int64_t>>(table, alu, {"bfe.s64"});
  compute<&count_ones_32>(table, alu, {"popc.b32"});
  compute<&count_ones_64>(table, alu, {"popc.b64"});
  compute<&leading_zeros_32>(table, alu, {"clz.b32"});
  compute<&leading_zeros_64>(table, alu, {"clz.b64"});
  compute<&reverse<U32>>(table, alu, {"brev.b32"});
  compute<&reverse<U64>>(table, alu, {"brev.b64"});
  compute<&funnel_left_wrap>(table, alu, {"shf.l.wrap.b32"});
  compute<&funnel_right_wrap>(table, alu, {"shf.r.wrap.b32"});
  compute<&funnel_left_clamp>(table, alu, {"shf.l.clamp.b32"});
  compute<&funnel_right_clamp>(table, alu, {"shf.r.clamp.b32"});
}

}  // namespace heddle::compiler
