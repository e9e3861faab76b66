#include "sim/compiler/analysis/divergence.h"

#include <fmt/format.h>

#include "sim/compiler/analysis/out_of_turn.h"

namespace heddle::compiler {
namespace {

using Kind = LaneValue::Kind;
using isa::Source;
using isa::SpecialRegister;

LaneValue uniform() {
  return {Kind::Uniform, false, {}};
}
LaneValue varying() {
  return {Kind::Varying, false, {}};
}
/// Affine with uniform strides that are not known.
LaneValue affine() {
  return {Kind::Affine, false, {}};
}
LaneValue affine(const std::array<std::int64_t, 3>& strides) {
  if (strides == std::array<std::int64_t, 3>{}) return uniform();
  return {Kind::Affine, true, strides};
}

/// One of the two, the same for all lanes.
LaneValue either(const LaneValue& a, const LaneValue& b) {
  if (a.kind == Kind::Unknown || a == b) return b;
  if (b.kind == Kind::Unknown) return a;
  return a.kind == Kind::Varying || b.kind == Kind::Varying ? varying() : affine();
}

// ---- Arithmetic ----

std::int64_t wrapped(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

LaneValue scaled(const LaneValue& value, std::int64_t factor) {
  if (value.kind != Kind::Affine || !value.constant_strides) return value;
  std::array<std::int64_t, 3> strides;
  for (unsigned axis = 0; axis < 3; ++axis)
    strides[axis] = wrapped(static_cast<std::uint64_t>(value.strides[axis]) * static_cast<std::uint64_t>(factor));
  return affine(strides);
}

LaneValue sum(const LaneValue& a, const LaneValue& b) {
  if (a.kind == Kind::Unknown || b.kind == Kind::Unknown) return {};
  if (a.kind == Kind::Varying || b.kind == Kind::Varying) return varying();
  if (a.kind == Kind::Uniform) return b;
  if (b.kind == Kind::Uniform) return a;
  if (!a.constant_strides || !b.constant_strides) return affine();
  std::array<std::int64_t, 3> strides;
  for (unsigned axis = 0; axis < 3; ++axis)
    strides[axis] = wrapped(static_cast<std::uint64_t>(a.strides[axis]) + static_cast<std::uint64_t>(b.strides[axis]));
  return affine(strides);
}

/// A source of an instruction: what lanes find there, and its value if that is a constant.
struct Input {
  LaneValue value;
  const std::uint64_t* constant = nullptr;
};

LaneValue product(const Input& a, const Input& b) {
  if (a.value.kind == Kind::Unknown || b.value.kind == Kind::Unknown) return {};
  if (b.value.kind != Kind::Uniform) return a.value.kind == Kind::Uniform ? product(b, a) : varying();
  if (a.value.kind != Kind::Affine) return a.value;
  return b.constant != nullptr ? scaled(a.value, wrapped(*b.constant)) : affine();
}

LaneValue shifted(const Input& a, const Input& distance) {
  if (a.value.kind != Kind::Affine || distance.value.kind != Kind::Uniform) {
    return a.value.kind == Kind::Uniform ? distance.value.is_uniform() ? uniform() : varying() : varying();
  }
  if (distance.constant == nullptr) return affine();
  return *distance.constant < 64 ? scaled(a.value, wrapped(std::uint64_t{1} << *distance.constant)) : uniform();
}

LaneValue of_special(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::TidX:
      return affine({1, 0, 0});
    case SpecialRegister::TidY:
      return affine({0, 1, 0});
    case SpecialRegister::TidZ:
      return affine({0, 0, 1});
    case SpecialRegister::NtidX:
    case SpecialRegister::NtidY:
    case SpecialRegister::NtidZ:
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
    case SpecialRegister::NctaidX:
    case SpecialRegister::NctaidY:
    case SpecialRegister::NctaidZ:
    case SpecialRegister::Warpid:
    case SpecialRegister::Nwarpid:
    case SpecialRegister::Smid:
    case SpecialRegister::Nsmid:
    case SpecialRegister::DynamicSharedBytes:
    case SpecialRegister::SharedBytes:
    case SpecialRegister::Gridid:
      return uniform();
    default:
      return varying();
  }
}

// ---- The data flow ----

/// What lanes find in every virtual register, and, last, in the carry.
using State = std::vector<LaneValue>;

class Analysis {
 public:
  Analysis(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks)
      : code_(code),
        blocks_(blocks),
        carry_(code.registers.size()),
        in_(blocks.size()),
        forced_(blocks.size()),
        calls_(code),
        out_of_turn_(registers_out_of_turn(code, calls_)),
        block_of_(code.code.size()),
        spread_(blocks.size(), false) {
    for (std::size_t index = 0; index < blocks.size(); ++index)
      for (isa::Pc pc = blocks[index].first; pc <= blocks[index].last; ++pc) block_of_[pc] = index;
    divergence_.results.resize(code.code.size());
    divergence_.addresses.resize(code.code.size());
    divergence_.divergent_guards.assign(code.code.size(), false);
  }

