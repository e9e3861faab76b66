// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/affine_slice.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/analysis/control_dependence.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/analysis/reaching_definitions.h"

namespace heddle::compiler {
namespace {

using isa::Kind;

bool is_access(const Decoupling& wanted) {
  return wanted.how == Decoupled::Data || wanted.how == Decoupled::Address;
}

bool is_branch(const VirtualInstruction& instruction) {
  return instruction.body.kind == Kind::Branch && instruction.is_guarded();
}

class Slice {
 public:
  Slice(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const std::vector<Decoupling>& wanted)
      : code_(code),
        blocks_(blocks),
        wanted_(wanted),
        definitions_(code, blocks),
        decided_by_(control_dependence(code, blocks)),
        kept_(code.code.size(), false) {}

  AffineSlice run() {
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const Kind kind = code_.code[pc].body.kind;
      if (kind == Kind::Exit || kind == Kind::Barrier || is_access(wanted_[pc])) keep(pc);
    }
    follow_all();
    for (isa::Pc pc = 0; pc < code_.code.size() && why_not_.empty(); ++pc)
      if (kept_[pc] && is_branch(code_.code[pc]) && outcome_of(wanted_[pc]) != isa::OutcomeFrom::Itself)
        look_at_sides(pc);
    return {std::move(kept_), why_not_};
  }

  /// A branch that the warps decide, in the slice of one access alone.
  isa::Pc told_branch(isa::Pc access) {
    kept_.assign(kept_.size(), false);
    why_not_.clear();
    keep(access);
    follow_all();
    pending_.clear();
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc)
      if (kept_[pc] && is_branch(code_.code[pc]) && outcome_of(wanted_[pc]) == isa::OutcomeFrom::Warps) return pc;
    return isa::NoPc;
  }

 private:
  void follow_all() {
    while (!pending_.empty() && why_not_.empty()) {
      const isa::Pc pc = pending_.back();
      pending_.pop_back();
      follow(pc);
    }
  }

  void keep(isa::Pc pc) {
    if (kept_[pc]) return;
    kept_[pc] = true;
    pending_.push_back(pc);
  }

  /// What this instruction needs beside it.
  void follow(isa::Pc pc) {
    const VirtualInstruction& instruction = code_.code[pc];
    for (const BlockIndex branch : decided_by_[block_at(blocks_, pc)]) keep(blocks_[branch].last);
    const auto needs = [&](isa::Pc definition) {
      if (wanted_[definition].how != Decoupled::Tuple)
        why_not_ = fmt::format("line {} needs what line {} writes, and that is no tuple", instruction.where.line,
                               code_.code[definition].where.line);
      keep(definition);
    };
    each_needed(pc, [&](VirtualId id) { definitions_.each(pc, id, needs); });
    if (!instruction.is_guarded() && instruction.body.kind == Kind::Branch)
      refuse(pc, "accesses depend on an indirect branch");
    if (instruction.is_guarded() && instruction.body.kind == Kind::Barrier) refuse(pc, "a barrier under a guard");
    if (instruction.is_guarded() && instruction.body.kind == Kind::Exit) refuse(pc, "an exit under a guard");
  }

  /// Registers that the affine warp reads for this instruction: of an access its address, of a branch a predicate that is
  /// not the warps'.
  template <class Visit>
  void each_needed(isa::Pc pc, Visit visit) const {
    const VirtualInstruction& instruction = code_.code[pc];
    const auto look = [&](VirtualId id) {
      if (id != NoVirtual) visit(id);
    };
    switch (instruction.body.kind) {
      case Kind::Load:
      case Kind::Store:
        look(instruction.sources[0]);
        break;
      case Kind::Branch:
        if (wanted_[pc].how == Decoupled::Predicate) look(instruction.guard);
        break;
      case Kind::Barrier:
      case Kind::Exit:
        break;
      default:
        for (const VirtualId source : instruction.sources) look(source);
        look(instruction.guard);
    }
  }

