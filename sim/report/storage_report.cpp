// SPDX-License-Identifier: Apache-2.0
#include "sim/report/storage_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <yaml-cpp/yaml.h>

#include "sim/report/nearest.h"

namespace heddle::report {

namespace {

bool has_rows(const std::vector<StorageRow>& rows, const std::string& block) {
  return std::any_of(rows.begin(), rows.end(), [&](const StorageRow& row) { return is_block(row.block, block); });
}

unsigned long paper_bits_of(const std::vector<StorageRow>& rows, const std::string& block) {
  unsigned long bits = 0;
  for (const StorageRow& row : rows) bits += row.block == block ? row.paper_bits() : 0;
  return bits;
}

/// The entries of a block: masks beside them have a bit each in one word of their warp.
unsigned long entries_of(const std::vector<StorageRow>& rows, const std::string& block) {
  unsigned long entries = 0;
  for (const StorageRow& row : rows)
    if (row.block == block && row.bits_per_entry(true) != 0) entries = std::max<unsigned long>(entries, row.entries);
  return entries;
}

/// A number of bits beside the paper's.
FigureRow bits_figure(const std::string& what, unsigned long paper, unsigned long here, const YAML::Node& figure,
                      const std::string& remark, std::vector<std::string> blocks) {
  const std::string difference = here == paper ? "0" : fmt::format("{:+}", static_cast<long>(here - paper));
  return {what,   std::to_string(paper), std::to_string(here), difference, figure["source"].as<std::string>(),
          remark, std::move(blocks)};
}

/// A figure for a machine of another size cannot agree: the report names the point where it stands.
void stands_elsewhere(StorageReport& report, const YAML::Node& figure) {
  const std::string line =
      fmt::format("{}: heddle area --point {}", figure["source"].as<std::string>(), figure["point"].as<std::string>());
  if (std::find(report.elsewhere.begin(), report.elsewhere.end(), line) == report.elsewhere.end())
    report.elsewhere.push_back(line);
}

void add_entry_figures(StorageReport& report, const YAML::Node& figure) {
  const std::string block = figure["block"].as<std::string>();
  if (!has_rows(report.rows, block)) return;
  if (report.point.lanes != figure["lanes"].as<unsigned>()) {
    stands_elsewhere(report, figure);
    return;
  }
  const unsigned long paper = figure["figure"].as<unsigned>(), measured_depth = figure["depth"].as<unsigned>();
  const unsigned depth = block == "single_path_stack" ? report.point.spe_depth : report.point.dpe_depth;
  const unsigned long entry = paper_bits_of(report.rows, block) / (1UL * report.point.warps * depth);
  report.figures.push_back(bits_figure(block + ": bits an entry", paper, entry, figure, "", {block}));
  report.figures.push_back(bits_figure(fmt::format("{}: bits a warp at the paper's depth of {}", block, measured_depth),
                                       paper * measured_depth, entry * measured_depth, figure,
                                       fmt::format("built here for {} entries a warp: {} bits", depth, entry * depth),
                                       {block}));
}

void add_shadow_share(StorageReport& report, const YAML::Node& figure) {
  const std::string block = "scoreboard (shadow)";
  const unsigned long entries = entries_of(report.rows, block);
  if (entries == 0) return;
  unsigned long shadow = 0, paper = 0, all = 0;  // bits an entry; all: with ours in it, without what stands beside it
  for (const StorageRow& row : report.rows) {
    if (row.block != block || row.paper_bits() == 0) continue;
    if (row.structure == "shadow_q") shadow += row.paper_bits() / entries;
    paper += row.paper_bits() / entries;
    all += (row.paper_bits() + row.ours_bits()) / entries;
  }
  const double low = figure["low"].as<double>(), high = figure["high"].as<double>(), here = 1.0 * shadow / paper;
  report.figures.push_back({"scoreboard: shadow bits, share of an entry",
                            fmt::format("{:.0f}-{:.0f}%", 100 * low, 100 * high),
                            fmt::format("{:.1f}%", 100 * here),
                            here < low    ? "below"
                            : here > high ? "above"
                                          : "within",
                            figure["source"].as<std::string>(),
                            fmt::format("{} of {} paper bits an entry; {} with ours", shadow, paper, all),
                            {block}});
}

/// DPE says that the scoreboard doubles.
void add_ratio(StorageReport& report, const YAML::Node& figure) {
  const std::string over = figure["block"].as<std::string>(), under = figure["beside"].as<std::string>();
  if (!has_rows(report.rows, over) || !has_rows(report.rows, under)) return;
  const unsigned long count_over = entries_of(report.rows, over), count_under = entries_of(report.rows, under);
  const double ratio = 1.0 * count_over / count_under, paper = figure["figure"].as<double>();
  report.figures.push_back({figure["what"].as<std::string>(),
                            fmt::format("{:.1f}", paper),
                            fmt::format("{:.1f}", ratio),
                            fmt::format("{:+.1f}", ratio - paper),
                            figure["source"].as<std::string>(),
                            fmt::format("{} against {}", count_over, count_under),
                            {over, under}});
}

/// Bits of blocks as a whole, such as DWF Table 1.
void add_block_figure(StorageReport& report, const YAML::Node& figure) {
  const auto blocks = figure["blocks"].as<std::vector<std::string>>();
  unsigned long bits = 0;
  for (const std::string& block : blocks) {
    if (!has_rows(report.rows, block)) return;
    bits += paper_bits_of(report.rows, block);
  }
  if (report.point.lanes != figure["lanes"].as<unsigned>() || report.point.warps != figure["warps"].as<unsigned>()) {
    stands_elsewhere(report, figure);
    return;
  }
  report.figures.push_back(bits_figure(figure["what"].as<std::string>() + ": bits", figure["figure"].as<unsigned>(),
                                       bits, figure, figure["remark"].as<std::string>(""), blocks));
}

const std::vector<std::pair<std::string, void (*)(StorageReport&, const YAML::Node&)>> Measures{
    {"entry_bits", add_entry_figures},
    {"shadow_share", add_shadow_share},
    {"ratio", add_ratio},
    {"block_bits", add_block_figure}};

}  // namespace

StorageReport storage_report(const ReportedPoint& point, std::vector<StorageRow> rows,
                             const std::string& figures_file) {
  StorageReport report{point, std::move(rows), {}, {}};
  for (const YAML::Node& figure : YAML::LoadFile(figures_file)) {
    const std::string name = figure["measure"].as<std::string>();
    const auto measure =
        std::find_if(Measures.begin(), Measures.end(), [&](const auto& candidate) { return candidate.first == name; });
    if (measure == Measures.end()) {
      std::string known;
      for (const auto& candidate : Measures) known += (known.empty() ? "" : ", ") + candidate.first;
      throw std::runtime_error(fmt::format("{}: no measure '{}'; known: {}", figures_file, name, known));
    }
    measure->second(report, figure);
  }
  return report;
}

StorageReport only_block(const StorageReport& report, const std::string& block, const std::vector<std::string>& parts) {
  StorageReport part{report.point, {}, {}, {}};
  const auto wanted = [&](const std::string& name) {
    return is_block(name, block) ||
           std::any_of(parts.begin(), parts.end(), [&name](const std::string& one) { return is_block(name, one); });
  };
  std::vector<std::string> known;
  for (const StorageRow& row : report.rows) {
    if (wanted(row.block)) part.rows.push_back(row);
    const std::string name = plain_block(row.block);
    if (std::count(known.begin(), known.end(), name) == 0) known.push_back(name);
  }
  if (part.rows.empty()) throw std::invalid_argument(no_such("block", block, known));
  for (const FigureRow& figure : report.figures) {
    if (std::all_of(figure.blocks.begin(), figure.blocks.end(), wanted)) part.figures.push_back(figure);
  }
  return part;
}

}  // namespace heddle::report
