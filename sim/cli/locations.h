// SPDX-License-Identifier: Apache-2.0
// Where the build put what the program reads: set by CMake, so that it runs from any folder.
#pragma once

#include <string>

namespace heddle::cli {

struct Locations {
  std::string build = HEDDLE_BINARY_DIR;
  std::string kernels = HEDDLE_BINARY_DIR "/kernels";      ///< PTX of our kernels; of other levels in O0, O1, O3 there
  std::string waveforms = HEDDLE_BINARY_DIR "/waveforms";  ///< where dumps go
  std::string views = HEDDLE_SOURCE_DIR "/waveforms";      ///< saved GTKWave views
  std::string figures = HEDDLE_SOURCE_DIR "/area/paper_figures.yaml";
  std::string blocks = HEDDLE_BINARY_DIR "/blocks.txt";  ///< a line a block: name, room
  std::string source = HEDDLE_SOURCE_DIR;
};

}  // namespace heddle::cli
