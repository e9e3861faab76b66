// SPDX-License-Identifier: Apache-2.0
// heddle replay-traffic
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sim/cli/commands.h"
#include "sim/cli/number_option.h"
#include "sim/cli/progress.h"
#include "sim/cli/run_options.h"
#include "sim/cli/sized_point.h"
#include "sim/gpu/interrupts.h"
#include "sim/gpu/machine_memory.h"
#include "sim/report/table.h"
#include "sim/sm/links/clock_gate.h"
#include "tlm/traffic_replayer.h"

namespace heddle::cli {

namespace {

struct ReplayOptions {
  std::string file, point = "hpca13", memory = "timed", json;
  std::vector<std::string> settings;
  unsigned progress = 10;  ///< seconds after which it says how far it is, and between two lines; 0: never
};

struct Replay {
  std::uint64_t last_cycle = 0, late = 0;
  LatencyCounts latencies;
  Statistics statistics;
  bool is_interrupted = false;  ///< what was counted until then stands
};

/// "cycle 12,000 of 64,000 recorded, 34,000 a second": of a replay that is under way.
std::string describe(std::uint64_t cycle, const TrafficSummary& recorded, double seconds) {
  using report::grouped;
  return fmt::format("cycle {} of {} recorded, {} a second", grouped(cycle), grouped(recorded.last_cycle),
                     grouped(static_cast<std::uint64_t>(double(cycle) / seconds)));
}

Replay replay(const ReplayOptions& options, const TrafficSummary& recorded, const DesignPoint& point) {
  const sc_core::sc_time period = core_cycles(1);
  BackingStore store;
  make_room(store, recorded);
  const std::unique_ptr<MemoryBelow> memory =
      gpu::make_memory_below(point, recorded.sms, gpu::parse_memory(options.memory), period, store);
  std::vector<std::unique_ptr<traffic_replayer>> sms;
  for (unsigned sm = 0; sm < recorded.sms; ++sm) {
    sms.push_back(std::make_unique<traffic_replayer>(("sm" + std::to_string(sm)).c_str(), options.file, sm, period));
    memory->bind(sm, sms.back()->socket);
  }
  const auto done = [&] {
    return memory->idle() && std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->done(); });
  };
  Replay result;
  ProgressLine line(options.progress);
  const auto began = std::chrono::steady_clock::now();
  do {
    sc_core::sc_start(core_cycles(1000));
    if (!done() && !sc_core::sc_pending_activity())
      throw std::runtime_error(options.file + ": the memory leaves requests without an answer");
    result.is_interrupted = !done() && gpu::is_interrupted();
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - began;
    if (line.is_due())
      line.show(fmt::format(
          "{}: {}", options.file,
          describe(static_cast<std::uint64_t>(sc_core::sc_time_stamp() / period), recorded, since.count())));
  } while (!done() && !result.is_interrupted);
  for (const auto& sm : sms) {
    result.last_cycle = std::max(result.last_cycle, sm->last_cycle());
    result.late += sm->late();
    result.latencies += sm->latencies();
  }
  result.statistics = gpu::memory_statistics(memory->counters());
  return result;
}

/// What the memory counts; the rest of the statistics is the SM's.
std::vector<StatisticRow> rows_of_memory() {
  std::vector<StatisticRow> rows;
  for (const StatisticRow& row : statistic_rows()) {
    const std::string key = row.key;
    for (const char* of_memory : {"crossbar_", "l2_", "dram_"})
      if (key.rfind(of_memory, 0) == 0) rows.push_back(row);
  }
  return rows;
}

constexpr unsigned Percentiles[] = {0, 50, 90, 99, 100};
constexpr const char* PercentileNames[] = {"least", "p50", "p90", "p99", "most"};

nlohmann::json to_json(const LatencyCounts& latencies) {
  nlohmann::json json{{"mean", latencies.mean()}};
  for (std::size_t i = 0; i < std::size(Percentiles); ++i)
    json[PercentileNames[i]] = latencies.percentile(Percentiles[i]);
  json["histogram"] = nlohmann::json::array();
  for (std::size_t cycles = 0; cycles < latencies.counts().size(); ++cycles)
    if (latencies.counts()[cycles] != 0) json["histogram"].push_back({cycles, latencies.counts()[cycles]});
  return json;
}

double bytes_a_cycle(const Replay& r) {
  return r.last_cycle == 0 ? 0 : double(r.statistics.dram_bytes) / double(r.last_cycle);
}

