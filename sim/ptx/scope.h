// SPDX-License-Identifier: Apache-2.0
// Inner scopes of a body, "{ .reg .b32 t; ... }": their names get an '@', which PTX cannot spell, so that every name of
// a function is unique and nothing behind the parser knows of scopes.
#pragma once

#include "sim/ptx/module.h"

namespace heddle::ptx {

/// Where a scope begins in the lists of its function.
struct Scope {
  explicit Scope(const Function& function)
      : statements(function.body.size()),
        registers(function.registers.size()),
        variables(function.variables.size()),
        tables(function.tables.size()) {}
  std::size_t statements, registers, variables, tables;
};

/// Renames what was declared since the scope began (registers, variables, labels, tables), and its uses since then.
/// Scopes inside it are closed already. `number` is in the new names.
void close_scope(Function& function, const Scope& scope, unsigned number);

}  // namespace heddle::ptx
