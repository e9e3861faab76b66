// The library of a Verilated twin, as scripts/twin makes it. Needs HEDDLE_SOURCE_DIR and HEDDLE_BINARY_DIR.
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::tests {

/// What scripts/twin prints: the library's path.
inline std::string twin_library(const std::string& block, const std::string& point,
                                const std::vector<std::string>& parameters = {}) {
  const std::string command = fmt::format("'{}/scripts/twin' {} {} --build '{}' {}", HEDDLE_SOURCE_DIR, block, point,
                                          HEDDLE_BINARY_DIR, fmt::join(parameters, " "));
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return said.substr(0, said.find('\n'));
}

}  // namespace heddle::tests
