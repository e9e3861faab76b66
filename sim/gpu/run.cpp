// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/run.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <sstream>
#include <sys/resource.h>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/ptx/error.h"
#include "sim/sm/threads/occupancy.h"

namespace heddle::gpu {

namespace {

double cpu_seconds() {
  return double(std::clock()) / CLOCKS_PER_SEC;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

/// The lines of `text`, sorted: which thread prints first is not defined.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// A thread that waits for another by spinning may spin longer on the oracle, but not for ever.
constexpr std::uint64_t OracleSlack = 100;

/// What the SMs of the machine hold at once; 0: not even one fits.
std::uint64_t resident_blocks(const TimedParameters& timed, const Launch& launch) {
  const DesignPoint& point = *timed.sm.point;
  const auto threads = static_cast<unsigned>(launch.block.count());
  const unsigned warps = (threads + point.lanes - 1) / point.lanes;
  const unsigned most_warps = timed.sm.resident_warps == 0 ? point.warps : timed.sm.resident_warps;
  const unsigned ctas = occupancy(*launch.program, threads, point, launch.dynamic_shared).ctas;
  return std::uint64_t{timed.sms} * std::min(ctas, most_warps / warps);
}

ErrorCode code_of(const std::exception& error) {
  if (const auto* execution = dynamic_cast<const ExecutionError*>(&error)) return execution->code();
  if (dynamic_cast<const ptx::Error*>(&error) != nullptr) return ErrorCode::InvalidProgram;
  return dynamic_cast<const std::invalid_argument*>(&error) != nullptr ? ErrorCode::InvalidInput : ErrorCode::Internal;
}

Outcome run_oracle(const RunRequest& request, OracleDevice& oracle, RunResult& result) {
  const double start = cpu_seconds();
  const auto count = [&] {
    result.oracle_cpu_seconds = cpu_seconds() - start;
    result.oracle_launch_seconds = oracle.launch_seconds();
    result.oracle_thread_instructions = oracle.thread_instructions();
    if (request.functional) result.launches = oracle.launches();
  };
  try {
    Outcome outcome = request.program(oracle);
    count();
    return outcome;
  } catch (const isa::Interrupted&) {
    count();
    throw;
  }
}

void run_functional(const RunRequest& request, RunResult& result) {
  isa::OracleOptions options = oracle_options(request);
  options.max_thread_instructions = request.max_thread_instructions;
  options.watchdog = request.timed.sm.watchdog_cycles;
  OracleDevice oracle(options);
  oracle.print_to(request.prints_to);
  const Outcome outcome = run_oracle(request, oracle, result);
  result.message = outcome.message;
  result.status = outcome.ok ? RunStatus::Ok : RunStatus::Wrong;
}

/// What the device has counted: of a run that was interrupted, until then.
void take_counts(const TimedDevice& device, double start, RunResult& result) {
  result.timed_cpu_seconds = cpu_seconds() - start;
  result.statistics = device.statistics();
  result.sms = device.statistics_of_sms();
  result.profiles = device.profiles();
  result.timeline = device.timeline();
  result.whole_kernels = device.whole_kernels();
  result.launches = device.launches();
}

Outcome run_program(const RunRequest& request, TimedDevice& device, RunResult& result) {
  const double start = cpu_seconds();
  try {
    Outcome outcome = request.program(device);
    take_counts(device, start, result);
    return outcome;
  } catch (const isa::Interrupted&) {
    take_counts(device, start, result);
    throw;
  }
}

/// Compares memory with the oracle's: byte by byte, but for buffers whose order is said not to count.
void compare_memory(const RunRequest& request, OracleDevice& oracle, TimedDevice& device, RunResult& result) {
  result.equals_oracle = !first_difference(oracle.memory(), device.memory());
  if (result.equals_oracle || !request.byte_exact) return;
  std::string difference = request.buffers ? make_canonical(*request.buffers, oracle, device) : "";
  if (difference.empty()) {
    const auto address = first_difference(oracle.memory(), device.memory());
    if (!address) return;
    difference = fmt::format("memory differs from the oracle's at {:#x}{}", *address,
                             request.buffers ? place_of(*request.buffers, *address) : "");
  }
  result.status = RunStatus::Wrong;
  result.message = fmt::format("{}; {}", difference, request.buffers ? OrderAdvice : result.message);
}

void run_timed(const RunRequest& request, RunResult& result) {
  TimedParameters timed = request.timed;
  if (request.watch)
    timed.watch = [&request](const isa::LaunchProgress& launch) { return request.watch(RunStage::Timed, launch); };
  TimedDevice device(timed);
  device.print_to(request.prints_to);
  const Outcome outcome = run_program(request, device, result);
  result.message = outcome.message;
  result.status = outcome.ok ? RunStatus::Ok : RunStatus::Wrong;
  if (!request.with_oracle) return;
  // The oracle comes second: a kernel without end is found by the watchdog, and the oracle's work can be limited.
  isa::OracleOptions options = oracle_options(request);
  options.max_thread_instructions = OracleSlack * (result.statistics.thread_instructions + 1'000'000);
  OracleDevice oracle(options);
  oracle.print_to(nullptr);
  const Outcome expected = run_oracle(request, oracle, result);
  compare_memory(request, oracle, device, result);
  if (!expected.ok) {
    result.status = RunStatus::Wrong;
    result.message = "the oracle differs from the CPU reference: " + expected.message;
  } else if (sorted_lines(oracle.printed()) != sorted_lines(device.printed())) {
    result.status = RunStatus::Wrong;
    result.message = "the lines that it prints are not the oracle's";
  }
}

}  // namespace

isa::OracleOptions oracle_options(const RunRequest& request) {
  isa::OracleOptions options{request.timed.sm.point->lanes};
  options.resident = [&request](const Launch& launch) { return resident_blocks(request.timed, launch); };
  if (request.watch)
    options.watch = [&request](const isa::LaunchProgress& launch) { return request.watch(RunStage::Oracle, launch); };
  return options;
}

RunResult run_here(const RunRequest& request) {
  RunResult result;
  try {
    if (request.functional)
      run_functional(request, result);
    else
      run_timed(request, result);
  } catch (const isa::Interrupted& interrupted) {
    result.message = interrupted.what();
    result.status = RunStatus::Interrupted;
  } catch (const std::bad_alloc&) {
    result.message = "the host has not enough memory for this run";
    result.status = RunStatus::Error;
  } catch (const std::exception& error) {
    result.message = error.what();
    result.error = code_of(error);
    result.status = result.error == ErrorCode::Deadlock ? RunStatus::Deadlock : RunStatus::Error;
  }
  result.peak_rss_mb = peak_rss_mb();
  return result;
}

std::string workload_ptx(const Workload& workload, const std::string& ptx_directory,
                         const compiler::CompileOptions& compile) {
  const char* const folders[] = {"", "/predicted", "/unmarked"};
  const std::string file = '/' + workload.name() + ".ptx";
  const std::string variant = ptx_directory + folders[static_cast<unsigned>(compile.reconverge)] + file;
  return std::filesystem::exists(variant) ? variant : ptx_directory + file;
}

HostProgram workload_program(const Workload& workload, const WorkloadOptions& options, const std::string& ptx_directory,
                             const compiler::CompileOptions& compile) {
  return [&workload, options, ptx_directory, compile](Device& device) {
    ProgramLibrary library(workload_ptx(workload, ptx_directory, compile), compile);
    const auto program = [&](const std::string& entry) -> const isa::Program& {
      return library.find(entry, device.machine());
    };
    return workload.run(device, program, options);
  };
}

}  // namespace heddle::gpu
