// SPDX-License-Identifier: Apache-2.0
// Calls, indirect branches, arguments and results.
#include <fmt/format.h>

#include "sim/compiler/lowering/function_lowering.h"

namespace heddle::compiler {

using isa::Source;
using ptx::Operand;

// ---- Functions ----

void FunctionLowering::begin_function() {
  if (function_.is_entry) {
    if (result_.stack_pointer == NoVirtual) return;
    begin_statement("mov.u32", function_.where);
    add_immediate(result_.stack_pointer, 0);  // add_recursion_stack says how much
    return;
  }
  return_label_.name = fmt::format("return of {}", function_.name);
  const FunctionInterface &inside = convention_.inside(index_), &outside = convention_.outside(index_);
  declare_places(function_.parameters, inside.parameters);
  declare_places(function_.results, inside.results);
  if (inside.return_address == outside.return_address) return;
  begin_statement("call", function_.where);
  for (std::size_t i = 0; i < inside.parameters.size(); ++i) copy(outside.parameters[i], inside.parameters[i]);
  move(inside.return_address, outside.return_address);
}

void FunctionLowering::end_function() {
  add_label(return_label_.name, end_of_function());
  begin_statement("ret", end_of_function());
  const FunctionInterface &inside = convention_.inside(index_), &outside = convention_.outside(index_);
  if (inside.return_address != outside.return_address)
    for (std::size_t i = 0; i < inside.results.size(); ++i) copy(inside.results[i], outside.results[i]);
  VirtualInstruction& instruction = add_instruction(*find_opcode("bra"));
  instruction.body.mnemonic = "ret";
  instruction.body.branch = isa::BranchKind::Return;
  instruction.body.is_recursive = is_recursive();
  set_source(instruction, 0, register_named(inside.return_address), Class::Narrow);
}

void FunctionLowering::begin_statement(const char* opcode, ptx::Location where) {
  ours_ = ptx::Statement();
  ours_.where = where;
  ours_.opcode = opcode;
  statement_ = &ours_;
  opcode_ = find_opcode(opcode);
}

void FunctionLowering::declare_places(const std::vector<ptx::Variable>& variables,
                                      const std::vector<ParameterPlace>& places) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (places[i].single == Class::None)
      words_[variables[i].name] = places[i];
    else
      symbols_.declare(variables[i].name, places[i].registers[0]);
  }
}

void FunctionLowering::lower_return() {
  expect_operands(0);
  if (statement_ == &function_.body.back() && statement_->guard.empty()) return;  // it falls into the return
  add_instruction(*find_opcode("bra"));
  branch_to(return_label_);
}

void FunctionLowering::lower_call() {
  const CallOperands call = call_operands(module_, *statement_);
  const Operand after = skip_if_guarded();
  const int callee = graph_.find(call.callee->name);
  const ptx::Function* declared = module_.find_function(call.callee->name);
  bool returns = declared == nullptr || !(declared->is_noreturn || declared->name == "__assertfail");
  if (declared != nullptr && is_host_function(*declared)) {
    call_host(*declared, call);
  } else if (callee > 0) {
    call_function(convention_.outside(static_cast<std::size_t>(callee)), call, callee);
  } else {
    if (call.table == nullptr) fail(call.callee->where, fmt::format("function {} is not declared", call.callee->name));
    const ptx::Table& table = find_table(*call.table);
    const ptx::Function* first = table.targets.empty() ? nullptr : module_.find_function(table.targets.front());
    if (table.kind != "callprototype" && first == nullptr) fail(table.where, "expected functions");
    const FunctionInterface interface = first == nullptr ? convention_.indirect(table.parameters, table.results)
                                                         : convention_.indirect(first->parameters, first->results);
    call_function(interface, call, -1);
    returns = !table.is_noreturn;
  }
  if (!returns) end_with_trap();
  if (!after.name.empty()) add_label(after.name, after.where);
}

void FunctionLowering::end_with_trap() {
  begin_statement("trap", statement_->where);
  add_instruction();
}

