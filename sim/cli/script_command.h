// Subcommands that are scripts: Python does the work, and `heddle` is where a person looks for them.
#pragma once

#include <string>

#include "sim/cli/commands.h"

namespace heddle::cli {

/// The subcommand `name` becomes scripts/`name`, with all words behind it, --help too, and the build folder as --build.
Command add_script(CLI::App& app, const std::string& name, const std::string& what);

}  // namespace heddle::cli
