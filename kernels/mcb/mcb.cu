// Monte Carlo transport of particles through a mesh, in the style of the MCB of SR Table 2 (a heuristic transport
// equation): a thread follows one particle after another, from event to event: it collides, which absorbs it or sends it
// another way, crosses into the next cell or out of the mesh, or its time is over. A loop over particles around one with
// a random trip count (SR Fig. 2(b)).
//
// Every operation is correctly rounded and tallies are integers: the results have one value.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "mcb.h"

using heddle::kernels::draw, heddle::kernels::hash, heddle::kernels::natural_logarithm;
using namespace heddle::kernels::mcb;

static __device__ __forceinline__ float time_to_side(float at, float speed) {
  return (speed > 0 ? 1 - at : -at) / speed;
}

/// `mesh`: [Side][Side], a material a cell; `collisions`: likewise; `ends`: [threads][Ends].
extern "C" __global__ void mcb(const Material* materials, const unsigned* mesh, unsigned particles,
                               unsigned* collisions, unsigned* ends) {
  const unsigned thread = global_thread();
  unsigned count[Ends] = {0, 0, 0};
  HEDDLE_PREDICT(event);
  HEDDLE_ROLLED_LOOP
  for (unsigned particle = 0; particle < particles; ++particle) {
    unsigned state = hash(thread * particles + particle);
    unsigned column = Side / 2, row = Side / 2;
    float x = draw(state), y = draw(state), x_speed = draw_speed(state), y_speed = draw_speed(state), left = Census;
    unsigned end = Ends;
    HEDDLE_ROLLED_LOOP
    do {
      HEDDLE_RECONVERGE(event);
      const unsigned cell = row * Side + column;
      const Material material = materials[mesh[cell]];
      const float to_collision = -natural_logarithm(1 - draw(state)) * material.free_time;
      const float to_column = time_to_side(x, x_speed), to_row = time_to_side(y, y_speed);
      const float to_side = fminf(to_column, to_row), time = fminf(fminf(to_collision, to_side), left);
      left -= time;
      x += x_speed * time;
      y += y_speed * time;
      if (left <= 0) {
        end = Counted;
      } else if (to_collision <= to_side) {
        atomicAdd(&collisions[cell], 1U);
        if (draw(state) < material.absorbed_share) end = Absorbed;
        x_speed = draw_speed(state);
        y_speed = draw_speed(state);
      } else if (to_column <= to_row) {
        column += x_speed > 0 ? 1 : -1;  // past either side: large
        x = x_speed > 0 ? 0 : 1;
        if (column >= Side) end = Escaped;
      } else {
        row += y_speed > 0 ? 1 : -1;
        y = y_speed > 0 ? 0 : 1;
        if (row >= Side) end = Escaped;
      }
    } while (end == Ends);
    count[Absorbed] += end == Absorbed ? 1 : 0;
    count[Escaped] += end == Escaped ? 1 : 0;
    count[Counted] += end == Counted ? 1 : 0;
  }
  HEDDLE_ROLLED_LOOP
  for (unsigned end = 0; end < Ends; ++end) ends[thread * Ends + end] = count[end];
}
// SPDX-License-Identifier: Apache-2.0
