// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/sized_point.h"

#include <fmt/format.h>
#include <list>
#include <nlohmann/json.hpp>

#include "sim/cli/child.h"
#include "sim/cli/commands.h"
#include "sim/cli/locations.h"

namespace heddle::cli {

namespace {

struct OwnPoint {
  std::string name, summary;
  DesignPoint values{};
};

/// The point as the person named it.
std::string as_asked(const std::string& name, const std::vector<std::string>& settings) {
  return settings.empty() ? "--point " + name : fmt::format("--point {} --set {}", name, fmt::join(settings, ","));
}

/// What scripts/slice_point prints.
std::string slice_point(const std::string& name, const std::vector<std::string>& settings,
                        const std::vector<std::string>& arguments) {
  std::vector<std::string> command{Locations().source + "/scripts/slice_point", name, "--build", Locations().build};
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return output_of(command, as_asked(name, settings));
}

}  // namespace

const DesignPoint& sized_point(const std::string& name, const std::vector<std::string>& settings) {
  const DesignPoint& base = find_point(name);
  if (settings.empty()) return base;
  const nlohmann::json found = nlohmann::json::parse(slice_point(name, settings, {"--values"}));
  static std::list<OwnPoint> points;  // requests point into it
  OwnPoint& own = points.emplace_back();
  own.name = found.at("name"), own.summary = found.at("summary");
  own.values.name = own.name.c_str(), own.values.summary = own.summary.c_str();
#define HEDDLE_READ_KEY(key) own.values.key = found.at(#key);
  HEDDLE_POINT_KEYS(HEDDLE_READ_KEY)
#undef HEDDLE_READ_KEY
  return own.values;
}

std::string explained_point(const std::string& name, const std::vector<std::string>& settings) {
  find_point(name);
  return slice_point(name, settings, {"--explain"});
}

void build_slices(const std::string& name, const std::vector<std::string>& settings,
                  const std::set<std::string>& families) {
  slice_point(name, settings, {"--families", fmt::format("{}", fmt::join(families, ","))});
}

std::string build_twin(const std::string& block, const std::string& name, const std::vector<std::string>& settings,
                       const std::vector<std::string>& parameters, const std::string& source) {
  std::vector<std::string> command{Locations().source + "/scripts/twin", block, name, "--build", Locations().build};
  command.insert(command.end(), settings.begin(), settings.end());
  command.insert(command.end(), parameters.begin(), parameters.end());
  if (!source.empty()) command.insert(command.end(), {"--source", source});
  const std::string option = source.empty() ? "--twin " + block : fmt::format("--replace {}={}", block, source);
  std::string library = output_of(command, option + " " + as_asked(name, settings));
  library.erase(library.find_last_not_of('\n') + 1);
  return library;
}

}  // namespace heddle::cli
