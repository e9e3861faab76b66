// Breadth-first search with a queue, one thread a node of the frontier: the second style of BFS (DPE table 2, BFS2). It
// touches no node off the frontier, unlike `bfs`.
//
// Of the threads that find a new node one claims it with a compare-and-swap on its level, and takes a slot of the next
// frontier with an atomic counter. So levels are the same in every order of threads, but the order in the queue is not.
#include "../cuda_device.h"

static constexpr int Unvisited = -1;

extern "C" __global__ void bfs_queue(const unsigned* first_edge, const unsigned* edges, int* levels,
                                     const unsigned* frontier, unsigned frontier_nodes, unsigned* next_frontier,
                                     unsigned* next_nodes, int next_level) {
  const unsigned index = global_thread();
  if (index >= frontier_nodes) return;
  const unsigned node = frontier[index], end = first_edge[node + 1];
  HEDDLE_ROLLED_LOOP
  for (unsigned edge = first_edge[node]; edge < end; ++edge) {
    const unsigned neighbour = edges[edge];
    // The plain load saves most atomics; an old value costs one, no more.
    if (levels[neighbour] != Unvisited) continue;
    if (atomicCAS(&levels[neighbour], Unvisited, next_level) == Unvisited)
      next_frontier[atomicAdd(next_nodes, 1U)] = neighbour;
  }
}
// SPDX-License-Identifier: Apache-2.0