void FunctionLowering::call_host(const ptx::Function& callee, const CallOperands& call) {
  using isa::HostOp;
  const auto elements_of = [](const Operand* list) {
    return list == nullptr ? std::vector<Operand>() : list->elements;
  };
  const auto make_words = [&](unsigned bytes) {
    ptx::Variable word;
    word.where = call.callee->where;
    word.type = bytes == 8 ? "b64" : "b32";
    return convention_.make_words("argument of " + callee.name, word);
  };
  const bool asserts = callee.name == "__assertfail";
  const std::vector<unsigned> bytes = asserts ? std::vector<unsigned>{8, 8, 4, 8, 8} : std::vector<unsigned>{8, 8};
  const std::vector<Operand> arguments = elements_of(call.arguments), results = elements_of(call.results);
  expect_count(*call.callee, "arguments", arguments.size(), bytes.size());
  expect_count(*call.callee, "results", results.size(), asserts ? 0 : 1);
  // From here on these are statements of ours at the place of the call.
  const ptx::Statement statement = *statement_;
  const char* const name = keep(callee.name);
  const auto add_host = [&](HostOp op) -> VirtualInstruction& {
    VirtualInstruction& instruction = add_instruction(*find_opcode("host {"));
    instruction.body.host_op = op;
    instruction.body.mnemonic = name;
    return instruction;
  };
  begin_statement("ld.u8", statement.where);
  ours_.source = statement.source;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParameterPlace place = make_words(bytes[i]);
    pass(arguments[i], place);
    const bool wide = bytes[i] == 8;
    const Operand value = wide ? new_register(Class::Wide, arguments[i].where) : register_named(place.registers[0]);
    if (wide) read_pair(value, place, 0);
    set_source(add_host(HostOp::Argument), 0, value, width_of(register_of(value)));
  }
  const Operand address = new_register(Class::Wide, statement.where);
  set_destination(add_host(asserts ? HostOp::Assert : HostOp::Print), address, Class::Wide);
  Operand loop = address, done = address, place = address;
  loop.name = fmt::format("bytes_for_host_{}", here());
  done.name = fmt::format("after_host_{}", here());
  add_label(loop.name, loop.where);
  const Operand is_done = compute("setp.eq.u64", {address, number(0)});
  VirtualInstruction& leave = add_instruction(*find_opcode("bra"));
  set_guard(leave, is_done);
  branch_to(done);
  place.kind = Operand::Kind::Address;
  const Operand byte = new_register(Class::Narrow, statement.where);
  set_destination(add_access(parse_memory_form("ld.u8"), place, 0), byte, Class::Narrow);
  VirtualInstruction& next = add_host(HostOp::Next);
  set_destination(next, address, Class::Wide);
  set_source(next, 0, byte, Class::Narrow);
  add_instruction(*find_opcode("bra"));
  branch_to(loop);
  add_label(done.name, done.where);
  if (asserts) return;
  const ParameterPlace count = make_words(4);
  set_destination(add_host(HostOp::Result), register_named(count.registers[0]), Class::Narrow);
  receive(results[0], count);
}

void FunctionLowering::call_function(const FunctionInterface& interface, const CallOperands& call, int callee) {
  const auto elements_of = [](const Operand* list) {
    return list == nullptr ? std::vector<Operand>() : list->elements;
  };
  const std::vector<Operand> arguments = elements_of(call.arguments), results = elements_of(call.results);
  expect_count(*call.callee, "arguments", arguments.size(), interface.parameters.size());
  expect_count(*call.callee, "results", results.size(), interface.results.size());
  CallSite site;
  site.caller = index_;
  if (callee < 0) peel(*call.callee);
  site.first = here();
  for (std::size_t i = 0; i < arguments.size(); ++i) pass(arguments[i], interface.parameters[i]);
  const std::size_t address = result_.code.size();
  add_immediate(interface.return_address, 0);
  site.branch = here();
  VirtualInstruction& branch = add_instruction();
  branch.body.branch = isa::BranchKind::Call;
  branch.callee = callee;
  if (callee < 0) {
    set_source(branch, 0, *call.callee, width_of(expect_pointer(*call.callee)));
    for (const ReachedFunction& reached : graph_.functions)
      branch.body.is_recursive = branch.body.is_recursive || (reached.has_address_taken && reached.is_recursive);
  } else {
    branch.body.is_recursive = graph_.functions[static_cast<std::size_t>(callee)].is_recursive;
  }
  result_.code[address].code_address = here();
  for (const ParameterPlace& place : interface.results)
    site.results.insert(site.results.end(), place.registers.begin(), place.registers.end());
  result_.calls.push_back(std::move(site));
  for (std::size_t i = 0; i < results.size(); ++i) receive(results[i], interface.results[i]);
}

void FunctionLowering::expect_count(const Operand& callee, const char* what, std::size_t found,
                                    std::size_t expected) const {
  if (found != expected) fail(callee.where, fmt::format("{} has {} {}, found {}", callee.name, expected, what, found));
}

VirtualId FunctionLowering::expect_pointer(const Operand& callee) const {
  const VirtualId id = register_of(callee);
  if (id == NoVirtual || width_of(id) == Class::Predicate)
    fail(callee.where, fmt::format("expected a function or a register with its address, found {}", callee.name));
  return id;
}

