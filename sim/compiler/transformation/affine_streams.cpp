// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/affine_streams.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "sim/compiler/analysis/affine_slice.h"
#include "sim/compiler/analysis/control_dependence.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/transformation/needless_jumps.h"
#include "sim/compiler/transformation/unread_values.h"

namespace heddle::compiler {
namespace {

using isa::Kind;
using isa::OutcomeFrom;
using isa::QueueOp;
using isa::Source;

QueueOp queue_of(Decoupled how) {
  switch (how) {
    case Decoupled::Data:
      return QueueOp::Data;
    case Decoupled::Address:
      return QueueOp::Address;
    case Decoupled::Predicate:
      return QueueOp::Predicate;
    case Decoupled::No:
    case Decoupled::Tuple:
      break;
  }
  return QueueOp::None;
}

/// The comparison of "setp.lt.s32": what it compares, and whether as signed.
isa::Comparison comparison_of(const std::string& spelling) {
  const std::string name = spelling.substr(5, 2);
  const bool is_signed = spelling.find(".s32") != std::string::npos;
  static constexpr std::array<std::pair<const char*, isa::Comparison>, 10> Names{{{"eq", isa::Comparison::Eq},
                                                                                  {"ne", isa::Comparison::Ne},
                                                                                  {"lt", isa::Comparison::Lt},
                                                                                  {"le", isa::Comparison::Le},
                                                                                  {"gt", isa::Comparison::Gt},
                                                                                  {"ge", isa::Comparison::Ge},
                                                                                  {"lo", isa::Comparison::Lo},
                                                                                  {"ls", isa::Comparison::Ls},
                                                                                  {"hi", isa::Comparison::Hi},
                                                                                  {"hs", isa::Comparison::Hs}}};
  for (std::size_t index = 0; index < Names.size(); ++index) {
    if (name != Names[index].first) continue;
    const bool is_ordered = index >= 2 && index < 6;
    return is_ordered && !is_signed ? Names[index + 4].second : Names[index].second;
  }
  throw std::logic_error("no comparison of tuples: " + spelling);
}

/// The record that is dequeued.
Source dequeued(bool same_for_all) {
  Source source;
  source.kind = Source::Kind::Queue;
  source.value = same_for_all ? 1 : 0;
  return source;
}

// ---- the warps' stream ----

void make_dequeue(VirtualInstruction& instruction, const Decoupling& how) {
  isa::Instruction& body = instruction.body;
  body.queue = queue_of(how.how);
  if (how.how == Decoupled::Predicate) {
    instruction.guard = NoVirtual;
    body.guard = dequeued(how.kind == AffineKind::Scalar);
  } else {
    instruction.sources[0] = NoVirtual;
    body.sources[0] = dequeued(false);
    body.offset = 0;
  }
}

VirtualCode warps_stream(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                         const KernelDecoupling& decoupling) {
  VirtualCode warps = code;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    warps.code[pc].origin = pc;
    const Decoupling& how = decoupling.instructions[pc];
    if (!decoupling.kept[pc] || how.how == Decoupled::Tuple) continue;
    VirtualInstruction& instruction = warps.code[pc];
    if (how.how != Decoupled::No) make_dequeue(instruction, how);
    if (instruction.body.kind != Kind::Branch) continue;
    const OutcomeFrom from = outcome_of(how);
    if (from == OutcomeFrom::Warps) instruction.body.outcome = from;
    if (from == OutcomeFrom::Itself) continue;
    const isa::Pc rpc = blocks[block_at(blocks, pc)].rpc;
    const BlockIndex meeting = rpc == isa::NoPc ? VirtualExit : block_at(blocks, rpc);
    for (const BlockIndex side : blocks[block_at(blocks, pc)].successors) {
      const std::vector<bool> region = blocks_before(blocks, side, meeting);
      for (BlockIndex block = 0; block < blocks.size(); ++block)
        for (isa::Pc inside = blocks[block].first; region[block] && inside <= blocks[block].last; ++inside)
          warps.code[inside].body.one_path = true;
    }
  }
  drop_unread_values(warps);
  return warps;
}

// ---- the affine stream ----

class AffineStreamMaker {
 public:
  AffineStreamMaker(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                    const KernelDecoupling& decoupling)
      : code_(code), blocks_(blocks), decoupling_(decoupling), next_(post_dominators(code, blocks)) {
    stream_.registers = code.registers;
    for (VirtualRegister& one : stream_.registers)
      if (one.width == Class::Wide) one.width = Class::Narrow;
    stream_.functions.push_back({code.functions.front().name, 0, 0, false, false, 0});
  }

