// SPDX-License-Identifier: Apache-2.0
// For passes behind lowering: new instructions from rows of the opcode table, putting them between those that are
// there, and taking some away.
#pragma once

#include <map>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// Makes instructions one after the other. References hold until the next one.
class InstructionList {
 public:
  InstructionList(VirtualCode& code, ptx::Location where) : code_(code), where_(where) {}

  VirtualInstruction& add(const char* opcode);
  /// "ld" or "st" of local memory at `base` (NoVirtual: none) plus offset.
  VirtualInstruction& add_access(const char* opcode, VirtualId base, unsigned offset, unsigned bytes);
  void set_destination(VirtualInstruction& instruction, VirtualId id) const;
  void set_source(VirtualInstruction& instruction, unsigned index, VirtualId id) const;

  /// A register into local memory and back; a predicate goes through a word.
  void add_save(VirtualId id, VirtualId base, unsigned offset);
  void add_restore(VirtualId id, VirtualId base, unsigned offset);

  VirtualId new_register(Class width);
  Class width_of(VirtualId id) const { return code_.registers[static_cast<std::size_t>(id)].width; }
  /// Bytes of a register in local memory.
  unsigned bytes_of(VirtualId id) const { return width_of(id) == Class::Wide ? 8 : 4; }

  std::vector<VirtualInstruction> instructions;

 private:
  VirtualCode& code_;
  ptx::Location where_;
};

/// Collects what comes and goes, and moves the code once.
class CodeEdit {
 public:
  explicit CodeEdit(VirtualCode& code) : code_(code) {}

  /// Where a call comes back to instruction pc: not on other ways there.
  void at_return(isa::Pc pc, std::vector<VirtualInstruction> instructions);
  /// In front of instruction pc: on all ways there.
  void before(isa::Pc pc, std::vector<VirtualInstruction> instructions);
  /// Behind instruction pc, on the way from it to the next one: on no other way there.
  void after(isa::Pc pc, std::vector<VirtualInstruction> instructions);

  /// Without instruction pc: ways to it lead to what came before it here, else to the next one.
  void remove(isa::Pc pc) { places_[pc].is_removed = true; }

  /// Everything in the code that names an instruction moves with it.
  void apply();

 private:
  struct Places {
    std::vector<VirtualInstruction> at_return, before, after;
    bool is_removed = false;
  };
  VirtualCode& code_;
  std::map<isa::Pc, Places> places_;
};

}  // namespace heddle::compiler
