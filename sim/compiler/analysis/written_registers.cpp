// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/written_registers.h"

#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {

Registers no_registers(const VirtualCode& code) {
  return Registers(code.registers.size() + 1, false);
}

std::size_t destination_of(const VirtualCode& code, const VirtualInstruction& instruction) {
  if (instruction.destination != NoVirtual) return static_cast<std::size_t>(instruction.destination);
  return code.registers.size() + (instruction.body.destination.id == isa::CarryId ? 0 : 1);
}

void add_written(const VirtualCode& code, isa::Pc pc, Registers& written) {
  const std::size_t destination = destination_of(code, code.code[pc]);
  if (destination < written.size()) written[destination] = true;
}

void unite(const Registers& from, Registers& into) {
  for (std::size_t id = 0; id < from.size(); ++id) into[id] = into[id] || from[id];
}

WrittenByCalls::WrittenByCalls(const VirtualCode& code) : written(code.functions.size(), no_registers(code)) {
  for (std::size_t f = 0; f < code.functions.size(); ++f)
    for (isa::Pc pc = code.functions[f].first; pc <= code.functions[f].last; ++pc) add_written(code, pc, written[f]);
  for (const CallSite& call : code.calls) sites.push_back({call.branch, callees_of(code, call.branch), {}});
  for (std::size_t round = 0; round < code.functions.size(); ++round)
    for (std::size_t site = 0; site < sites.size(); ++site)
      for (const std::size_t callee : sites[site].callees) unite(written[callee], written[code.calls[site].caller]);
  for (Site& site : sites) {
    site.written = no_registers(code);
    for (const std::size_t callee : site.callees) unite(written[callee], site.written);
  }
}

}  // namespace heddle::compiler
