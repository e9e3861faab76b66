// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/number_option.h"

#include <fmt/format.h>

namespace heddle::cli {

CLI::Option* add_number(CLI::App& command, const std::string& name, const gpu::NumberRange& range,
                        const std::string& what, const std::function<void(std::uint64_t)>& set) {
  const auto read = [name, range, set](const std::string& text) { set(gpu::whole_number(name, text, range)); };
  return command.add_option_function<std::string>(name, read, what)
      ->type_name(fmt::format("UINT in [{} - {}]", range.least, range.most));
}

}  // namespace heddle::cli