  Divergence run() {
    if (!blocks_.empty()) {
      in_[0].assign(carry_ + 1, uniform());  // registers start as zeros
      pending_.assign(blocks_.size(), false);
      pending_[0] = true;
    }
    // Values only grow, and so do the sets that divergent branches force to vary.
    do settle();
    while (spread_divergence());
    return std::move(divergence_);
  }

 private:
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
      const bool is_forced = !forced_[index].empty() && forced_[index][id];
      const LaneValue merged = is_forced ? varying() : either(into[id], from[id]);
      changed = changed || merged != into[id];
      into[id] = merged;
    }
    if (changed) pending_[index] = true;
  }

  // ---- Instructions ----

  void step(isa::Pc pc, State& state) {
    if (const auto here = out_of_turn_.find(pc); here != out_of_turn_.end())
      for (std::size_t id = 0; id < state.size(); ++id)
        if (here->second[id]) state[id] = varying();
    const VirtualInstruction& instruction = code_.code[pc];
    const isa::Instruction& body = instruction.body;
    LaneValue guard = uniform();
    if (instruction.is_guarded()) guard = state[static_cast<std::size_t>(instruction.guard)];
    divergence_.divergent_guards[pc] = !guard.is_uniform();
    if (body.kind == isa::Kind::Branch && body.branch == isa::BranchKind::Peel)
      divergence_.divergent_guards[pc] = !input(instruction, 0, state).value.is_uniform();
    if (body.kind == isa::Kind::Load || body.kind == isa::Kind::Store || body.kind == isa::Kind::Atomic)
      divergence_.addresses[pc] = input(instruction, 0, state).value;
    const std::size_t destination = destination_of(code_, instruction);
    if (destination > carry_) return;
    LaneValue result = result_of(instruction, state);
    if (!guard.is_uniform()) {
      result = varying();
    } else if (instruction.is_guarded()) {
      result = either(result, state[destination]);
    }
    // A predicate is no number.
    if (body.destination.is_predicate() || (destination < carry_ && is_predicate(destination)))
      if (!result.is_uniform()) result = varying();
    divergence_.results[pc] = result;
    state[destination] = result;
  }

  bool is_predicate(std::size_t id) const { return code_.registers[id].width == Class::Predicate; }

  LaneValue result_of(const VirtualInstruction& instruction, const State& state) const {
    const isa::Instruction& body = instruction.body;
    std::array<Input, 3> in;
    bool all_uniform = true;
    for (unsigned index = 0; index < 3; ++index) {
      in[index] = input(instruction, index, state);
      all_uniform = all_uniform && in[index].value.is_uniform();
    }
    switch (body.kind) {
      case isa::Kind::Load:
        return all_uniform && !body.is_volatile && body.space != isa::Space::Local && body.space != isa::Space::Generic
                   ? uniform()
                   : varying();
      case isa::Kind::Compute:
        break;
      case isa::Kind::WarpWide:
        return is_one_value(body, in) ? uniform() : varying();
      case isa::Kind::Barrier:
        return uniform();  // of a reduction
      default:
        return varying();
    }
    if (all_uniform) return uniform();
    switch (body.op) {
      case isa::Op::Other:
        break;
      case isa::Op::Copy:
        return in[0].value;
      case isa::Op::Add:
        return sum(in[0].value, in[1].value);
      case isa::Op::Subtract:
        return sum(in[0].value, scaled(in[1].value, -1));
      case isa::Op::Negate:
        return scaled(in[0].value, -1);
      case isa::Op::Multiply:
        return product(in[0], in[1]);
      case isa::Op::MultiplyAdd:
        return sum(product(in[0], in[1]), in[2].value);
      case isa::Op::ShiftLeft:
        return shifted(in[0], in[1]);
    }
    return varying();
  }

