// SPDX-License-Identifier: Apache-2.0
// Which functions a kernel may reach, by calls and through addresses, and which of them may be called again before they
// return.
#pragma once

#include <string>
#include <vector>

#include "sim/ptx/module.h"

namespace heddle::compiler {

struct ReachedFunction {
  const ptx::Function* function = nullptr;
  bool is_recursive = false;       // part of a cycle of calls, or called through an address where one that is may be
  bool has_address_taken = false;  // may be the target of an indirect call
};

struct CallGraph {
  std::vector<ReachedFunction> functions;  // the entry first
  bool has_indirect_calls = false;

  /// The index in `functions`, or -1.
  int find(const std::string& name) const;
};

/// The operands of a call, by their meaning: call [(results),] callee [, (arguments)] [, table or prototype].
struct CallOperands {
  const ptx::Operand* results = nullptr;    // a list, or nullptr
  const ptx::Operand* callee = nullptr;     // a function's name, or a register
  const ptx::Operand* arguments = nullptr;  // a list, or nullptr
  const ptx::Operand* table = nullptr;
};

bool is_call(const ptx::Statement& statement);

/// \throws ptx::Error if the operands are not those of a call.
CallOperands call_operands(const ptx::Module& module, const ptx::Statement& statement);

/// vprintf or __assertfail, declared without a body: the host is their body (isa/console.h).
bool is_host_function(const ptx::Function& function);

/// A function's number in pointers to it: its place in the module, from 1. 0: no function of that name.
unsigned function_handle(const ptx::Module& module, const std::string& name);

/// \throws ptx::Error at a call of a function that has no body.
CallGraph call_graph(const ptx::Module& module, const ptx::Function& entry);

}  // namespace heddle::compiler
