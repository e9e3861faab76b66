// How a program is wanted.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::compiler {

struct CompileOptions {
  unsigned max_registers =
      isa::MaxRegisters;              // a thread; what does not fit goes to local memory. .maxnreg may say less
  unsigned convergence_barriers = 0;  // registers of a warp; 0: the machine knows by itself where lanes meet
  bool keep_copies = false;           // for comparison: what the front end copies is copied
};

}  // namespace heddle::compiler