  VirtualCode run() {
    find_reached();
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      if (reached_[block]) add_block(block);
    for (VirtualInstruction& instruction : stream_.code) {
      isa::Instruction& body = instruction.body;
      if (body.target != isa::NoPc) body.target = place_[body.target];
      if (body.rpc != isa::NoPc) body.rpc = place_[body.rpc];
    }
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      if (const auto label = code_.labels.find(blocks_[block].first); reached_[block] && label != code_.labels.end())
        stream_.labels.emplace(place_[block], label->second);
    stream_.functions.front().last = static_cast<isa::Pc>(stream_.code.size() - 1);
    drop_needless_jumps(stream_);
    add_turns();
    return std::move(stream_);
  }

 private:
  bool is_kept(isa::Pc pc) const { return decoupling_.kept[pc]; }

  /// Where control goes behind a block; two for a branch that the stream has, none behind an exit.
  std::vector<BlockIndex> successors_of_block(BlockIndex block) const {
    const isa::Pc last = blocks_[block].last;
    const VirtualInstruction& end = code_.code[last];
    if (end.body.kind == Kind::Exit) return {};
    if (blocks_[block].successors.size() == 1) return {blocks_[block].successors.front()};
    if (is_kept(last)) return {block_at(blocks_, end.body.target), block_at(blocks_, last + 1)};
    if (next_[block] == VirtualExit) throw std::logic_error("a branch that decides about an exit was left out");
    return {next_[block]};
  }

  void find_reached() {
    reached_.assign(blocks_.size(), false);
    place_.assign(blocks_.size(), 0);
    std::vector<BlockIndex> pending{0};
    while (!pending.empty()) {
      const BlockIndex block = pending.back();
      pending.pop_back();
      if (reached_[block]) continue;
      reached_[block] = true;
      for (const BlockIndex next : successors_of_block(block)) pending.push_back(next);
    }
  }

  void add_block(BlockIndex block) {
    place_[block] = static_cast<isa::Pc>(stream_.code.size());
    for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc)
      if (is_kept(pc)) add(pc, block);
    const std::vector<BlockIndex> next = successors_of_block(block);
    if (!next.empty()) jump(next.back(), blocks_[block].last);
  }

  void add(isa::Pc pc, BlockIndex block) {
    const Decoupling& how = decoupling_.instructions[pc];
    if (how.how == Decoupled::Data || how.how == Decoupled::Address) {
      add_enqueue(pc, how.how == Decoupled::Data ? "enq.data" : "enq.addr");
      return;
    }
    if (code_.code[pc].body.kind == Kind::Branch) {
      if (blocks_[block].successors.size() > 1) add_branch(pc, block);
      return;
    }
    VirtualInstruction instruction = code_.code[pc];
    instruction.origin = pc;
    if (instruction.body.op == isa::Op::Compare) instruction.body.comparison = comparison_of(instruction.body.mnemonic);
    stream_.code.push_back(instruction);
  }

  VirtualInstruction& add_new(isa::Pc origin, Kind kind, const char* mnemonic) {
    const VirtualInstruction& of = code_.code[origin];
    VirtualInstruction instruction;
    instruction.body.kind = kind;
    instruction.body.unit = isa::Unit::Control;
    instruction.body.mnemonic = mnemonic;
    instruction.body.line = of.body.line;
    instruction.body.source_file = of.body.source_file;
    instruction.body.source_line = of.body.source_line;
    instruction.where = of.where;
    instruction.origin = origin;
    stream_.code.push_back(instruction);
    return stream_.code.back();
  }

  void add_enqueue(isa::Pc pc, const char* mnemonic) {
    const VirtualInstruction& of = code_.code[pc];
    VirtualInstruction& enqueue = add_new(pc, Kind::Enqueue, mnemonic);
    enqueue.body.queue = queue_of(decoupling_.instructions[pc].how);
    if (of.body.kind == Kind::Branch) {
      enqueue.sources[0] = of.guard;
      enqueue.body.sources[0] = of.body.guard;
      return;
    }
    enqueue.body.bytes = of.body.bytes;
    enqueue.body.offset = of.body.offset;
    enqueue.body.space = of.body.space;
    enqueue.sources[0] = of.sources[0];
    enqueue.body.sources[0] = of.body.sources[0];
  }

