// SPDX-License-Identifier: Apache-2.0
#include "sim/report/storage_difference.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/report/table.h"

namespace heddle::report {

namespace {

struct Pair {
  std::string block, structure;
  std::array<std::string, 2> layout;  ///< entries x bits
  std::array<unsigned long, 2> paper{}, ours{};

  unsigned long bits(unsigned side) const { return paper[side] + ours[side]; }
  bool differs() const { return paper[0] != paper[1] || ours[0] != ours[1] || layout[0] != layout[1]; }
};

/// In the order of a, then what only b has. Without `structures` a pair a block.
std::vector<Pair> pairs_of(const StorageSide& a, const StorageSide& b, bool structures) {
  std::vector<Pair> pairs;
  const std::array<const std::vector<StorageRow>*, 2> sides{&a.rows, &b.rows};
  for (unsigned side = 0; side < 2; ++side) {
    for (const StorageRow& row : *sides[side]) {
      const std::string structure = structures ? row.structure : "";
      auto pair = std::find_if(pairs.begin(), pairs.end(),
                               [&](const Pair& one) { return one.block == row.block && one.structure == structure; });
      if (pair == pairs.end()) pair = pairs.insert(pair, Pair{row.block, structure, {}, {}, {}});
      pair->paper[side] += row.paper_bits();
      pair->ours[side] += row.ours_bits();
      if (structures)
        pair->layout[side] = fmt::format("{} x {}", row.entries, row.bits_per_entry(true) + row.bits_per_entry(false));
    }
  }
  return pairs;
}

std::string change(unsigned long before, unsigned long after) {
  if (before == after) return "0";
  const std::string more = (after > before ? "+" : "-") + grouped(after > before ? after - before : before - after);
  return before == 0 ? more : fmt::format("{} ({:+.0f}%)", more, 100.0 * after / before - 100);
}

}  // namespace

std::string difference_text(const StorageSide& a, const StorageSide& b, bool structures) {
  const std::vector<Pair> pairs = pairs_of(a, b, structures);
  std::vector<std::string> head{"block", "bits of A", "bits of B", "paper", "ours", "change"};
  if (structures) head.insert(head.begin() + 1, {"structure", "A", "B"});
  Table table(head);
  std::size_t equal = 0;
  for (const Pair& pair : pairs) {
    if (!pair.differs()) {
      ++equal;
      continue;
    }
    std::vector<std::string> cells{pair.block,
                                   grouped(pair.bits(0)),
                                   grouped(pair.bits(1)),
                                   change(pair.paper[0], pair.paper[1]),
                                   change(pair.ours[0], pair.ours[1]),
                                   change(pair.bits(0), pair.bits(1))};
    if (structures) cells.insert(cells.begin() + 1, {pair.structure, pair.layout[0], pair.layout[1]});
    table.add(std::move(cells));
  }
  const std::string what = structures ? "structures" : "blocks";
  const std::string named = fmt::format("A: {}\nB: {}\n", a.name, b.name);
  if (equal == pairs.size()) return named + fmt::format("All {} {} are equal.\n", equal, what);
  return named + '\n' + table.text() + fmt::format("\n{} {} are equal.\n", equal, what);
}

nlohmann::json difference_json(const StorageSide& a, const StorageSide& b) {
  nlohmann::json differences = nlohmann::json::array();
  std::size_t equal = 0;
  for (const Pair& pair : pairs_of(a, b, true)) {
    if (!pair.differs()) {
      ++equal;
      continue;
    }
    differences.push_back({{"block", pair.block},
                           {"structure", pair.structure},
                           {"paper_bits", {pair.paper[0], pair.paper[1]}},
                           {"ours_bits", {pair.ours[0], pair.ours[1]}}});
  }
  return {{"a", a.name}, {"b", b.name}, {"differences", differences}, {"equal", equal}};
}

}  // namespace heddle::report
