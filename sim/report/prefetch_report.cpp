// SPDX-License-Identifier: Apache-2.0
#include "sim/report/prefetch_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "sim/report/table.h"

namespace heddle::report {

bool prefetches(const FinishedRun& run) {
  return !run.request->functional && prefetcher_named(run.request->timed.sm.mechanism.prefetch).prefetches;
}

std::string prefetch_table(const std::vector<FinishedRun>& all) {
  std::vector<FinishedRun> runs;
  std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
               [](const FinishedRun& run) { return prefetches(run) && run.result->statistics.cycles != 0; });
  if (runs.empty()) return "";
  Table table({"prefetches", "asked", "sent", "not asked: outside/throttled", "not sent: redundant/dropped",
               "useful: in time/late", "useless: evicted/stale", "throttle: mean degree, last"});
  for (const FinishedRun& run : runs) {
    const Statistics& s = run.result->statistics;
    const auto pair = [](std::uint64_t one, std::uint64_t other) { return grouped(one) + '/' + grouped(other); };
    const double mean = s.prefetch_periods == 0 ? 0 : double(s.prefetch_degree_sum) / double(s.prefetch_periods);
    table.add({run.request->kernel + ' ' + mechanism(run), grouped(s.prefetch_asked), grouped(s.prefetch_sent),
               pair(s.prefetch_outside, s.prefetch_throttled), pair(s.prefetch_redundant, s.prefetch_dropped),
               pair(s.prefetch_hits, s.prefetch_merges), pair(s.prefetch_early_evictions, s.prefetch_stale),
               s.prefetch_periods == 0 ? std::to_string(s.prefetch_degree)
                                       : fmt::format("{:.1f}, {}", mean, s.prefetch_degree)});
  }
  return '\n' + table.text();
}

}  // namespace heddle::report
