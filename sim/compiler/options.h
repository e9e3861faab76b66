// How a program is wanted.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::compiler {

/// What a machine wants to be told of where lanes meet. Neither: it knows by itself.
struct MachineOptions {
  unsigned convergence_barriers = 0;  // registers of a warp for them
  bool software_stack = false;        // programs push and pop
};

struct CompileOptions {
  unsigned max_registers =
      isa::MaxRegisters;     // a thread; what does not fit goes to local memory. .maxnreg may say less
  bool keep_copies = false;  // for comparison: what the front end copies is copied
  MachineOptions machine = {};
};

}  // namespace heddle::compiler
