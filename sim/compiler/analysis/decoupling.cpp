// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/decoupling.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/analysis/affine_slice.h"
#include "sim/compiler/analysis/calls.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/analysis/parted_barriers.h"
#include "sim/compiler/analysis/traps.h"
#include "sim/compiler/analysis/waiting_loops.h"
#include "sim/isa/disassemble.h"

namespace heddle::compiler {
namespace {

using isa::Kind;

constexpr unsigned MostBytes = 4;  // of an access that is decoupled

class Decisions {
 public:
  Decisions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks)
      : code_(code),
        blocks_(blocks),
        values_(analyse_affine(code, blocks)),
        traps_(trapping_blocks(code, blocks)),
        behind_fence_(code.code.size(), false) {
    for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
      const isa::Instruction& body = code.code[pc].body;
      if (body.kind == Kind::Fence) mark_behind(pc);
      if (body.kind == Kind::Atomic && body.space != isa::Space::Shared && atomic_ == isa::NoPc) atomic_ = pc;
    }
  }

  KernelDecoupling run(bool told) {
    KernelDecoupling result;
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) result.instructions.push_back(decide(pc));
    if (!told) leave_told(result.instructions);
    const bool any = std::any_of(result.instructions.begin(), result.instructions.end(), [](const Decoupling& one) {
      return one.how == Decoupled::Data || one.how == Decoupled::Address;
    });
    result.kept.assign(code_.code.size(), false);
    result.why_not = why_not();
    if (result.why_not.empty() && !any) result.why_not = "it has no load and no store that is decoupled";
    if (!result.why_not.empty()) return result;
    AffineSlice slice = affine_slice(code_, blocks_, result.instructions);
    result.why_not = slice.why_not;
    if (result.why_not.empty() && !told) result.why_not = why_told(slice.kept, result.instructions);
    if (result.why_not.empty()) result.why_not = why_barriers_part(code_, blocks_, slice.kept, result.instructions);
    if (result.why_not.empty()) leave_out(slice.kept, result);
    return result;
  }

 private:
  /// Accesses that need a branch which the warps decide.
  void leave_told(std::vector<Decoupling>& instructions) const {
    const std::vector<isa::Pc> branches = told_branches(code_, blocks_, instructions);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      if (branches[pc] == isa::NoPc) continue;
      instructions[pc].how = Decoupled::No;
      instructions[pc].why = fmt::format("the warps decide the branch in line {}", code_.code[branches[pc]].where.line);
    }
  }

  std::string why_told(const std::vector<bool>& kept, const std::vector<Decoupling>& instructions) const {
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      if (kept[pc] && instruction.body.kind == Kind::Branch && instruction.is_guarded() &&
          outcome_of(instructions[pc]) == isa::OutcomeFrom::Warps)
        return fmt::format("a barrier or an exit depends on the branch in line {}, which the warps decide",
                           instruction.where.line);
    }
    return "";
  }

  /// What nothing in the affine stream needs, the warps compute for themselves.
  static void leave_out(std::vector<bool>& kept, KernelDecoupling& result) {
    for (isa::Pc pc = 0; pc < kept.size(); ++pc) {
      Decoupling& one = result.instructions[pc];
      if (kept[pc] || one.how == Decoupled::No) continue;
      one.why = one.how == Decoupled::Predicate ? "nothing that is decoupled depends on it"
                                                : "nothing that is decoupled is computed from it";
      one.how = Decoupled::No;
    }
    result.kept = std::move(kept);
  }

  Decoupling decide(isa::Pc pc) const {
    const VirtualInstruction& instruction = code_.code[pc];
    const isa::Instruction& body = instruction.body;
    Decoupling decision;
    switch (body.kind) {
      case Kind::Load:
      case Kind::Store: {
        const bool loads = body.kind == Kind::Load;
        decision.kind = values_.addresses[pc].kind;
        decision.why = why_not_accessed(pc);
        if (decision.why.empty()) decision.how = loads ? Decoupled::Data : Decoupled::Address;
        return decision;
      }
      case Kind::Branch:
      case Kind::Exit: {
        if (!instruction.is_guarded()) return decision;
        const AffineValue& guard = values_.guards[pc];
        decision.kind = guard.kind;
        if (guard.kind == AffineKind::Scalar || guard.kind == AffineKind::Comparison)
          decision.how = Decoupled::Predicate;
        else
          decision.why = "its predicate: " + reason_of(guard, code_);
        return decision;
      }
      default: {
        const AffineValue& value = values_.results[pc];
        decision.kind = value.kind;
        if (value.kind == AffineKind::None) return decision;
        if (value.kind == AffineKind::Other)
          decision.why = reason_of(value, code_);
        else
          decision.how = Decoupled::Tuple;
        return decision;
      }
    }
  }

  std::string why_not_accessed(isa::Pc pc) const {
    const VirtualInstruction& instruction = code_.code[pc];
    const isa::Instruction& body = instruction.body;
    const AffineValue& address = values_.addresses[pc];
    if (traps_[block_at(blocks_, pc)]) return "every path from it ends in a trap";
    if (body.is_constant) return "constants have a cache of their own";
    if (body.space == isa::Space::Generic) return "a generic address, which may be of any memory";
    if (body.space != isa::Space::Global) return fmt::format("{} memory", isa::name_of(body.space));
    if (body.is_volatile || body.is_coherent) return "volatile";
    if (body.bytes > MostBytes) return fmt::format("{} bytes", body.bytes);
    if (address.kind == AffineKind::Other) return "its address: " + reason_of(address, code_);
    if (!address.is_address) return "its address: no pointer that is a parameter, plus a tuple";
    if ((1U << address.zeros) < body.bytes || body.offset % body.bytes != 0)
      return fmt::format("its address may be no multiple of {}", body.bytes);
    if (instruction.is_guarded()) return "under a guard";
    if (body.kind != Kind::Load) return "";
    if (behind_fence_[pc]) return "behind a fence";
    if (atomic_ != isa::NoPc)
      return fmt::format("the atomic in line {} may write what it reads", code_.code[atomic_].where.line);
    return "";
  }

  std::string why_not() const {
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      const isa::Instruction& body = instruction.body;
      const unsigned line = instruction.where.line;
      if (is_call(instruction)) return fmt::format("line {} calls a function", line);
      if (body.kind == Kind::Barrier && !is_for_all(body))
        return fmt::format("the barrier in line {} is not bar.sync 0 of the whole block", line);
      if (body.kind == Kind::Barrier && traps_[block_at(blocks_, pc)])
        return fmt::format("every path from the barrier in line {} ends in a trap", line);
    }
    const Dominators dominators(code_, blocks_);
    for (const NaturalLoop& loop : natural_loops(blocks_, dominators))
      if (waits_for_a_lane(code_, blocks_, loop))
        return fmt::format(
            "the loop in line {} may wait for another thread: an atomic or a volatile load lets threads "
            "leave it",
            code_.code[blocks_[loop.head].first].where.line);
    return "";
  }

  static bool is_for_all(const isa::Instruction& body) {
    const isa::Source &number = body.sources[0], &threads = body.sources[1];
    return body.barrier_op == isa::BarrierOp::Sync && number.kind == isa::Source::Kind::Immediate &&
           number.value == 0 && threads.kind == isa::Source::Kind::None;
  }

  void mark_behind(isa::Pc fence) {
    std::vector<isa::Pc> rest = successors_of(code_, fence);
    while (!rest.empty()) {
      const isa::Pc pc = rest.back();
      rest.pop_back();
      if (behind_fence_[pc]) continue;
      behind_fence_[pc] = true;
      for (const isa::Pc next : successors_of(code_, pc)) rest.push_back(next);
    }
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const AffineValues values_;
  const std::vector<bool> traps_;   // by block: it leads to a trap alone, which the affine warp never comes to
  std::vector<bool> behind_fence_;  // by PC
  isa::Pc atomic_ = isa::NoPc;      // the first one of global memory, or of any
};

}  // namespace

KernelDecoupling decide_decoupling(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, bool told) {
  return Decisions(code, blocks).run(told);
}

}  // namespace heddle::compiler
