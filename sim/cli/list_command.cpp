// heddle list mechanisms|points|blocks|kernels|statistics
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <regex>
#include <sstream>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/gpu/workload.h"
#include "sim/report/table.h"
#include "sim/sm/mechanisms.h"
#include "sim/sm/statistics.h"

namespace heddle::cli {

namespace {

void list_mechanisms() {
  report::Table table({"option", "name", "source", "what"});
  for (const DivergenceRow& row : divergences()) table.add({"--divergence", row.name, row.source, row.what});
  for (const ScoreboardRow& row : scoreboards) table.add({"--scoreboard", row.name, row.source, row.what});
  for (const RegisterFileRow& row : register_files) table.add({"--register-file", row.name, row.source, row.what});
  for (const AffineRow& row : affine_units) table.add({"--affine", row.name, row.source, row.what});
  for (const PrefetchRow& row : prefetchers) table.add({"--prefetch", row.name, row.source, row.what});
  std::cout << table.text(report::TerminalWidth);
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

/// What a run counts, as its JSON has it.
void list_statistics() {
  report::Table table({"key in JSON", "unit", "launches", "SMs", "what"});
  const auto key = [](const auto& row) {
    return *row.group == '\0' ? std::string(row.key) : fmt::format("{}.{}", row.group, row.key);
  };
  const auto how = [](Together together) { return together == Together::Sum ? "sum" : "largest"; };
  const auto what = [](const auto& row) {
    return *row.meaning == '\0' ? std::string(row.name) : fmt::format("{}: {}", row.name, row.meaning);
  };
  for (const StatisticRow& row : statistic_rows())
    table.add({key(row), row.unit, how(row.of_launches), how(row.of_sms), what(row)});
  table.rule();
  for (const DerivedRow& row : derived_rows())
    table.add({key(row), row.unit, "from the sums", "from the sums", what(row)});
  table.rule();
  table.add({"active_lanes", "instructions", "sum", "sum", "issues by their number of active lanes, W0 ... Wn"});
  table.add({"stack_depth.issues_at_depth", "instructions", "sum", "sum", "issues by the depth of their warp's stack"});
  for (unsigned i = 0; i < Stalls; ++i) {
    const StallName& stall = stall_name(static_cast<Stall>(i));
    table.add({fmt::format("stalls.{}", stall.name), "cycles", "sum", "sum",
               *stall.nsight == '\0'
                   ? "of a scheduler without an issue"
                   : fmt::format("of a scheduler without an issue; Nsight Compute: {}", stall.nsight)});
  }
  std::cout << table.text(report::TerminalWidth);
}

}  // namespace

Command add_list(CLI::App& app) {
  CLI::App* list = app.add_subcommand("list", "What there is: mechanisms, points, blocks, kernels, statistics");
  auto what = std::make_shared<std::string>();
  list->add_option("what", *what, "mechanisms, points, blocks, kernels or statistics")
      ->required()
      ->check(one_of("list", {"mechanisms", "points", "blocks", "kernels", "statistics"}));
  return [what] {
    if (*what == "mechanisms")
      list_mechanisms();
    else if (*what == "points")
      list_points();
    else if (*what == "blocks")
      list_blocks();
    else if (*what == "statistics")
      list_statistics();
    else
      list_kernels();
    return 0;
  };
}

}  // namespace heddle::cli
