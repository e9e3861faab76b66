// Arithmetic, the carry, comparisons and moves.
#include <fmt/format.h>

#include "sim/compiler/function_lowering.h"

namespace heddle::compiler {

using isa::Source;
using ptx::Operand;

// ---- Values ----

void FunctionLowering::lower_plain() {
  unsigned sources = 0;
  while (sources < 3 && opcode_->operands[sources] != Class::None) ++sources;
  expect_operands(1 + sources);
  add_plain(*opcode_, operand(0), &statement_->operands[1], sources);
}

void FunctionLowering::add_plain(const Opcode& opcode, const Operand& result, const Operand* from, unsigned sources) {
  VirtualInstruction& instruction = add_instruction(opcode);
  set_destination(instruction, result, opcode.result);
  for (unsigned index = 0; index < sources; ++index)
    set_source(instruction, index, from[index], opcode.operands[index]);
}

void FunctionLowering::lower_insert() {
  expect_operands(5);
  const Opcode& pack = *find_opcode("bfi.field {");
  const Operand &position = operand(3), &length = operand(4);
  Operand field = position;
  if (position.kind == Operand::Kind::Immediate && length.kind == Operand::Kind::Immediate) {
    field.value = pack.evaluate.one(position.value, length.value, 0);
  } else {
    field = new_register(Class::Narrow, position.where);
    add_plain(pack, field, &position, 2);
    make_unconditional();
  }
  const Operand sources[] = {operand(1), operand(2), field};
  add_plain(*opcode_, operand(0), sources, 3);
}

void FunctionLowering::lower_logic() {
  expect_operands(5);
  const Operand& table = operand(4);
  if (table.kind != Operand::Kind::Immediate || table.value > 0xff) fail(table.where, "expected a table from 0 to 255");
  add_plain(*find_opcode(three_input_logic(static_cast<unsigned>(table.value))), operand(0), &operand(1), 3);
  result_.code.back().body.mnemonic = keep(fmt::format("{}.{:#04x}", opcode_->spelling, table.value));
}

// ---- The carry ----

void FunctionLowering::lower_product_sum() {
  expect_operands(4);
  const Opcode &multiply = *find_opcode(opcode_->steps[0]), &add = *find_opcode(opcode_->steps[1]);
  const Operand product = new_register(multiply.result, operand(1).where);
  add_plain(multiply, product, &operand(1), 2);
  make_unconditional();
  add_with_carry(add, operand(0), product, operand(3));
}

void FunctionLowering::add_with_carry(const Opcode& opcode, const Operand& result, const Operand& a, const Operand& b) {
  const bool reads_carry = opcode.operands[2] == Class::Predicate;
  const bool writes_carry = opcode.carry_out.one != nullptr;
  if (writes_carry && !reads_carry) add_carry_out(opcode, a, b);
  const bool sum_waits = writes_carry && reads_carry && (result.name == a.name || result.name == b.name);
  const Operand sum = sum_waits ? new_register(opcode.result, result.where) : result;
  const Operand sources[] = {a, b};
  add_plain(opcode, sum, sources, 2);
  if (reads_carry) read_carry();
  if (sum_waits) make_unconditional();
  if (writes_carry && reads_carry) add_carry_out(opcode, a, b);
  if (sum_waits) add_plain(*find_opcode(opcode.result == Class::Wide ? "mov.b64" : "mov.b32"), result, &sum, 1);
}

void FunctionLowering::add_carry_out(const Opcode& opcode, const Operand& a, const Operand& b) {
  VirtualInstruction& instruction = add_instruction(opcode);
  instruction.body.evaluate = opcode.carry_out.one;
  instruction.body.evaluate_lanes = opcode.carry_out.lanes;
  instruction.body.destination.id = isa::CarryId;
  set_source(instruction, 0, a, opcode.operands[0]);
  set_source(instruction, 1, b, opcode.operands[1]);
  if (opcode.operands[2] == Class::Predicate) read_carry();
}

void FunctionLowering::read_carry() {
  Source& source = result_.code.back().body.sources[2];
  source.kind = Source::Kind::Predicate;
  source.index = isa::CarryPredicate;
}

// ---- Comparisons ----

void FunctionLowering::lower_compare() {
  const bool combines = opcode_->operands[2] != Class::None;
  expect_operands(combines ? 4 : 3);
  const Operand& result = operand(0);
  if (result.kind != Operand::Kind::Pair) return add_comparison(result, opcode_->evaluate);
  // p and q come from two instructions: the one that overwrites the predicate operand must be the second.
  const Operand &p = result.elements[0], &q = result.elements[1];
  const bool q_first = combines && p.name == operand(3).name;
  if (!q_first) add_comparison(p, opcode_->evaluate);
  add_comparison(q, opcode_->inverse);
  if (q_first) add_comparison(p, opcode_->evaluate);
}

void FunctionLowering::add_comparison(const Operand& result, const Evaluators& evaluate) {
  if (result.name == "_") return;
  VirtualInstruction& instruction = add_instruction();
  instruction.body.evaluate = evaluate.one;
  instruction.body.evaluate_lanes = evaluate.lanes;
  set_destination(instruction, result, Class::Predicate);
  for (unsigned index = 0; index < 3; ++index)
    if (opcode_->operands[index] != Class::None)
      set_source(instruction, index, operand(1 + index), opcode_->operands[index]);
}

// ---- Moves ----

void FunctionLowering::lower_move() {
  expect_operands(2);
  const bool is_64_bit = opcode_->result == Class::Wide;
  if (operand(0).kind == Operand::Kind::Vector) return unpack(is_64_bit);
  if (operand(1).kind == Operand::Kind::Vector) return pack(is_64_bit);
  move_address_or_value();
}

void FunctionLowering::move_address_or_value() {
  const Operand& from = operand(1);
  const auto address = address_of(from);
  if (address && address->space == isa::Space::Global && opcode_->result != Class::Wide)
    fail(from.where, fmt::format("the address of {} needs a 64-bit register", from.name));
  if (address && address->is_in_frame) {
    if (opcode_->pattern == Pattern::Move) return move_frame_address(operand(0), address->source.value + from.value);
    const Operand place = new_register(opcode_->operands[0], from.where);
    move_frame_address(place, address->source.value + from.value);
    return add_plain(*opcode_, operand(0), &place, 1);
  }
  const Operand moved = address ? add_offset(*address, from) : from;
  VirtualInstruction& instruction = add_instruction();
  set_destination(instruction, operand(0), opcode_->result);
  if (const unsigned handle = function_handle(module_, from.name); handle != 0) {
    set_immediate(instruction, 0, handle);
  } else if (address && moved.name == from.name) {
    instruction.body.sources[0] = address->source;
  } else {
    set_source(instruction, 0, moved, opcode_->operands[0]);
  }
}

std::optional<VariableAddress> FunctionLowering::address_of(const Operand& name) {
  if (name.kind != Operand::Kind::Name || name.name.empty()) return std::nullopt;
  if (symbols_.find_parameter(name.name) != nullptr) return symbols_.address_of_parameters(name.where);
  return symbols_.address_of(name);
}

Operand FunctionLowering::add_offset(const VariableAddress& address, const Operand& name) {
  const isa::Parameter* parameter = symbols_.find_parameter(name.name);
  const std::uint64_t offset = name.value + (parameter == nullptr ? 0 : parameter->offset);
  if (offset == 0) return name;
  Operand sum;
  sum.where = name.where;
  if (address.source.kind == Source::Kind::Immediate) {
    sum.kind = Operand::Kind::Immediate;
    sum.value = address.source.value + offset;
    return sum;
  }
  sum = new_register(Class::Wide, name.where);
  VirtualInstruction& instruction = add_instruction(*find_opcode("add.u64"));
  set_destination(instruction, sum, Class::Wide);
  instruction.body.sources[0] = address.source;
  set_immediate(instruction, 1, offset);
  make_unconditional();
  return sum;
}

void FunctionLowering::unpack(bool is_64_bit) {
  const std::vector<Operand>& parts = parts_of(operand(0), is_64_bit);
  const auto bits = static_cast<unsigned>((is_64_bit ? 64 : 32) / parts.size());
  const Opcode& shift = *find_opcode(is_64_bit ? "shr.b64" : "shr.b32");
  for (unsigned part = 0; part < parts.size(); ++part) {
    if (parts[part].name == "_") continue;
    VirtualInstruction& instruction = add_instruction();
    instruction.body.evaluate = shift.evaluate.one;
    instruction.body.evaluate_lanes = shift.evaluate.lanes;
    set_destination(instruction, parts[part], Class::Narrow);
    set_source(instruction, 0, operand(1), opcode_->operands[0]);
    set_immediate(instruction, 1, part * bits);
  }
}

void FunctionLowering::pack(bool is_64_bit) {
  const std::vector<Operand>& parts = parts_of(operand(1), is_64_bit);
  if (parts.size() == 2)
    return add_plain(*find_opcode(is_64_bit ? "mov.b64 {" : "mov.b32 {"), operand(0), parts.data(), 2);
  const Opcode& pair = *find_opcode("mov.b32 {");
  const Operand halves[] = {new_register(Class::Narrow, parts[0].where), new_register(Class::Narrow, parts[2].where)};
  for (unsigned half = 0; half < 2; ++half) {
    add_plain(pair, halves[half], &parts[2 * half], 2);
    make_unconditional();
  }
  add_plain(*find_opcode("mov.b64 {"), operand(0), halves, 2);
}

const std::vector<Operand>& FunctionLowering::parts_of(const Operand& vector, bool is_64_bit) {
  const std::size_t count = vector.elements.size();
  if (opcode_->result == Class::Predicate || !(count == 2 || (count == 4 && is_64_bit)))
    fail(vector.where, "only vectors of two parts, or of four of 16 bits, are supported here");
  return vector.elements;
}

}  // namespace heddle::compiler
