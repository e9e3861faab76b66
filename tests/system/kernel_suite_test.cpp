// SPDX-License-Identifier: Apache-2.0
// The whole suite at its small size, as the tables of the papers have it: every kernel on the point of DPE table 1
// under its single-path stack and its dual-path stack, and under every other mechanism, each beside the oracle; on the
// point of DWF tables 1 and 2 PDOM with barrel processing, MIMD, and warp formation, each policy on each register file. Prints
// what it has seen, a line a kernel. How each run ends and all that it counts is compared with kernels/statistics.json:
// an outcome that is not listed fails, and a change that means to keep the machine as it is keeps every number. A
// change that means to move them says so by HEDDLE_STATISTICS=FILE system_kernel_suite_test, which writes the new file,
// and by the old and new numbers in its commit.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/gpu/program_library.h"
#include "sim/gpu/run.h"
#include "sim/ptx/parser.h"
#include "tests/kit/kernel_statistics.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr std::uint64_t SerialCycles = 3'000'000;      // sides that never meet take up to 32 times as long
constexpr std::uint64_t FormationCycles = 10'000'000;  // of a thread that starves there may be no end

/// Those that DWF compares stand on its machine.
bool is_of_dwf(const heddle::Mechanism& mechanism) {
  return heddle::scoreboard_named(mechanism.scoreboard).is_barrel;
}

gpu::RunRequest request_for(const gpu::Workload& workload, const heddle::Mechanism& mechanism) {
  gpu::RunRequest request;
  request.kernel = workload.name();
  request.timed.sm.mechanism = mechanism;
  request.timed.sm.point = is_of_dwf(mechanism) ? &heddle::point::micro07::Values : &heddle::point::hpca13::Values;
  gpu::WorkloadOptions options;
  if (is_of_dwf(mechanism)) {
    options.lanes = request.timed.sm.point->lanes;
    options.warps_per_block = request.timed.sm.point->warps;
    request.timed.sm.max_cycles = FormationCycles;
  }
  request.program = gpu::workload_program(workload, options, HEDDLE_PTX_DIR);
  // Loads are no progress, and some launches do little else for long.
  request.timed.sm.watchdog_cycles = workload.expects_deadlock() ? 20'000 : 1'000'000;
  if (mechanism.divergence == "serial") request.timed.sm.max_cycles = SerialCycles;
  request.byte_exact = workload.is_byte_exact();
  return request;
}

/// Indirect branches are taken one target at a time, and the oracle's threads do not take turns: it executes fewer.
bool has_peel(const std::string& kernel) {
  const std::string path = HEDDLE_PTX_DIR "/" + kernel + ".ptx";
  const heddle::ptx::Module module = heddle::ptx::parse_file(path);
  gpu::ProgramLibrary library(path);
  for (const heddle::ptx::Function& entry : module.entries) {
    const std::vector<isa::Instruction>& code = library.find(entry.name).code;
    if (std::any_of(code.begin(), code.end(),
                    [](const isa::Instruction& i) { return i.branch == isa::BranchKind::Peel; }))
      return true;
  }
  return false;
}

/// How a run ends, as kernels/statistics.json has it.
std::string outcome_of(const gpu::RunRequest& request, const gpu::RunResult& result) {
  switch (result.status) {
    case gpu::RunStatus::Ok:
      return !request.byte_exact ? "passes its own check" : result.equals_oracle ? "equal" : "differs";
    case gpu::RunStatus::Deadlock:
      return "SIMT deadlock";
    case gpu::RunStatus::Wrong:
      return "wrong";
    case gpu::RunStatus::Error:
      return isa::name_of(result.error);
    case gpu::RunStatus::Interrupted:
      return "interrupted";
  }
  return "";
}

/// What holds of one kernel's runs. Where results depend on the order of threads, so may the paths they take.
void check(const gpu::Workload& workload, const gpu::RunResult& spe, const gpu::RunResult& dpe) {
  const std::string name = workload.name();
  for (const gpu::RunResult* result : {&spe, &dpe}) {
    BOOST_TEST((result->status == gpu::RunStatus::Ok), name << ": " << result->message);
    BOOST_TEST(result->statistics.thread_instructions > 0U, name);
    if (!workload.is_byte_exact()) continue;
    BOOST_TEST(result->equals_oracle, name << ": " << result->message);
    if (!has_peel(name)) BOOST_TEST(result->statistics.thread_instructions == result->oracle_thread_instructions, name);
  }
  if (!workload.is_byte_exact()) return;
  BOOST_TEST(dpe.statistics.warp_instructions == spe.statistics.warp_instructions, name);
  BOOST_TEST(dpe.statistics.lane_utilisation() == spe.statistics.lane_utilisation(), name);
}

/// The register file where it is not that of the mechanism's paper.
std::string name_of(const gpu::RunRequest& request) {
  const heddle::Mechanism& mechanism = request.timed.sm.mechanism;
  const std::string file = heddle::register_file_of(mechanism);
  const bool is_usual = file == heddle::register_file_of(heddle::with_its_scoreboard(mechanism.divergence));
  return fmt::format("{} {}/{}{}", request.kernel, mechanism.divergence, mechanism.scoreboard,
                     is_usual ? "" : "/" + file);
}

/// DWF's PDOM.
const char* const Pdom = "spe/barrel";

/// A divergence mechanism with the scoreboard of its paper, on each register file that it can stand on; or Pdom.
std::vector<heddle::Mechanism> variants_of(const std::string& divergence) {
  if (divergence == Pdom) return {{"spe", "barrel", "static", {}}};
  std::vector<heddle::Mechanism> variants;
  for (const std::string& file : heddle::register_files_of(heddle::divergence_named(divergence))) {
    variants.push_back(heddle::with_its_scoreboard(divergence));
    variants.back().register_file = file;
  }
  return variants;
}

