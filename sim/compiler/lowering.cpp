#include "sim/compiler/lowering.h"

#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

#include "sim/compiler/emitter.h"
#include "sim/compiler/memory_form.h"
#include "sim/compiler/symbols.h"
#include "sim/compiler/warp_wide_lowering.h"
#include "sim/isa/disassemble.h"

namespace heddle::compiler {
namespace {

using isa::Source;
using ptx::Operand;

/// Text that outlives every program: mnemonics point to it.
const char* keep(const std::string& text) {
  static std::unordered_set<std::string> kept;
  return kept.insert(text).first->c_str();
}

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

class Lowering final : public Emitter {
 public:
  Lowering(const ptx::Module& module, const ptx::Entry& entry)
      : module_(module), entry_(entry), symbols_(module, entry, result_) {}

  VirtualCode run() {
    for (const ptx::Statement& statement : entry_.body) {
      if (statement.is_label()) {
        add_label(statement);
      } else {
        lower(statement);
      }
    }
    end_with_exit();
    resolve_targets();
    return std::move(result_);
  }

 private:
  // ---- Statements ----

  void add_label(const ptx::Statement& statement) {
    const auto here = static_cast<isa::Pc>(result_.code.size());
    if (!labels_.emplace(statement.label, here).second)
      throw module_.error(statement.where, fmt::format("label {} is defined twice", statement.label));
    result_.labels.emplace(here, statement.label);
  }

  void lower(const ptx::Statement& statement) {
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
      case Pattern::Move:
        return lower_move();
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
      case Pattern::Exit:
      case Pattern::Fence:
        expect_operands(0);
        add_instruction();
        return;
    }
  }

  void lower_plain() {
    unsigned sources = 0;
    while (sources < 3 && opcode_->operands[sources] != Class::None) ++sources;
    expect_operands(1 + sources);
    add_plain(*opcode_, operand(0), &statement_->operands[1], sources);
  }

  void add_plain(const Opcode& opcode, const Operand& result, const Operand* from, unsigned sources) {
    VirtualInstruction& instruction = add_instruction(opcode);
    set_destination(instruction, result, opcode.result);
    for (unsigned index = 0; index < sources; ++index)
      set_source(instruction, index, from[index], opcode.operands[index]);
  }

