// SPDX-License-Identifier: Apache-2.0
// What a lowering in a file of its own needs of the one that goes through the statements (lowering.cpp).
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/opcodes/memory_form.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

class Emitter {
 public:
  virtual ~Emitter() = default;

  /// The statement that is being lowered, and all of its function.
  virtual const ptx::Statement& statement() const = 0;
  virtual const std::vector<ptx::Statement>& body() const = 0;

  /// Appends an instruction with the statement's guard. The reference holds until the next one.
  virtual VirtualInstruction& add_instruction(const Opcode& opcode) = 0;
  /// The last instruction runs whatever the guard says: for one that writes a register of ours.
  virtual void make_unconditional() = 0;
  /// Throw ptx::Error unless the operand is of that class.
  virtual void set_destination(VirtualInstruction& instruction, const ptx::Operand& result, Class width) = 0;
  virtual void set_source(VirtualInstruction& instruction, unsigned index, const ptx::Operand& from, Class width) = 0;
  /// The guard becomes this predicate register, in place of the statement's.
  virtual void set_guard(VirtualInstruction& instruction, const ptx::Operand& predicate) = 0;
  /// Appends an access to [address], `element` elements further. Destination or data are still to be set.
  virtual VirtualInstruction& add_access(const MemoryForm& form, const ptx::Operand& address, unsigned element) = 0;
  /// A register of ours, for a value between two instructions.
  virtual ptx::Operand new_register(Class width, ptx::Location where) = 0;
  [[noreturn]] virtual void fail(ptx::Location where, const std::string& message) const = 0;

  // What is made of these.

  /// Appends an instruction of a row of the table, with operands of its classes.
  void add_row(const Opcode& row, const ptx::Operand& result, const std::vector<ptx::Operand>& from);
  void add_row(const std::string& spelling, const ptx::Operand& result, const std::vector<ptx::Operand>& from);
  /// The same into a register of ours, whatever the guard says.
  ptx::Operand compute(const std::string& spelling, const std::vector<ptx::Operand>& from);
  static ptx::Operand number(std::uint64_t value);
  /// Is the register named anywhere in the function but as a result, of which `is_result(statement, operand, element)`
  /// says whether it is one? Compilers name results of operations with several of them and seldom read all.
  bool is_read(const std::string& name, bool (*is_result)(const ptx::Statement&, std::size_t, std::size_t)) const;
};

}  // namespace heddle::compiler
