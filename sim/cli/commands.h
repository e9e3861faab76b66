// SPDX-License-Identifier: Apache-2.0
// The subcommands of heddle. Each adds itself to the program and returns what main runs when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rtl/config/design_points.h"

namespace heddle::cli {

/// Returns the exit code.
using Command = std::function<int()>;

Command add_run(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_replay(CLI::App& app);
Command add_limit(CLI::App& app);
Command add_compile(CLI::App& app);
Command add_area(CLI::App& app);
Command add_export(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_waves(CLI::App& app);
Command add_report(CLI::App& app);
Command add_doctor(CLI::App& app);
Command add_list(CLI::App& app);

// ---- what they share ----

/// \throws CLI::ValidationError naming the points there are.
const DesignPoint& find_point(const std::string& name);
/// Before the work: fails as write_text() would. Nothing is asked of "-" and of no path.
void check_writable(const std::string& option, const std::string& path);
/// A check that an option's value is one of these names; else the nearest ones are told.
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& known);
/// To a file (whole or not at all), or to standard output for "-".
void write_json(const std::string& path, const nlohmann::json& json);
/// The same for any text; `option` is named when it cannot be written.
void write_text(const std::string& option, const std::string& path, const std::string& text);

}  // namespace heddle::cli