  /// bfi: position and length are one source, packed now if they are constants.
  void lower_insert() {
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

  void lower_logic() {
    expect_operands(5);
    const Operand& table = operand(4);
    if (table.kind != Operand::Kind::Immediate || table.value > 0xff)
      fail(table.where, "expected a table from 0 to 255");
    add_plain(*find_opcode(three_input_logic(static_cast<unsigned>(table.value))), operand(0), &operand(1), 3);
    result_.code.back().body.mnemonic = keep(fmt::format("{}.{:#04x}", opcode_->spelling, table.value));
  }

  // ---- The carry ----

  void lower_product_sum() {
    expect_operands(4);
    const Opcode &multiply = *find_opcode(opcode_->steps[0]), &add = *find_opcode(opcode_->steps[1]);
    const Operand product = new_register(multiply.result, operand(1).where);
    add_plain(multiply, product, &operand(1), 2);
    make_unconditional();
    add_with_carry(add, operand(0), product, operand(3));
  }

  /// d, a, b and the carry in and out: the sum is one instruction, the carry out another. Both read the old values.
  void add_with_carry(const Opcode& opcode, const Operand& result, const Operand& a, const Operand& b) {
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

  void add_carry_out(const Opcode& opcode, const Operand& a, const Operand& b) {
    VirtualInstruction& instruction = add_instruction(opcode);
    instruction.body.evaluate = opcode.carry_out.one;
    instruction.body.evaluate_lanes = opcode.carry_out.lanes;
    instruction.body.destination.id = isa::CarryId;
    set_source(instruction, 0, a, opcode.operands[0]);
    set_source(instruction, 1, b, opcode.operands[1]);
    if (opcode.operands[2] == Class::Predicate) read_carry();
  }

  /// The third source of the last instruction is the carry, which needs no allocation.
  void read_carry() {
    Source& source = result_.code.back().body.sources[2];
    source.kind = Source::Kind::Predicate;
    source.index = isa::CarryPredicate;
  }

  void lower_compare() {
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

  void add_comparison(const Operand& result, const Evaluators& evaluate) {
    if (result.name == "_") return;
    VirtualInstruction& instruction = add_instruction();
    instruction.body.evaluate = evaluate.one;
    instruction.body.evaluate_lanes = evaluate.lanes;
    set_destination(instruction, result, Class::Predicate);
    for (unsigned index = 0; index < 3; ++index)
      if (opcode_->operands[index] != Class::None)
        set_source(instruction, index, operand(1 + index), opcode_->operands[index]);
  }

  void lower_move() {
    expect_operands(2);
    const bool is_64_bit = opcode_->result == Class::Wide;
    if (operand(0).kind == Operand::Kind::Vector) return unpack(is_64_bit);
    if (operand(1).kind == Operand::Kind::Vector) return pack(is_64_bit);
    VirtualInstruction& instruction = add_instruction();
    set_destination(instruction, operand(0), opcode_->result);
    const Operand& from = operand(1);
    const auto address = from.kind == Operand::Kind::Name ? symbols_.address_of(from) : std::nullopt;
    if (address) {
      set_immediate(instruction, 0, *address);
    } else if (from.kind == Operand::Kind::Name && symbols_.find_parameter(from.name) != nullptr) {
      fail(from.where, "the address of a parameter is not supported");
    } else {
      set_source(instruction, 0, from, opcode_->operands[0]);
    }
  }

  /// mov.b64 {low, high}, a: shifts, each cut to its register or where it is used.
  void unpack(bool is_64_bit) {
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

  /// Four parts are packed two by two.
  void pack(bool is_64_bit) {
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

  const std::vector<Operand>& parts_of(const Operand& vector, bool is_64_bit) {
    const std::size_t count = vector.elements.size();
    if (opcode_->result == Class::Predicate || !(count == 2 || (count == 4 && is_64_bit)))
      fail(vector.where, "only vectors of two parts, or of four of 16 bits, are supported here");
    return vector.elements;
  }

  // ---- Memory ----

  void lower_load() {
    expect_operands(2);
    const MemoryForm form = memory_form();
    const std::vector<Operand> results = elements(operand(0), form.count);
    if (form.is_parameter) return load_parameters(form, results);
    const Operand address = keep_address(operand(1), results);
    for (unsigned index = 0; index < form.count; ++index) {
      if (results[index].name == "_") continue;
      VirtualInstruction& instruction = add_access(form, address, index);
      instruction.body.sign_extend = form.is_signed();
      set_memory_destination(instruction, results[index], form);
    }
  }

  /// A vector load may overwrite its own address: then the later elements need a copy.
  Operand keep_address(const Operand& address, const std::vector<Operand>& results) {
    bool overwritten = false;
    for (std::size_t index = 0; index + 1 < results.size(); ++index)
      overwritten = overwritten || results[index].name == address.name;
    if (!overwritten) return address;
    const VirtualId from = symbols_.find_register(address.name);
    const bool wide = result_.registers[static_cast<std::size_t>(from)].width == Class::Wide;
    const Operand copy = new_register(wide ? Class::Wide : Class::Narrow, address.where);
    const Operand original = register_operand(address);
    add_plain(*find_opcode(wide ? "mov.b64" : "mov.b32"), copy, &original, 1);
    Operand kept = address;
    kept.name = copy.name;
    return kept;
  }

  static Operand register_operand(const Operand& address) {
    Operand name = address;
    name.kind = Operand::Kind::Name;
    return name;
  }

  void load_parameters(const MemoryForm& form, const std::vector<Operand>& results) {
    const Operand& address = operand(1);
    const isa::Parameter* parameter =
        address.kind == Operand::Kind::Address ? symbols_.find_parameter(address.name) : nullptr;
    if (parameter == nullptr) fail(address.where, "expected [parameter] or [parameter+offset]");
    for (unsigned index = 0; index < form.count; ++index) {
      if (results[index].name == "_") continue;
      const std::uint64_t offset = address.value + index * form.bytes;
      if (offset + form.bytes > parameter->bytes)
        fail(address.where, fmt::format("expected an offset inside the {} bytes of the parameter", parameter->bytes));
      VirtualInstruction& instruction = add_instruction();
      set_memory_destination(instruction, results[index], form);
      const Opcode& extend = extension(form, instruction.body.destination.wide);
      instruction.body.kind = isa::Kind::Compute;
      instruction.body.unit = extend.unit;
      instruction.body.evaluate = extend.evaluate.one;
      instruction.body.evaluate_lanes = extend.evaluate.lanes;
      Source& source = instruction.body.sources[0];
      source.kind = Source::Kind::Parameter;
      source.index = static_cast<std::uint16_t>(parameter->offset + offset);
      source.bytes = static_cast<std::uint8_t>(form.bytes);
    }
  }

  /// The conversion that widens a parameter to its register.
  static const Opcode& extension(const MemoryForm& form, bool wide) {
    const char sign = form.is_signed() ? 's' : 'u';
    return *find_opcode(fmt::format("cvt.{0}{1}.{0}{2}", sign, wide ? 64 : 32, form.bytes * 8));
  }

  void lower_store() {
    expect_operands(2);
    const MemoryForm form = memory_form();
    const std::vector<Operand> values = elements(operand(1), form.count);
    for (unsigned index = 0; index < form.count; ++index) {
      VirtualInstruction& instruction = add_access(form, operand(0), index);
      set_source(instruction, 1, values[index], memory_class(values[index], form));
    }
  }

  void lower_atomic() {
    const MemoryForm form = memory_form();
    const bool has_result = opcode_->pattern == Pattern::Atomic;
    const bool compares = form.atomic == isa::AtomicOp::CompareExchange;
    const unsigned first = has_result ? 1 : 0;
    expect_operands(first + (compares ? 3 : 2));
    VirtualInstruction& instruction = add_access(form, operand(first), 0);
    instruction.body.atomic = form.atomic;
    instruction.body.sign_extend = form.is_signed();
    const Class width = form.bytes == 8 ? Class::Wide : Class::Narrow;
    if (has_result && operand(0).name != "_") set_destination(instruction, operand(0), width);
    // PTX writes cas as [a], compare, swap.
    set_source(instruction, 1, operand(first + (compares ? 2 : 1)), width);
    if (compares) set_source(instruction, 2, operand(first + 1), width);
  }

  MemoryForm memory_form() {
    try {
      return parse_memory_form(statement_->opcode);
    } catch (const std::invalid_argument& error) { fail(statement_->where, error.what()); }
  }

  std::vector<Operand> elements(const Operand& operand, unsigned count) {
    if (count == 1 && operand.kind != Operand::Kind::Vector) return {operand};
    if (operand.kind != Operand::Kind::Vector || operand.elements.size() != count)
      fail(operand.where, fmt::format("expected a vector of {} elements", count));
    return operand.elements;
  }

  VirtualInstruction& add_access(const MemoryForm& form, const Operand& address, unsigned element) {
    if (address.kind != Operand::Kind::Address) fail(address.where, "expected an address in brackets");
    VirtualInstruction& instruction = add_instruction();
    isa::Instruction& body = instruction.body;
    body.mnemonic = keep(statement_->opcode);
    body.space = form.space;
    body.bytes = static_cast<std::uint8_t>(form.bytes);
    body.is_volatile = form.is_volatile;
    body.offset = static_cast<std::int64_t>(address.value + element * form.bytes);
    if (address.name.empty()) {
      set_immediate(instruction, 0, 0);
    } else if (const auto place = symbols_.address_of(address)) {
      set_immediate(instruction, 0, *place);
    } else {
      const VirtualId base = register_of(address);
      if (base == NoVirtual) fail(address.where, fmt::format("{} is not declared", address.name));
      set_source(instruction, 0, register_operand(address), width_of(base));
    }
    return instruction;
  }

  /// A value in memory may be narrower than its register, not wider.
  Class memory_class(const Operand& value, const MemoryForm& form) {
    if (form.bytes == 8) return Class::Wide;
    const VirtualId id = value.kind == Operand::Kind::Name ? register_of(value) : NoVirtual;
    return id == NoVirtual ? Class::Narrow : width_of(id);
  }

  void set_memory_destination(VirtualInstruction& instruction, const Operand& result, const MemoryForm& form) {
    const Class width = memory_class(result, form);
    if (width == Class::Predicate) fail(result.where, "a predicate cannot be loaded");
    set_destination(instruction, result, width);
  }

  // ---- Control ----

  void lower_branch() {
    expect_operands(1);
    const Operand& target = operand(0);
    if (target.kind != Operand::Kind::Name) fail(target.where, "expected a label");
    add_instruction();
    targets_.push_back({result_.code.size() - 1, &target});
  }

  /// Code must not run off its end, and a label at the end needs an instruction.
  void end_with_exit() {
    const auto end = static_cast<isa::Pc>(result_.code.size());
    const bool open = end == 0 || !result_.code.back().ends_block() || result_.code.back().is_guarded();
    if (!open && result_.labels.count(end) == 0) return;
    ptx::Statement exit;
    exit.where = entry_.body.empty() ? entry_.where : entry_.body.back().where;
    exit.opcode = "ret";
    lower(exit);
  }

  void resolve_targets() {
    for (const auto& [index, target] : targets_) {
      const auto found = labels_.find(target->name);
      if (found == labels_.end()) fail(target->where, fmt::format("label {} is not defined", target->name));
      result_.code[index].body.target = found->second;
    }
  }

  // ---- Operands ----

  const ptx::Statement& statement() const override { return *statement_; }
  const std::vector<ptx::Statement>& body() const override { return entry_.body; }

  const Operand& operand(unsigned index) const { return statement_->operands[index]; }

  void expect_operands(unsigned count) {
    if (statement_->operands.size() != count)
      fail(statement_->where,
           fmt::format("{}: expected {} operands, found {}", statement_->opcode, count, statement_->operands.size()));
  }

  VirtualInstruction& add_instruction() { return add_instruction(*opcode_); }
  VirtualInstruction& add_instruction(const Opcode& opcode) override {
    VirtualInstruction instruction;
    instruction.where = statement_->where;
    isa::Instruction& body = instruction.body;
    body.kind = opcode.kind;
    body.unit = opcode.unit;
    // A row that PTX cannot spell goes by the name of the statement it is for.
    body.mnemonic = (opcode.spelling.find('{') == std::string::npos ? opcode : *opcode_).spelling.c_str();
    body.evaluate = opcode.evaluate.one;
    body.evaluate_lanes = opcode.evaluate.lanes;
    body.line = statement_->where.line;
    if (!statement_->guard.empty()) {
      instruction.guard = symbols_.find_register(statement_->guard);
      if (instruction.guard == NoVirtual || width_of(instruction.guard) != Class::Predicate)
        fail(statement_->where, fmt::format("expected a predicate register, found {}", statement_->guard));
      body.guard.kind = Source::Kind::Predicate;
      body.guard.negated = statement_->guard_negated;
    }
    result_.code.push_back(instruction);
    return result_.code.back();
  }

  /// A register of ours, for a value between two instructions. Its name is none that PTX can spell.
  Operand new_register(Class width, ptx::Location where) override {
    Operand name;
    name.where = where;
    name.name = fmt::format("temporary {}", result_.registers.size());
    temporaries_[name.name] = static_cast<VirtualId>(result_.registers.size());
    result_.registers.push_back({name.name, width});
    return name;
  }

  /// The last instruction writes such a register: without its guard the register is live in between only.
  void make_unconditional() override {
    result_.code.back().guard = NoVirtual;
    result_.code.back().body.guard = Source();
  }

  void set_destination(VirtualInstruction& instruction, const Operand& result, Class width) override {
    instruction.destination = expect_register(result, width);
    instruction.body.destination.wide = width == Class::Wide;
  }

  void set_source(VirtualInstruction& instruction, unsigned index, const Operand& from, Class width) override {
    Source& source = instruction.body.sources[index];
    if (from.kind == Operand::Kind::Immediate) return set_immediate(instruction, index, from.value);
    const isa::SpecialRegister special =
        from.kind == Operand::Kind::Name ? isa::special_register(from.name) : isa::SpecialRegister::Count;
    if (special != isa::SpecialRegister::Count) {
      if (width != Class::Narrow) fail(from.where, fmt::format("{} is 32 bits wide", from.name));
      source.kind = Source::Kind::Special;
      source.index = static_cast<std::uint16_t>(special);
      return;
    }
    instruction.sources[index] = expect_register(from, width);
    source.kind = width == Class::Predicate ? Source::Kind::Predicate : Source::Kind::Register;
    source.wide = width == Class::Wide;
    source.negated = from.negated;
  }

  static void set_immediate(VirtualInstruction& instruction, unsigned index, std::uint64_t value) {
    instruction.body.sources[index].kind = Source::Kind::Immediate;
    instruction.body.sources[index].value = value;
  }

  VirtualId expect_register(const Operand& operand, Class width) {
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

  VirtualId register_of(const Operand& operand) const {
    const auto temporary = temporaries_.find(operand.name);
    return temporary == temporaries_.end() ? symbols_.find_register(operand.name) : temporary->second;
  }

  Class width_of(VirtualId id) const { return result_.registers[static_cast<std::size_t>(id)].width; }

  [[noreturn]] void fail(ptx::Location where, const std::string& message) const override {
    throw module_.error(where, message);
  }

  struct Target {
    std::size_t index;
    const Operand* label;
  };

  const ptx::Module& module_;
  const ptx::Entry& entry_;
  VirtualCode result_;
  Symbols symbols_;
  std::unordered_map<std::string, isa::Pc> labels_;
  std::unordered_map<std::string, VirtualId> temporaries_;
  std::vector<Target> targets_;
  const ptx::Statement* statement_ = nullptr;  // being lowered
  const Opcode* opcode_ = nullptr;
};

}  // namespace

VirtualCode lower(const ptx::Module& module, const ptx::Entry& entry) {
  return Lowering(module, entry).run();
}

}  // namespace heddle::compiler
