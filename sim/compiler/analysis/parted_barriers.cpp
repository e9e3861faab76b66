// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/parted_barriers.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/analysis/affine_slice.h"
#include "sim/compiler/analysis/control_dependence.h"
#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/analysis/natural_loops.h"

namespace heddle::compiler {
namespace {

using isa::Kind;
using isa::Pc;

class PartedBarriers {
 public:
  PartedBarriers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const std::vector<bool>& kept,
                 const std::vector<Decoupling>& wanted)
      : code_(code),
        blocks_(blocks),
        kept_(kept),
        wanted_(wanted),
        divergence_(analyse_divergence(code, blocks, Together::Block)) {}

  std::string run() const {
    for (Pc pc = 0; pc < code_.code.size(); ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      const bool parts = kept_[pc] && instruction.body.kind == Kind::Branch && instruction.is_guarded() &&
                         outcome_of(wanted_[pc]) != isa::OutcomeFrom::Itself && divergence_.is_divergent(pc);
      if (!parts) continue;
      if (const std::string why = why_at(pc); !why.empty()) return why;
    }
    return "";
  }

 private:
  /// Why the kernel cannot be decoupled at a branch by which the threads of a block diverge; empty: it can.
  std::string why_at(Pc branch) const {
    const Pc rpc = blocks_[block_at(blocks_, branch)].rpc;
    const BlockIndex meeting = rpc == isa::NoPc ? VirtualExit : block_at(blocks_, rpc),
                     first = block_at(blocks_, code_.code[branch].body.target), second = block_at(blocks_, branch + 1);
    const std::vector<bool> before_first = blocks_before(blocks_, first, meeting),
                            before_second = blocks_before(blocks_, second, meeting);
    // A lane that takes the other side of a barrier on the first one has all records behind it; of one on the second,
    // those behind the meeting point.
    if (const Pc barrier = barrier_in(before_first); barrier != isa::NoPc) return why_behind(branch, barrier, second);
    if (const Pc barrier = barrier_in(before_second); barrier != isa::NoPc && comes_to(before_first, first, meeting))
      return why_behind(branch, barrier, meeting);
    return "";
  }

  std::string why_behind(Pc branch, Pc barrier, BlockIndex from) const {
    const std::vector<bool> behind = blocks_before(blocks_, from, VirtualExit);
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      for (Pc pc = blocks_[block].first; behind[block] && pc <= blocks_[block].last; ++pc)
        if (kept_[pc] && is_event(pc))
          return fmt::format(
              "a part of a block may come to the barrier in line {}, and what its other threads want in line {} stands "
              "behind it: they part at the branch in line {}",
              code_.code[barrier].where.line, code_.code[pc].where.line, code_.code[branch].where.line);
    return "";
  }

  Pc barrier_in(const std::vector<bool>& side) const {
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      for (Pc pc = blocks_[block].first; side[block] && pc <= blocks_[block].last; ++pc)
        if (code_.code[pc].body.kind == Kind::Barrier) return pc;
    return isa::NoPc;
  }

  /// Do threads come to the meeting point from the blocks of this side, which begins with `first`?
  bool comes_to(const std::vector<bool>& side, BlockIndex first, BlockIndex meeting) const {
    if (meeting == VirtualExit) return false;
    if (first == meeting) return true;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      const auto& next = blocks_[block].successors;
      if (side[block] && std::count(next.begin(), next.end(), meeting) != 0) return true;
    }
    return false;
  }

  /// A warp waits for the affine one here, or that for the warp, or it passes a barrier with its block.
  bool is_event(Pc pc) const {
    const VirtualInstruction& instruction = code_.code[pc];
    if (instruction.body.kind == Kind::Branch) return instruction.is_guarded();
    return instruction.body.kind == Kind::Barrier || wanted_[pc].how == Decoupled::Data ||
           wanted_[pc].how == Decoupled::Address;
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const std::vector<bool>& kept_;
  const std::vector<Decoupling>& wanted_;
  const Divergence divergence_;
};

}  // namespace

std::string why_barriers_part(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                              const std::vector<bool>& kept, const std::vector<Decoupling>& wanted) {
  return PartedBarriers(code, blocks, kept, wanted).run();
}

}  // namespace heddle::compiler
