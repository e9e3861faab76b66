// SPDX-License-Identifier: Apache-2.0
// What a mutant of the SM must not survive: one kernel of ours, random programs, or kernels of every state space,
// beside the oracle. Also built without a mutant, which must pass.
//
//   runner kernel NAME DIVERGENCE SCOREBOARD [POINT [WARPS]]
//   runner chip NAME DIVERGENCE SCOREBOARD                               on two SMs
//   runner issues NAME DIVERGENCE SCOREBOARD [COUNT]                     a kernel that issues COUNT warp instructions, or
//                                                                        as many as kernels/statistics.json says
//   runner lines NAME DIVERGENCE SCOREBOARD [COUNT]                      a kernel that asks for COUNT lines, or as many
//   runner arms DIVERGENCE SCOREBOARD                                    tests/ptx/barrier_in_each_arm.ptx
//   runner traps DIVERGENCE SCOREBOARD                                   tests/ptx/trap_sides.ptx, nested
//   runner behind DIVERGENCE SCOREBOARD                                  tests/ptx/barrier_behind_loop.ptx
//   runner meeting DIVERGENCE SCOREBOARD                                 tests/ptx/meeting_without_a_register.ptx
//   runner ways DIVERGENCE SCOREBOARD                                    tests/ptx/sync_from_two_ways.ptx
//   runner result DIVERGENCE SCOREBOARD                                  tests/ptx/result_in_each_arm.ptx
//   runner ends FILE DIVERGENCE SCOREBOARD                              tests/ptx/FILE.ptx, whatever its result
//   runner random PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]
//   runner synchronisation PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]   with and without the clock gate
//   runner language PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]          functions and every integer opcode
//   runner meetings PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]          lanes that parted meet at `.sync` operations
//   runner predictions PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]       with marks of predictions, under each placement
//   runner predicted PROGRAM DIVERGENCE SCOREBOARD COUNT                 delay, delay=THRESHOLD, turns or call of
//                                                                        prediction_programs.h issues COUNT, and no barrier
//                                                                        has to let lanes go
//   runner clocks NAME DIVERGENCE SCOREBOARD [WARPS]                     a kernel, with and without the clock gate
//   runner profile NAME DIVERGENCE SCOREBOARD                            does it account for every cycle and event?
//   runner spaces DIVERGENCE SCOREBOARD
//   runner banks DIVERGENCE SCOREBOARD                                   does tests/ptx/formation_banks.ptx pay its turns?
//   runner lanes DIVERGENCE SCOREBOARD                                   do multiplications of tests/ptx/half_rate.ptx have
//                                                                        the lanes for as long as they should?
//   runner spills DIVERGENCE SCOREBOARD                                  does tests/ptx/forty_values.ptx count what it spills?
//   runner openings DIVERGENCE SCOREBOARD                                tests/ptx/formation_barrier_beside_misses.ptx
//   runner litmus TEST DIVERGENCE SCOREBOARD TIMINGS                     has a litmus test a forbidden outcome, on two SMs
//                                                                        before a skewed memory?
//
//   runner affine PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]            for an affine warp
//   runner small_queues PROGRAMS DIVERGENCE SCOREBOARD [FIRST_SEED]      the same, most of them at queues of one
//
// SCOREBOARD may name the register file too: barrel/naive. DIVERGENCE may name what is affine: spe+dac.
//
// Prints what is wrong; exit code 1: wrong results or a named error, 0: all well.
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/gpu/ptx_run.h"
#include "sim/isa/execution_error.h"
#include "tests/kit/kernel_statistics.h"
#include "tests/kit/prediction_programs.h"
#include "tests/kit/profile_sums.h"
#include "tests/kit/space_cases.h"
#include "tests/litmus/runs.h"
#include "tests/random/affine_points.h"
#include "tests/random/program_campaign.h"

namespace gpu = heddle::gpu;

