// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/reconvergence_candidates.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "sim/compiler/analysis/calls.h"
#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/analysis/natural_loops.h"

namespace heddle::compiler {
namespace {

using Blocks = std::vector<bool>;
using BlockList = std::vector<BlockIndex>;

bool share(const Blocks& a, const Blocks& b) {
  for (std::size_t block = 0; block < a.size(); ++block)
    if (a[block] && b[block]) return true;
  return false;
}

/// A barrier, a warp-wide operation; an atomic or a volatile load whose value may say that another lane has come by.
bool synchronises(const VirtualInstruction& instruction) {
  const isa::Instruction& body = instruction.body;
  return body.kind == isa::Kind::Barrier || body.kind == isa::Kind::WarpWide ||
         (body.kind == isa::Kind::Atomic && instruction.destination != NoVirtual) ||
         (body.kind == isa::Kind::Load && body.is_volatile);
}

class Search {
 public:
  Search(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
         const std::map<unsigned, std::uint64_t>* threads, const Latencies& latencies)
      : code_(code),
        blocks_(blocks),
        threads_(threads),
        latencies_(latencies),
        dominators_(code, blocks),
        loops_(natural_loops(blocks, dominators_)),
        divergence_(analyse_divergence(code, blocks)),
        predecessors_(predecessors_of(blocks)),
        depth_(blocks.size(), 0),
        functions_(code.functions.size()) {
    for (const NaturalLoop& loop : loops_)
      for (BlockIndex block = 0; block < blocks.size(); ++block) depth_[block] += loop.inside[block] ? 1 : 0;
  }

  std::vector<Candidate> run() {
    for (const NaturalLoop& loop : loops_) {
      for (BlockIndex block = 0; block < blocks_.size(); ++block)
        if (is_directly_in(block, loop)) find_delays(loop, block);
      for (const NaturalLoop& inner : loops_)
        if (is_directly_in(inner, loop)) find_merge(loop, inner);
    }
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.point < b.point; });
    choose();
    return std::move(candidates_);
  }

 private:
  // ---- the shape of the code ----

  /// No loop inside `loop` has the block.
  bool is_directly_in(BlockIndex block, const NaturalLoop& loop) const {
    return loop.inside[block] && std::none_of(loops_.begin(), loops_.end(), [&](const NaturalLoop& other) {
             return other.head != loop.head && loop.inside[other.head] && other.inside[block];
           });
  }

  bool is_directly_in(const NaturalLoop& inner, const NaturalLoop& outer) const {
    return inner.head != outer.head && outer.inside[inner.head] && depth_[inner.head] == depth_[outer.head] + 1;
  }

  bool parts(BlockIndex block) const {
    const isa::Instruction& last = code_.code[blocks_[block].last].body;
    return last.kind == isa::Kind::Branch && last.branch == isa::BranchKind::Jump &&
           blocks_[block].successors.size() > 1 && divergence_.is_divergent(blocks_[block].last);
  }

  // ---- candidates ----

  /// What of the loop only lanes come to that took this side of the branch: empty if others come there as well, or if
  /// all come back to the head this way.
  Blocks side_of(const NaturalLoop& loop, BlockIndex branch, BlockIndex side) const {
    Blocks found(blocks_.size(), false);
    if (!loop.inside[side] || predecessors_[side] != BlockList{branch}) return found;
    for (const BlockIndex from : predecessors_[loop.head])
      if (loop.inside[from] && dominators_.dominates(side, from)) return found;
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      found[block] = loop.inside[block] && dominators_.dominates(side, block);
    return found;
  }

  void find_delays(const NaturalLoop& loop, BlockIndex branch) {
    if (!parts(branch)) return;
    Blocks sides(blocks_.size(), false);  // which lanes run apart now as well
    for (const unsigned next : blocks_[branch].successors) {
      const Blocks side = side_of(loop, branch, next);
      for (std::size_t block = 0; block < side.size(); ++block) sides[block] = sides[block] || side[block];
    }
    for (const unsigned next : blocks_[branch].successors) {
      const Blocks common = side_of(loop, branch, next);
      if (common[next]) add(Candidate::Kind::IterationDelay, loop, next, common, sides);
    }
  }

