// SPDX-License-Identifier: Apache-2.0
#include "kernels/cross_section_lookup/cross_section_lookup.h"

#include <algorithm>
#include <cstring>

#include "kernels/hash.h"
#include "kernels/materials.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::cross_section_lookup {
namespace {

struct Data {
  Materials materials;
  std::vector<GridPoint> grids;        // [nuclide][point], sorted by energy
  std::vector<float> union_energies;   // of all nuclides, sorted
  std::vector<unsigned> union_points;  // [energy][nuclide]: the point at which its interval begins
};

/// The last of a nuclide's points that is not above the energy; the first interval below all, the last above all.
unsigned find_point(const std::vector<GridPoint>& grids, unsigned nuclide, float energy) {
  const auto first = grids.begin() + nuclide * PointsPerNuclide;
  const auto above = std::upper_bound(first + 1, first + PointsPerNuclide - 1, energy,
                                      [](float value, const GridPoint& point) { return value < point.energy; });
  return static_cast<unsigned>(above - first) - 1;
}

Data generate(gpu::Random& random) {
  Data data;
  data.materials = make_materials(random, Nuclides, {28, 4, 3, 3, 18, 14, 12, 12, 8, 8, 6, 3});
  for (unsigned nuclide = 0; nuclide < Nuclides; ++nuclide) {
    float energy = 0;
    for (unsigned point = 0; point < PointsPerNuclide; ++point) {
      energy += random.between(0.1F, 1.9F) / PointsPerNuclide;
      const float elastic = random.between(1, 3), absorption = random.between(0, 1), fission = random.between(0, 1);
      data.grids.push_back({energy, {elastic + absorption + fission, elastic, absorption, fission, 2.4F * fission}});
      data.union_energies.push_back(energy);
    }
  }
  std::sort(data.union_energies.begin(), data.union_energies.end());
  for (const float energy : data.union_energies)
    for (unsigned nuclide = 0; nuclide < Nuclides; ++nuclide)
      data.union_points.push_back(find_point(data.grids, nuclide, energy));
  return data;
}

float birth_energy(unsigned& state) {
  const float first = draw(state), second = draw(state), third = draw(state);
  return (first + second + third) / 3;
}

/// Without the union: each nuclide's own grid is searched.
CrossSections macroscopic(const Data& data, float pick, float energy) {
  CrossSections sum = {0, 0, 0, 0, 0};
  data.materials.for_each_nuclide(pick, [&](unsigned nuclide, float density) {
    const unsigned point = nuclide * PointsPerNuclide + find_point(data.grids, nuclide, energy);
    const GridPoint &low = data.grids[point], &high = data.grids[point + 1];
    const float fraction = (high.energy - energy) / (high.energy - low.energy);
    for (float CrossSections::*kind : {&CrossSections::total, &CrossSections::elastic, &CrossSections::absorption,
                                       &CrossSections::fission, &CrossSections::neutrons})
      sum.*kind += density * (high.at.*kind - fraction * (high.at.*kind - low.at.*kind));
  });
  return sum;
}

Score follow(const Data& data, unsigned thread, unsigned lookups) {
  unsigned state = hash(thread);
  Score score = {{0, 0, 0, 0, 0}, birth_energy(state), 0};
  for (unsigned lookup = 0; lookup < lookups; ++lookup) {
    const CrossSections macro = macroscopic(data, draw(state), score.last_energy);
    score.sums.total += macro.total;
    score.sums.elastic += macro.elastic;
    score.sums.absorption += macro.absorption;
    score.sums.fission += macro.fission;
    score.sums.neutrons += macro.neutrons;
    const bool scatters = draw(state) * macro.total < macro.elastic;
    if (!scatters) score.last_energy = birth_energy(state);
    for (unsigned collision = 0; scatters && collision < 4; ++collision) score.last_energy *= 0.5F + 0.5F * draw(state);
    score.scatterings += scatters;
  }
  return score;
}

class CrossSectionLookup : public gpu::Workload {
 public:
  std::string name() const override { return "cross_section_lookup"; }
  std::string summary() const override { return "cross sections of materials from energy tables (XSBench)"; }
  std::string branches() const override {
    return "scattered or absorbed, in the epilog: both draw numbers; the loops' exits have an empty side";
  }
  std::string sizes() const override { return Warps.text("warps, 4 look-ups a thread"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned WordsPerScore = sizeof(Score) / sizeof(unsigned);
    const unsigned lookups = gpu::items_of_thread(options, 4);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    const Data data = generate(random);
    std::vector<Score> expected;
    for (unsigned thread = 0; thread < shape.total(); ++thread) expected.push_back(follow(data, thread, lookups));

    const std::uint64_t scores = device.allocate(expected.size() * sizeof(Score));
    const auto upload = [&](const auto& values) -> std::uint64_t { return gpu::upload(device, values); };
    const std::uint64_t grids = upload(data.grids), points = upload(data.union_points),
                        energies = upload(data.union_energies), share = upload(data.materials.share),
                        densities = upload(data.materials.densities), nuclides = upload(data.materials.nuclides),
                        first = upload(data.materials.first);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, first, nuclides, densities, share,
                energies, points, grids, scores, lookups);
    std::vector<unsigned> words(expected.size() * WordsPerScore);
    std::memcpy(words.data(), expected.data(), words.size() * sizeof(unsigned));
    return gpu::compare_words(gpu::download<unsigned>(device, scores, words.size()), words);
  }

 private:
  static constexpr gpu::PerSize Warps{48, 480, 2880};
};

const gpu::RegisterWorkload<CrossSectionLookup> Registered;

}  // namespace
}  // namespace heddle::kernels::cross_section_lookup
