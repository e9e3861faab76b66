// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/software_stack.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/compiler/analysis/calls.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/analysis/natural_loops.h"  // block_at
#include "sim/isa/execution_error.h"

namespace heddle::compiler {
namespace {

using RegionId = unsigned;
constexpr unsigned NoCycle = 0xffffffffU;
constexpr unsigned MostEntries = 4096;       // that are counted
constexpr unsigned AnyNumber = 0xffffffffU;  // of branches in a loop

/// Meeting points that are being waited for, each by one push, the outermost first.
using Open = std::vector<isa::Pc>;

bool is_jump(const isa::Instruction& body) {
  return body.kind == isa::Kind::Branch && body.branch == isa::BranchKind::Jump;
}

bool waits_for(const Open& open, isa::Pc meet) {
  return !open.empty() && open.back() == meet;
}

/// What one push opens.
struct Region {
  isa::Pc meet = isa::NoPc;
  isa::Pc branch = 0;
  std::optional<Open> outside;  // what is open where it is opened
};

/// Blocks from which one comes to each other without passing a meeting point: a branch there for that point, with a push
/// of its own, would push in each turn. One without a region has no meeting point.
struct Cycle {
  isa::Pc meet = isa::NoPc;
  std::vector<bool> inside;
  std::optional<RegionId> region;
};

/// Where a way leads: to an instruction, or to a pop or a push on the way there.
struct Destination {
  enum class Kind { Instruction, Pop, Push };
  Kind kind = Kind::Instruction;
  isa::Pc pc = 0;       // instruction at the end of the way
  RegionId region = 0;  // of a push
  bool operator<(const Destination& other) const {
    return std::tie(kind, pc, region) < std::tie(other.kind, other.pc, other.region);
  }
};

class Placement {
 public:
  /// \param all  branches that lanes take together have pushes too
  Placement(VirtualCode& code, bool all)
      : code_(code),
        all_(all),
        blocks_(find_blocks(code)),
        divergence_(analyse_divergence(code, blocks_)),
        parts_(blocks_.size(), false),
        own_(blocks_.size()),
        open_(blocks_.size()),
        entries_(blocks_.size(), 0),
        popped_to_(blocks_.size()) {}

  /// Returns whether the same points are waited for on all ways to each instruction.
  bool find() {
    find_regions();
    find_reachable();
    for (const FunctionCode& function : code_.functions) follow(function);
    return refused_at_ == isa::NoPc;
  }

  void insert(unsigned lanes) {
    code_.stack_levels = levels() + std::min(lanes < 2 ? 0 : lanes - 2, parts_beside());
    code_.single_stack_levels = levels() + std::min(lanes - 1, parts_at_all());
    rebuild();
  }

  [[noreturn]] void refuse() const {
    throw isa::ExecutionError(isa::ErrorCode::NotSupported,
                              fmt::format("line {}: no place for pushes and pops: the instruction is reached with "
                                          "different ones open; expected another --divergence than dpe_software or "
                                          "spe_software",
                                          code_.code[refused_at_].where.line));
  }

 private:
  // ---- where pushes are ----

  void find_regions() {
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      const isa::Pc last = blocks_[block].last;
      const isa::Instruction& body = code_.code[last].body;
      const bool parts = body.kind == isa::Kind::Branch && blocks_[block].successors.size() > 1;
      if (!parts || !(all_ || divergence_.is_divergent(last))) continue;
      parts_[block] = true;
      // Lanes that never meet only exit: there is nothing to pop.
      if (blocks_[block].rpc == isa::NoPc) continue;
      const unsigned cycle = cycle_of(block);
      std::optional<RegionId>& region = cycle == NoCycle ? own_[block] : cycles_[cycle].region;
      if (region) continue;
      region = static_cast<RegionId>(regions_.size());
      regions_.push_back({blocks_[block].rpc, last, std::nullopt});
    }
  }

  /// The cycle of this block's branch and its meeting point; NoCycle: it is in none.
  unsigned cycle_of(BlockIndex block) {
    const isa::Pc meet = blocks_[block].rpc;
    for (unsigned index = 0; index < cycles_.size(); ++index)
      if (cycles_[index].meet == meet && cycles_[index].inside[block]) return index;
    const std::vector<bool> ahead = reached(block, meet);
    if (!ahead[block]) return NoCycle;
    Cycle cycle{meet, std::vector<bool>(blocks_.size(), false), std::nullopt};
    for (BlockIndex other = 0; other < blocks_.size(); ++other)
      cycle.inside[other] = ahead[other] && reached(other, meet)[block];
    cycles_.push_back(cycle);
    return static_cast<unsigned>(cycles_.size() - 1);
  }

