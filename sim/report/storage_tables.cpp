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

std::string cut(std::string text) {
  constexpr std::size_t Most = 48;  // characters; CSV and JSON have the whole
  if (text.size() > Most) text.replace(Most - 3, std::string::npos, "...");
  return text;
}

std::string kind_of(const StorageRow& row) {
  return row.kind + (row.ports.empty() ? "" : ' ' + row.ports);
}

/// The rows of a block stand together.
template <class EachRow, class Total>
void each_block(const StorageReport& report, EachRow&& each_row, Total&& total) {
  for (std::size_t first = 0; first < report.rows.size();) {
    StorageRow sum;
    sum.block = report.rows[first].block;
    unsigned long paper = 0, ours = 0;
    std::size_t at = first;
    for (; at < report.rows.size() && report.rows[at].block == sum.block; ++at) {
      each_row(report.rows[at], at == first);
      paper += report.rows[at].paper_bits();
      ours += report.rows[at].ours_bits();
    }
    total(sum.block, paper, ours);
    first = at;
  }
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
  const std::vector<std::string> bits{"paper bits", "ours bits", "total bits", "a warp", "of registers"};
  std::vector<std::string> head{"block", "structure", "kind", "entries", "fields and their bits"}, tail{"source"};
  if (!with_fields) head.resize(1), tail.clear();
  head.insert(head.end(), bits.begin(), bits.end());
  head.insert(head.end(), tail.begin(), tail.end());
  const std::size_t names = head.size() - bits.size() - tail.size();
  Table table(head);
  const bool one_block = std::all_of(report.rows.begin(), report.rows.end(), [&](const StorageRow& row) {
    return is_block(row.block, plain_block(report.rows.front().block));
  });  // else options would make it longer than a screen
  const auto add = [&](std::vector<std::string> cells, unsigned long paper, unsigned long ours,
                       const std::string& source) {
    cells.resize(names);
    cells.insert(cells.end(), {grouped(paper), grouped(ours), grouped(paper + ours),
                               fmt::format("{:.1f}", report.bits_a_warp(paper + ours)),
                               fmt::format("{:.2f}%", 100 * report.share_of_registers(paper + ours)), source});
    cells.resize(head.size());
    table.add(std::move(cells));
  };
  each_block(
      report,
      [&](const StorageRow& row, bool first) {
        if (!with_fields) return;
        if (first && &row != &report.rows.front()) table.rule();
        add({row.block, row.structure, kind_of(row), grouped(row.entries), cut(fields_of(row))}, row.paper_bits(),
            row.ours_bits(), row.source);
      },
      [&](const std::string& block, unsigned long paper, unsigned long ours) {
        if (with_fields || !is_with_option(block) || one_block) add({block, "total"}, paper, ours, "");
      });
  text += table.text();
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
