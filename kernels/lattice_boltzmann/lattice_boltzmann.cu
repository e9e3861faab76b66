// A fluid by the lattice Boltzmann method, in three dimensions with 19 directions, in the style of SPEC CPU2006's lbm
// (DWF sec. 5). A thread a cell, which holds the density of what moves each way: in an obstacle it turns back, in the
// fluid it relaxes towards equilibrium (Bhatnagar, Gross and Krook), and either then moves on to the neighbours.
//
// Densities lie [direction][cell].
#include "../cuda_device.h"
#include "lattice_boltzmann.h"

using namespace heddle::kernels::lattice_boltzmann;

static __device__ __forceinline__ int wrap(int coordinate, int size) {
  return coordinate < 0 ? size - 1 : coordinate == size ? 0 : coordinate;
}

struct Cell {
  int x, y, z;

  __device__ __forceinline__ int neighbour(int direction) const {
    const LatticeDirection& to = Lattice[direction];
    return (wrap(z + to.z, LatticeDepth) * LatticeHeight + wrap(y + to.y, LatticeHeight)) * LatticeWidth +
           wrap(x + to.x, LatticeWidth);
  }
};

// Adds up along a direction's component, which is -1, 0 or 1.
static __device__ __forceinline__ float along(float sum, float value, int component) {
  return component > 0 ? sum + value : component < 0 ? sum - value : sum;
}

extern "C" __global__ void lattice_boltzmann(const float* before, float* after, const unsigned* kinds) {
  const int index = static_cast<int>(global_thread());
  const Cell cell = {index % LatticeWidth, index / LatticeWidth % LatticeHeight,
                     index / (LatticeWidth * LatticeHeight)};
  const unsigned kind = kinds[index];
  if (kind == LatticeObstacle) {
#pragma unroll
    for (int direction = 0; direction < LatticeDirections; ++direction)
      after[direction * LatticeCells + cell.neighbour(direction)] = before[opposite(direction) * LatticeCells + index];
    return;
  }

  float density[LatticeDirections], sum = 0, x = 0, y = 0, z = 0;
#pragma unroll
  for (int direction = 0; direction < LatticeDirections; ++direction) {
    density[direction] = before[direction * LatticeCells + index];
    sum += density[direction];
    x = along(x, density[direction], Lattice[direction].x);
    y = along(y, density[direction], Lattice[direction].y);
    z = along(z, density[direction], Lattice[direction].z);
  }
  x /= sum;
  y /= sum;
  z /= sum;
  if (kind == LatticeLid) {
    x = LatticeLidX;
    y = LatticeLidY;
    z = 0;
  }
  const float square = 1.5F * (x * x + y * y + z * z);
#pragma unroll
  for (int direction = 0; direction < LatticeDirections; ++direction) {
    const LatticeDirection& to = Lattice[direction];
    const float speed = along(along(along(0.0F, x, to.x), y, to.y), z, to.z);
    const float equilibrium = to.weight * sum * (1.0F + 3.0F * speed + 4.5F * speed * speed - square);
    after[direction * LatticeCells + cell.neighbour(direction)] =
        density[direction] * (1.0F - LatticeOmega) + LatticeOmega * equilibrium;
  }
}
// SPDX-License-Identifier: Apache-2.0