  /// Lanes of a batch that go both ways: the side that runs first writes registers that have no lane mask.
  void look_at_sides(isa::Pc branch) {
    const isa::Instruction& body = code_.code[branch].body;
    const isa::Pc rpc = blocks_[block_at(blocks_, branch)].rpc;
    const BlockIndex meeting = rpc == isa::NoPc ? VirtualExit : block_at(blocks_, rpc);
    const std::vector<bool> first = blocks_before(blocks_, block_at(blocks_, body.target), meeting),
                            second = blocks_before(blocks_, block_at(blocks_, branch + 1), meeting);
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!second[block]) continue;
      for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc)
        if (kept_[pc]) look_at_reads(pc, branch, first, second);
    }
    look_behind(branch, first, meeting);
    look_behind(branch, second, meeting);
  }

  /// Threads that leave on a side have written registers, which those that go on behind the meeting point read as they
  /// were before the branch.
  void look_behind(isa::Pc branch, const std::vector<bool>& side, BlockIndex meeting) {
    bool ends = false;
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      ends = ends || (side[block] && blocks_[block].successors.empty());
    if (!ends || meeting == VirtualExit) return;
    const std::vector<bool> behind = blocks_before(blocks_, meeting, VirtualExit);
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      for (isa::Pc pc = blocks_[block].first; behind[block] && pc <= blocks_[block].last; ++pc)
        if (kept_[pc]) look_at_reads(pc, branch, side, side);
  }

  /// Refuses the branch if an instruction that runs behind the first side reads something from outside of the second
  /// one that the first has written anew.
  void look_at_reads(isa::Pc pc, isa::Pc branch, const std::vector<bool>& first, const std::vector<bool>& second) {
    each_needed(pc, [&](VirtualId id) {
      const auto& definitions = definitions_.of(pc, id);
      const bool from_before = std::any_of(definitions.begin(), definitions.end(),
                                           [&](isa::Pc definition) { return !second[block_at(blocks_, definition)]; });
      if (!from_before || !writes(first, id)) return;
      refuse(branch, fmt::format("one side of a branch writes {}, which line {} reads on the other",
                                 code_.registers[static_cast<std::size_t>(id)].name, code_.code[pc].where.line));
    });
  }

  bool writes(const std::vector<bool>& side, VirtualId id) const {
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      for (isa::Pc pc = blocks_[block].first; side[block] && pc <= blocks_[block].last; ++pc)
        if (kept_[pc] && code_.code[pc].destination == id && code_.code[pc].body.kind == Kind::Compute) return true;
    return false;
  }

  void refuse(isa::Pc pc, const std::string& why) {
    why_not_ = fmt::format("{} in line {}", why, code_.code[pc].where.line);
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const std::vector<Decoupling>& wanted_;
  const ReachingDefinitions definitions_;
  const std::vector<std::vector<BlockIndex>> decided_by_;
  std::vector<bool> kept_;
  std::vector<isa::Pc> pending_;
  std::string why_not_;
};

}  // namespace

AffineSlice affine_slice(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                         const std::vector<Decoupling>& wanted) {
  return Slice(code, blocks, wanted).run();
}

std::vector<isa::Pc> told_branches(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                   const std::vector<Decoupling>& wanted) {
  std::vector<isa::Pc> told(code.code.size(), isa::NoPc);
  Slice slice(code, blocks, wanted);
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
    if (is_access(wanted[pc])) told[pc] = slice.told_branch(pc);
  return told;
}

isa::OutcomeFrom outcome_of(const Decoupling& branch) {
  if (branch.how != Decoupled::Predicate) return isa::OutcomeFrom::Warps;
  return branch.kind == AffineKind::Scalar ? isa::OutcomeFrom::Itself : isa::OutcomeFrom::Predicates;
}

}  // namespace heddle::compiler
