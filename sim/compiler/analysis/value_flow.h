// SPDX-License-Identifier: Apache-2.0
// What is known of the values in virtual registers for threads that run together: an iterative data flow along the ways
// of control, through calls, and to where threads meet that came different ways. What there is to know of a value, and
// what an instruction makes of it, its rules say: divergence.h for the lanes of a warp, affine.h for a batch of CTAs.
//
// Where threads may go both ways from a branch, what is written on those ways is another thing for each where they meet.
// The ways through a loop count: who leaves it in another turn has what another turn wrote.
//
// A function is analysed once, for all its calls together.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "sim/compiler/analysis/out_of_turn.h"
#include "sim/compiler/analysis/written_registers.h"

namespace heddle::compiler {

/// Why threads that run together have different values in a register.
enum class Parted : std::uint8_t {
  Guard,     // it was written by those alone whose guard held
  Branch,    // they come from different sides of a branch, or left a loop in different turns
  OutOfTurn  // they meet at the point of a prediction, in different turns
};

/// Rules
///   Value                                    default: no path comes here; ==, !=
///   Value at_start()                         of all registers: they are zeros
///   Value either(a, b)                       one of the two, the same for all threads that run together
///   Value parted(Parted why, Pc by)          by: the branch, or the instruction itself
///   bool is_same(value)                      for all threads that run together: no branch by it parts them
///   Value of(Source)                         of what is in no register
///   Value result(instruction, sources)       sources: three values
///   Value kept(value, is_predicate)          what is left of it in a register of this kind
///   void see(pc, instruction, sources, guard)
///   void see_result(pc, value)
template <class Rules>
class ValueFlow {
 public:
  using Value = typename Rules::Value;
  using Sources = std::array<Value, 3>;

  ValueFlow(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, Rules& rules)
      : code_(code),
        blocks_(blocks),
        rules_(rules),
        carry_(code.registers.size()),
        in_(blocks.size()),
        parted_at_(blocks.size()),
        calls_(code),
        out_of_turn_(registers_out_of_turn(code, calls_)),
        block_of_(code.code.size()),
        parts_(code.code.size(), false),
        spread_(blocks.size(), false),
        pending_(blocks.size(), false) {
    for (std::size_t index = 0; index < blocks.size(); ++index)
      for (isa::Pc pc = blocks[index].first; pc <= blocks[index].last; ++pc) block_of_[pc] = index;
  }

  void run() {
    if (!blocks_.empty()) {
      in_[0].assign(carry_ + 1, rules_.at_start());
      pending_[0] = true;
    }
    // Values only grow, and so do the sets that branches part.
    do settle();
    while (spread_branches());
  }

 private:
  /// What is known of every virtual register, and, last, of the carry.
  using State = std::vector<Value>;

  void settle() {
    for (bool any = true; any;) {
      any = false;
      for (std::size_t index = 0; index < blocks_.size(); ++index) {
        if (!pending_[index]) continue;
        pending_[index] = false;
        any = true;
        State state = in_[index];
        for (isa::Pc pc = blocks_[index].first; pc <= blocks_[index].last; ++pc) step(pc, state);
        leave(index, state);
      }
    }
  }

  /// What a function does not write comes to the place behind a call from the call, the rest from its return.
  void leave(std::size_t index, const State& state) {
    const isa::Pc last = blocks_[index].last;
    for (const auto& site : calls_.sites) {
      if (site.branch == last) {
        for (const std::size_t callee : site.callees) merge(state, block_of_[code_.functions[callee].first], nullptr);
        Registers kept = site.written;
        kept.flip();
        merge(state, block_of_[last + 1], &kept);
        return;
      }
      for (const std::size_t callee : site.callees)
        if (code_.functions[callee].last == last) merge(state, block_of_[site.branch + 1], &site.written);
    }
    for (const unsigned next : blocks_[index].successors) merge(state, next, nullptr);
  }

  /// \param only  these registers; null: all
  void merge(const State& from, std::size_t index, const Registers* only) {
    State& into = in_[index];
    bool changed = into.empty();
    if (into.empty()) into.resize(from.size());
    for (std::size_t id = 0; id < from.size(); ++id) {
      if (only != nullptr && !(*only)[id]) continue;
      const auto parted = parted_at_[index].find(id);
      const Value merged = parted != parted_at_[index].end() ? rules_.parted(Parted::Branch, parted->second)
                                                             : rules_.either(into[id], from[id]);
      changed = changed || merged != into[id];
      into[id] = merged;
    }
    if (changed) pending_[index] = true;
  }

  // ---- Instructions ----

