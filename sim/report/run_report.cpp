// SPDX-License-Identifier: Apache-2.0
#include "sim/report/run_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/report/affine_run_report.h"
#include "sim/report/build_commit.h"
#include "sim/report/prefetch_report.h"
#include "sim/report/profile_report.h"
#include "sim/report/table.h"

namespace heddle::report {

using gpu::RunStatus;

namespace {

/// The schema of the JSON of runs: a key that goes or changes its meaning moves it. 2: schema, commit, sms, of_each_sm,
/// paths.
constexpr unsigned JsonSchema = 2;

bool has_numbers(const FinishedRun& run) {
  return run.result->statistics.cycles != 0;
}

bool good(const FinishedRun& run) {
  return run.result->status == RunStatus::Ok ||
         (run.result->status == RunStatus::Deadlock && run.request->expects_deadlock);
}

std::string verdict(const FinishedRun& run) {
  switch (run.result->status) {
    case RunStatus::Ok:
      if (!run.request->with_oracle) return "not asked";
      return run.result->equals_oracle ? "yes" : "order matters";
    case RunStatus::Deadlock:
      return run.request->expects_deadlock ? "deadlock, as expected" : "DEADLOCK";
    case RunStatus::Wrong:
      return "NO";
    case RunStatus::Error:
      return "ERROR";
    case RunStatus::Interrupted:
      return "interrupted";
  }
  return "";
}

/// Its cycles are those of the whole kernel.
bool is_whole(const FinishedRun& run) {
  return has_numbers(run) && run.result->status != RunStatus::Interrupted;
}

std::string speed_up(const std::vector<FinishedRun>& runs, const FinishedRun& run) {
  const auto first = std::find_if(runs.begin(), runs.end(), [&](const FinishedRun& other) {
    return other.request->kernel == run.request->kernel && has_numbers(other);
  });
  if (first == runs.end() || !is_whole(*first) || !is_whole(run)) return "";
  return fmt::format("{:.3f}x", double(first->result->statistics.cycles) / double(run.result->statistics.cycles));
}

/// "spe" for "spe/baseline" where no other mechanism is called so.
std::vector<std::string> short_names(const std::vector<std::string>& mechanisms) {
  const auto divergence = [](const std::string& name) { return name.substr(0, name.find('/')); };
  std::vector<std::string> names;
  for (const std::string& name : mechanisms) {
    const auto same = std::count_if(mechanisms.begin(), mechanisms.end(),
                                    [&](const std::string& other) { return divergence(other) == divergence(name); });
    names.push_back(same == 1 ? divergence(name) : name);
  }
  return names;
}

/// Geometric.
class Mean {
 public:
  void add(double value) {
    logarithms_ += std::log(value);
    ++count_;
  }
  std::string text() const { return count_ == 0 ? "" : fmt::format("{:.3f}x", std::exp(logarithms_ / count_)); }

