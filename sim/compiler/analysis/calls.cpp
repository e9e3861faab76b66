// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {

bool is_call(const VirtualInstruction& instruction) {
  return instruction.body.kind == isa::Kind::Branch && instruction.body.branch == isa::BranchKind::Call;
}

std::vector<std::size_t> callees_of(const VirtualCode& code, isa::Pc call) {
  std::vector<std::size_t> found;
  const int callee = code.code[call].callee;
  for (std::size_t f = 0; f < code.functions.size(); ++f)
    if (callee < 0 ? code.functions[f].has_address_taken : static_cast<std::size_t>(callee) == f) found.push_back(f);
  return found;
}

std::vector<std::vector<bool>> calls_between_functions(const VirtualCode& code) {
  const std::size_t count = code.functions.size();
  std::vector<std::vector<bool>> calls(count, std::vector<bool>(count, false));
  for (const CallSite& call : code.calls)
    for (const std::size_t callee : callees_of(code, call.branch)) calls[call.caller][callee] = true;
  for (std::size_t via = 0; via < count; ++via)
    for (std::size_t from = 0; from < count; ++from)
      for (std::size_t to = 0; to < count; ++to)
        calls[from][to] = calls[from][to] || (calls[from][via] && calls[via][to]);
  return calls;
}

}  // namespace heddle::compiler
