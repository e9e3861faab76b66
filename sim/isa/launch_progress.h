// SPDX-License-Identifier: Apache-2.0
// How far a launch is, and the end of one that a person has interrupted.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace heddle::isa {

struct LaunchProgress {
  std::uint64_t launch = 0;             ///< its number on the device
  std::uint64_t ended = 0, blocks = 0;  ///< blocks that have ended, of all
  std::uint64_t count = 0;              ///< cycles; on the oracle thread instructions
};

/// The person who ran the launch has ended it. What it has counted until then stands.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::isa