 private:
  double logarithms_ = 0;
  unsigned count_ = 0;
};

/// The values of a kernel under each mechanism: one if all agree, else each with a stroke between.
template <class Text>
std::string where_they_differ(const std::vector<const FinishedRun*>& row, Text text) {
  std::vector<std::string> values;
  bool agree = true;
  for (const FinishedRun* run : row) {
    if (run == nullptr || !has_numbers(*run)) continue;
    values.push_back(text(run->result->statistics));
    agree = agree && values.back() == values.front();
  }
  if (agree && !values.empty()) values.resize(1);
  return fmt::format("{}", fmt::join(values, "/"));
}

std::string instructions(const std::vector<const FinishedRun*>& row) {
  return where_they_differ(row, [](const Statistics& s) { return grouped(s.warp_instructions); });
}

std::string lanes_used(const std::vector<const FinishedRun*>& row) {
  return where_they_differ(row, [](const Statistics& s) { return fmt::format("{:.2f}%", 100 * s.lane_utilisation()); });
}

const char* status_name(RunStatus status) {
  switch (status) {
    case RunStatus::Ok:
      return "ok";
    case RunStatus::Deadlock:
      return "deadlock";
    case RunStatus::Wrong:
      return "wrong";
    case RunStatus::Error:
      return "error";
    case RunStatus::Interrupted:
      return "interrupted";
  }
  return "";
}

double per_cpu_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? double(count) / seconds : 0;
}

nlohmann::json functional(const FinishedRun& run) {
  const gpu::RunResult& r = *run.result;
  return {
      {"schema", JsonSchema},
      {"commit", build_commit()},
      {"kernel", run.request->kernel},
      {"mode", "functional"},
      {"lanes", run.request->timed.sm.point->lanes},
      {"seed", run.request->seed},
      {"status", status_name(r.status)},
      {"error", isa::name_of(r.error)},
      {"message", r.message},
      {"launches", r.launches},
      {"thread_instructions", r.oracle_thread_instructions},
      {"host",
       {{"cpu_seconds", r.oracle_cpu_seconds},
        {"launch_cpu_seconds", r.oracle_launch_seconds},
        {"thread_instructions_per_cpu_second", per_cpu_second(r.oracle_thread_instructions, r.oracle_launch_seconds)},
        {"peak_rss_mb", r.peak_rss_mb}}}};
}

/// Whether only machines with an affine warp have the stall.
bool is_of_affine(Stall stall) {
  return stall == Stall::AffineQueue || stall == Stall::AffineWarp;
}

/// Every statistic that the machine has, under its key, in its group.
nlohmann::json statistics(const FinishedRun& run, const Statistics& s) {
  const bool has_affine = decouples(run);
  nlohmann::json all = nlohmann::json::object();
  const auto put = [&](const auto& row, const auto& value) {
    const bool is_of_unit = std::string_view(row.key) == "unit_instructions";
    if (std::string_view(row.group) == "affine" && !(is_of_unit ? has_affine_unit(run) : has_affine)) return;
    if (!prefetches(run) && std::string_view(row.group) == "prefetch") return;
    (*row.group == '\0' ? all : all[row.group])[row.key] = value;
  };
  for (const StatisticRow& row : statistic_rows()) put(row, s.*row.value);
  for (const DerivedRow& row : derived_rows()) put(row, row.value(s));
  for (unsigned i = 0; i < Stalls; ++i)
    if (has_affine || !is_of_affine(static_cast<Stall>(i)))
      all["stalls"][stall_name(static_cast<Stall>(i)).name] = s.stalls[i];
  for (unsigned i = 0; i <= s.lanes; ++i) all["active_lanes"].push_back(s.active_lanes[i]);
  for (unsigned i = 0; i <= std::min<std::uint64_t>(s.max_depth, DepthBins - 1); ++i)
    all["stack_depth"]["issues_at_depth"].push_back(s.depth[i]);
  return all;
}

nlohmann::json one(const FinishedRun& run) {
  if (run.request->functional) return functional(run);
  const Statistics& s = run.result->statistics;
  const gpu::TimedParameters& timed = run.request->timed;
  nlohmann::json row{{"schema", JsonSchema},
                     {"commit", build_commit()},
                     {"kernel", run.request->kernel},
                     {"point", timed.sm.point->name},
                     {"divergence", timed.sm.mechanism.divergence},
                     {"scoreboard", timed.sm.mechanism.scoreboard},
                     {"register_file", run.request->functional ? "" : register_file_of(timed.sm.mechanism)},
                     {"prefetcher", timed.sm.mechanism.prefetch},
                     {"memory", gpu::name_of(timed.memory)},
                     {"memory_below", gpu::memory_in_words(*timed.sm.point, timed.sms, timed.memory)},
                     {"sms", timed.sms},
                     {"seed", run.request->seed},
                     {"status", status_name(run.result->status)},
                     {"error", isa::name_of(run.result->error)},
                     {"message", run.result->message},
                     {"equals_oracle", run.result->equals_oracle},
                     {"launches", run.result->launches},
                     {"oracle_thread_instructions", run.result->oracle_thread_instructions}};
  row.update(statistics(run, s));
  if (decouples(run) || has_affine_unit(run)) row["affine"].update(affine_choice(run));
  if (timed.sms > 1)
    for (const Statistics& sm : run.result->sms) row["of_each_sm"].push_back(statistics(run, sm));
  for (const gpu::KernelProfile& profile : run.result->profiles) row["profile"].push_back(gpu::to_json(profile));
  if (!run.result->timeline.empty()) row["timeline"] = gpu::to_json(run.result->timeline);
  row["host"] = {
      {"cpu_seconds", run.result->timed_cpu_seconds},
      {"oracle_cpu_seconds", run.result->oracle_cpu_seconds},
      {"cycles_per_cpu_second", per_cpu_second(s.cycles, run.result->timed_cpu_seconds)},
      {"warp_instructions_per_cpu_second", per_cpu_second(s.warp_instructions, run.result->timed_cpu_seconds)},
      {"oracle_thread_instructions_per_cpu_second",
       per_cpu_second(run.result->oracle_thread_instructions, run.result->oracle_launch_seconds)},
      {"peak_rss_mb", run.result->peak_rss_mb}};
  return row;
}

}  // namespace

