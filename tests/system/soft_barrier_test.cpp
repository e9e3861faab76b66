// SPDX-License-Identifier: Apache-2.0
// The sequence of SR Fig. 6 in the SM, block by block: who waits at the convergence point, and who goes on. The compiler
// does not place it yet: instructions of a PTX program are replaced.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <functional>

#include "sim/compiler/compile.h"
#include "sim/isa/disassemble.h"
#include "sim/ptx/parser.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
using isa::ConvergenceOp;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Threads = 8;
constexpr std::uint8_t All = 0, Temp = 1, Count = 2, Pdom = 3;

struct Operation {
  ConvergenceOp op;
  const char* mnemonic;
  std::uint8_t barrier, source = 0;
};
const Operation Figure6[] = {{ConvergenceOp::Join, "bssy", All},     {ConvergenceOp::Copy, "bmov", Temp, All},
                             {ConvergenceOp::Join, "bssy", Pdom},    {ConvergenceOp::Arrive, "arrive", Count},
                             {ConvergenceOp::Cancel, "break", Pdom}, {ConvergenceOp::Take, "btake", Temp, Count},
                             {ConvergenceOp::Wait, "bsync", Temp},   {ConvergenceOp::Copy, "bmov", Temp, All},
                             {ConvergenceOp::Wait, "bsync", Pdom},   {ConvergenceOp::Cancel, "break", Temp},
                             {ConvergenceOp::Cancel, "break", All}};
constexpr std::uint64_t First = 9000;

isa::Program figure_6() {
  isa::Program program =
      heddle::compiler::compile(heddle::ptx::parse_file(HEDDLE_PTX_SOURCES "/soft_barrier.ptx"), "k");
  for (isa::Instruction& instruction : program.code) {
    const isa::Source& number = instruction.sources[1];
    if (number.kind != isa::Source::Kind::Immediate || number.value < First) continue;
    const Operation& operation = Figure6[number.value - First];
    isa::Instruction placed;
    placed.kind = isa::Kind::Convergence;
    placed.unit = isa::Unit::Control;
    placed.mnemonic = operation.mnemonic;
    placed.convergence = operation.op;
    placed.barrier = operation.barrier;
    placed.barrier_source = operation.source;
    if (operation.op == ConvergenceOp::Arrive) {
      placed.destination = instruction.destination;
      placed.sources[0] = instruction.sources[0];
    }
    instruction = placed;
  }
  return program;
}

struct Groups {
  std::vector<std::uint32_t> together;  // by lane: with whom it ran BB6; 0: not at all
  std::vector<std::uint32_t> turns;
};

gpu::RunRequest request_of(const heddle::Mechanism& mechanism, unsigned threshold, std::uint32_t takers,
                           const std::function<bool(const Groups&)>& expected) {
  gpu::RunRequest request = heddle::tests::request_of(mechanism, [=](gpu::Device& device) {
    const isa::Program program = figure_6();
    const std::uint64_t out = gpu::upload(device, std::vector<std::uint32_t>(2 * Threads));
    gpu::launch(device, program, {1, 1, 1}, {Threads, 1, 1}, out, threshold, takers);
    const auto words = gpu::download<std::uint32_t>(device, out, 2 * Threads);
    const Groups groups{{words.begin(), words.begin() + Threads}, {words.begin() + Threads, words.end()}};
    std::string text;
    for (const std::uint32_t group : groups.together) text += fmt::format("{:02x} ", group);
    return gpu::Outcome{expected(groups), text};
  });
  request.kernel += fmt::format(", threshold {}, lanes {:02x}", threshold, takers);
  request.with_oracle = false;  // what is active is the machine's affair
  return request;
}

std::vector<gpu::RunResult> run(const std::vector<gpu::RunRequest>& requests) {
  std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok), requests[i].kernel << ": " << results[i].message);
    BOOST_TEST(results[i].statistics.forced_releases == 0U, requests[i].kernel);
  }
  return results;
}

