// What kernel and driver of `suffix_match` agree on. Bases are the bytes 0 to 3.
#pragma once

namespace heddle::kernels::suffix_match {

constexpr unsigned char EndOfText = 4, EndOfQuery = 5;  // equal no base, nor each other
constexpr unsigned QueryLength = 48;                    // bases; EndOfQuery follows
constexpr unsigned ShortestMatch = 12;                  // of which the position is asked for
constexpr unsigned NoMatch = 0xffffffffU;

/// A node of a suffix tree, with the edge that leads to it. An edge to a leaf ends with EndOfText, so that no walk gets
/// to a leaf. Node 0 is the root, and no child.
struct SuffixNode {
  unsigned begin, length;  // of the edge's label in the text
  unsigned children[4];    // by their first base; 0: none
  unsigned link;           // of an inner node: the one for the same string without its first base
  unsigned leftmost;       // where its string, from the root, first occurs in the text
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(SuffixNode) == 8 * sizeof(unsigned));

}  // namespace heddle::kernels::suffix_match
// SPDX-License-Identifier: Apache-2.0