  void step(isa::Pc pc, State& state) {
    if (const auto here = out_of_turn_.find(pc); here != out_of_turn_.end())
      for (std::size_t id = 0; id < state.size(); ++id)
        if (here->second[id]) state[id] = rules_.parted(Parted::OutOfTurn, pc);
    const VirtualInstruction& instruction = code_.code[pc];
    const isa::Instruction& body = instruction.body;
    const Sources sources{source(instruction, 0, state), source(instruction, 1, state), source(instruction, 2, state)};
    const bool is_guarded = instruction.is_guarded();
    const Value guard = !is_guarded                      ? rules_.at_start()
                        : instruction.guard == NoVirtual ? rules_.of(body.guard)
                                                         : state[static_cast<std::size_t>(instruction.guard)];
    if (body.kind == isa::Kind::Branch)
      parts_[pc] = !rules_.is_same(body.branch == isa::BranchKind::Peel ? sources[0] : guard);
    rules_.see(pc, instruction, sources, guard);
    const std::size_t destination = destination_of(code_, instruction);
    if (destination > carry_) return;
    Value result = rules_.result(instruction, sources);
    if (!rules_.is_same(guard))
      result = rules_.parted(Parted::Guard, pc);
    else if (is_guarded)
      result = rules_.either(result, state[destination]);
    const bool is_predicate = body.destination.is_predicate() ||
                              (destination < carry_ && code_.registers[destination].width == Class::Predicate);
    state[destination] = rules_.kept(result, is_predicate);
    rules_.see_result(pc, state[destination]);
  }

  Value source(const VirtualInstruction& instruction, unsigned index, const State& state) const {
    const isa::Source& source = instruction.body.sources[index];
    if (source.kind != isa::Source::Kind::Register && source.kind != isa::Source::Kind::Predicate)
      return rules_.of(source);
    const VirtualId id = instruction.sources[index];
    return state[id == NoVirtual ? carry_ : static_cast<std::size_t>(id)];
  }

  // ---- Control ----

  /// For branches that turned out to part threads: what was written on the ways to where they meet. False if there is
  /// nothing new.
  bool spread_branches() {
    bool any = false;
    for (std::size_t index = 0; index < blocks_.size(); ++index) {
      if (spread_[index] || in_[index].empty() || !parts_[blocks_[index].last]) continue;
      spread_[index] = any = true;
      spread(index);
    }
    return any;
  }

  void spread(std::size_t branch) {
    // How many sides of the branch come to each block, before where all meet.
    std::vector<unsigned> sides(blocks_.size(), 0);
    const isa::Pc meeting = blocks_[branch].rpc;
    for (const unsigned side : blocks_[branch].successors) {
      std::vector<bool> seen(blocks_.size(), false);
      std::vector<unsigned> pending{side};
      while (!pending.empty()) {
        const unsigned block = pending.back();
        pending.pop_back();
        if (seen[block]) continue;
        seen[block] = true;
        ++sides[block];
        if (blocks_[block].first == meeting) continue;
        pending.insert(pending.end(), blocks_[block].successors.begin(), blocks_[block].successors.end());
      }
    }
    std::vector<bool> on_the_way(blocks_.size());
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      on_the_way[block] = sides[block] != 0 && blocks_[block].first != meeting;
    for (std::size_t block = 0; block < blocks_.size(); ++block)
      if (sides[block] > 1 || (sides[block] == 1 && blocks_[block].first == meeting))
        part(block, written_before(block, on_the_way), blocks_[branch].last);
  }

  /// What the blocks on the way that lead to this one write.
  Registers written_before(std::size_t target, const std::vector<bool>& on_the_way) const {
    std::vector<bool> leads(blocks_.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t block = blocks_.size(); block-- > 0;) {
        if (leads[block] || !on_the_way[block]) continue;
        for (const unsigned next : blocks_[block].successors)
          if (next == target || leads[next]) changed = leads[block] = true;
      }
    }
    Registers written(carry_ + 1, false);
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (!leads[block]) continue;
      for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc) add_written(code_, pc, written);
      for (const auto& site : calls_.sites)
        if (site.branch == blocks_[block].last) unite(site.written, written);
    }
    return written;
  }

  void part(std::size_t block, const Registers& written, isa::Pc by) {
    for (std::size_t id = 0; id < written.size(); ++id) {
      if (!written[id] || !parted_at_[block].emplace(id, by).second || in_[block].empty()) continue;
      in_[block][id] = rules_.parted(Parted::Branch, by);
      pending_[block] = true;
    }
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  Rules& rules_;
  const std::size_t carry_;                                // its place in a state
  std::vector<State> in_;                                  // before each block; empty: not reached yet
  std::vector<std::map<std::size_t, isa::Pc>> parted_at_;  // by block: registers, and the branch that parted threads
  const WrittenByCalls calls_;
  const std::map<isa::Pc, Registers> out_of_turn_;
  std::vector<std::size_t> block_of_;  // a PC
  std::vector<bool> parts_;            // by PC: a branch by which threads go both ways
  std::vector<bool> spread_, pending_;
};

}  // namespace heddle::compiler
