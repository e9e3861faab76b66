// SPDX-License-Identifier: Apache-2.0
// Kernels with predictions give the oracle's memory whatever is done with the predictions, and barriers never have to let
// lanes go; kernels without give it where the compiler predicts by itself.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sim/gpu/program_library.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace compiler = heddle::compiler;
namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

using compiler::Deconfliction;
using compiler::Reconverge;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Warps = 2, ItemsOfThread = 4;
// Prime to the ways and pickers of a kernel, so that parts have all of both.
constexpr unsigned long Share = 43, ShareWithout = 11;

struct Way {
  std::string name;
  compiler::CompileOptions options;
};

Way way(const std::string& name, Reconverge reconverge, Deconfliction deconfliction = Deconfliction::Dynamic) {
  Way result{name, {}};
  result.options.reconverge = reconverge;
  result.options.deconfliction = deconfliction;
  return result;
}

std::vector<Way> ways() {
  std::vector<Way> all = {way("default", Reconverge::Default), way("predicted", Reconverge::Predicted),
                          way("predicted, static", Reconverge::Predicted, Deconfliction::Static),
                          way("automatic", Reconverge::Automatic),
                          way("automatic, static", Reconverge::Automatic, Deconfliction::Static)};
  for (unsigned threshold = 0; threshold < heddle::point::cgo20::Lanes; ++threshold) {
    all.push_back(way(fmt::format("predicted, more than {} lanes", threshold), Reconverge::Predicted));
    all.back().options.soft_threshold = threshold;
  }
  return all;
}

bool has_predictions(const gpu::Workload& workload) {
  std::ifstream in(gpu::workload_ptx(workload, HEDDLE_PTX_DIR, way("", Reconverge::Predicted).options));
  std::stringstream text;
  text << in.rdbuf();
  return text.str().find("// heddle.predict") != std::string::npos;
}

std::vector<const gpu::Workload*> kernels(bool with_predictions) {
  std::vector<const gpu::Workload*> some;
  for (const gpu::Workload* workload : gpu::all_workloads())
    if (has_predictions(*workload) == with_predictions) some.push_back(workload);
  return some;
}

gpu::RunRequest request_of(const gpu::Workload& workload, const heddle::Mechanism& mechanism, const Way& way) {
  const heddle::DesignPoint& point = heddle::point::cgo20::Values;
  gpu::WorkloadOptions options;
  options.lanes = point.lanes;
  options.warps_per_block = point.warps;
  if (workload.takes_any_warps()) options.warps = Warps;
  if (workload.takes_coarsen()) options.coarsen = ItemsOfThread;
  gpu::RunRequest request =
      tests::request_of(mechanism, gpu::workload_program(workload, options, HEDDLE_PTX_DIR, way.options));
  request.kernel = fmt::format("{} {} under {}", workload.name(), way.name, tests::name_of(mechanism));
  request.timed.sm.point = &point;
  request.timed.sm.watchdog_cycles = 1'000'000;
  request.byte_exact = workload.is_byte_exact();
  return request;
}

void run_and_check(const std::vector<gpu::RunRequest>& all, unsigned long share, const std::string& what) {
  const std::vector<gpu::RunRequest> requests = tests::part_of(all, share);
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  double seconds = 0;
  std::uint64_t forced = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const gpu::RunResult& result = results[i];
    BOOST_TEST((result.status == gpu::RunStatus::Ok && (result.equals_oracle || !requests[i].byte_exact)),
               requests[i].kernel << ": " << result.message);
    BOOST_TEST(result.statistics.forced_releases == 0U, requests[i].kernel);
    forced += result.statistics.forced_releases;
    seconds += result.timed_cpu_seconds + result.oracle_cpu_seconds;
  }
  std::cout << fmt::format("{}: {} forced releases, {:.0f} CPU seconds\n",
                           tests::said(requests.size(), all.size(), what), forced, seconds);
}

std::size_t length_of(const gpu::Workload& workload, const Way& way) {
  gpu::ProgramLibrary library(gpu::workload_ptx(workload, HEDDLE_PTX_DIR, way.options), way.options);
  const auto machine = heddle::compiler::MachineOptions::with_barriers(heddle::point::cgo20::Values.barrier_registers);
  return library.find(workload.name(), machine).code.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_with_predictions_give_the_oracles_memory) {
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : kernels(true))
    for (const Way& way : ways())
      for (const heddle::Mechanism& mechanism : tests::barrier_mechanisms())
        requests.push_back(request_of(*workload, mechanism, way));
  run_and_check(requests, Share, "runs of kernels with predictions");
}

BOOST_AUTO_TEST_CASE(kernels_without_give_it_under_automatic_predictions) {
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : kernels(false))
    requests.push_back(
        request_of(*workload, heddle::with_its_scoreboard("barrier"), way("automatic", Reconverge::Automatic)));
  run_and_check(requests, ShareWithout, "runs of kernels without predictions");
}

/// Else the runs above are of nothing.
BOOST_AUTO_TEST_CASE(predictions_put_barriers_into_the_code) {
  unsigned predicted = 0, automatic = 0;
  for (const gpu::Workload* workload : kernels(true)) {
    const std::size_t before = length_of(*workload, way("", Reconverge::Default));
    BOOST_TEST(length_of(*workload, way("", Reconverge::Predicted)) > before, workload->name());
    ++predicted;
    automatic += length_of(*workload, way("", Reconverge::Automatic)) > before ? 1 : 0;
  }
  BOOST_TEST(predicted >= 10U);
  BOOST_TEST(automatic >= 6U);
}
