// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/allocation/allocation_check.h"

#include <fmt/format.h>
#include <stdexcept>

#include "sim/compiler/analysis/control_flow.h"

namespace heddle::compiler {
namespace {

// Beside a register, what a place may hold: what was there when the function began, which any register may be that
// nobody has written yet; or one register on one way here and another on another way.
constexpr VirtualId AsAtEntry = -1, Unclear = -2;
using Holders = std::vector<VirtualId>;  // by place: registers, then predicates
const Holders Nothing(isa::FirstPredicate + isa::MaxPredicates, AsAtEntry);

class Check {
 public:
  Check(const VirtualCode& code, const Assignment& assignment)
      : code_(code), assignment_(assignment), blocks_(find_blocks(code)), left_(code.functions.size(), Nothing) {}

  void run() {
    // What a function leaves to its callers is known after as many turns as calls are nested.
    std::vector<Holders> last;
    while (last != left_) {
      last = left_;
      follow();
    }
    for (std::size_t index = 0; index < blocks_.size(); ++index) {
      Holders holders = entered_[index];
      for (isa::Pc pc = blocks_[index].first; pc <= blocks_[index].last; ++pc) {
        expect_operands(pc, holders);
        step(pc, holders);
      }
    }
  }

 private:
  static VirtualId meet(VirtualId a, VirtualId b) {
    if (a == AsAtEntry || a == b) return b;
    return b == AsAtEntry ? a : Unclear;
  }

  static bool meet(const Holders& from, Holders& into) {
    bool changed = false;
    for (std::size_t place = 0; place < from.size(); ++place) {
      const VirtualId met = meet(from[place], into[place]);
      changed = changed || met != into[place];
      into[place] = met;
    }
    return changed;
  }

  /// Along the code until nothing changes, calls as the last turn left them.
  void follow() {
    entered_.assign(blocks_.size(), Nothing);
    std::vector<Holders> left(code_.functions.size(), Nothing);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t index = 0; index < blocks_.size(); ++index) {
        Holders holders = entered_[index];
        for (isa::Pc pc = blocks_[index].first; pc <= blocks_[index].last; ++pc) step(pc, holders);
        for (const unsigned next : blocks_[index].successors) changed = meet(holders, entered_[next]) || changed;
        for (std::size_t function = 0; function < code_.functions.size(); ++function)
          if (code_.functions[function].last == blocks_[index].last) meet(holders, left[function]);
      }
    }
    left_ = std::move(left);
  }

  void step(isa::Pc pc, Holders& holders) const {
    const VirtualInstruction& instruction = code_.code[pc];
    if (instruction.destination != NoVirtual) {
      for (const std::size_t place : places_of(instruction.destination)) {
        // Lanes whose guard is false keep what was there.
        const VirtualId kept = instruction.is_guarded() ? holders[place] : instruction.destination;
        holders[place] = meet(kept, instruction.destination);
      }
    }
    if (instruction.body.kind == isa::Kind::Branch && instruction.body.branch == isa::BranchKind::Call)
      call(instruction.callee, holders);
  }

  void call(int callee, Holders& holders) const {
    Holders after(holders.size(), AsAtEntry);
    for (std::size_t function = 0; function < code_.functions.size(); ++function) {
      const bool is_called =
          callee >= 0 ? static_cast<std::size_t>(callee) == function : code_.functions[function].has_address_taken;
      if (!is_called) continue;
      Holders left = left_[function];
      for (std::size_t place = 0; place < left.size(); ++place)
        if (left[place] == AsAtEntry) left[place] = holders[place];
      meet(left, after);
    }
    holders = std::move(after);
  }

  void expect_operands(isa::Pc pc, const Holders& holders) const {
    const VirtualInstruction& instruction = code_.code[pc];
    expect(pc, instruction.guard, holders);
    for (const VirtualId source : instruction.sources) expect(pc, source, holders);
  }

  void expect(isa::Pc pc, VirtualId id, const Holders& holders) const {
    if (id == NoVirtual) return;
    for (const std::size_t place : places_of(id)) {
      const VirtualId holder = holders[place];
      if (holder == id || holder == AsAtEntry) continue;
      throw std::logic_error(
          fmt::format("instruction {} ({}, line {}) reads {} in place {}, which holds {}", pc,
                      code_.code[pc].body.mnemonic, code_.code[pc].body.line, name(id), place,
                      holder == Unclear ? "different registers, depending on the way" : name(holder)));
    }
  }

  std::vector<std::size_t> places_of(VirtualId id) const {
    const Class width = code_.registers[static_cast<std::size_t>(id)].width;
    const std::size_t first = assignment_.place[static_cast<std::size_t>(id)];
    if (width == Class::Predicate) return {isa::FirstPredicate + first};
    if (width == Class::Narrow) return {first};
    if (first % 2 != 0) throw std::logic_error(fmt::format("the pair {} begins at odd place {}", name(id), first));
    return {first, first + 1};
  }

  std::string name(VirtualId id) const {
    return fmt::format("{} (#{})", code_.registers[static_cast<std::size_t>(id)].name, id);
  }

  const VirtualCode& code_;
  const Assignment& assignment_;
  const std::vector<isa::BasicBlock> blocks_;  // after a call, the block behind it
  std::vector<Holders> entered_;               // by block: what its places hold at its beginning
  std::vector<Holders> left_;                  // by function: at its return; AsAtEntry is what the caller had there
};

}  // namespace

void check_allocation(const VirtualCode& code, const Assignment& assignment) {
  Check(code, assignment).run();
}

}  // namespace heddle::compiler
