// SPDX-License-Identifier: Apache-2.0
#include "kernels/suffix_match/suffix_tree.h"

#include <algorithm>

namespace heddle::kernels::suffix_match {
namespace {

class Builder {
 public:
  explicit Builder(const Bases& text) : text_(text), nodes_(1), depths_(1, 0) {}

  std::vector<SuffixNode> build() {
    for (unsigned suffix = 0; text_[suffix] != EndOfText; ++suffix) insert(suffix);
    for (unsigned node = 1; node < nodes_.size(); ++node)
      if (!is_leaf(node)) nodes_[node].link = node_at(nodes_[node].leftmost + 1, depths_[node] - 1);
    return nodes_;
  }

 private:
  bool is_leaf(unsigned node) const { return nodes_[node].begin + nodes_[node].length == text_.size(); }

  unsigned add(unsigned begin, unsigned length, unsigned depth, unsigned leftmost) {
    nodes_.push_back({begin, length, {0, 0, 0, 0}, 0, leftmost});
    depths_.push_back(depth);
    return static_cast<unsigned>(nodes_.size()) - 1;
  }

  /// Walks down as far as the tree has the suffix, and adds a leaf there. Suffixes come from the longest to the
  /// shortest, so a node that is there already has the leftmost position.
  void insert(unsigned suffix) {
    const unsigned end = static_cast<unsigned>(text_.size());
    unsigned node = 0, at = suffix;
    while (text_[at] != EndOfText) {
      const unsigned child = nodes_[node].children[text_[at]];
      if (child == 0) {
        const unsigned leaf = add(at, end - at, end - suffix, suffix);
        nodes_[node].children[text_[at]] = leaf;
        return;
      }
      const SuffixNode edge = nodes_[child];
      unsigned same = 1;
      while (same < edge.length && text_[at + same] != EndOfText && text_[edge.begin + same] == text_[at + same])
        ++same;
      at += same;
      if (same < edge.length) {
        if (text_[at] == EndOfText) return;
        const unsigned inner = add(edge.begin, same, at - suffix, edge.leftmost);
        nodes_[node].children[text_[edge.begin]] = inner;
        nodes_[inner].children[text_[edge.begin + same]] = child;
        nodes_[child].begin += same;
        nodes_[child].length -= same;
        node = inner;
      } else {
        node = child;
      }
    }
  }

  /// The node whose string is the text's from `begin`, of that length; there is one.
  unsigned node_at(unsigned begin, unsigned length) const {
    unsigned node = 0;
    while (depths_[node] < length) node = nodes_[node].children[text_[begin + depths_[node]]];
    return node;
  }

  const Bases& text_;
  std::vector<SuffixNode> nodes_;
  std::vector<unsigned> depths_;  // lengths of the nodes' strings
};

}  // namespace

std::vector<SuffixNode> suffix_tree(const Bases& text) {
  return Builder(text).build();
}

SortedSuffixes::SortedSuffixes(const Bases& text) : text_(text) {
  for (unsigned suffix = 0; suffix < text.size(); ++suffix) suffixes_.push_back(suffix);
  std::sort(suffixes_.begin(), suffixes_.end(), [&](unsigned a, unsigned b) {
    return std::lexicographical_compare(text_.begin() + a, text_.end(), text_.begin() + b, text_.end());
  });
}

Match SortedSuffixes::longest_match(const unsigned char* begin) const {
  Match match;
  auto first = suffixes_.begin(), last = suffixes_.end();
  while (true) {
    const unsigned char base = begin[match.length];
    // All of them are equal up to here, and none of them ends here: the text's end equals no base of a query.
    const auto next = [&](unsigned suffix) { return text_[suffix + match.length]; };
    const auto lower = std::partition_point(first, last, [&](unsigned suffix) { return next(suffix) < base; });
    const auto upper = std::partition_point(lower, last, [&](unsigned suffix) { return next(suffix) <= base; });
    if (lower == upper) break;
    first = lower;
    last = upper;
    ++match.length;
  }
  if (match.length >= ShortestMatch) match.position = *std::min_element(first, last);
  return match;
}

}  // namespace heddle::kernels::suffix_match
