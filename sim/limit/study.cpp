// SPDX-License-Identifier: Apache-2.0
#include "sim/limit/study.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/isa/lanes.h"
#include "sim/isa/launch_progress.h"

namespace heddle::limit {

using isa::Lanes;
using isa::Pc;

isa::Pc Branch::predicted() const {
  const auto most =
      std::max_element(meets.begin(), meets.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == meets.end() ? isa::NoPc : most->first;
}

namespace {

/// The PC at which those of `group` that have not ended are together next, from a column on.
Pc meeting_of(const LaunchTrace& launch, const Schedule& schedule, std::size_t from, Lanes group,
              const std::vector<Lanes>& live) {
  for (std::size_t at = from; at < schedule.size(); ++at) {
    const Lanes rest = group & live[at];
    if ((rest & (rest - 1)) == 0) break;  // one lane meets nobody
    if ((schedule[at].lanes & rest) == rest) return launch.pieces[schedule[at].piece].first;
  }
  return isa::NoPc;
}

}  // namespace

void find_meetings(const LaunchTrace& launch, const Schedule& schedule, Branches& branches) {
  constexpr PieceIndex None = ~PieceIndex{0};
  const std::size_t count = schedule.size();
  std::vector<Lanes> live(count + 1, 0);  // lanes that have this column or a later one
  for (std::size_t at = count; at-- > 0;) live[at] = live[at + 1] | schedule[at].lanes;
  // From the back: what each lane does next.
  std::vector<PieceIndex> next(isa::MaxLanes, None);
  for (std::size_t at = count; at-- > 0;) {
    const Column& column = schedule[at];
    std::vector<PieceIndex> targets;
    isa::for_each_lane(column.lanes, [&](unsigned lane) {
      if (next[lane] != None) targets.push_back(next[lane]);
      next[lane] = column.piece;
    });
    if (std::adjacent_find(targets.begin(), targets.end(), std::not_equal_to<>()) == targets.end()) continue;
    const Pc pc = launch.pieces[column.piece].last;
    Branch& branch = branches[{launch.entry, pc}];
    branch.entry = launch.entry;
    branch.place = launch.places[column.piece];
    branch.pc = pc;
    branch.post_dominator = launch.last[column.piece].rpc;
    ++branch.meets[meeting_of(launch, schedule, at + 1, column.lanes & live[at + 1], live)];
  }
}

namespace {

/// The thread behind the last one of the warp that begins with thread `first`.
unsigned end_of_warp(const LaunchTrace& launch, unsigned first, unsigned lanes) {
  const unsigned in_block = launch.block_threads - first % launch.block_threads;
  return std::min<unsigned>({first + lanes, first + in_block, unsigned(launch.threads.size())});
}

unsigned count_warps(const std::vector<LaunchTrace>& launches, unsigned lanes) {
  unsigned warps = 0;
  for (const LaunchTrace& launch : launches)
    for (unsigned first = 0; first < launch.threads.size(); first = end_of_warp(launch, first, lanes)) ++warps;
  return warps;
}

void study(const LaunchTrace& launch, unsigned lanes, Result& result, Branches& branches,
           const std::function<void(unsigned)>& progress) {
  ++result.launches;
  result.launched_threads += launch.launched_threads;
  result.threads += launch.threads.size();
  result.cut += launch.cut;
  result.has_warp_wide = result.has_warp_wide || launch.has_warp_wide;
  result.has_indirect = result.has_indirect || launch.has_indirect;
  for (const Trace& trace : launch.threads) result.blocks += trace.size();
  for (unsigned first = 0; first < launch.threads.size();) {
    const unsigned end = end_of_warp(launch, first, lanes);
    WarpTraces traces;
    for (unsigned thread = first; thread < end; ++thread) traces.push_back(&launch.threads[thread]);
    first = end;
    const Schedule stack = post_dominator_schedule(launch, traces);
    const Schedule aligned = aligned_schedule(launch, traces);
    const std::uint64_t stack_slots = slots(stack, launch.pieces), aligned_slots = slots(aligned, launch.pieces);
    const bool is_better = aligned_slots < stack_slots;  // the stack's is an alignment too
    find_meetings(launch, is_better ? aligned : stack, branches);
    result.post_dominator_slots += stack_slots;
    result.aligned_slots += std::min(aligned_slots, stack_slots);
    result.fewest_slots += fewest_slots(launch, traces);
    result.better_warps += is_better ? 1 : 0;
    result.worse_warps += aligned_slots > stack_slots ? 1 : 0;
    ++result.warps;
    progress(result.warps);
  }
}

}  // namespace

Result study(const std::vector<LaunchTrace>& launches, unsigned lanes,
             const std::function<bool(unsigned, unsigned)>& progress) {
  Result result;
  Branches branches;
  const unsigned all = count_warps(launches, lanes);
  const auto watch = [&](unsigned done) {
    if (progress && !progress(done, all))
      throw isa::Interrupted(fmt::format("the alignment was interrupted after {} of {} warps", done, all));
  };
  for (const LaunchTrace& launch : launches) study(launch, lanes, result, branches, watch);
  for (auto& [key, branch] : branches) {
    for (const LaunchTrace& launch : launches) {
      if (launch.entry != branch.entry) continue;
      for (std::size_t piece = 0; piece < launch.pieces.size(); ++piece)
        branch.places[launch.pieces[piece].first] = launch.first_places[piece];
      break;
    }
    result.branches.push_back(branch);
  }
  return result;
}

}  // namespace heddle::limit
