// SPDX-License-Identifier: Apache-2.0
// Which blocks of an SM have their Verilated twin in their place, and which are recorded.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "rtl/base/recorded_block.h"

namespace heddle {

class Twin;

/// Where what a block's ports show goes (heddle run --record).
struct RecordingTo {
  std::string file;
  RecordedBlock of;
};

/// Blocks in whose place their Verilated twin stands in the SM, and those that are recorded.
struct Twins {
  std::map<std::string, std::string> libraries;  ///< by block (scripts/twin)
  unsigned seed = 1;                             ///< of the state that reset leaves as it was
  bool compare = false;                          ///< the block stands beside its twin, and must show what that shows
  std::map<std::string, RecordingTo> recorded = {};  ///< by block; its first instance

  bool has(const std::string& block) const { return libraries.count(block) != 0 || recorded.count(block) != 0; }
};

/// The twin that stands in place of this block, loaded; null: the block stands there itself.
/// \throws std::runtime_error if the twin's library cannot be loaded
std::unique_ptr<Twin> twin_of(const std::string& block, const Twins& twins);

/// Where the block of this hierarchical name is recorded: only that of the first scheduler of the first SM is, and of
/// several alike, which SystemC numbers, the first. Null: not.
const RecordingTo* recording_of(const std::string& name, const Twins& twins);

}  // namespace heddle