std::string mechanism(const FinishedRun& run) {
  if (run.request->functional) return "the oracle";
  const Mechanism& m = run.request->timed.sm.mechanism;
  const bool has_choice = register_files_of(divergence_named(m.divergence)).size() > 1;
  return m.divergence + affine_part(run) + (prefetches(run) ? '+' + m.prefetch : "") + '/' + m.scoreboard +
         (has_choice ? '/' + register_file_of(m) : "");
}

std::string run_table(const std::vector<FinishedRun>& runs) {
  Table table({"kernel", "mechanism", "cycles", "warp instr.", "IPC", "lanes used", "AvgPath", "idle cycles",
               "stack depth", "speed-up", "results equal the oracle"});
  std::string kernel;
  for (const FinishedRun& run : runs) {
    if (!kernel.empty() && kernel != run.request->kernel) table.rule();
    kernel = run.request->kernel;
    const Statistics& s = run.result->statistics;
    if (has_numbers(run)) {
      table.add({kernel, mechanism(run), grouped(s.cycles), grouped(s.warp_instructions),
                 fmt::format("{:.3f}", s.ipc()), fmt::format("{:.2f}%", 100 * s.lane_utilisation()),
                 fmt::format("{:.3f}", s.avg_path()), grouped(s.idle_cycles), std::to_string(s.max_depth),
                 speed_up(runs, run), verdict(run)});
    } else {
      table.add({kernel, mechanism(run), "", "", "", "", "", "", "", "", verdict(run)});
    }
  }
  return table.text();
}

std::string kernel_table(const std::vector<FinishedRun>& runs) {
  std::vector<std::string> kernels, mechanisms;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const FinishedRun& run : runs) {
    note(kernels, run.request->kernel);
    note(mechanisms, mechanism(run));
  }
  const std::vector<std::string> names = short_names(mechanisms);
  std::vector<std::string> header{"kernel", "warp instr.", "lanes used"};
  for (const std::string& name : names) header.push_back("cycles " + name);
  for (std::size_t m = 1; m < names.size(); ++m) header.push_back("speed-up " + names[m]);
  header.insert(header.end(), {"equals the oracle", "CPU s"});
  Table table(header);

  std::vector<Mean> speed_ups(mechanisms.size());
  double all_seconds = 0;
  for (const std::string& kernel : kernels) {
    std::vector<const FinishedRun*> row(mechanisms.size(), nullptr);
    for (const FinishedRun& run : runs) {
      if (run.request->kernel != kernel) continue;
      row[static_cast<std::size_t>(std::find(mechanisms.begin(), mechanisms.end(), mechanism(run)) -
                                   mechanisms.begin())] = &run;
    }
    std::vector<std::string> cells{kernel, instructions(row), lanes_used(row)};
    std::vector<std::string> verdicts;
    double seconds = 0;
    for (const FinishedRun* run : row) {
      const bool known = run != nullptr && has_numbers(*run);
      cells.push_back(known ? grouped(run->result->statistics.cycles) : "");
      if (run == nullptr) continue;
      note(verdicts, verdict(*run));
      seconds += run->result->timed_cpu_seconds + run->result->oracle_cpu_seconds;
    }
    for (std::size_t m = 1; m < row.size(); ++m) {
      cells.push_back(row[m] == nullptr ? "" : speed_up(runs, *row[m]));
      if (row[0] == nullptr || row[m] == nullptr || !is_whole(*row[0]) || !is_whole(*row[m])) continue;
      speed_ups[m].add(double(row[0]->result->statistics.cycles) / double(row[m]->result->statistics.cycles));
    }
    cells.push_back(fmt::format("{}", fmt::join(verdicts, ", ")));
    cells.push_back(fmt::format("{:.2f}", seconds));
    all_seconds += seconds;
    table.add(cells);
  }
  table.rule();
  std::vector<std::string> cells(3 + mechanisms.size());
  cells[0] = mechanisms.size() > 1 ? "geometric mean, sum" : "sum";
  for (std::size_t m = 1; m < mechanisms.size(); ++m) cells.push_back(speed_ups[m].text());
  cells.insert(cells.end(), {"", fmt::format("{:.2f}", all_seconds)});
  table.add(cells);
  return table.text();
}

