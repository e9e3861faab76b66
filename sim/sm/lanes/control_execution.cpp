// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/control_execution.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "sim/isa/branch_target.h"
#include "sim/isa/lanes.h"

namespace heddle {

using isa::Instruction;
using isa::Lanes;

namespace {

/// By PC: instructions from there to the end of its block.
std::vector<unsigned> block_lengths(const isa::Program& program) {
  std::vector<unsigned> lengths(program.code.size());
  for (const isa::BasicBlock& block : program.blocks)
    for (isa::Pc pc = block.first; pc <= block.last; ++pc) lengths[pc] = block.last - pc + 1;
  return lengths;
}

/// Lanes of a warp meet there, wherever they come from: at a `.sync` operation, or a CTA barrier with a result.
bool meets(const Instruction& instruction) {
  return instruction.meets || (instruction.kind == isa::Kind::Barrier && !instruction.destination.is_none());
}

/// Says of a branch whether lanes may come to such a place between it and its post-dominator.
class MeetingRegions {
 public:
  explicit MeetingRegions(const isa::Program& program) : program_(program), meets_(program.blocks.size(), false) {
    any_ = std::any_of(program.code.begin(), program.code.end(), meets);
    if (!any_) return;
    const isa::Pc callees = program.functions.empty() ? 0 : program.functions.front().last + 1;
    const bool callees_meet = std::any_of(program.code.begin() + callees, program.code.end(), meets);
    for (std::size_t block = 0; block < program.blocks.size(); ++block) {
      const isa::BasicBlock& its = program.blocks[block];
      const Instruction& end = program.code[its.last];
      const bool calls = end.kind == isa::Kind::Branch && end.branch == isa::BranchKind::Call;
      meets_[block] = (calls && callees_meet) ||
                      std::any_of(program.code.begin() + its.first, program.code.begin() + its.last + 1, meets);
    }
  }

  /// \param block  with a branch at its end
  bool meets_before_post_dominator(std::size_t block) const {
    if (!any_) return false;
    const isa::Pc rpc = program_.code[program_.blocks[block].last].rpc;
    std::vector<bool> seen(meets_.size(), false);
    std::vector<unsigned> rest = program_.blocks[block].successors;
    while (!rest.empty()) {
      const unsigned at = rest.back();
      rest.pop_back();
      if (seen[at] || program_.blocks[at].first == rpc) continue;
      if (meets_[at]) return true;
      seen[at] = true;
      rest.insert(rest.end(), program_.blocks[at].successors.begin(), program_.blocks[at].successors.end());
    }
    return false;
  }

 private:
  const isa::Program& program_;
  bool any_ = false;
  std::vector<bool> meets_;  // by block
};

unsigned lowest(Lanes lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

}  // namespace

void ControlExecution::load(const isa::Program& program) {
  program_ = &program;
  const std::vector<unsigned> lengths = block_lengths(program);
  meeting_block_.clear();
  for (const Instruction& instruction : program.code)
    meeting_block_.push_back(instruction.rpc == isa::NoPc ? 0 : lengths[instruction.rpc]);
  const MeetingRegions regions(program);
  for (std::size_t block = 0; block < program.blocks.size(); ++block)
    if (regions.meets_before_post_dominator(block)) meeting_block_[program.blocks[block].last] = 0;
}

// ---- branches ----

Resolution ControlExecution::branch(const InFlight& flight, Lanes taken, std::uint64_t cycle, Convergence& asked) {
  const Instruction& instruction = *flight.instruction;
  const unsigned first = lowest(flight.path_lanes);
  isa::Pc target = instruction.target;
  if (instruction.branch == isa::BranchKind::Pop)
    return {ResolveOp::Pop, flight.warp, flight.k, flight.path_lanes, target, isa::NoPc};
  if (barriers_ && instruction.is_indirect()) {
    asked = jump(flight, cycle);
    return {};
  }
  if (instruction.branch == isa::BranchKind::Peel) {
    isa::LaneValues value;
    read_first_source(flight, cycle, value);
    for (unsigned l = 0; l < isa::MaxLanes; ++l)
      if (value[l] != value[first]) taken &= ~(Lanes(1) << l);
  } else if (instruction.is_indirect()) {
    isa::LaneValues value;
    read_first_source(flight, cycle, value);
    target = isa::indirect_target(*program_, instruction, value[first]);
    if (target == isa::NoPc) isa::throw_bad_target(value[first], site(flight, first));
    expect_one_target(flight, value);
  }
  count(flight.pc, taken != 0 && taken != flight.path_lanes);
  if (software_ && instruction.is_recursive && instruction.branch == isa::BranchKind::Call)
    return {ResolveOp::Push, flight.warp, flight.k, flight.path_lanes, target, flight.pc + 1};
  if (software_ && instruction.is_recursive && instruction.branch == isa::BranchKind::Return)
    return {ResolveOp::Pop, flight.warp, flight.k, flight.path_lanes, target, isa::NoPc};
  if (!barriers_ && instruction.is_recursive && instruction.branch == isa::BranchKind::Call)
    return {ResolveOp::Call, flight.warp, flight.k, flight.path_lanes, target, isa::NoPc};
  // The entry that called knows where its lanes go on: where the return address says, too.
  if (instruction.is_recursive && instruction.branch == isa::BranchKind::Return)
    return {ResolveOp::Branch, flight.warp, flight.k, flight.path_lanes, isa::NoPc, isa::NoPc};
  return {ResolveOp::Branch, flight.warp, flight.k, taken, target, instruction.rpc, meeting_block_[flight.pc]};
}

/// On a stack all lanes of a path agree: a peel came before, or they were called together. Splits may have met in a
/// function that they were called to from different places, or behind a peel that parted them, and then have no way to
/// part again.
void ControlExecution::expect_one_target(const InFlight& flight, const isa::LaneValues& value) const {
  const unsigned first = lowest(flight.path_lanes);
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    if (value[lane] == value[first]) return;
    isa::throw_execution_error(
        isa::ErrorCode::NotSupported,
        fmt::format("lanes {} and {} of warp {} run together and go to different places from here: splits that came "
                    "from different calls have met, or lanes that an indirect branch has parted; expected --divergence "
                    "spe, dpe or barrier",
                    first, lane, threads_[flight.threads[first].row].warp.index()),
        site(flight, lane));
  });
}

