// SPDX-License-Identifier: Apache-2.0
// The reconvergence point limit study of a kernel (DWF sec. 3.3, Fig. 8).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/limit/schedule.h"

namespace heddle::limit {

/// A branch at which lanes of a warp parted.
struct Branch {
  std::string entry, place;                // kernel; CUDA line
  isa::Pc pc = 0, post_dominator = 0;      // NoPc: none, the paths meet at the exit
  std::map<isa::Pc, std::uint64_t> meets;  // how often lanes that parted here all met next at this PC; NoPc: never
  std::map<isa::Pc, std::string> places;   // of those PCs

  isa::Pc predicted() const;  // the one that is most frequent
  bool differs() const { return predicted() != post_dominator; }
};

struct Result {
  unsigned launches = 0, warps = 0, better_warps = 0;  // better: the alignment beats the post-dominators
  std::uint64_t launched_threads = 0, threads = 0, cut = 0, blocks = 0;  // traced, but for the first
  std::uint64_t post_dominator_slots = 0, aligned_slots = 0;
  std::uint64_t fewest_slots = 0;  // no order has fewer
  unsigned worse_warps = 0;        // the alignment loses to the post-dominators, whose order is taken
  bool has_warp_wide = false, has_indirect = false;
  std::vector<Branch> branches;

  double speed_up() const { return aligned_slots == 0 ? 1 : double(post_dominator_slots) / double(aligned_slots); }
  /// No order is faster.
  double most_speed_up() const { return fewest_slots == 0 ? 1 : double(post_dominator_slots) / double(fewest_slots); }
};

/// Where the lanes that part meet again in a schedule, added to branches.
using Branches = std::map<std::tuple<std::string, isa::Pc>, Branch>;
void find_meetings(const LaunchTrace& launch, const Schedule& schedule, Branches& branches);

/// \param lanes     of a warp; warps are formed by increasing thread number, none over two CTAs
/// \param progress  called with the warps that are done, and with all; once it returns false the study ends
/// \throws isa::Interrupted where `progress` has ended it
Result study(const std::vector<LaunchTrace>& launches, unsigned lanes,
             const std::function<bool(unsigned, unsigned)>& progress = {});

}  // namespace heddle::limit
