// SPDX-License-Identifier: Apache-2.0
#include "sim/limit/alignment.h"

#include <algorithm>

namespace heddle::limit {
namespace {

using Weights = std::vector<std::uint32_t>;
using Row = std::vector<std::uint64_t>;

/// Part of a sequence, read forwards or backwards.
struct View {
  const std::uint32_t* symbols;
  std::size_t size;
  bool is_reversed = false;

  std::uint32_t operator[](std::size_t i) const { return symbols[is_reversed ? size - 1 - i : i]; }
};

/// scores[j]: of all of a with the first j of b.
Row last_row(View a, View b, const Weights& weights) {
  Symbols columns(b.size);
  for (std::size_t j = 0; j < b.size; ++j) columns[j] = b[j];
  Row row(b.size + 1, 0);
  for (std::size_t i = 0; i < a.size; ++i) {
    const std::uint32_t symbol = a[i];
    const std::uint64_t weight = weights[symbol];
    std::uint64_t diagonal = 0, left = 0;  // of the row before; of this row
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const std::uint64_t above = row[j + 1];
      const std::uint64_t match = diagonal + (columns[j] == symbol ? weight : 0);
      left = std::max(left, std::max(above, match));
      diagonal = above;
      row[j + 1] = left;
    }
  }
  return row;
}

/// How many symbols the two have in common at their ends.
std::size_t common(View a, View b) {
  std::size_t count = 0;
  while (count < std::min(a.size, b.size) && a[count] == b[count]) ++count;
  return count;
}

constexpr std::size_t SmallCells = 1U << 20;  // a table that stays in the cache

void align_by_table(View a, View b, std::size_t from_a, std::size_t from_b, const Weights& weights, Matches& matches) {
  // rest[i][j]: the best of a from i on with b from j on, so that the way is read from the front.
  const std::size_t stride = b.size + 1;
  Row rest((a.size + 1) * stride, 0);
  for (std::size_t i = a.size; i-- > 0;)
    for (std::size_t j = b.size; j-- > 0;) {
      const std::uint64_t match = a[i] == b[j] ? weights[a[i]] + rest[(i + 1) * stride + j + 1] : 0;
      rest[i * stride + j] = std::max({match, rest[(i + 1) * stride + j], rest[i * stride + j + 1]});
    }
  for (std::size_t i = 0, j = 0; i < a.size && j < b.size;) {
    const std::uint64_t here = rest[i * stride + j];
    if (a[i] == b[j] && here == weights[a[i]] + rest[(i + 1) * stride + j + 1]) {
      matches.emplace_back(from_a + i++, from_b + j++);
    } else if (here == rest[(i + 1) * stride + j]) {
      ++i;
    } else {
      ++j;
    }
  }
}

void align_parts(View a, View b, std::size_t from_a, std::size_t from_b, const Weights& weights, Matches& matches) {
  const std::size_t front = common(a, b);
  for (std::size_t i = 0; i < front; ++i) matches.emplace_back(from_a + i, from_b + i);
  a = {a.symbols + front, a.size - front};
  b = {b.symbols + front, b.size - front};
  from_a += front;
  from_b += front;
  const std::size_t back = common({a.symbols, a.size, true}, {b.symbols, b.size, true});
  a.size -= back;
  b.size -= back;
  if (a.size != 0 && b.size != 0) {
    if ((a.size + 1) * (b.size + 1) <= SmallCells || a.size == 1) {
      align_by_table(a, b, from_a, from_b, weights, matches);
    } else {
      const std::size_t half = a.size / 2;
      const View first{a.symbols, half}, second{a.symbols + half, a.size - half};
      const Row before = last_row(first, b, weights);
      const Row after = last_row({second.symbols, second.size, true}, {b.symbols, b.size, true}, weights);
      std::size_t cut = 0;
      for (std::size_t j = 1; j <= b.size; ++j)
        if (before[j] + after[b.size - j] > before[cut] + after[b.size - cut]) cut = j;
      align_parts(first, {b.symbols, cut}, from_a, from_b, weights, matches);
      align_parts(second, {b.symbols + cut, b.size - cut}, from_a + half, from_b + cut, weights, matches);
    }
  }
  for (std::size_t i = 0; i < back; ++i) matches.emplace_back(from_a + a.size + i, from_b + b.size + i);
}

}  // namespace

std::uint64_t alignment_score(const Symbols& a, const Symbols& b, const Weights& weights) {
  View left{a.data(), a.size()}, right{b.data(), b.size()};
  std::uint64_t score = 0;
  const std::size_t front = common(left, right);
  for (std::size_t i = 0; i < front; ++i) score += weights[a[i]];
  left = {left.symbols + front, left.size - front};
  right = {right.symbols + front, right.size - front};
  const std::size_t back = common({left.symbols, left.size, true}, {right.symbols, right.size, true});
  for (std::size_t i = 0; i < back; ++i) score += weights[left[left.size - 1 - i]];
  left.size -= back;
  right.size -= back;
  return score + last_row(left, right, weights).back();
}

Matches align(const Symbols& a, const Symbols& b, const Weights& weights) {
  Matches matches;
  align_parts({a.data(), a.size()}, {b.data(), b.size()}, 0, 0, weights, matches);
  return matches;
}

}  // namespace heddle::limit