  /// Do lanes that execute a warp-wide operation together get the same? Lanes with one mask are one group, and most
  /// operations have one result a group.
  static bool is_one_value(const isa::Instruction& body, const std::array<Input, 3>& in) {
    const bool same_operand = in[0].value.is_uniform(), one_group = !body.meets || in[2].value.is_uniform();
    switch (body.warp_op) {
      case isa::WarpOp::ShuffleUp:
      case isa::WarpOp::ShuffleDown:
      case isa::WarpOp::ShuffleButterfly:
      case isa::WarpOp::ShuffleIndex:
        return same_operand;
      case isa::WarpOp::MatchAny:
        return same_operand && one_group;
      default:
        return one_group;
    }
  }

  Input input(const VirtualInstruction& instruction, unsigned index, const State& state) const {
    const Source& source = instruction.body.sources[index];
    switch (source.kind) {
      case Source::Kind::None:
      case Source::Kind::Parameter:
        return {uniform()};
      case Source::Kind::Immediate:
        return {uniform(), &source.value};
      case Source::Kind::Special:
        return {of_special(static_cast<SpecialRegister>(source.index))};
      case Source::Kind::Register:
      case Source::Kind::Predicate:
        break;
    }
    if (instruction.sources[index] == NoVirtual) return {state[carry_]};
    return {state[static_cast<std::size_t>(instruction.sources[index])]};
  }

  // ---- Control ----

  /// For branches that turned out to diverge: what was written on the ways to where lanes meet. False if there is
  /// nothing new.
  bool spread_divergence() {
    bool any = false;
    for (std::size_t index = 0; index < blocks_.size(); ++index) {
      const isa::Pc last = blocks_[index].last;
      if (spread_[index] || in_[index].empty() || !divergence_.divergent_guards[last] ||
          code_.code[last].body.kind != isa::Kind::Branch)
        continue;
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
        force(block, written_before(block, on_the_way));
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

  void force(std::size_t block, const Registers& written) {
    Registers& forced = forced_[block];
    if (forced.empty()) forced.assign(carry_ + 1, false);
    for (std::size_t id = 0; id < written.size(); ++id) {
      if (!written[id] || forced[id]) continue;
      forced[id] = true;
      if (in_[block].empty()) continue;
      in_[block][id] = varying();
      pending_[block] = true;
    }
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const std::size_t carry_;  // its place in a state
  std::vector<State> in_;    // before each block; empty: not reached yet
  std::vector<Registers> forced_;
  const WrittenByCalls calls_;
  const std::map<isa::Pc, Registers> out_of_turn_;
  std::vector<std::size_t> block_of_;  // a PC
  std::vector<bool> spread_, pending_;
  Divergence divergence_;
};

}  // namespace

std::string to_string(const LaneValue& value) {
  switch (value.kind) {
    case Kind::Unknown:
      return "";
    case Kind::Uniform:
      return "uniform";
    case Kind::Varying:
      return "varying";
    case Kind::Affine:
      break;
  }
  std::string text = "affine ";
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::int64_t stride = value.strides[axis];
    if (stride == 0) continue;
    if (stride > 0 && text.back() != ' ') text += '+';
    if (stride == -1) text += '-';
    if (stride != 1 && stride != -1) text += std::to_string(stride);
    text += "xyz"[axis];
  }
  return value.constant_strides ? text : "affine";
}

Divergence analyse_divergence(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  return Analysis(code, blocks).run();
}

}  // namespace heddle::compiler
