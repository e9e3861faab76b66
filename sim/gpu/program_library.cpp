#include "sim/gpu/program_library.h"

#include "sim/compiler/global_data.h"
#include "sim/ptx/parser.h"

namespace heddle::gpu {

ProgramLibrary::ProgramLibrary(const std::string& ptx_path, const compiler::CompileOptions& options)
    : module_(ptx::parse_file(ptx_path)), options_(options), globals_(compiler::global_data(module_)) {}

const isa::Program& ProgramLibrary::find(const std::string& entry) {
  const auto found = programs_.find(entry);
  if (found != programs_.end()) return found->second;
  return programs_.emplace(entry, compiler::compile(module_, entry, globals_, options_)).first->second;
}

}  // namespace heddle::gpu
