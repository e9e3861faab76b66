// SPDX-License-Identifier: Apache-2.0
#include "kernels/lattice_boltzmann/lattice_boltzmann.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "sim/gpu/workload.h"

namespace heddle::kernels::lattice_boltzmann {
namespace {

using Densities = std::array<float, LatticeDirections>;

int cell_at(int x, int y, int z) {
  return (z * LatticeHeight + y) * LatticeWidth + x;
}

/// A floor and a ceiling, balls between them, and a layer under the ceiling that moves.
std::vector<unsigned> random_kinds(gpu::Random& random) {
  std::vector<unsigned> kinds(LatticeCells, LatticeFluid);
  for (int ball = 0; ball < 12; ++ball) {
    const int centre_x = static_cast<int>(random.below(LatticeWidth));
    const int centre_y = static_cast<int>(random.below(LatticeHeight)),
              centre_z = static_cast<int>(random.below(LatticeDepth));
    for (int cell = 0; cell < LatticeCells; ++cell) {
      const int x = cell % LatticeWidth - centre_x, y = cell / LatticeWidth % LatticeHeight - centre_y;
      const int z = cell / (LatticeWidth * LatticeHeight) - centre_z;
      if (x * x + y * y + z * z <= 6) kinds[cell] = LatticeObstacle;
    }
  }
  for (int cell = 0; cell < LatticeWidth * LatticeHeight; ++cell) {
    kinds[cell] = kinds[cell_at(0, 0, LatticeDepth - 1) + cell] = LatticeObstacle;
    kinds[cell_at(0, 0, LatticeDepth - 2) + cell] = LatticeLid;
  }
  return kinds;
}

Densities collide(const Densities& before, unsigned kind) {
  Densities after;
  if (kind == LatticeObstacle) {
    for (int direction = 0; direction < LatticeDirections; ++direction) after[direction] = before[opposite(direction)];
    return after;
  }
  float sum = 0;
  std::array<float, 3> velocity{};
  const auto components = [](int direction) {
    return std::array<int, 3>{Lattice[direction].x, Lattice[direction].y, Lattice[direction].z};
  };
  for (int direction = 0; direction < LatticeDirections; ++direction) {
    sum += before[direction];
    for (unsigned axis = 0; axis < 3; ++axis)
      velocity[axis] += before[direction] * static_cast<float>(components(direction)[axis]);
  }
  for (float& component : velocity) component /= sum;
  if (kind == LatticeLid) velocity = {LatticeLidX, LatticeLidY, 0};

  float square = 0;
  for (const float component : velocity) square += component * component;
  for (int direction = 0; direction < LatticeDirections; ++direction) {
    float speed = 0;
    for (unsigned axis = 0; axis < 3; ++axis) speed += velocity[axis] * static_cast<float>(components(direction)[axis]);
    const float equilibrium =
        Lattice[direction].weight * sum * (1.0F + 3.0F * speed + 4.5F * speed * speed - 1.5F * square);
    after[direction] = before[direction] * (1.0F - LatticeOmega) + LatticeOmega * equilibrium;
  }
  return after;
}

/// Collides in all cells, then each cell draws from its neighbours what moves its way.
void step(std::vector<Densities>& cells, const std::vector<unsigned>& kinds) {
  for (int cell = 0; cell < LatticeCells; ++cell) cells[cell] = collide(cells[cell], kinds[cell]);
  const std::vector<Densities> collided = cells;
  const auto periodic = [](int coordinate, int size) { return (coordinate + size) % size; };
  for (int direction = 0; direction < LatticeDirections; ++direction) {
    const LatticeDirection& to = Lattice[direction];
    for (int z = 0; z < LatticeDepth; ++z)
      for (int y = 0; y < LatticeHeight; ++y)
        for (int x = 0; x < LatticeWidth; ++x)
          cells[cell_at(x, y, z)][direction] =
              collided[cell_at(periodic(x - to.x, LatticeWidth), periodic(y - to.y, LatticeHeight),
                               periodic(z - to.z, LatticeDepth))][direction];
  }
}

/// As on the device: [direction][cell].
std::vector<float> by_direction(const std::vector<Densities>& cells) {
  std::vector<float> densities;
  for (int direction = 0; direction < LatticeDirections; ++direction)
    for (const Densities& cell : cells) densities.push_back(cell[direction]);
  return densities;
}

class LatticeBoltzmann : public gpu::Workload {
 public:
  std::string name() const override { return "lattice_boltzmann"; }
  std::string summary() const override {
    return "a fluid among obstacles by the lattice Boltzmann method in 19 directions";
  }
  std::string branches() const override {
    return "obstacle or fluid: one side loads and stores the densities turned round, the other relaxes them";
  }
  std::string sizes() const override { return Steps.text("steps of 4096 cells"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const int steps = static_cast<int>(Steps.at(options));
    gpu::Random random(options.seed);
    const std::vector<unsigned> kinds = random_kinds(random);
    std::vector<Densities> cells(LatticeCells);
    for (Densities& cell : cells)
      for (int direction = 0; direction < LatticeDirections; ++direction)
        cell[direction] = Lattice[direction].weight * random.between(0.98F, 1.02F);

    const std::uint64_t kinds_address = gpu::upload(device, kinds);
    std::uint64_t before = gpu::upload(device, by_direction(cells)), after = gpu::upload(device, by_direction(cells));
    const unsigned threads = gpu::block_threads(options, LatticeThreads, LatticeCells);
    for (int done = 0; done < steps; ++done) {
      gpu::launch(device, find_program(name()), {LatticeCells / threads}, {threads}, before, after, kinds_address);
      std::swap(before, after);
      step(cells, kinds);
    }
    const gpu::Outcome outcome = gpu::compare_exactly(
        gpu::download<float>(device, before, std::size_t{LatticeCells} * LatticeDirections), by_direction(cells));
    const auto obstacles = std::count(kinds.begin(), kinds.end(), LatticeObstacle);
    return {outcome.ok, fmt::format("{} cells, {} of them obstacles, {} steps: {}", LatticeCells, obstacles, steps,
                                    outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Steps{12, 120, 720};
};

const gpu::RegisterWorkload<LatticeBoltzmann> Registered;

}  // namespace
}  // namespace heddle::kernels::lattice_boltzmann
