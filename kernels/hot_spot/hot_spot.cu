// The temperature of a chip's cells over time from the power that they burn and the heat that they pass on, in the
// style of Rodinia's HotSpot (DPE table 2).
//
// A thread a cell. A block does several time steps in shared memory: its tile overlaps its neighbours' by a ghost zone,
// and each step leaves one more ring of it stale. So a thread works only while its cell is right.
#include "../cuda_device.h"
#include "hot_spot.h"

using namespace heddle::kernels::hot_spot;

extern "C" __global__ void hot_spot(const float* power, const float* before, float* after, int rows, int columns,
                                    float per_power, float per_row, float per_column, float per_ambient,
                                    float ambient) {
  __shared__ float tile[HotSpotTile][HotSpotTile];
  __shared__ float next[HotSpotTile][HotSpotTile];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int owned = HotSpotTile - 2 * HotSpotStepsPerLaunch;
  const int column = static_cast<int>(blockIdx.x) * owned - HotSpotStepsPerLaunch + x;
  const int row = static_cast<int>(blockIdx.y) * owned - HotSpotStepsPerLaunch + y;
  const bool is_inside = row >= 0 && row < rows && column >= 0 && column < columns;
  const int cell = row * columns + column;
  // No heat leaves over the rim of the chip: there a cell is its own neighbour.
  const int north = row == 0 ? y : y - 1, south = row == rows - 1 ? y : y + 1;
  const int west = column == 0 ? x : x - 1, east = column == columns - 1 ? x : x + 1;

  float own_power = 0;
  if (is_inside) {
    tile[y][x] = before[cell];
    own_power = power[cell];
  }
  __syncthreads();
  bool is_current = is_inside;
  HEDDLE_ROLLED_LOOP
  for (int step = 1; step <= HotSpotStepsPerLaunch; ++step) {
    is_current = is_inside && x >= step && x < HotSpotTile - step && y >= step && y < HotSpotTile - step;
    if (is_current) {
      const float here = tile[y][x], twice = here + here;
      const float vertical = (tile[north][x] + tile[south][x] - twice) * per_row;
      const float horizontal = (tile[y][west] + tile[y][east] - twice) * per_column;
      next[y][x] = here + (own_power * per_power + vertical + horizontal + (ambient - here) * per_ambient);
    }
    __syncthreads();
    if (is_current) tile[y][x] = next[y][x];
    __syncthreads();
  }
  if (is_current) after[cell] = tile[y][x];
}
// SPDX-License-Identifier: Apache-2.0
