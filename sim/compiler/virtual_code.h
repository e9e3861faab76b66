// Code between lowering and register allocation: isa instructions whose registers are still virtual, without limit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/compiler/opcode_table.h"
#include "sim/isa/instruction.h"
#include "sim/ptx/error.h"

namespace heddle::compiler {

using VirtualId = std::int32_t;
constexpr VirtualId NoVirtual = -1;

struct VirtualRegister {
  std::string name;  // as in PTX
  Class width = Class::None;
};

/// Where a virtual id is set, the register name or index in `body` is still to be filled in; kinds and widths are not.
struct VirtualInstruction {
  isa::Instruction body;
  VirtualId destination = NoVirtual;
  std::array<VirtualId, 3> sources{NoVirtual, NoVirtual, NoVirtual};
  VirtualId guard = NoVirtual;
  ptx::Location where;

  bool is_guarded() const { return guard != NoVirtual; }
  bool ends_block() const { return body.kind == isa::Kind::Branch || body.kind == isa::Kind::Exit; }
};

struct VirtualCode {
  std::vector<VirtualRegister> registers;
  std::vector<VirtualInstruction> code;
  std::map<isa::Pc, std::string> labels;  // the name of the instruction they stand before
  std::vector<isa::Parameter> parameters;
  unsigned parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
  std::vector<isa::HiddenParameter> hidden;
};

}  // namespace heddle::compiler