/// By name; what is zero is left out.
nlohmann::ordered_json row_of(const gpu::RunRequest& request, const gpu::RunResult& result) {
  nlohmann::ordered_json row{{"outcome", outcome_of(request, result)}};
  for (const auto& number : result.statistics.numbers())
    if (number.value != 0) row[number.name] = number.value;
  return row;
}

/// What is known, and these runs in their places or behind it.
void write_statistics(const char* file, heddle::tests::KernelStatistics known,
                      const std::vector<gpu::RunRequest>& requests, const std::vector<gpu::RunResult>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) known.set(name_of(requests[i]), row_of(requests[i], results[i]));
  known.write(file);
  std::cout << "written: " << file << '\n';
}

void check_statistics(const std::vector<gpu::RunRequest>& requests, const std::vector<gpu::RunResult>& results) {
  const heddle::tests::KernelStatistics known(HEDDLE_STATISTICS_FILE);
  if (const char* file = std::getenv("HEDDLE_STATISTICS")) write_statistics(file, known, requests, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string run = name_of(requests[i]);
    const nlohmann::ordered_json was = known.row(run), is = row_of(requests[i], results[i]);
    nlohmann::ordered_json either = was;
    either.update(is);
    for (const auto& [name, unused] : either.items()) {
      const std::string before = was.contains(name) ? was[name].dump() : "0",
                        now = is.contains(name) ? is[name].dump() : "0";
      BOOST_TEST(before == now, run << ": " << name << " was " << before << ", is " << now
                                    << " (kernels/statistics.json): " << results[i].message);
    }
  }
  if (heddle::tests::only_a_part() || std::getenv("HEDDLE_MECHANISMS") != nullptr) return;
  BOOST_TEST(known.size() == results.size(), "kernels/statistics.json has runs of kernels or mechanisms that are gone");
}

/// HEDDLE_MECHANISMS=a,b: the suite under these alone, as for a new row of the table; HEDDLE_KERNELS=c,d: of it these.
void run_only(const std::string& mechanisms) {
  const char* const named = std::getenv("HEDDLE_KERNELS");
  const std::string kernels = named == nullptr ? "" : "," + std::string(named) + ",";
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    if (!kernels.empty() && kernels.find("," + std::string(workload->name()) + ",") == std::string::npos) continue;
    for (std::string rest = mechanisms; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      for (const heddle::Mechanism& mechanism : variants_of(rest.substr(0, comma)))
        requests.push_back(request_for(*workload, mechanism));
      rest.erase(0, comma + 1);
    }
  }
  check_statistics(requests, gpu::run_in_children(requests, 2));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_at_its_small_size) {
  if (const char* only = std::getenv("HEDDLE_MECHANISMS")) return run_only(only);
  std::vector<const gpu::Workload*> all;
  for (const gpu::Workload* workload : gpu::all_workloads())
    if (!workload->expects_deadlock()) all.push_back(workload);
  const std::vector<const gpu::Workload*> workloads = heddle::tests::part_of(all, 12);
  std::cout << heddle::tests::said(workloads.size(), all.size(), "kernels under both stacks") << '\n';
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : workloads) {
    for (const char* divergence : {"spe", "dpe"})
      requests.push_back(request_for(*workload, heddle::with_its_scoreboard(divergence)));
  }
  std::vector<gpu::RunRequest> others, of_dwf;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    of_dwf.push_back(request_for(*workload, variants_of(Pdom).front()));
    for (const std::string& divergence : heddle::divergence_names()) {
      const bool is_stack = divergence == "spe" || divergence == "dpe";
      if (is_stack && !workload->expects_deadlock()) continue;  // above
      for (const heddle::Mechanism& mechanism : variants_of(divergence))
        (is_stack ? requests : is_of_dwf(mechanism) ? of_dwf : others).push_back(request_for(*workload, mechanism));
    }
  }
  const std::vector<gpu::RunRequest> part = heddle::tests::part_of(others, 48);
  std::cout << heddle::tests::said(part.size(), others.size(), "runs under the other mechanisms") << '\n';
  requests.insert(requests.end(), part.begin(), part.end());
  const std::vector<gpu::RunRequest> few = heddle::tests::part_of(of_dwf, 50);
  std::cout << heddle::tests::said(few.size(), of_dwf.size(), "runs under warp formation and MIMD") << '\n';
  requests.insert(requests.end(), few.begin(), few.end());
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  check_statistics(requests, results);
  std::cout << fmt::format("{:<20} {:>10} {:>12} {:>9} {:>12}  {}\n", "kernel", "warp instr", "lanes used %",
                           "speed-up", "CPU s spe+dpe", "oracle");
  double seconds = 0;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const gpu::RunResult &spe = results[2 * i], &dpe = results[2 * i + 1];
    check(*workloads[i], spe, dpe);
    seconds += spe.timed_cpu_seconds + dpe.timed_cpu_seconds;
    std::cout << fmt::format("{:<20} {:>10} {:>12.1f} {:>9.3f} {:>6.2f}+{:<6.2f}  {}\n", workloads[i]->name(),
                             spe.statistics.warp_instructions, 100 * spe.statistics.lane_utilisation(),
                             double(spe.statistics.cycles) / double(dpe.statistics.cycles), spe.timed_cpu_seconds,
                             dpe.timed_cpu_seconds,
                             !workloads[i]->is_byte_exact()           ? "order matters"
                             : spe.equals_oracle && dpe.equals_oracle ? "equal"
                                                                      : "DIFFERS");
  }
  std::cout << fmt::format("{} kernels, {:.0f} CPU seconds on the timed SM\n", workloads.size(), seconds);
  BOOST_TEST(all.size() > 30U);
}
