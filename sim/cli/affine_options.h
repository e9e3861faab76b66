// SPDX-License-Identifier: Apache-2.0
// What run and compile both ask of decoupled affine computation.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace heddle::cli {

/// --affine-branches all|affine
void add_affine_branches(CLI::App& command, std::string& branches);

}  // namespace heddle::cli
