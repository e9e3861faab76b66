// SPDX-License-Identifier: Apache-2.0
// Which instructions may have written what an instruction reads: iterative data flow over blocks, within the entry alone.
#pragma once

#include <map>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

class ReachingDefinitions {
 public:
  /// \pre the entry calls no function
  ReachingDefinitions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

  /// Instructions that may have written `id` last when control comes to `pc`. A guarded one leaves those before it.
  /// \pre it reads `id`
  const std::vector<isa::Pc>& of(isa::Pc pc, VirtualId id) const { return found_[pc].at(id); }

  /// Calls visit(definition) for each register that the instruction reads, its guard included.
  template <class Visit>
  void each_read(isa::Pc pc, Visit visit) const {
    const VirtualInstruction& instruction = code_.code[pc];
    for (const VirtualId source : instruction.sources) each(pc, source, visit);
    each(pc, instruction.guard, visit);
  }
  template <class Visit>
  void each(isa::Pc pc, VirtualId id, Visit visit) const {
    if (id != NoVirtual)
      for (const isa::Pc definition : of(pc, id)) visit(definition);
  }

 private:
  const VirtualCode& code_;
  std::vector<std::map<VirtualId, std::vector<isa::Pc>>> found_;  // by PC: of what it reads
};

}  // namespace heddle::compiler
