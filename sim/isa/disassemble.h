// SPDX-License-Identifier: Apache-2.0
// Text of instructions and programs, for people: listings, traces and test messages.
#pragma once

#include <array>
#include <string>

#include "sim/isa/instruction.h"

namespace heddle::isa {

const char* name_of(Kind kind);
const char* name_of(Unit unit);
const char* name_of(Space space);
const char* name_of(SpecialRegister which);  // with its percent sign: "%tid.x"

/// The special register of that PTX name; SpecialRegister::Count if there is none.
SpecialRegister special_register(const std::string& ptx_name);

std::string to_string(const Source& source);
std::string to_string(const Instruction& instruction);
/// The same with other names of its operands.
struct OperandNames {
  std::string guard, destination;      // empty: none
  std::array<std::string, 3> sources;  // of kind None: left out
};
std::string to_string(const Instruction& instruction, const OperandNames& names);

/// A listing with blocks, program counters and reconvergence points.
std::string disassemble(const Program& program);

}  // namespace heddle::isa
