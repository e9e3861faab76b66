// SPDX-License-Identifier: Apache-2.0
// How a program is wanted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sim/isa/instruction.h"

namespace heddle::compiler {

/// How a machine wants its programs. Of where lanes meet it knows by itself if neither is said. Each is set by its name:
/// a list of values would mean something else as soon as an option is added.
struct MachineOptions {
  MachineOptions() {}  // no aggregate
  static MachineOptions with_barriers(unsigned registers) {
    MachineOptions machine;
    machine.convergence_barriers = registers;
    return machine;
  }

  static constexpr unsigned NoLimit = 0xffffffffU;
  unsigned convergence_barriers = 0;  // registers of a warp for them
  bool software_stack = false;        // programs push and pop
  unsigned lanes = 32;                // of a warp: how many may part beside each other on that stack
  unsigned max_registers =
      isa::MaxRegisters;  // a thread; what does not fit goes to local memory. .maxnreg may say less
  bool affine = false;    // an affine warp: kernels are split into two streams where they can be
  // ... which waits at branches that the warps decide; else what depends on one is not split
  bool affine_outcomes = true;
  unsigned affine_registers = isa::MaxRegisters, affine_predicates = isa::MaxPredicates;  // of it
  unsigned affine_paths = NoLimit, affine_masks = NoLimit;  // on its stack: paths, and masks of lanes a warp
};

/// Where lanes meet on a machine with convergence barriers: at immediate post-dominators; also where the program
/// predicts it (SR sec. 4.1); also where the compiler finds that it pays (SR sec. 4.5).
enum class Reconverge : std::uint8_t { Default, Predicted, Automatic };

/// What keeps a prediction's barrier from waiting for lanes that wait at another one (SR sec. 4.3): lanes cancel the
/// other one in front of it, or there is no other one.
enum class Deconfliction : std::uint8_t { Dynamic, Static };

/// How often each line of PTX ran in an earlier run: threads that executed it, by entry and line.
struct ExecutionProfile {
  std::map<std::string, std::map<unsigned, std::uint64_t>> threads;
};

struct CompileOptions {
  std::optional<unsigned> max_registers = {};  // instead of the machine's
  bool keep_copies = false;                    // for comparison: what the front end copies is copied
  MachineOptions machine = {};
  Reconverge reconverge = Reconverge::Default;
  Deconfliction deconfliction = Deconfliction::Dynamic;
  std::optional<unsigned> soft_threshold = {};           // of predictions that say none (SR sec. 4.6)
  std::shared_ptr<const ExecutionProfile> profile = {};  // for Reconverge::Automatic, instead of guesses
};

}  // namespace heddle::compiler
