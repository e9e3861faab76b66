// SPDX-License-Identifier: Apache-2.0
// Where the build put what the program reads: set by CMake, so that it runs from any folder.
#pragma once

#include <string>

namespace heddle::cli {

struct Locations {
  Locations();  // in a file of its own: only that file is compiled anew where the tree lies in another folder
  std::string build, source;
  std::string kernels;    ///< PTX of our kernels; of other levels in O0, O1, O3 there
  std::string waveforms;  ///< where dumps go
  std::string views;      ///< saved GTKWave views
  std::string figures;
  std::string blocks;  ///< a line a block: name, room
};

}  // namespace heddle::cli
