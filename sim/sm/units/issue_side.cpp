// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/units/issue_side.h"

#include <fmt/format.h>

#include "sim/sm/units/barriers_issue.h"
#include "sim/sm/units/memory_split_issue.h"
#include "sim/sm/units/rotation_issue.h"
#include "sim/sm/units/subdivision_issue.h"

namespace heddle {

template <unsigned Paths>
bool IssueSide<Paths>::hidden_path_may_run(SliceWarp warp) const {
  const IssueWarp<Paths>& its = around_.state[warp];
  return (around_.state.crowded & bit(warp)) != 0 && (its.live & ~its.waiting) != 0 && !all_wait(warp);
}

template <unsigned Paths>
std::unique_ptr<IssueSide<Paths>> make_issue_side(SmSide side, const IssueSurroundings<Paths>& around) {
  switch (side) {
    case SmSide::Rotation:
      return std::make_unique<RotationIssue<Paths>>(around);
    case SmSide::MemorySplit:
      return std::make_unique<MemorySplitIssue<Paths>>(around);
    case SmSide::Barriers:
      return std::make_unique<BarriersIssue<Paths>>(around);
    case SmSide::Subdivision:
      return std::make_unique<SubdivisionIssue<Paths>>(around);
    case SmSide::Stack:
    case SmSide::SoftwareStack:
    case SmSide::Formation:
    case SmSide::PerLane:
      break;
  }
  return std::make_unique<IssueSide<Paths>>(around);
}

template <unsigned Paths>
void throw_result_in_divergent_code(const IssueSurroundings<Paths>& around, SliceWarp warp, isa::Pc pc,
                                    isa::Lanes there, isa::Lanes others) {
  isa::throw_execution_error(
      isa::ErrorCode::NotSupported,
      fmt::format(
          "a barrier with a result in divergent code: lanes {:#010x} of warp {} that wait for it would hold back "
          "lanes {:#010x}, which they wait for; expected one of the stacks: --divergence spe or dpe, or "
          "--scoreboard optimistic",
          there, around.in_cta(warp).index(), others),
      around.ctas.threads().site({around.row(warp), static_cast<unsigned>(__builtin_ctz(there))}, pc));
}

template class IssueSide<2>;
template class IssueSide<MostPaths>;
template std::unique_ptr<IssueSide<2>> make_issue_side(SmSide, const IssueSurroundings<2>&);
template std::unique_ptr<IssueSide<MostPaths>> make_issue_side(SmSide, const IssueSurroundings<MostPaths>&);
template void throw_result_in_divergent_code(const IssueSurroundings<2>&, SliceWarp, isa::Pc, isa::Lanes, isa::Lanes);
template void throw_result_in_divergent_code(const IssueSurroundings<MostPaths>&, SliceWarp, isa::Pc, isa::Lanes,
                                             isa::Lanes);

}  // namespace heddle
