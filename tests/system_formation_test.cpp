// Dynamic warp formation (DWF) in the SM: cycles and bank conflicts as counted by hand, what is refused, and kernels at
// the point of DWF and at the smallest one, under each policy on each register file, beside the oracle.
#include <boost/test/unit_test.hpp>
#include <iostream>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/mechanism_runs.h"
#include "tests/part.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& micro07 = heddle::point::micro07::Values;

gpu::RunRequest request_of(const std::string& file, const std::string& entry, unsigned warps,
                           const std::string& register_file, const std::string& divergence = "formation") {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/" + file;
  run.entry = entry;
  run.block = {warps * micro07.lanes, 1, 1};
  run.arguments = {"zeros:1024"};
  gpu::RunRequest request = heddle::tests::request_of({divergence, "barrel", register_file}, gpu::ptx_program(run));
  request.timed.sm.point = &micro07;
  request.timed.memory = gpu::MemoryKind::Ideal;
  return request;
}

gpu::RunResult run_of(const std::string& file, const std::string& entry, unsigned warps,
                      const std::string& register_file) {
  return gpu::run_in_children({request_of(file, entry, warps, register_file)}, 1).at(0);
}

/// Cycles that twenty instructions more a warp take.
std::uint64_t cycles_of_twenty(unsigned warps, const std::string& register_file) {
  const gpu::RunResult few = run_of("barrel_steps.ptx", "few", warps, register_file),
                       more = run_of("barrel_steps.ptx", "twenty_more", warps, register_file);
  BOOST_TEST(few.equals_oracle, few.message);
  BOOST_TEST(more.equals_oracle, more.message);
  BOOST_TEST(more.statistics.warp_instructions - few.statistics.warp_instructions == 20 * warps);
  return more.statistics.cycles - few.statistics.cycles;
}

/// Each policy on each register file.
std::vector<heddle::Mechanism> variants() {
  std::vector<heddle::Mechanism> all;
  for (const heddle::DivergenceRow& row : heddle::divergences())
    if (row.forms)
      for (const std::string& file : heddle::register_files_of(row)) all.push_back({row.name, "barrel", file});
  return all;
}

gpu::RunRequest request_of(const gpu::Workload& workload, const heddle::DesignPoint& point,
                           const heddle::Mechanism& mechanism) {
  constexpr std::uint64_t InTime = 200'000;  // cycles
  gpu::WorkloadOptions options;
  options.lanes = point.lanes;
  options.warps_per_block = point.warps;
  gpu::RunRequest request =
      heddle::tests::request_of(mechanism, gpu::workload_program(workload, options, HEDDLE_PTX_DIR));
  request.kernel = workload.name() + std::string(" at ") + point.name + " under " + heddle::tests::name_of(mechanism);
  request.timed.sm.point = &point;
  request.timed.sm.max_cycles = InTime;
  request.byte_exact = workload.is_byte_exact();
  return request;
}

/// Refused, too big for the point, or too long for a test.
bool is_left_out(const gpu::RunResult& result) {
  return result.error == gpu::ErrorCode::CycleLimit || result.error == gpu::ErrorCode::NotSupported ||
         result.error == gpu::ErrorCode::InvalidConfiguration || result.error == gpu::ErrorCode::OutOfResources;
}

}  // namespace

/// From issue to issue an addition takes 20 cycles: 2 of fetch and the extra stage, 1 of operand read, 8 in the unit, 1
/// of the last stage, and 7 from there to issued_o (rtl/warp_formation). Sixteen warps go side by side.
BOOST_AUTO_TEST_CASE(a_warp_comes_back_from_the_last_stage) {
  BOOST_TEST(micro07.alu_latency == 8U);
  BOOST_TEST(micro07.fetch_latency == 2U);
  for (const char* file : {"ideal", "naive", "lane_aware"}) {
    BOOST_TEST(cycles_of_twenty(1, file) == 20U * 20);
    BOOST_TEST(cycles_of_twenty(16, file) == 20U * 20);
  }
}