  /// Blocks to which one comes from the end of `from`, not past `end`.
  std::vector<bool> reached(BlockIndex from, isa::Pc end) const {
    std::vector<bool> found(blocks_.size(), false);
    std::vector<BlockIndex> rest{from};
    while (!rest.empty()) {
      const BlockIndex one = rest.back();
      rest.pop_back();
      for (const unsigned next : blocks_[one].successors) {
        if (found[next] || blocks_[next].first == end) continue;
        found[next] = true;
        rest.push_back(next);
      }
    }
    return found;
  }

  // ---- what is open where ----

  void follow(const FunctionCode& function) {
    std::vector<BlockIndex> rest;
    const BlockIndex first = block_at(blocks_, function.first);
    come_to(first, {}, 0, rest);
    while (!rest.empty()) {
      const BlockIndex block = rest.back();
      rest.pop_back();
      const isa::Pc last = blocks_[block].last;
      const Open open = behind(block);
      if (pushes(block)) regions_[*own_[block]].outside = *open_[block];
      const isa::Instruction& body = code_.code[last].body;
      if (body.kind == isa::Kind::Branch && body.branch == isa::BranchKind::Return && !open.empty()) refuse(last);
      for (const unsigned next : blocks_[block].successors) come_to(next, open, entries_behind(block), rest);
    }
  }

  /// A push in front of the branch at the end of a block: not where one that is open waits for its meeting point, in
  /// whose entry the sides have room, or in one that the branch pushes by itself.
  bool pushes(BlockIndex block) const { return own_[block] && !waits_for(*open_[block], regions_[*own_[block]].meet); }

  /// What is open at the end of a block.
  Open behind(BlockIndex block) const {
    Open open = *open_[block];
    if (pushes(block)) open.push_back(regions_[*own_[block]].meet);
    return open;
  }
  unsigned entries_behind(BlockIndex block) const { return entries_[block] + (pushes(block) ? 1 : 0); }

  /// \param entries  that pushes have taken, at most
  void come_to(BlockIndex block, Open open, unsigned entries, std::vector<BlockIndex>& rest) {
    if (waits_for(open, blocks_[block].first)) {
      for (; waits_for(open, blocks_[block].first); open.pop_back()) --entries;
      popped_to_[block] = open;
    }
    open = as_far_as_it_matters(open, block);
    while (const std::optional<RegionId> region = pushed_at(block, open)) {
      std::optional<Open>& outside = regions_[*region].outside;
      if (outside && *outside != open) refuse(blocks_[block].first);
      outside = open;
      open.push_back(regions_[*region].meet);
      ++entries;
    }
    if (open_[block] && *open_[block] != open) return refuse(blocks_[block].first);
    const bool is_more = entries > entries_[block] && entries_[block] < MostEntries;
    if (open_[block] && !is_more) return;
    open_[block] = open;
    entries_[block] = std::max(entries_[block], entries);
    rest.push_back(block);
  }

  /// Lanes that can only exit from here leave every entry by that, so that ways to one exit need not agree.
  Open as_far_as_it_matters(Open open, BlockIndex block) const {
    const auto matters = [&](isa::Pc meet) { return reaches_[block][block_at(blocks_, meet)]; };
    return std::any_of(open.begin(), open.end(), matters) ? open : Open();
  }

  void find_reachable() {
    reaches_.assign(blocks_.size(), std::vector<bool>(blocks_.size(), false));
    for (BlockIndex from = 0; from < blocks_.size(); ++from) {
      std::vector<BlockIndex> rest{from};
      while (!rest.empty()) {
        const BlockIndex one = rest.back();
        rest.pop_back();
        if (reaches_[from][one]) continue;
        reaches_[from][one] = true;
        rest.insert(rest.end(), blocks_[one].successors.begin(), blocks_[one].successors.end());
      }
    }
  }

  /// The push for a cycle that one comes into here, from outside, unless its meeting point is waited for already; of
  /// several the widest first.
  std::optional<RegionId> pushed_at(BlockIndex block, const Open& open) const {
    std::optional<RegionId> found;
    std::ptrdiff_t widest = 0;
    for (unsigned index = 0; index < cycles_.size(); ++index) {
      const Cycle& cycle = cycles_[index];
      const bool is_in = std::count(open.begin(), open.end(), cycle.meet) != 0;
      const std::ptrdiff_t blocks = std::count(cycle.inside.begin(), cycle.inside.end(), true);
      if (!cycle.region || !cycle.inside[block] || is_in || blocks <= widest) continue;
      widest = blocks;
      found = cycle.region;
    }
    return found;
  }

