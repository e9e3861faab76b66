// SPDX-License-Identifier: Apache-2.0
#include "sim/report/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace heddle::report {

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,%x+-") == std::string::npos;
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  if (row.size() != rows_.front().size()) throw std::logic_error("table: a row with another number of cells");
  rows_.push_back(std::move(row));
}

std::string Table::text(std::size_t width) const {
  const std::size_t last = rows_.front().size() - 1;
  std::vector<std::size_t> widths(last + 1);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c <= last; ++c) widths[c] = std::max(widths[c], row[c].size());
  const std::size_t in_front = std::accumulate(widths.begin(), widths.end() - 1, 2 * last);
  constexpr std::size_t Least = 20;  // of a column that is wrapped
  if (width != 0) widths[last] = std::min(widths[last], std::max(Least, width - std::min(width, in_front)));
  const std::string line_across(in_front + widths[last], '-');
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (std::find(rules_.begin(), rules_.end(), r) != rules_.end()) out += line_across + '\n';
    const std::vector<std::string> ends =
        width == 0 ? std::vector<std::string>{rows_[r][last]} : wrapped(rows_[r][last], widths[last]);
    for (std::size_t l = 0; l < ends.size(); ++l) {
      std::string line;
      for (std::size_t c = 0; c <= last; ++c) {
        if (c != 0) line += "  ";
        const std::string cell = c == last ? ends[l] : l == 0 ? rows_[r][c] : "";
        line += is_number(cell) ? fmt::format("{:>{}}", cell, widths[c]) : fmt::format("{:<{}}", cell, widths[c]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    }
    if (r == 0) out += line_across + '\n';
  }
  return out;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace heddle::report
