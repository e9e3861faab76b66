// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/waiting_branches.h"

#include <algorithm>
#include <array>
#include <set>

#include "sim/isa/loops.h"

namespace heddle::isa {
namespace {

constexpr unsigned Names = CarryId + 1;  // of registers, predicates and the carry

bool is_in_thread_memory(const Instruction& instruction) {
  return instruction.space == Space::Local || instruction.space == Space::Shared || instruction.space == Space::Generic;
}

/// The functions that execute such an instruction, or call one that does. An indirect call may call any of them.
std::vector<bool> functions_that_read_others(const Program& program) {
  std::vector<bool> found(program.functions.size(), false);
  const auto calls_one = [&](const Instruction& instruction) {
    if (instruction.kind != Kind::Branch || instruction.branch != BranchKind::Call) return false;
    for (std::size_t callee = 0; callee < found.size(); ++callee)
      if (found[callee] && (instruction.target == NoPc || instruction.target == program.functions[callee].first))
        return true;
    return false;
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t index = 0; index < found.size(); ++index) {
      if (found[index]) continue;
      for (Pc pc = program.functions[index].first; pc <= program.functions[index].last && !found[index]; ++pc)
        found[index] = gives_what_others_write(program.code[pc]) || calls_one(program.code[pc]);
      changes = changes || found[index];
    }
  }
  return found;
}

/// Follows the values that decide whether a thread leaves a loop back to where they come from.
class LoopExits {
 public:
  LoopExits(const Program& program, const std::vector<bool>& reads_others, const Loop& loop)
      : program_(program), reads_others_(reads_others), loop_(loop) {}

  bool go_by_what_others_write() {
    ask_for_exits();
    while (changes_) {
      changes_ = false;
      for (const unsigned block : loop_.blocks)
        for (Pc pc = program_.blocks[block].first; pc <= program_.blocks[block].last; ++pc)
          if (follow(program_.code[pc])) return true;
    }
    return false;
  }

 private:
  void ask_for_exits() {
    const std::set<unsigned> inside(loop_.blocks.begin(), loop_.blocks.end());
    for (const unsigned block : loop_.blocks) {
      const auto& next = program_.blocks[block].successors;
      const Instruction& last = program_.code[program_.blocks[block].last];
      const bool leaves = std::any_of(next.begin(), next.end(), [&](unsigned to) { return inside.count(to) == 0; });
      if (!leaves && last.kind != Kind::Exit) continue;
      ask(last.guard);
      if (last.is_indirect()) ask(last.sources[0]);
    }
  }

  /// \return whether a value that is asked for is one that others write
  bool follow(const Instruction& instruction) {
    if (calls_one_that_reads_others(instruction)) return true;
    if (instruction.kind == Kind::Store && asks_for_memory_ && is_in_thread_memory(instruction)) {
      ask(instruction.guard);
      ask(instruction.sources[1]);
    }
    const RegisterName to = instruction.destination;
    if (to.is_none() || !(asked_[to.id] || (to.wide && asked_[to.id + 1U]))) return false;
    if (gives_what_others_write(instruction)) return true;
    if (instruction.kind == Kind::Load && is_in_thread_memory(instruction) && !asks_for_memory_)
      asks_for_memory_ = changes_ = true;
    ask(instruction.guard);
    for (const Source& source : instruction.sources) ask(source);
    return false;
  }

  bool calls_one_that_reads_others(const Instruction& instruction) const {
    if (instruction.kind != Kind::Branch || instruction.branch != BranchKind::Call) return false;
    for (std::size_t callee = 0; callee < reads_others_.size(); ++callee)
      if (reads_others_[callee] &&
          (instruction.target == NoPc || instruction.target == program_.functions[callee].first))
        return true;
    return false;
  }

  void ask(const Source& source) {
    if (source.kind == Source::Kind::Predicate) ask(FirstPredicate + source.index);
    if (source.kind != Source::Kind::Register) return;
    ask(source.index);
    if (source.wide) ask(source.index + 1U);
  }
  void ask(unsigned name) {
    changes_ = changes_ || !asked_[name];
    asked_[name] = true;
  }

  const Program& program_;
  const std::vector<bool>& reads_others_;
  const Loop& loop_;
  std::array<bool, Names + 1> asked_{};  // by name of register; a pair may end behind the last
  bool asks_for_memory_ = false, changes_ = true;
};

std::vector<unsigned> blocks_by_pc(const Program& program) {
  std::vector<unsigned> blocks(program.code.size(), 0);
  for (unsigned block = 0; block < program.blocks.size(); ++block)
    for (Pc pc = program.blocks[block].first; pc <= program.blocks[block].last; ++pc) blocks[pc] = block;
  return blocks;
}

}  // namespace

bool gives_what_others_write(const Instruction& instruction) {
  if (instruction.kind == Kind::Load) return instruction.is_volatile || instruction.is_coherent;
  return instruction.kind == Kind::Atomic && !instruction.destination.is_none();
}

std::vector<Pc> waiting_branches(const Program& program) {
  if (std::none_of(program.code.begin(), program.code.end(), gives_what_others_write)) return {};
  const std::vector<bool> reads_others = functions_that_read_others(program);
  std::vector<std::set<unsigned>> insides;  // of loops, innermost first
  std::vector<bool> waits;
  for (const Loop& loop : find_loops(program)) {
    insides.emplace_back(loop.blocks.begin(), loop.blocks.end());
    waits.push_back(LoopExits(program, reads_others, loop).go_by_what_others_write());
  }
  const std::vector<unsigned> block_of = blocks_by_pc(program);
  std::vector<Pc> branches;
  for (Pc pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& branch = program.code[pc];
    const bool leads_back = branch.kind == Kind::Branch && branch.target <= pc && branch.branch != BranchKind::Call;
    if (!leads_back) continue;
    for (std::size_t loop = 0; loop < insides.size(); ++loop) {
      if (insides[loop].count(block_of[pc]) == 0 || insides[loop].count(block_of[branch.target]) == 0) continue;
      if (waits[loop]) branches.push_back(pc);
      break;
    }
  }
  return branches;
}

}  // namespace heddle::isa
