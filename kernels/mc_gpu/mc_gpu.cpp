// SPDX-License-Identifier: Apache-2.0
#include "kernels/mc_gpu/mc_gpu.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::mc_gpu {
namespace {

/// What photons fly through: attenuation by material and energy, and a material a voxel.
struct Scene {
  std::vector<Attenuation> table;
  std::vector<float> largest;
  std::vector<unsigned> body;
};

/// Air, tissue and bone: photoelectric absorption falls with the cube of the energy, Rayleigh with its square.
std::vector<Attenuation> attenuations() {
  struct {
    float photoelectric, compton, rayleigh;  // at 60 keV
  } const materials[] = {{0.0002F, 0.001F, 0.0002F}, {0.01F, 0.09F, 0.01F}, {0.15F, 0.16F, 0.03F}};
  std::vector<Attenuation> table;
  for (const auto& material : materials) {
    for (unsigned bin = 0; bin < Bins; ++bin) {
      const float relative = 60 / ((static_cast<float>(bin) + 0.5F) * KeVOfBin), square = relative * relative;
      table.push_back({material.photoelectric * square * relative, material.compton, material.rayleigh * square});
    }
  }
  return table;
}

/// A ball of tissue with bones scattered in it, in air.
Scene make_scene(gpu::Random& random) {
  Scene scene{attenuations(), std::vector<float>(Bins), {}};
  for (std::size_t row = 0; row < scene.table.size(); ++row) {
    const Attenuation& here = scene.table[row];
    float& largest = scene.largest[row % Bins];
    largest = std::max(largest, here.photoelectric + here.compton + here.rayleigh);
  }
  for (unsigned voxel = 0; voxel < Side * Side * Side; ++voxel) {
    const auto from_middle = [](unsigned index) { return static_cast<float>(index) - 0.5F * (Side - 1); };
    const Vector place = {from_middle(voxel % Side), from_middle(voxel / Side % Side),
                          from_middle(voxel / Side / Side)};
    const bool is_body = dot(place, place) < 0.25F * Side * Side;
    scene.body.push_back(!is_body ? 0 : random.below(5) == 0 ? 2 : 1);
  }
  return scene;
}

class Flight {
 public:
  Flight(const Scene& scene, unsigned number, std::vector<unsigned>& deposited, std::vector<unsigned>& detected)
      : scene_(scene), state_(hash(number)), deposited_(deposited), detected_(detected) {
    const float y = draw(state_), z = draw(state_), energy = draw(state_);
    photon_ = {{0, Side * (0.25F + 0.5F * y), Side * (0.25F + 0.5F * z)}, {1, 0, 0}, 40 + 80 * energy};
  }

  void run() {
    while (photon_.energy > 0) {
      const float largest = scene_.largest[bin_of(photon_.energy)];
      const float path = -natural_logarithm(1 - draw(state_)) / largest;
      photon_.place = photon_.place + path * photon_.direction;
      if (!is_inside(photon_.place)) return detect();
      interact(scene_.table[scene_.body[voxel_at(photon_.place)] * Bins + bin_of(photon_.energy)], largest);
    }
  }

 private:
  void detect() {
    if (photon_.place.x < Side || photon_.direction.x <= 0) return;
    const Vector at = photon_.place - (photon_.place.x - Side) / photon_.direction.x * photon_.direction;
    if (std::min(at.y, at.z) < 0 || std::max(at.y, at.z) >= Side) return;
    detected_[static_cast<unsigned>(at.z) * Side + static_cast<unsigned>(at.y)] += units(photon_.energy);
  }

  void interact(const Attenuation& here, float largest) {
    const float before = photon_.energy, chance = draw(state_) * largest;
    if (chance < here.photoelectric)
      photon_.energy = 0;
    else if (chance < here.photoelectric + here.compton)
      turn(
          [](float cosine, float ratio) { return 0.5F * ratio * ratio * (ratio + 1 / ratio - (1 - cosine * cosine)); });
    else if (chance < here.photoelectric + here.compton + here.rayleigh)
      turn_only();
    if (photon_.energy < Lowest) photon_.energy = 0;
    deposited_[voxel_at(photon_.place)] += units(before - photon_.energy);
  }

  /// \param chance_of  a direction's, from its cosine and the share of the energy that is left
  template <class ChanceOf>
  void turn(const ChanceOf& chance_of) {
    for (;;) {
      const Vector way = any_direction();
      const float cosine = dot(way, photon_.direction);
      const float ratio = 1 / (1 + photon_.energy / RestEnergy * (1 - cosine));
      if (draw(state_) >= chance_of(cosine, ratio)) continue;
      photon_.direction = way;
      photon_.energy *= ratio;
      return;
    }
  }

  void turn_only() {
    const float energy = photon_.energy;
    turn([](float cosine, float) { return 0.5F * (1 + cosine * cosine); });
    photon_.energy = energy;
  }

  Vector any_direction() {
    for (;;) {
      const float x = 2 * draw(state_) - 1, y = 2 * draw(state_) - 1, z = 2 * draw(state_) - 1;
      const Vector way = {x, y, z};
      const float square = dot(way, way);
      if (square <= 1 && square >= 1e-4F) return 1 / std::sqrt(square) * way;
    }
  }

  const Scene& scene_;
  unsigned state_;
  Photon photon_{};
  std::vector<unsigned>&deposited_, &detected_;
};

class McGpu : public gpu::Workload {
 public:
  std::string name() const override { return "mc_gpu"; }
  std::string summary() const override { return "Monte Carlo transport of x-rays through voxels of tissue and bone"; }
  std::string branches() const override {
    return "absorbed, turned with less energy, turned, or on: work on all sides; lanes whose photon has gone wait";
  }
  std::string sizes() const override { return Warps.text("warps, 6 photons a thread"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned photons = gpu::items_of_thread(options, 6);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    const Scene scene = make_scene(random);
    std::vector<unsigned> deposited(scene.body.size()), detected(Side * Side);
    const std::uint64_t of_voxels = gpu::upload(device, deposited), of_pixels = gpu::upload(device, detected);
    const std::uint64_t of_body = gpu::upload(device, scene.body), of_largest = gpu::upload(device, scene.largest),
                        of_table = gpu::upload(device, scene.table);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, of_table, of_largest, of_body, photons,
                of_voxels, of_pixels);
    for (unsigned number = 0; number < shape.total() * photons; ++number)
      Flight(scene, number, deposited, detected).run();
    const gpu::Outcome outcome =
        gpu::compare_words(gpu::download<unsigned>(device, of_voxels, deposited.size()), deposited);
    if (!outcome.ok) return {false, fmt::format("deposited: {}", outcome.message)};
    return gpu::compare_words(gpu::download<unsigned>(device, of_pixels, detected.size()), detected);
  }

 private:
  static constexpr gpu::PerSize Warps{24, 240, 1440};
};

const gpu::RegisterWorkload<McGpu> Registered;

}  // namespace
}  // namespace heddle::kernels::mc_gpu
