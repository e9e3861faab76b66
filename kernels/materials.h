// Materials of a reactor model, made of nuclides: shared by the two cross-section look-ups.
#pragma once

#include <initializer_list>
#include <vector>

#include "sim/gpu/workload.h"

namespace heddle::kernels {

/// Material m has the nuclides first[m] up to first[m + 1], and is drawn with probability share[m] - share[m - 1].
struct Materials {
  std::vector<unsigned> first, nuclides;
  std::vector<float> densities;  // of nuclides, in the same order
  std::vector<float> share;      // cumulative; the last is 1

  /// Calls visit(nuclide, density) for the nuclides of the material that a number in [0, 1) draws.
  template <class Visit>
  void for_each_nuclide(float pick, const Visit& visit) const {
    unsigned material = 0;
    while (pick >= share[material]) ++material;
    for (unsigned entry = first[material]; entry < first[material + 1]; ++entry)
      visit(nuclides[entry], densities[entry]);
  }
};

/// A material for each size, with so many different nuclides; all equally likely.
inline Materials make_materials(gpu::Random& random, unsigned nuclides, std::initializer_list<unsigned> sizes) {
  Materials materials;
  materials.first.push_back(0);
  for (const unsigned size : sizes) {
    const unsigned start = random.below(nuclides);
    for (unsigned index = 0; index < size; ++index) {
      materials.nuclides.push_back((start + index) % nuclides);
      materials.densities.push_back(random.between(0, 1));
    }
    materials.first.push_back(static_cast<unsigned>(materials.nuclides.size()));
    materials.share.push_back(static_cast<float>(materials.first.size() - 1) / static_cast<float>(sizes.size()));
  }
  return materials;
}

}  // namespace heddle::kernels
// SPDX-License-Identifier: Apache-2.0
