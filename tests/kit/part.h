// SPDX-License-Identifier: Apache-2.0
// Which part of a long campaign a run does: scripts/part.py in C++.
#pragma once

#include <algorithm>
#include <boost/test/framework.hpp>
#include <boost/test/tree/test_unit.hpp>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace heddle::tests {

/// Is a part to be done, and not all?
inline bool only_a_part() {
  const char* const seed = std::getenv("HEDDLE_SEED");
  return seed != nullptr && *seed != '\0';
}

/// A file that tests/runs/parts names gets a line: the test case that takes parts, and into how many it divides its
/// campaign.
inline void record_parts(unsigned long parts) {
  if (const char* const file = std::getenv("HEDDLE_PARTS"))
    std::ofstream(file, std::ios::app) << boost::unit_test::framework::current_test_case().full_name() << ' ' << parts
                                       << '\n';
}

/// Some of `items`, at least one, in their order: all of them, or with HEDDLE_SEED=N one of so many, N saying which.
template <class Item>
std::vector<Item> part_of(const std::vector<Item>& items, unsigned long share = 10) {
  if (!only_a_part()) return items;
  record_parts(std::min<unsigned long>(share, items.size()));
  const unsigned long first = std::strtoul(std::getenv("HEDDLE_SEED"), nullptr, 10);
  std::vector<Item> part;
  for (std::size_t i = 0; i < items.size(); ++i)
    if ((i + first) % share == 0) part.push_back(items[i]);
  if (part.empty() && !items.empty()) part.push_back(items.front());
  return part;
}

/// The same, and before it the first item that `is_known` where the part has no such item: what a test asks of any part
/// (one run had something to compare) must not depend on the seed, so that one is always there which is known to have it.
template <class Item, class Predicate>
std::vector<Item> part_with(const std::vector<Item>& items, unsigned long share, Predicate is_known) {
  std::vector<Item> part = part_of(items, share);
  if (std::any_of(part.begin(), part.end(), is_known)) return part;
  const auto known = std::find_if(items.begin(), items.end(), is_known);
  if (known != items.end()) part.insert(part.begin(), *known);
  return part;
}

/// What a run prints: how much of the campaign it was.
inline std::string said(std::size_t done, std::size_t all, const std::string& what) {
  if (done == all) return "all " + std::to_string(all) + ' ' + what;
  return std::to_string(done) + " of " + std::to_string(all) + ' ' + what +
         ", chosen by HEDDLE_SEED=" + std::getenv("HEDDLE_SEED") + "; all of them: scripts/fuzz whole";
}

}  // namespace heddle::tests
