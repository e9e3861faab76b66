// heddle waves
#include "sim/cli/script_command.h"

namespace heddle::cli {

Command add_waves(CLI::App& app) {
  return add_script(app, "waves", "One warp under several mechanisms, one above the other in a waveform");
}

}  // namespace heddle::cli