namespace {

using Words = std::vector<std::string>;

const heddle::DesignPoint& find_point(const std::string& name) {
  for (const heddle::DesignPoint* point : heddle::design_points) {
    if (name == point->name) return *point;
  }
  throw std::invalid_argument("no design point " + name);
}

heddle::Mechanism mechanism_of(const std::string& divergence, const std::string& board) {
  const std::size_t end = std::min(board.find('/'), board.size()),
                    plus = std::min(divergence.find('+'), divergence.size());
  heddle::Mechanism mechanism{divergence.substr(0, plus), board.substr(0, end),
                              end == board.size() ? "" : board.substr(end + 1)};
  if (plus != divergence.size()) mechanism.affine.name = divergence.substr(plus + 1);
  return mechanism;
}

gpu::RunResult result_of_kernel(const Words& words, const std::string& point, unsigned sms = 1) {
  const gpu::Workload* workload = gpu::find_workload(words.at(1));
  if (workload == nullptr) throw std::invalid_argument("no kernel " + words.at(1));
  gpu::RunRequest request;
  request.timed.sm.point = &find_point(point);
  request.timed.sm.mechanism = mechanism_of(words.at(2), words.at(3));
  request.timed.sm.watchdog_cycles = 50'000;
  request.timed.sm.max_cycles = 2'000'000;
  request.timed.sms = sms;
  gpu::WorkloadOptions options;
  options.lanes = request.timed.sm.point->lanes;
  options.warps = words.size() > 5 ? static_cast<unsigned>(std::stoul(words[5])) : 0;
  options.warps_per_block = request.timed.sm.point->warps;
  request.program = gpu::workload_program(*workload, options, HEDDLE_PTX_DIR);
  gpu::RunResult result = gpu::run_here(request);
  std::cout << result.message << '\n';
  return result;
}

int run_kernel(const Words& words) {
  return result_of_kernel(words, words.size() > 4 ? words[4] : "hpca13").status == gpu::RunStatus::Ok ? 0 : 1;
}

int run_on_two_sms(const Words& words) {
  return result_of_kernel(words, "hpca13", 2).status == gpu::RunStatus::Ok ? 0 : 1;
}

gpu::RunRequest request_of_ptx(const std::string& file, const heddle::Mechanism& mechanism,
                               const heddle::DesignPoint& point, const std::vector<std::string>& arguments,
                               unsigned warps = 1, const char* entry = "") {
  gpu::PtxRun run;
  run.entry = entry;
  run.file = HEDDLE_PTX_SOURCES "/" + file + ".ptx";
  run.block = {warps * point.lanes, 1, 1};
  run.arguments = arguments;
  gpu::RunRequest request;
  request.program = gpu::ptx_program(run);
  request.timed.sm.point = &point;
  request.timed.sm.mechanism = mechanism;
  request.timed.sm.watchdog_cycles = 50'000;
  return request;
}

int run_ptx(const Words& words, const char* file, const heddle::DesignPoint& point, const char* entry = "") {
  const gpu::RunResult result =
      gpu::run_here(request_of_ptx(file, mechanism_of(words.at(1), words.at(2)), point, {"zeros:128"}, 1, entry));
  std::cout << result.message << '\n';
  return result.status == gpu::RunStatus::Ok && result.equals_oracle ? 0 : 1;
}

/// Threads race: there is no one result.
int run_to_its_end(const Words& words) {
  gpu::RunRequest request = request_of_ptx(words.at(1), mechanism_of(words.at(2), words.at(3)),
                                           heddle::point::hpca13::Values, {"zeros:32768", "zeros:128"});
  request.with_oracle = false;
  const gpu::RunResult result = gpu::run_here(request);
  std::cout << result.message << '\n';
  return result.status == gpu::RunStatus::Ok ? 0 : 1;
}

/// The count in the words, or that of the run of this kernel and mechanism in kernels/statistics.json.
std::uint64_t expected_count(const Words& words, const char* statistic) {
  if (words.size() > 4) return std::stoull(words[4]);
  return heddle::tests::KernelStatistics(HEDDLE_STATISTICS_FILE)
      .row(words.at(1) + ' ' + words.at(2) + '/' + words.at(3))
      .at(statistic);
}

int count(const Words& words, std::uint64_t heddle::Statistics::*what, const char* statistic) {
  const std::uint64_t expected = expected_count(words, statistic);
  const gpu::RunResult result = result_of_kernel({words.begin(), words.begin() + 4}, "hpca13");
  std::cout << result.statistics.*what << ' ' << statistic << ", expected " << expected << '\n';
  return result.status == gpu::RunStatus::Ok && result.statistics.*what == expected ? 0 : 1;
}

bool is_affine(const Words& words) {
  return words.at(0) == "affine" || words.at(0) == "small_queues";
}

int run_random(const Words& words) {
  heddle::tests::Campaign campaign;
  campaign.programs = static_cast<unsigned>(std::stoul(words.at(1)));
  campaign.jobs = 1;
  if (words.at(0) == "synchronisation") {
    campaign.flavour = heddle::tests::Flavour::Synchronisation;
    campaign.both_clocks = true;
  }
  if (words.at(0) == "predictions") {
    campaign.flavour = heddle::tests::Flavour::Predictions;
    campaign.placements = heddle::tests::all_placements();
  }
  if (is_affine(words)) campaign.flavour = heddle::tests::Flavour::Affine;
  if (words.at(0) == "small_queues") campaign.points = heddle::tests::affine_points();
  if (words.at(0) == "meetings") campaign.flavour = heddle::tests::Flavour::Meetings;
  if (words.at(0) == "language") campaign.flavour = heddle::tests::Flavour::Language;
  campaign.mechanisms = {mechanism_of(words.at(2), words.at(3))};
  if (words.size() > 4) campaign.first_seed = std::stoull(words[4]);
  const heddle::tests::CampaignResult result = heddle::tests::run_campaign(campaign);
  for (const std::string& text : result.failures) std::cout << text << '\n';
  return result.failures.empty() ? 0 : 1;
}

const std::string& program_of(const std::string& what) {
  return what == "call"    ? heddle::tests::CommonFunction
         : what == "turns" ? heddle::tests::TurnsMeet
                           : heddle::tests::IterationDelay;
}

int run_predicted(const Words& words) {
  const std::string& what = words.at(1);
  heddle::compiler::CompileOptions options;
  options.reconverge = heddle::compiler::Reconverge::Predicted;
  if (const std::size_t at = what.find('='); at != std::string::npos)
    options.soft_threshold = static_cast<unsigned>(std::stoul(what.substr(at + 1)));
  gpu::RunRequest request;
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = mechanism_of(words.at(2), words.at(3));
  request.timed.sm.watchdog_cycles = 50'000;
  request.program = heddle::tests::prediction_program(program_of(what), request.timed.sm.mechanism, options);
  const gpu::RunResult result = gpu::run_here(request);
  std::cout << result.message << '\n'
            << result.statistics.warp_instructions << " warp instructions, expected " << words.at(4) << "; "
            << result.statistics.forced_releases << " forced releases, expected 0\n";
  const bool is_right = result.status == gpu::RunStatus::Ok && result.equals_oracle;
  return is_right && result.statistics.warp_instructions == std::stoull(words.at(4)) &&
                 result.statistics.forced_releases == 0
             ? 0
             : 1;
}

int run_clocks(const Words& words) {
  const gpu::Workload* workload = gpu::find_workload(words.at(1));
  if (workload == nullptr) throw std::invalid_argument("no kernel " + words.at(1));
  gpu::WorkloadOptions options;
  options.warps = words.size() > 4 ? static_cast<unsigned>(std::stoul(words[4])) : 0;
  gpu::RunRequest request;
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = mechanism_of(words.at(2), words.at(3));
  request.timed.sm.watchdog_cycles = 50'000;
  request.timed.sm.max_cycles = 2'000'000;
  request.with_oracle = false;
  request.program = gpu::workload_program(*workload, options, HEDDLE_PTX_DIR);
  gpu::RunRequest free = request;
  free.timed.sm.clock_gate = false;
  const std::vector<gpu::RunResult> results = gpu::run_in_children({request, free}, 1);
  for (const gpu::RunResult& result : results) {
    if (result.status != gpu::RunStatus::Ok) return std::cout << result.message << '\n', 1;
  }
  const auto gated = results[0].statistics.numbers(), all = results[1].statistics.numbers();
  for (std::size_t i = 0; i < gated.size(); ++i) {
    if (gated[i].value == all[i].value) continue;
    std::cout << gated[i].name << ": " << gated[i].value << ", without the clock gate " << all[i].value << '\n';
    return 1;
  }
  return 0;
}

int run_profile(const Words& words) {
  const gpu::Workload* workload = gpu::find_workload(words.at(1));
  if (workload == nullptr) throw std::invalid_argument("no kernel " + words.at(1));
  gpu::RunRequest request;
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = mechanism_of(words.at(2), words.at(3));
  request.timed.profile = true;
  request.with_oracle = false;
  request.program = gpu::workload_program(*workload, {}, HEDDLE_PTX_DIR);
  const gpu::RunResult result = gpu::run_here(request);
  const std::vector<std::string> lines = heddle::tests::unaccounted(result);
  for (const std::string& line : lines) std::cout << line << '\n';
  return result.status == gpu::RunStatus::Ok && lines.empty() ? 0 : 1;
}

int run_spaces(const Words& words) {
  gpu::RunRequest request;
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = mechanism_of(words.at(1), words.at(2));
  request.timed.sm.watchdog_cycles = 50'000;
  request.timed.sm.max_cycles = 2'000'000;
  request.program = heddle::tests::run_space_cases;
  const gpu::RunResult result = gpu::run_here(request);
  std::cout << result.message << '\n';
  return result.status == gpu::RunStatus::Ok ? 0 : 1;
}

/// Against the same without turns, by hand: system_formation_test.
int run_banks(const Words& words) {
  std::vector<gpu::RunRequest> requests;
  for (const char* file : {"", "ideal"}) {
    requests.push_back(request_of_ptx("formation_banks", mechanism_of(words.at(1), words.at(2)),
                                      heddle::point::micro07::Values, {"zeros:128"}, 2));
    if (*file != 0) requests.back().timed.sm.mechanism.register_file = file;
    requests.back().timed.memory = gpu::MemoryKind::Ideal;
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 1);
  for (const gpu::RunResult& result : results)
    std::cout << result.message << ' ' << result.statistics.cycles << " cycles\n";
  const bool pays = results[0].statistics.cycles == results[1].statistics.cycles + 10 * 2 + 1;
  return results[0].status == gpu::RunStatus::Ok && pays ? 0 : 1;
}

/// Eight warps of each scheduler, 72 multiplications and shifts of each: by hand, system_affine_lanes_test.
int run_lanes(const Words& words) {
  constexpr unsigned Warps = 16;
  heddle::DesignPoint point = heddle::point::isca17::Values;
  point.icache_bytes = 0;  // ideal fetch
  const heddle::Mechanism mechanism = mechanism_of(words.at(1), words.at(2));
  std::vector<gpu::RunRequest> requests;
  for (const char* entry : {"few", "many"}) {
    gpu::PtxRun run;
    run.file = HEDDLE_PTX_SOURCES "/half_rate.ptx";
    run.entry = entry;
    run.block = {Warps * point.lanes, 1, 1};
    run.arguments = {"zeros:4096"};
    requests.emplace_back();
    requests.back().program = gpu::ptx_program(run);
    requests.back().timed.sm.point = &point;
    requests.back().timed.sm.mechanism = mechanism;
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 1);
  for (const gpu::RunResult& result : results)
    std::cout << result.message << ' ' << result.statistics.cycles << " cycles\n";
  const std::uint64_t each = heddle::affine_named(mechanism.affine.name).per_warp ? 1 : point.half_rate_interval;
  const bool is_right = results[1].statistics.cycles - results[0].statistics.cycles == each * 72 * Warps / 2;
  return results[0].equals_oracle && results[1].equals_oracle && is_right ? 0 : 1;
}

/// A store a warp, and what spills: tests/ptx/forty_values.ptx.
int run_spills(const Words& words) {
  constexpr unsigned Warps = 2, Turns = 3, Values = 12;  // system_spills_test
  const gpu::RunResult result = gpu::run_here(request_of_ptx("forty_values", mechanism_of(words.at(1), words.at(2)),
                                                             heddle::point::micro07::Values, {"zeros:128"}, Warps));
  const std::uint64_t counted = result.statistics.spill_instructions, expected = Warps * Values * (1 + Turns);
  std::cout << result.message << ", " << counted << " spill instructions, expected " << expected << '\n';
  return result.status == gpu::RunStatus::Ok && result.equals_oracle && counted == expected ? 0 : 1;
}

/// Blocks that meet at barriers while others come back from memory.
int run_openings(const Words& words) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/formation_barrier_beside_misses.ptx";
  run.grid = {256, 1, 1};
  run.block = {2 * heddle::point::micro07::Lanes, 1, 1};
  run.arguments = {"zeros:" + std::to_string(256 * 32 * 4)};
  gpu::RunRequest request;
  request.program = gpu::ptx_program(run);
  request.timed.sm.point = &heddle::point::micro07::Values;
  request.timed.sm.mechanism = mechanism_of(words.at(1), words.at(2));
  request.timed.sm.watchdog_cycles = 50'000;
  const gpu::RunResult result = gpu::run_here(request);
  std::cout << result.message << '\n';
  return result.status == gpu::RunStatus::Ok && result.equals_oracle ? 0 : 1;
}

