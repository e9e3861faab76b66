// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/move_coalescing.h"

#include <numeric>

#include "sim/compiler/analysis/interference.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

/// What each register is called now.
class Names {
 public:
  explicit Names(std::size_t count) : names_(count) { std::iota(names_.begin(), names_.end(), 0); }

  VirtualId of(VirtualId id) {
    while (id != NoVirtual && at(id) != id) id = at(id) = at(at(id));
    return id;
  }
  void merge(VirtualId kept, VirtualId gone) { at(gone) = kept; }

 private:
  VirtualId& at(VirtualId id) { return names_[static_cast<std::size_t>(id)]; }

  std::vector<VirtualId> names_;
};

void rename(VirtualCode& code, Names& names) {
  for (VirtualInstruction& instruction : code.code) {
    instruction.destination = names.of(instruction.destination);
    instruction.guard = names.of(instruction.guard);
    for (VirtualId& source : instruction.sources) source = names.of(source);
  }
  for (CallSite& call : code.calls)
    for (VirtualId& result : call.results) result = names.of(result);
  code.stack_pointer = names.of(code.stack_pointer);
}

void remove_copies_to_itself(VirtualCode& code) {
  CodeEdit edit(code);
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const VirtualInstruction& instruction = code.code[pc];
    if (is_plain_copy(code, instruction) && instruction.sources[0] == instruction.destination) edit.remove(pc);
  }
  edit.apply();
}

}  // namespace

void coalesce_moves(VirtualCode& code) {
  Interference apart(code, true);
  Names names(code.registers.size());
  for (const VirtualInstruction& instruction : code.code) {
    if (!is_plain_copy(code, instruction)) continue;
    const VirtualId from = names.of(instruction.sources[0]), to = names.of(instruction.destination);
    if (from == to || apart.between(from, to)) continue;
    apart.merge(from, to);
    names.merge(from, to);
  }
  rename(code, names);
  remove_copies_to_itself(code);
}

}  // namespace heddle::compiler
