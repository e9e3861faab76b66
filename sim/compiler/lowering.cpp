#include "sim/compiler/lowering.h"

#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

#include "sim/compiler/call_graph.h"
#include "sim/compiler/calling_convention.h"
#include "sim/compiler/emitter.h"
#include "sim/compiler/recursion.h"
#include "sim/compiler/symbols.h"
#include "sim/compiler/texture_lowering.h"
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

/// What the functions of a program share while they are lowered.
struct ProgramContext {
  const ptx::Module& module;
  const CallGraph& graph;
  const isa::GlobalData& globals;
  CallingConvention& convention;
  VirtualCode& code;
  Symbols::Places& places;
};

/// One function of the program, appended to its code.
class Lowering final : public Emitter {
 public:
  Lowering(const ProgramContext& program, unsigned index)
      : module_(program.module),
        graph_(program.graph),
        convention_(program.convention),
        index_(index),
        function_(*program.graph.functions[index].function),
        result_(program.code),
        symbols_(program.module, function_, program.globals, program.code, program.places,
                 is_recursive() ? &program.code.functions[index].frame_bytes : nullptr) {}

  void run() {
    result_.functions[index_].first = here();
    begin_function();
    for (const ptx::Statement& statement : function_.body) {
      if (statement.is_label()) {
        add_label(statement.label, statement.where);
      } else {
        lower(statement);
      }
    }
    if (function_.is_entry)
      end_with_exit();
    else
      end_function();
    resolve_targets();
    result_.functions[index_].last = here() - 1;
  }

 private:
  // ---- Statements ----

  isa::Pc here() const { return static_cast<isa::Pc>(result_.code.size()); }

  void add_label(const std::string& label, ptx::Location where) {
    if (!labels_.emplace(label, here()).second)
      throw module_.error(where, fmt::format("label {} is defined twice", label));
    result_.labels.emplace(here(), label);
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
      case Pattern::Trap:
        expect_operands(0);
        add_instruction();
        return;
      case Pattern::NoEffect:
        return lower_no_effect();
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
    move_address_or_value();
  }

