#include "sim/cli/script_command.h"

#include <stdexcept>
#include <unistd.h>
#include <vector>

#include "sim/cli/locations.h"

namespace heddle::cli {

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

}  // namespace heddle::cli
