// A PTX entry into a program for the machine: lowering, control flow, live ranges, registers.
#pragma once

#include <memory>
#include <string>

#include "sim/isa/instruction.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// An entry may share its module's variables with others: `globals` are then global_data(module), computed once.
///
/// An empty entry name stands for the only entry of the module. Throws ptx::Error for what the text has wrong or this
/// compiler does not support, std::invalid_argument for an entry that is not there (the message lists those that are).
isa::Program compile(const ptx::Module& module, const std::string& entry,
                     std::shared_ptr<const isa::GlobalData> globals = nullptr);

}  // namespace heddle::compiler
