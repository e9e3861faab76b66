// SPDX-License-Identifier: Apache-2.0
// heddle export
#include <iostream>
#include <memory>
#include <optional>

#include "sim/cli/child.h"
#include "sim/cli/commands.h"
#include "sim/cli/locations.h"

namespace heddle::cli {

namespace {

struct ExportOptions {
  std::string block, folder, point = "tiny";
  std::optional<std::string> period;
  std::vector<std::string> settings;
};

int export_block(const ExportOptions& options) {
  std::vector<std::string> command{Locations().source + "/scripts/export", options.block, options.folder,   "--point",
                                   find_point(options.point).name,         "--build",     Locations().build};
  for (const std::string& setting : options.settings) command.insert(command.end(), {"--set", setting});
  if (options.period) command.insert(command.end(), {"--period", *options.period});
  std::cout << output_of(command, "export " + options.block);
  return 0;
}

}  // namespace

Command add_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "A block as files for another project, which needs nothing else");
  command
      ->add_option("BLOCK", options->block,
                   "A block (heddle list blocks), or block_shape: dual_path_stack_memory_splits")
      ->required();
  command->add_option("DIR", options->folder, "New or empty folder")->required();
  command->add_option("--point", options->point, "Design point (heddle list points)")->capture_default_str();
  command
      ->add_option("--set", options->settings,
                   "Another size, such as warps=64,lanes=16: keys of rtl/config/design_points.yaml, or parameters of "
                   "the twin, which begin with a capital")
      ->delimiter(',');
  const auto keep_period = [options](const std::string& text) { options->period = text; };
  command
      ->add_option_function<std::string>("--period", keep_period,
                                         "ns of the clock in the SDC; else what synthesis reaches, which takes a while "
                                         "where area/baseline.json has no row of the block")
      ->type_name("NUMBER in [0.001 - 1000]");  // scripts/export reads it
  command->footer(
      "Writes the SystemVerilog in one file, the SystemC with the headers it needs, a list of ports, the contract, an\n"
      "SDC, and a smoke bench for each language; README.md among them has the commands.\n"
      "Example\n"
      "  heddle export dual_path_stack my_project/stack --point hpca13");
  return [options] { return export_block(*options); };
}

}  // namespace heddle::cli
