// SPDX-License-Identifier: Apache-2.0
// heddle waves, heddle sweep, heddle report, heddle doctor: a Python script's, which reads the words behind them itself, --help too.
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"

namespace heddle::cli {

namespace {

/// The subcommand of that name is scripts/NAME, which is told the build folder.
Command add_script(CLI::App& app, const std::string& name, const std::string& what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->prefix_command();  // the script reads the rest
  command->set_help_flag();
  return [command, name] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.begin(), Locations().source + "/scripts/" + name);
    words.insert(words.end(), {"--build", Locations().build});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    throw std::runtime_error(words[0] + " cannot be started");
    return 2;
  };
}

}  // namespace

Command add_waves(CLI::App& app) {
  return add_script(app, "waves", "One warp under several mechanisms, one above the other in a waveform");
}

Command add_report(CLI::App& app) {
  return add_script(app, "report", "A page about runs, from their JSON: who gains, why, and what it costs");
}

Command add_sweep(CLI::App& app) {
  return add_script(app, "sweep",
                    "Every job that a file names, kernels under mechanisms and options, here or on Slurm");
}

Command add_doctor(CLI::App& app) {
  return add_script(app, "doctor", "What is installed, missing or broken here; begin a bug report with it");
}

}  // namespace heddle::cli
