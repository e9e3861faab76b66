// SPDX-License-Identifier: Apache-2.0
// Every row that works on bits and bytes, against the definition bit by bit; the carry chain against 128-bit sums.
#include <bitset>
#include <map>

#include "tests/compiler/opcode_semantics.h"

namespace {

using namespace heddle::tests;

bool bit(Bits value, unsigned index) {
  return index < 64 && (value >> index & 1) != 0;
}

Bits cut(Bits value, unsigned width) {
  return width == 64 ? value : value & ((Bits{1} << width) - 1);
}

bool sign_of(const Spelling& s, Bits a, unsigned width) {
  return s.last()[0] == 's' && bit(a, width - 1);
}

/// A position or length: 8 bits, in 64-bit fields all 32 (what ptxas makes of them; the manual says 8 there too).
unsigned part_of_field(const Spelling& s, Bits operand) {
  return static_cast<unsigned>(width_of(s.last()) == 64 ? std::min<Bits>(operand & 0xffffffffU, 255) : operand & 0xffU);
}

/// PTX's own pseudocode of bfe.
Bits extracted(const Spelling& s, Bits a, Bits position, Bits length) {
  const unsigned width = width_of(s.last()), at = part_of_field(s, position), count = part_of_field(s, length);
  const bool is_zero_sign = s.last()[0] == 'u' || count == 0;
  const bool sign = !is_zero_sign && bit(a, std::min(at + count - 1, width - 1));
  Bits result = 0;
  for (unsigned index = 0; index < width; ++index) {
    const bool inside = index < count && at + index < width;
    result |= Bits{inside ? bit(a, at + index) : sign} << index;
  }
  return result;
}

Bits inserted(const Spelling& s, Bits a, Bits b, Bits field) {
  const unsigned width = width_of(s.last()), at = field & 0xffU, count = field >> 8 & 0xffU;
  Bits result = cut(b, width);
  for (unsigned index = 0; index < count && at + index < width; ++index) {
    const Bits one = Bits{1} << (at + index);
    result = bit(a, index) ? result | one : result & ~one;
  }
  return result;
}

Bits highest(const Spelling& s, Bits a) {
  const unsigned width = width_of(s.last());
  const bool sign = sign_of(s, a, width);
  for (unsigned index = width; index-- > 0;)
    if (bit(a, index) != sign) return s.has("shiftamt") ? width - 1 - index : index;
  return 0xffffffffU;
}

/// PTX's own pseudocode of fns.
Bits nth_set(Bits mask, Bits base, Bits n) {
  const auto offset = static_cast<std::int32_t>(n);
  if (offset == 0) return bit(mask & 0xffffffffU, base & 0xffffffffU) ? base & 0xffffffffU : 0xffffffffU;
  const std::int64_t step = offset > 0 ? 1 : -1;
  std::int64_t left = std::abs(std::int64_t{offset}) - 1;
  for (auto at = static_cast<std::int64_t>(base & 0xffffffffU); at >= 0 && at < 32; at += step) {
    if (!bit(mask, static_cast<unsigned>(at))) continue;
    if (left-- == 0) return static_cast<Bits>(at);
  }
  return 0xffffffffU;
}

Bits funnel(const Spelling& s, Bits low, Bits high, Bits by) {
  const auto amount = static_cast<unsigned>(s.has("wrap") ? by % 32 : std::min<Bits>(cut(by, 32), 32));
  Bits result = 0;
  for (unsigned index = 0; index < 32; ++index) {
    const unsigned from = s.has("l") ? 32 + index - amount : index + amount;
    result |= Bits{from < 32 ? bit(low, from) : bit(high, from - 32)} << index;
  }
  return result;
}

/// Ones from one place on: each bit asked whether it is among them. Out of a word, .clamp has no bit and .wrap begins
/// anew with the low 5 bits of the operand.
Bits masked(const Spelling& s, Bits a, Bits b) {
  const Bits wraps = s.has("wrap") ? 31 : 0xffffffffU;
  const Bits from = a & wraps, count = b & wraps;
  Bits result = 0;
  for (Bits index = 0; index < 32; ++index)
    if (index >= from && index - from < count) result |= Bits{1} << index;
  return result;
}

unsigned byte_of(Bits a, Bits b, unsigned index) {
  return static_cast<unsigned>((index < 4 ? a >> (8 * index) : b >> (8 * (index - 4))) & 0xff);
}

/// The bytes that prmt picks, from the tables of the manual, highest first.
Bits permuted(const Spelling& s, Bits a, Bits b, Bits c) {
  static const std::map<std::string, std::vector<std::string>> modes = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
  const auto mode = modes.find(s.last());
  Bits result = 0;
  for (unsigned index = 0; index < 4; ++index) {
    unsigned picked = 0;
    if (mode != modes.end()) {
      picked = byte_of(a, b, static_cast<unsigned>(mode->second[c & 3][3 - index] - '0'));
    } else {
      const auto choice = static_cast<unsigned>(c >> (4 * index) & 15);
      picked = byte_of(a, b, choice % 8);
      if (choice >= 8) picked = picked >= 128 ? 255 : 0;
    }
    result = result | Bits{picked} << (8 * index);
  }
  return result;
}

std::int64_t part(Bits word, unsigned width, unsigned index, bool is_signed) {
  const auto value = static_cast<std::int64_t>(cut(word >> (width * index), width));
  return is_signed && value >= std::int64_t{1} << (width - 1) ? value - (std::int64_t{1} << width) : value;
}

Bits dot(const Spelling& s, Bits a, Bits b, Bits c) {
  const bool a_signed = s.last(1) == "s32", b_signed = s.last() == "s32", bytes = s.word == "dp4a";
  auto sum = static_cast<std::int64_t>(cut(c, 32));
  for (unsigned index = 0; index < (bytes ? 4U : 2U); ++index)
    sum += part(a, bytes ? 8 : 16, index, a_signed) * part(b, 8, index + (s.has("hi") ? 2 : 0), b_signed);
  return cut(static_cast<Bits>(sum), 32);
}

/// lop3's row is named after its table, "lop3.b32 {0x1a": a, b and c are 0xf0, 0xcc and 0xaa in it.
Bits looked_up(const Spelling& s, Bits a, Bits b, Bits c) {
  const unsigned long table = std::stoul(s.text.substr(s.text.find('{') + 1), nullptr, 16);
  Bits result = 0;
  for (unsigned index = 0; index < 32; ++index) {
    const unsigned row = (bit(a, index) ? 4U : 0U) + (bit(b, index) ? 2U : 0U) + (bit(c, index) ? 1U : 0U);
    result |= Bits{bit(table, row)} << index;
  }
  return result;
}

Bits packed(const Spelling& s, Bits a, Bits b) {
  const unsigned half = s.has("b64 {") ? 32 : 16;
  return cut(b, half) << half | cut(a, half);
}

Bits expected(const Spelling& s, Bits a, Bits b, Bits c) {
  if (s.text == "bfi.field.b32 {") return (b & 0xff) << 8 | (a & 0xff);
  if (s.text == "bfi.field.b64 {")
    return std::min<Bits>(b & 0xffffffffU, 255) << 8 | std::min<Bits>(a & 0xffffffffU, 255);
  if (s.text.find("mov") == 0 && s.text.back() == '{') return packed(s, a, b);
  if (s.word == "lop3") return looked_up(s, a, b, c);
  if (s.word == "prmt") return permuted(s, a, b, c);
  if (s.word == "isspacep") {
    const Bits window = a >> 32;
    const std::string where = window == 0x7e00 ? "shared" : window == 0x7e01 ? "local" : "global";
    return s.suffixes[0].compare(0, where.size(), where) == 0 ? 1 : 0;
  }
  const unsigned width = std::min(width_of(s.last()), 64U);
  if (s.word == "bfe") return extracted(s, a, b, c);
  if (s.word == "bfi") return inserted(s, a, b, c);
  if (s.word == "bfind") return highest(s, a);
  if (s.word == "bmsk") return masked(s, a, b);
  if (s.word == "fns") return nth_set(a, b, c);
  if (s.word == "shf") return funnel(s, a, b, c);
  if (s.word == "dp4a" || s.word == "dp2a") return dot(s, a, b, c);
  if (s.word == "popc") return std::bitset<64>(cut(a, width)).count();
  if (s.word == "cvta") {
    const bool windowed = s.has("shared") || s.has("shared::cta") || s.has("local");
    if (!windowed) return a;
    const Bits offset = a & 0xffffffffU;
    return s.has("to") ? offset : offset | (s.has("local") ? 0x7e01'0000'0000 : 0x7e00'0000'0000);
  }
  if (s.word == "mov") return width == 1 ? a & 1 : cut(a, width);
  Bits zeros = 0, mirrored = 0;
  while (zeros < width && !bit(a, width - 1 - static_cast<unsigned>(zeros))) ++zeros;
  for (unsigned index = 0; index < width; ++index) mirrored |= Bits{bit(a, index)} << (width - 1 - index);
  return s.word == "clz" ? zeros : mirrored;
}

/// The sum or difference with the carry that comes in, exactly. What a subtraction reads and leaves is not the borrow
/// but its opposite (DESIGN 9): 1 where nothing is borrowed.
struct Chained {
  Bits value;
  bool carry;
};
Chained chained(const Spelling& s, Bits a, Bits b, Bits c) {
  __extension__ using Exact = __int128;
  const unsigned width = width_of(s.last());
  const bool reads = s.word == "addc" || s.word == "subc";
  const Exact x = cut(a, width), y = cut(b, width), modulus = Exact{1} << width;
  if (s.word[0] == 'a') {
    const Exact sum = x + y + (reads ? static_cast<int>(c) : 0);
    return {cut(static_cast<Bits>(sum), width), sum >= modulus};
  }
  const Exact borrow = reads && c == 0 ? 1 : 0, difference = x - y - borrow;
  const bool borrows = difference < 0;
  return {cut(static_cast<Bits>(borrows ? difference + modulus : difference), width), !borrows};
}

}  // namespace

