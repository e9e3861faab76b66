// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "sim/limit/alignment.h"
#include "sim/limit/schedule.h"

namespace heddle::limit {
namespace {

using Weights = std::vector<std::uint32_t>;

/// A trace, from barrier to barrier.
std::vector<Symbols> parts_of(const LaunchTrace& launch, const Trace& trace) {
  std::vector<Symbols> parts(1);
  for (const PieceIndex piece : trace) {
    parts.back().push_back(piece);
    if (launch.pieces[piece].waits) parts.emplace_back();
  }
  return parts;
}

std::uint64_t weight_of(const Symbols& symbols, const Weights& weights) {
  std::uint64_t sum = 0;
  for (const std::uint32_t symbol : symbols) sum += weights[symbol];
  return sum;
}

/// Two lanes cannot share more than their best alignment.
std::uint64_t bound_of_pairs(const std::vector<Symbols>& lanes, const Weights& weights) {
  std::uint64_t most = 0;
  for (std::size_t a = 0; a < lanes.size(); ++a) {
    const std::uint64_t alone = weight_of(lanes[a], weights);
    most = std::max(most, alone);
    for (std::size_t b = 0; b < a; ++b)
      most = std::max(most, alone + weight_of(lanes[b], weights) - alignment_score(lanes[a], lanes[b], weights));
  }
  return most;
}

/// Each piece is issued as often as the lane that executes it most.
std::uint64_t bound_of_pieces(const std::vector<Symbols>& lanes, const Weights& weights) {
  std::vector<std::uint64_t> most(weights.size(), 0);
  for (const Symbols& lane : lanes) {
    std::vector<std::uint64_t> count(weights.size(), 0);
    for (const std::uint32_t symbol : lane) most[symbol] = std::max(most[symbol], ++count[symbol]);
  }
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < most.size(); ++piece) sum += most[piece] * weights[piece];
  return sum;
}

}  // namespace

std::uint64_t fewest_slots(const LaunchTrace& launch, const WarpTraces& traces) {
  Weights weights;
  for (const Piece& piece : launch.pieces) weights.push_back(piece.instructions());
  std::vector<std::vector<Symbols>> lanes_of_part;
  for (const Trace* trace : traces) {
    if (trace == nullptr) continue;
    std::vector<Symbols> parts = parts_of(launch, *trace);
    if (parts.size() > lanes_of_part.size()) lanes_of_part.resize(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) lanes_of_part[part].push_back(std::move(parts[part]));
  }
  std::uint64_t sum = 0;
  for (std::vector<Symbols>& lanes : lanes_of_part) {
    std::sort(lanes.begin(), lanes.end());  // equal lanes once
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    sum += std::max(bound_of_pairs(lanes, weights), bound_of_pieces(lanes, weights));
  }
  return sum;
}

}  // namespace heddle::limit