/// Either side has ten sums of two words and one result: a turn more at the reads and one at the write for each, both
/// sides, nothing else; and in other register files nothing at all.
BOOST_AUTO_TEST_CASE(threads_of_one_home_lane_take_turns) {
  const gpu::RunResult naive = run_of("formation_banks.ptx", "k", 2, "naive"),
                       ideal = run_of("formation_banks.ptx", "k", 2, "ideal"),
                       aware = run_of("formation_banks.ptx", "k", 2, "lane_aware");
  for (const gpu::RunResult* result : {&naive, &ideal, &aware}) BOOST_TEST(result->equals_oracle, result->message);
  BOOST_TEST(naive.statistics.bank_conflict_cycles == 2U * 10 * (1 + 1));
  BOOST_TEST(ideal.statistics.bank_conflict_cycles == 0U);
  BOOST_TEST(aware.statistics.bank_conflict_cycles == 0U);
  BOOST_TEST(ideal.statistics.warp_instructions == naive.statistics.warp_instructions);
  // A sum that is read a cycle longer and written a cycle longer comes back two cycles later. The second side's first
  // one came a cycle behind the other's, and waits for it; from then on they are two apart.
  BOOST_TEST(naive.statistics.cycles - ideal.statistics.cycles == 10U * 2 + 1);
  BOOST_TEST(run_of("formation_banks.ptx", "k", 1, "naive").statistics.bank_conflict_cycles == 0U);
}

BOOST_AUTO_TEST_CASE(what_it_cannot_run_is_refused_by_name) {
  const auto expect = [](const gpu::RunRequest& request, const std::vector<std::string>& words) {
    const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
    BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), result.message);
    for (const std::string& word : words)
      BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
  };
  expect(request_of("shuffle_in_each_arm.ptx", "k", 2, "ideal"), {"shuffle_in_each_arm.ptx:", "shfl"});
  expect(request_of("formation_banks.ptx", "k", 2, "static"), {"static", "lane_aware, ideal, naive"});
  expect(request_of("formation_banks.ptx", "k", 2, "naive", "spe"), {"naive", "--register-file static"});
  expect(request_of("two_named_barriers.ptx", "k", 4, "ideal"), {"another barrier", "two_named_barriers.ptx:"});
  gpu::RunRequest board = request_of("formation_banks.ptx", "k", 2, "ideal");
  board.timed.sm.mechanism.scoreboard = "baseline";
  expect(board, {"no scoreboard", "--scoreboard barrel"});
}

/// With the clock gate and without: the same outcome, and the same numbers.
BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : variants())
    for (const heddle::DesignPoint* point : {&micro07, &heddle::point::tiny::Values})
      for (const gpu::Workload* workload : gpu::all_workloads())
        requests.push_back(request_of(*workload, *point, mechanism));
  const std::vector<gpu::RunRequest> part = heddle::tests::part_of(requests);
  std::cout << heddle::tests::said(part.size(), requests.size(), "runs") << '\n';
  const std::vector<gpu::RunResult> results = gpu::run_in_children(part, 2);
  std::vector<gpu::RunRequest> free;
  std::vector<const gpu::RunResult*> gated;
  unsigned equal = 0, left_out = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const gpu::RunResult& result = results[i];
    if (is_left_out(result)) {
      ++left_out;
      continue;
    }
    BOOST_TEST((result.status == gpu::RunStatus::Ok), part[i].kernel << ": " << result.message);
    if (part[i].byte_exact) BOOST_TEST(result.equals_oracle, part[i].kernel << ": " << result.message);
    equal += result.equals_oracle;
    if (part[i].timed.sm.mechanism.register_file == "lane_aware")
      BOOST_TEST(result.statistics.bank_conflict_cycles == 0U, part[i].kernel);
    if (result.statistics.cycles > 30'000) continue;
    free.push_back(part[i]);
    free.back().timed.sm.clock_gate = false;
    gated.push_back(&result);
  }
  const std::vector<gpu::RunResult> ungated = gpu::run_in_children(free, 2);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto with = gated[i]->statistics.numbers(), without = ungated[i].statistics.numbers();
    for (std::size_t n = 0; n < with.size(); ++n)
      BOOST_TEST(with[n].value == without[n].value,
                 free[i].kernel << ": " << with[n].name << " " << ungated[i].message);
  }
  std::cout << equal << " equal the oracle, " << free.size() << " of them with and without the gate, " << left_out
            << " are refused, too big or too long\n";
  BOOST_TEST(equal > part.size() / 5);
}
