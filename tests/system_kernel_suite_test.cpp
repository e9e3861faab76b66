// The whole suite at its small size, as the tables of the papers have it: every kernel on the point of DPE table 1
// under its single-path stack and its dual-path stack, each beside the oracle. Prints what it has seen, a line a
// kernel. All that the runs count is compared with kernels/statistics.json: a change that means to keep the machine as
// it is keeps every number. A change that means to move them says so by HEDDLE_STATISTICS=FILE system_kernel_suite_test,
// which writes the new file, and by the old and new numbers in its commit.
#define BOOST_TEST_MODULE system_kernel_suite
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/gpu/program_library.h"
#include "sim/gpu/run.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::Mechanism Mechanisms[] = {{"spe", "baseline"}, {"dpe", "shadow"}};

gpu::RunRequest request_for(const gpu::Workload& workload, const heddle::Mechanism& mechanism) {
  gpu::RunRequest request;
  request.kernel = workload.name();
  request.program = gpu::workload_program(workload, {}, HEDDLE_PTX_DIR);
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = mechanism;
  request.timed.sm.watchdog_cycles = 1'000'000;  // loads are no progress, and some launches do little else for long
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

std::string name_of(const gpu::RunRequest& request) {
  return fmt::format("{} {}/{}", request.kernel, request.timed.sm.mechanism.divergence,
                     request.timed.sm.mechanism.scoreboard);
}

/// By name; what is zero is left out.
nlohmann::json numbers_of(const gpu::RunResult& result) {
  nlohmann::json row = nlohmann::json::object();
  for (const auto& number : result.statistics.numbers())
    if (number.value != 0) row[number.name] = number.value;
  return row;
}

void check_statistics(const std::vector<gpu::RunRequest>& requests, const std::vector<gpu::RunResult>& results) {
  if (const char* file = std::getenv("HEDDLE_STATISTICS")) {
    std::ofstream out(file);
    for (std::size_t i = 0; i < results.size(); ++i)  // a line a run, as a diff is read
      out << (i == 0 ? "{\n" : ",\n")
          << fmt::format(" {}: {}", nlohmann::json(name_of(requests[i])).dump(), numbers_of(results[i]).dump());
    out << "\n}\n";
    std::cout << "written: " << file << '\n';
  }
  std::ifstream in(HEDDLE_STATISTICS_FILE);
  const nlohmann::json known = nlohmann::json::parse(in);
  BOOST_TEST(known.size() == results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string run = name_of(requests[i]);
    const nlohmann::json was = known.value(run, nlohmann::json::object()), is = numbers_of(results[i]);
    nlohmann::json either = was;
    either.update(is);
    for (const auto& [name, unused] : either.items())
      BOOST_TEST(was.value(name, 0ULL) == is.value(name, 0ULL), run << ": " << name << " was " << was.value(name, 0ULL)
                                                                    << ", is " << is.value(name, 0ULL)
                                                                    << " (kernels/statistics.json)");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_at_its_small_size) {
  std::vector<const gpu::Workload*> workloads;
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    if (workload->expects_deadlock()) continue;
    workloads.push_back(workload);
    for (const heddle::Mechanism& mechanism : Mechanisms) requests.push_back(request_for(*workload, mechanism));
  }
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
  BOOST_TEST(workloads.size() > 30U);
}
