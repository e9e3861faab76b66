// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/divergence.h"

#include <fmt/format.h>

#include "sim/compiler/analysis/value_flow.h"

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
LaneValue one_of(const LaneValue& a, const LaneValue& b) {
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

// ---- The rules of the data flow ----

class LaneRules {
 public:
  using Value = LaneValue;
  using Sources = std::array<LaneValue, 3>;

  LaneRules(std::size_t instructions, Together together) : together_(together) {
    divergence.results.resize(instructions);
    divergence.addresses.resize(instructions);
    divergence.divergent_guards.assign(instructions, false);
  }

  static Value at_start() { return uniform(); }
  static Value parted(Parted, isa::Pc) { return varying(); }
  static bool is_same(const Value& value) { return value.is_uniform(); }
  static Value either(const Value& a, const Value& b) { return one_of(a, b); }
  Value of(const Source& source) const {
    if (source.kind == Source::Kind::Queue) return source.value != 0 ? uniform() : varying();
    const bool is_warp =
        source.kind == Source::Kind::Special && static_cast<SpecialRegister>(source.index) == SpecialRegister::Warpid;
    if (together_ == Together::Block && is_warp) return varying();
    return source.kind == Source::Kind::Special ? of_special(static_cast<SpecialRegister>(source.index)) : uniform();
  }
  /// A predicate is no number.
  static Value kept(const Value& value, bool is_predicate) {
    return is_predicate && !value.is_uniform() ? varying() : value;
  }

  void see(isa::Pc pc, const VirtualInstruction& instruction, const Sources& sources, const Value& guard) {
    const isa::Instruction& body = instruction.body;
    const bool peels = body.kind == isa::Kind::Branch && body.branch == isa::BranchKind::Peel;
    divergence.divergent_guards[pc] = !(peels ? sources[0] : guard).is_uniform();
    if (body.kind == isa::Kind::Load || body.kind == isa::Kind::Store || body.kind == isa::Kind::Atomic)
      divergence.addresses[pc] = sources[0];
  }
  void see_result(isa::Pc pc, const Value& value) { divergence.results[pc] = value; }

  Value result(const VirtualInstruction& instruction, const Sources& sources) const {
    const isa::Instruction& body = instruction.body;
    std::array<Input, 3> in;
    bool all_uniform = true;
    for (unsigned index = 0; index < 3; ++index) {
      const Source& source = body.sources[index];
      in[index] = {sources[index], source.kind == Source::Kind::Immediate ? &source.value : nullptr};
      all_uniform = all_uniform && sources[index].is_uniform();
    }
    switch (body.kind) {
      case isa::Kind::Load:
        return all_uniform && !body.is_volatile && body.space != isa::Space::Local && body.space != isa::Space::Generic
                   ? uniform()
                   : varying();
      case isa::Kind::Compute:
        break;
      case isa::Kind::WarpWide:
        return together_ == Together::Warp && is_one_value(body, in) ? uniform() : varying();
      case isa::Kind::Barrier:
        return uniform();  // of a reduction
      default:
        return varying();
    }
    if (all_uniform) return uniform();
    switch (body.op) {
      case isa::Op::Other:
      case isa::Op::Compare:
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

  Divergence divergence;

 private:
  const Together together_;

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

Divergence analyse_divergence(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, Together together) {
  LaneRules rules(code.code.size(), together);
  ValueFlow<LaneRules>(code, blocks, rules).run();
  return std::move(rules.divergence);
}

}  // namespace heddle::compiler
