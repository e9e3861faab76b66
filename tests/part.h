// SPDX-License-Identifier: Apache-2.0
// Which part of a long campaign a run does: scripts/part.py in C++.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

namespace heddle::tests {

/// Is a part to be done, and not all?
inline bool only_a_part() {
  const char* const seed = std::getenv("HEDDLE_SEED");
  return seed != nullptr && *seed != '\0';
}

/// Some of `items`, at least one, in their order: all of them, or with HEDDLE_SEED=N one of so many, N saying which.
template <class Item>
std::vector<Item> part_of(const std::vector<Item>& items, unsigned long share = 10) {
  if (!only_a_part()) return items;
  const unsigned long first = std::strtoul(std::getenv("HEDDLE_SEED"), nullptr, 10);
  std::vector<Item> part;
  for (std::size_t i = 0; i < items.size(); ++i)
    if ((i + first) % share == 0) part.push_back(items[i]);
  if (part.empty() && !items.empty()) part.push_back(items.front());
  return part;
}

/// What a run prints: how much of the campaign it was.
inline std::string said(std::size_t done, std::size_t all, const std::string& what) {
  if (done == all) return "all " + std::to_string(all) + ' ' + what;
  return std::to_string(done) + " of " + std::to_string(all) + ' ' + what +
         ", chosen by HEDDLE_SEED=" + std::getenv("HEDDLE_SEED") + "; all of them: scripts/fuzz whole";
}

}  // namespace heddle::tests
