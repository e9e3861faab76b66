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
  std::vector<std::string> header{"prefetches"};
  for (const FinishedRun& run : runs) header.push_back(run.request->kernel + ' ' + mechanism(run));
  Table table(header);
  const auto row = [&](const char* name, auto text_of) {
    std::vector<std::string> cells{name};
    for (const FinishedRun& run : runs) cells.push_back(text_of(run.result->statistics));
    table.add(cells);
  };
  using S = Statistics;
  row("asked, sent", [](const S& s) { return grouped(s.prefetch_asked) + ", " + grouped(s.prefetch_sent); });
  row("not asked: outside/throttled",
      [](const S& s) { return grouped(s.prefetch_outside) + '/' + grouped(s.prefetch_throttled); });
  row("not sent: redundant/dropped",
      [](const S& s) { return grouped(s.prefetch_redundant) + '/' + grouped(s.prefetch_dropped); });
  row("useful: in time/late", [](const S& s) { return grouped(s.prefetch_hits) + '/' + grouped(s.prefetch_merges); });
  row("useless: evicted/stale",
      [](const S& s) { return grouped(s.prefetch_early_evictions) + '/' + grouped(s.prefetch_stale); });
  row("throttle: periods, mean degree, last", [](const S& s) {
    const double mean = s.prefetch_periods == 0 ? 0 : double(s.prefetch_degree_sum) / double(s.prefetch_periods);
    return fmt::format("{}, {:.1f}, {}", grouped(s.prefetch_periods), mean, s.prefetch_degree);
  });
  return '\n' + table.text();
}

}  // namespace heddle::report
