// SPDX-License-Identifier: Apache-2.0
// Kernels that people bring as CUDA C++.
#pragma once

#include <string>

namespace heddle::cli {

/// What scripts/ptx makes of a CUDA file: a PTX file in the build folder.
/// \throws CLI::ValidationError if there is no such file; the compiler's own complaints go to standard error.
std::string ptx_of(const std::string& option, const std::string& cuda, const std::string& compiler = "clang");

}  // namespace heddle::cli
