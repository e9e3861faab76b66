// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/bench.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

#include "rtl/base/output_file.h"
#include "sim/report/nearest.h"
#include "tb/bench/twin_stop.h"

namespace heddle::bench {

namespace {

const sc_core::sc_time HalfPeriod(1, sc_core::SC_NS);

/// Assertions of the twin that failed since the last edge.
std::vector<std::string> twin_stops;

void note_twin_stop(const char* file, int line) {
  twin_stops.push_back(fmt::format("{}:{}", file, line));
}

unsigned long state_bits() {
  unsigned long bits = 0;
  for (const Structure& row : inventory()) bits += row.bits();
  return bits;
}

std::vector<Case> chosen(Bench& bench, const Options& options) {
  std::vector<Case> all = bench.cases();
  if (options.cases.empty()) return all;
  std::vector<Case> some;
  for (const std::string& name : options.cases) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
    if (it == all.end()) {
      std::vector<std::string> known;
      for (const Case& c : all) known.push_back(c.name);
      throw CLI::ValidationError("--case", report::no_such("case", name, known) + " (at this design point)");
    }
    some.push_back(*it);
  }
  return some;
}

/// SystemC ends the program without a message if it cannot open a waveform. \throws std::runtime_error
void expect_writable(const std::string& file) {
  if (!std::ofstream(with_folder(file))) throw std::runtime_error("--waves: cannot write " + file);
  std::remove(file.c_str());
}

/// Runs `body`, with a waveform when asked for; says where it lies.
void traced(Bench& bench, const Options& options, const std::string& block, const std::string& name,
            const std::function<void()>& body) {
  if (!options.trace) return body();
  const std::string file = options.waves + '/' + block + '.' + name;
  expect_writable(file + ".vcd");
  trace_recorder recorder({file, "dut\\..*", sc_core::SC_ZERO_TIME, sc_core::sc_max_time()});
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  bench.record(&recorder);
  body();
  bench.record(nullptr);
  recorder.close();
  if (sc_core::sc_time_stamp() == before)  // then SystemC writes no file
    std::cout << "no waveform: " << name << " takes no cycle\n";
  else
    std::cout << "waveform " << file << ".vcd\n";
}

/// A line a PC: A, A+1, A+2 for the instructions of block A.
void print_filter(const Case& c) {
  for (const NamedBlock& block : c.blocks) {
    for (unsigned i = 0; i < block.length; ++i) {
      fmt::print("{} {}{}\n", block.first + i, block.name, i == 0 ? "" : fmt::format("+{}", i));
    }
  }
}

/// \throws std::runtime_error
void expect_block(const RecordingReader& recording, const std::string& file, const std::string& block) {
  if (recording.of().block != block)
    throw std::runtime_error(
        fmt::format("{} is a recording of {}, expected one of {}", file, recording.of().block, block));
}

enum class Run { Cases, Random, Replay };

/// A kernel need not reach every cover.
int verdict(Bench& bench, const std::string& what, Run kind) {
  const bool random = kind == Run::Random;
  if (kind != Run::Cases) bench.covers.print(std::cout, random ? "EMPTY" : "never");
  const unsigned empty = random ? bench.covers.empty() : 0;
  for (const std::string& where : twin_stops) bench.check.twin_stopped(where);
  twin_stops.clear();
  const bool good = bench.check.differences() == 0 && empty == 0 && bench.check.comparisons() != 0;
  fmt::print("{}: {} cycles, {} comparisons, {} differences, {} empty covers\n{}\n", what, bench.check.cycle,
             bench.check.comparisons(), bench.check.differences(), empty, good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}

}  // namespace

Covers::Covers(std::vector<std::string> names) {
  for (std::string& name : names) seen_[std::move(name)] = 0;
}

void Covers::hit(const std::string& name, bool happened) {
  if (!happened) return;
  const auto it = seen_.find(name);
  if (it == seen_.end()) throw std::logic_error("cover '" + name + "' was not announced");
  ++it->second;
}

unsigned Covers::empty() const {
  return static_cast<unsigned>(std::count_if(seen_.begin(), seen_.end(), [](const auto& c) { return c.second == 0; }));
}

void Covers::print(std::ostream& out, const char* empty) const {
  for (const auto& [name, count] : seen_)
    out << "  " << (count != 0 ? "cover" : empty) << ' ' << name << ": " << count << '\n';
}

void Bench::run(const sc_core::sc_time& length) {
  if (recorder_ != nullptr)
    recorder_->run(length);
  else
    sc_core::sc_start(length);
}

void Bench::settle() {
  clk.write(false);
  run(HalfPeriod);
  if (recording_ == nullptr) return;
  for (const auto& compare : shown_) compare();
  recording_ = nullptr;  // a bench may settle again, after the edge
}

void Bench::edge() {
  clk.write(true);
  run(HalfPeriod);
  for (const std::string& where : twin_stops) check.twin_stopped(where);
  twin_stops.clear();
  ++check.cycle;
}

void Bench::replay_cycle(const RecordingReader&) {
  throw std::runtime_error("the bench of " + check.block + " replays no recordings");
}

void Bench::replay(RecordingReader& recording, std::vector<RecordedForm>& forms, unsigned long most) {
  tolerate();  // as the run of the kernel may have ended
  for (unsigned long edges = 0; (most == 0 || edges < most) && recording.next(); ++edges) {
    // A clock that stood still: the waveform's time goes on.
    if (recording.cycle() > check.cycle) run(2.0 * HalfPeriod * static_cast<double>(recording.cycle() - check.cycle));
    check.cycle = recording.cycle();
    const bool resets = !recording.get<bool>("rst_ni");
    recording_ = resets ? nullptr : &recording;
    for (RecordedForm& form : forms) form.cycle(recording, resets, check);
    replay_cycle(recording);
  }
}

void Bench::reset() {
  rst_n.write(false);
  cycle(), cycle();
  rst_n.write(true);
}

void Bench::expect_errors(const std::string& type) {
  sc_core::sc_report_handler::set_actions(type.c_str(), sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
}

unsigned long Bench::errors(const std::string& type) {
  const int count = sc_core::sc_report_handler::get_count(type.c_str());
  return count < 0 ? 0 : static_cast<unsigned long>(count);
}

int run_bench(int argc, char** argv, const std::string& block,
              const std::vector<std::pair<std::string, Factory>>& points) {
  Options options;
  bool list = false, bits = false, filter = false;
  CLI::App app{"Bench of the block " + block + ": block and twin in lockstep, both against a reference model"};
  std::vector<std::string> names;
  for (const auto& point : points) {
    if (point.second) names.push_back(point.first);
  }
  options.point = names.front();
  const auto is_point = [names](const std::string& name) {
    return std::count(names.begin(), names.end(), name) != 0 ? "" : report::no_such("point", name, names);
  };
  app.add_option("--point", options.point, "Design point")->check(is_point)->capture_default_str();
  app.add_option("--case", options.cases, "Run only these worked examples (see --list); default: all of them");
  app.add_option("--random", options.random, "Instead, run this many constrained-random cycles");
  app.add_option("--replay", options.replay, "Instead, the ports that heddle run --record BLOCK=FILE wrote");
  app.add_option("--replay-most", options.replay_most, "With --replay: so many edges of the clock (0: all)")
      ->capture_default_str();
  app.add_option("--form", options.forms,
                 "With --replay: libraries of scripts/twin that see the same, and must show it");
  app.add_option("--seed", options.seed, "Seed of the random cycles")->capture_default_str();
  app.add_flag("--trace", options.trace, "Write a VCD waveform of each case");
  app.add_flag("!--no-twin", options.twin, "Leave out the comparison with the SystemVerilog twin");
  app.add_option("--waves", options.waves, "Folder of the waveforms")->capture_default_str();
  app.add_flag("--list", list, "List the worked examples");
  app.add_flag("--filter", filter, "List the names that the cases' PCs have, as a translate file of GTKWave");
  app.add_flag("--state-bits", bits, "Print the bits of state that the storage inventory declares");
  CLI11_PARSE(app, argc, argv);

  // A warning of the simulator is a fault of ours.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW | sc_core::SC_DISPLAY);
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  on_twin_stop(note_twin_stop);
  try {
    const auto point =
        std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.first == options.point; });
    const std::unique_ptr<Bench> bench = point->second(options);
    bench->check.block = block;
    if (bits) {
      std::cout << state_bits() << '\n';
      return 0;
    }
    if (list) {
      for (const Case& c : bench->cases()) fmt::print("{:<28} {:<20} {}\n", c.name, c.source, c.story);
      return 0;
    }
    if (filter) {
      for (const Case& c : chosen(*bench, options)) print_filter(c);
      return 0;
    }
    if (!options.replay.empty()) {
      RecordingReader recording(options.replay);
      expect_block(recording, options.replay, block);
      std::vector<RecordedForm> forms;
      for (const std::string& library : options.forms) forms.emplace_back(library, recording.of());
      fmt::print("{} at {} as in {} at {}\n", block, options.point, recording.of().run, recording.of().point);
      traced(*bench, options, block, "replay", [&] { bench->replay(recording, forms, options.replay_most); });
      return verdict(*bench, fmt::format("{} replay at {}", block, options.point), Run::Replay);
    }
    if (options.random != 0) {
      fmt::print("{} at {}, seed {}\n", block, options.point, options.seed);
      const auto body = [&] { bench->random(options.random, options.seed); };
      traced(*bench, options, block, "random", body);
      return verdict(*bench, block + " random at " + options.point, Run::Random);
    }
    if (bench->cases().empty())
      throw std::runtime_error(fmt::format("no worked example of {} is for {}; expected --point {} or --random N",
                                           block, options.point, fmt::join(names, ", ")));
    for (const Case& c : chosen(*bench, options)) {
      fmt::print("case {} ({}): {}\n", c.name, c.source, c.story);
      traced(*bench, options, block, c.name, c.run);
    }
    return verdict(*bench, block + " cases at " + options.point, Run::Cases);
  } catch (const CLI::Error& error) { return app.exit(error); } catch (const std::exception& error) {
    std::cout << "error: " << error.what() << "\nFAIL\n";
    return 1;
  }
}

}  // namespace heddle::bench
