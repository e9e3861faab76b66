// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/marks.h"

#include <algorithm>

#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {

bool has_marks(const VirtualCode& code) {
  return std::any_of(code.code.begin(), code.code.end(), [](const auto& one) { return one.mark != Mark::None; });
}

void take_out_marks(VirtualCode& code) {
  CodeEdit edit(code);
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
    if (code.code[pc].mark != Mark::None) edit.remove(pc);
  edit.apply();
  code.predictions.clear();
}

}  // namespace heddle::compiler
