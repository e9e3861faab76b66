// The data set of `multipole_lookup`, and its computation on a CPU.
#pragma once

#include <vector>

#include "kernels/materials.h"
#include "kernels/multipole_lookup/multipole_lookup.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::multipole_lookup {

struct Data {
  Materials materials;
  std::vector<Nuclide> nuclides;
  std::vector<Window> windows;  // [nuclide][window]
  std::vector<Pole> poles;      // of the windows, one after the other
  std::vector<float> weideman;  // coefficients, then the scale
};

Data generate(gpu::Random& random);

/// The sums of all look-ups of a thread, by the same operations as in the kernel, so that the bits are the same.
Sums look_up(const Data& data, unsigned thread, unsigned lookups);

}  // namespace heddle::kernels::multipole_lookup
// SPDX-License-Identifier: Apache-2.0
