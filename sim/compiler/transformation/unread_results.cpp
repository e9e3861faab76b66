// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/unread_results.h"

namespace heddle::compiler {

void drop_unread_results(VirtualCode& code) {
  std::vector<bool> is_read(code.registers.size(), false);
  for (const VirtualInstruction& instruction : code.code)
    for (const VirtualId source : instruction.sources)
      if (source != NoVirtual) is_read[static_cast<std::size_t>(source)] = true;
  for (VirtualInstruction& instruction : code.code) {
    if (instruction.body.kind != isa::Kind::Atomic || instruction.destination == NoVirtual) continue;
    if (is_read[static_cast<std::size_t>(instruction.destination)]) continue;
    instruction.destination = NoVirtual;
    instruction.body.destination = isa::RegisterName();
  }
}

}  // namespace heddle::compiler
