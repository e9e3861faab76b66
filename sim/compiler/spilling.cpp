#include "sim/compiler/spilling.h"

#include "sim/compiler/code_insertion.h"
#include "sim/compiler/control_flow.h"

namespace heddle::compiler {
namespace {

class Spilling {
 public:
  explicit Spilling(VirtualCode& code) : code_(code), inserter_(code) {}

  void run(const std::vector<VirtualId>& spilled) {
    for (const VirtualId id : spilled) slots_[id] = new_slot(id);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) rewrite(pc);
    inserter_.apply();
  }

 private:
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
      if (slot == slots_.end()) return;
      const auto [copy, is_new] = copies.emplace(id, NoVirtual);
      if (is_new) {
        copy->second = loads.new_register(loads.width_of(id));
        loads.add_restore(copy->second, NoVirtual, slot->second);
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
    }
    code_.code[pc] = instruction;
    if (!loads.instructions.empty()) inserter_.before(pc, std::move(loads.instructions));
    if (!stores.instructions.empty()) inserter_.after(pc, std::move(stores.instructions));
  }

  VirtualCode& code_;
  CodeInserter inserter_;
  std::map<VirtualId, unsigned> slots_;  // by register: where it lies in local memory
};

}  // namespace

Assignment fit_registers(VirtualCode& code, unsigned registers) {
  for (;;) {
    Assignment assignment =
        allocate_registers(code, live_ranges(code, across_calls(code, find_blocks(code))), registers);
    if (assignment.spilled.empty()) return assignment;
    Spilling(code).run(assignment.spilled);
  }
}

}  // namespace heddle::compiler
