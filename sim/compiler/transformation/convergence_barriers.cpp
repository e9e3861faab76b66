#include "sim/compiler/transformation/convergence_barriers.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

using Blocks = std::vector<bool>;
using BlockList = std::vector<BlockIndex>;

/// In front of an instruction, or behind it on the way to the next one.
struct Place {
  isa::Pc pc = 0;
  bool behind = false;
  bool operator<(const Place& other) const { return std::pair(pc, behind) < std::pair(other.pc, other.behind); }
};

/// Branches that meet at the same place, and the code on their ways there.
struct Region {
  isa::Pc meet = 0;
  std::size_t function = 0;
  std::set<Place> joins;
  Blocks inside;
  int barrier = -1;
};

class Placement {
 public:
  Placement(VirtualCode& code, unsigned registers)
      : code_(code),
        blocks_(find_blocks(code)),
        dominators_(code, blocks_),
        loops_(natural_loops(blocks_, dominators_)),
        registers_(registers - 1),
        predecessors_(predecessors_of(blocks_)) {}

  void run() {
    find_regions();
    choose_registers();
    CodeEdit edit(code_);
    const auto put = [&](const Place& place, isa::ConvergenceOp op, const char* name, int barrier) {
      const isa::Pc pc = place.pc;
      VirtualInstruction instruction;
      instruction.body.kind = isa::Kind::Convergence;
      instruction.body.unit = isa::Unit::Control;
      instruction.body.mnemonic = name;
      instruction.body.convergence = op;
      instruction.body.barrier = static_cast<std::uint8_t>(barrier);
      instruction.where = code_.code[pc].where;
      instruction.body.line = code_.code[pc].body.line;
      instruction.body.source_file = code_.code[pc].body.source_file;
      instruction.body.source_line = code_.code[pc].body.source_line;
      if (op == isa::ConvergenceOp::Meet) {
        instruction.body.sources[0] = code_.code[pc].body.sources[2];
        instruction.sources[0] = code_.code[pc].sources[2];
      }
      place.behind ? edit.after(pc, {instruction}) : edit.before(pc, {instruction});
    };
    for (const Region& region : regions_)
      if (region.barrier >= 0) put({region.meet}, isa::ConvergenceOp::Wait, "bsync", region.barrier);
    for (const NaturalLoop& loop : loops_)
      if (waits_for_a_lane(loop)) put({blocks_[loop.head].first}, isa::ConvergenceOp::Yield, "yield", 0);
    for (const Region& region : regions_)
      for (const Place& place : region.joins)
        if (region.barrier >= 0) put(place, isa::ConvergenceOp::Join, "bssy", region.barrier);
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const isa::Instruction& body = code_.code[pc].body;
      if (body.kind == isa::Kind::WarpWide && body.meets)
        put({pc}, isa::ConvergenceOp::Meet, "warpsync", static_cast<int>(registers_));
    }
    edit.apply();
  }

 private:
  // ---- the shape of the code ----

  BlockIndex block_at(isa::Pc pc) const { return compiler::block_at(blocks_, pc); }

  /// Blocks that can be reached from the end of `from` without passing `end`.
  Blocks reached(BlockIndex from, BlockIndex end) const {
    Blocks found(blocks_.size(), false);
    BlockList rest(blocks_[from].successors.begin(), blocks_[from].successors.end());
    while (!rest.empty()) {
      const BlockIndex one = rest.back();
      rest.pop_back();
      if (one == end || found[one]) continue;
      found[one] = true;
      rest.insert(rest.end(), blocks_[one].successors.begin(), blocks_[one].successors.end());
    }
    return found;
  }

  // ---- regions ----

  void find_regions() {
    const Divergence divergence = analyse_divergence(code_, blocks_);
    std::map<isa::Pc, BlockList> branches;  // by meeting point
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      const isa::Instruction& last = code_.code[blocks_[block].last].body;
      const bool may_part = last.kind == isa::Kind::Branch && blocks_[block].successors.size() > 1;
      if (may_part && blocks_[block].rpc != isa::NoPc && divergence.is_divergent(blocks_[block].last))
        branches[blocks_[block].rpc].push_back(block);
    }
    for (const auto& [meet, parting] : branches) {
      Region region;
      region.meet = meet;
      region.function = function_at(code_, meet);
      if (code_.functions[region.function].is_recursive) continue;
      region.inside.assign(blocks_.size(), false);
      for (const BlockIndex block : parting) {
        const Blocks way = reached(block, block_at(meet));
        region.inside[block] = true;
        for (BlockIndex one = 0; one < blocks_.size(); ++one) region.inside[one] = region.inside[one] || way[one];
        if (!has_joined(block, parting, meet)) region.joins.insert(place_of_join(block, meet));
      }
      regions_.push_back(std::move(region));
    }
  }

  /// Lanes that come to `block` have joined at another of these branches, and have not met since.
  bool has_joined(BlockIndex block, const BlockList& parting, isa::Pc meet) const {
    return std::any_of(parting.begin(), parting.end(), [&](BlockIndex other) {
      return other != block && dominators_.dominates(other, block) && !reached(block_at(meet), other)[block];
    });
  }

  /// In front of the branch, or of the outermost loop that it is in and its meeting point is not, if one way leads into
  /// that loop: from a block that goes nowhere else, or that falls into it.
  Place place_of_join(BlockIndex block, isa::Pc meet) const {
    const BlockIndex end = block_at(meet);
    Place place{blocks_[block].last, false};
    std::size_t widest = 0;
    for (const NaturalLoop& loop : loops_) {
      if (!loop.inside[block] || loop.inside[end]) continue;
      BlockList outside;
      for (const BlockIndex from : predecessors_[loop.head])
        if (!loop.inside[from]) outside.push_back(from);
      if (outside.size() != 1 || loop.size() <= widest) continue;
      const isa::BasicBlock& from = blocks_[outside.front()];
      const isa::Instruction& last = code_.code[from.last].body;
      const bool jumps = last.kind == isa::Kind::Branch;
      if (jumps && last.branch != isa::BranchKind::Jump) continue;  // comes back from a call
      const bool falls = from.last + 1 == blocks_[loop.head].first && !(jumps && last.target == from.last + 1);
      if (!falls && from.successors.size() != 1) continue;
      widest = loop.size();
      place = {from.last, falls};
    }
    return place;
  }

  // ---- registers ----

  void choose_registers() {
    const std::vector<Blocks> calls = calls_between_functions();
    for (std::size_t index = 0; index < regions_.size(); ++index) {
      std::vector<bool> used(registers_, false), taken(registers_, false);
      for (std::size_t other = 0; other < index; ++other) {
        if (regions_[other].barrier < 0) continue;
        const auto barrier = static_cast<std::size_t>(regions_[other].barrier);
        used[barrier] = true;
        taken[barrier] = taken[barrier] || overlap(regions_[index], regions_[other], calls);
      }
      auto place = std::find(used.begin(), used.end(), false);
      if (place != used.end()) {
        regions_[index].barrier = static_cast<int>(place - used.begin());
        continue;
      }
      place = std::find(taken.begin(), taken.end(), false);
      if (place != taken.end()) regions_[index].barrier = static_cast<int>(place - taken.begin());
    }
  }

  static bool overlap(const Region& a, const Region& b, const std::vector<Blocks>& calls) {
    if (a.function != b.function) return calls[a.function][b.function] || calls[b.function][a.function];
    for (std::size_t block = 0; block < a.inside.size(); ++block)
      if (a.inside[block] && b.inside[block]) return true;
    return false;
  }

  /// [a][b]: b may run while a call in a does.
  std::vector<Blocks> calls_between_functions() const {
    const std::size_t count = code_.functions.size();
    std::vector<Blocks> calls(count, Blocks(count, false));
    for (const CallSite& call : code_.calls) {
      const int callee = code_.code[call.branch].callee;
      for (std::size_t f = 0; f < count; ++f)
        if (callee < 0 ? code_.functions[f].has_address_taken : f == static_cast<std::size_t>(callee))
          calls[call.caller][f] = true;
    }
    for (std::size_t via = 0; via < count; ++via)
      for (std::size_t from = 0; from < count; ++from)
        for (std::size_t to = 0; to < count; ++to)
          calls[from][to] = calls[from][to] || (calls[from][via] && calls[via][to]);
    return calls;
  }

  // ---- loops that wait for another lane ----

  /// A branch out of the loop goes by what an atomic or a volatile load in it gave.
  bool waits_for_a_lane(const NaturalLoop& loop) const {
    std::set<VirtualId> asked;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!loop.inside[block]) continue;
      const VirtualInstruction& last = code_.code[blocks_[block].last];
      const auto& next = blocks_[block].successors;
      const bool leaves = std::any_of(next.begin(), next.end(), [&](unsigned to) { return !loop.inside[to]; });
      if ((leaves || last.body.kind == isa::Kind::Exit) && last.is_guarded()) asked.insert(last.guard);
    }
    for (std::size_t before = 0; before != asked.size();) {
      before = asked.size();
      for (BlockIndex block = 0; block < blocks_.size(); ++block) {
        if (!loop.inside[block]) continue;
        for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc) {
          const VirtualInstruction& instruction = code_.code[pc];
          if (instruction.destination == NoVirtual || asked.count(instruction.destination) == 0) continue;
          const isa::Instruction& body = instruction.body;
          if (body.kind == isa::Kind::Atomic || (body.kind == isa::Kind::Load && body.is_volatile)) return true;
          for (const VirtualId source : instruction.sources)
            if (source != NoVirtual) asked.insert(source);
          if (instruction.is_guarded()) asked.insert(instruction.guard);
        }
      }
    }
    return false;
  }

  VirtualCode& code_;
  std::vector<isa::BasicBlock> blocks_;
  Dominators dominators_;
  std::vector<NaturalLoop> loops_;
  std::size_t registers_;  // of regions
  std::vector<BlockList> predecessors_;
  std::vector<Region> regions_;
};

}  // namespace

void insert_convergence_barriers(VirtualCode& code, unsigned registers) {
  Placement(code, registers).run();
}

}  // namespace heddle::compiler