Operand FunctionLowering::skip_if_guarded() {
  Operand label;
  label.where = statement_->where;
  if (statement_->guard.empty()) return label;
  label.name = fmt::format("after_{}", here());
  add_instruction(*find_opcode("bra"));
  result_.code.back().body.guard.negated = !statement_->guard_negated;
  branch_to(label);
  ours_ = *statement_;
  ours_.guard.clear();
  statement_ = &ours_;
  return label;
}

void FunctionLowering::peel(const Operand& value) {
  const isa::Pc peel = here();
  VirtualInstruction& instruction = add_instruction(*find_opcode("bra"));
  instruction.body.mnemonic = "peel";
  instruction.body.branch = isa::BranchKind::Peel;
  instruction.body.target = peel + 2;
  set_source(instruction, 0, value, width_of(expect_pointer(value)));
  add_instruction(*find_opcode("bra")).body.target = peel;
}

void FunctionLowering::lower_branch_table() {
  expect_operands(2);
  const ptx::Table& table = find_table(operand(1));
  if (table.kind != "branchtargets") fail(operand(1).where, "expected the name of a .branchtargets");
  const Operand& index = statement_->operands[0];
  const Opcode& row = *opcode_;
  const Operand after = skip_if_guarded();
  peel(index);
  VirtualInstruction& instruction = add_instruction(row);
  instruction.body.branch = isa::BranchKind::Table;
  instruction.body.table = static_cast<std::uint16_t>(result_.tables.size());
  set_source(instruction, 0, index, Class::Narrow);
  tables_.push_back({result_.tables.size(), &table});
  result_.tables.emplace_back();
  if (!after.name.empty()) add_label(after.name, after.where);
}

const ptx::Table& FunctionLowering::find_table(const Operand& name) const {
  for (const ptx::Table& table : function_.tables)
    if (table.name == name.name) return table;
  fail(name.where, fmt::format("expected a prototype or a list of targets, {} is not declared", name.name));
}

// ---- Arguments and results ----

const ParameterPlace* FunctionLowering::find_words(const Operand& variable) {
  const auto found = words_.find(variable.name);
  if (found != words_.end()) return &found->second;
  for (const ptx::Variable& declared : function_.variables)
    if (declared.space == "param" && declared.name == variable.name)
      return &(words_[variable.name] = convention_.make_words(declared.name, declared));
  return nullptr;
}

void FunctionLowering::load_words(const ParameterPlace& place, const MemoryForm& form,
                                  const std::vector<Operand>& results) {
  for (unsigned index = 0; index < form.count; ++index) {
    if (results[index].name == "_") continue;
    const std::uint64_t offset = check_offset(place, operand(1), form, index);
    const Class width = data_class(results[index], class_of(form));
    if (form.bytes == 8) {
      read_pair(results[index], place, offset);
    } else {
      read_word(results[index], width, place, offset, form);
    }
  }
}

void FunctionLowering::store_words(const MemoryForm& form, const std::vector<Operand>& values) {
  const ParameterPlace* place = find_words(operand(0));
  if (place == nullptr) fail(operand(0).where, "expected a .param variable of this function");
  for (unsigned index = 0; index < form.count; ++index) {
    const std::uint64_t offset = check_offset(*place, operand(0), form, index);
    write_words(*place, offset, form.bytes, values[index], data_class(values[index], class_of(form)));
  }
}

std::uint64_t FunctionLowering::check_offset(const ParameterPlace& place, const Operand& address,
                                             const MemoryForm& form, unsigned index) const {
  const std::uint64_t offset = address.value + index * form.bytes;
  const std::uint64_t size = 4 * place.registers.size();
  if (offset % form.bytes != 0 || offset >= size || form.bytes > size - offset)
    fail(address.where, fmt::format("expected an aligned offset inside the {} bytes of {}", place.bytes, address.name));
  return offset;
}

void FunctionLowering::read_pair(const Operand& result, const ParameterPlace& place, std::uint64_t offset) {
  add_row("mov.b64 {", result,
          {register_named(place.registers[offset / 4]), register_named(place.registers[offset / 4 + 1])});
}

void FunctionLowering::read_word(const Operand& result, Class width, const ParameterPlace& place, std::uint64_t offset,
                                 const MemoryForm& form) {
  const Operand narrow = width == Class::Wide ? new_register(Class::Narrow, result.where) : result;
  const Operand word = register_named(place.registers[offset / 4]);
  if (form.bytes == 4) {
    add_row("mov.b32", narrow, {word});
  } else {
    add_row(form.is_signed() ? "bfe.s32" : "bfe.u32", narrow, {word, number(8 * (offset % 4)), number(8 * form.bytes)});
  }
  if (width == Class::Wide) add_row(form.is_signed() ? "cvt.s64.s32" : "cvt.u64.u32", result, {narrow});
}

