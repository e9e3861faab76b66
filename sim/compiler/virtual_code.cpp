#include "sim/compiler/virtual_code.h"

#include <algorithm>

namespace heddle::compiler {

std::vector<isa::Pc> successors_of(const VirtualCode& code, isa::Pc pc) {
  const VirtualInstruction& instruction = code.code[pc];
  if (!instruction.ends_block()) return {pc + 1};
  std::vector<isa::Pc> successors;
  bool falls_through = instruction.is_guarded();
  if (instruction.body.kind == isa::Kind::Branch) {
    switch (instruction.body.branch) {
      case isa::BranchKind::Jump:
        successors.push_back(instruction.body.target);
        break;
      case isa::BranchKind::Peel:
        successors.push_back(instruction.body.target);
        falls_through = true;
        break;
      case isa::BranchKind::Call:
        falls_through = true;
        break;
      case isa::BranchKind::Return:
        break;
      case isa::BranchKind::Table:
        for (const isa::Pc target : code.tables[instruction.body.table])
          if (target != isa::NoPc) successors.push_back(target);
        break;
    }
  }
  if (falls_through) successors.push_back(pc + 1);
  std::vector<isa::Pc> unique;
  for (const isa::Pc next : successors)
    if (std::count(unique.begin(), unique.end(), next) == 0) unique.push_back(next);
  return unique;
}

}  // namespace heddle::compiler
