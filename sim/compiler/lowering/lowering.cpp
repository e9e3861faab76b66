// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/lowering.h"

#include "sim/compiler/lowering/function_lowering.h"

namespace heddle::compiler {

VirtualCode lower(const ptx::Module& module, const ptx::Function& entry, const isa::GlobalData& globals) {
  const CallGraph graph = call_graph(module, entry);
  VirtualCode code;
  CallingConvention convention(module, graph, code);
  for (const ReachedFunction& reached : graph.functions) {
    if (reached.is_recursive && code.stack_pointer == NoVirtual) {
      code.stack_pointer = static_cast<VirtualId>(code.registers.size());
      code.registers.push_back({"stack pointer", Class::Narrow});
    }
    FunctionCode function;
    function.name = reached.function->name;
    function.is_recursive = reached.is_recursive;
    function.has_address_taken = reached.has_address_taken;
    code.functions.push_back(std::move(function));
  }
  code.tables.emplace_back();
  Symbols::Places places;
  for (unsigned index = 0; index < graph.functions.size(); ++index)
    FunctionLowering({module, graph, globals, convention, code, places}, index).run();
  Symbols::finish(code, places);

  code.tables[0].assign(module.functions.size() + 1, isa::NoPc);
  for (const FunctionCode& function : code.functions)
    if (function.has_address_taken) code.tables[0][function_handle(module, function.name)] = function.first;
  for (VirtualInstruction& instruction : code.code)
    if (instruction.callee >= 0)
      instruction.body.target = code.functions[static_cast<std::size_t>(instruction.callee)].first;
  return code;
}

}  // namespace heddle::compiler
