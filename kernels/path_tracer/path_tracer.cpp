// SPDX-License-Identifier: Apache-2.0
#include "kernels/path_tracer/path_tracer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/hash.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::path_tracer {
namespace {

/// A box of six walls that are parts of large spheres, a lamp in the ceiling, and three balls.
std::vector<Sphere> make_scene(gpu::Random& random) {
  constexpr float Far = 51;  // a wall is at 1 from the middle, the one behind the camera at 3
  const auto colour = [&] { return Vector{random.between(0.3F, 0.9F), random.between(0.3F, 0.9F), 0.7F}; };
  const auto wall = [&](Vector centre) { return Sphere{centre, Far - 1, colour(), 0, Surface::Diffuse}; };
  return {wall({-Far, 0, 0}),
          wall({Far, 0, 0}),
          wall({0, -Far, 0}),
          wall({0, Far, 0}),
          wall({0, 0, -Far}),
          wall({0, 0, Far + 2}),
          {{0, 1.3F, 0}, 0.6F, {0, 0, 0}, 6, Surface::Diffuse},
          {{-0.45F, -0.6F, -0.4F}, 0.4F, {0.95F, 0.95F, 0.95F}, 0, Surface::Mirror},
          {{0.45F, -0.6F, 0.2F}, 0.4F, {0.95F, 0.95F, 0.95F}, 0, Surface::Glass},
          {{-0.2F, -0.8F, 0.6F}, 0.2F, colour(), 0, Surface::Diffuse}};
}

Vector normalised(Vector a) {
  return 1 / std::sqrt(dot(a, a)) * a;
}

Vector reflected(Vector direction, Vector normal) {
  return direction - 2 * dot(direction, normal) * normal;
}

struct Ray {
  Vector origin, direction;

  /// How far the sphere is ahead.
  std::optional<float> meets(const Sphere& sphere) const {
    const Vector to_centre = sphere.centre - origin;
    const float along = dot(to_centre, direction);
    const float radicand = along * along - dot(to_centre, to_centre) + sphere.radius * sphere.radius;
    if (radicand <= 0) return std::nullopt;
    for (const float distance : {along - std::sqrt(radicand), along + std::sqrt(radicand)})
      if (distance >= Nearest) return distance;
    return std::nullopt;
  }
};

Vector through_glass(Vector direction, Vector outward, unsigned& state) {
  const bool enters = dot(direction, outward) < 0;
  const Vector normal = enters ? outward : -1 * outward;
  const float ratio = enters ? 1 / RefractiveIndex : RefractiveIndex, cosine = -dot(direction, normal);
  const float radicand = 1 - ratio * ratio * (1 - cosine * cosine);
  if (radicand < 0) return reflected(direction, normal);
  const float other_cosine = std::sqrt(radicand), missing = 1 - (enters ? cosine : other_cosine);
  const float reflectance = 0.04F + 0.96F * (missing * missing * (missing * missing) * missing);
  if (draw(state) < reflectance) return reflected(direction, normal);
  return normalised(ratio * direction + (ratio * cosine - other_cosine) * normal);
}

Vector leave(const Sphere& sphere, Vector direction, Vector outward, unsigned& state) {
  if (sphere.surface == Surface::Mirror) return reflected(direction, outward);
  if (sphere.surface == Surface::Glass) return through_glass(direction, outward, state);
  for (;;) {
    const float x = 2 * draw(state) - 1, y = 2 * draw(state) - 1, z = 2 * draw(state) - 1;
    const Vector offset = {x, y, z};
    const float square = dot(offset, offset);
    if (square >= 1 || square < 1e-4F) continue;
    const Vector normal = dot(direction, outward) < 0 ? outward : -1 * outward;
    return normalised(normal + 0.999F / std::sqrt(square) * offset);
  }
}

/// The light that comes back along the ray.
Vector follow(const std::vector<Sphere>& scene, Ray ray, unsigned& state) {
  Vector weight = {1, 1, 1};
  for (unsigned bounce = 0; bounce < MaxBounces; ++bounce) {
    const Sphere* hit = nullptr;
    float nearest = 0;
    for (const Sphere& sphere : scene) {
      const std::optional<float> distance = ray.meets(sphere);
      if (!distance || (hit != nullptr && *distance >= nearest)) continue;
      hit = &sphere;
      nearest = *distance;
    }
    if (hit == nullptr) break;
    if (hit->emission > 0) return hit->emission * weight;
    weight = weight * hit->colour;
    if (bounce >= FirstRoulette) {
      const float survival = std::max({hit->colour.x, hit->colour.y, hit->colour.z});
      if (draw(state) >= survival) break;
      weight = 1 / survival * weight;
    }
    ray.origin = ray.origin + nearest * ray.direction;
    ray.direction = leave(*hit, ray.direction, 1 / hit->radius * (ray.origin - hit->centre), state);
  }
  return {0, 0, 0};
}

class PathTracer : public gpu::Workload {
 public:
  std::string name() const override { return "path_tracer"; }
  std::string summary() const override { return "Monte Carlo light transport in a box of spheres, Russian roulette"; }
  std::string branches() const override {
    return "diffuse, mirror or glass, reflection or refraction: work on both sides; the lamp adds its light, other "
           "ends of paths have an empty side";
  }
  std::string sizes() const override { return Warps.text("warps, 2 samples a pixel"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned samples = gpu::items_of_thread(options, 2);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    const unsigned width = std::min(shape.total(), 64U), height = (shape.total() + width - 1) / width;
    gpu::Random random(options.seed);
    const std::vector<Sphere> scene = make_scene(random);
    std::vector<float> expected;
    for (unsigned pixel = 0; pixel < shape.total(); ++pixel) {
      unsigned state = hash(pixel);
      Vector sum = {0, 0, 0};
      for (unsigned sample = 0; sample < samples; ++sample) {
        const float x = (static_cast<float>(pixel % width) + draw(state)) / static_cast<float>(width) - 0.5F;
        const float y = (static_cast<float>(pixel / width) + draw(state)) / static_cast<float>(height) - 0.5F;
        sum = sum + follow(scene, {{0, 0, 2.9F}, normalised({x, -y, -1})}, state);
      }
      expected.insert(expected.end(), {sum.x, sum.y, sum.z});
    }
    const std::uint64_t image = device.allocate(expected.size() * sizeof(float));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, scene), image,
                static_cast<unsigned>(scene.size()), width, height, samples);
    return gpu::compare_exactly(gpu::download<float>(device, image, expected.size()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{48, 480, 2880};
};

const gpu::RegisterWorkload<PathTracer> Registered;

}  // namespace
}  // namespace heddle::kernels::path_tracer
