// SPDX-License-Identifier: Apache-2.0
// heddle limit
#include <ctime>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/progress.h"
#include "sim/cli/run_options.h"
#include "sim/gpu/interrupts.h"
#include "sim/gpu/oracle_device.h"
#include "sim/limit/study.h"
#include "sim/report/table.h"

namespace heddle::cli {

namespace {

struct LimitRun {
  std::string kernel;
  gpu::Outcome outcome;
  limit::Result result;
  double trace_seconds = 0, align_seconds = 0;  // CPU
};

double cpu_seconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

/// \throws isa::Interrupted after Ctrl-C
LimitRun study(const gpu::RunRequest& request, ProgressLine& line) {
  const unsigned lanes = request.timed.sm.point->lanes;
  limit::Tracer tracer;
  isa::OracleOptions oracle = gpu::oracle_options(request);
  oracle.observer = &tracer;
  oracle.watchdog = request.timed.sm.watchdog_cycles;
  oracle.max_thread_instructions = request.max_thread_instructions;
  const std::shared_ptr<gpu::ProgressPage> page = gpu::ProgressPage::make();
  oracle.watch = [&](const isa::LaunchProgress& launch) {
    page->tell(gpu::RunStage::Oracle, launch);
    if (line.is_due()) line.show(fmt::format("{} under the oracle: {}", request.kernel, describe(page->now())));
    return !gpu::is_interrupted();
  };
  compiler::MachineOptions machine;
  machine.max_registers = request.timed.sm.point->max_registers;
  gpu::OracleDevice device(oracle, machine);
  device.print_to(request.prints_to);
  LimitRun run;
  run.kernel = request.kernel;
  const double start = cpu_seconds();
  run.outcome = request.program(device);
  run.trace_seconds = cpu_seconds() - start;
  run.result = limit::study(tracer.launches(), lanes, [&](unsigned done, unsigned all) {
    if (line.is_due()) line.show(fmt::format("{}: {} of {} warps aligned", run.kernel, done, all));
    return !gpu::is_interrupted();
  });
  run.align_seconds = cpu_seconds() - start - run.trace_seconds;
  return run;
}

std::string where(const limit::Branch& branch, isa::Pc pc) {
  if (pc == isa::NoPc) return "the exit";
  const auto place = branch.places.find(pc);
  return fmt::format("{} (PC {})", place == branch.places.end() ? "?" : place->second, pc);
}

std::size_t differing(const limit::Result& result) {
  std::size_t count = 0;
  for (const limit::Branch& branch : result.branches) count += branch.differs() ? 1 : 0;
  return count;
}

void print(const std::vector<LimitRun>& runs) {
  using report::grouped;
  report::Table table({"kernel", "threads", "of", "blocks", "cut", "branches", "differ", "PDOM slots", "aligned slots",
                       "speed-up", "at most", "CPU s"});
  for (const LimitRun& run : runs) {
    const limit::Result& r = run.result;
    table.add({run.kernel, grouped(r.threads), grouped(r.launched_threads), grouped(r.blocks), grouped(r.cut),
               grouped(r.branches.size()), grouped(differing(r)), grouped(r.post_dominator_slots),
               grouped(r.aligned_slots), fmt::format("{:.3f}", r.speed_up()), fmt::format("{:.3f}", r.most_speed_up()),
               fmt::format("{:.1f}", run.trace_seconds + run.align_seconds)});
  }
  std::cout << table.text();
  report::Table points({"kernel", "branch at", "times", "post-dominator", "predicted"});
  bool any = false;
  for (const LimitRun& run : runs) {
    for (const limit::Branch& branch : run.result.branches) {
      if (!branch.differs()) continue;
      any = true;
      std::uint64_t times = 0;
      for (const auto& [pc, count] : branch.meets) times += count;
      points.add({run.kernel, fmt::format("{} (PC {})", branch.place, branch.pc), grouped(times),
                  where(branch, branch.post_dominator), where(branch, branch.predicted())});
    }
  }
  if (any) std::cout << "\nReconvergence points that differ\n" << points.text();
  for (const LimitRun& run : runs) {
    if (run.result.cut != 0)
      std::cout << fmt::format("{}: {} traces were cut at {} blocks\n", run.kernel, run.result.cut,
                               limit::MostTraceBlocks);
    if (run.result.worse_warps != 0)
      std::cout << fmt::format(
          "{}: in {} of {} warps the alignment loses to the post-dominators, whose order is taken\n", run.kernel,
          run.result.worse_warps, run.result.warps);
    if (run.result.has_warp_wide)
      std::cout << fmt::format("{}: warp-wide operations count as instructions; lanes need not meet for them\n",
                               run.kernel);
    if (run.result.has_indirect)
      std::cout << fmt::format("{}: indirect branches or recursion: a stack issues more than these PDOM slots\n",
                               run.kernel);
  }
}

nlohmann::json to_json(const LimitRun& run) {
  const limit::Result& r = run.result;
  const auto pc_or_null = [](isa::Pc pc) { return pc == isa::NoPc ? nlohmann::json() : nlohmann::json(pc); };
  nlohmann::json branches = nlohmann::json::array();
  for (const limit::Branch& branch : r.branches) {
    nlohmann::json meets = nlohmann::json::array();
    for (const auto& [pc, times] : branch.meets) meets.push_back({{"pc", pc_or_null(pc)}, {"times", times}});
    branches.push_back({{"entry", branch.entry},
                        {"line", branch.place},
                        {"pc", branch.pc},
                        {"post_dominator", pc_or_null(branch.post_dominator)},
                        {"predicted", pc_or_null(branch.predicted())},
                        {"differs", branch.differs()},
                        {"meets", meets}});
  }
  return {{"kernel", run.kernel},
          {"ok", run.outcome.ok},
          {"message", run.outcome.message},
          {"launches", r.launches},
          {"launched_threads", r.launched_threads},
          {"threads", r.threads},
          {"blocks", r.blocks},
          {"cut_traces", r.cut},
          {"warps", r.warps},
          {"better_warps", r.better_warps},
          {"worse_warps", r.worse_warps},
          {"post_dominator_slots", r.post_dominator_slots},
          {"aligned_slots", r.aligned_slots},
          {"fewest_slots", r.fewest_slots},
          {"speed_up", r.speed_up()},
          {"most_speed_up", r.most_speed_up()},
          {"warp_wide", r.has_warp_wide},
          {"indirect_or_recursive", r.has_indirect},
          {"trace_cpu_seconds", run.trace_seconds},
          {"align_cpu_seconds", run.align_seconds},
          {"branches", branches}};
}

}  // namespace

Command add_limit(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  options->point = "micro07";
  options->functional = true;
  CLI::App* limit =
      app.add_subcommand("limit", "How much better reconvergence points than post-dominators could be (DWF sec. 3.3)");
  add_options(*limit, *options);
  limit->footer(
      "The oracle runs the kernel and notes which way each of the first 128 threads of a launch goes. Warps are "
      "formed\n"
      "by increasing thread number. PDOM slots: what a reconvergence stack issues for them. Aligned slots: the same "
      "work\n"
      "with the threads' traces aligned by Needleman and Wunsch's algorithm, as if the future were known. Speed-up is\n"
      "PDOM over aligned slots: 1 where no better points were found. At most: no order of the same work is faster, "
      "found\n"
      "or not. Nothing is timed.\n"
      "\n"
      "Examples\n"
      "  heddle limit bitonic_sort fft\n"
      "  heddle limit bfs --set lanes=8 --json -\n"
      "  heddle limit --cuda my.cu --entry k --grid 4 --block 128 --arg zeros:4096 --arg 7");
  return [options] {
    if (options->trace.any() || options->profile || !options->record_traffic.empty())
      throw CLI::ValidationError("limit", "nothing is timed; leave --trace, --profile and --record-traffic out");
    std::vector<LimitRun> runs;
    bool good = true;
    const std::vector<gpu::RunRequest> all_requests = requests(*options, {{"oracle", ""}});
    gpu::note_interrupts();
    for (const gpu::RunRequest& request : all_requests) {
      if (gpu::is_interrupted()) break;
      ProgressLine line(options->progress);
      try {
        runs.push_back(study(request, line));
        if (!runs.back().outcome.ok) {
          std::cerr << "heddle: " << request.kernel << ": wrong results: " << runs.back().outcome.message << '\n';
          good = false;
        }
      } catch (const std::exception& error) {
        std::cerr << "heddle: " << request.kernel << ": " << error.what() << '\n';
        good = false;
      }
    }
    if (options->json != "-") print(runs);
    if (!options->json.empty()) {
      nlohmann::json all = nlohmann::json::array();
      for (const LimitRun& run : runs) all.push_back(to_json(run));
      write_json(options->json, {{"point", options->point},
                                 {"settings", options->settings},
                                 {"status", gpu::is_interrupted() ? "interrupted" : "ok"},
                                 {"kernels", all}});
    }
    if (gpu::is_interrupted()) return InterruptedCode;
    return good ? 0 : 1;
  };
}

}  // namespace heddle::cli
