// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/kernel_runs.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <map>

#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace heddle::tests {

namespace {

constexpr std::uint64_t InTheEnd = 20'000'000, WithoutGate = 30'000;  // cycles

bool is_refused(const gpu::RunResult& result) {
  return result.error == gpu::ErrorCode::NotSupported || result.error == gpu::ErrorCode::InvalidConfiguration ||
         result.error == gpu::ErrorCode::OutOfResources;
}

}  // namespace

std::vector<gpu::RunRequest> every_kernel(const DesignPoint& point, const Mechanism& mechanism,
                                          const std::string& ptx_directory, std::uint64_t in_time) {
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    requests.push_back(request_of(*workload, point, mechanism, ptx_directory));
    requests.back().timed.sm.max_cycles = only_a_part() ? in_time : InTheEnd;
  }
  return requests;
}

bool runs_everywhere(const gpu::RunRequest& request) {
  return request.kernel.rfind("vector_add", 0) == 0;
}

unsigned check_kernels(const std::vector<gpu::RunRequest>& requests,
                       const std::function<void(const gpu::RunRequest&, const gpu::RunResult&)>& check) {
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  std::map<std::string, unsigned> left_out;
  unsigned equal = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::string& run = requests[i].kernel;
    if (is_refused(results[i]) || (only_a_part() && results[i].error == gpu::ErrorCode::CycleLimit)) {
      ++left_out[results[i].message.substr(0, results[i].message.find('\n'))];
      continue;
    }
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok), run << ": " << results[i].message);
    if (requests[i].byte_exact) BOOST_TEST(results[i].equals_oracle, run << ": " << results[i].message);
    equal += results[i].equals_oracle;
    check(requests[i], results[i]);
  }
  std::cout << fmt::format("{} of {} equal the oracle\n", equal, requests.size());
  for (const auto& [why, runs] : left_out) std::cout << fmt::format("{:>4} left out: {}\n", runs, why);
  return equal;
}

unsigned check_kernels_with_and_without_gate(
    const std::vector<gpu::RunRequest>& requests,
    const std::function<void(const gpu::RunRequest&, const gpu::RunResult&)>& check) {
  std::vector<gpu::RunRequest> free;
  std::vector<Statistics> gated;
  const unsigned equal = check_kernels(requests, [&](const gpu::RunRequest& request, const gpu::RunResult& result) {
    check(request, result);
    if (result.statistics.cycles > WithoutGate) return;
    free.push_back(request);
    free.back().timed.sm.clock_gate = false;
    free.back().timed.sm.one_process = false;
    gated.push_back(result.statistics);
  });
  const std::vector<gpu::RunResult> ungated = gpu::run_in_children(free, 2);
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto with = gated[i].numbers(), without = ungated[i].statistics.numbers();
    for (std::size_t n = 0; n < with.size(); ++n)
      BOOST_TEST(with[n].value == without[n].value,
                 free[i].kernel << ": " << with[n].name << " " << ungated[i].message);
  }
  std::cout << free.size() << " of them with and without the gate\n";
  return equal;
}

}  // namespace heddle::tests