int run_litmus(const Words& words) {
  namespace tests = heddle::tests;
  std::vector<tests::LitmusTest> named;
  for (const tests::LitmusTest& test : tests::read_litmus_tests(HEDDLE_LITMUS))
    if (test.name == words.at(1)) named.push_back(test);
  if (named.empty()) throw std::invalid_argument("no litmus test " + words.at(1));
  const tests::LitmusMachine machine{words.at(2), &heddle::point::hpca13::Values,
                                     mechanism_of(words.at(2), words.at(3)), 2, true};
  const tests::LitmusSeeds seeds{0, 1, static_cast<unsigned>(std::stoul(words.at(4)))};
  const std::string folder = std::string(HEDDLE_TEST_OUTPUT) + "/litmus_of_mutants";
  const gpu::RunResult result = gpu::run_here(tests::litmus_runs(named, machine, seeds, folder));
  const bool is_ok = result.status == gpu::RunStatus::Ok;
  const std::string wrong = is_ok ? tests::forbidden_outcomes(named, result.message) : result.message;
  std::cout << wrong;
  return is_ok && wrong.empty() ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) {
  return 0;
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const Words words(argv + 1, argv + argc);
  try {
    const std::string& what = words.at(0);
    return what == "kernel"      ? run_kernel(words)
           : what == "chip"      ? run_on_two_sms(words)
           : what == "issues"    ? count(words, &heddle::Statistics::warp_instructions, "warp instructions")
           : what == "lines"     ? count(words, &heddle::Statistics::line_requests, "line requests")
           : what == "ends"      ? run_to_its_end(words)
           : what == "arms"      ? run_ptx(words, "barrier_in_each_arm", heddle::point::hpca13::Values)
           : what == "behind"    ? run_ptx(words, "barrier_behind_loop", heddle::point::hpca13::Values)
           : what == "result"    ? run_ptx(words, "result_in_each_arm", heddle::point::hpca13::Values)
           : what == "traps"     ? run_ptx(words, "trap_sides", heddle::point::hpca13::Values, "nested")
           : what == "ways"      ? run_ptx(words, "sync_from_two_ways", heddle::point::hpca13::Values)
           : what == "meeting"   ? run_ptx(words, "meeting_without_a_register", heddle::point::tiny::Values)
           : what == "banks"     ? run_banks(words)
           : what == "lanes"     ? run_lanes(words)
           : what == "spills"    ? run_spills(words)
           : what == "openings"  ? run_openings(words)
           : what == "litmus"    ? run_litmus(words)
           : what == "spaces"    ? run_spaces(words)
           : what == "clocks"    ? run_clocks(words)
           : what == "profile"   ? run_profile(words)
           : what == "predicted" ? run_predicted(words)
                                 : run_random(words);
  } catch (const heddle::isa::ExecutionError& error) {  // on the oracle: the compiler is wrong
    std::cout << error.what() << '\n';
    return 1;
  } catch (const std::invalid_argument& error) {  // a program that it should take is refused
    std::cout << error.what() << '\n';
    return words.at(0) == "predicted" ? 1 : 2;
  } catch (const std::exception& error) {
    std::cout << "runner: " << error.what() << '\n';
    return is_affine(words) ? 1 : 2;  // the compiler compares its two streams
  }
}
