// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/needless_jumps.h"

#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

/// Whether it is taken or not. A condition that comes out of a queue must be taken from there.
bool is_needless(const VirtualCode& code, isa::Pc pc) {
  const VirtualInstruction& instruction = code.code[pc];
  return instruction.body.kind == isa::Kind::Branch && instruction.body.branch == isa::BranchKind::Jump &&
         instruction.body.guard.kind != isa::Source::Kind::Queue && instruction.body.target == pc + 1;
}

}  // namespace

/// One that goes may bring another one before its target.
void drop_needless_jumps(VirtualCode& code) {
  for (bool any = true; any;) {
    any = false;
    CodeEdit edit(code);
    for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
      if (!is_needless(code, pc)) continue;
      edit.remove(pc);
      any = true;
    }
    edit.apply();
  }
}

}  // namespace heddle::compiler
