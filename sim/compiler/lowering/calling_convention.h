// SPDX-License-Identifier: Apache-2.0
// Where arguments, results and return addresses of functions are: in registers (ours; a GPU's compiler does the same
// with physical ones). A .param variable is an array of 32-bit words, one register each; a .reg parameter is that
// register. Functions that are called through an address share one set of registers, word after word.
//
// Callers use the registers of `outside`, the function's body those of `inside`. They are the same but for functions
// that are called through an address or may be called again before they return: these copy at entry and return, so that
// no register of `outside` is live across a call.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/lowering/call_graph.h"

namespace heddle::compiler {

/// The registers of one parameter, result, or .param variable of a body.
struct ParameterPlace {
  unsigned bytes = 0;
  Class single = Class::None;  // of a .reg parameter: its class; else None, and there is a register a word
  std::vector<VirtualId> registers;
};

struct FunctionInterface {
  std::vector<ParameterPlace> parameters, results;
  VirtualId return_address = NoVirtual;
};

class CallingConvention {
 public:
  CallingConvention(const ptx::Module& module, const CallGraph& graph, VirtualCode& code);

  /// The interface of graph.functions[index]; that of an entry is empty.
  const FunctionInterface& inside(std::size_t index) const { return inside_[index]; }
  const FunctionInterface& outside(std::size_t index) const { return outside_[index]; }
  /// The interface of a call through an address, with parameters and results as the prototype says.
  FunctionInterface indirect(const std::vector<ptx::Variable>& parameters, const std::vector<ptx::Variable>& results);
  /// Registers for a variable in .param space.
  /// \throws ptx::Error if it is larger than all registers
  ParameterPlace make_words(const std::string& name, const ptx::Variable& variable);

 private:
  FunctionInterface make_interface(const ptx::Function& function, const std::string& suffix);
  std::vector<ParameterPlace> make_places(const std::string& owner, const std::vector<ptx::Variable>& variables);
  std::vector<ParameterPlace> shared_places(std::vector<VirtualId>& words, const char* what,
                                            const std::vector<ptx::Variable>& variables);
  unsigned checked_bytes(const ptx::Variable& variable) const;
  VirtualId make_register(const std::string& name, Class width);

  const ptx::Module& module_;
  VirtualCode& code_;
  std::vector<FunctionInterface> inside_, outside_;
  std::vector<VirtualId> shared_parameters_, shared_results_;  // words, made when first needed
  VirtualId shared_return_address_ = NoVirtual;
};

/// Bytes of a variable, its elements together.
std::uint64_t bytes_of(const ptx::Variable& variable);

/// The register class that holds a PTX type.
Class class_of_type(const std::string& type);

}  // namespace heddle::compiler
