// SPDX-License-Identifier: Apache-2.0
// Decoupled affine computation (DAC) in the SM beside the oracle: kernels, shapes of blocks, strides, faults, batches, and
// Fig. 4 counted by hand.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/kernel_runs.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using heddle::Mechanism;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& isca17 = heddle::point::isca17::Values;

constexpr unsigned Words = 1U << 17;  // of the array that is read

/// Each word another one, each byte and half-word too.
std::string numbers() {
  const std::string path = std::string(HEDDLE_TEST_OUTPUT) + "/affine_numbers.bin";
  static const bool written = [&] {
    std::ofstream file(path, std::ios::binary);
    for (std::uint32_t i = 0; i < Words; ++i) {
      const std::uint32_t word = i * 2654435761U;
      file.write(reinterpret_cast<const char*>(&word), sizeof(word));
    }
    return true;
  }();
  static_cast<void>(written);
  return "file:" + path;
}

gpu::PtxRun walk(const std::string& entry, const std::string& start, const std::string& step) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/affine_walk.ptx";
  run.entry = entry;
  run.grid = {3, 1, 1};
  run.block = {64, 1, 1};
  run.arguments = {numbers(), "zeros:65536", start, step, "3"};
  return run;
}

gpu::RunRequest request_of(const gpu::PtxRun& run, const Mechanism& mechanism) {
  gpu::RunRequest request = tests::request_of(mechanism, gpu::ptx_program(run));
  request.kernel = fmt::format("{} {} of {}x{}x{} under {}", run.entry, fmt::join(run.arguments, ","), run.block.x,
                               run.block.y, run.block.z, tests::name_of(mechanism));
  request.timed.sm.point = &isca17;
  return request;
}

gpu::RunResult result_of(const gpu::PtxRun& run, const Mechanism& mechanism) {
  return gpu::run_in_children({request_of(run, mechanism)}, 1).at(0);
}

Mechanism dac(const std::string& divergence = "spe") {
  Mechanism mechanism = heddle::with_its_scoreboard(divergence);
  mechanism.affine.name = "dac";
  return mechanism;
}

}  // namespace

