// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/profile_sums.h"

#include <fmt/format.h>
#include <numeric>

namespace heddle::tests {

namespace {

struct Sum {
  const char* name;
  std::uint64_t CodeCount::*of_code;
  std::uint64_t Statistics::*of_run;
};
constexpr Sum Sums[] = {{"warp instructions", &CodeCount::issues, &Statistics::warp_instructions},
                        {"thread instructions", &CodeCount::active_lanes, &Statistics::thread_instructions},
                        {"branches", &CodeCount::branches, &Statistics::branches},
                        {"divergent branches", &CodeCount::divergent, &Statistics::divergent_branches},
                        {"line requests", &CodeCount::line_requests, &Statistics::line_requests},
                        {"shared passes", &CodeCount::shared_passes, &Statistics::shared_passes}};

}  // namespace

std::vector<std::string> unaccounted(const gpu::RunResult& result) {
  std::vector<std::string> lines;
  const auto expect = [&lines](const char* name, std::uint64_t told, std::uint64_t expected) {
    if (told != expected) lines.push_back(fmt::format("{}: {} in the profile, expected {}", name, told, expected));
  };
  CodeCount code;
  std::uint64_t cycles = 0, without_warp = 0, launches = 0;
  for (const gpu::KernelProfile& profile : result.profiles) {
    for (const gpu::KernelProfile::Row& row : profile.rows) code += row.counts;
    cycles += profile.scheduler_cycles();
    without_warp += profile.cycles_without_warp;
    launches += profile.launches;
  }
  const Statistics& run = result.statistics;
  for (const Sum& sum : Sums) expect(sum.name, code.*sum.of_code, run.*sum.of_run);
  code.stalls[static_cast<unsigned>(Stall::NoWarp)] += without_warp;
  for (unsigned i = 0; i < Stalls; ++i) expect(stall_name(static_cast<Stall>(i)).name, code.stalls[i], run.stalls[i]);
  expect("scheduler cycles", cycles, std::accumulate(run.stalls.begin(), run.stalls.end(), run.warp_instructions));
  expect("launches", launches, result.launches);
  return lines;
}

}  // namespace heddle::tests
