// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/run.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/ptx/error.h"

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

/// Who prints first is the machine's affair: lines, not their order.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// A thread that waits for another by spinning may spin longer on the oracle, but not for ever.
constexpr std::uint64_t OracleSlack = 100;

ErrorCode code_of(const std::exception& error) {
  if (const auto* execution = dynamic_cast<const ExecutionError*>(&error)) return execution->code();
  if (dynamic_cast<const ptx::Error*>(&error) != nullptr) return ErrorCode::InvalidProgram;
  return dynamic_cast<const std::invalid_argument*>(&error) != nullptr ? ErrorCode::InvalidInput : ErrorCode::Internal;
}

/// A result as bytes: its fixed part, the statistics of each SM, its text, the rest as JSON.
static_assert(std::is_trivially_copyable_v<Statistics>);
struct FixedPart {
  RunStatus status;
  ErrorCode error;
  bool equals_oracle;
  Statistics statistics;
  unsigned launches;
  std::uint64_t oracle_thread_instructions;
  double timed_cpu_seconds, oracle_cpu_seconds, oracle_launch_seconds, peak_rss_mb;
  std::size_t sms, message_bytes;
};

std::string pack(const RunResult& r) {
  FixedPart fixed;
  std::memset(static_cast<void*>(&fixed), 0, sizeof fixed);
  fixed = {r.status,
           r.error,
           r.equals_oracle,
           r.statistics,
           r.launches,
           r.oracle_thread_instructions,
           r.timed_cpu_seconds,
           r.oracle_cpu_seconds,
           r.oracle_launch_seconds,
           r.peak_rss_mb,
           r.sms.size(),
           r.message.size()};
  nlohmann::json rest{{"profiles", nlohmann::json::array()},
                      {"whole_kernels", nlohmann::json::array()},
                      {"timeline", to_json(r.timeline)}};
  for (const KernelProfile& profile : r.profiles) rest["profiles"].push_back(to_json(profile));
  for (const auto& [kernel, whole] : r.whole_kernels)
    rest["whole_kernels"].push_back({kernel, whole.reason, whole.launches});
  return std::string(reinterpret_cast<const char*>(&fixed), sizeof fixed) +
         std::string(reinterpret_cast<const char*>(r.sms.data()), r.sms.size() * sizeof(Statistics)) + r.message +
         rest.dump();
}

RunResult unpack(const std::string& bytes, int wait_status) {
  FixedPart fixed;
  RunResult r;
  r.error = ErrorCode::Internal;
  if (bytes.size() < sizeof fixed) {
    r.message = WIFSIGNALED(wait_status) ? fmt::format("the run was ended by signal {}", WTERMSIG(wait_status))
                                         : fmt::format("the run ended with code {}", WEXITSTATUS(wait_status));
    return r;
  }
  std::memcpy(static_cast<void*>(&fixed), bytes.data(), sizeof fixed);
  const std::size_t sms_bytes = fixed.sms * sizeof(Statistics);
  std::vector<Statistics> sms(fixed.sms);
  std::memcpy(static_cast<void*>(sms.data()), bytes.data() + sizeof fixed, sms_bytes);
  const nlohmann::json rest = nlohmann::json::parse(bytes.substr(sizeof fixed + sms_bytes + fixed.message_bytes));
  std::vector<KernelProfile> profiles;
  for (const nlohmann::json& one : rest.at("profiles")) profiles.push_back(kernel_profile(one));
  WholeKernels whole_kernels;
  for (const nlohmann::json& one : rest.at("whole_kernels")) whole_kernels[one.at(0)] = {one.at(1), one.at(2)};
  return {fixed.status,
          fixed.error,
          bytes.substr(sizeof fixed + sms_bytes, fixed.message_bytes),
          fixed.equals_oracle,
          fixed.statistics,
          sms,
          profiles,
          timeline(rest.at("timeline")),
          whole_kernels,
          fixed.launches,
          fixed.oracle_thread_instructions,
          fixed.timed_cpu_seconds,
          fixed.oracle_cpu_seconds,
          fixed.oracle_launch_seconds,
          fixed.peak_rss_mb};
}

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::size_t request = 0;
};

