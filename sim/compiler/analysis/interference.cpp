// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/interference.h"

#include "sim/compiler/analysis/control_flow.h"

namespace heddle::compiler {
namespace {

bool is_predicate(const VirtualCode& code, VirtualId id) {
  return code.registers[static_cast<std::size_t>(id)].width == Class::Predicate;
}

/// Does the instruction's function give its operand back? Asked with values in which each byte and each sign shows.
bool is_identity(isa::Evaluate evaluate, Class width) {
  if (evaluate == nullptr) return true;  // a row without a function moves
  const std::uint64_t mask = width == Class::Wide ? ~std::uint64_t{0} : width == Class::Narrow ? 0xffffffffU : 1;
  for (const std::uint64_t probe : {0x8000000080008080U, 0x7fffffff7fff7f7fU})
    if (((evaluate(probe & mask, 0, 0) ^ probe) & mask) != 0) return false;
  return true;
}

}  // namespace

Interference::Interference(const VirtualCode& code, bool copies_share) : neighbours_(code.registers.size()) {
  // What is written while others are live: apart from these.
  const auto write = [&](VirtualId written, const LiveSet& live, VirtualId copied) {
    for (std::size_t index = live.find_first(); index != LiveSet::npos; index = live.find_next(index)) {
      const auto id = static_cast<VirtualId>(index);
      if (id == written || id == copied) continue;
      if (is_predicate(code, id) == is_predicate(code, written)) add(id, written);
    }
  };
  const LiveSet unwritten =
      visit_live_after(code, across_calls(code, find_blocks(code)), [&](isa::Pc pc, const LiveSet& live) {
        const VirtualInstruction& instruction = code.code[pc];
        if (instruction.destination == NoVirtual) return;
        const bool shares = copies_share && is_plain_copy(code, instruction);
        write(instruction.destination, live, shares ? instruction.sources[0] : NoVirtual);
      });
  // What nobody has written when the program begins is live together from there on.
  for (std::size_t id = unwritten.find_first(); id != LiveSet::npos; id = unwritten.find_next(id))
    write(static_cast<VirtualId>(id), unwritten, NoVirtual);
}

void Interference::add(VirtualId a, VirtualId b) {
  neighbours_[static_cast<std::size_t>(a)].insert(b);
  neighbours_[static_cast<std::size_t>(b)].insert(a);
}

void Interference::merge(VirtualId kept, VirtualId gone) {
  for (const VirtualId id : with(gone)) {
    neighbours_[static_cast<std::size_t>(id)].erase(gone);
    add(id, kept);
  }
  neighbours_[static_cast<std::size_t>(gone)].clear();
}

bool is_plain_copy(const VirtualCode& code, const VirtualInstruction& instruction) {
  const isa::Instruction& body = instruction.body;
  const VirtualId from = instruction.sources[0], to = instruction.destination;
  if (body.kind != isa::Kind::Compute || body.op != isa::Op::Copy || instruction.is_guarded()) return false;
  if (from == NoVirtual || to == NoVirtual || body.sources[0].negated) return false;
  const Class width = code.registers[static_cast<std::size_t>(to)].width;
  return code.registers[static_cast<std::size_t>(from)].width == width && is_identity(body.evaluate, width);
}

}  // namespace heddle::compiler
