// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kernels/ray_tracing/reference.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::ray_tracing {
namespace {

class RayTracing : public gpu::Workload {
 public:
  std::string name() const override { return "ray_tracing"; }
  std::string summary() const override {
    return "spheres above a floor with shadows and mirrored rays, a pixel a thread";
  }
  std::string branches() const override {
    return "sky or surface, floor or sphere: both sides compute; hits of spheres are selects, of the floor and of "
           "light one-sided";
  }
  std::string sizes() const override { return Widths.text("columns") + "; " + Heights.text("rows of pixels"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned width = Widths.at(options);
    const unsigned height = Heights.at(options);
    const std::vector<Sphere> spheres = scene(options.seed);
    const std::uint64_t image = device.allocate(width * height * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {width / TileWidth, height / TileHeight}, {TileWidth, TileHeight},
                gpu::upload(device, spheres), static_cast<unsigned>(spheres.size()), image);

    const std::vector<unsigned> expected = traced_image(spheres, width, height);
    const gpu::Outcome outcome = gpu::compare_words(gpu::download<unsigned>(device, image, expected.size()), expected);
    return {outcome.ok, fmt::format("{} x {} pixels: {}", width, height, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Widths{8 * TileWidth, 26 * TileWidth, 64 * TileWidth};
  static constexpr gpu::PerSize Heights{10 * TileHeight, 32 * TileHeight, 80 * TileHeight};

  static std::vector<Sphere> scene(std::uint64_t seed) {
    gpu::Random random(seed);
    std::vector<Sphere> spheres(16);
    for (Sphere& sphere : spheres) {
      sphere.radius = random.between(0.4F, 1.5F);
      sphere.centre = {random.between(-5, 5), sphere.radius + random.between(0, 2.5F), random.between(-3, 7)};
      sphere.colour = {random.between(0.2F, 1), random.between(0.2F, 1), random.between(0.2F, 1)};
      sphere.reflection = random.between(0.1F, 0.75F);
    }
    return spheres;
  }
};

const gpu::RegisterWorkload<RayTracing> Registered;

}  // namespace
}  // namespace heddle::kernels::ray_tracing
