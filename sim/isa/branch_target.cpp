// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/branch_target.h"

namespace heddle::isa {

Pc indirect_target(const Program& program, const Instruction& branch, std::uint64_t value) {
  if (branch.branch == BranchKind::Return) return value < program.code.size() ? static_cast<Pc>(value) : NoPc;
  const std::vector<Pc>& table = program.tables[branch.table];
  return value < table.size() ? table[value] : NoPc;
}

}  // namespace heddle::isa
