// SPDX-License-Identifier: Apache-2.0
// A device that runs kernels on the cycle-accurate SM in front of its memory subsystem. One a process: SystemC
// elaborates once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "rtl/base/trace_window.h"
#include "sim/gpu/device.h"
#include "sim/gpu/flight_window.h"
#include "sim/gpu/kernel_profile.h"
#include "sim/gpu/machine_memory.h"
#include "sim/gpu/run_copies.h"
#include "sim/gpu/timeline.h"
#include "sim/gpu/trace_moment.h"
#include "sim/isa/launch_progress.h"
#include "sim/sm/core/sm.h"
#include "tlm/memory_subsystem.h"

namespace heddle::gpu {

/// A kernel that a machine with an affine warp ran as one stream, and why.
struct WholeKernel {
  std::string reason;  ///< of its first such launch
  std::uint64_t launches = 0;
};
using WholeKernels = std::map<std::string, WholeKernel>;  // by kernel

struct TimedParameters {
  SmParameters sm;   ///< of each SM; its place is the device's affair
  unsigned sms = 1;  ///< behind one memory
  MemoryKind memory = MemoryKind::Share;
  /// A memory of one's own below the L1s, in place of `memory`; null: none.
  std::function<std::unique_ptr<MemoryBelow>(unsigned sms, const sc_core::sc_time& period, BackingStore& store)>
      own_memory;
  std::string record_traffic;  ///< file for what goes between the L1s and the memory below; empty: none
  bool monitor = false;        ///< check what passes the memory's sockets; debug builds always do
  bool profile = false;        ///< keep what each instruction did
  unsigned timeline = 0;       ///< samples over time, at most; 0: none
  TraceWindow trace;
  TraceMoment trace_from, trace_to;  ///< of the SM `trace_sm`, in place of a cycle of `trace`
  unsigned trace_sm = 0;
  FlightParameters flight;
  /// Called now and then; once it returns false the launch ends with isa::Interrupted. Null: none.
  std::function<bool(const isa::LaunchProgress&)> watch;
};

class TimedDevice : public Device {
 public:
  explicit TimedDevice(const TimedParameters& parameters);

  std::uint64_t allocate(std::size_t bytes) override { return store_.allocate(bytes); }
  void write(std::uint64_t address, const void* from, std::size_t bytes) override;
  void read(std::uint64_t address, void* to, std::size_t bytes) const override { store_.read(address, to, bytes); }

  compiler::MachineOptions machine() const override;

  const BackingStore& memory() const { return store_; }
  /// The statistics of all launches so far, of all SMs.
  const Statistics& statistics() const { return total_; }
  /// The same of each SM; what belongs to the memory they share is zero here.
  const std::vector<Statistics>& statistics_of_sms() const { return totals_; }
  unsigned launches() const { return launches_; }
  /// Kernels of which launches did not run in two streams, though the machine could. Empty where it could not.
  const WholeKernels& whole_kernels() const { return whole_kernels_; }
  /// The counts of the last launch, by PC, of all SMs.
  CodeCounts code_counts() const;
  /// A kernel each, in the order of their first launches. Only if parameters.profile.
  const std::vector<KernelProfile>& profiles() const { return profiles_; }
  /// The timeline of all launches so far, of all SMs. None unless parameters.timeline.
  std::vector<TimelineSample> timeline() const { return timeline_.samples(); }

 private:
  /// Runs to the last store. Errors of the blocks (a stack that overflows, say) arrive as ExecutionError too.
  void execute(const Launch& launch) override;
  void execute_as_compiled(const Launch& launch);
  bool decouples() const { return affine_named(parameters_.sm.mechanism.affine.name).decouples; }
  void run_until_done(const Launch& launch);
  void watch(const Launch& launch) const;
  void give_up_if_stuck(const Launch& launch) const;
  void advance(const sc_core::sc_time& length);
  bool waits_for_a_moment() const;
  sc_core::sc_time sample_time() const;
  TimelineSample counted_in_launch() const;
  void look_for_moments();
  void leave_waveform(const std::string& what);
  bool done() const;
  bool memory_is_idle() const;
  bool drained() const;
  std::uint64_t code_address(const isa::Program& program);
  std::uint64_t cycles() const;
  Statistics counters(unsigned number) const;
  void count_code(const isa::Program& program);
  void end_launch(const Launch& launch, const std::vector<Statistics>& before, const Statistics& memory_before);
  void count_launch(const std::vector<Statistics>& before, const Statistics& memory_before);

  TimedParameters parameters_;
  BackingStore store_;
  std::vector<std::unique_ptr<sm>> sms_;
  memory_subsystem memory_;
  CtaDispatcher dispatcher_;
  trace_recorder recorder_;
  RunCopies copies_;
  MomentWatch begins_, ends_;  // the waveform
  Statistics total_;
  std::vector<Statistics> totals_;  // by SM
  std::vector<KernelProfile> profiles_;
  Timeline timeline_;
  sc_core::sc_time launched_;  // when the launch began
  WholeKernels whole_kernels_;
  unsigned launches_ = 0;
  /// By file, kernel, instructions, and whether the affine warp runs another stream of it.
  std::map<std::tuple<std::string, std::string, std::size_t, bool>, std::uint64_t> code_;
};

}  // namespace heddle::gpu
