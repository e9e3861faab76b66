// SPDX-License-Identifier: Apache-2.0
#include "sim/report/profile_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <numeric>
#include <utility>

#include "sim/report/table.h"

namespace heddle::report {

namespace {

using gpu::KernelProfile;

/// The most lines of a program's source that are worth a look at once; the instructions behind show all.
constexpr std::size_t MostLines = 12;

std::string file_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::uint64_t cycles_of(const CodeCount& counts) {
  return counts.issues + counts.stalled();
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return part == 0 ? "" : fmt::format("{:.1f}%", 100 * double(part) / double(whole));
}

std::string mean(std::uint64_t sum, std::uint64_t count) {
  return sum == 0 || count == 0 ? "" : fmt::format("{:.1f}", double(sum) / double(count));
}

/// The two most frequent reasons: "scoreboard, true dependency 61%, buffer empty 12%", of the row's cycles.
std::string reasons(const CodeCount& counts) {
  std::array<unsigned, Stalls> order;
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&counts](unsigned a, unsigned b) { return counts.stalls[a] > counts.stalls[b]; });
  std::string text;
  for (unsigned i = 0; i < 2 && counts.stalls[order[i]] != 0; ++i)
    text += fmt::format("{}{} {:.0f}%", i == 0 ? "" : ", ", stall_name(static_cast<Stall>(order[i])).name,
                        100 * double(counts.stalls[order[i]]) / double(cycles_of(counts)));
  return text;
}

/// What both tables say of a line or an instruction.
const std::vector<std::string> Columns{"cycles", "share",  "issues",  "lanes",    "diverged",
                                       "lines",  "passes", "stalled", "waits for"};

std::vector<std::string> cells(const CodeCount& counts, std::uint64_t all) {
  if (cycles_of(counts) == 0) return std::vector<std::string>(Columns.size());
  const std::string diverged =
      counts.branches == 0 ? "" : fmt::format("{:.0f}%", 100 * double(counts.divergent) / double(counts.branches));
  return {grouped(cycles_of(counts)),
          share(cycles_of(counts), all),
          grouped(counts.issues),
          mean(counts.active_lanes, counts.issues),
          diverged,
          mean(counts.line_requests, counts.issues),
          mean(counts.shared_passes, counts.issues),
          share(counts.stalled(), cycles_of(counts)),
          reasons(counts)};
}

std::vector<std::string> with(std::vector<std::string> front, const std::vector<std::string>& middle,
                              const std::string& back) {
  front.insert(front.end(), middle.begin(), middle.end());
  front.push_back(back);
  return front;
}

/// The cells of the row at the end: cycles that belong to no instruction.
std::vector<std::string> without_warp(const KernelProfile& profile) {
  std::vector<std::string> row(Columns.size());
  row[0] = grouped(profile.cycles_without_warp);
  row[1] = share(profile.cycles_without_warp, profile.scheduler_cycles());
  row.back() = stall_name(Stall::NoWarp).name;
  return row;
}

/// Text of a file's line, or nothing: it may be gone.
class SourceTexts {
 public:
  std::string line(const std::string& path, unsigned number) {
    const auto [entry, is_new] = files_.try_emplace(path);
    std::vector<std::string>& lines = entry->second;
    if (is_new) {
      std::ifstream file(path);
      for (std::string text; std::getline(file, text);) lines.push_back(text);
    }
    if (number == 0 || number > lines.size()) return "";
    const std::string& text = lines[number - 1];
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first);
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string by_line(const KernelProfile& profile) {
  std::map<std::pair<std::string, unsigned>, CodeCount> lines;
  for (const KernelProfile::Row& row : profile.rows)
    if (row.source_line != 0) lines[{row.source_file, row.source_line}] += row.counts;
  if (lines.empty())
    return "its PTX does not say which line of a program it comes from: compile with -lineinfo (nvcc) or "
           "-gline-directives-only (clang)\n";
  std::vector<std::pair<std::pair<std::string, unsigned>, CodeCount>> order(lines.begin(), lines.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return cycles_of(a.second) > cycles_of(b.second); });
  const std::size_t shown = std::min(order.size(), MostLines);
  const std::uint64_t all = profile.scheduler_cycles();
  SourceTexts texts;
  Table table(with({"line"}, Columns, "source"));
  CodeCount rest;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [place, counts] = order[i];
    if (i < shown)
      table.add(with({fmt::format("{}:{}", file_name(place.first), place.second)}, cells(counts, all),
                     texts.line(place.first, place.second)));
    else
      rest += counts;
  }
  for (const KernelProfile::Row& row : profile.rows)
    if (row.source_line == 0) rest += row.counts;
  table.rule();
  if (cycles_of(rest) != 0) table.add(with({"all others"}, cells(rest, all), ""));
  if (profile.cycles_without_warp != 0) table.add(with({""}, without_warp(profile), ""));
  return table.text();
}

std::string by_instruction(const KernelProfile& profile) {
  Table table(with({"pc", "PTX line"}, Columns, "instruction"));
  for (std::size_t pc = 0; pc < profile.rows.size(); ++pc) {
    const KernelProfile::Row& row = profile.rows[pc];
    table.add(
        with({std::to_string(pc), std::to_string(row.line)}, cells(row.counts, profile.scheduler_cycles()), row.text));
  }
  table.rule();
  if (profile.cycles_without_warp != 0) table.add(with({"", ""}, without_warp(profile), ""));
  return table.text();
}

}  // namespace

std::string profile_tables(const std::string& run, const KernelProfile& profile) {
  return fmt::format(
      "\nwhere the {} scheduler cycles of {} went, {} launch{} of {} of {}\n"
      "cycles: issues, and cycles without an issue that this is the reason for; lanes: active ones of an issue; "
      "diverged: branches whose lanes went both ways;\nlines, passes: requests of an issue to memory, passes over "
      "shared "
      "memory\n\n{}\n{}",
      grouped(profile.scheduler_cycles()), run, profile.launches, profile.launches == 1 ? "" : "es", profile.kernel,
      file_name(profile.file), by_line(profile), by_instruction(profile));
}

}  // namespace heddle::report
