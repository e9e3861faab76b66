// SPDX-License-Identifier: Apache-2.0
// Other programs of the project, run and waited for.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

/// What the program prints; `input` is what it reads. Its complaints go to standard error as they are.
/// \param asked  in the person's words what it does: "--set warps=3"
/// \throws std::runtime_error if it cannot be started or does not end with 0
std::string output_of(const std::vector<std::string>& command, const std::string& asked, const std::string& input = "");

}  // namespace heddle::cli
