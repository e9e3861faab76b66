// What the names of an entry mean: registers, parameters and variables with their places.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "sim/compiler/virtual_code.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

class Symbols {
 public:
  /// Declares registers and parameters in `code`, and places variables in it when they are first asked for.
  Symbols(const ptx::Module& module, const ptx::Function& entry, VirtualCode& code);

  /// The register of that name, or NoVirtual.
  VirtualId find_register(const std::string& name) const;
  const isa::Parameter* find_parameter(const std::string& name) const;
  /// The address of a .shared or .local variable inside its memory.
  std::optional<std::uint64_t> address_of(const ptx::Operand& operand);

 private:
  void declare_registers(const ptx::Function& entry);
  void declare_parameters(const ptx::Function& entry);
  void declare_variables(const std::vector<ptx::Variable>& variables);

  const ptx::Module& module_;
  VirtualCode& code_;
  std::unordered_map<std::string, VirtualId> registers_;
  std::unordered_map<std::string, const ptx::Variable*> variables_;
  std::unordered_map<std::string, std::uint64_t> places_;
};

}  // namespace heddle::compiler