  /// An exit of the inner loop stays in the outer one and not all lanes take it at once.
  bool parts_from(BlockIndex block, const NaturalLoop& inner, const NaturalLoop& outer) const {
    const auto& next = blocks_[block].successors;
    return inner.inside[block] && parts(block) &&
           std::any_of(next.begin(), next.end(), [&](unsigned to) { return !inner.inside[to] && outer.inside[to]; });
  }

  void find_merge(const NaturalLoop& outer, const NaturalLoop& inner) {
    bool found = false;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) found = found || parts_from(block, inner, outer);
    if (!found) return;
    // Where the head asks whether there is another iteration, the body begins behind it.
    BlockIndex body = inner.head;
    if (parts_from(inner.head, inner, outer))
      for (const unsigned next : blocks_[inner.head].successors)
        if (inner.inside[next]) body = next;
    add(Candidate::Kind::LoopMerge, outer, body, inner.inside, inner.inside);
  }

  /// \param apart  what lanes do not run together now, and so loses nothing
  void add(Candidate::Kind kind, const NaturalLoop& outer, BlockIndex point, const Blocks& common,
           const Blocks& apart) {
    Candidate candidate;
    candidate.kind = kind;
    candidate.outer = candidate.before = outer.head;
    candidate.point = point;
    candidate.region = outer.inside;
    BlockList outside;
    for (const BlockIndex from : predecessors_[outer.head])
      if (!outer.inside[from]) outside.push_back(from);
    if (outside.size() == 1) candidate.before = outside.front();
    CandidateMetrics& metrics = candidate.metrics;
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (!outer.inside[block]) continue;
      const double times = times_of(block, outer.head);
      if (common[block])
        metrics.common_cycles += times * cycles_of(block);
      else if (!apart[block]) {
        metrics.outside_cycles += times * cycles_of(block);
        metrics.access_cycles += times * latencies_.of(isa::Unit::LoadStore) * convergent_accesses(block);
      }
      metrics.synchronises = metrics.synchronises || waits(block);
    }
    candidates_.push_back(std::move(candidate));
  }

  // ---- metrics ----

  /// How often the block runs for each time that the one in front of all its loops does.
  double times_of(BlockIndex block, BlockIndex front) const {
    if (threads_ != nullptr) return threads_of(front) == 0 ? 0 : threads_of(block) / threads_of(front);
    double times = 1;
    for (unsigned loop = depth_[front]; loop < depth_[block]; ++loop) times *= TripGuess;
    return times;
  }

  double threads_of(BlockIndex block) const {
    std::uint64_t most = 0;
    for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc)
      if (const auto found = threads_->find(code_.code[pc].where.line); found != threads_->end())
        most = std::max(most, found->second);
    return static_cast<double>(most);
  }

  double cycles_of(BlockIndex block) {
    double cycles = 0;
    for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      if (instruction.mark != Mark::None) continue;
      cycles += latencies_.of(instruction.body.unit);
      if (is_call(instruction) && instruction.callee >= 0)
        cycles += function(static_cast<std::size_t>(instruction.callee)).cycles;
    }
    return cycles;
  }

  double convergent_accesses(BlockIndex block) const {
    double count = 0;
    for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc) {
      const isa::Space space = code_.code[pc].body.space;
      const LaneValue::Kind kind = divergence_.addresses[pc].kind;
      const bool is_shared = space != isa::Space::None && space != isa::Space::Local;  // local words are interleaved
      if (is_shared && (kind == LaneValue::Kind::Uniform || kind == LaneValue::Kind::Affine)) ++count;
    }
    return count;
  }

  bool waits(BlockIndex block) {
    for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      if (synchronises(instruction)) return true;
      if (!is_call(instruction)) continue;
      for (const std::size_t callee : callees_of(code_, pc))
        if (function(callee).synchronises) return true;
    }
    return false;
  }

  struct Function {
    bool is_known = false, synchronises = false;
    double cycles = 0;
  };

  /// The function with all that it calls. One that calls itself is counted once.
  const Function& function(std::size_t index) {
    Function& result = functions_[index];
    if (result.is_known) return result;
    result.is_known = true;
    double cycles = 0;
    bool found = code_.functions[index].is_recursive;  // no barrier is live across its calls
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      if (function_at(code_, blocks_[block].first) != index) continue;
      cycles += times_of(block, block_at(blocks_, code_.functions[index].first)) * cycles_of(block);
      found = found || waits(block);
    }
    result.cycles = cycles;
    result.synchronises = found;
    return result;
  }

  // ---- verdicts ----

  Blocks reached(BlockList rest, bool backwards) const {
    Blocks found(blocks_.size(), false);
    while (!rest.empty()) {
      const BlockIndex block = rest.back();
      rest.pop_back();
      if (found[block]) continue;
      found[block] = true;
      if (backwards)
        rest.insert(rest.end(), predecessors_[block].begin(), predecessors_[block].end());
      else
        rest.insert(rest.end(), blocks_[block].successors.begin(), blocks_[block].successors.end());
    }
    return found;
  }

  /// Ways from a prediction's start to its points.
  Blocks region_of(std::size_t prediction) const {
    const int function = code_.predictions[prediction].function;
    BlockList starts, points;
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const VirtualInstruction& instruction = code_.code[pc];
      if (function >= 0 && instruction.callee == function) points.push_back(block_at(blocks_, pc));
      if (instruction.mark == Mark::None || instruction.prediction != static_cast<int>(prediction)) continue;
      (instruction.mark == Mark::Predict ? starts : points).push_back(block_at(blocks_, pc));
    }
    const Blocks from = reached(starts, false), to = reached(points, true);
    Blocks both(blocks_.size(), false);
    for (std::size_t block = 0; block < both.size(); ++block) both[block] = from[block] && to[block];
    return both;
  }

  std::string objection(const Candidate& candidate) const {
    const CandidateMetrics& metrics = candidate.metrics;
    if (code_.functions[function_at(code_, blocks_[candidate.outer].first)].is_recursive)
      return "its function may call itself";
    if (metrics.synchronises)
      return "lanes may wait for others in the loop: a barrier, a warp-wide operation, an atomic or volatile load";
    if (candidate.before == candidate.outer) return "the loop is not entered from one place";
    if (is_call(code_.code[blocks_[candidate.before].last])) return "the loop is entered where a call comes back";
    for (std::size_t index = 0; index < code_.predictions.size(); ++index)
      if (share(candidate.region, region_of(index)))
        return "the program's prediction " + code_.predictions[index].label + " has code of the loop";
    if (metrics.gain() <= 0)
      return fmt::format("{:.0f} cycles in common cost {:.0f} around them and {:.0f} in accesses",
                         metrics.common_cycles, metrics.outside_cycles, metrics.access_cycles);
    return "";
  }

  void choose() {
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return candidates_[a].metrics.gain() > candidates_[b].metrics.gain();
    });
    for (const std::size_t index : order) {
      Candidate& candidate = candidates_[index];
      candidate.reason = objection(candidate);
      if (!candidate.reason.empty()) continue;
      const auto larger = std::find_if(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
        return other.chosen && share(other.region, candidate.region);
      });
      if (larger != candidates_.end()) {
        candidate.reason = "lanes that meet at " + blocks_[larger->point].name + " gain more";
        continue;
      }
      candidate.chosen = true;
      candidate.reason = fmt::format("{:.0f} cycles in common, {:.0f} around them and {:.0f} in accesses",
                                     candidate.metrics.common_cycles, candidate.metrics.outside_cycles,
                                     candidate.metrics.access_cycles);
    }
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const std::map<unsigned, std::uint64_t>* threads_;
  const Latencies latencies_;
  const Dominators dominators_;
  const std::vector<NaturalLoop> loops_;
  const Divergence divergence_;
  const std::vector<BlockList> predecessors_;
  std::vector<unsigned> depth_;  // loops around a block
  std::vector<Function> functions_;
  std::vector<Candidate> candidates_;
};

}  // namespace

unsigned Latencies::of(isa::Unit unit) const {
  switch (unit) {
    case isa::Unit::Alu:
      return alu;
    case isa::Unit::Multiplier:
      return multiplier;
    case isa::Unit::Special:
      return special;
    case isa::Unit::LoadStore:
      return load_store;
    case isa::Unit::Control:
      return control;
  }
  return alu;
}

std::string to_string(Candidate::Kind kind) {
  return kind == Candidate::Kind::IterationDelay ? "iteration delay" : "loop merge";
}

std::vector<Candidate> reconvergence_candidates(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                                const std::map<unsigned, std::uint64_t>* threads,
                                                const Latencies& latencies) {
  return Search(code, blocks, threads, latencies).run();
}

}  // namespace heddle::compiler
