// SPDX-License-Identifier: Apache-2.0
// Code between lowering and register allocation: isa instructions whose registers are still virtual, without limit.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
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

/// What a program says where it expects lanes to meet (SR sec. 4.1): an instruction that does nothing. Predict: from here
/// lanes wait for each other at the prediction's points. Reconverge: such a point is in front of the next instruction.
/// None is left when the pass convergence_barriers has run, whatever the machine.
enum class Mark : std::uint8_t { None, Predict, Reconverge };

/// Where a virtual id is set, the register name or index in `body` is still to be filled in; kinds and widths are not.
struct VirtualInstruction {
  isa::Instruction body;
  VirtualId destination = NoVirtual;
  std::array<VirtualId, 3> sources{NoVirtual, NoVirtual, NoVirtual};
  VirtualId guard = NoVirtual;
  int callee = -1;  // of a direct call: index in VirtualCode::functions
  Mark mark = Mark::None;
  int prediction = -1;               // of a mark, and of a Wait placed for one: index in VirtualCode::predictions
  isa::Pc origin = isa::NoPc;        // of a stream: the instruction of the whole code that it comes from
  isa::Pc code_address = isa::NoPc;  // sources[0] is the number of this instruction, wherever it moves
  ptx::Location where;

  /// What a row of the opcode table says: kind, unit, name and value.
  static VirtualInstruction of(const Opcode& row);
  /// \param prediction  index in VirtualCode::predictions
  static VirtualInstruction of(Mark mark, int prediction);
  void set_evaluators(const Evaluators& evaluators);
  void set_destination(VirtualId id, Class width);
  void set_source(unsigned index, VirtualId id, Class width);
  void set_immediate(unsigned index, std::uint64_t value);

  bool is_guarded() const { return guard != NoVirtual || body.guard.kind == isa::Source::Kind::Queue; }
  /// A thread that comes here ends the launch.
  bool is_certain_trap() const { return body.kind == isa::Kind::Trap && !is_guarded(); }
  bool ends_block() const {
    return body.kind == isa::Kind::Branch || body.kind == isa::Kind::Exit || is_certain_trap();
  }
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

/// A label or a function at which a program expects lanes to meet. Its marks are in the code, copies of one as well.
struct Prediction {
  std::string label;                  // or the function's name
  int function = -1;                  // index in VirtualCode::functions: the point is its first instruction
  std::optional<unsigned> threshold;  // of a soft barrier (SR sec. 4.6): lanes go on when more than so many are there
  ptx::Location where;                // of its first mark
  bool is_automatic = false;          // nobody wrote it: it gives way where it cannot be placed
};

struct VirtualCode {
  std::vector<VirtualRegister> registers;
  std::vector<VirtualInstruction> code;
  std::vector<FunctionCode> functions;  // in code order, the entry first
  std::vector<CallSite> calls;
  std::vector<std::vector<isa::Pc>> tables;
  std::vector<Prediction> predictions;
  VirtualId stack_pointer = NoVirtual;    // of programs with recursive functions
  std::map<isa::Pc, std::string> labels;  // the name of the instruction they stand before
  std::vector<isa::Parameter> parameters;
  unsigned parameter_bytes = 0, shared_bytes = 0, local_bytes = 0;
  std::vector<isa::HiddenParameter> hidden;
  unsigned stack_levels = 0, single_stack_levels = 0;  // see Program
  /// The turns of an affine stream: from the last instruction of one side of a branch control goes to the first one of
  /// the other, with the same registers.
  std::vector<std::pair<isa::Pc, isa::Pc>> turns;
};

/// Index in VirtualCode::functions of the one that has the instruction.
std::size_t function_at(const VirtualCode& code, isa::Pc pc);

/// Where control may go in the same function: after a call, to the instruction behind it.
std::vector<isa::Pc> successors_of(const VirtualCode& code, isa::Pc pc);

/// Return addresses get the number of their instruction: the last thing to do, when no instruction moves any more.
void resolve_code_addresses(VirtualCode& code);

}  // namespace heddle::compiler
