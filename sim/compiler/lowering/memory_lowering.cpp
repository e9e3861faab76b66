// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics.
#include <fmt/format.h>

#include "sim/compiler/lowering/function_lowering.h"
#include "sim/isa/disassemble.h"
#include "sim/isa/fence.h"

namespace heddle::compiler {

using isa::Source;
using ptx::Operand;

namespace {

const Opcode& fence_row(const MemoryForm& form) {
  return *find_opcode(form.is_cta_scope ? "membar.cta" : "membar.gl");
}

}  // namespace

void FunctionLowering::lower_load() {
  expect_operands(2);
  const MemoryForm form = memory_form();
  const std::vector<Operand> results = elements(operand(0), form.count);
  if (form.is_parameter) {
    if (const ParameterPlace* words = find_words(operand(1))) return load_words(*words, form, results);
    if (!is_register(operand(1))) return load_parameters(form, results);
  }
  release(form);
  const Operand address = keep_address(operand(1), results);
  for (unsigned index = 0; index < form.count; ++index) {
    if (results[index].name == "_") continue;
    VirtualInstruction& instruction = add_access(form, address, index);
    instruction.body.sign_extend = form.is_signed();
    set_memory_destination(instruction, results[index], form);
  }
  acquire(form);
}

void FunctionLowering::acquire(const MemoryForm& form) {
  if (form.is_acquire) add_fence(fence_row(form), !form.is_cta_scope, false);
}

void FunctionLowering::release(const MemoryForm& form) {
  if (form.is_release) add_fence(fence_row(form), false, !form.is_cta_scope);
}

/// For the device; a fence that does neither has the scope of a CTA.
void FunctionLowering::add_fence(const Opcode& opcode, bool acquires, bool releases) {
  isa::set_fence(add_instruction(opcode).body, acquires, releases);
}

bool FunctionLowering::is_register(const Operand& address) const {
  return address.kind == Operand::Kind::Address && register_of(address) != NoVirtual;
}

Operand FunctionLowering::keep_address(const Operand& address, const std::vector<Operand>& results) {
  bool overwritten = false;
  for (std::size_t index = 0; index + 1 < results.size(); ++index)
    overwritten = overwritten || results[index].name == address.name;
  if (!overwritten) return address;
  Operand kept = address;
  kept.name = compute(move_row(width_of(register_of(address))).spelling, {register_operand(address)}).name;
  return kept;
}

Operand FunctionLowering::register_operand(const Operand& address) {
  Operand name = address;
  name.kind = Operand::Kind::Name;
  name.value = 0;
  return name;
}

void FunctionLowering::load_parameters(const MemoryForm& form, const std::vector<Operand>& results) {
  const Operand& address = operand(1);
  const isa::Parameter* parameter =
      address.kind == Operand::Kind::Address ? symbols_.find_parameter(address.name) : nullptr;
  if (parameter == nullptr) fail(address.where, "expected [parameter] or [parameter+offset]");
  for (unsigned index = 0; index < form.count; ++index) {
    if (results[index].name == "_") continue;
    const std::uint64_t offset = address.value + index * form.bytes;
    if (offset >= parameter->bytes || form.bytes > parameter->bytes - offset)
      fail(address.where, fmt::format("expected an offset inside the {} bytes of the parameter", parameter->bytes));
    VirtualInstruction& instruction = add_instruction();
    set_memory_destination(instruction, results[index], form);
    const Opcode& extend = extension(form, instruction.body.destination.wide);
    instruction.body.kind = isa::Kind::Compute;
    instruction.body.unit = extend.unit;
    instruction.set_evaluators(extend.evaluate);
    Source& source = instruction.body.sources[0];
    source.kind = Source::Kind::Parameter;
    source.index = static_cast<std::uint16_t>(parameter->offset + offset);
    source.bytes = static_cast<std::uint8_t>(form.bytes);
  }
}

const Opcode& FunctionLowering::extension(const MemoryForm& form, bool wide) {
  const char sign = form.is_signed() ? 's' : 'u';
  return *find_opcode(fmt::format("cvt.{0}{1}.{0}{2}", sign, wide ? 64 : 32, form.bytes * 8));
}

void FunctionLowering::lower_store() {
  expect_operands(2);
  const MemoryForm form = memory_form();
  const std::vector<Operand> values = elements(operand(1), form.count);
  if (form.is_parameter) return store_words(form, values);
  release(form);
  for (unsigned index = 0; index < form.count; ++index) {
    VirtualInstruction& instruction = add_access(form, operand(0), index);
    set_source(instruction, 1, values[index], data_class(values[index], class_of(form)));
  }
  acquire(form);
}

void FunctionLowering::lower_atomic() {
  const MemoryForm form = memory_form();
  const bool has_result = opcode_->pattern == Pattern::Atomic;
  const bool compares = form.atomic == isa::AtomicOp::CompareExchange;
  const unsigned first = has_result ? 1 : 0;
  expect_operands(first + (compares ? 3 : 2));
  release(form);
  VirtualInstruction& instruction = add_access(form, operand(first), 0);
  instruction.body.atomic = form.atomic;
  instruction.body.sign_extend = form.is_signed();
  const Class width = class_of(form);
  if (has_result && operand(0).name != "_") set_destination(instruction, operand(0), width);
  // PTX writes cas as [a], compare, swap.
  set_source(instruction, 1, operand(first + (compares ? 2 : 1)), width);
  if (compares) set_source(instruction, 2, operand(first + 1), width);
  acquire(form);
}

MemoryForm FunctionLowering::memory_form() {
  try {
    return parse_memory_form(statement_->opcode);
  } catch (const std::invalid_argument& error) { fail(statement_->where, error.what()); }
}

std::vector<Operand> FunctionLowering::elements(const Operand& operand, unsigned count) {
  if (count == 1 && operand.kind != Operand::Kind::Vector) return {operand};
  if (operand.kind != Operand::Kind::Vector || operand.elements.size() != count)
    fail(operand.where, fmt::format("expected a vector of {} elements", count));
  return operand.elements;
}

VirtualInstruction& FunctionLowering::add_access(const MemoryForm& form, const Operand& address, unsigned element) {
  if (address.kind != Operand::Kind::Address) fail(address.where, "expected an address in brackets");
  VirtualInstruction& instruction = add_instruction();
  isa::Instruction& body = instruction.body;
  body.mnemonic = keep(statement_->opcode);
  body.space = form.space;
  body.bytes = static_cast<std::uint8_t>(form.bytes);
  body.is_volatile = form.is_volatile;
  body.is_constant = form.is_constant;
  body.is_coherent = form.is_coherent;
  body.offset = static_cast<std::int64_t>(address.value + element * form.bytes);
  if (address.name.empty()) {
    instruction.set_immediate(0, 0);
  } else if (const auto place = symbols_.address_of(address)) {
    if (body.space != isa::Space::Generic && body.space != place->space) {
      fail(address.where,
           fmt::format("{} lies in {} memory, expected {}", address.name, name_of(place->space), name_of(body.space)));
    }
    if (place->is_texture != (opcode_->pattern == Pattern::Texture))
      fail(address.where, fmt::format("{} is {} texture", address.name, place->is_texture ? "a" : "no"));
    body.space = place->space;
    if (place->is_in_frame) {
      set_source(instruction, 0, register_named(result_.stack_pointer), Class::Narrow);
      body.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(body.offset) + place->source.value);
    } else {
      body.sources[0] = place->source;
    }
  } else {
    const VirtualId base = register_of(address);
    if (base == NoVirtual) fail(address.where, fmt::format("{} is not declared", address.name));
    set_source(instruction, 0, register_operand(address), width_of(base));
  }
  return instruction;
}

Class FunctionLowering::data_class(const Operand& value, Class least) const {
  const VirtualId id = value.kind == Operand::Kind::Name ? register_of(value) : NoVirtual;
  return id != NoVirtual && width_of(id) == Class::Wide ? Class::Wide : least;
}

void FunctionLowering::set_memory_destination(VirtualInstruction& instruction, const Operand& result,
                                              const MemoryForm& form) {
  set_destination(instruction, result, data_class(result, class_of(form)));
}

}  // namespace heddle::compiler
