// For every position of a query, the longest match in a text that begins there, found in the text's suffix tree. A
// thread takes a query and keeps one match: it grows it base by base, and when it can grow no more, drops its first
// base by a suffix link. In the style of MUMmerGPU (MUMpp of DPE Table 2): a walk with a loop over start positions, and
// lanes in the middle of an edge, which compare with the text, beside lanes at a node, which look for a child.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "suffix_match.h"

using namespace heddle::kernels::suffix_match;

/// `lengths`, `positions`: of each query's matches, a thread's side by side; NoMatch for those below ShortestMatch.
extern "C" __global__ void suffix_match(const SuffixNode* nodes, const unsigned char* text,
                                        const unsigned char* queries, unsigned* lengths, unsigned* positions) {
  const unsigned char* query = queries + global_thread() * (QueryLength + 1);
  const unsigned first_result = global_thread() * QueryLength;
  // The match is the string of `node`, and then `on_edge` bases of the edge to `child`, which is not used if there are
  // none.
  unsigned node = 0, child = 0, on_edge = 0, edge_begin = 0, edge_length = 0;
  unsigned start = 0, length = 0;
  HEDDLE_PREDICT(mismatch);
  HEDDLE_ROLLED_LOOP
  while (start < QueryLength) {
    const unsigned base = query[start + length];
    bool grows;
    if (on_edge > 0) {
      grows = text[edge_begin + on_edge] == base;
      if (grows) ++on_edge;
    } else {
      child = base < EndOfText ? nodes[node].children[base] : 0;
      grows = child != 0;
      if (grows) {
        edge_begin = nodes[child].begin;
        edge_length = nodes[child].length;
        on_edge = 1;
      }
    }
    if (grows) {
      ++length;
      if (on_edge == edge_length) {
        node = child;
        on_edge = 0;
      }
      continue;
    }

    HEDDLE_RECONVERGE(mismatch);
    lengths[first_result + start] = length;
    positions[first_result + start] = length >= ShortestMatch ? nodes[on_edge > 0 ? child : node].leftmost : NoMatch;
    ++start;
    if (length == 0) continue;
    --length;
    // The bases on the edge are in the tree below the linked node as well: their first ones say which way to go.
    unsigned remaining = on_edge;
    if (node == 0)
      --remaining;
    else
      node = nodes[node].link;
    on_edge = 0;
    HEDDLE_ROLLED_LOOP
    while (remaining > 0) {
      child = nodes[node].children[query[start + length - remaining]];
      edge_begin = nodes[child].begin;
      edge_length = nodes[child].length;
      if (remaining < edge_length) {
        on_edge = remaining;
        break;
      }
      node = child;
      remaining -= edge_length;
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