  void refuse(isa::Pc pc) {
    if (refused_at_ == isa::NoPc) refused_at_ = pc;
  }

  // ---- how many entries that takes ----

  bool is_in(BlockIndex block, const FunctionCode& function) const {
    return blocks_[block].first >= function.first && blocks_[block].last <= function.last;
  }

  /// Open at once in the entry and in those that it calls. Of functions that may call themselves there is no such number.
  unsigned levels() const {
    std::vector<unsigned> of(code_.functions.size(), 0);
    for (std::size_t round = 0; round < of.size(); ++round)
      for (std::size_t index = 0; index < of.size(); ++index)
        for (BlockIndex block = 0; block < blocks_.size(); ++block) {
          if (!open_[block] || !is_in(block, code_.functions[index])) continue;
          unsigned called = 0;
          if (is_call(code_.code[blocks_[block].last]))
            for (const std::size_t callee : callees_of(code_, blocks_[block].last))
              called = std::max(called, of[callee]);
          of[index] = std::max(of[index], std::min(entries_behind(block) + called, MostEntries));
        }
    return of.front();
  }

  /// Branches without a push of their own, which may part while the other path of the entry is on its way; one in a cycle
  /// does so as often as there are lanes.
  unsigned parts_beside() const {
    unsigned count = 0;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!open_[block] || !parts_[block] || pushes(block)) continue;
      if (reached(block, blocks_[block].rpc)[block]) return AnyNumber;
      ++count;
    }
    return count;
  }

  /// With one path an entry each branch that lanes leave both ways needs one.
  unsigned parts_at_all() const {
    unsigned count = 0;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!parts_[block]) continue;
      if (reached(block, blocks_[block].rpc)[block]) return AnyNumber;
      ++count;
    }
    return count;
  }

  // ---- ways ----

  /// From where this is open to the block.
  Destination way(const Open& open, BlockIndex block) const {
    const isa::Pc to = blocks_[block].first;
    if (waits_for(open, to)) return {Destination::Kind::Pop, to, 0};
    if (const std::optional<RegionId> region = pushed_at(block, open)) return {Destination::Kind::Push, to, *region};
    return {Destination::Kind::Instruction, to, 0};
  }

  /// Where lanes go on that have popped what this push opened.
  Destination behind_pop(RegionId region) const {
    const Region& its = regions_[region];
    return way(*its.outside, block_at(blocks_, its.meet));
  }

  /// Where lanes go on for whose sides the branch at the end of this block has to push: at the pop of what is open.
  std::optional<Destination> resume_of(BlockIndex block) const {
    if (!open_[block] || !parts_[block]) return std::nullopt;
    const isa::Pc meet = blocks_[block].rpc;
    if (meet == isa::NoPc) return Destination{Destination::Kind::Instruction, blocks_[block].first, 0};
    return way(behind(block), block_at(blocks_, meet));
  }

  // ---- the code anew ----

  VirtualInstruction like(isa::Pc pc, isa::Kind kind, const char* name) const {
    VirtualInstruction made;
    made.body.kind = kind;
    made.body.unit = isa::Unit::Control;
    made.body.mnemonic = name;
    made.where = code_.code[pc].where;
    made.body.line = code_.code[pc].body.line;
    made.body.source_file = code_.code[pc].body.source_file;
    made.body.source_line = code_.code[pc].body.source_line;
    return made;
  }

  void put(VirtualInstruction instruction, std::optional<Destination> to = std::nullopt,
           std::optional<Destination> resume = std::nullopt) {
    made_.push_back(std::move(instruction));
    leads_.push_back(to);
    resumes_.push_back(resume);
  }
  void put_jump(isa::Pc to) {
    VirtualInstruction jump = like(to, isa::Kind::Branch, "bra");
    jump.body.branch = isa::BranchKind::Jump;
    put(jump, Destination{Destination::Kind::Instruction, to, 0});
  }
  void put_push(isa::Pc at, RegionId region) {
    VirtualInstruction push = like(at, isa::Kind::Convergence, "push");
    push.body.convergence = isa::ConvergenceOp::Push;
    put(push, behind_pop(region));
  }
  /// Those that come into a cycle here, beginning with this one.
  void put_pushes(BlockIndex block, RegionId region) {
    Open open = *regions_[region].outside;
    for (std::optional<RegionId> next = region; next; next = pushed_at(block, open)) {
      put_push(blocks_[block].first, *next);
      open.push_back(regions_[*next].meet);
    }
  }
  /// The only one at this meeting point. Lanes for which a branch has pushed by itself come here once more; where those of
  /// the program's push go on is written as its target.
  void put_pop(BlockIndex block) {
    VirtualInstruction pop = like(blocks_[block].first, isa::Kind::Branch, "pop");
    pop.body.branch = isa::BranchKind::Pop;
    put(pop, way(*popped_to_[block], block));
  }

  /// Whether control comes to the block from the instruction in front of it, or by the return of a call there.
  bool falls_into(BlockIndex block) const {
    if (block == 0 || blocks_[block - 1].successors.empty()) return false;
    const VirtualInstruction& last = code_.code[blocks_[block - 1].last];
    if (!last.ends_block()) return true;
    const bool is_call = last.body.kind == isa::Kind::Branch && last.body.branch == isa::BranchKind::Call;
    const bool is_peel = last.body.kind == isa::Kind::Branch && last.body.branch == isa::BranchKind::Peel;
    return last.is_guarded() || is_call || is_peel;
  }

  void rebuild() {
    find_ways();
    std::vector<isa::Pc> come, entry, itself;  // of each instruction: from the one in front; by a branch; it alone
    const auto here = [this] { return static_cast<isa::Pc>(made_.size()); };
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      const isa::BasicBlock& its = blocks_[block];
      for (isa::Pc pc = its.first; pc <= its.last; ++pc) {
        come.push_back(here());
        if (pc == its.first) put_ways_into(block);
        entry.push_back(here());
        if (pc == its.last && open_[block] && pushes(block)) put_push(pc, *own_[block]);
        itself.push_back(here());
        std::optional<Destination> to;
        const isa::Instruction& body = code_.code[pc].body;
        if (body.kind == isa::Kind::Branch && body.target != isa::NoPc && body.branch != isa::BranchKind::Call)
          to = open_[block] ? way(behind(block), block_at(blocks_, body.target))
                            : Destination{Destination::Kind::Instruction, body.target, 0};
        VirtualInstruction same = code_.code[pc];
        if (pc == its.last && is_jump(body) && its.successors.size() == 1 && same.is_guarded()) {
          same.guard = NoVirtual;  // to the next instruction: who takes it and who does not are together there
          same.body.guard = {};
        }
        put(same, to, pc == its.last ? resume_of(block) : std::nullopt);
      }
    }
    const auto place = [&](const Destination& to) {
      return to.kind == Destination::Kind::Instruction ? entry[to.pc] : detours_.at(to);
    };
    for (std::size_t pc = 0; pc < made_.size(); ++pc) {
      isa::Instruction& body = made_[pc].body;
      if (resumes_[pc]) body.rpc = place(*resumes_[pc]);
      if (leads_[pc])
        body.target = place(*leads_[pc]);
      else if (body.target != isa::NoPc)  // of a call: the start of a function
        body.target = come[body.target];
      if (made_[pc].code_address != isa::NoPc) made_[pc].code_address = come[made_[pc].code_address];
    }
    move_tables(come, entry, place);
    for (FunctionCode& function : code_.functions) {
      function.first = come[function.first];
      function.last = itself[function.last];
    }
    for (CallSite& call : code_.calls) {
      call.first = entry[call.first];
      call.branch = itself[call.branch];
    }
    std::map<isa::Pc, std::string> labels;
    for (const auto& [pc, label] : code_.labels) labels.emplace(entry[pc], label);
    code_.labels = std::move(labels);
    code_.code = std::move(made_);
  }

  /// All pops and pushes that branches lead to, by the block that they stand in front of.
  void find_ways() {
    std::vector<Destination> rest;
    const auto note = [&](const Destination& to) {
      if (to.kind == Destination::Kind::Instruction || detours_.count(to) != 0) return;
      detours_[to] = 0;
      rest.push_back(to);
    };
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!open_[block]) continue;
      const isa::Instruction& last = code_.code[blocks_[block].last].body;
      const bool branches = last.kind == isa::Kind::Branch && last.branch != isa::BranchKind::Call;
      for (const unsigned next : blocks_[block].successors) {
        const bool jumps = branches && (last.target == blocks_[next].first || last.branch == isa::BranchKind::Table);
        if (jumps) note(way(behind(block), next));
      }
    }
    for (RegionId region = 0; region < regions_.size(); ++region)
      if (regions_[region].outside) note(behind_pop(region));
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      if (const std::optional<Destination> resume = resume_of(block)) note(*resume);
    while (!rest.empty()) {
      const Destination to = rest.back();
      rest.pop_back();
      const BlockIndex block = block_at(blocks_, to.pc);
      note(to.kind == Destination::Kind::Pop ? way(*popped_to_[block], block) : behind_pop(to.region));
    }
  }

  /// In front of a block: what is on the way of who falls into it; then what branches lead to.
  void put_ways_into(BlockIndex block) {
    const isa::Pc first = blocks_[block].first;
    const bool begins = std::any_of(code_.functions.begin(), code_.functions.end(),
                                    [first](const FunctionCode& function) { return function.first == first; });
    const bool any =
        std::any_of(detours_.begin(), detours_.end(), [first](const auto& one) { return one.first.pc == first; });
    bool comes = open_[block] && (begins || (falls_into(block) && open_[block - 1]));
    if (comes) {
      const Destination to = way(begins ? Open() : behind(block - 1), block);
      if (to.kind == Destination::Kind::Push) put_pushes(block, to.region);
      if (to.kind == Destination::Kind::Pop) put_pop(block);
      comes = to.kind != Destination::Kind::Pop;
    }
    if (comes && any) put_jump(first);
    for (auto& [to, at] : detours_) {
      if (to.pc != first) continue;
      at = static_cast<isa::Pc>(made_.size());
      if (to.kind == Destination::Kind::Pop) {
        put_pop(block);
      } else {
        put_pushes(block, to.region);
        put_jump(first);
      }
    }
  }

  /// A table of targets is one branch's, or its branches come with the same open.
  template <class Place>
  void move_tables(const std::vector<isa::Pc>& come, const std::vector<isa::Pc>& entry, const Place& place) {
    std::map<std::pair<std::size_t, isa::Pc>, isa::Pc> leads;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      const isa::Instruction& last = code_.code[blocks_[block].last].body;
      if (last.kind != isa::Kind::Branch || last.branch != isa::BranchKind::Table || !open_[block]) continue;
      for (const isa::Pc target : code_.tables[last.table]) {
        if (target == isa::NoPc) continue;
        const isa::Pc to = place(way(behind(block), block_at(blocks_, target)));
        const auto [known, is_new] = leads.emplace(std::pair<std::size_t, isa::Pc>(last.table, target), to);
        if (!is_new && known->second != to) {
          refused_at_ = blocks_[block].last;  // a table of two branches
          refuse();
        }
      }
    }
    for (std::size_t index = 0; index < code_.tables.size(); ++index) {
      for (isa::Pc& target : code_.tables[index]) {
        if (target == isa::NoPc) continue;
        const auto found = leads.find({index, target});
        target = found != leads.end() ? found->second : index == 0 ? come[target] : entry[target];
      }
    }
  }

  VirtualCode& code_;
  const bool all_;
  isa::Pc refused_at_ = isa::NoPc;
  std::vector<isa::BasicBlock> blocks_;
  std::vector<Cycle> cycles_;
  Divergence divergence_;
  std::vector<Region> regions_;
  std::vector<std::vector<bool>> reaches_;      // from block, to block
  std::vector<bool> parts_;                     // by block: lanes may leave it both ways
  std::vector<std::optional<RegionId>> own_;    // by block: of the branch at its end
  std::vector<std::optional<Open>> open_;       // by block, at its first instruction; none: nothing comes there
  std::vector<unsigned> entries_;               // by block, there: that pushes have taken, at most
  std::vector<std::optional<Open>> popped_to_;  // by block at which pushes end: what is open then
  std::map<Destination, isa::Pc> detours_;      // pops and pushes that branches lead to, and where they are
  std::vector<VirtualInstruction> made_;
  std::vector<std::optional<Destination>> resumes_;  // ... where lanes go on for which it pushes
  std::vector<std::optional<Destination>> leads_;    // by instruction that was made: where its target is
};

}  // namespace

void insert_pushes_and_pops(VirtualCode& code, unsigned lanes) {
  // Where lanes take a branch together, and one way passes a push that the other one does not, that branch pushes too.
  for (const bool all : {false, true}) {
    Placement placement(code, all);
    if (placement.find()) return placement.insert(lanes);
    if (all) placement.refuse();
  }
}

}  // namespace heddle::compiler
