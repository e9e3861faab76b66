// SPDX-License-Identifier: Apache-2.0
// The opcode table against NVIDIA's own assembler. ptxas computes what is constant: a kernel that asks whether a result
// is what the row says, and stores one of two numbers as the answer, has only the right one of them in its code. Of an
// opcode that ptxas leaves to the machine both stay; how many it computes is printed.
//
// Independent of the table, of its references in compiler_*_semantics, and of our reading of the manual.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "tests/compiler/float_semantics.h"

namespace {

using namespace heddle::tests;
using heddle::compiler::Class;
using heddle::compiler::Opcode;
using heddle::compiler::Pattern;

constexpr unsigned CasesARow = 8, CasesAKernel = 500;
/// What a case stores. No instruction happens to have these bits.
constexpr std::uint32_t Agrees = 0xb6d00000, Differs = 0x35a00000;

struct Case {
  const Opcode* row;
  bool is_open;
  std::string text;         // statements that leave the answer in %p5
  std::string description;  // for people
};

/// Bits of a register that ptxas accepts for an operand; of the result: -1.
unsigned register_bits(const Opcode& row, const Spelling& s, int operand) {
  const Class width = operand < 0 ? row.result : row.operands[static_cast<unsigned>(operand)];
  if (width == Class::Predicate) return 1;
  if (width == Class::Wide) return 64;
  if (s.word == "cvt") return width_of(s.last(operand < 0 ? 1 : 0)) == 16 ? 16 : 32;
  if (s.word == "slct" || s.word == "prmt" || s.text.back() == '{' || width_of(s.last()) != 16) return 32;
  const bool is_amount = (s.word == "shl" || s.word == "shr") && operand == 1;
  const bool is_twice = s.has("wide") && (operand < 0 || operand == 2);
  return is_amount || is_twice ? 32 : 16;
}

std::string register_name(unsigned bits, unsigned index) {
  return fmt::format("%{}{}", bits == 1 ? 'p' : bits == 16 ? 'h' : bits == 32 ? 'w' : 'd', index);
}

std::string set_register(unsigned bits, unsigned index, Bits value) {
  const std::string name = register_name(bits, index);
  if (bits == 1) return fmt::format("setp.ne.u32 {}, {}, 0;\n", name, value & 1);
  return fmt::format("mov.b{} {}, {:#x};\n", bits, name, bits == 64 ? value : value & ((Bits{1} << bits) - 1));
}

/// A value for an operand: an edge of its type as often as not.
Bits value_for(const std::string& type, std::mt19937_64& random) {
  static const std::vector<Bits> singles = float_edges<float>(), doubles = float_edges<double>();
  if (type == "f16") return random() & 0xffff;
  if (type == "f32") return random() % 3 == 0 ? random_near_one<float>(random) : singles[random() % singles.size()];
  if (type == "f64") return random() % 3 == 0 ? random_near_one<double>(random) : doubles[random() % doubles.size()];
  return random() % 2 == 0 ? random_integer(random) : IntegerEdges[random() % IntegerEdges.size()];
}

/// What PTX leaves open, or ptxas contradicts itself in.
bool is_open(const Spelling& s, const std::array<Bits, 3>& in, Bits result) {
  // Which NaN there is where f64 takes part is ours; ptxas keeps some payloads and not others.
  if (s.last() == "f64" && s.last(1) == "f32" && std::isnan(float_of<float>(result))) return true;
  if ((s.last() == "f64" || s.last(1) == "f64") && std::isnan(float_of<double>(result))) return true;
  // Its slct.s32.s32 takes the most negative number for positive; its slct.u32.s32 and slct.b32.s32 do not.
  if (s.text == "slct.s32.s32" && in[2] == 0x80000000U) return true;
  // It makes x of max(x, x), also of a NaN.
  if ((s.word == "min" || s.word == "max") && s.last() == "f32" && std::isnan(float_of<float>(result))) return true;
  return s.word == "fns" && (in[1] & 0xffffffffU) > 31;  // no such bit
}

/// One statement of a row with constant operands; `inverse`: the second result of a comparison.
Case make_case(const Opcode& row, std::mt19937_64& random, bool inverse) {
  const Spelling s(row.spelling);
  const bool is_logic = s.word == "lop3", inserts = row.pattern == Pattern::Insert;
  Case result{&row, false, "", row.spelling + " of"};
  std::array<Bits, 3> in{};
  std::vector<std::string> names;
  const auto add = [&](unsigned bits, Bits value) {
    const auto index = static_cast<unsigned>(names.size()) + 1;
    result.text += set_register(bits, index, value);
    result.description += fmt::format(" {:#x}", value);
    names.push_back(register_name(bits, index));
  };
  for (unsigned index = 0; index < 3; ++index) {
    if (row.operands[index] == Class::None) continue;
    const unsigned bits = register_bits(row, s, static_cast<int>(index));
    in[index] = value_for(is_logic ? "b32" : s.word == "slct" && index < 2 ? s.last(1) : s.last(), random);
    if (bits == 1) in[index] &= 1;
    if (bits == 32) in[index] &= 0xffffffffU;
    if (inserts && index == 2) {  // position and length
      const Bits position = random() % 70 + (random() % 4 == 0 ? 256 : 0),
                 length = random() % 70 + (random() % 4 == 0 ? 256 : 0);
      add(32, position);
      add(32, length);
      in[2] = heddle::compiler::find_opcode("bfi.field." + s.last() + " {")->evaluate.one(position, length, 0);
    } else {
      add(bits, in[index]);
    }
  }
  const unsigned bits = register_bits(row, s, -1);
  const Bits expected = (inverse ? row.inverse : row.evaluate).one(in[0], in[1], in[2]);
  result.is_open = is_open(s, in, expected);
  result.description += fmt::format(" is {:#x}{}", expected, inverse ? " (q)" : "");
  const std::string found = register_name(bits, 0);
  std::string table;
  if (is_logic) table = ", " + s.text.substr(s.text.find('{') + 1);
  result.text += fmt::format("{} {}{}, {}{};\n", is_logic ? "lop3.b32" : row.spelling, inverse ? "%p6|" : "", found,
                             fmt::join(names, ", "), table);
  if (bits == 1) {
    result.text += fmt::format("{}.pred %p5, {};\n", expected != 0 ? "mov" : "not", found);
  } else if (bits == 16) {
    result.text += fmt::format("cvt.u32.u16 %w5, {};\nsetp.eq.u32 %p5, %w5, {:#x};\n", found, expected & 0xffff);
  } else {
    result.text += fmt::format("setp.eq.u{} %p5, {}, {:#x};\n", bits, found, expected);
  }
  return result;
}

bool is_tested(const Opcode& row) {
  const Spelling s(row.spelling);
  switch (row.pattern) {
    case Pattern::Plain:
    case Pattern::Convert:
    case Pattern::Compare:
    case Pattern::Insert:
      break;
    default:
      return false;
  }
  if (row.evaluate.one == nullptr || s.word == "isspacep") return false;  // where windows lie is ours
  if (s.text.find('{') != std::string::npos && s.word != "lop3") return false;
  return part_of(s) != Part::Approximate;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  std::mt19937_64 random(1);
  for (const Opcode& row : heddle::compiler::opcode_table()) {
    if (!is_tested(row)) continue;
    for (unsigned turn = 0; turn < CasesARow; ++turn)
      cases.push_back(make_case(row, random, row.pattern == Pattern::Compare && turn % 4 == 3));
  }
  return cases;
}

/// \param lines  out: by line of the text, the case that it belongs to
std::string ptx_of(const std::vector<Case>& cases, const std::vector<bool>& left_out, std::vector<std::size_t>& lines) {
  std::string text = ".version 8.0\n.target " HEDDLE_PTXAS_TARGET "\n.address_size 64\n";
  lines.assign(4, cases.size());
  const auto append = [&](const std::string& part, std::size_t of) {
    text += part;
    for (const char c : part)
      if (c == '\n') lines.push_back(of);
  };
  for (std::size_t index = 0; index < cases.size(); ++index) {
    if (index % CasesAKernel == 0) {
      if (index != 0) append("ret;\n}\n", cases.size());
      append(fmt::format(".visible .entry k{}(.param .u64 p) {{\n.reg .b16 %h<9>; .reg .b32 %w<9>; .reg .b64 %d<9>; "
                         ".reg .pred %p<9>; .reg .b64 %out;\nld.param.u64 %out, [p];\n",
                         index),
             cases.size());
    }
    if (left_out[index]) continue;
    append(cases[index].text + fmt::format("selp.b32 %w5, {:#x}, {:#x}, %p5;\nst.global.u32 [%out+{}], %w5;\n",
                                           Agrees + index, Differs + index, 4 * index),
           index);
  }
  append("ret;\n}\n", cases.size());
  return text;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(ptxas_computes_what_the_table_says) {
  const std::string ptxas = HEDDLE_PTXAS;
  if (ptxas.empty()) {
    std::cout << "left out: no ptxas was found when the build was configured\n";
    return;
  }
  const std::vector<Case> cases = all_cases();
  const std::string base = HEDDLE_PTX_DIR "/ptxas_folding";
  std::vector<bool> left_out(cases.size(), false);
  std::vector<std::size_t> lines;
  std::set<std::string> refused;
  bool assembled = false;
  for (unsigned attempt = 0; attempt < 4 && !assembled; ++attempt) {
    std::ofstream(base + ".ptx") << ptx_of(cases, left_out, lines);
    const std::string command = fmt::format("'{}' -arch={} -o '{}.cubin' '{}.ptx' > '{}.log' 2>&1", ptxas,
                                            HEDDLE_PTXAS_TARGET, base, base, base);
    assembled = std::system(command.c_str()) == 0;
    std::ifstream log(base + ".log");
    for (std::string message; !assembled && std::getline(log, message);) {
      const std::size_t at = message.find(", line ");
      if (at == std::string::npos) continue;
      const std::size_t of = lines.at(std::stoul(message.substr(at + 7)));
      BOOST_REQUIRE_MESSAGE(of < cases.size(), message);
      refused.insert(cases[of].row->spelling);
      for (std::size_t other = 0; other < cases.size(); ++other)
        if (cases[other].row == cases[of].row) left_out[other] = true;
    }
  }
  BOOST_REQUIRE(assembled);
  std::vector<bool> agrees(cases.size(), false), differs(cases.size(), false);
  const std::string cubin = contents(base + ".cubin");
  for (std::size_t at = 0; at + 4 <= cubin.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, cubin.data() + at, 4);
    if (word - Agrees < cases.size()) agrees[word - Agrees] = true;
    if (word - Differs < cases.size()) differs[word - Differs] = true;
  }
  std::size_t computed = 0;
  std::set<const Opcode*> rows;
  std::map<const Opcode*, unsigned> failures;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    if (agrees[index] == differs[index] || cases[index].is_open) continue;  // left to the machine
    ++computed;
    rows.insert(cases[index].row);
    if (differs[index] && ++failures[cases[index].row] <= 3)
      BOOST_ERROR("ptxas denies that " << cases[index].description);
  }
  std::cout << "ptxas refuses";
  for (const std::string& spelling : refused) std::cout << ' ' << spelling;
  std::cout << "\nptxas computes " << computed << " of " << cases.size() << " cases, of " << rows.size() << " rows\n";
  BOOST_TEST(refused.size() < 50U);
  BOOST_TEST(rows.size() > 900U);
}
