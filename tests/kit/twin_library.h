// SPDX-License-Identifier: Apache-2.0
// The library of a Verilated twin, as scripts/twin makes it, and those in which twins may stand in place of blocks. Needs
// HEDDLE_SOURCE_DIR and HEDDLE_BINARY_DIR.
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::tests {

/// What a command prints, but for the end of its last line. \throws std::runtime_error if it fails
inline std::string said_by(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return said.substr(0, said.find('\n'));
}

/// What scripts/twin prints: the library's path.
inline std::string twin_library(const std::string& block, const std::string& point,
                                const std::vector<std::string>& parameters = {}) {
  return said_by(fmt::format("'{}/scripts/twin' {} {} --build '{}' {}", HEDDLE_SOURCE_DIR, block, point,
                             HEDDLE_BINARY_DIR, fmt::join(parameters, " ")));
}

/// The issue slices of a family in which twins may stand, such as TwinStacks.
inline void build_slices(const std::string& family, const std::string& point) {
  said_by(fmt::format("'{}/scripts/slice_point' {} --families {} --build '{}'", HEDDLE_SOURCE_DIR, point, family,
                      HEDDLE_BINARY_DIR));
}

}  // namespace heddle::tests
