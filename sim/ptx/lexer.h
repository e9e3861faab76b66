// SPDX-License-Identifier: Apache-2.0
// PTX text into tokens. Opcodes and special registers keep their dots: "ld.global.u32" and "%tid.x" are one word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ptx/error.h"

namespace heddle::ptx {

struct Token {
  enum class Kind : std::uint8_t { Word, Directive, Number, String, Symbol, Mark, End };
  Kind kind = Kind::End;
  Location where;
  std::string text;         // as written; a directive without its dot, a mark (mark.h) without its slashes
  std::uint64_t value = 0;  // of a number: its bits
};

std::vector<std::string> split_lines(const std::string& text);

/// Throws Error at a character or a number that is not PTX.
std::vector<Token> tokenize(const std::vector<std::string>& lines, const std::string& file);

}  // namespace heddle::ptx