std::string functional_table(const std::vector<FinishedRun>& runs) {
  Table table({"kernel", "launches", "thread instr.", "CPU seconds", "in launches", "million/CPU-s", "results"});
  for (const FinishedRun& run : runs) {
    const gpu::RunResult& r = *run.result;
    const double rate = per_cpu_second(r.oracle_thread_instructions, r.oracle_launch_seconds) / 1e6;
    table.add({run.request->kernel, std::to_string(r.launches), grouped(r.oracle_thread_instructions),
               fmt::format("{:.2f}", r.oracle_cpu_seconds), fmt::format("{:.2f}", r.oracle_launch_seconds),
               r.oracle_launch_seconds > 0 ? fmt::format("{:.0f}", rate) : "",
               r.status == RunStatus::Ok ? r.message : status_name(r.status)});
  }
  return table.text();
}

std::string stall_table(const std::vector<FinishedRun>& all) {
  std::vector<FinishedRun> runs;
  std::copy_if(all.begin(), all.end(), std::back_inserter(runs), has_numbers);
  if (runs.empty()) return "";
  std::vector<std::string> header{"scheduler cycles with"};
  for (const FinishedRun& run : runs) header.push_back(run.request->kernel + ' ' + mechanism(run));
  Table table(header);
  const auto row = [&](const std::string& name, auto count_of) {
    std::vector<std::string> cells{name};
    bool any = false;
    for (const FinishedRun& run : runs) {
      const std::uint64_t count = count_of(run.result->statistics);
      any = any || count != 0;
      const double total = double(run.result->statistics.scheduler_cycles);
      cells.push_back(total == 0 ? "" : fmt::format("{:.1f}%", 100 * double(count) / total));
    }
    if (any) table.add(cells);
  };
  row("an issue", [](const Statistics& s) { return s.warp_instructions; });
  for (unsigned i = 0; i < Stalls; ++i) {
    row(stall_name(static_cast<Stall>(i)).name, [i](const Statistics& s) { return s.stalls[i]; });
  }
  return table.text();
}

std::string profiles(const std::vector<FinishedRun>& runs) {
  std::string text;
  for (const FinishedRun& run : runs)
    for (const gpu::KernelProfile& profile : run.result->profiles)
      text += profile_tables(run.request->kernel + " under " + mechanism(run), profile);
  return text;
}

std::string machines(const std::vector<FinishedRun>& runs) {
  std::vector<std::string> lines;
  for (const FinishedRun& run : runs) {
    const gpu::TimedParameters& timed = run.request->timed;
    const DesignPoint& point = *timed.sm.point;
    const std::string line =
        fmt::format("{}, {} of {} SM{}; memory: {}\n", point.name, timed.sms, point.sms, point.sms == 1 ? "" : "s",
                    gpu::memory_in_words(point, timed.sms, timed.memory));
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string failures(const std::vector<FinishedRun>& runs) {
  std::string text;
  for (const FinishedRun& run : runs) {
    if (!good(run)) text += fmt::format("{} under {}: {}\n", run.request->kernel, mechanism(run), run.result->message);
  }
  return text;
}

bool all_good(const std::vector<FinishedRun>& runs) {
  return std::all_of(runs.begin(), runs.end(), good);
}

nlohmann::json to_json(const std::vector<FinishedRun>& runs) {
  nlohmann::json all = nlohmann::json::array();
  for (const FinishedRun& run : runs) all.push_back(one(run));
  return all;
}

}  // namespace heddle::report
