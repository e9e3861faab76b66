// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/pending_writes.h"

namespace heddle {

void PendingWrites::note(isa::RegisterName name, isa::Lanes lanes, bool on) {
  if (name.is_none()) return;
  for (unsigned id = name.id; id <= name.id + (name.wide ? 1U : 0U); ++id) {
    lanes_[id] = on ? lanes_[id] | lanes : lanes_[id] & ~lanes;
  }
}

bool PendingWrites::hold(const isa::Instruction& instruction, isa::Lanes lanes) const {
  const auto pending = [&](unsigned id, bool wide) {
    return ((lanes_[id] | (wide ? lanes_[id + 1] : 0)) & lanes) != 0;
  };
  const auto source = [&](const isa::Source& s) {
    if (s.kind == isa::Source::Kind::Register) return pending(s.index, s.wide);
    if (s.kind == isa::Source::Kind::Predicate) return pending(isa::FirstPredicate + s.index, false);
    return false;
  };
  return source(instruction.guard) || source(instruction.sources[0]) || source(instruction.sources[1]) ||
         source(instruction.sources[2]) ||
         (!instruction.destination.is_none() && pending(instruction.destination.id, instruction.destination.wide));
}

}  // namespace heddle
