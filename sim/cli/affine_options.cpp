// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/affine_options.h"

#include "sim/cli/commands.h"

namespace heddle::cli {

void add_affine_branches(CLI::App& command, std::string& branches) {
  command
      .add_option("--affine-branches", branches,
                  "Which branches an affine warp has: all, also those that the warps decide, and it waits for them "
                  "there (DAC sec. 4.4); affine, those that it can decide, and what depends on others stays in the "
                  "warps")
      ->check(one_of("branches", {"all", "affine"}))
      ->capture_default_str()
      ->group("Machine");
}

}  // namespace heddle::cli
