// SPDX-License-Identifier: Apache-2.0
// Rows that take words apart: permutation of bytes, dot products of their parts, and any function of three bits.
#include <utility>

#include "sim/compiler/opcodes/opcode_rows.h"

namespace heddle::compiler {
namespace {

using U32 = std::uint32_t;
using S32 = std::int32_t;

/// prmt: each 4 bits of `selector` choose one of the 8 bytes of {b, a}, or, with their top bit, its sign 8 times.
U32 permute(U32 a, U32 b, U32 selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  U32 result = 0;
  for (unsigned index = 0; index < 4; ++index) {
    const U32 choice = selector >> (4 * index) & 0xfU;
    const auto byte = static_cast<U32>(bytes >> (8 * (choice & 7U)) & 0xffU);
    const U32 sign = (byte & 0x80U) != 0 ? 0xffU : 0;
    result |= ((choice & 8U) != 0 ? sign : byte) << (8 * index);
  }
  return result;
}

/// A mode of prmt is a selector for each value of the low 2 bits of c.
template <unsigned For0, unsigned For1, unsigned For2, unsigned For3>
U32 permute_by(U32 a, U32 b, U32 c) {
  constexpr U32 Selectors[] = {For0, For1, For2, For3};
  return permute(a, b, Selectors[c & 3U]);
}

// The parts of a word: Part is a signed or unsigned type of 8 or 16 bits.
template <class Part>
U32 part(U32 word, unsigned index) {
  return static_cast<U32>(static_cast<Part>(word >> (8 * sizeof(Part) * index)));
}
template <class A, class B>
U32 dot_bytes(U32 a, U32 b, U32 c) {
  U32 sum = c;
  for (unsigned index = 0; index < 4; ++index) sum += part<A>(a, index) * part<B>(b, index);
  return sum;
}
/// dp2a: the halves of a and two bytes of b, from First.
template <class A, class B, unsigned First>
U32 dot_halves(U32 a, U32 b, U32 c) {
  return c + part<A>(a, 0) * part<B>(b, First) + part<A>(a, 1) * part<B>(b, First + 1);
}

/// lop3: bit 4a + 2b + c of Table is the result for those bits.
template <unsigned Table>
U32 logic(U32 a, U32 b, U32 c) {
  U32 result = 0;
  for (unsigned index = 0; index < 8; ++index) {
    const U32 term = ((index & 4U) != 0 ? a : ~a) & ((index & 2U) != 0 ? b : ~b) & ((index & 1U) != 0 ? c : ~c);
    result |= (Table >> index & 1U) != 0 ? term : 0;
  }
  return result;
}

template <std::size_t... Table>
void logic_rows(std::vector<Opcode>& table, std::index_sequence<Table...>) {
  constexpr Evaluators Tables[] = {evaluators<&logic<Table>>()...};
  for (unsigned t = 0; t < sizeof...(Table); ++t)
    add_row(table, isa::Unit::Alu, three_input_logic(t), signature_of(&logic<0>), Tables[t]);
}

}  // namespace

void add_byte_opcodes(std::vector<Opcode>& table) {
  using S8 = std::int8_t;
  using U8 = std::uint8_t;
  using S16 = std::int16_t;
  using U16 = std::uint16_t;
  const auto alu = isa::Unit::Alu;
  const auto mul = isa::Unit::Multiplier;
  compute<&permute>(table, alu, {"prmt.b32"});
  compute<&permute_by<0x3210, 0x4321, 0x5432, 0x6543>>(table, alu, {"prmt.b32.f4e"});
  compute<&permute_by<0x5670, 0x6701, 0x7012, 0x0123>>(table, alu, {"prmt.b32.b4e"});
  compute<&permute_by<0x0000, 0x1111, 0x2222, 0x3333>>(table, alu, {"prmt.b32.rc8"});
  compute<&permute_by<0x3210, 0x3211, 0x3222, 0x3333>>(table, alu, {"prmt.b32.ecl"});
  compute<&permute_by<0x0000, 0x1110, 0x2210, 0x3210>>(table, alu, {"prmt.b32.ecr"});
  compute<&permute_by<0x1010, 0x3232, 0x1010, 0x3232>>(table, alu, {"prmt.b32.rc16"});

  compute<&dot_bytes<U8, U8>>(table, mul, {"dp4a.u32.u32"});
  compute<&dot_bytes<U8, S8>>(table, mul, {"dp4a.u32.s32"});
  compute<&dot_bytes<S8, U8>>(table, mul, {"dp4a.s32.u32"});
  compute<&dot_bytes<S8, S8>>(table, mul, {"dp4a.s32.s32"});
  compute<&dot_halves<U16, U8, 0>>(table, mul, {"dp2a.lo.u32.u32"});
  compute<&dot_halves<U16, S8, 0>>(table, mul, {"dp2a.lo.u32.s32"});
  compute<&dot_halves<S16, U8, 0>>(table, mul, {"dp2a.lo.s32.u32"});
  compute<&dot_halves<S16, S8, 0>>(table, mul, {"dp2a.lo.s32.s32"});
  compute<&dot_halves<U16, U8, 2>>(table, mul, {"dp2a.hi.u32.u32"});
  compute<&dot_halves<U16, S8, 2>>(table, mul, {"dp2a.hi.u32.s32"});
  compute<&dot_halves<S16, U8, 2>>(table, mul, {"dp2a.hi.s32.u32"});
  compute<&dot_halves<S16, S8, 2>>(table, mul, {"dp2a.hi.s32.s32"});

  for (const char* const spelling : {"lop3.b32", "lop3.or.b32", "lop3.and.b32"}) {
    Opcode logic;
    logic.spelling = spelling;
    logic.pattern = Pattern::Logic;
    table.push_back(logic);
  }
  logic_rows(table, std::make_index_sequence<256>());
}

}  // namespace heddle::compiler
