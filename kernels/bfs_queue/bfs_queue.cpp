// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "kernels/bfs/graph.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::bfs_queue {
namespace {

using bfs::breadth_first_levels, bfs::Graph, bfs::read_graph;

constexpr unsigned ThreadsPerBlock = 128;

/// Degrees from 1 to 64, most of them small, and more edges to nodes of low number: a few have very many.
Graph random_graph(unsigned nodes, gpu::Random& random) {
  Graph graph;
  graph.first_edge.push_back(0);
  for (unsigned node = 0; node < nodes; ++node) {
    const unsigned degree = 1 + random.below(1U << random.below(7));
    for (unsigned edge = 0; edge < degree; ++edge) graph.edges.push_back(random.below(1 + random.below(nodes)));
    graph.first_edge.push_back(static_cast<unsigned>(graph.edges.size()));
  }
  return graph;
}

std::vector<unsigned> nodes_of_level(const std::vector<unsigned>& levels, unsigned level) {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < levels.size(); ++node)
    if (levels[node] == level) nodes.push_back(node);
  return nodes;
}

class BreadthFirstQueue : public gpu::Workload {
 public:
  std::string name() const override { return "bfs_queue"; }
  std::string summary() const override {
    return "breadth-first search with a queue: a thread a node of the frontier, slots from an atomic counter";
  }
  std::string branches() const override {
    return "none to interleave: lanes whose neighbour is known, or whose edges have ended, have nothing to do";
  }
  std::string sizes() const override { return Searches.text("searches of a graph of 12000 nodes"); }
  bool takes_any_warps() const override { return false; }
  /// The order within the queue, and with it which thread walks which edges, is that of the atomic counter. Each
  /// frontier is compared as a set, and the levels word by word.
  bool is_byte_exact() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    gpu::Random random(options.seed);
    const unsigned searches = Searches.at(options);
    const Graph graph = options.input_file.empty() ? random_graph(12'000, random) : read_graph(options.input_file);
    const Buffers buffers{gpu::upload(device, graph.first_edge),
                          gpu::upload(device, graph.edges),
                          device.allocate(graph.nodes() * sizeof(unsigned)),
                          device.allocate(graph.nodes() * sizeof(unsigned)),
                          device.allocate(graph.nodes() * sizeof(unsigned)),
                          device.allocate(sizeof(unsigned))};
    gpu::Outcome outcome{true, ""};
    for (unsigned search = 0; search < searches && outcome.ok; ++search) {
      const unsigned source = random.below(graph.nodes());
      outcome = this->search(device, find_program(name()), graph, buffers, source);
      outcome.message = fmt::format("search {} of {}, {} edges, from node {}: {}", search + 1, searches,
                                    graph.edges.size(), source, outcome.message);
    }
    return outcome;
  }

 private:
  static constexpr gpu::PerSize Searches{1, 10, 60};

  struct Buffers {
    std::uint64_t first_edge, edges, levels, frontier, next_frontier, next_nodes;
  };

  static gpu::Outcome search(gpu::Device& device, const isa::Program& program, const Graph& graph, Buffers buffers,
                             unsigned source) {
    const std::vector<unsigned> expected = breadth_first_levels(graph, source);
    std::vector<unsigned> initial(graph.nodes(), 0xffffffffU);
    initial[source] = 0;
    device.write(buffers.levels, initial.data(), initial.size() * sizeof(unsigned));
    device.write(buffers.frontier, &source, sizeof source);

    unsigned nodes = 1, level = 0;
    for (; nodes != 0; ++level) {
      std::vector<unsigned> frontier = gpu::download<unsigned>(device, buffers.frontier, nodes);
      std::sort(frontier.begin(), frontier.end());
      if (frontier != nodes_of_level(expected, level))
        return {false, fmt::format("the frontier of level {} has not the nodes of that level", level)};

      const unsigned none = 0, blocks = (nodes + ThreadsPerBlock - 1) / ThreadsPerBlock;
      device.write(buffers.next_nodes, &none, sizeof none);
      gpu::launch(device, program, {blocks}, {ThreadsPerBlock}, buffers.first_edge, buffers.edges, buffers.levels,
                  buffers.frontier, nodes, buffers.next_frontier, buffers.next_nodes, level + 1);
      device.read(buffers.next_nodes, &nodes, sizeof nodes);
      std::swap(buffers.frontier, buffers.next_frontier);
    }
    gpu::Outcome outcome = gpu::compare_words(gpu::download<unsigned>(device, buffers.levels, graph.nodes()), expected);
    outcome.message = fmt::format("{} levels: {}", level, outcome.message);
    return outcome;
  }
};

const gpu::RegisterWorkload<BreadthFirstQueue> Registered;

}  // namespace
}  // namespace heddle::kernels::bfs_queue
