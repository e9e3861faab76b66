// SPDX-License-Identifier: Apache-2.0
// The storage report as a table for people, as CSV for spreadsheets and as JSON for programs.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/report/storage_report.h"
#include "sim/report/table.h"

namespace heddle::report {

namespace {

/// "pc 32, mask 32; ours: valid 1"; a structure of plain values has no names.
std::string fields_of(const StorageRow& row) {
  std::string paper, ours;
  for (const FieldRow& field : row.fields) {
    std::string& list = field.paper ? paper : ours;
    if (!list.empty()) list += ", ";
    list += field.name.empty() ? std::to_string(field.bits) : fmt::format("{} {}", field.name, field.bits);
  }
  if (ours.empty()) return paper;
  return paper + (paper.empty() ? "ours: " : "; ours: ") + ours;
}

std::string kind_of(const StorageRow& row) {
  return row.kind + (row.ports.empty() ? "" : ' ' + row.ports);
}

/// Calls of_block(name, bits of the paper, ours), then of_row(row) for its rows, which stand together.
template <class OfBlock, class OfRow>
void each_block(const StorageReport& report, OfBlock&& of_block, OfRow&& of_row) {
  for (auto first = report.rows.begin(); first != report.rows.end();) {
    const auto last =
        std::find_if(first, report.rows.end(), [&](const auto& row) { return row.block != first->block; });
    unsigned long paper = 0, ours = 0;
    for (auto row = first; row != last; ++row) paper += row->paper_bits(), ours += row->ours_bits();
    of_block(first->block, paper, ours);
    std::for_each(first, last, of_row);
    first = last;
  }
}

/// A row a block.
std::string blocks_table(const StorageReport& report) {
  Table table({"block", "paper bits", "ours bits", "total bits", "a warp", "of registers"});
  const bool one_block = std::all_of(report.rows.begin(), report.rows.end(), [&](const StorageRow& row) {
    return is_block(row.block, plain_block(report.rows.front().block));
  });  // else options would make it longer than a screen
  each_block(
      report,
      [&](const std::string& block, unsigned long paper, unsigned long ours) {
        if (is_with_option(block) && !one_block) return;
        table.add({block, grouped(paper), grouped(ours), grouped(paper + ours),
                   fmt::format("{:.1f}", report.bits_a_warp(paper + ours)),
                   fmt::format("{:.2f}%", 100 * report.share_of_registers(paper + ours))});
      },
      [](const StorageRow&) {});
  return table.text(TerminalWidth);
}

/// A row a block, and beneath it one a structure.
std::string structures_table(const StorageReport& report) {
  Table table({"block, structure", "entries", "paper bits", "ours bits", "kind; fields and their bits; source"});
  each_block(
      report,
      [&](const std::string& block, unsigned long paper, unsigned long ours) {
        if (block != report.rows.front().block) table.rule();
        const unsigned long bits = paper + ours;
        table.add({block, "", grouped(paper), grouped(ours),
                   fmt::format("total {} bits, {:.1f} a warp, {:.2f}% of registers", grouped(bits),
                               report.bits_a_warp(bits), 100 * report.share_of_registers(bits))});
      },
      [&](const StorageRow& row) {
        std::string what = kind_of(row) + "; " + fields_of(row);
        if (!row.source.empty()) what += "; " + row.source;
        table.add(
            {"  " + row.structure, grouped(row.entries), grouped(row.paper_bits()), grouped(row.ours_bits()), what});
      });
  return table.text(TerminalWidth);
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

}  // namespace

std::string to_text(const StorageReport& report, bool with_fields) {
  std::string text = fmt::format(
      "Storage of one SM at {}, from the blocks' own declarations.\n{}.\n"
      "paper: bits that the paper counts; ours: what working hardware needs beside them. Registers: {} x 32 bits.\n\n",
      report.point.name, report.point.summary, grouped(report.point.registers));
  text += with_fields ? structures_table(report) : blocks_table(report);
  if (!report.figures.empty()) {
    Table figures({"beside the papers", "paper", "here", "difference", "source"});
    std::string remarks;
    for (const FigureRow& row : report.figures) {
      figures.add({row.what, row.paper, row.ours, row.difference, row.source});
      if (!row.remark.empty()) remarks += fmt::format("{}: {}\n", row.what, row.remark);
    }
    text += '\n' + figures.text() + (with_fields ? '\n' + remarks : "");
  }
  for (const std::string& line : report.elsewhere) text += line + '\n';
  return text;
}

std::string to_csv(const StorageReport& report) {
  std::string text =
      "point,block,structure,kind,ports,instances,entries,fields,paper_bits,ours_bits,total_bits,bits_a_warp,"
      "share_of_register_file,source\n";
  for (const StorageRow& row : report.rows) {
    const unsigned long bits = row.paper_bits() + row.ours_bits();
    const std::vector<std::string> cells{report.point.name,
                                         row.block,
                                         row.structure,
                                         row.kind,
                                         row.ports,
                                         std::to_string(row.instances),
                                         std::to_string(row.entries),
                                         fields_of(row),
                                         std::to_string(row.paper_bits()),
                                         std::to_string(row.ours_bits()),
                                         std::to_string(bits),
                                         fmt::format("{}", report.bits_a_warp(bits)),
                                         fmt::format("{}", report.share_of_registers(bits)),
                                         row.source};
    for (std::size_t c = 0; c < cells.size(); ++c) text += (c == 0 ? "" : ",") + csv_cell(cells[c]);
    text += '\n';
  }
  return text;
}

nlohmann::json to_json(const StorageReport& report) {
  nlohmann::json figures = nlohmann::json::array();
  for (const FigureRow& row : report.figures) {
    figures.push_back({{"figure", row.what},
                       {"paper", row.paper},
                       {"here", row.ours},
                       {"difference", row.difference},
                       {"source", row.source},
                       {"remark", row.remark}});
  }
  const ReportedPoint& point = report.point;
  return {{"point", point.name},
          {"warps", point.warps},
          {"lanes", point.lanes},
          {"registers", point.registers},
          {"structures", to_json(report.rows)},
          {"figures", figures}};
}

}  // namespace heddle::report