void ControlExecution::count(isa::Pc pc, bool divergent) {
  ++counters_.statistics.branches;
  counters_.statistics.divergent_branches += divergent;
  ++counters_.code.at(pc).branches;
  counters_.code.at(pc).divergent += divergent;
}

// ---- convergence barriers ----

Convergence ControlExecution::convergence(const InFlight& flight, std::uint64_t cycle) const {
  const Instruction& instruction = *flight.instruction;
  Convergence asked{BarrierOp::Join, flight.warp, instruction.barrier, flight.lanes, 0};
  switch (instruction.convergence) {
    case isa::ConvergenceOp::Join:
      break;
    case isa::ConvergenceOp::Wait:
      asked.op = BarrierOp::Wait;
      break;
    case isa::ConvergenceOp::Yield:
      asked.op = BarrierOp::Yield;
      break;
    case isa::ConvergenceOp::Meet:
      return meeting(flight, cycle);
    case isa::ConvergenceOp::Cancel:
      asked.op = BarrierOp::Cancel;
      break;
    case isa::ConvergenceOp::Arrive: {
      isa::LaneValues threshold;
      read_first_source(flight, cycle, threshold);
      asked.op = BarrierOp::Arrive;
      asked.value = static_cast<Lanes>(threshold[lowest(flight.path_lanes)]);
      break;
    }
    case isa::ConvergenceOp::Copy:  // of a mask, not of lanes: a Join of none where the guard holds for nobody
      if (flight.lanes == 0) break;
      asked.op = BarrierOp::Copy;
      asked.source = instruction.barrier_source;
      break;
    case isa::ConvergenceOp::Take:
      if (flight.lanes == 0) break;
      asked.op = BarrierOp::Take;
      asked.source = instruction.barrier_source;
      break;
    case isa::ConvergenceOp::Push:
      throw std::logic_error("a push is asked of the stack");
  }
  return asked;
}

/// The lanes of the path that name the mask of the first one who names a live lane elsewhere wait for it; if there is
/// none, all go on: an operation that changes nothing.
Convergence ControlExecution::meeting(const InFlight& flight, std::uint64_t cycle) const {
  isa::LaneValues masks;
  read_first_source(flight, cycle, masks);
  Convergence asked{BarrierOp::Join, flight.warp, flight.instruction->barrier, 0, 0};
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    const auto mask = static_cast<Lanes>(masks[lane]);
    const bool waits = (mask & flight.live & ~flight.path_lanes) != 0 && (mask >> lane & 1) != 0;
    if (asked.lanes == 0 && waits) asked.op = BarrierOp::Sync, asked.value = mask & flight.live;
    if (asked.op == BarrierOp::Sync && static_cast<Lanes>(masks[lane] & flight.live) == asked.value)
      asked.lanes |= Lanes(1) << lane & asked.value;
  });
  return asked;
}

/// Each lane to where its register says: a return, or an indirect branch or call.
Convergence ControlExecution::jump(const InFlight& flight, std::uint64_t cycle) {
  read_first_source(flight, cycle, targets_);
  bool divergent = false;
  const unsigned first = lowest(flight.path_lanes);
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    const isa::Pc target = isa::indirect_target(*program_, *flight.instruction, targets_[lane]);
    if (target == isa::NoPc) isa::throw_bad_target(targets_[lane], site(flight, lane));
    targets_[lane] = target;
    divergent = divergent || target != targets_[first];
  });
  count(flight.pc, divergent);
  return {BarrierOp::Jump, flight.warp, 0, flight.path_lanes, 0};
}

}  // namespace heddle
