// SPDX-License-Identifier: Apache-2.0
// heddle list mechanisms|points|blocks|kernels|statistics
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/gpu/timeline.h"
#include "sim/gpu/workload.h"
#include "sim/report/table.h"
#include "sim/sm/links/mechanisms.h"
#include "sim/sm/links/statistics.h"

namespace heddle::cli {

namespace {

/// What a tool wants to know of a control flow unit beside its name.
nlohmann::json details_of(const DivergenceRow& row) {
  return {{"block", row.block},           {"paths", row.paths},
          {"scoreboard", row.scoreboard}, {"register_files", register_files_of(row)},
          {"variant_of", row.variant_of}, {"is_reference", row.is_reference}};
}
template <class Row>
nlohmann::json details_of(const Row&) {
  return nlohmann::json::object();
}

void list_mechanisms(const std::string& json_file) {
  report::Table table({"option", "name", "source", "what"});
  nlohmann::json json = nlohmann::json::array();
  const auto add_all = [&](const char* option, const auto& rows) {
    for (const auto& row : rows) {
      table.add({option, row.name, row.source, row.what});
      json.push_back({{"option", option}, {"name", row.name}, {"source", row.source}, {"what", row.what}});
      json.back().update(details_of(row));
    }
  };
  add_all("--divergence", divergences());
  add_all("--scoreboard", scoreboards);
  add_all("--register-file", register_files);
  add_all("--affine", affine_units);
  add_all("--prefetch", prefetchers);
  if (json_file != "-") std::cout << table.text(report::TerminalWidth);
  if (!json_file.empty()) write_json(json_file, json);
}

void list_points() {
  report::Table table({"point", "warps", "lanes", "schedulers", "what"});
  for (const DesignPoint* p : design_points) {
    table.add({p->name, std::to_string(p->warps), std::to_string(p->lanes), std::to_string(p->schedulers), p->summary});
  }
  std::cout << table.text(report::TerminalWidth);
}

/// What a block is: the first sentence of its README's first paragraph.
std::string summary_of(const std::string& room) {
  std::ifstream readme(Locations().source + "/rtl/" + room + "/README.md");
  std::string text;
  for (std::string line; std::getline(readme, line);) {
    if (line.empty() && !text.empty()) break;
    if (!line.empty() && line[0] != '#') text += (text.empty() ? "" : " ") + line;
  }
  text = std::regex_replace(text, std::regex("\\*\\*What\\.\\*\\* |[*`]|\\]\\([^)]*\\)|\\["), "");
  std::smatch sentence;  // a period before a capital letter: "sec. 3" does not end one
  if (std::regex_search(text, sentence, std::regex("^.*?\\.(?= [A-Z])"))) text = sentence.str();
  return text;
}

void list_blocks() {
  const Locations locations;
  std::ifstream file(locations.blocks);
  if (!file) throw std::runtime_error("cannot read " + locations.blocks + "; build the benches first (scripts/tb)");
  report::Table table({"block", "room", "what"});
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, room;
    words >> name >> room;
    table.add({name, "rtl/" + room, summary_of(room)});
  }
  std::cout << table.text(report::TerminalWidth);
}

/// A kernel has more to say than a row of a terminal holds: three entries, each wrapped.
void list_kernels() {
  static constexpr std::size_t NameWidth = 22, LabelWidth = 10;
  std::cout << "Sizes are those of small, medium, large. Branches: those with work on both sides, which DPE can "
               "interleave.\n\n";
  for (const gpu::Workload* w : gpu::all_workloads()) {
    std::string name = w->name();
    const auto print = [&name](const std::string& label, const std::string& text) {
      std::string head = label;
      for (const std::string& line : report::wrapped(text, report::TerminalWidth - NameWidth - LabelWidth)) {
        std::cout << fmt::format("{:<{}}{:<{}}{}\n", name, NameWidth, head, LabelWidth, line);
        name.clear();
        head.clear();
      }
    };
    print("what", w->summary() + (w->expects_deadlock() ? " (deadlocks on the stacks)" : ""));
    print("sizes", w->sizes());
    print("branches", w->branches());
  }
}

/// What a run counts, as its JSON has it: for the table, and for whoever explains a number elsewhere.
struct Definition {
  std::string key, unit, of_launches, of_sms, name, meaning;
  bool key_says_it = false;  ///< its name adds nothing
};

std::string key_of(const std::string& group, const std::string& key) {
  return group.empty() ? key : group + '.' + key;
}

const char* in_words(Together together) {
  return together == Together::Sum ? "sum" : "largest";
}

std::vector<Definition> counted() {
  std::vector<Definition> all;
  for (const StatisticRow& row : statistic_rows())
    all.push_back(
        {key_of(row.group, row.key), row.unit, in_words(row.of_launches), in_words(row.of_sms), row.name, row.meaning});
  return all;
}

std::vector<Definition> derived() {
  std::vector<Definition> all;
  for (const DerivedRow& row : derived_rows())
    all.push_back({key_of(row.group, row.key), row.unit, "from the sums", "from the sums", row.name, row.meaning});
  return all;
}

/// Those that are a list, or one of a list.
std::vector<Definition> lists() {
  std::vector<Definition> all{{"active_lanes", "instructions", "sum", "sum", "issues by lanes",
                               "issues by their number of active lanes, W0 ... Wn", true},
                              {"stack_depth.issues_at_depth", "instructions", "sum", "sum", "issues by depth",
                               "issues by the depth of their warp's stack", true}};
  for (unsigned i = 0; i < Stalls; ++i) {
    const StallName& stall = stall_name(static_cast<Stall>(i));
    const std::string nsight = *stall.nsight == '\0' ? "" : fmt::format("; Nsight Compute: {}", stall.nsight);
    all.push_back({fmt::format("stalls.{}", stall.name), "cycles", "sum", "sum", stall.name,
                   "of a scheduler without an issue" + nsight, true});
  }
  return all;
}

/// With --timeline.
std::vector<Definition> samples() {
  std::vector<Definition> all;
  for (const gpu::TimelineRow& row : gpu::timeline_rows())
    all.push_back({fmt::format("timeline.{}", row.key), row.unit, "in turn",
                   in_words(row.value == &gpu::TimelineSample::cycle ? Together::Max : Together::Sum),
                   std::string(row.key) + " of a sample", row.meaning, true});
  return all;
}

std::string what_it_is(const Definition& one) {
  if (one.key_says_it) return one.meaning;
  return one.meaning.empty() ? one.name : fmt::format("{}: {}", one.name, one.meaning);
}

void list_statistics(const std::string& json_file) {
  report::Table table({"key in JSON", "unit", "launches", "SMs", "what"});
  nlohmann::json json = nlohmann::json::array();
  for (const auto& part : {counted(), derived(), lists(), samples()}) {
    if (!json.empty()) table.rule();
    for (const Definition& one : part) {
      table.add({one.key, one.unit, one.of_launches, one.of_sms, what_it_is(one)});
      json.push_back({{"key", one.key},
                      {"unit", one.unit},
                      {"of_launches", one.of_launches},
                      {"of_sms", one.of_sms},
                      {"name", one.name},
                      {"meaning", one.meaning}});
    }
  }
  if (json_file != "-") std::cout << table.text(report::TerminalWidth);
  if (!json_file.empty()) write_json(json_file, json);
}

}  // namespace

Command add_list(CLI::App& app) {
  CLI::App* list = app.add_subcommand("list", "What there is: mechanisms, points, blocks, kernels, statistics");
  auto what = std::make_shared<std::string>();
  list->add_option("what", *what, "mechanisms, points, blocks, kernels or statistics")
      ->required()
      ->check(one_of("list", {"mechanisms", "points", "blocks", "kernels", "statistics"}));
  auto json = std::make_shared<std::string>();
  list->add_option("--json", *json,
                   "Of mechanisms and statistics: also as JSON, to this file or - for standard output");
  return [what, json] {
    if (!json->empty() && *what != "statistics" && *what != "mechanisms")
      throw CLI::ValidationError("--json",
                                 "only mechanisms and statistics are listed as JSON; leave it out for " + *what);
    if (*what == "mechanisms")
      list_mechanisms(*json);
    else if (*what == "points")
      list_points();
    else if (*what == "blocks")
      list_blocks();
    else if (*what == "statistics")
      list_statistics(*json);
    else
      list_kernels();
    return 0;
  };
}

}  // namespace heddle::cli
