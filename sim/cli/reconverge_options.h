// SPDX-License-Identifier: Apache-2.0
// Where lanes meet on a machine with convergence barriers: options that run and compile have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/compiler/options.h"

namespace heddle::cli {

/// \param group  of the options in the help
void add_reconverge_options(CLI::App& command, compiler::CompileOptions& options, const std::string& group);

/// \throws CLI::ValidationError for options that say nothing, because predictions are not asked for
void check_reconverge(const compiler::CompileOptions& options);

/// Also under a mechanism that has no convergence barriers: nothing may look as if predictions had been followed.
void check_reconverge(const compiler::CompileOptions& options, const std::vector<std::string>& mechanisms);

}  // namespace heddle::cli
