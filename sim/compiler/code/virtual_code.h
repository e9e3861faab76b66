// Code between lowering and register allocation: isa instructions whose registers are still virtual, without limit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/compiler/opcodes/opcode_table.h"
#include "sim/isa/instruction.h"
#include "sim/ptx/error.h"

namespace heddle::compiler {

using VirtualId = std::int32_t;
constexpr VirtualId NoVirtual = -1;

struct VirtualRegister {
  std::string name;  // as in PTX
  Class width = Class::None;
  bool is_temporary = false;  // between two instructions: nothing is gained by putting it into memory
};

/// Where a virtual id is set, the register name or index in `body` is still to be filled in; kinds and widths are not.
struct VirtualInstruction {
  isa::Instruction body;
  VirtualId destination = NoVirtual;
  std::array<VirtualId, 3> sources{NoVirtual, NoVirtual, NoVirtual};
  VirtualId guard = NoVirtual;
  int callee = -1;                   // of a direct call: index in VirtualCode::functions
  isa::Pc code_address = isa::NoPc;  // sources[0] is the number of this instruction, wherever it moves
  ptx::Location where;

  /// What a row of the opcode table says: kind, unit, name and value.
  static VirtualInstruction of(const Opcode& row);
  void set_evaluators(const Evaluators& evaluators);
  void set_destination(VirtualId id, Class width);
  void set_source(unsigned index, VirtualId id, Class width);
  void set_immediate(unsigned index, std::uint64_t value);

  bool is_guarded() const { return guard != NoVirtual; }
  bool ends_block() const { return body.kind == isa::Kind::Branch || body.kind == isa::Kind::Exit; }
};

/// A call from its first instruction to the one before its results are moved: the place to save and to restore.
struct CallSite {
  unsigned caller = 0;             // index in VirtualCode::functions
  isa::Pc first = 0;               // moves of the arguments
  isa::Pc branch = 0;              // what comes back continues at the next one
  std::vector<VirtualId> results;  // registers in which the callee leaves something
};

struct FunctionCode {
  std::string name;
  isa::Pc first = 0, last = 0;  // inclusive; `last` is its one return
  bool is_recursive = false, has_address_taken = false;
  unsigned frame_bytes = 0;  // of a recursive function: its .local variables
};

struct VirtualCode {
  std::vector<VirtualRegister> registers;
  std::vector<VirtualInstruction> code;
  std::vector<FunctionCode> functions;  // in code order, the entry first
  std::vector<CallSite> calls;
  std::vector<std::vector<isa::Pc>> tables;
  VirtualId stack_pointer = NoVirtual;    // of programs with recursive functions
  std::map<isa::Pc, std::string> labels;  // the name of the instruction they stand before
  std::vector<isa::Parameter> parameters;
  unsigned parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
  std::vector<isa::HiddenParameter> hidden;
  unsigned stack_levels = 0;  // see Program
};

/// Where control may go in the same function: after a call, to the instruction behind it.
std::vector<isa::Pc> successors_of(const VirtualCode& code, isa::Pc pc);

/// Return addresses get the number of their instruction: the last thing to do, when no instruction moves any more.
void resolve_code_addresses(VirtualCode& code);

}  // namespace heddle::compiler