void FunctionLowering::write_words(const ParameterPlace& place, std::uint64_t offset, unsigned bytes,
                                   const Operand& value, Class width) {
  const auto word = [&](std::uint64_t index) { return register_named(place.registers[index]); };
  if (bytes >= 4) {
    for (unsigned part = 0; part < bytes / 4; ++part) add_part(word(offset / 4 + part), value, width, 32 * part);
    return;
  }
  Operand narrow = value;
  if (width == Class::Wide) add_part(narrow = new_register(Class::Narrow, value.where), value, width, 0);
  const std::uint64_t field = find_opcode("bfi.field.b32 {")->evaluate.one(8 * (offset % 4), 8 * bytes, 0);
  add_row("bfi.b32", word(offset / 4), {narrow, word(offset / 4), number(field)});
}

void FunctionLowering::add_part(const Operand& result, const Operand& value, Class width, unsigned shift) {
  if (value.kind == Operand::Kind::Immediate)
    return add_row("mov.b32", result, {number(static_cast<std::uint32_t>(value.value >> shift))});
  if (width != Class::Wide) return add_row("mov.b32", result, {value});
  VirtualInstruction& instruction = add_instruction(*find_opcode("shr.b64"));  // into a register of 32 bits
  set_destination(instruction, result, Class::Narrow);
  set_source(instruction, 0, value, width);
  instruction.set_immediate(1, shift);
}

void FunctionLowering::pass(const Operand& argument, const ParameterPlace& to) {
  if (const ParameterPlace* words = find_words(argument)) return copy_checked(argument, *words, to);
  if (to.single != Class::None) {
    add_row(move_row(to.single), register_named(to.registers[0]), {argument});
  } else {
    if (to.bytes > 8) fail(argument.where, fmt::format("expected a .param variable of {} bytes", to.bytes));
    write_words(to, 0, to.bytes, argument, to.bytes == 8 ? Class::Wide : Class::Narrow);
  }
}

void FunctionLowering::receive(const Operand& result, const ParameterPlace& from) {
  if (result.name == "_") return;
  if (const ParameterPlace* words = find_words(result)) return copy_checked(result, from, *words);
  const VirtualId id = register_of(result);
  if (id == NoVirtual) fail(result.where, fmt::format("{} is not declared", result.name));
  if (from.single == Class::None && (width_of(id) == Class::Wide) != (from.bytes == 8))
    fail(result.where, fmt::format("expected a place for {} bytes, found {}", from.bytes, result.name));
  if (from.single == Class::None && from.bytes == 8)
    read_pair(result, from, 0);
  else
    add_row(move_row(from.single), result, {register_named(from.registers[0])});
}

void FunctionLowering::copy_checked(const Operand& operand, const ParameterPlace& from, const ParameterPlace& to) {
  if (from.bytes != to.bytes)
    fail(operand.where, fmt::format("{}: expected {} bytes, found {}", operand.name, to.bytes, from.bytes));
  copy(from, to);
}

void FunctionLowering::copy(const ParameterPlace& from, const ParameterPlace& to) {
  if (from.single == to.single) {
    for (std::size_t i = 0; i < from.registers.size(); ++i) move(to.registers[i], from.registers[i]);
  } else if (from.single == Class::None) {
    if (to.single == Class::Wide)
      read_pair(register_named(to.registers[0]), from, 0);
    else
      move(to.registers[0], from.registers[0]);
  } else {
    write_words(to, 0, 4 * static_cast<unsigned>(to.registers.size()), register_named(from.registers[0]), from.single);
  }
}

void FunctionLowering::move(VirtualId to, VirtualId from) {
  add_row(move_row(width_of(to)), register_named(to), {register_named(from)});
}

const Opcode& FunctionLowering::move_row(Class width) {
  return *find_opcode(width == Class::Wide ? "mov.b64" : width == Class::Predicate ? "mov.pred" : "mov.b32");
}

void FunctionLowering::add_immediate(VirtualId to, std::uint64_t value) {
  VirtualInstruction& instruction = add_instruction(*find_opcode("mov.u32"));
  set_destination(instruction, register_named(to), Class::Narrow);
  instruction.set_immediate(0, value);
}

void FunctionLowering::move_frame_address(const Operand& result, std::uint64_t place) {
  const Operand pointer = register_named(result_.stack_pointer);
  const bool wide = opcode_->result == Class::Wide;
  const Operand base = wide ? compute("cvt.u64.u32", {pointer}) : pointer;
  add_row(wide ? "add.u64" : "add.u32", result, {base, number(place)});
}

Operand FunctionLowering::register_named(VirtualId id) {
  Operand name;
  name.where = statement_->where;
  name.name = "register " + std::to_string(id);
  temporaries_[name.name] = id;
  return name;
}

}  // namespace heddle::compiler
