// SPDX-License-Identifier: Apache-2.0
// Tables for people: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::report {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row);
  /// A line between what is above and what follows.
  void rule() { rules_.push_back(rows_.size()); }
  /// \param width  if not 0, the last column is wrapped so that no line is longer (as far as words allow)
  std::string text(std::size_t width = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> rules_;
};

/// A terminal's width that people may be expected to have.
constexpr std::size_t TerminalWidth = 120;

/// Lines of words, each of at most so many characters. At least one line.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace heddle::report
