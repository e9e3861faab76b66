// SPDX-License-Identifier: Apache-2.0
// heddle area
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/child.h"
#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/report/nearest.h"
#include "sim/report/storage_difference.h"
#include "sim/report/storage_report.h"

namespace heddle::cli {

namespace {

struct AreaOptions {
  std::string point = "hpca13", block, json, csv, plot;
  bool fields = false;
  std::vector<std::string> settings, diff;
};

/// The blocks are elaborated by small programs for this point, of which the mechanism of the block is enough.
report::StorageReport elaborated(const AreaOptions& options) {
  std::vector<std::string> command{Locations().source + "/scripts/elaborate_point", find_point(options.point).name,
                                   "--build", Locations().build};
  command.insert(command.end(), options.settings.begin(), options.settings.end());
  if (!options.block.empty()) command.insert(command.end(), {"--block", options.block});
  const std::string settings =
      options.settings.empty() ? "" : fmt::format(" --set {}", fmt::join(options.settings, ","));
  const nlohmann::json found = nlohmann::json::parse(output_of(command, "--point " + options.point + settings));
  const nlohmann::json& point = found.at("point");
  return report::storage_report({point.at("name"), point.at("summary"), point.at("warps"), point.at("lanes"),
                                 point.at("spe_depth"), point.at("dpe_depth"), point.at("registers")},
                                report::rows_from_json(found.at("rows")), Locations().figures);
}

/// Blocks and their rooms, as the build announced them.
std::vector<std::pair<std::string, std::string>> all_rooms() {
  std::vector<std::pair<std::string, std::string>> rooms;
  std::ifstream file(Locations().blocks);
  for (std::string name, room; file >> name >> room; file.ignore(1 << 20, '\n')) rooms.emplace_back(name, room);
  return rooms;
}

/// Before the work. \throws std::invalid_argument with the nearest names; "scoreboard (shadow)" is one of the scoreboard
void check_block(const std::string& block) {
  std::vector<std::string> known;
  for (const auto& [name, room] : all_rooms()) known.push_back(name);
  const std::string name = block.substr(0, block.find(" ("));
  if (!block.empty() && std::count(known.begin(), known.end(), name) == 0)
    throw std::invalid_argument(report::no_such("block", block, known));
}

/// Blocks whose room lies in the room of this one: warp_formation is made of warp_pool and others.
std::vector<std::string> parts_of(const std::string& block) {
  const std::vector<std::pair<std::string, std::string>> rooms = all_rooms();
  const auto own = std::find_if(rooms.begin(), rooms.end(), [&](const auto& row) { return row.first == block; });
  std::vector<std::string> parts;
  for (const auto& [name, room] : rooms)
    if (own != rooms.end() && room.rfind(own->second + '/', 0) == 0) parts.push_back(name);
  return parts;
}

/// One block with its parts, or all of them.
report::StorageReport of_block(const report::StorageReport& storage, const std::string& block) {
  return block.empty() ? storage : report::only_block(storage, block, parts_of(block));
}

/// What `--json` wrote, at whatever commit. \throws std::runtime_error naming the file
std::vector<report::StorageRow> saved_rows(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("--diff: cannot read {}", path));
  try {
    return report::rows_from_json(nlohmann::json::parse(file).at("structures"));
  } catch (const nlohmann::json::exception&) {
    throw std::runtime_error(fmt::format("--diff: {} is not what `heddle area --json` writes", path));
  }
}

/// One side of --diff: settings (they have a `=`), a file (a `.` or `/`), or a design point.
report::StorageSide side_of(const AreaOptions& options, const std::string& said) {
  report::StorageReport storage;
  const bool settings = said.find('=') != std::string::npos;
  if (!settings && said.find_first_of("./") != std::string::npos) {
    storage.rows = saved_rows(said);
  } else {
    AreaOptions own = options;
    if (settings) {
      own.settings = CLI::detail::split(said, ',');
    } else {
      own.point = said;
    }
    storage = elaborated(own);
  }
  return {settings ? options.point + ", " + said : said, of_block(storage, options.block).rows};
}

int difference(const AreaOptions& options) {
  check_writable("--json", options.json);
  const report::StorageSide a = side_of(options, options.diff[0]), b = side_of(options, options.diff[1]);
  if (options.json != "-") std::cout << report::difference_text(a, b, options.fields);
  if (!options.json.empty()) write_json(options.json, report::difference_json(a, b));
  return 0;
}

int area(const AreaOptions& options) {
  check_block(options.block);
  if (!options.diff.empty()) return difference(options);
  check_writable("--json", options.json);
  check_writable("--csv", options.csv);
  const std::vector<std::string> plot{Locations().source + "/area/plot_storage", options.plot};
  if (!options.plot.empty()) output_of({plot[0], "--check", plot[1]}, "--plot " + options.plot);
  const report::StorageReport storage = of_block(elaborated(options), options.block);
  const nlohmann::json json = report::to_json(storage);
  if (options.json != "-" && options.csv != "-") std::cout << report::to_text(storage, options.fields);
  if (!options.json.empty()) write_json(options.json, json);
  if (!options.csv.empty()) write_text("--csv", options.csv, report::to_csv(storage));
  if (!options.plot.empty()) {
    output_of(plot, "--plot " + options.plot, json.dump());
    std::cerr << "plot " << options.plot << '\n';
  }
  return 0;
}

}  // namespace

Command add_area(CLI::App& app) {
  auto options = std::make_shared<AreaOptions>();
  CLI::App* command = app.add_subcommand("area", "Storage of every block, beside the papers' figures");
  command->add_option("--point", options->point, "Design point (heddle list points)")->capture_default_str();
  command
      ->add_option(
          "--set", options->settings,
          "Another size, such as warps=64,lanes=16,depth=16: keys of rtl/config/design_points.yaml, or depth for "
          "both stacks. The blocks are elaborated at this point by small programs, compiled once and kept")
      ->delimiter(',');
  command->add_option("--block", options->block,
                      "Only this block (heddle list blocks), its parts, with and without its options");
  command->add_flag("--fields", options->fields, "Every structure and its fields, not only a row a block");
  command->add_option("--json", options->json, "Also as JSON, to this file or - for standard output");
  command->add_option("--csv", options->csv, "Also as CSV, to this file or - for standard output");
  command->add_option("--plot", options->plot, "Also as a plot, bits a block: .svg, .png or .pdf");
  command
      ->add_option("--diff", options->diff,
                   "What differs between A and B, each a design point, a file of --json (of another commit, say), or "
                   "settings as in --set upon --point")
      ->type_name("A B")
      ->expected(2)
      ->excludes("--set", "--csv", "--plot");
  command->footer(
      "Examples\n"
      "  heddle area --diff hpca13 warps=64,depth=16 --block dual_path_stack --fields\n"
      "  heddle area --point micro07 --block pc_warp_lut --fields\n"
      "  heddle area --set warps=64,depth=16 --block dual_path_stack\n"
      "  heddle area --point isca17 --csv - > isca17.csv\n"
      "  heddle area --plot bits.svg");
  return [options] { return area(*options); };
}

}  // namespace heddle::cli
