// SPDX-License-Identifier: Apache-2.0
// What the names of an entry mean: registers, parameters and variables with their places.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "sim/compiler/code/virtual_code.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// Where a variable lies: at an address that the compiler knows (an immediate) or that the device tells (a hidden
/// parameter).
struct VariableAddress {
  isa::Space space = isa::Space::Global;
  isa::Source source;
  bool is_in_frame = false;  // an offset from the stack pointer, of a recursive function
  bool is_texture = false;
};

class Symbols {
 public:
  /// What the functions of a program share.
  struct Places {
    std::unordered_map<const ptx::Variable*, std::uint64_t> offsets;
    unsigned dynamic_alignment = 1;  // of shared memory that is sized at launch
  };

  /// Declares registers, and an entry's parameters, in `code`, and places variables in it when they are first asked
  /// for. \param places       of variables so far \param frame_bytes  of a recursive function, whose .local variables
  /// are offsets in its frame; else nullptr
  Symbols(const ptx::Module& module, const ptx::Function& function, const isa::GlobalData& globals, VirtualCode& code,
          Places& places, unsigned* frame_bytes);

  /// Another name for a register that exists.
  void declare(const std::string& name, VirtualId id) { registers_[name] = id; }

  /// The register of that name, or NoVirtual.
  VirtualId find_register(const std::string& name) const;
  const isa::Parameter* find_parameter(const std::string& name) const;
  /// The address of the variable that an operand names, if it names one.
  std::optional<VariableAddress> address_of(const ptx::Operand& operand);
  /// The address of the arguments in device memory.
  VariableAddress address_of_parameters(ptx::Location where);
  /// Shared memory that is sized at launch begins behind all variables: to be called when all are placed.
  static void finish(VirtualCode& code, const Places& places);

 private:
  void declare_registers(const ptx::Function& entry);
  void declare_parameters(const ptx::Function& entry);
  void declare_variables(const std::vector<ptx::Variable>& variables);

  std::uint64_t place(const ptx::Variable& variable, const ptx::Operand& operand);
  isa::Source hidden_parameter(const isa::HiddenParameter& hidden, ptx::Location where);

  const ptx::Module& module_;
  const isa::GlobalData& globals_;
  VirtualCode& code_;
  std::unordered_map<std::string, VirtualId> registers_;
  std::unordered_map<std::string, const ptx::Variable*> variables_;
  Places& places_;
  unsigned* const frame_bytes_;
};

}  // namespace heddle::compiler
