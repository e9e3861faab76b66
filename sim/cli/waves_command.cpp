// heddle waves
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"

namespace heddle::cli {

Command add_waves(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("waves", "One warp under several mechanisms, one above the other in a waveform");
  command->prefix_command();  // scripts/waves reads the rest, --help too
  command->set_help_flag();
  return [command] {
    std::vector<std::string> words = command->remaining();
    words.insert(words.begin(), Locations().source + "/scripts/waves");
    words.insert(words.end(), {"--build", Locations().build});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    throw std::runtime_error(words[0] + " cannot be started");
    return 2;
  };
}

}  // namespace heddle::cli
