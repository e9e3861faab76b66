// Level-synchronous breadth-first search, one thread a node. Two kernels a level make it race-free: `bfs_expand` only
// reads levels and marks neighbours (all writers write 1), `bfs_update` turns marks into levels. So neither results
// nor the paths taken depend on time.
#include "../cuda_device.h"

static constexpr unsigned Unvisited = 0xffffffffU;

extern "C" __global__ void bfs_expand(const unsigned* first_edge, const unsigned* edges, const unsigned* levels,
                                      unsigned* marks, unsigned level, unsigned nodes) {
  const unsigned node = global_thread();
  if (node >= nodes || levels[node] != level) return;
  HEDDLE_ROLLED_LOOP
  for (unsigned edge = first_edge[node]; edge < first_edge[node + 1]; ++edge) {
    const unsigned neighbour = edges[edge];
    if (levels[neighbour] == Unvisited) marks[neighbour] = 1;
  }
}

extern "C" __global__ void bfs_update(unsigned* levels, unsigned* marks, unsigned* changed, unsigned level,
                                      unsigned nodes) {
  const unsigned node = global_thread();
  if (node >= nodes || marks[node] == 0) return;
  levels[node] = level + 1;
  marks[node] = 0;
  *changed = 1;
}
// SPDX-License-Identifier: Apache-2.0
