// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "sim/limit/alignment.h"
#include "sim/limit/schedule.h"

namespace heddle::limit {
namespace {

/// Lanes that are aligned already: their schedule from barrier to barrier.
struct Group {
  std::vector<Schedule> parts;
  std::vector<Symbols> symbols;  // of the parts

  void take_symbols() {
    symbols.clear();
    for (const Schedule& part : parts) {
      symbols.emplace_back();
      for (const Column& column : part) symbols.back().push_back(column.piece);
    }
  }
};

Group group_of(const LaunchTrace& launch, const Trace& trace, isa::Lanes lanes) {
  Group group;
  group.parts.emplace_back();
  for (const PieceIndex piece : trace) {
    group.parts.back().push_back({piece, lanes});
    if (launch.pieces[piece].waits) group.parts.emplace_back();
  }
  group.take_symbols();
  return group;
}

using Weights = std::vector<std::uint32_t>;

/// Slots that the two save when they are aligned.
std::uint64_t saved(const Group& a, const Group& b, const Weights& weights) {
  std::uint64_t sum = 0;
  for (std::size_t part = 0; part < std::min(a.parts.size(), b.parts.size()); ++part)
    sum += alignment_score(a.symbols[part], b.symbols[part], weights);
  return sum;
}

Schedule merged(const Schedule& a, const Schedule& b, const Matches& matches) {
  Schedule result;
  std::size_t i = 0, j = 0;
  const auto alone_until = [&](std::size_t end_a, std::size_t end_b) {
    for (; i < end_a; ++i) result.push_back(a[i]);
    for (; j < end_b; ++j) result.push_back(b[j]);
  };
  for (const auto& [in_a, in_b] : matches) {
    alone_until(in_a, in_b);
    result.push_back({a[i].piece, a[i].lanes | b[j].lanes});
    ++i;
    ++j;
  }
  alone_until(a.size(), b.size());
  return result;
}

Group merged(const Group& a, const Group& b, const Weights& weights) {
  Group result;
  for (std::size_t part = 0; part < std::max(a.parts.size(), b.parts.size()); ++part) {
    if (part >= a.parts.size()) {
      result.parts.push_back(b.parts[part]);
    } else if (part >= b.parts.size()) {
      result.parts.push_back(a.parts[part]);
    } else {
      result.parts.push_back(merged(a.parts[part], b.parts[part], align(a.symbols[part], b.symbols[part], weights)));
    }
  }
  result.take_symbols();
  return result;
}

}  // namespace

Schedule aligned_schedule(const LaunchTrace& launch, const WarpTraces& traces) {
  Weights weights;
  for (const Piece& piece : launch.pieces) weights.push_back(piece.instructions());
  std::map<Trace, isa::Lanes> distinct;
  for (unsigned lane = 0; lane < traces.size(); ++lane)
    if (traces[lane] != nullptr) distinct[*traces[lane]] |= isa::Lanes{1} << lane;
  std::vector<Group> groups;
  for (const auto& [trace, lanes] : distinct) groups.push_back(group_of(launch, trace, lanes));

  // saves[a][b] for a > b.
  std::vector<std::vector<std::uint64_t>> saves(groups.size());
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) saves[a].push_back(saved(groups[a], groups[b], weights));
  while (groups.size() > 1) {
    std::size_t best_a = 1, best_b = 0;
    for (std::size_t a = 0; a < groups.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (saves[a][b] > saves[best_a][best_b]) best_a = a, best_b = b;
    Group both = merged(groups[best_b], groups[best_a], weights);
    for (const std::size_t gone : {best_a, best_b}) {  // the later one first
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(gone));
      saves.erase(saves.begin() + static_cast<std::ptrdiff_t>(gone));
      for (std::size_t a = gone; a < groups.size(); ++a)
        saves[a].erase(saves[a].begin() + static_cast<std::ptrdiff_t>(gone));
    }
    saves.emplace_back();
    for (const Group& other : groups) saves.back().push_back(saved(both, other, weights));
    groups.push_back(std::move(both));
  }
  Schedule whole;
  for (const Group& group : groups)
    for (const Schedule& part : group.parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

}  // namespace heddle::limit
