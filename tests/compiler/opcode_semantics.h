// SPDX-License-Identifier: Apache-2.0
// What an opcode must compute, against what its row computes: over edge values, and over every row of a family.
//
// A test gives a reference for a part of the table, which reads the suffixes of each spelling. So a row that is added
// to a part is tested at once, and a row of no part is an error (compiler_opcodes_test).
#pragma once

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/compiler/opcodes/opcode_table.h"

namespace heddle::tests {

using Bits = std::uint64_t;

struct Spelling {
  explicit Spelling(const std::string& spelling) : text(spelling) {
    std::istringstream words(spelling);
    std::getline(words, word, '.');
    for (std::string suffix; std::getline(words, suffix, '.');) suffixes.push_back(suffix);
  }
  bool has(const char* suffix) const { return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end(); }
  std::string last(unsigned from_end = 0) const {
    return suffixes.size() > from_end ? suffixes[suffixes.size() - 1 - from_end] : "";
  }

  std::string text, word;
  std::vector<std::string> suffixes;
};

inline unsigned width_of(const std::string& type) {
  return type == "pred" ? 1 : static_cast<unsigned>(std::stoul(type.substr(1)));
}
inline bool is_float(const std::string& type) {
  return type[0] == 'f';
}

/// Which reference answers for a row.
enum class Part {
  Integer,
  IntegerComparison,
  Bit,
  Carry,
  Float,
  FloatComparison,
  SignSelection,
  Approximate,
  Convert,
  WarpWide,
  None
};

inline Part part_of(const Spelling& s) {
  static const std::set<std::string> integer = {"add", "sub", "mul", "mad",  "mul24", "mad24", "sad",
                                                "div", "rem", "neg", "abs",  "min",   "max",   "and",
                                                "or",  "xor", "not", "cnot", "shl",   "shr"};
  static const std::set<std::string> bits = {"bfe",  "bfi",  "popc", "clz",  "brev", "bfind", "fns",      "shf",
                                             "prmt", "lop3", "dp4a", "dp2a", "mov",  "cvta",  "isspacep", "bmsk"};
  static const std::set<std::string> floats = {"add",  "sub", "mul", "fma", "mad", "div",      "rcp",
                                               "sqrt", "neg", "abs", "min", "max", "copysign", "testp"};
  static const std::set<std::string> warps = {"shfl", "vote", "match", "redux", "activemask", "elect"};
  if (warps.count(s.word) != 0 || s.text == "bar.warp.sync") return Part::WarpWide;
  if (s.word == "cvt") return Part::Convert;
  if (s.word == "slct") return Part::SignSelection;
  if (s.word == "selp") return Part::Integer;
  if (s.word == "setp") return is_float(s.last()) ? Part::FloatComparison : Part::IntegerComparison;
  if (s.has("cc") || s.word == "addc" || s.word == "subc") return Part::Carry;
  if (s.has("approx") || s.has("full")) return Part::Approximate;
  if (bits.count(s.word) != 0) return Part::Bit;
  if (is_float(s.last())) return floats.count(s.word) != 0 ? Part::Float : Part::None;
  return integer.count(s.word) != 0 ? Part::Integer : Part::None;
}

using Reference = std::function<Bits(Bits a, Bits b, Bits c)>;

/// Rows and cases that a test program has compared.
struct Tally {
  std::size_t rows = 0, cases = 0;
};

/// Where the operands of a row come from: edge values in all combinations, then random ones.
struct Operands {
  std::vector<Bits> edges;
  std::function<Bits(std::mt19937_64&)> random;
  unsigned randoms = 1000;
};

/// A few failures of a row are enough. Bits outside of the mask are of no concern.
inline void check_row(const compiler::Opcode& row, const Reference& reference, const Operands& operands, Tally& tally,
                      Bits mask = ~Bits{0}) {
  ++tally.rows;
  unsigned failures = 0;
  const auto check = [&](std::array<Bits, 3> in) {
    for (unsigned index = 0; index < 3; ++index)
      if (row.operands[index] == compiler::Class::Predicate) in[index] &= 1;
    const Bits found = row.evaluate.one(in[0], in[1], in[2]) & mask, expected = reference(in[0], in[1], in[2]) & mask;
    ++tally.cases;
    if (found == expected || ++failures > 4) return;
    std::ostringstream message;
    message << row.spelling << std::hex << " of " << in[0] << ", " << in[1] << ", " << in[2] << ": " << found
            << ", expected " << expected;
    BOOST_ERROR(message.str());
  };
  const auto edges = [&](unsigned index) {
    const compiler::Class width = row.operands[index];
    if (width == compiler::Class::None) return std::vector<Bits>{0};
    return width == compiler::Class::Predicate ? std::vector<Bits>{0, 1} : operands.edges;
  };
  for (const Bits a : edges(0))
    for (const Bits b : edges(1))
      for (const Bits c : edges(2)) check({a, b, c});
  std::mt19937_64 random(1);
  for (unsigned turn = 0; turn < operands.randoms; ++turn) {
    const Bits a = operands.random(random), b = operands.random(random), c = operands.random(random);
    check({a, b, c});
  }
}

/// The rows of a part that compute, of one type if it is given.
inline std::vector<const compiler::Opcode*> rows_of(Part part, const std::string& type = "") {
  std::vector<const compiler::Opcode*> rows;
  for (const compiler::Opcode& row : compiler::opcode_table()) {
    const Spelling spelling(row.spelling);
    if (row.evaluate.one == nullptr || part_of(spelling) != part) continue;
    if (type.empty() || spelling.last() == type) rows.push_back(&row);
  }
  return rows;
}

inline Bits random_integer(std::mt19937_64& random) {
  const Bits bits = random();
  return bits >> (random() % 64);  // small numbers too
}

inline const std::vector<Bits> IntegerEdges = {0,
                                               1,
                                               2,
                                               3,
                                               31,
                                               32,
                                               33,
                                               63,
                                               64,
                                               0x7f,
                                               0x80,
                                               0xff,
                                               0x7fff,
                                               0x8000,
                                               0xffff,
                                               0x7fffff,
                                               0x800000,
                                               0x7fffffff,
                                               0x80000000,
                                               0x80000001,
                                               0xfffffffe,
                                               0xffffffff,
                                               0x100000000,
                                               0x7fffffffffffffff,
                                               0x8000000000000000,
                                               0xfffffffffffffffe,
                                               0xffffffffffffffff,
                                               0x123456789abcdef0};

inline const Operands Integers{IntegerEdges, random_integer};

}  // namespace heddle::tests
