// heddle area
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/report/storage_report.h"

namespace heddle::cli {

Command add_area(CLI::App& app) {
  struct Options {
    std::string point = "hpca13", json;
  };
  auto options = std::make_shared<Options>();
  CLI::App* area = app.add_subcommand("area", "Storage of every structure, beside the papers' figures");
  area->add_option("--point", options->point, "Design point (heddle list points)")->capture_default_str();
  area->add_option("--json", options->json, "Also as JSON, to this file or - for standard output");
  return [options] {
    const report::StorageReport storage = report::storage_report(find_point(options->point), Locations().figures);
    if (options->json != "-") std::cout << report::to_text(storage);
    if (!options->json.empty()) write_json(options->json, report::to_json(storage));
    return 0;
  };
}

}  // namespace heddle::cli
