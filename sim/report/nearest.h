// SPDX-License-Identifier: Apache-2.0
// The answer to a name that is not there: the nearest ones. tools/nearest.py is the same for the scripts; both are
// held to tests/cli/nearest.txt.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

/// Letters to insert, delete, replace, or swap with the next, to make `b` of `a`.
inline std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> last, before, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    last = std::exchange(before, std::exchange(row, {i}));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row.push_back(std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)}));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], last[j - 2] + 1);
    }
  }
  return row.back();
}

/// At most three of the known, best first: a third of the letters may be wrong, or the name is a part of it.
inline std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : known) {
    const bool part = name.size() >= 3 && candidate.find(name) != std::string::npos;
    const std::size_t off = part ? 1 : distance(name, candidate);
    if (off <= std::max<std::size_t>(1, name.size() / 3)) found.emplace_back(off, candidate);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [off, candidate] : found) {
    if (off <= found.front().first + 1 && names.size() < 3) names.push_back(candidate);
  }
  return names;
}

/// "no block 'dual_path_stak'; did you mean dual_path_stack?"
inline std::string no_such(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest(name, known);
  const std::vector<std::string>& shown = near.empty() ? known : near;
  std::string text = "no " + kind + " '" + name + (near.empty() ? "'; known: " : "'; did you mean ");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool last = i + 1 == shown.size() && !near.empty();
    text += (i == 0 ? "" : last ? " or " : ", ") + shown[i];
  }
  return near.empty() ? text : text + '?';
}

}  // namespace heddle::report
