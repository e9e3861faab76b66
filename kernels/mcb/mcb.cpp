// SPDX-License-Identifier: Apache-2.0
#include "kernels/mcb/mcb.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::mcb {
namespace {

struct Tallies {
  std::vector<unsigned> collisions, ends;
};

/// A place and a speed along one axis of the mesh.
struct Axis {
  unsigned cell;
  float at, speed;

  float time_to_side() const { return (speed > 0 ? 1 - at : -at) / speed; }
  void cross() {
    cell += speed > 0 ? 1U : ~0U;
    at = speed > 0 ? 0.0F : 1.0F;
  }
};

End follow(const std::vector<Material>& materials, const std::vector<unsigned>& mesh, unsigned state,
           std::vector<unsigned>& collisions) {
  const float x = draw(state), y = draw(state), x_speed = draw_speed(state), y_speed = draw_speed(state);
  Axis across{Side / 2, x, x_speed}, down{Side / 2, y, y_speed};
  for (float left = Census;;) {
    const unsigned cell = down.cell * Side + across.cell;
    const Material& material = materials[mesh[cell]];
    const float to_collision = -natural_logarithm(1 - draw(state)) * material.free_time;
    const float to_column = across.time_to_side(), to_row = down.time_to_side();
    const float time = std::min({to_collision, to_column, to_row, left});
    left -= time;
    across.at += across.speed * time;
    down.at += down.speed * time;
    if (left <= 0) return Counted;
    if (to_collision <= std::min(to_column, to_row)) {
      ++collisions[cell];
      if (draw(state) < material.absorbed_share) return Absorbed;
      across.speed = draw_speed(state);
      down.speed = draw_speed(state);
      continue;
    }
    Axis& crossed = to_column <= to_row ? across : down;
    crossed.cross();
    if (crossed.cell >= Side) return Escaped;
  }
}

class Mcb : public gpu::Workload {
 public:
  std::string name() const override { return "mcb"; }
  std::string summary() const override { return "Monte Carlo transport of particles through a mesh, event by event"; }
  std::string branches() const override {
    return "a collision, a cell's side or another, the end of time: work on all sides; lanes whose particle has ended "
           "wait for the others";
  }
  std::string sizes() const override { return Warps.text("warps, 6 particles a thread"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned particles = gpu::items_of_thread(options, 6);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    const std::vector<Material> materials = {{8, 0.05F}, {1.5F, 0.1F}, {0.5F, 0.3F}};
    std::vector<unsigned> mesh(Side * Side);
    for (unsigned& material : mesh) material = random.below(static_cast<unsigned>(materials.size()));
    Tallies expected{std::vector<unsigned>(mesh.size()), std::vector<unsigned>(shape.total() * Ends)};
    const std::uint64_t collisions = gpu::upload(device, expected.collisions);
    const std::uint64_t ends = device.allocate(expected.ends.size() * sizeof(unsigned));
    const std::uint64_t of_mesh = gpu::upload(device, mesh), of_materials = gpu::upload(device, materials);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, of_materials, of_mesh, particles,
                collisions, ends);
    for (unsigned particle = 0; particle < shape.total() * particles; ++particle) {
      const End end = follow(materials, mesh, hash(particle), expected.collisions);
      ++expected.ends[particle / particles * Ends + end];
    }
    const gpu::Outcome outcome =
        gpu::compare_words(gpu::download<unsigned>(device, collisions, mesh.size()), expected.collisions);
    if (!outcome.ok) return {false, fmt::format("collisions: {}", outcome.message)};
    return gpu::compare_words(gpu::download<unsigned>(device, ends, expected.ends.size()), expected.ends);
  }

 private:
  static constexpr gpu::PerSize Warps{48, 480, 2880};
};

const gpu::RegisterWorkload<Mcb> Registered;

}  // namespace
}  // namespace heddle::kernels::mcb