Child spawn(const RunRequest& request, std::size_t index) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(fmt::format("pipe: {}", std::strerror(errno)));
  std::cout.flush();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // when nobody is left to read what it finds
    if (::getppid() != parent) ::_exit(3);
    ::close(ends[0]);
    const std::string bytes = pack(run_here(request));
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t wrote = ::write(ends[1], bytes.data() + done, bytes.size() - done);
      if (wrote <= 0) ::_exit(3);
      done += static_cast<std::size_t>(wrote);
    }
    std::cout.flush();
    ::_exit(0);
  }
  ::close(ends[1]);
  return {process, ends[0], index};
}

Outcome run_oracle(const RunRequest& request, OracleDevice& oracle, RunResult& result) {
  const double start = cpu_seconds();
  Outcome outcome = request.program(oracle);
  result.oracle_cpu_seconds = cpu_seconds() - start;
  result.oracle_launch_seconds = oracle.launch_seconds();
  result.oracle_thread_instructions = oracle.thread_instructions();
  return outcome;
}

void run_functional(const RunRequest& request, RunResult& result) {
  isa::OracleOptions options{request.timed.sm.point->lanes};
  options.max_thread_instructions = request.max_thread_instructions;
  options.watchdog = request.timed.sm.watchdog_cycles;
  OracleDevice oracle(options);
  oracle.print_to(request.prints_to);
  const Outcome outcome = run_oracle(request, oracle, result);
  result.launches = oracle.launches();
  result.message = outcome.message;
  result.status = outcome.ok ? RunStatus::Ok : RunStatus::Wrong;
}

void run_timed(const RunRequest& request, RunResult& result) {
  TimedDevice device(request.timed);
  device.print_to(request.prints_to);
  const double start = cpu_seconds();
  const Outcome outcome = request.program(device);
  result.timed_cpu_seconds = cpu_seconds() - start;
  result.statistics = device.statistics();
  result.sms = device.statistics_of_sms();
  result.profiles = device.profiles();
  result.timeline = device.timeline();
  result.whole_kernels = device.whole_kernels();
  result.launches = device.launches();
  result.message = outcome.message;
  result.status = outcome.ok ? RunStatus::Ok : RunStatus::Wrong;
  if (!request.with_oracle) return;
  // The oracle comes second: a kernel without end is found by the watchdog, and the oracle's work can be limited.
  isa::OracleOptions options{request.timed.sm.point->lanes};
  options.max_thread_instructions = OracleSlack * (result.statistics.thread_instructions + 1'000'000);
  OracleDevice oracle(options);
  oracle.print_to(nullptr);
  const Outcome expected = run_oracle(request, oracle, result);
  const auto difference = first_difference(oracle.memory(), device.memory());
  result.equals_oracle = !difference;
  if (!expected.ok) {
    result.status = RunStatus::Wrong;
    result.message = "the oracle differs from the CPU reference: " + expected.message;
  } else if (sorted_lines(oracle.printed()) != sorted_lines(device.printed())) {
    result.status = RunStatus::Wrong;
    result.message = "the lines that it prints are not the oracle's";
  } else if (difference && request.byte_exact) {
    result.status = RunStatus::Wrong;
    result.message = fmt::format("memory differs from the oracle's at {:#x}; {}", *difference, outcome.message);
  }
}

std::string read_all(int pipe) {
  std::string bytes;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(pipe, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(got));
  ::close(pipe);
  return bytes;
}

}  // namespace

RunResult run_here(const RunRequest& request) {
  RunResult result;
  try {
    if (request.functional)
      run_functional(request, result);
    else
      run_timed(request, result);
  } catch (const std::exception& error) {
    result.message = error.what();
    result.error = code_of(error);
    result.status = result.error == ErrorCode::Deadlock ? RunStatus::Deadlock : RunStatus::Error;
  }
  result.peak_rss_mb = peak_rss_mb();
  return result;
}

std::vector<RunResult> run_in_children(const std::vector<RunRequest>& requests, unsigned jobs,
                                       const std::function<void(std::size_t)>& finished) {
  std::vector<RunResult> results(requests.size());
  std::vector<Child> running;
  std::size_t next = 0;
  while (next < requests.size() || !running.empty()) {
    while (next < requests.size() && running.size() < std::max(1U, jobs)) {
      running.push_back(spawn(requests[next], next));
      ++next;
    }
    // The oldest first: its pipe holds what it wrote until we read it.
    const Child child = running.front();
    running.erase(running.begin());
    const std::string bytes = read_all(child.pipe);
    int status = 0;
    ::waitpid(child.process, &status, 0);
    results[child.request] = unpack(bytes, status);
    if (finished) finished(child.request);
  }
  return results;
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
