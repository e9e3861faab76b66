// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/code/code_edit.h"

#include <iterator>

namespace heddle::compiler {
namespace {

void append(std::vector<VirtualInstruction>& to, std::vector<VirtualInstruction> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

isa::Pc size_of(const std::vector<VirtualInstruction>& code) {
  return static_cast<isa::Pc>(code.size());
}

}  // namespace

VirtualInstruction& InstructionList::add(const char* opcode) {
  VirtualInstruction instruction = VirtualInstruction::of(*find_opcode(opcode));
  instruction.where = where_;
  instruction.body.line = where_.line;
  instructions.push_back(instruction);
  return instructions.back();
}

VirtualInstruction& InstructionList::add_access(const char* opcode, VirtualId base, unsigned offset, unsigned bytes) {
  VirtualInstruction& instruction = add(opcode);
  const bool is_load = instruction.body.kind == isa::Kind::Load;
  instruction.body.mnemonic =
      bytes == 8 ? (is_load ? "ld.local.b64" : "st.local.b64") : (is_load ? "ld.local.b32" : "st.local.b32");
  instruction.body.space = isa::Space::Local;
  instruction.body.bytes = static_cast<std::uint8_t>(bytes);
  instruction.body.offset = offset;
  if (base == NoVirtual)
    instruction.set_immediate(0, 0);
  else
    set_source(instruction, 0, base);
  return instruction;
}

void InstructionList::set_destination(VirtualInstruction& instruction, VirtualId id) const {
  instruction.set_destination(id, width_of(id));
}

void InstructionList::set_source(VirtualInstruction& instruction, unsigned index, VirtualId id) const {
  instruction.set_source(index, id, width_of(id));
}

void InstructionList::add_save(VirtualId id, VirtualId base, unsigned offset) {
  if (width_of(id) == Class::Predicate) {
    const VirtualId word = new_register(Class::Narrow);
    VirtualInstruction& select = add("selp.b32");
    set_destination(select, word);
    select.set_immediate(0, 1);
    select.set_immediate(1, 0);
    set_source(select, 2, id);
    id = word;
  }
  set_source(add_access("st", base, offset, bytes_of(id)), 1, id);
}

void InstructionList::add_restore(VirtualId id, VirtualId base, unsigned offset) {
  const bool is_predicate = width_of(id) == Class::Predicate;
  const VirtualId into = is_predicate ? new_register(Class::Narrow) : id;
  set_destination(add_access("ld", base, offset, bytes_of(id)), into);
  if (!is_predicate) return;
  VirtualInstruction& test = add("setp.ne.u32");
  set_destination(test, id);
  set_source(test, 0, into);
  test.set_immediate(1, 0);
}

VirtualId InstructionList::new_register(Class width) {
  code_.registers.push_back({"temporary", width, true});
  return static_cast<VirtualId>(code_.registers.size() - 1);
}

void CodeEdit::at_return(isa::Pc pc, std::vector<VirtualInstruction> instructions) {
  append(places_[pc].at_return, std::move(instructions));
}

void CodeEdit::before(isa::Pc pc, std::vector<VirtualInstruction> instructions) {
  append(places_[pc].before, std::move(instructions));
}

void CodeEdit::after(isa::Pc pc, std::vector<VirtualInstruction> instructions) {
  append(places_[pc].after, std::move(instructions));
}

void CodeEdit::apply() {
  std::vector<VirtualInstruction> code;
  std::vector<isa::Pc> by_return, by_branch, moved;  // of each instruction: where ways to it lead now, and it itself
  for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
    Places places = places_.count(pc) != 0 ? std::move(places_[pc]) : Places();
    by_return.push_back(size_of(code));
    append(code, std::move(places.at_return));
    by_branch.push_back(size_of(code));
    append(code, std::move(places.before));
    moved.push_back(size_of(code));
    if (!places.is_removed) code.push_back(code_.code[pc]);
    append(code, std::move(places.after));
  }
  for (VirtualInstruction& instruction : code) {
    isa::Instruction& body = instruction.body;
    if (body.target != isa::NoPc) body.target = by_branch[body.target];
    if (body.rpc != isa::NoPc) body.rpc = by_branch[body.rpc];
    if (instruction.code_address != isa::NoPc) instruction.code_address = by_return[instruction.code_address];
  }
  for (std::vector<isa::Pc>& table : code_.tables)
    for (isa::Pc& target : table)
      if (target != isa::NoPc) target = by_branch[target];
  for (FunctionCode& function : code_.functions) {
    function.first = by_branch[function.first];
    function.last = moved[function.last];
  }
  for (CallSite& call : code_.calls) {
    call.first = by_branch[call.first];
    call.branch = moved[call.branch];
  }
  std::map<isa::Pc, std::string> labels;
  for (const auto& [pc, label] : code_.labels) labels.emplace(by_branch[pc], label);
  code_.labels = std::move(labels);
  code_.code = std::move(code);
}

}  // namespace heddle::compiler
