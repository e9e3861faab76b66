#include "sim/report/storage_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <yaml-cpp/yaml.h>

#include "sim/report/mechanism_storage.h"
#include "sim/report/table.h"
#include "sim/sm/issue_slice.h"

namespace heddle::report {

namespace {

const char* storage_name(Storage storage) {
  switch (storage) {
    case Storage::Wire:
      return "wire";
    case Storage::Flop:
      return "flop";
    case Storage::Ram:
      return "RAM";
    case Storage::Cam:
      return "CAM";
  }
  return "";
}

/// "dpe_shadow.slice0.scoreboard" is an instance of "scoreboard" in the SM with shadow bits; "..._1" is one of several.
std::string block_of(const Structure& structure) {
  const std::string block = structure.block.substr(structure.block.rfind('.') + 1);
  const std::size_t last = block.find_last_not_of("0123456789");
  return last + 1 != block.size() && block[last] == '_' ? block.substr(0, last) : block;
}

/// A block that two mechanisms share (the scheduler, the scoreboard) has a row for each size it is built in.
std::string title(const Structure& structure) {
  const std::string block = block_of(structure);
  const bool shared = block == "warp_scheduler" || block == "scoreboard";
  const std::string variant = structure.block.substr(0, structure.block.find('.'));
  return shared ? fmt::format("{} ({})", block, variant) : block;
}

std::vector<StorageRow> rows_of(const std::vector<Structure>& structures) {
  std::vector<StorageRow> rows;
  for (const Structure& structure : structures) {
    if (structure.storage == Storage::Wire) continue;
    const std::string block = title(structure);
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const StorageRow& row) {
      return row.block == block && row.structure == structure.name;
    });
    if (same != rows.end()) {
      same->entries += structure.entries;
    } else {
      rows.push_back({block, structure.name, storage_name(structure.storage), structure.entries,
                      structure.paper_bits_per_entry(), structure.ours_bits_per_entry(), structure.fields,
                      structure.ports, structure.source});
    }
  }
  return rows;
}

unsigned long paper_bits_of(const std::vector<StorageRow>& rows, const std::string& block) {
  unsigned long bits = 0;
  for (const StorageRow& row : rows) bits += row.block.rfind(block, 0) == 0 ? row.paper_bits() : 0;
  return bits;
}

unsigned depth_of(const DesignPoint& point, const std::string& block) {
  return block == "single_path_stack" ? point.spe_depth : point.dpe_depth;
}

std::vector<FigureRow> entry_figures(const DesignPoint& point, const std::vector<StorageRow>& rows,
                                     const YAML::Node& figure) {
  const std::string block = figure["block"].as<std::string>();
  const unsigned paper = figure["figure"].as<unsigned>(), measured_depth = figure["depth"].as<unsigned>();
  const unsigned depth = depth_of(point, block);
  const unsigned long entry = paper_bits_of(rows, block) / (1UL * point.warps * depth);
  const std::string source = figure["source"].as<std::string>();
  const bool comparable = point.lanes == figure["lanes"].as<unsigned>();
  return {
      {block + ": bits an entry", std::to_string(paper), std::to_string(entry), source,
       comparable ? "" : fmt::format("the paper's are for 32 lanes, this point has {}", point.lanes)},
      {fmt::format("{}: bits a warp at the paper's measured depth of {}", block, measured_depth),
       std::to_string(paper * measured_depth), std::to_string(entry * measured_depth), source,
       fmt::format("built here for {} entries a warp, so that no kernel overflows: {} bits", depth, entry * depth)}};
}

FigureRow shadow_figure(const std::vector<StorageRow>& rows, const YAML::Node& figure) {
  unsigned shadow = 0, paper = 0, all = 0;
  for (const StorageRow& row : rows) {
    if (row.block.find("shadow") == std::string::npos || row.block.rfind("scoreboard", 0) != 0) continue;
    for (const FieldRow& field : row.fields) {
      if (field.name == "s") shadow += field.bits;
      if (field.paper) paper += field.bits;
      all += field.bits;
    }
  }
  if (paper == 0) throw std::runtime_error("paper_figures.yaml: no scoreboard with shadow bits was elaborated");
  return {"scoreboard: shadow bits, share of an entry",
          fmt::format("{:.0f}-{:.0f}%", 100 * figure["low"].as<double>(), 100 * figure["high"].as<double>()),
          fmt::format("{:.1f}%", 100.0 * shadow / paper), figure["source"].as<std::string>(),
          fmt::format("{} of {} paper bits an entry; {} with ours", shadow, paper, all)};
}

