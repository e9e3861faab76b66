// SPDX-License-Identifier: Apache-2.0
// Statements with any integer opcode of the compiler's table, for random programs.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/opcodes/opcode_table.h"
#include "sim/gpu/workload.h"

namespace heddle::tests {

/// Rows on integers and predicates whose operands are registers or numbers: all but moves, memory and control.
const std::vector<const compiler::Opcode*>& integer_opcodes();

/// Names of registers to read and write, by class: %v0.. , %w0.. and %p0..
struct RegisterNames {
  unsigned words, pairs, predicates;
};

/// "opcode d, a, b;" with random registers, and now and then a number that is an edge of its type.
std::string random_statement(const compiler::Opcode& row, const RegisterNames& names, gpu::Random& random);

}  // namespace heddle::tests
