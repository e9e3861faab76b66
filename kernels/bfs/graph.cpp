// SPDX-License-Identifier: Apache-2.0
#include "kernels/bfs/graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <queue>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace heddle::kernels::bfs {
namespace {

constexpr unsigned MaxNode = 10'000'000;

std::pair<unsigned, unsigned> parse_edge(const std::string& line, const std::string& path, unsigned number) {
  std::istringstream words(line);
  long long from = -1, to = -1;
  std::string rest;
  const bool well_formed =
      words >> from >> to && !(words >> rest) && from >= 0 && to >= 0 && from <= MaxNode && to <= MaxNode;
  if (!well_formed) {
    throw std::runtime_error(
        fmt::format("{}:{}: expected 'FROM TO', two node numbers up to {}: {}", path, number, MaxNode, line));
  }
  return {static_cast<unsigned>(from), static_cast<unsigned>(to)};
}

}  // namespace

Graph read_graph(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", path));
  std::vector<std::pair<unsigned, unsigned>> pairs;
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    const std::string text = line.substr(0, line.find('#'));
    if (text.find_first_not_of(" \t\r") != std::string::npos) pairs.push_back(parse_edge(text, path, number));
  }
  if (pairs.empty()) throw std::runtime_error(fmt::format("{}: expected at least one edge", path));

  unsigned nodes = 0;
  for (const auto& [from, to] : pairs) nodes = std::max({nodes, from + 1, to + 1});
  std::sort(pairs.begin(), pairs.end());
  Graph graph;
  graph.first_edge.assign(nodes + 1, 0);
  for (const auto& [from, to] : pairs) {
    ++graph.first_edge[from + 1];
    graph.edges.push_back(to);
  }
  for (unsigned node = 0; node < nodes; ++node) graph.first_edge[node + 1] += graph.first_edge[node];
  return graph;
}

std::vector<unsigned> breadth_first_levels(const Graph& graph, unsigned source) {
  constexpr unsigned Unvisited = 0xffffffffU;
  std::vector<unsigned> levels(graph.nodes(), Unvisited);
  std::queue<unsigned> queue;
  levels[source] = 0;
  queue.push(source);
  while (!queue.empty()) {
    const unsigned node = queue.front();
    queue.pop();
    for (unsigned edge = graph.first_edge[node]; edge < graph.first_edge[node + 1]; ++edge) {
      const unsigned neighbour = graph.edges[edge];
      if (levels[neighbour] != Unvisited) continue;
      levels[neighbour] = levels[node] + 1;
      queue.push(neighbour);
    }
  }
  return levels;
}

}  // namespace heddle::kernels::bfs
