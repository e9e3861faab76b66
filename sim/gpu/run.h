// SPDX-License-Identifier: Apache-2.0
// One run: a host program on the oracle and on the timed device, compared, in a process of its own.
//
// A process of its own because SystemC elaborates once, because a run that ends in an error leaves its SM in the middle
// of things, and because runs then spread over the cores.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "sim/compiler/compile.h"
#include "sim/gpu/buffers.h"
#include "sim/gpu/execution_error.h"
#include "sim/gpu/run_progress.h"
#include "sim/gpu/timed_device.h"
#include "sim/gpu/workload.h"
#include "sim/isa/oracle.h"

namespace heddle::gpu {

/// What the host does with a device: allocate, copy, launch, read back, compare with a CPU reference.
using HostProgram = std::function<Outcome(Device&)>;

struct RunRequest {
  std::string kernel;  ///< for people
  HostProgram program;
  TimedParameters timed;
  std::uint64_t seed = 1;
  bool expects_deadlock = false;
  bool with_oracle = true;  ///< run the oracle too and compare every byte of memory
  bool functional = false;  ///< the oracle alone: nothing is timed, and `timed` says only the lanes and the seed
  std::uint64_t max_thread_instructions = 0;  ///< of a launch in functional mode; 0: no limit
  std::ostream* prints_to = nullptr;          ///< what kernels print; null: nowhere
  std::shared_ptr<Buffers> buffers;           ///< of a user's kernel, which says how they are compared; else null
  /// Called now and then; once it returns false the run ends as Interrupted. Null: none.
  std::function<bool(RunStage, const isa::LaunchProgress&)> watch;
  bool byte_exact = true;  ///< if not, results may depend on order: the oracle must pass the driver's check alone
};

/// Interrupted: by the person who ran it; what was counted until then stands.
enum class RunStatus { Ok, Deadlock, Wrong, Error, Interrupted };

struct RunResult {
  RunStatus status = RunStatus::Error;
  ErrorCode error = ErrorCode::None;  ///< what ended it; None also where the result is wrong
  std::string message;                ///< what is wrong, or the reference comparison's own words
  bool equals_oracle = false;
  Statistics statistics;
  std::vector<Statistics> sms;           ///< of each SM; what belongs to the memory they share is zero
  std::vector<KernelProfile> profiles;   ///< if the request asks for them
  std::vector<TimelineSample> timeline;  ///< if the request asks for it
  WholeKernels whole_kernels;            ///< that did not run in two streams, on a machine which could
  unsigned launches = 0;
  std::uint64_t oracle_thread_instructions = 0;
  double timed_cpu_seconds = 0, oracle_cpu_seconds = 0;
  double oracle_launch_seconds = 0;  ///< of oracle_cpu_seconds, those inside launches
  double peak_rss_mb = 0;
};

/// The oracle as large as the machine of the request, which must outlive them; without limits.
isa::OracleOptions oracle_options(const RunRequest& request);

/// Runs here, in this process; SystemC must not be elaborated yet.
RunResult run_here(const RunRequest& request);

/// Runs all, at most `jobs` at once, each in a child process. Results in the order of the requests. At an interrupt that
/// is noted (interrupts.h) none begins any more, and those that run end as Interrupted.
/// \param progress  called several times a second, with a row a request
std::vector<RunResult> run_in_children(const std::vector<RunRequest>& requests, unsigned jobs,
                                       const std::function<void(const std::vector<RunProgress>&)>& progress = {});

/// The PTX of a registered workload among those of `directory`. With predictions that with marks, with automatic ones that
/// without, so that the compiler finds them alone; else NAME.ptx, whose marks cost nothing (kernels/README.md).
std::string workload_ptx(const Workload& workload, const std::string& ptx_directory,
                         const compiler::CompileOptions& compile);

/// The host program of a registered workload, with its PTX from `ptx_directory`.
HostProgram workload_program(const Workload& workload, const WorkloadOptions& options, const std::string& ptx_directory,
                             const compiler::CompileOptions& compile = {});

}  // namespace heddle::gpu
