// SPDX-License-Identifier: Apache-2.0
// A PTX entry into a program for the machine: lowering, control flow, live ranges, registers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/options.h"
#include "sim/isa/instruction.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// An entry may share its module's variables with others: `globals` are then global_data(module), computed once.
///
/// An empty entry name stands for the only entry of the module. Throws ptx::Error for what the text has wrong or this
/// compiler does not support, std::invalid_argument for an entry that is not there (the message lists those that are).
isa::Program compile(const ptx::Module& module, const std::string& entry,
                     std::shared_ptr<const isa::GlobalData> globals = nullptr, const CompileOptions& options = {});

/// The code of an entry while its registers are virtual, as the pass of this name leaves it (passes.h).
/// Throws as compile does, std::invalid_argument also for a pass that is not there.
VirtualCode code_after(const ptx::Module& module, const std::string& entry, const CompileOptions& options,
                       const std::string& pass);

/// Registers of 32 bits and predicates that hold a value which may still be read.
struct LiveCount {
  unsigned registers = 0, predicates = 0;
};

/// A program with what the compiler knows of it, for people who read its code. Vectors by PC.
struct Analysis {
  isa::Program program;
  Divergence divergence;
  std::vector<LiveCount> live;  // before each instruction
};

/// The program that compile gives, analysed. Throws as compile does.
Analysis analyse(const ptx::Module& module, const std::string& entry, const CompileOptions& options = {});

}  // namespace heddle::compiler
