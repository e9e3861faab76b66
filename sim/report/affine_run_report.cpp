// SPDX-License-Identifier: Apache-2.0
#include "sim/report/affine_run_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/report/table.h"

namespace heddle::report {

namespace {

const AffineChoice& choice(const FinishedRun& run) {
  return run.request->timed.sm.mechanism.affine;
}

double over(std::uint64_t part, std::uint64_t of) {
  return of == 0 ? 0 : double(part) / double(of);
}

}  // namespace

bool decouples(const FinishedRun& run) {
  return !run.request->functional && affine_named(choice(run).name).decouples;
}

bool has_affine_unit(const FinishedRun& run) {
  return !run.request->functional && affine_named(choice(run).name).per_warp;
}

std::string affine_part(const FinishedRun& run) {
  return decouples(run) || has_affine_unit(run) ? '+' + choice(run).name : "";
}

std::string affine_table(const std::vector<FinishedRun>& all) {
  std::vector<FinishedRun> runs;
  std::copy_if(all.begin(), all.end(), std::back_inserter(runs),
               [](const FinishedRun& run) { return decouples(run) && run.result->statistics.affine_batches != 0; });
  if (runs.empty()) return "";
  std::vector<std::string> header{"affine warp"};
  for (const FinishedRun& run : runs) header.push_back(run.request->kernel + ' ' + mechanism(run));
  Table table(header);
  const auto row = [&](const char* name, auto text_of) {
    std::vector<std::string> cells{name};
    for (const FinishedRun& run : runs) cells.push_back(text_of(run.result->statistics));
    table.add(cells);
  };
  using S = Statistics;
  row("batches, CTAs each", [](const S& s) {
    return fmt::format("{}, {:.1f}", grouped(s.affine_batches), over(s.affine_ctas, s.affine_batches));
  });
  row("its instructions", [](const S& s) { return grouped(s.affine_instructions); });
  row("share of all", [](const S& s) {
    return fmt::format("{:.2f}%", 100 * over(s.affine_instructions, s.affine_instructions + s.warp_instructions));
  });
  row("tuples enqueued", [](const S& s) { return grouped(s.affine_enqueues); });
  row("queue of tuples, mean/max", [](const S& s) {
    return fmt::format("{:.1f}/{}", over(s.tuple_queue_sum, s.tuple_queue_cycles), s.tuple_queue_max);
  });
  row("waits: outcome/room",
      [](const S& s) { return grouped(s.affine_outcome_cycles) + '/' + grouped(s.affine_full_cycles); });
  row("predicates: a CTA/a warp/lanes", [](const S& s) {
    return grouped(s.affine_scalar_predicates) + '/' + grouped(s.affine_pair_predicates) + '/' +
           grouped(s.affine_lane_compares);
  });
  row("addresses: regions/threads",
      [](const S& s) { return grouped(s.affine_regions) + '/' + grouped(s.affine_threads); });
  row("lines asked early, lock waits",
      [](const S& s) { return grouped(s.affine_requests) + ", " + grouped(s.affine_lock_refusals); });
  row("decoupled loads/stores/branches", [](const S& s) {
    return grouped(s.decoupled_loads) + '/' + grouped(s.decoupled_stores) + '/' + grouped(s.decoupled_branches);
  });
  row("records dequeued", [](const S& s) { return grouped(s.dequeued_records); });
  return '\n' + table.text();
}

std::string affine_unit_shares(const std::vector<FinishedRun>& runs) {
  std::string text;
  for (const FinishedRun& run : runs) {
    if (!has_affine_unit(run)) continue;
    const Statistics& s = run.result->statistics;
    text += fmt::format("{} {}: {} of {} warp instructions on the affine unit ({:.2f}%)\n", run.request->kernel,
                        mechanism(run), grouped(s.affine_unit_instructions), grouped(s.warp_instructions),
                        100 * over(s.affine_unit_instructions, s.warp_instructions));
  }
  return text.empty() ? text : '\n' + text;
}

std::string whole_kernels(const std::vector<FinishedRun>& runs) {
  std::vector<std::string> lines;  // each once, whatever mechanisms it is of
  for (const FinishedRun& run : runs) {
    if (!decouples(run)) continue;
    for (const auto& [kernel, whole] : run.result->whole_kernels) {
      std::string line =
          fmt::format("{}: kernel {} ran as one stream{}: {}\n", run.request->kernel, kernel,
                      whole.launches == 1 ? "" : fmt::format(" ({} launches)", grouped(whole.launches)), whole.reason);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  return lines.empty() ? "" : fmt::format("\n{}", fmt::join(lines, ""));
}

nlohmann::json affine_choice(const FinishedRun& run) {
  if (!decouples(run)) return {{"unit", choice(run).name}};
  nlohmann::json all{{"unit", choice(run).name},
                     {"batch", choice(run).full_batches ? "full" : "free"},
                     {"branches", choice(run).outcomes ? "all" : "affine"},
                     {"enqueue", choice(run).strict ? "strict" : "loose"},
                     {"whole_kernels", nlohmann::json::array()}};
  for (const auto& [kernel, whole] : run.result->whole_kernels)
    all["whole_kernels"].push_back({{"kernel", kernel}, {"reason", whole.reason}, {"launches", whole.launches}});
  return all;
}

}  // namespace heddle::report