BOOST_AUTO_TEST_CASE(fields_searches_permutations_and_dots) {
  // Selectors and fields: positions and lengths in and around a word, and what prmt reads.
  std::vector<Bits> edges = IntegerEdges;
  for (const Bits more : {0x0820U, 0x2000U, 0x4001U, 0xff1fU, 0x3210U, 0xba98U, 0x7654U}) edges.push_back(more);
  // Windows of the generic address space, and what is beside them.
  for (const Bits more : {0x7dff'ffff'ffff, 0x7e00'0000'0010, 0x7e00'ffff'ffff, 0x7e01'0000'0000, 0x7e02'0000'0000})
    edges.push_back(more);
  const Operands operands{edges, random_integer, 1000};
  Tally tally;
  for (const auto* row : rows_of(Part::Bit)) {
    const Spelling spelling(row->spelling);
    const Reference reference = [&](Bits a, Bits b, Bits c) { return expected(spelling, a, b, c); };
    const bool is_logic = spelling.word == "lop3";  // 256 rows: random words hold all combinations of bits
    check_row(*row, reference, is_logic ? Operands{{0, ~Bits{0}}, random_integer, 100} : operands, tally);
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows, " << tally.cases << " cases");
  BOOST_TEST(tally.rows > 320U);
}

BOOST_AUTO_TEST_CASE(carries) {
  Tally tally;
  for (const auto* row : rows_of(Part::Carry)) {
    const Spelling spelling(row->spelling);
    const Reference sum = [&](Bits a, Bits b, Bits c) { return chained(spelling, a, b, c).value; };
    const Reference carry_out = [&](Bits a, Bits b, Bits c) { return Bits{chained(spelling, a, b, c).carry}; };
    check_row(*row, sum, Integers, tally);
    BOOST_TEST((row->carry_out.one != nullptr) == spelling.has("cc"), row->spelling);
    if (!spelling.has("cc")) continue;
    heddle::compiler::Opcode second = *row;
    second.evaluate = row->carry_out;
    check_row(second, carry_out, Integers, tally);
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows with their carries, " << tally.cases << " cases");
  BOOST_TEST(tally.rows == 40U);
}