/// Every taker ran BB6, in a group of takers that all say the same; and all went round eight times.
bool is_sound(const Groups& groups, std::uint32_t takers) {
  bool sound = true;
  for (unsigned lane = 0; lane < Threads; ++lane) {
    const std::uint32_t mine = groups.together[lane];
    const bool takes = (takers >> lane & 1) != 0;
    sound = sound && groups.turns[lane] == Threads && takes == (mine != 0) && (!takes || (mine >> lane & 1) != 0);
    for (unsigned other = 0; other < Threads; ++other)
      if ((mine >> other & 1) != 0) sound = sound && groups.together[other] == mine;
  }
  return sound;
}

/// In each group as many as this.
bool all_of_size(const Groups& groups, std::uint32_t takers, unsigned size) {
  return is_sound(groups, takers) && std::all_of(groups.together.begin(), groups.together.end(), [&](auto group) {
           return group == 0 || isa::count_of(group) == size;
         });
}

std::vector<heddle::Mechanism> mechanisms() {
  std::vector<heddle::Mechanism> all = heddle::tests::barrier_mechanisms();
  all.push_back({"barrier", "optimistic"});
  all.push_back({"barrier", "barrel"});
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_threshold_of_0_never_waits_and_all_but_one_lane_is_a_full_barrier) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms()) {
    requests.push_back(request_of(mechanism, 0, 0xff, [](const Groups& g) { return all_of_size(g, 0xff, 1); }));
    for (const unsigned threshold : {Threads - 1, 31U, ~0U})
      requests.push_back(
          request_of(mechanism, threshold, 0xff, [](const Groups& g) { return all_of_size(g, 0xff, Threads); }));
  }
  run(requests);
}

BOOST_AUTO_TEST_CASE(lanes_go_on_when_more_than_the_threshold_are_there) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms())
    for (const unsigned threshold : {1U, 3U})
      requests.push_back(
          request_of(mechanism, threshold, 0xff, [=](const Groups& g) { return all_of_size(g, 0xff, threshold + 1); }));
  run(requests);
}

BOOST_AUTO_TEST_CASE(lanes_too_few_for_the_threshold_go_on_when_the_others_have_left_the_loop) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms())
    requests.push_back(request_of(mechanism, 3, 0x24, [](const Groups& g) { return all_of_size(g, 0x24, 2); }));
  run(requests);
}

BOOST_AUTO_TEST_CASE(the_wait_for_an_answer_is_no_idle_time_of_the_clock_gate) {
  std::vector<gpu::RunRequest> requests;
  for (const bool gate : {true, false}) {
    requests.push_back(request_of({"barrier", "baseline"}, 3, 0xff, [](const Groups& g) { return is_sound(g, 0xff); }));
    requests.back().timed.sm.clock_gate = gate;
  }
  const std::vector<gpu::RunResult> results = run(requests);
  BOOST_TEST(results[0].statistics.cycles == results[1].statistics.cycles);
}

BOOST_AUTO_TEST_CASE(listings_name_both_registers_and_the_threshold) {
  std::string text;
  for (const isa::Instruction& instruction : figure_6().code)
    if (instruction.kind == isa::Kind::Convergence) text += isa::to_string(instruction) + "; ";
  BOOST_TEST(text.find("bmov B1, B0; ") != std::string::npos, text);
  BOOST_TEST(text.find("break B3; btake B1, B2; ") != std::string::npos, text);
  BOOST_TEST(text.find("arrive p") != std::string::npos, text);
  BOOST_TEST(text.find(", B2; break B3; ") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_profile_has_each_operation_by_name) {
  gpu::RunRequest request =
      request_of({"barrier", "baseline"}, 3, 0xff, [](const Groups& g) { return is_sound(g, 0xff); });
  request.timed.profile = true;
  const gpu::RunResult result = run({request}).front();
  BOOST_REQUIRE(result.profiles.size() == 1U);
  std::uint64_t arrivals = 0;
  for (const gpu::KernelProfile::Row& row : result.profiles[0].rows)
    if (row.text.find("arrive p") == 0) arrivals += row.counts.active_lanes;
  BOOST_TEST(arrivals == Threads);
}
