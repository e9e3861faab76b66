// SPDX-License-Identifier: Apache-2.0
// What the words of an issue slice's buffers are.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <stdexcept>
#include <vector>

#include "rtl/base/port_bits.h"
#include "rtl/issue_slice/decoded_word.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/control_heads.h"

namespace heddle {

/// The number of the instruction: the slice is told its registers.
struct NumberedWords {
  static std::uint64_t word(isa::Pc pc) { return pc; }
  static isa::Pc pc(std::uint64_t word) { return static_cast<isa::Pc>(word); }
};

/// What the slice reads of an instruction, and its number in place of the operation, which nobody looks at.
template <unsigned WordBits>
class DecodedWords {
  using Word = DecodedWord<WordBits>;
  static constexpr unsigned OperationAt = WordBits - Word::OperationBits;

 public:
  /// \param heads  of its instructions
  /// \throws std::runtime_error for a program with more instructions than an operation has values
  void load(const isa::Program& program, const std::vector<ScoreboardHead>& heads, bool barriers) {
    if (heads.size() > std::uint64_t(1) << Word::OperationBits)
      throw std::runtime_error(
          fmt::format("the program has {} instructions; a twin of issue_slice numbers them by the {} bits of operation "
                      "in a word of instruction_bits {}",
                      heads.size(), Word::OperationBits, WordBits));
    words_.clear();
    for (std::size_t pc = 0; pc < heads.size(); ++pc) {
      PortBits bits(WordBits);
      bits.put(0, heads[pc]);
      bits.put(bits_of<ScoreboardHead>, sc_uint<1>(is_control(program.code[pc], barriers)));
      bits.put(OperationAt, sc_uint<Word::OperationBits>(pc));
      words_.push_back(bits.get<sc_uint<WordBits>>(0));
    }
  }
  std::uint64_t word(isa::Pc pc) const { return words_[pc]; }
  static isa::Pc pc(std::uint64_t word) { return static_cast<isa::Pc>(word >> OperationAt); }

 private:
  std::vector<std::uint64_t> words_;  // by PC
};

}  // namespace heddle
