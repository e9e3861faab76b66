// The lattice D3Q19, which kernel and driver of `lattice_boltzmann` agree on.
#pragma once

namespace heddle::kernels::lattice_boltzmann {

constexpr int LatticeDirections = 19;

struct LatticeDirection {
  int x, y, z;
  float weight;
};

// To rest, and to the neighbours at a face and at an edge. The opposites are at 1 and 2, 3 and 4, and so on.
#ifdef __NVCC__  // clang puts a constant table on the device by itself
__device__
#endif
    constexpr LatticeDirection Lattice[LatticeDirections] = {
        {0, 0, 0, 1.0F / 3},    {1, 0, 0, 1.0F / 18},  {-1, 0, 0, 1.0F / 18}, {0, 1, 0, 1.0F / 18},
        {0, -1, 0, 1.0F / 18},  {0, 0, 1, 1.0F / 18},  {0, 0, -1, 1.0F / 18}, {1, 1, 0, 1.0F / 36},
        {-1, -1, 0, 1.0F / 36}, {1, -1, 0, 1.0F / 36}, {-1, 1, 0, 1.0F / 36}, {1, 0, 1, 1.0F / 36},
        {-1, 0, -1, 1.0F / 36}, {1, 0, -1, 1.0F / 36}, {-1, 0, 1, 1.0F / 36}, {0, 1, 1, 1.0F / 36},
        {0, -1, -1, 1.0F / 36}, {0, 1, -1, 1.0F / 36}, {0, -1, 1, 1.0F / 36}};

constexpr int opposite(int direction) {
  return direction == 0 ? 0 : ((direction - 1) ^ 1) + 1;
}

constexpr int LatticeWidth = 32, LatticeHeight = 16, LatticeDepth = 8;  // cells; all sides are periodic
constexpr int LatticeCells = LatticeWidth * LatticeHeight * LatticeDepth;
constexpr unsigned LatticeThreads = 64;  // a block, if nothing else is asked for; a thread a cell

// The kinds of cells; the fluid at the lid moves with it.
constexpr unsigned LatticeFluid = 0, LatticeObstacle = 1, LatticeLid = 2;
constexpr float LatticeOmega = 1.6F, LatticeLidX = 0.05F, LatticeLidY = 0.02F;

}  // namespace heddle::kernels::lattice_boltzmann
// SPDX-License-Identifier: Apache-2.0
