// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/locations.h"

namespace heddle::cli {

Locations::Locations()
    : build(HEDDLE_BINARY_DIR),
      source(HEDDLE_SOURCE_DIR),
      kernels(build + "/kernels"),
      waveforms(build + "/waveforms"),
      views(source + "/waveforms"),
      figures(source + "/area/paper_figures.yaml"),
      blocks(build + "/blocks.txt") {}

}  // namespace heddle::cli
