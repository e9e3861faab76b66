// SPDX-License-Identifier: Apache-2.0
// Kernels of ours on SMs whose L1s stand before fixed_latency_target, and on one before loosely_timed_target:
//
//   own_memory KERNEL...        every byte as the oracle has it; a longer latency takes more cycles, and so does the
//                               loosely timed memory, which serves one access at a time. Else it ends with 1
#include <fmt/format.h>

#include "rtl/config/design_points.h"
#include "sim/gpu/run.h"
#include "tests/own/memory/fixed_latency_target.h"
#include "tests/own/memory/loosely_timed_target.h"

namespace gpu = heddle::gpu;

namespace {

enum class Target { FixedLatency, LooselyTimed };

gpu::RunRequest run_of(const gpu::Workload& kernel, unsigned sms, unsigned latency, Target target) {
  gpu::RunRequest request;
  request.kernel = kernel.name();
  request.program = gpu::workload_program(kernel, {}, HEDDLE_PTX_DIR);
  request.byte_exact = kernel.is_byte_exact();
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = heddle::with_its_scoreboard("dpe");
  request.timed.sms = sms;
  request.timed.monitor = true;  // and says which rule of the protocol is broken
  using Below = std::unique_ptr<heddle::MemoryBelow>;
  request.timed.own_memory = [=](unsigned all, const sc_core::sc_time& period, heddle::BackingStore& store) -> Below {
    if (target == Target::LooselyTimed)
      return std::make_unique<loosely_timed_target>("below", all, latency, period, store);
    return std::make_unique<fixed_latency_target>("below", latency, period, store);
  };
  return request;
}

bool is_right(const gpu::RunRequest& request, const gpu::RunResult& result, const char* memory) {
  const bool right = result.status == gpu::RunStatus::Ok && (result.equals_oracle || !request.byte_exact);
  fmt::print("{:>12}, {} SMs, {}: {:>8} cycles, {:>6} reads, {}\n", request.kernel, request.timed.sms, memory,
             result.statistics.cycles, result.statistics.dram_reads, right ? "as the oracle" : result.message);
  return right && result.statistics.dram_reads > 0;
}

}  // namespace

int sc_main(int argc, char** argv) {
  bool all_right = true;
  for (int i = 1; i < argc; ++i) {
    const gpu::Workload* kernel = gpu::find_workload(argv[i]);
    if (kernel == nullptr) {
      fmt::print("no kernel '{}'\n", argv[i]);
      return 1;
    }
    for (const unsigned sms : {1U, 3U}) {
      std::vector<gpu::RunRequest> requests{run_of(*kernel, sms, 100, Target::FixedLatency),
                                            run_of(*kernel, sms, 400, Target::FixedLatency)};
      if (sms == 1) requests.push_back(run_of(*kernel, sms, 100, Target::LooselyTimed));
      constexpr const char* memories[] = {"100 cycles", "400 cycles", "100 cycles, loosely timed"};
      const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
      for (std::size_t r = 0; r < results.size(); ++r) all_right &= is_right(requests[r], results[r], memories[r]);
      for (std::size_t r = 1; r < results.size(); ++r)
        all_right &= results[0].statistics.cycles < results[r].statistics.cycles;
    }
  }
  return all_right ? 0 : 1;
}