  /// d, a: where `a` may be a variable, or a parameter, and then stands for its address.
  void move_address_or_value() {
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

  std::optional<VariableAddress> address_of(const Operand& name) {
    if (name.kind != Operand::Kind::Name || name.name.empty()) return std::nullopt;
    if (symbols_.find_parameter(name.name) != nullptr) return symbols_.address_of_parameters();
    return symbols_.address_of(name);
  }

  /// The operand itself if nothing is to be added, else a number or a register with the sum.
  Operand add_offset(const VariableAddress& address, const Operand& name) {
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
    if (form.is_parameter) {
      if (const ParameterPlace* words = find_words(operand(1))) return load_words(*words, form, results);
      if (!is_register(operand(1))) return load_parameters(form, results);
    }
    fence(form.is_release);
    const Operand address = keep_address(operand(1), results);
    for (unsigned index = 0; index < form.count; ++index) {
      if (results[index].name == "_") continue;
      VirtualInstruction& instruction = add_access(form, address, index);
      instruction.body.sign_extend = form.is_signed();
      set_memory_destination(instruction, results[index], form);
    }
    fence(form.is_acquire);
  }

  /// Orders what is before it and after it, if it is asked for.
  void fence(bool is_wanted) {
    if (is_wanted) add_instruction(*find_opcode("membar.gl"));
  }

  bool is_register(const Operand& address) const {
    return address.kind == Operand::Kind::Address && register_of(address) != NoVirtual;
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
    if (form.is_parameter) return store_words(form, values);
    fence(form.is_release);
    for (unsigned index = 0; index < form.count; ++index) {
      VirtualInstruction& instruction = add_access(form, operand(0), index);
      set_source(instruction, 1, values[index], memory_class(values[index], form));
    }
    fence(form.is_acquire);
  }

  void lower_atomic() {
    const MemoryForm form = memory_form();
    const bool has_result = opcode_->pattern == Pattern::Atomic;
    const bool compares = form.atomic == isa::AtomicOp::CompareExchange;
    const unsigned first = has_result ? 1 : 0;
    expect_operands(first + (compares ? 3 : 2));
    fence(form.is_release);
    VirtualInstruction& instruction = add_access(form, operand(first), 0);
    instruction.body.atomic = form.atomic;
    instruction.body.sign_extend = form.is_signed();
    const Class width = form.bytes == 8 ? Class::Wide : Class::Narrow;
    if (has_result && operand(0).name != "_") set_destination(instruction, operand(0), width);
    // PTX writes cas as [a], compare, swap.
    set_source(instruction, 1, operand(first + (compares ? 2 : 1)), width);
    if (compares) set_source(instruction, 2, operand(first + 1), width);
    fence(form.is_acquire);
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

  VirtualInstruction& add_access(const MemoryForm& form, const Operand& address, unsigned element) override {
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
      if (body.space != isa::Space::Generic && body.space != place->space) {
        fail(address.where, fmt::format("{} lies in {} memory, expected {}", address.name, name_of(place->space),
                                        name_of(body.space)));
      }
      if (place->is_texture != (opcode_->pattern == Pattern::Texture))
        fail(address.where, fmt::format("{} is {} texture", address.name, place->is_texture ? "a" : "no"));
      body.space = place->space;
      if (place->is_in_frame) {
        set_source(instruction, 0, register_named(result_.stack_pointer), Class::Narrow);
        body.offset += static_cast<std::int64_t>(place->source.value);
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

  /// Hints: one instruction that computes nothing. Their operands are not read.
  void lower_no_effect() {
    for (const Operand& operand : statement_->operands)
      if (operand.name[0] == '%' && register_of(operand) == NoVirtual)
        fail(operand.where, fmt::format("{} is not declared", operand.name));
    VirtualInstruction& instruction = add_instruction();
    const Evaluators& nothing = find_opcode("mov.b32")->evaluate;
    instruction.body.evaluate = nothing.one;
    instruction.body.evaluate_lanes = nothing.lanes;
  }

  void lower_branch() {
    expect_operands(1);
    const Operand& target = operand(0);
    if (target.kind != Operand::Kind::Name) fail(target.where, "expected a label");
    add_instruction();
    branch_to(target);
  }

  /// The last instruction goes to that label.
  void branch_to(const Operand& label) { targets_.push_back({result_.code.size() - 1, label}); }

  /// Code must not run off its end, and a label at the end needs an instruction.
  void end_with_exit() {
    const isa::Pc end = here();
    const bool open =
        end == result_.functions[index_].first || !result_.code.back().ends_block() || result_.code.back().is_guarded();
    if (!open && result_.labels.count(end) == 0) return;
    ptx::Statement exit;
    exit.where = end_of_function();
    exit.opcode = "ret";
    lower(exit);
  }

  ptx::Location end_of_function() const {
    return function_.body.empty() ? function_.where : function_.body.back().where;
  }

  void resolve_targets() {
    for (const auto& [index, label] : targets_) result_.code[index].body.target = find_label(label.name, label.where);
    for (const auto& [index, table] : tables_)
      for (const std::string& label : table->targets) result_.tables[index].push_back(find_label(label, table->where));
  }

  isa::Pc find_label(const std::string& name, ptx::Location where) const {
    const auto found = labels_.find(name);
    if (found == labels_.end()) fail(where, fmt::format("label {} is not defined", name));
    return found->second;
  }

  // ---- Functions ----

  /// Copies what came from outside, if the body has registers of its own for it.
  void begin_function() {
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

  /// The one return of the function: all lanes of a path that came in together leave together.
  void end_function() {
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

  /// An instruction that no statement of the text stands for.
  void begin_statement(const char* opcode, ptx::Location where) {
    ours_ = ptx::Statement();
    ours_.where = where;
    ours_.opcode = opcode;
    statement_ = &ours_;
    opcode_ = find_opcode(opcode);
  }

  void declare_places(const std::vector<ptx::Variable>& variables, const std::vector<ParameterPlace>& places) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (places[i].single == Class::None)
        words_[variables[i].name] = places[i];
      else
        symbols_.declare(variables[i].name, places[i].registers[0]);
    }
  }

  void lower_return() {
    expect_operands(0);
    if (statement_ == &function_.body.back() && statement_->guard.empty()) return;  // it falls into the return
    add_instruction(*find_opcode("bra"));
    branch_to(return_label_);
  }

  void lower_call() {
    const CallOperands call = call_operands(module_, *statement_);
    const Operand after = skip_if_guarded();
    const int callee = graph_.find(call.callee->name);
    if (callee > 0) {
      call_function(convention_.outside(static_cast<std::size_t>(callee)), call, callee);
    } else {
      if (call.table == nullptr)
        fail(call.callee->where, fmt::format("function {} is not declared", call.callee->name));
      const ptx::Table& table = find_table(*call.table);
      const ptx::Function* first = table.targets.empty() ? nullptr : module_.find_function(table.targets.front());
      if (table.kind != "callprototype" && first == nullptr) fail(table.where, "expected functions");
      const FunctionInterface interface = first == nullptr ? convention_.indirect(table.parameters, table.results)
                                                           : convention_.indirect(first->parameters, first->results);
      call_function(interface, call, -1);
    }
    if (!after.name.empty()) add_label(after.name, after.where);
  }

  void call_function(const FunctionInterface& interface, const CallOperands& call, int callee) {
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
    begin_row("mov.u32");
    add_immediate(interface.return_address, 0);
    site.branch = here();
    opcode_ = find_opcode("call");
    VirtualInstruction& branch = add_instruction();
    branch.body.mnemonic = keep(statement_->opcode);
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

  void expect_count(const Operand& callee, const char* what, std::size_t found, std::size_t expected) const {
    if (found != expected)
      fail(callee.where, fmt::format("{} has {} {}, found {}", callee.name, expected, what, found));
  }

  VirtualId expect_pointer(const Operand& callee) const {
    const VirtualId id = register_of(callee);
    if (id == NoVirtual || width_of(id) == Class::Predicate)
      fail(callee.where, fmt::format("expected a function or a register with its address, found {}", callee.name));
    return id;
  }

  /// A guarded call or indirect branch is a branch around it. Returns the label behind it, to be placed; nameless if
  /// there is no guard.
  Operand skip_if_guarded() {
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

  /// Lanes that agree with the lowest one go on, the others come back here: what follows has one target.
  void peel(const Operand& value) {
    const isa::Pc peel = here();
    VirtualInstruction& instruction = add_instruction(*find_opcode("bra"));
    instruction.body.mnemonic = "peel";
    instruction.body.branch = isa::BranchKind::Peel;
    instruction.body.target = peel + 2;
    set_source(instruction, 0, value, width_of(expect_pointer(value)));
    add_instruction(*find_opcode("bra")).body.target = peel;
  }

  void lower_branch_table() {
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

  const ptx::Table& find_table(const Operand& name) const {
    for (const ptx::Table& table : function_.tables)
      if (table.name == name.name) return table;
    fail(name.where, fmt::format("expected a prototype or a list of targets, {} is not declared", name.name));
  }

  // ---- Arguments and results ----

  /// The words of a .param variable, made when it is first used; nullptr for a parameter of the entry.
  const ParameterPlace* find_words(const Operand& variable) {
    const auto found = words_.find(variable.name);
    if (found != words_.end()) return &found->second;
    for (const ptx::Variable& declared : function_.variables)
      if (declared.space == "param" && declared.name == variable.name)
        return &(words_[variable.name] = convention_.make_words(declared.name, declared));
    return nullptr;
  }

  void load_words(const ParameterPlace& place, const MemoryForm& form, const std::vector<Operand>& results) {
    for (unsigned index = 0; index < form.count; ++index) {
      if (results[index].name == "_") continue;
      const std::uint64_t offset = check_offset(place, operand(1), form, index);
      const Class width = memory_class(results[index], form);
      if (form.bytes == 8) {
        read_pair(results[index], place, offset);
      } else {
        read_word(results[index], width, place, offset, form);
      }
    }
  }

  void store_words(const MemoryForm& form, const std::vector<Operand>& values) {
    const ParameterPlace* place = find_words(operand(0));
    if (place == nullptr) fail(operand(0).where, "expected a .param variable of this function");
    for (unsigned index = 0; index < form.count; ++index) {
      const std::uint64_t offset = check_offset(*place, operand(0), form, index);
      write_words(*place, offset, form.bytes, values[index], memory_class(values[index], form));
    }
  }

  std::uint64_t check_offset(const ParameterPlace& place, const Operand& address, const MemoryForm& form,
                             unsigned index) const {
    const std::uint64_t offset = address.value + index * form.bytes;
    if (offset % form.bytes != 0 || offset + form.bytes > 4 * place.registers.size())
      fail(address.where,
           fmt::format("expected an aligned offset inside the {} bytes of {}", place.bytes, address.name));
    return offset;
  }

  void read_pair(const Operand& result, const ParameterPlace& place, std::uint64_t offset) {
    const Operand words[] = {register_named(place.registers[offset / 4]),
                             register_named(place.registers[offset / 4 + 1])};
    add_plain(*find_opcode("mov.b64 {"), result, words, 2);
  }

  void read_word(const Operand& result, Class width, const ParameterPlace& place, std::uint64_t offset,
                 const MemoryForm& form) {
    if (width == Class::Predicate) fail(result.where, "a predicate cannot be loaded");
    const Operand narrow = width == Class::Wide ? new_register(Class::Narrow, result.where) : result;
    Operand field[] = {register_named(place.registers[offset / 4]), Operand(), Operand()};
    if (form.bytes == 4) {
      add_plain(*find_opcode("mov.b32"), narrow, field, 1);
    } else {
      for (Operand& number : {std::ref(field[1]), std::ref(field[2])}) number.kind = Operand::Kind::Immediate;
      field[1].value = 8 * (offset % 4);
      field[2].value = 8 * form.bytes;
      add_plain(*find_opcode(form.is_signed() ? "bfe.s32" : "bfe.u32"), narrow, field, 3);
    }
    if (width == Class::Wide)
      add_plain(*find_opcode(form.is_signed() ? "cvt.s64.s32" : "cvt.u64.u32"), result, &narrow, 1);
  }

  void write_words(const ParameterPlace& place, std::uint64_t offset, unsigned bytes, const Operand& value,
                   Class width) {
    const auto word = [&](std::uint64_t index) { return register_named(place.registers[index]); };
    if (bytes >= 4) {
      for (unsigned part = 0; part < bytes / 4; ++part) add_part(word(offset / 4 + part), value, width, 32 * part);
      return;
    }
    Operand narrow = value;
    if (width == Class::Wide) add_part(narrow = new_register(Class::Narrow, value.where), value, width, 0);
    Operand field;
    field.kind = Operand::Kind::Immediate;
    field.value = find_opcode("bfi.field {")->evaluate.one(8 * (offset % 4), 8 * bytes, 0);
    const Operand sources[] = {narrow, word(offset / 4), field};
    add_plain(*find_opcode("bfi.b32"), word(offset / 4), sources, 3);
  }

  /// 32 bits of a value, from bit `shift`.
  void add_part(const Operand& result, const Operand& value, Class width, unsigned shift) {
    if (value.kind == Operand::Kind::Immediate) {
      Operand part = value;
      part.value = static_cast<std::uint32_t>(value.value >> shift);
      return add_plain(*find_opcode("mov.b32"), result, &part, 1);
    }
    VirtualInstruction& instruction = add_instruction(*find_opcode(width == Class::Wide ? "shr.b64" : "mov.b32"));
    set_destination(instruction, result, Class::Narrow);
    set_source(instruction, 0, value, width);
    if (width == Class::Wide) set_immediate(instruction, 1, shift);
  }

  /// An argument into the registers of a parameter.
  void pass(const Operand& argument, const ParameterPlace& to) {
    if (const ParameterPlace* words = find_words(argument)) return copy_checked(argument, *words, to);
    if (to.single != Class::None) {
      add_plain(move_row(to.single), register_named(to.registers[0]), &argument, 1);
    } else {
      write_words(to, 0, to.bytes, argument, to.bytes == 8 ? Class::Wide : Class::Narrow);
    }
  }

  /// What a call left in the registers of a result.
  void receive(const Operand& result, const ParameterPlace& from) {
    if (result.name == "_") return;
    if (const ParameterPlace* words = find_words(result)) return copy_checked(result, from, *words);
    const VirtualId id = register_of(result);
    if (id == NoVirtual) fail(result.where, fmt::format("{} is not declared", result.name));
    if (from.single != Class::None) {
      const Operand source = register_named(from.registers[0]);
      add_plain(move_row(from.single), result, &source, 1);
    } else if (width_of(id) == Class::Wide) {
      read_pair(result, from, 0);
    } else {
      const Operand source = register_named(from.registers[0]);
      add_plain(*find_opcode("mov.b32"), result, &source, 1);
    }
  }

  void copy_checked(const Operand& operand, const ParameterPlace& from, const ParameterPlace& to) {
    if (from.bytes != to.bytes)
      fail(operand.where, fmt::format("{}: expected {} bytes, found {}", operand.name, to.bytes, from.bytes));
    copy(from, to);
  }

  void copy(const ParameterPlace& from, const ParameterPlace& to) {
    if (from.single == to.single) {
      for (std::size_t i = 0; i < from.registers.size(); ++i) move(to.registers[i], from.registers[i]);
    } else if (from.single == Class::None) {
      if (to.single == Class::Wide)
        read_pair(register_named(to.registers[0]), from, 0);
      else
        move(to.registers[0], from.registers[0]);
    } else {
      write_words(to, 0, 4 * static_cast<unsigned>(to.registers.size()), register_named(from.registers[0]),
                  from.single);
    }
  }

  void move(VirtualId to, VirtualId from) {
    const Operand source = register_named(from);
    add_plain(move_row(width_of(to)), register_named(to), &source, 1);
  }

  static const Opcode& move_row(Class width) {
    return *find_opcode(width == Class::Wide ? "mov.b64" : width == Class::Predicate ? "mov.pred" : "mov.b32");
  }

  void begin_row(const char* opcode) { opcode_ = find_opcode(opcode); }

  void add_immediate(VirtualId to, std::uint64_t value) {
    VirtualInstruction& instruction = add_instruction(*find_opcode("mov.u32"));
    set_destination(instruction, register_named(to), Class::Narrow);
    set_immediate(instruction, 0, value);
  }

  /// mov d, variable: of a recursive function's frame.
  void move_frame_address(const Operand& result, std::uint64_t place) {
    const Operand pointer = register_named(result_.stack_pointer);
    const bool wide = opcode_->result == Class::Wide;
    const Operand base = wide ? new_register(Class::Wide, result.where) : pointer;
    if (wide) add_plain(*find_opcode("cvt.u64.u32"), base, &pointer, 1);
    Operand sources[] = {base, Operand()};
    sources[1].kind = Operand::Kind::Immediate;
    sources[1].value = place;
    add_plain(*find_opcode(wide ? "add.u64" : "add.u32"), result, sources, 2);
  }

  /// A register by its id, whatever its name.
  Operand register_named(VirtualId id) {
    Operand name;
    name.where = statement_->where;
    name.name = "register " + std::to_string(id);
    temporaries_[name.name] = id;
    return name;
  }

  // ---- Operands ----

  const ptx::Statement& statement() const override { return *statement_; }
  const std::vector<ptx::Statement>& body() const override { return function_.body; }

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
    body.source_file = statement_->source.file;
    body.source_line = statement_->source.line;
    if (!statement_->guard.empty()) set_guard(instruction, statement_->guard_operand());
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

  void set_guard(VirtualInstruction& instruction, const Operand& predicate) override {
    instruction.guard = expect_register(predicate, Class::Predicate);
    instruction.body.guard.kind = Source::Kind::Predicate;
    instruction.body.guard.negated = predicate.negated;
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
      if (width == Class::Predicate || (width == Class::Wide && !isa::is_wide(special)))
        fail(from.where, fmt::format("{} is 32 bits wide", from.name));
      if (isa::is_clock(special) && instruction.body.kind != isa::Kind::Compute)
        fail(from.where, fmt::format("expected a register, found {}", from.name));
      source.kind = Source::Kind::Special;
      source.wide = width == Class::Wide;
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

  bool is_recursive() const { return graph_.functions[index_].is_recursive; }

  struct Target {
    std::size_t index;
    Operand label;
  };
  struct TableTargets {
    std::size_t index;
    const ptx::Table* table;
  };

  const ptx::Module& module_;
  const CallGraph& graph_;
  CallingConvention& convention_;
  const unsigned index_;  // of the function in the call graph and in the code
  const ptx::Function& function_;
  VirtualCode& result_;
  Symbols symbols_;
  std::unordered_map<std::string, ParameterPlace> words_;  // by name: parameters, results and .param variables
  Operand return_label_;
  std::unordered_map<std::string, isa::Pc> labels_;
  std::unordered_map<std::string, VirtualId> temporaries_;
  std::vector<Target> targets_;
  std::vector<TableTargets> tables_;
  const ptx::Statement* statement_ = nullptr;  // being lowered
  ptx::Statement ours_;                        // what statement_ points to if the text has no such statement
  const Opcode* opcode_ = nullptr;
};

}  // namespace

VirtualCode lower(const ptx::Module& module, const ptx::Function& entry, const isa::GlobalData& globals) {
  const CallGraph graph = call_graph(module, entry);
  VirtualCode code;
  CallingConvention convention(module, graph, code);
  for (const ReachedFunction& reached : graph.functions) {
    if (reached.is_recursive && code.stack_pointer == NoVirtual) {
      code.stack_pointer = static_cast<VirtualId>(code.registers.size());
      code.registers.push_back({"stack pointer", Class::Narrow});
    }
    FunctionCode function;
    function.name = reached.function->name;
    function.is_recursive = reached.is_recursive;
    function.has_address_taken = reached.has_address_taken;
    code.functions.push_back(std::move(function));
  }
  code.tables.emplace_back();
  Symbols::Places places;
  for (unsigned index = 0; index < graph.functions.size(); ++index)
    Lowering({module, graph, globals, convention, code, places}, index).run();
  Symbols::finish(code, places);

  code.tables[0].assign(module.functions.size() + 1, isa::NoPc);
  for (const FunctionCode& function : code.functions)
    if (function.has_address_taken) code.tables[0][function_handle(module, function.name)] = function.first;
  for (VirtualInstruction& instruction : code.code)
    if (instruction.callee >= 0)
      instruction.body.target = code.functions[static_cast<std::size_t>(instruction.callee)].first;
  if (code.stack_pointer != NoVirtual) add_recursion_stack(code);
  resolve_code_addresses(code);
  return code;
}

}  // namespace heddle::compiler
