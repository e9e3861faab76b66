// SPDX-License-Identifier: Apache-2.0
// Kernels of tests/ptx, for tests that need the text and not the file.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace heddle::tests {

/// The text of tests/ptx/NAME. CMake tells each test where that is.
inline std::string ptx_text(const std::string& name) {
  std::ifstream file(std::string(HEDDLE_PTX_SOURCES) + '/' + name);
  if (!file) throw std::runtime_error("tests/ptx/" + name + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace heddle::tests
