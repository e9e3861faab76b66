// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/function_lowering.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

#include "sim/compiler/lowering/texture_lowering.h"
#include "sim/compiler/lowering/warp_wide_lowering.h"
#include "sim/isa/disassemble.h"

namespace heddle::compiler {

using isa::Source;
using ptx::Operand;

namespace {

const char* describe(Class width) {
  switch (width) {
    case Class::Predicate:
      return "a predicate register";
    case Class::Narrow:
      return "a register of at most 32 bits";
    case Class::Wide:
      return "a 64-bit register";
    case Class::None:
      break;
  }
  return "a register";
}

}  // namespace

const char* keep(const std::string& text) {
  static std::unordered_set<std::string> kept;
  return kept.insert(text).first->c_str();
}

void FunctionLowering::run() {
  result_.functions[index_].first = here();
  begin_function();
  for (const ptx::Statement& statement : function_.body) {
    if (statement.is_label()) {
      add_label(statement.label, statement.where);
    } else if (statement.is_mark()) {
      marks_.add(statement);
    } else {
      lower(statement);
    }
  }
  if (function_.is_entry)
    end_with_exit();
  else
    end_function();
  resolve_targets();
  marks_.finish();
  result_.functions[index_].last = here() - 1;
}

// ---- Statements ----

void FunctionLowering::add_label(const std::string& label, ptx::Location where) {
  if (!labels_.emplace(label, here()).second)
    throw module_.error(where, fmt::format("label {} is defined twice", label));
}

void FunctionLowering::lower(const ptx::Statement& statement) {
  statement_ = &statement;
  opcode_ = find_opcode(statement.opcode);
  if (opcode_ == nullptr) fail(statement.where, fmt::format("opcode {} is not supported", statement.opcode));
  switch (opcode_->pattern) {
    case Pattern::Plain:
      return lower_plain();
    case Pattern::Compare:
      return lower_compare();
    case Pattern::Carry:
      expect_operands(3);
      return add_with_carry(*opcode_, operand(0), operand(1), operand(2));
    case Pattern::ProductSum:
      return lower_product_sum();
    case Pattern::Insert:
      return lower_insert();
    case Pattern::Logic:
      return lower_logic();
    case Pattern::Convert:
      return lower_convert();
    case Pattern::Move:
      return lower_move();
    case Pattern::Address:
      expect_operands(2);
      return move_address_or_value();
    case Pattern::Load:
      return lower_load();
    case Pattern::Store:
      return lower_store();
    case Pattern::Atomic:
    case Pattern::Reduction:
      return lower_atomic();
    case Pattern::Branch:
      return lower_branch();
    case Pattern::Barrier:
      return lower_barrier(*this, *opcode_);
    case Pattern::WarpWide:
      return lower_warp_wide(*this, *opcode_);
    case Pattern::Texture:
      return lower_texture(*this, *opcode_);
    case Pattern::BranchTable:
      return lower_branch_table();
    case Pattern::Call:
      return lower_call();
    case Pattern::Exit:
      if (!function_.is_entry && statement.opcode != "exit") return lower_return();
      [[fallthrough]];
    case Pattern::Fence:
      expect_operands(0);
      return add_fence(*opcode_, !is_cta_scope(opcode_->spelling), !is_cta_scope(opcode_->spelling));
    case Pattern::Trap:
      expect_operands(0);
      add_instruction();
      return;
    case Pattern::NoEffect:
      return lower_no_effect();
  }
}

// ---- Control ----

void FunctionLowering::lower_no_effect() {
  for (const Operand& operand : statement_->operands)
    if (operand.name[0] == '%' && register_of(operand) == NoVirtual)
      fail(operand.where, fmt::format("{} is not declared", operand.name));
  add_instruction().set_evaluators(find_opcode("mov.b32")->evaluate);
}

void FunctionLowering::lower_branch() {
  expect_operands(1);
  const Operand& target = operand(0);
  if (target.kind != Operand::Kind::Name) fail(target.where, "expected a label");
  expect_no_offset(target);
  add_instruction();
  branch_to(target);
}

void FunctionLowering::end_with_exit() {
  const isa::Pc end = here();
  const auto goes_on = [](const VirtualInstruction& last) {
    const bool is_call = last.body.kind == isa::Kind::Branch && last.body.branch == isa::BranchKind::Call;
    return !last.ends_block() || last.is_guarded() || is_call;
  };
  if (end != result_.functions[index_].first && !goes_on(result_.code.back()) && !is_target(end)) return;
  ptx::Statement exit;
  exit.where = end_of_function();
  exit.opcode = "ret";
  lower(exit);
}

ptx::Location FunctionLowering::end_of_function() const {
  return function_.body.empty() ? function_.where : function_.body.back().where;
}

/// Does a branch so far name a label of this place? Labels of line information are named by none.
bool FunctionLowering::is_target(isa::Pc pc) const {
  const auto stands_here = [this, pc](const std::string& name) {
    const auto found = labels_.find(name);
    return found != labels_.end() && found->second == pc;
  };
  const auto is_here = [&](const auto& target) { return stands_here(target.label.name); };
  const auto leads_here = [&](const auto& table) {
    return std::any_of(table.table->targets.begin(), table.table->targets.end(), stands_here);
  };
  return std::any_of(targets_.begin(), targets_.end(), is_here) ||
         std::any_of(tables_.begin(), tables_.end(), leads_here);
}

void FunctionLowering::resolve_targets() {
  const auto named = [this](const std::string& label, ptx::Location where) {
    const isa::Pc pc = find_label(label, where);
    result_.labels.emplace(pc, label);
    return pc;
  };
  for (const auto& [index, label] : targets_) result_.code[index].body.target = named(label.name, label.where);
  for (const auto& [index, table] : tables_)
    for (const std::string& label : table->targets) result_.tables[index].push_back(named(label, table->where));
}

isa::Pc FunctionLowering::find_label(const std::string& name, ptx::Location where) const {
  const auto found = labels_.find(name);
  if (found == labels_.end()) fail(where, fmt::format("label {} is not defined", name));
  return found->second;
}

// ---- Operands ----

void FunctionLowering::expect_operands(unsigned count) {
  if (statement_->operands.size() != count)
    fail(statement_->where,
         fmt::format("{}: expected {} operands, found {}", statement_->opcode, count, statement_->operands.size()));
}

VirtualInstruction& FunctionLowering::add_instruction(const Opcode& opcode) {
  VirtualInstruction instruction = VirtualInstruction::of(opcode);
  instruction.where = statement_->where;
  isa::Instruction& body = instruction.body;
  // A row that PTX cannot spell goes by the name of the statement it is for.
  if (opcode.spelling.find('{') != std::string::npos) body.mnemonic = opcode_->spelling.c_str();
  body.line = statement_->where.line;
  body.source_file = statement_->source.file;
  body.source_line = statement_->source.line;
  if (!statement_->guard.empty()) set_guard(instruction, statement_->guard_operand());
  result_.code.push_back(instruction);
  return result_.code.back();
}

Operand FunctionLowering::new_register(Class width, ptx::Location where) {
  Operand name;
  name.where = where;
  name.name = fmt::format("temporary {}", result_.registers.size());
  temporaries_[name.name] = static_cast<VirtualId>(result_.registers.size());
  result_.registers.push_back({name.name, width});
  return name;
}

void FunctionLowering::set_guard(VirtualInstruction& instruction, const Operand& predicate) {
  instruction.guard = expect_register(predicate, Class::Predicate);
  instruction.body.guard.kind = Source::Kind::Predicate;
  instruction.body.guard.negated = predicate.negated;
}

void FunctionLowering::make_unconditional() {
  result_.code.back().guard = NoVirtual;
  result_.code.back().body.guard = Source();
}

void FunctionLowering::set_destination(VirtualInstruction& instruction, const Operand& result, Class width) {
  instruction.set_destination(expect_register(result, width), width);
}

void FunctionLowering::set_source(VirtualInstruction& instruction, unsigned index, const Operand& from, Class width) {
  expect_no_offset(from);
  Source& source = instruction.body.sources[index];
  if (from.kind == Operand::Kind::Immediate) return instruction.set_immediate(index, from.value);
  const isa::SpecialRegister special =
      from.kind == Operand::Kind::Name ? isa::special_register(from.name) : isa::SpecialRegister::Count;
  if (special != isa::SpecialRegister::Count) {
    if (width == Class::Predicate || (width == Class::Wide && !isa::is_wide(special)))
      fail(from.where, fmt::format("{} is 32 bits wide", from.name));
    if (isa::is_clock(special) && instruction.body.kind != isa::Kind::Compute)
      fail(from.where, fmt::format("expected a register, found {}", from.name));
    source.kind = Source::Kind::Special;
    source.wide = width == Class::Wide;
    source.index = static_cast<std::uint16_t>(special);
    return;
  }
  instruction.set_source(index, expect_register(from, width), width);
  source.negated = from.negated;
}

void FunctionLowering::expect_no_offset(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Name && operand.value != 0)
    fail(operand.where, fmt::format("{} is no variable: nothing can be added to it here", operand.name));
}

VirtualId FunctionLowering::expect_register(const Operand& operand, Class width) {
  expect_no_offset(operand);
  if (operand.kind != Operand::Kind::Name) fail(operand.where, fmt::format("expected {}", describe(width)));
  const VirtualId id = register_of(operand);
  if (id == NoVirtual) {
    fail(operand.where, fmt::format(operand.name[0] == '%' ? "expected {}; {} is not declared or not supported"
                                                           : "expected {}, found {}",
                                    describe(width), operand.name));
  }
  if (width_of(id) != width) fail(operand.where, fmt::format("expected {}, found {}", describe(width), operand.name));
  if (operand.negated && width != Class::Predicate) fail(operand.where, "only a predicate can be negated with '!'");
  return id;
}

VirtualId FunctionLowering::register_of(const Operand& operand) const {
  const auto temporary = temporaries_.find(operand.name);
  return temporary == temporaries_.end() ? symbols_.find_register(operand.name) : temporary->second;
}

void FunctionLowering::fail(ptx::Location where, const std::string& message) const {
  throw module_.error(where, message);
}

}  // namespace heddle::compiler
