#include "sim/report/table.h"

#include <algorithm>
#include <fmt/format.h>
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

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::size_t total = 2 * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (std::find(rules_.begin(), rules_.end(), r) != rules_.end()) out += std::string(total, '-') + '\n';
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (c != 0) line += "  ";
      const std::string& cell = rows_[r][c];
      line += is_number(cell) ? fmt::format("{:>{}}", cell, widths[c]) : fmt::format("{:<{}}", cell, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
    if (r == 0) out += std::string(total, '-') + '\n';
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace heddle::report
