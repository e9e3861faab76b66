// The suffix tree of a text, and the sorted suffixes that check it.
#pragma once

#include <vector>

#include "kernels/suffix_match/suffix_match.h"

namespace heddle::kernels::suffix_match {

using Bases = std::vector<unsigned char>;

/// The tree of a text that ends with EndOfText; its inner nodes have suffix links. A suffix that is the start of a
/// longer one has no leaf.
std::vector<SuffixNode> suffix_tree(const Bases& text);

struct Match {
  unsigned length = 0, position = NoMatch;
};

/// Finds matches by bisection in the sorted suffixes of a text that ends with EndOfText.
class SortedSuffixes {
 public:
  explicit SortedSuffixes(const Bases& text);

  /// The longest match of the bases from `begin` on, and where in the text it first occurs if it is long enough.
  Match longest_match(const unsigned char* begin) const;

 private:
  const Bases& text_;
  std::vector<unsigned> suffixes_;
};

}  // namespace heddle::kernels::suffix_match
// SPDX-License-Identifier: Apache-2.0
