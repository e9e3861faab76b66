// SPDX-License-Identifier: Apache-2.0
// What instructions, and the functions that they call, write.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// A set of virtual registers. Behind them, last, stands the carry.
using Registers = std::vector<bool>;

Registers no_registers(const VirtualCode& code);

/// The place of what it writes in such a set; past its end: nothing.
std::size_t destination_of(const VirtualCode& code, const VirtualInstruction& instruction);

void add_written(const VirtualCode& code, isa::Pc pc, Registers& written);
void unite(const Registers& from, Registers& into);

/// The functions that are called where, and what calls write, also through what these call. As VirtualCode::calls.
struct WrittenByCalls {
  struct Site {
    isa::Pc branch = 0;
    std::vector<std::size_t> callees;  // functions
    Registers written;
  };
  explicit WrittenByCalls(const VirtualCode& code);

  std::vector<Site> sites;
  std::vector<Registers> written;  // by function
};

}  // namespace heddle::compiler
