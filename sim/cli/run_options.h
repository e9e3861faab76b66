// SPDX-License-Identifier: Apache-2.0
// What run and compare have in common: which kernels, on which machine, with which waveform.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/cli/traces.h"
#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"

namespace heddle::cli {

struct RunOptions {
  std::vector<std::string> kernels, settings;
  std::string point = "hpca13", size = "small", level = "O2", input, memory = "timed", json, record_traffic;
  unsigned warps = 0, resident_warps = 0, block_threads = 0, coarsen = 0, jobs = 2, sms = 1;
  std::uint64_t seed = 1, watchdog = 1'000'000, max_cycles = 0;
  std::uint64_t max_instructions = 0;
  unsigned timeline = 0;   ///< samples of a run; 0: none
  unsigned progress = 10;  ///< seconds after which a run says how far it is, and between two lines; 0: never
  compiler::CompileOptions compile;
  bool no_oracle = false, functional = false, no_clock_gate = false, separate_processes = false, check_protocol = false,
       profile = false;

  std::string cuda, compiler = "clang";
  gpu::PtxRun ptx;
  std::string grid = "1", block = "32";

  TraceOptions trace;
  std::uint64_t flight = 500;  ///< cycles before a failure of which there is a waveform; 0: none
};

void add_options(CLI::App& command, RunOptions& options);

/// One request for each kernel and mechanism, kernels outermost. Checks everything that can be checked before a run.
std::vector<gpu::RunRequest> requests(const RunOptions& options, const std::vector<Mechanism>& mechanisms);

/// The exit code after Ctrl-C.
constexpr int InterruptedCode = 130;

/// Runs them, prints tables, failures and JSON; returns the exit code. After Ctrl-C they are of what has run.
int run_and_report(const RunOptions& options, const std::vector<gpu::RunRequest>& requests);

}  // namespace heddle::cli
