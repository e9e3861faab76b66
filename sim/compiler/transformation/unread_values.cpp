// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/unread_values.h"

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/reaching_definitions.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

/// Nothing but a value comes of it; the carry, which has no register, stays.
bool only_computes(const VirtualInstruction& instruction) {
  return instruction.body.kind == isa::Kind::Compute && instruction.destination != NoVirtual;
}

}  // namespace

void drop_unread_values(VirtualCode& code) {
  const ReachingDefinitions definitions(code, find_blocks(code));
  std::vector<bool> needed(code.code.size(), false);
  std::vector<isa::Pc> pending;
  const auto need = [&](isa::Pc pc) {
    if (needed[pc]) return;
    needed[pc] = true;
    pending.push_back(pc);
  };
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
    if (!only_computes(code.code[pc])) need(pc);
  while (!pending.empty()) {
    const isa::Pc pc = pending.back();
    pending.pop_back();
    definitions.each_read(pc, need);
  }
  CodeEdit edit(code);
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
    if (!needed[pc]) edit.remove(pc);
  edit.apply();
}

}  // namespace heddle::compiler
