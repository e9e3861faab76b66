// SPDX-License-Identifier: Apache-2.0
// One function of a program, statement by statement: names resolved, operands checked against the opcode table.
//
// A class in five files: function_lowering.cpp goes through the statements and resolves operands, value_lowering.cpp,
// memory_lowering.cpp and call_lowering.cpp each have the statements of their kind. Warp-wide operations and barriers
// need less of it: they see it as an Emitter.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/compiler/lowering/call_graph.h"
#include "sim/compiler/lowering/calling_convention.h"
#include "sim/compiler/lowering/emitter.h"
#include "sim/compiler/lowering/mark_lowering.h"
#include "sim/compiler/lowering/symbols.h"
#include "sim/compiler/opcodes/memory_form.h"

namespace heddle::compiler {

/// What the functions of a program share while they are lowered.
struct ProgramContext {
  const ptx::Module& module;
  const CallGraph& graph;
  const isa::GlobalData& globals;
  CallingConvention& convention;
  VirtualCode& code;
  Symbols::Places& places;
};

/// Text that outlives every program: mnemonics point to it.
const char* keep(const std::string& text);

/// Appends one function of the program to its code.
class FunctionLowering final : public Emitter {
 public:
  FunctionLowering(const ProgramContext& program, unsigned index)
      : module_(program.module),
        graph_(program.graph),
        convention_(program.convention),
        index_(index),
        function_(*program.graph.functions[index].function),
        result_(program.code),
        symbols_(program.module, function_, program.globals, program.code, program.places,
                 is_recursive() ? &program.code.functions[index].frame_bytes : nullptr),
        marks_(program.module, program.graph, program.code) {}

  /// \throws ptx::Error at the statement or operand that is wrong or not supported
  void run();

 private:
  // ---- Statements ----

  isa::Pc here() const { return static_cast<isa::Pc>(result_.code.size()); }
  void add_label(const std::string& label, ptx::Location where);
  void lower(const ptx::Statement& statement);

  // ---- Values ----

  void lower_plain();
  /// bfi: position and length are one source, packed now if they are constants.
  void lower_insert();
  void lower_logic();
  /// cvt: a wider source is cut, into a wider destination goes a second conversion that extends.
  void lower_convert();

  // ---- The carry ----

  void lower_product_sum();
  /// d, a, b and the carry in and out: the sum is one instruction, the carry out another. Both read the old values.
  void add_with_carry(const Opcode& opcode, const ptx::Operand& result, const ptx::Operand& a, const ptx::Operand& b);
  void add_carry_out(const Opcode& opcode, const ptx::Operand& a, const ptx::Operand& b);
  /// The third source of the last instruction is the carry, which needs no allocation.
  void read_carry();

  // ---- Comparisons ----

  void lower_compare();
  void add_comparison(const ptx::Operand& result, const Evaluators& evaluate, isa::Op op);

  // ---- Moves ----

  void lower_move();
  /// d, a: where `a` may be a variable, or a parameter, and then stands for its address.
  void move_address_or_value();
  std::optional<VariableAddress> address_of(const ptx::Operand& name);
  /// The operand itself if nothing is to be added, else a number or a register with the sum.
  ptx::Operand add_offset(const VariableAddress& address, const ptx::Operand& name);
  /// mov.b64 {low, high}, a: shifts, each cut to its register or where it is used.
  void unpack(bool is_64_bit);
  /// Four parts are packed two by two.
  void pack(bool is_64_bit);
  const std::vector<ptx::Operand>& parts_of(const ptx::Operand& vector, bool is_64_bit);

  // ---- Memory ----

  void lower_load();
  /// The fence behind an access that acquires, and the one before an access that releases.
  void acquire(const MemoryForm& form);
  void release(const MemoryForm& form);
  void add_fence(const Opcode& opcode, bool acquires, bool releases);
  bool is_register(const ptx::Operand& address) const;
  /// A vector load may overwrite its own address: then the later elements need a copy.
  ptx::Operand keep_address(const ptx::Operand& address, const std::vector<ptx::Operand>& results);
  static ptx::Operand register_operand(const ptx::Operand& address);
  void load_parameters(const MemoryForm& form, const std::vector<ptx::Operand>& results);
  /// The conversion that widens a parameter to its register.
  static const Opcode& extension(const MemoryForm& form, bool wide);
  void lower_store();
  void lower_atomic();
  MemoryForm memory_form();
  std::vector<ptx::Operand> elements(const ptx::Operand& operand, unsigned count);
  VirtualInstruction& add_access(const MemoryForm& form, const ptx::Operand& address, unsigned element) override;
  static Class class_of(const MemoryForm& form) { return form.bytes == 8 ? Class::Wide : Class::Narrow; }
  /// The class of a value of cvt, ld or st whose type has class `least`: its register may be wider, not narrower (PTX
  /// ISA, "Operand Size Exceeding Instruction-Type Size").
  Class data_class(const ptx::Operand& value, Class least) const;
  void set_memory_destination(VirtualInstruction& instruction, const ptx::Operand& result, const MemoryForm& form);

  // ---- Control ----

  /// Hints: one instruction that computes nothing. Their operands are not read.
  void lower_no_effect();
  void lower_branch();
  /// The last instruction goes to that label.
  void branch_to(const ptx::Operand& label) { targets_.push_back({result_.code.size() - 1, label}); }
  /// Code must not run off its end, and a label at the end needs an instruction.
  void end_with_exit();
  ptx::Location end_of_function() const;
  bool is_target(isa::Pc pc) const;
  void resolve_targets();
  isa::Pc find_label(const std::string& name, ptx::Location where) const;

