// heddle sweep
#include "sim/cli/script_command.h"

namespace heddle::cli {

Command add_sweep(CLI::App& app) {
  return add_script(app, "sweep",
                    "Every job that a file names, kernels under mechanisms and options, here or on Slurm");
}

}  // namespace heddle::cli
