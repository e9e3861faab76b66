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
  using Places = std::unordered_map<const ptx::Variable*, std::uint64_t>;

  /// Declares registers, and an entry's parameters, in `code`, and places variables in it when they are first asked
  /// for. \param places   of variables so far, shared by the functions of a program \param frame_bytes  of a recursive
  /// function, whose .local variables are offsets in its frame; else nullptr
  Symbols(const ptx::Module& module, const ptx::Function& function, VirtualCode& code, Places& places,
          unsigned* frame_bytes);

  /// Another name for a register that exists.
  void declare(const std::string& name, VirtualId id) { registers_[name] = id; }

  /// The register of that name, or NoVirtual.
  VirtualId find_register(const std::string& name) const;
  const isa::Parameter* find_parameter(const std::string& name) const;
  /// The address of a .shared or .local variable inside its memory.
  std::optional<std::uint64_t> address_of(const ptx::Operand& operand);
  /// Is that address an offset in the function's frame?
  bool is_in_frame(const std::string& name) const;

 private:
  void declare_registers(const ptx::Function& entry);
  void declare_parameters(const ptx::Function& entry);
  void declare_variables(const std::vector<ptx::Variable>& variables);

  const ptx::Module& module_;
  VirtualCode& code_;
  std::unordered_map<std::string, VirtualId> registers_;
  std::unordered_map<std::string, const ptx::Variable*> variables_;
  Places& places_;
  unsigned* const frame_bytes_;
};

}  // namespace heddle::compiler
