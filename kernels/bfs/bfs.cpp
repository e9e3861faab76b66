// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kernels/bfs/graph.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::bfs {
namespace {

class BreadthFirstSearch : public gpu::Workload {
 public:
  std::string name() const override { return "bfs"; }
  std::string summary() const override { return "level-synchronous breadth-first search of a graph from a file"; }
  std::string branches() const override {
    return "none to interleave: lanes off the frontier, and with fewer edges, have nothing to do";
  }
  std::string sizes() const override { return Searches.text("searches of the graph of a file"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const std::string path = options.input_file.empty() ? HEDDLE_KERNELS_DIR "/bfs/graph.txt" : options.input_file;
    const Graph graph = cut(read_graph(path), options);
    const unsigned nodes = graph.nodes(), warps = (nodes + options.lanes - 1) / options.lanes;
    const gpu::Shape shape =
        gpu::shape_for(options, (warps + WarpsPerBlock - 1) / WarpsPerBlock * WarpsPerBlock, WarpsPerBlock);

    const Buffers buffers{gpu::upload(device, graph.first_edge), gpu::upload(device, graph.edges),
                          device.allocate(nodes * sizeof(unsigned)),
                          gpu::upload(device, std::vector<unsigned>(nodes, 0)), device.allocate(sizeof(unsigned))};
    const isa::Program &expand = find_program("bfs_expand"), &update = find_program("bfs_update");
    const unsigned searches = Searches.at(options);
    gpu::Outcome outcome{true, ""};
    unsigned levels = 0;
    for (unsigned search = 0; search < searches && outcome.ok; ++search) {
      const unsigned source = search * nodes / searches;
      std::vector<unsigned> initial(nodes, 0xffffffffU);
      initial[source] = 0;
      device.write(buffers.levels, initial.data(), nodes * sizeof(unsigned));
      unsigned any_change = 1, level = 0;
      for (; any_change != 0 && level <= nodes; ++level) {  // of a machine that is right, level stays below
        any_change = 0;
        device.write(buffers.changed, &any_change, sizeof any_change);
        gpu::launch(device, expand, {shape.blocks}, {shape.threads}, buffers.first_edge, buffers.edges, buffers.levels,
                    buffers.marks, level, nodes);
        gpu::launch(device, update, {shape.blocks}, {shape.threads}, buffers.levels, buffers.marks, buffers.changed,
                    level, nodes);
        device.read(buffers.changed, &any_change, sizeof any_change);
      }
      levels += level;
      outcome = gpu::compare_words(gpu::download<unsigned>(device, buffers.levels, nodes),
                                   breadth_first_levels(graph, source));
    }
    return {outcome.ok, fmt::format("{} nodes, {} edges, {} searches, {} levels: {}", nodes, graph.edges.size(),
                                    searches, levels, outcome.message)};
  }

 private:
  struct Buffers {
    std::uint64_t first_edge, edges, levels, marks, changed;
  };

  static constexpr gpu::PerSize Searches{1, 40, 240};
  static constexpr unsigned WarpsPerBlock = 4;

  /// With a fixed number of warps there is one node a thread: the graph is cut to its first nodes.
  static Graph cut(Graph graph, const gpu::WorkloadOptions& options) {
    const unsigned limit = options.warps * options.lanes;
    if (limit == 0 || limit >= graph.nodes()) return graph;
    Graph part;
    part.first_edge.push_back(0);
    for (unsigned node = 0; node < limit; ++node) {
      for (unsigned edge = graph.first_edge[node]; edge < graph.first_edge[node + 1]; ++edge)
        if (graph.edges[edge] < limit) part.edges.push_back(graph.edges[edge]);
      part.first_edge.push_back(static_cast<unsigned>(part.edges.size()));
    }
    if (part.edges.empty()) part.edges.push_back(0);  // so that the buffer is not empty
    return part;
  }
};

const gpu::RegisterWorkload<BreadthFirstSearch> Registered;

}  // namespace
}  // namespace heddle::kernels::bfs
