// SPDX-License-Identifier: Apache-2.0
#include "sim/ptx/error.h"

#include <fmt/format.h>

namespace heddle::ptx {
namespace {

/// White space that puts the caret below the column, tabs kept.
std::string indentation(const std::string& line_text, unsigned column) {
  std::string text = line_text.substr(0, column > 0 ? column - 1 : 0);
  for (char& character : text)
    if (character != '\t') character = ' ';
  return text;
}

}  // namespace

Error::Error(const std::string& file, Location where, const std::string& message, const std::string& line_text)
    : std::runtime_error(fmt::format("{}:{}:{}: {}\n{}\n{}^", file, where.line, where.column, message, line_text,
                                     indentation(line_text, where.column))),
      where_(where) {}

}  // namespace heddle::ptx
