// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/flight_view.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <regex>
#include <vector>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/cli/vcd_file.h"

namespace heddle::cli {

namespace {

constexpr const char* Cycle = "SystemC.cycle";

/// Rows of the view that are words, by the end of a signal's path.
const std::vector<std::pair<std::regex, const char*>>& translations() {
  static const std::vector<std::pair<std::regex, const char*>> table = {
      {std::regex(".*resolve_i\\.op"), "resolve_op"},
      {std::regex(".*barrier_i\\.op"), "barrier_op"},
      {std::regex(".*\\.(rpc|target)|.*rpc_q(_\\d+)?"), "pc"},
      {std::regex(".*scoreboard\\..*\\.id|.*head_(left|right)_i_\\d+\\.([abcd]|guard)"), "register"}};
  return table;
}

/// Whether tests/waveforms/views requires words for the signal, and none are here.
bool is_unnamed(const std::string& path) {
  static const std::regex words(".*(\\.op|op_i|\\.kind|kind_q_\\d+|\\.compare|phase_q_\\d+|\\.error)");
  const auto& known = translations();
  return std::regex_match(path, words) &&
         std::none_of(known.begin(), known.end(), [&](const auto& row) { return std::regex_match(path, row.first); });
}

/// "SystemC.sm0.slice0.scoreboard.hazard_o_3.own_left": its block, and what of it.
std::pair<std::string, std::string> block_and_rest(const std::string& path) {
  static const std::regex whole("SystemC\\.(.*?)\\.(\\w+_([ioq]|now)(_\\d+)*(\\..*)?)");
  std::smatch found;
  if (!std::regex_match(path, found, whole)) return {"", path};
  return {found[1], found[2]};
}

std::string row(const VcdSignal& signal, const std::string& alias) {
  static const std::regex decimal(".*(pc|warp|depth_o_\\d+|cycle|splits_o_\\d+)");
  for (const auto& [path, filter] : translations())
    if (std::regex_match(signal.path, path))
      return fmt::format("@2024\n^1 {}/{}.filter\n+{{{}}} {}\n", Locations().views, filter, alias, signal.name);
  const char* const flags = signal.width == 1 ? "28" : std::regex_match(signal.path, decimal) ? "24" : "22";
  return fmt::format("@{}\n+{{{}}} {}\n", flags, alias, signal.name);
}

std::string group(const std::string& name, const std::string& rows, bool is_open) {
  return fmt::format("@{}\n-{}\n{}@{}\n-{}\n", is_open ? "800200" : "c00200", name, rows,
                     is_open ? "1000200" : "1401200", name);
}

std::string view(const VcdFile& vcd, const std::string& what) {
  const auto cycle =
      std::find_if(vcd.signals.begin(), vcd.signals.end(), [](const VcdSignal& one) { return one.path == Cycle; });
  std::string text = fmt::format(
      "[*] The last cycles before: {}\n[timestart] {}\n[size] 1600 900\n[pos] -1 -1\n*-3.0 -1 -1\n[signals_width] 300\n"
      "[sst_expanded] 0\n",
      what.substr(0, what.find('\n')), vcd.last - std::min<std::uint64_t>(vcd.last - vcd.first, 60));
  if (cycle != vcd.signals.end()) text += row(*cycle, "cycle");
  std::map<std::string, std::string> of_block, of_failed;
  for (const VcdSignal& signal : vcd.signals) {
    const auto [block, rest] = block_and_rest(signal.path);
    if (block.empty() || is_unnamed(signal.path)) continue;
    const bool failed = what.find(block + ':') != std::string::npos;
    if (failed)
      of_failed[block] += row(signal, rest);
    else if (signal.changes != 0)
      of_block[block] += row(signal, rest);
  }
  for (const auto& [block, rows] : of_failed) text += group(block, rows, true);
  for (const auto& [block, rows] : of_block) text += group(block, rows, of_failed.empty());
  return text;
}

}  // namespace

std::string last_cycles(const std::string& file, const std::string& what) {
  const std::string waveform = file + ".vcd";
  if (file.empty() || !std::filesystem::exists(waveform)) return "";
  const VcdFile vcd = read_vcd(waveform);
  const std::string saved = file + ".gtkw";
  write_text("--flight-recorder", saved, view(vcd, what));
  return fmt::format("its last cycles: gtkwave {} {}\n", waveform, saved);
}

}  // namespace heddle::cli