/// A part of the kernels, under both stacks, with batches and enqueues as in the paper and not, and some of them without
/// the clock gate.
BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle) {
  std::vector<gpu::RunRequest> all;
  for (const Mechanism& mechanism : tests::affine_mechanisms())
    for (gpu::RunRequest& request : tests::every_kernel(isca17, mechanism, HEDDLE_PTX_DIR, 600'000))
      if (request.kernel.rfind("spin_lock", 0) != 0)  // which deadlocks on a stack, as it should
        all.push_back(std::move(request));
  const auto part = tests::part_with(all, 13, tests::runs_everywhere);
  std::cout << tests::said(part.size(), all.size(), "kernels and mechanisms") << '\n';
  unsigned decoupled = 0;
  tests::check_kernels_with_and_without_gate(part, [&](const gpu::RunRequest&, const gpu::RunResult& result) {
    decoupled += result.statistics.decoupled_loads != 0;
  });
  BOOST_TEST(decoupled != 0U);
}

/// Blocks of one to three dimensions, x no multiple of 32, partial last warps; words, half-words, bytes; strides with a
/// closed form and without, none, and backwards.
BOOST_AUTO_TEST_CASE(shapes_and_strides) {
  std::vector<gpu::RunRequest> all;
  const gpu::Dim3 blocks[] = {{64, 1, 1}, {33, 1, 1}, {1, 1, 1}, {16, 5, 1},
                              {7, 9, 1},  {40, 3, 1}, {8, 3, 4}, {5, 7, 3}};
  for (const char* entry : {"words", "halves", "bytes"})
    for (const auto& block : blocks)
      for (const int step : {0, 1, 2, 3, 4, 8, 32, 1024, -1, -3, -32}) {
        if (step == 1024 && block.count() > 35) continue;  // the array ends
        gpu::PtxRun run = walk(entry, step < 0 ? "40000" : "5", std::to_string(step));
        run.block = block;
        for (const char* divergence : {"spe", "dpe"}) all.push_back(request_of(run, dac(divergence)));
      }
  const auto part = tests::part_of(all, 4);
  std::cout << tests::said(part.size(), all.size(), "shapes and strides") << '\n';
  const auto results = gpu::run_in_children(part, 2);
  for (std::size_t i = 0; i < part.size(); ++i) {
    BOOST_TEST(results[i].equals_oracle, part[i].kernel << ": " << results[i].message);
    BOOST_TEST(results[i].statistics.decoupled_loads != 0U, part[i].kernel);
    BOOST_TEST(results[i].whole_kernels.empty());
  }
}

/// Fig. 4 for two warps in one CTA, five turns: the warps execute a load, a sum, a store and a branch a turn, and an exit;
/// the affine warp what comes before the loop, ten instructions, then in each turn three enqs, five computations and the
/// branch, and an exit.
BOOST_AUTO_TEST_CASE(fig_4) {
  static constexpr std::uint64_t Turns = 5, Warps = 2, Before = 10;
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/dac_fig4.ptx";
  run.grid = {1, 1, 1};
  run.block = {64, 1, 1};
  run.arguments = {numbers(), "zeros:4096", std::to_string(Turns), "64"};
  const gpu::RunResult decoupled = result_of(run, dac()), plain = result_of(run, heddle::with_its_scoreboard("spe"));
  BOOST_TEST(decoupled.equals_oracle, decoupled.message);
  BOOST_TEST(plain.statistics.warp_instructions == Warps * (Before + Turns * 9 + 1));
  const Statistics& found = decoupled.statistics;
  BOOST_TEST(found.warp_instructions == Warps * (Turns * 4 + 1));
  BOOST_TEST(found.affine_instructions == Before + Turns * 9 + 1);
  BOOST_TEST(found.affine_enqueues == Turns * 3);
  BOOST_TEST(found.affine_batches == 1U);
  BOOST_TEST(found.decoupled_loads == Warps * Turns);
  BOOST_TEST(found.decoupled_stores == Warps * Turns);
  BOOST_TEST(found.decoupled_branches == Warps * Turns);
  BOOST_TEST(found.dequeued_records == Warps * Turns * 3);  // 128 bytes of one line each
  BOOST_TEST(found.affine_scalar_predicates == Turns);
  BOOST_TEST(found.affine_requests == Warps * Turns);
}

/// An access out of bounds names what it names without decoupling; of several warps another one may be the first.
BOOST_AUTO_TEST_CASE(faults_are_the_same) {
  for (const char* entry : {"words", "bytes"}) {
    gpu::PtxRun run = walk(entry, "600000", "4096");
    run.grid = {1, 1, 1};
    run.block = {32, 1, 1};
    const gpu::RunResult plain = result_of(run, heddle::with_its_scoreboard("spe"));
    for (const char* divergence : {"spe", "dpe"}) {
      const gpu::RunResult decoupled = result_of(run, dac(divergence));
      BOOST_TEST((plain.error == gpu::ErrorCode::OutOfBounds), plain.message);
      BOOST_TEST(decoupled.message == plain.message);
    }
  }
}

/// What a launch's arguments must be for tuples to say every address.
BOOST_AUTO_TEST_CASE(a_launch_may_run_whole) {
  const auto counted = [](const char* count) {
    gpu::PtxRun run = walk("counted", "", "");
    run.arguments = {numbers(), "zeros:65536", count};
    return result_of(run, dac());
  };
  const gpu::RunResult split = counted("8"), whole = counted("7");
  BOOST_TEST(split.equals_oracle, split.message);
  BOOST_TEST(split.statistics.decoupled_loads != 0U);
  BOOST_TEST(whole.equals_oracle, whole.message);
  BOOST_TEST(whole.statistics.decoupled_loads == 0U);
  BOOST_TEST(whole.statistics.whole_launches == 1U);
  BOOST_REQUIRE(whole.whole_kernels.size() == 1U);
}

/// A batch takes what is free, or waits for an empty SM.
BOOST_AUTO_TEST_CASE(batches) {
  gpu::PtxRun run = walk("words", "5", "1");
  run.grid = {20, 1, 1};
  const Statistics full = result_of(run, dac()).statistics;
  BOOST_TEST(full.affine_batches == 3U);  // of 8, 8 and 4 CTAs
  BOOST_TEST(full.affine_ctas == 20U);
  Mechanism mechanism = dac();
  mechanism.affine.full_batches = false;
  const gpu::RunResult free = result_of(run, mechanism);
  BOOST_TEST(free.equals_oracle, free.message);
  BOOST_TEST(free.statistics.affine_ctas == 20U);
  BOOST_TEST(free.statistics.affine_batches > 3U);
}

BOOST_AUTO_TEST_CASE(what_it_does_not_stand_beside) {
  for (const char* divergence : {"dpe_forwarding", "dpe_memory_split", "serial", "dws50", "barrier", "formation"}) {
    const gpu::RunResult result = result_of(walk("words", "5", "1"), dac(divergence));
    BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), divergence << ": " << result.message);
    BOOST_TEST(result.message.find("--affine") != std::string::npos, result.message);
  }
}