  // ---- Functions ----

  /// Copies what came from outside, if the body has registers of its own for it.
  void begin_function();
  /// The one return of the function: all lanes of a path that came in together leave together.
  void end_function();
  /// An instruction that no statement of the text stands for.
  void begin_statement(const char* opcode, ptx::Location where);
  void declare_places(const std::vector<ptx::Variable>& variables, const std::vector<ParameterPlace>& places);
  void lower_return();
  void lower_call();
  void call_function(const FunctionInterface& interface, const CallOperands& call, int callee);
  /// Behind a call that does not return: control ends here, and a callee that returns all the same is an error.
  void end_with_trap();
  /// printf or assert: the loop of isa/console.h.
  void call_host(const ptx::Function& callee, const CallOperands& call);
  void expect_count(const ptx::Operand& callee, const char* what, std::size_t found, std::size_t expected) const;
  VirtualId expect_pointer(const ptx::Operand& callee) const;
  /// A guarded call or indirect branch is a branch around it. Returns the label behind it, to be placed; nameless if
  /// there is no guard.
  ptx::Operand skip_if_guarded();
  /// Lanes that agree with the lowest one go on, the others come back here: what follows has one target.
  void peel(const ptx::Operand& value);
  void lower_branch_table();
  const ptx::Table& find_table(const ptx::Operand& name) const;

  // ---- Arguments and results ----

  /// The words of a .param variable, made when it is first used; nullptr for a parameter of the entry.
  const ParameterPlace* find_words(const ptx::Operand& variable);
  void load_words(const ParameterPlace& place, const MemoryForm& form, const std::vector<ptx::Operand>& results);
  void store_words(const MemoryForm& form, const std::vector<ptx::Operand>& values);
  std::uint64_t check_offset(const ParameterPlace& place, const ptx::Operand& address, const MemoryForm& form,
                             unsigned index) const;
  void read_pair(const ptx::Operand& result, const ParameterPlace& place, std::uint64_t offset);
  void read_word(const ptx::Operand& result, Class width, const ParameterPlace& place, std::uint64_t offset,
                 const MemoryForm& form);
  void write_words(const ParameterPlace& place, std::uint64_t offset, unsigned bytes, const ptx::Operand& value,
                   Class width);
  /// 32 bits of a value, from bit `shift`.
  void add_part(const ptx::Operand& result, const ptx::Operand& value, Class width, unsigned shift);
  /// An argument into the registers of a parameter.
  void pass(const ptx::Operand& argument, const ParameterPlace& to);
  /// What a call left in the registers of a result.
  void receive(const ptx::Operand& result, const ParameterPlace& from);
  void copy_checked(const ptx::Operand& operand, const ParameterPlace& from, const ParameterPlace& to);
  void copy(const ParameterPlace& from, const ParameterPlace& to);
  void move(VirtualId to, VirtualId from);
  static const Opcode& move_row(Class width);
  void add_immediate(VirtualId to, std::uint64_t value);
  /// mov d, variable: of a recursive function's frame.
  void move_frame_address(const ptx::Operand& result, std::uint64_t place);
  /// A register by its id, whatever its name.
  ptx::Operand register_named(VirtualId id);

  // ---- Operands ----

  const ptx::Statement& statement() const override { return *statement_; }
  const std::vector<ptx::Statement>& body() const override { return function_.body; }
  const ptx::Operand& operand(unsigned index) const { return statement_->operands[index]; }
  void expect_operands(unsigned count);
  VirtualInstruction& add_instruction() { return add_instruction(*opcode_); }
  VirtualInstruction& add_instruction(const Opcode& opcode) override;
  /// A register of ours, for a value between two instructions. Its name is none that PTX can spell.
  ptx::Operand new_register(Class width, ptx::Location where) override;
  /// The last instruction writes such a register: without its guard the register is live in between only.
  void make_unconditional() override;
  void set_guard(VirtualInstruction& instruction, const ptx::Operand& predicate) override;
  void set_destination(VirtualInstruction& instruction, const ptx::Operand& result, Class width) override;
  void set_source(VirtualInstruction& instruction, unsigned index, const ptx::Operand& from, Class width) override;
  /// The parser takes `name+4` everywhere; it has a meaning for variables alone.
  void expect_no_offset(const ptx::Operand& operand) const;
  VirtualId expect_register(const ptx::Operand& operand, Class width);
  VirtualId register_of(const ptx::Operand& operand) const;
  Class width_of(VirtualId id) const { return result_.registers[static_cast<std::size_t>(id)].width; }
  [[noreturn]] void fail(ptx::Location where, const std::string& message) const override;
  bool is_recursive() const { return graph_.functions[index_].is_recursive; }

  struct Target {
    std::size_t index;
    ptx::Operand label;
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
  MarkLowering marks_;
  std::unordered_map<std::string, ParameterPlace> words_;  // by name: parameters, results and .param variables
  ptx::Operand return_label_;
  std::unordered_map<std::string, isa::Pc> labels_;
  std::unordered_map<std::string, VirtualId> temporaries_;
  std::vector<Target> targets_;
  std::vector<TableTargets> tables_;
  const ptx::Statement* statement_ = nullptr;  // being lowered
  ptx::Statement ours_;                        // what statement_ points to if the text has no such statement
  const Opcode* opcode_ = nullptr;
};

}  // namespace heddle::compiler
