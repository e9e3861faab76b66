// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/traces.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/cli/number_option.h"
#include "sim/cli/vcd_file.h"
#include "sim/report/nearest.h"
#include "sim/sm/links/clock_gate.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

/// Paths (sm0.slice1.scoreboard.entry_q_5_2) that the options ask for. Blocks of the affine warp are of no slice.
std::string pattern(const TraceOptions& options) {
  const std::string slice = options.slice < 0 ? "\\d+" : std::to_string(options.slice);
  const std::string names = options.state ? "[a-z_]+" : "[a-z_]+_[io]";
  const std::string warp = options.warp < 0 ? "(_\\d+)*" : fmt::format("(_{}(_\\d+)?)?", options.warp);
  return fmt::format("sm{}\\.(slice{}|affine(\\.affine_expansion)?)\\.({})(\\..*)?\\.{}{}", options.sm, slice,
                     fmt::join(split(options.blocks), "|"), names, warp);
}

/// Refuses a name that is nearly that of a block; others may be parts of the SM, or regular expressions.
void check_blocks(const TraceOptions& options) {
  std::vector<std::string> known;
  std::ifstream file(Locations().blocks);
  for (std::string name, room; file >> name >> room; file.ignore(1 << 20, '\n')) known.push_back(name);
  for (const std::string& block : split(options.blocks)) {
    const bool plain = block.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (plain && std::count(known.begin(), known.end(), block) == 0 && !report::nearest(block, known).empty()) {
      throw CLI::ValidationError("--trace", report::no_such("block", block, known));
    }
  }
}

/// Refuses the control flow unit of another mechanism than those that run, and tells whose it is.
void check_units(const TraceOptions& options, const std::vector<Mechanism>& mechanisms) {
  std::set<std::string> there;
  for (const Mechanism& mechanism : mechanisms) {
    const std::string block = divergence_named(mechanism.divergence).block;
    if (!block.empty()) there.insert(block);
  }
  for (const std::string& block : split(options.blocks)) {
    std::vector<std::string> owners;
    for (const DivergenceRow& row : divergences())
      if (row.block == block && !row.is_reference) owners.emplace_back(row.name);
    if (owners.empty() || there.count(block) != 0 || there.empty()) continue;
    throw CLI::ValidationError("--trace", fmt::format("no {} here, but {}; that is of --divergence {}", block,
                                                      fmt::join(there, ", "), fmt::join(owners, ", ")));
  }
}

void expect_below(const std::string& option, int value, unsigned count, const std::string& what) {
  if (value < static_cast<int>(count)) return;
  throw CLI::ValidationError(option, fmt::format("{}, but there are {} {}, from 0 on", value, count, what));
}

constexpr std::uint64_t LastCycle = 10'000;  // where none is named
constexpr std::uint64_t MostNumber = 8191;   // of an SM, a scheduler or a warp; the point may have fewer

bool is_cycle(const std::string& text) {
  return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
}

std::uint64_t first_cycle(const TraceOptions& options) {
  return is_cycle(options.from) ? std::stoull(options.from) : 0;
}

std::uint64_t last_cycle(const TraceOptions& options) {
  return is_cycle(options.to) ? std::stoull(options.to) : LastCycle;
}

void check_moment(const std::string& option, const std::string& text, const DesignPoint& point) {
  if (is_cycle(text)) return;
  const gpu::TraceMoment its = moment(text);
  if (its.kind == gpu::TraceMoment::Kind::None)
    throw CLI::ValidationError(
        option,
        fmt::format("'{}': expected a cycle, cta:N, warp:N or FILE:LINE, such as 3000, cta:5 or bfs.cu:31", text));
  if (its.kind == gpu::TraceMoment::Kind::Warp && its.number >= point.warps)
    throw CLI::ValidationError(option,
                               fmt::format("'{}': {} has {} warps to an SM, from 0 on", text, point.name, point.warps));
}