/// Bits of blocks as a whole, such as DWF Table 1.
FigureRow block_figure(const DesignPoint& point, const std::vector<StorageRow>& rows, const YAML::Node& figure) {
  unsigned long bits = 0;
  for (const YAML::Node& block : figure["blocks"]) {
    const std::string name = block.as<std::string>();
    for (const StorageRow& row : rows) bits += row.block == name ? row.paper_bits() : 0;
  }
  const unsigned lanes = figure["lanes"].as<unsigned>(), warps = figure["warps"].as<unsigned>();
  const bool comparable = point.lanes == lanes && point.warps == warps;
  return {figure["what"].as<std::string>() + ": bits", std::to_string(figure["figure"].as<unsigned>()),
          std::to_string(bits), figure["source"].as<std::string>(),
          comparable ? figure["remark"].as<std::string>("")
                     : fmt::format("the paper's are for {} warps of {} lanes", warps, lanes)};
}

}  // namespace

StorageReport storage_report(const DesignPoint& point, const std::string& figures_file) {
  // Elaborated, never run. The names tell the mechanisms apart.
  struct elaborated : sc_core::sc_module {
    sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
    std::vector<std::unique_ptr<IssueSlice>> slices;
    elaborated(const sc_core::sc_module_name& name, const DesignPoint& at, const Mechanism& mechanism)
        : sc_module(name) {
      for (unsigned s = 0; s < at.schedulers; ++s) {
        slices.push_back(make_issue_slice("slice" + std::to_string(s), at, mechanism, clk, rst_n));
      }
    }
  };
  inventory().clear();
  const elaborated spe("baseline", point, {"spe", "baseline"});
  const elaborated dpe("shadow", point, {"dpe", "shadow"});
  const Modules others[] = {elaborate_splits(point), elaborate_barriers(point), elaborate_formation(point),
                            elaborate_affine(point)};
  StorageReport report{&point, rows_of(inventory()), {}};
  for (const YAML::Node& figure : YAML::LoadFile(figures_file)) {
    const std::string measure = figure["measure"].as<std::string>();
    if (measure == "entry_bits") {
      for (FigureRow& row : entry_figures(point, report.rows, figure)) report.figures.push_back(std::move(row));
    } else if (measure == "shadow_share") {
      report.figures.push_back(shadow_figure(report.rows, figure));
    } else if (measure == "block_bits") {
      report.figures.push_back(block_figure(point, report.rows, figure));
    } else {
      throw std::runtime_error(
          fmt::format("{}: no measure '{}'; known: entry_bits, shadow_share, block_bits", figures_file, measure));
    }
  }
  return report;
}

std::string to_text(const StorageReport& report) {
  std::string text = fmt::format(
      "Storage of one SM at {} ({}), from the blocks' own declarations.\n"
      "paper: bits that the paper counts; ours: what working hardware needs beside them.\n\n",
      report.point->name, report.point->summary);
  Table table({"block", "structure", "kind", "entries", "paper", "ours", "bits an entry", "paper bits", "ours bits",
               "total bits", "source"});
  std::string block;
  unsigned long paper = 0, ours = 0;
  const auto total = [&] {
    table.add({block, "total", "", "", "", "", "", grouped(paper), grouped(ours), grouped(paper + ours), ""});
    table.rule();
    paper = ours = 0;
  };
  for (const StorageRow& row : report.rows) {
    if (!block.empty() && block != row.block) total();
    block = row.block;
    paper += row.paper_bits();
    ours += row.ours_bits();
    table.add({row.block, row.structure, row.storage + (row.ports.empty() ? "" : ' ' + row.ports), grouped(row.entries),
               std::to_string(row.paper_bits_per_entry), std::to_string(row.ours_bits_per_entry),
               std::to_string(row.paper_bits_per_entry + row.ours_bits_per_entry), grouped(row.paper_bits()),
               grouped(row.ours_bits()), grouped(row.paper_bits() + row.ours_bits()), row.source});
  }
  total();
  Table figures({"figure", "paper", "here", "source", "remark"});
  for (const FigureRow& row : report.figures) figures.add({row.what, row.paper, row.ours, row.source, row.remark});
  return text + table.text() + "\nBeside the papers\n\n" + figures.text();
}

nlohmann::json to_json(const StorageReport& report) {
  nlohmann::json rows = nlohmann::json::array(), figures = nlohmann::json::array();
  for (const StorageRow& row : report.rows) {
    nlohmann::json fields = nlohmann::json::array();
    for (const FieldRow& f : row.fields) fields.push_back({{"name", f.name}, {"bits", f.bits}, {"paper", f.paper}});
    rows.push_back({{"block", row.block},
                    {"structure", row.structure},
                    {"kind", row.storage},
                    {"entries", row.entries},
                    {"fields", fields},
                    {"ports", row.ports},
                    {"paper_bits", row.paper_bits()},
                    {"ours_bits", row.ours_bits()},
                    {"source", row.source}});
  }
  for (const FigureRow& row : report.figures) {
    figures.push_back({{"figure", row.what},
                       {"paper", row.paper},
                       {"here", row.ours},
                       {"source", row.source},
                       {"remark", row.remark}});
  }
  return {{"point", report.point->name}, {"structures", rows}, {"figures", figures}};
}

}  // namespace heddle::report