  void add_branch(isa::Pc pc, BlockIndex block) {
    const OutcomeFrom from = outcome_of(decoupling_.instructions[pc]);
    if (from != OutcomeFrom::Warps) add_enqueue(pc, "enq.pred");
    const VirtualInstruction& of = code_.code[pc];
    VirtualInstruction& branch = add_new(pc, Kind::Branch, "bra");
    branch.body.outcome = from;
    if (from == OutcomeFrom::Warps) {
      branch.body.guard = dequeued(false);
    } else {
      branch.guard = of.guard;
      branch.body.guard = of.body.guard;
    }
    branch.body.target = block_at(blocks_, of.body.target);
    const isa::Pc rpc = blocks_[block].rpc;
    if (rpc != isa::NoPc && reached_[block_at(blocks_, rpc)]) branch.body.rpc = block_at(blocks_, rpc);
  }

  void jump(BlockIndex to, isa::Pc origin) { add_new(origin, Kind::Branch, "bra").body.target = to; }

  /// The side that takes a branch runs first, then the other one, then what is behind their meeting point, with the same
  /// registers: also when a side ends in an exit, behind which others go on.
  void add_turns() {
    const std::vector<isa::BasicBlock> blocks = find_blocks(stream_);
    for (isa::Pc pc = 0; pc < stream_.code.size(); ++pc) {
      const isa::Instruction& body = stream_.code[pc].body;
      if (body.kind != Kind::Branch || body.outcome == OutcomeFrom::None || body.outcome == OutcomeFrom::Itself)
        continue;
      const BlockIndex meeting = body.rpc == isa::NoPc ? VirtualExit : block_at(blocks, body.rpc),
                       other = block_at(blocks, pc + 1);
      add_turns_from(blocks, block_at(blocks, body.target), meeting, other);
      add_turns_from(blocks, other, meeting, meeting);
    }
  }

  void add_turns_from(const std::vector<isa::BasicBlock>& blocks, BlockIndex first, BlockIndex meeting,
                      BlockIndex next) {
    if (next == VirtualExit) return;
    const std::vector<bool> side = blocks_before(blocks, first, meeting);
    for (BlockIndex block = 0; block < blocks.size(); ++block) {
      const auto& successors = blocks[block].successors;
      if (side[block] && (successors.empty() || std::count(successors.begin(), successors.end(), meeting) != 0))
        stream_.turns.emplace_back(blocks[block].last, blocks[next].first);
    }
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const KernelDecoupling& decoupling_;
  const std::vector<BlockIndex> next_;
  std::vector<bool> reached_;   // by block
  std::vector<isa::Pc> place_;  // by block: of its first instruction in the stream
  VirtualCode stream_;
};

// ---- conditions ----

/// Pointers of which what is decoupled is computed.
std::vector<isa::LaunchCondition> conditions_of(const VirtualCode& affine) {
  std::vector<isa::LaunchCondition> conditions;
  const auto aligned = std::find_if(affine.code.begin(), affine.code.end(), [](const VirtualInstruction& one) {
    return one.body.kind == Kind::Enqueue && one.body.bytes > 1;
  });
  if (aligned == affine.code.end()) return conditions;
  const std::uint32_t line = aligned->body.line;
  for (const VirtualInstruction& instruction : affine.code) {
    for (const Source& source : instruction.body.sources) {
      if (source.kind != Source::Kind::Parameter || source.bytes != sizeof(std::uint64_t)) continue;
      const auto known = std::find_if(conditions.begin(), conditions.end(),
                                      [&](const isa::LaunchCondition& one) { return one.offset == source.index; });
      if (known != conditions.end()) continue;
      conditions.push_back({source.index, source.bytes, MostAligned, line});
    }
  }
  return conditions;
}

}  // namespace

AffineStreams split_streams(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                            const KernelDecoupling& decoupling) {
  AffineStreams streams;
  streams.affine = AffineStreamMaker(code, blocks, decoupling).run();
  streams.warps = warps_stream(code, blocks, decoupling);
  streams.conditions = conditions_of(streams.affine);
  return streams;
}

}  // namespace heddle::compiler