/// "SystemC.sm0.slice0.dual_path_stack.left_o_0.pc[31:0]" without its range.
std::string without_range(const std::string& signal) {
  return signal.substr(0, signal.find('['));
}

/// The waveform's signals: names as GTKWave has them, with their range, by the name without it.
std::map<std::string, std::string> signals_of(const VcdFile& waveform) {
  std::map<std::string, std::string> signals;
  for (const VcdSignal& signal : waveform.signals) signals[signal.path] = signal.name;
  return signals;
}

/// A saved view with the widths of this waveform, if all its signals are there; else nothing.
std::string fitted(const std::string& view, const std::map<std::string, std::string>& signals) {
  std::istringstream lines(view);
  std::string text;
  bool any = false;
  for (std::string line; std::getline(lines, line); text += line + '\n') {
    const std::size_t at = line.find("SystemC.");
    if (at == std::string::npos || line[0] == '[') continue;
    const auto signal = signals.find(without_range(line.substr(at)));
    if (signal == signals.end()) return "";
    any = true;
    line.replace(at, std::string::npos, signal->second);
  }
  return any ? text : "";
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The view opens at a time that the waveform has, and names its translate files so that they are found from anywhere.
std::string at_home(const std::string& view, const VcdFile& waveform) {
  const bool from_here = fs::equivalent(fs::current_path(), Locations().source);
  std::istringstream lines(view);
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + '\n') {
    std::istringstream words(line);
    std::string key, rest;
    words >> key >> rest;
    if (key == "[timestart]" && (std::stoull(rest) < waveform.first || std::stoull(rest) >= waveform.last))
      line = fmt::format("[timestart] {}", waveform.first);
    if (!from_here && line[0] == '^' && rest.rfind("waveforms/", 0) == 0)
      line = fmt::format("{} {}/{}", key, Locations().source, rest);
  }
  return text;
}

/// The saved view whose signals are all in the waveform, the first by name; where its widths are those of another
/// machine, or it would not open well, a copy beside the waveform. Empty: there is none.
std::string view_of(const std::string& waveform) {
  const VcdFile vcd = read_vcd(waveform);
  const std::map<std::string, std::string> signals = signals_of(vcd);
  std::set<fs::path> views;
  for (const auto& entry : fs::directory_iterator(Locations().views))
    if (entry.path().extension() == ".gtkw") views.insert(entry.path());
  for (const fs::path& view : views) {
    const std::string saved = text_of(view);
    std::string fits = fitted(saved, signals);
    if (fits.empty()) continue;
    fits = at_home(fits, vcd);
    if (fits == saved) return view.string();
    const std::string copy = fs::path(waveform).replace_extension(".gtkw").string();
    write_text("--trace", copy, fits);
    return copy;
  }
  return "";
}

}  // namespace

void add_options(CLI::App& command, TraceOptions& o) {
  const char* group = "Waveform";
  command.add_option("--trace", o.blocks, "Waveform of these blocks' ports, such as dual_path_stack,scoreboard")
      ->group(group);
  command
      .add_option(
          "--trace-file", o.file,
          "To FILE.vcd; of several runs each adds its name (default: build/waveforms/, by kernel, mechanism and "
          "blocks)")
      ->group(group);
  command.add_flag("--trace-state", o.state, "Their state too, not only ports")->group(group);
  add_number(command, "--trace-sm", o.sm, {0, MostNumber, "SMs, from 0"}, "Of this SM")->group(group);
  add_number(command, "--trace-slice", o.slice, {0, MostNumber, "schedulers, from 0"}, "Of this issue scheduler alone")
      ->group(group);
  add_number(command, "--trace-warp", o.warp, {0, MostNumber, "warps, from 0"},
             "Of per-warp signals, this warp of the scheduler alone")
      ->group(group);
  command
      .add_option(
          "--trace-from", o.from,
          "First cycle of the waveform (a cycle is two of its time units), or what happens first: cta:N starts, N in "
          "the grid; warp:N, a slot of the SM, starts; FILE:LINE issues, of the PTX or of its CUDA source. Then 20 "
          "cycles before that")
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--trace-to", o.to,
          "Last cycle of the waveform, or 20 after cta:N or warp:N is gone, or FILE:LINE has issued again (default: "
          "10,000; 500 cycles where --trace-from is no cycle)")
      ->group(group);
}

