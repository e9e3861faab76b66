// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/allocation/spilling.h"

#include <algorithm>
#include <set>

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/liveness.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

/// Needs nothing but itself and is the same each time: a constant, a parameter, a special register but clocks.
bool can_be_repeated(const VirtualInstruction& instruction) {
  const isa::Instruction& body = instruction.body;
  if (body.kind != isa::Kind::Compute || instruction.is_guarded() || instruction.code_address != isa::NoPc)
    return false;
  return std::all_of(body.sources.begin(), body.sources.end(), [](const isa::Source& source) {
    using Kind = isa::Source::Kind;
    if (source.kind == Kind::Special) return !isa::is_clock(static_cast<isa::SpecialRegister>(source.index));
    return source.kind == Kind::None || source.kind == Kind::Immediate || source.kind == Kind::Parameter;
  });
}

void mark_spills(InstructionList& list, std::size_t first) {
  for (std::size_t i = first; i < list.instructions.size(); ++i) list.instructions[i].body.is_spill = true;
}

class Spilling {
 public:
  explicit Spilling(VirtualCode& code) : code_(code), edit_(code) {}

  void run(const std::vector<VirtualId>& spilled) {
    find_repeated({spilled.begin(), spilled.end()});
    for (const VirtualId id : spilled)
      if (repeated_.count(id) == 0) slots_[id] = new_slot(id);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) rewrite(pc);
    edit_.apply();
  }

 private:
  /// Registers begin as zeros: one that is read before its write has two values.
  void find_repeated(const std::set<VirtualId>& spilled) {
    const LiveSet at_start =
        visit_live_after(code_, across_calls(code_, find_blocks(code_)), [](isa::Pc, const LiveSet&) {});
    std::map<VirtualId, std::vector<isa::Pc>> writes;
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc)
      if (spilled.count(code_.code[pc].destination) != 0) writes[code_.code[pc].destination].push_back(pc);
    for (const auto& [id, at] : writes) {
      if (at.size() != 1 || at_start[static_cast<std::size_t>(id)] || !can_be_repeated(code_.code[at.front()]))
        continue;
      repeated_.emplace(id, code_.code[at.front()]);
      edit_.remove(at.front());
    }
  }

  unsigned new_slot(VirtualId id) {
    const unsigned bytes = code_.registers[static_cast<std::size_t>(id)].width == Class::Wide ? 8 : 4;
    const unsigned slot = (code_.local_bytes + bytes - 1) / bytes * bytes;
    code_.local_bytes = slot + bytes;
    return slot;
  }

  void rewrite(isa::Pc pc) {
    InstructionList loads(code_, code_.code[pc].where), stores(code_, code_.code[pc].where);
    std::map<VirtualId, VirtualId> copies;  // of this instruction
    const auto read = [&](VirtualId& id) {
      const auto slot = slots_.find(id);
      const auto repeated = repeated_.find(id);
      if (slot == slots_.end() && repeated == repeated_.end()) return;
      const auto [copy, is_new] = copies.emplace(id, NoVirtual);
      if (is_new) {
        copy->second = loads.new_register(loads.width_of(id));
        if (slot == slots_.end()) {
          loads.instructions.push_back(repeated->second);
          loads.instructions.back().destination = copy->second;
        } else {
          const std::size_t first = loads.instructions.size();
          loads.add_restore(copy->second, NoVirtual, slot->second);
          mark_spills(loads, first);
        }
      }
      id = copy->second;
    };
    VirtualInstruction instruction = code_.code[pc];
    for (VirtualId& source : instruction.sources) read(source);
    read(instruction.guard);
    const auto slot = slots_.find(instruction.destination);
    if (slot != slots_.end()) {
      // Lanes whose guard is false keep what the slot has: then it is loaded first, so that the copy has one life here.
      if (instruction.is_guarded())
        read(instruction.destination);
      else
        instruction.destination = stores.new_register(stores.width_of(slot->first));
      stores.add_save(instruction.destination, NoVirtual, slot->second);
      mark_spills(stores, 0);
    }
    code_.code[pc] = instruction;
    if (!loads.instructions.empty()) edit_.before(pc, std::move(loads.instructions));
    if (!stores.instructions.empty()) edit_.after(pc, std::move(stores.instructions));
  }

  VirtualCode& code_;
  CodeEdit edit_;
  std::map<VirtualId, unsigned> slots_;               // by register: where it lies in local memory
  std::map<VirtualId, VirtualInstruction> repeated_;  // by register: what gives its value, at each use once more
};

}  // namespace

Assignment fit_registers(VirtualCode& code, unsigned registers) {
  for (;;) {
    Assignment assignment = allocate_registers(code, registers);
    if (assignment.spilled.empty()) return assignment;
    Spilling(code).run(assignment.spilled);
  }
}

}  // namespace heddle::compiler
