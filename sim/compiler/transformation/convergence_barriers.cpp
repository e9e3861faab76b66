// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/convergence_barriers.h"

#include <algorithm>
#include <set>

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/analysis/waiting_loops.h"
#include "sim/compiler/code/code_edit.h"
#include "sim/compiler/transformation/barrier_registers.h"
#include "sim/compiler/transformation/default_barriers.h"
#include "sim/compiler/transformation/soft_barrier.h"

namespace heddle::compiler {
namespace {

/// The result of a barrier is pending for the whole warp until it opens: no lane may be elsewhere meanwhile.
bool has_barrier_result(const VirtualInstruction& instruction) {
  return instruction.body.kind == isa::Kind::Barrier && instruction.destination != NoVirtual;
}

bool meets(const VirtualInstruction& instruction) {
  return (instruction.body.kind == isa::Kind::WarpWide && instruction.body.meets) || has_barrier_result(instruction);
}

bool any_meets(const VirtualCode& code) {
  return std::any_of(code.code.begin(), code.code.end(), meets);
}

class Placement {
 public:
  Placement(VirtualCode& code, unsigned registers)
      : code_(code),
        blocks_(find_blocks(code)),
        dominators_(code, blocks_),
        loops_(natural_loops(blocks_, dominators_)),
        meet_register_(registers - 1),
        registers_(any_meets(code) ? meet_register_ : registers) {}

  BarrierList run(const PredictionOptions& predictions) {
    list_.barriers = default_barriers(code_, blocks_, dominators_, loops_);
    add_predictions(code_, blocks_, loops_, list_, predictions);
    choose_barrier_registers(code_, blocks_, list_, registers_);
    explain_default_barriers(list_);
    CodeEdit edit(code_);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc)
      if (code_.code[pc].mark != Mark::None) edit.remove(pc);
    put_barriers(edit);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      if (meets(code_.code[pc])) edit.before(pc, {meet(code_.code[pc])});
    }
    edit.apply();
    return std::move(list_);
  }

 private:
  /// In front of one instruction: who leaves, who waits, who comes again, who joins.
  void put_barriers(CodeEdit& edit) {
    std::vector<BarrierInstructions> instructions;
    for (const Barrier& barrier : list_.barriers) instructions.emplace_back(code_, barrier);
    const auto for_each = [&](const auto& put) {
      for (std::size_t i = 0; i < instructions.size(); ++i)
        if (list_.barriers[i].barrier >= 0) put(list_.barriers[i], instructions[i]);
    };
    for_each([&](const Barrier& barrier, const BarrierInstructions& of) {
      std::set<isa::Pc> cancels = barrier.cancels;
      cancels.insert(barrier.points.cancels.begin(), barrier.points.cancels.end());
      for (const isa::Pc pc : cancels) edit.before(pc, of.cancel(pc));
    });
    for_each([&](const Barrier& barrier, const BarrierInstructions& of) {
      for (const isa::Pc pc : barrier.points.waits) {
        std::vector<VirtualInstruction> others;
        for_each([&](const Barrier& other, const BarrierInstructions& of_other) {
          const auto left = other.left_by_who_waits.find(pc);
          if (left == other.left_by_who_waits.end() || &list_.barriers[left->second] != &barrier) return;
          const std::vector<VirtualInstruction> cancel = of_other.cancel(pc);
          others.insert(others.end(), cancel.begin(), cancel.end());
        });
        edit.before(pc, of.wait(pc, std::move(others)));
      }
    });
    for_each([&](const Barrier& barrier, const BarrierInstructions& of) {
      for (const isa::Pc pc : barrier.rejoins) edit.before(pc, of.rejoin(pc));
    });
    for (const NaturalLoop& loop : loops_) {
      const isa::Pc pc = blocks_[loop.head].first;
      if (waits_for_a_lane(code_, blocks_, loop))
        edit.before(pc, {barrier_instruction(isa::ConvergenceOp::Yield, "yield", 0, code_.code[pc])});
    }
    for_each([&](const Barrier& barrier, const BarrierInstructions& of) {
      for (const Place& place : barrier.points.joins) {
        const auto join = of.join(place.pc);
        place.behind ? edit.after(place.pc, join) : edit.before(place.pc, join);
      }
    });
  }

  VirtualInstruction meet(const VirtualInstruction& with) const {
    VirtualInstruction instruction =
        barrier_instruction(isa::ConvergenceOp::Meet, "warpsync", static_cast<int>(meet_register_), with);
    if (has_barrier_result(with)) {
      instruction.set_immediate(0, 0xffffffffU);
      return instruction;
    }
    instruction.body.sources[0] = with.body.sources[2];
    instruction.sources[0] = with.sources[2];
    return instruction;
  }

  VirtualCode& code_;
  std::vector<isa::BasicBlock> blocks_;
  Dominators dominators_;
  std::vector<NaturalLoop> loops_;
  std::size_t meet_register_;  // of .sync operations, if there are any
  std::size_t registers_;      // of barriers where branches meet
  BarrierList list_;
};

}  // namespace

BarrierList insert_convergence_barriers(VirtualCode& code, unsigned registers, const PredictionOptions& predictions) {
  return Placement(code, registers).run(predictions);
}

}  // namespace heddle::compiler
