// What a lowering in a file of its own needs of the one that goes through the statements (lowering.cpp).
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/virtual_code.h"
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
  /// A register of ours, for a value between two instructions.
  virtual ptx::Operand new_register(Class width, ptx::Location where) = 0;
  [[noreturn]] virtual void fail(ptx::Location where, const std::string& message) const = 0;
};

}  // namespace heddle::compiler
