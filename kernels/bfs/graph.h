// A directed graph from an edge list: "from to" a line, '#' starts a comment, nodes are numbered from 0.
#pragma once

#include <string>
#include <vector>

namespace heddle::kernels::bfs {

struct Graph {
  std::vector<unsigned> first_edge;  // of each node, and one past the last: compressed sparse rows
  std::vector<unsigned> edges;       // target nodes

  unsigned nodes() const { return static_cast<unsigned>(first_edge.size()) - 1; }
};

/// Throws std::runtime_error naming file, line and text if the file cannot be read or a line is not an edge.
Graph read_graph(const std::string& path);

/// Levels from the source; 0xffffffff for nodes that it does not reach.
std::vector<unsigned> breadth_first_levels(const Graph& graph, unsigned source = 0);

}  // namespace heddle::kernels::bfs
// SPDX-License-Identifier: Apache-2.0