std::string table(const ReplayOptions& options, const DesignPoint& point, const TrafficSummary& recorded,
                  const Replay& replayed) {
  using report::grouped;
  report::Table times({"", "recorded", "replayed", "unit"});
  times.add({"last answer", grouped(recorded.last_cycle), grouped(replayed.last_cycle), "cycle"});
  times.add({"requests behind their time", "0", grouped(replayed.late), "requests"});
  times.add({"latency, mean", fmt::format("{:.1f}", recorded.latencies.mean()),
             fmt::format("{:.1f}", replayed.latencies.mean()), "cycles"});
  for (std::size_t i = 0; i < std::size(Percentiles); ++i)
    times.add({fmt::format("latency, {}", PercentileNames[i]), grouped(recorded.latencies.percentile(Percentiles[i])),
               grouped(replayed.latencies.percentile(Percentiles[i])), "cycles"});
  report::Table counts({"", "replayed", "unit"});
  for (const StatisticRow& row : rows_of_memory())
    counts.add({row.name, grouped(replayed.statistics.*row.value), row.unit});
  counts.add({"DRAM bytes a cycle", fmt::format("{:.2f}", bytes_a_cycle(replayed)), "bytes a cycle"});
  return fmt::format("{}: {} SMs, lines of {} bytes; {} reads, {} writes, {} atomics\n{}, {}\n{}\n{}\n{}", options.file,
                     recorded.sms, recorded.line_bytes, grouped(recorded.reads), grouped(recorded.writes),
                     grouped(recorded.atomics), point.name,
                     gpu::memory_in_words(point, recorded.sms, gpu::parse_memory(options.memory)),
                     replayed.is_interrupted ? "interrupted: what is replayed is of the requests until then\n" : "",
                     times.text(), counts.text());
}

nlohmann::json to_json(const ReplayOptions& options, const DesignPoint& point, const TrafficSummary& recorded,
                       const Replay& replayed) {
  nlohmann::json json{
      {"file", options.file},
      {"point", point.name},
      {"memory", options.memory},
      {"status", replayed.is_interrupted ? "interrupted" : "ok"},
      {"sms", recorded.sms},
      {"requests", {{"reads", recorded.reads}, {"writes", recorded.writes}, {"atomics", recorded.atomics}}},
      {"recorded", {{"last_cycle", recorded.last_cycle}, {"latency", to_json(recorded.latencies)}}},
      {"replayed",
       {{"last_cycle", replayed.last_cycle},
        {"late_requests", replayed.late},
        {"dram_bytes_per_cycle", bytes_a_cycle(replayed)},
        {"latency", to_json(replayed.latencies)}}}};
  for (const StatisticRow& row : rows_of_memory()) json["memory_system"][row.key] = replayed.statistics.*row.value;
  return json;
}

}  // namespace

Command add_replay(CLI::App& app) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay-traffic", "Play what heddle run --record-traffic recorded into a memory, without the SM");
  command->add_option("file", options->file, "The recording")->required();
  command->add_option("--point", options->point, "Design point whose memory it is (heddle list points)")
      ->capture_default_str();
  command
      ->add_option("--set", options->settings, "The point at another size, such as l2_bytes=262144,crossbar_latency=20")
      ->delimiter(',');
  command
      ->add_option("--memory", options->memory,
                   "timed: of the chip's memory what falls to the SMs of the recording; chip: all of it; ideal")
      ->check(one_of("memory", {"timed", "chip", "ideal"}))
      ->capture_default_str();
  command->add_option("--json", options->json, "Also as JSON, to this file or - for standard output");
  add_number(*command, "--progress", options->progress, {0, MostProgressSeconds, "seconds; 0: never"},
             "A replay that takes longer than so many seconds says how far it is, every so many seconds, on standard "
             "error (0: never)");
  command->footer(
      "Examples\n"
      "  heddle run bfs --record-traffic my.traffic\n"
      "  heddle replay-traffic my.traffic                            the same memory: the same cycles\n"
      "  heddle replay-traffic my.traffic --set l2_bytes=196608      a smaller L2");
  return [options] {
    const TrafficSummary recorded = summary_of_traffic(options->file);
    const DesignPoint& point = sized_point(options->point, options->settings);
    if (recorded.line_bytes > point.l2_line_bytes)
      throw CLI::ValidationError(
          "file", fmt::format("{} has lines of {} bytes, {} an L2 with lines of {}", options->file, recorded.line_bytes,
                              point.name, point.l2_line_bytes));
    check_writable("--json", options->json);
    gpu::note_interrupts();
    const Replay replayed = replay(*options, recorded, point);
    if (options->json != "-") std::cout << table(*options, point, recorded, replayed);
    if (!options->json.empty()) write_json(options->json, to_json(*options, point, recorded, replayed));
    if (replayed.is_interrupted) return InterruptedCode;
    return 0;
  };
}

}  // namespace heddle::cli
