// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/program_library.h"

#include "sim/compiler/lowering/global_data.h"
#include "sim/ptx/parser.h"

namespace heddle::gpu {

ProgramLibrary::ProgramLibrary(const std::string& ptx_path, const compiler::CompileOptions& options)
    : module_(ptx::parse_file(ptx_path)), options_(options), globals_(compiler::global_data(module_)) {}

const isa::Program& ProgramLibrary::find(const std::string& entry, const compiler::MachineOptions& machine) {
  const std::tuple key(entry, machine.convergence_barriers, machine.software_stack, machine.max_registers,
                       machine.affine, machine.affine_outcomes, machine.affine_registers, machine.affine_predicates,
                       machine.affine_paths, machine.affine_masks, machine.lanes);
  const auto found = programs_.find(key);
  if (found != programs_.end()) return found->second;
  compiler::CompileOptions options = options_;
  options.machine = machine;
  return programs_.emplace(key, compiler::compile(module_, entry, globals_, options)).first->second;
}

}  // namespace heddle::gpu