gpu::TraceMoment moment(const std::string& text) {
  using Kind = gpu::TraceMoment::Kind;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || !is_cycle(text.substr(colon + 1))) return {};
  const std::string what = text.substr(0, colon);
  const Kind kind = what == "cta" ? Kind::Cta : what == "warp" ? Kind::Warp : Kind::Line;
  return {kind, std::stoull(text.substr(colon + 1)), kind == Kind::Line ? fs::path(what).filename().string() : ""};
}

void check(const TraceOptions& options, const DesignPoint& point, unsigned sms,
           const std::vector<Mechanism>& mechanisms) {
  if (!options.any()) {
    if (!options.file.empty())
      throw CLI::ValidationError("--trace-file", options.file + ", but no blocks are named (--trace)");
    return;
  }
  check_blocks(options);
  check_units(options, mechanisms);
  if (options.sm >= sms)
    throw CLI::ValidationError("--trace-sm",
                               fmt::format("{}, but there are {} SMs, from 0 on (--sms)", options.sm, sms));
  expect_below("--trace-slice", options.slice, point.schedulers, fmt::format("schedulers in an SM of {}", point.name));
  expect_below("--trace-warp", options.warp, point.warps / point.schedulers,
               fmt::format("warps to a scheduler of {}", point.name));
  check_moment("--trace-from", options.from, point);
  if (!options.to.empty()) check_moment("--trace-to", options.to, point);
  if (is_cycle(options.from) && (options.to.empty() || is_cycle(options.to)) &&
      last_cycle(options) <= first_cycle(options))
    throw CLI::ValidationError("--trace-to",
                               fmt::format("{} is not behind --trace-from {}", last_cycle(options), options.from));
  if (!options.file.empty()) check_writable("--trace-file", options.file + ".vcd");
}

TraceWindow trace_window(const TraceOptions& options, const std::string& run, bool is_one) {
  if (!options.any()) return {};
  TraceWindow window;
  if (options.file.empty()) {
    std::string blocks = options.blocks;
    for (char& letter : blocks)
      if (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_') letter = '-';
    window.file = Locations().waveforms + '/' + run + '.' + blocks;
  } else {
    const fs::path asked(options.file);
    const std::string base = asked.extension() == ".vcd" ? (asked.parent_path() / asked.stem()).string() : options.file;
    window.file = is_one ? base : base + '.' + run;
  }
  window.asked = options.blocks;
  window.wanted = pattern(options);
  window.from = core_cycles(double(first_cycle(options)));
  window.to = is_cycle(options.to) || (options.to.empty() && is_cycle(options.from))
                  ? core_cycles(double(last_cycle(options)))
              : options.to.empty() ? sc_core::SC_ZERO_TIME
                                   : sc_core::sc_max_time();
  window.cycle = core_cycles(1);
  fs::remove(window.file + ".vcd");
  return window;
}

std::string where_to_look(const TraceWindow& window, std::uint64_t cycles, const std::string& from) {
  if (window.file.empty()) return "";
  const std::string waveform = window.file + ".vcd";
  if (!fs::exists(waveform)) {
    if (cycles == 0) return "";  // the run failed, and says why
    if (!from.empty() && !is_cycle(from)) return fmt::format("no waveform: --trace-from {} did not come\n", from);
    return fmt::format("no waveform: the run ended after {} cycles, before --trace-from {}\n", cycles,
                       window.from.value() / window.cycle.value());
  }
  const std::string view = view_of(waveform);
  return fmt::format("waveform: gtkwave {}{}{}\n", waveform, view.empty() ? "" : " ", view);
}

}  // namespace heddle::cli
