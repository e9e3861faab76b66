// Photons on the CPU, one by one.
#pragma once

#include <vector>

#include "kernels/photon_transport/photon_transport.h"

namespace heddle::kernels::photon_transport {

struct Tallies {
  std::vector<unsigned> absorbed = std::vector<unsigned>(RadialCells * DepthCells);  // [RadialCells][DepthCells]
  std::vector<unsigned> escaped = std::vector<unsigned>(2 * RadialCells);            // [above, below][RadialCells]
};

/// Follows the photons of one stream for so many steps, and adds what becomes of them.
void follow_photons(const std::vector<Layer>& layers, Stream stream, unsigned steps, float first_weight,
                    Tallies& tallies);

}  // namespace heddle::kernels::photon_transport
// SPDX-License-Identifier: Apache-2.0
