// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/affine.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/analysis/value_flow.h"

namespace heddle::compiler {
namespace {

using Kind = AffineKind;
using isa::Op;
using isa::SpecialRegister;

AffineValue no_tuple(NoTuple why, isa::Pc by = isa::NoPc) {
  return {Kind::Other, false, why, by};
}

AffineValue tuple(Kind kind, unsigned zeros = 0) {
  return {kind, false, NoTuple::None, isa::NoPc, zeros};
}

constexpr unsigned AllZeros = 32;  // of a zero

unsigned zeros_of(std::uint64_t value) {
  return value == 0 ? AllZeros : std::min(AllZeros, static_cast<unsigned>(__builtin_ctzll(value)));
}

AffineValue of_special(SpecialRegister which) {
  switch (which) {
    case SpecialRegister::TidX:
    case SpecialRegister::TidY:
    case SpecialRegister::TidZ:
      return tuple(Kind::Thread);
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
      return tuple(Kind::Block);
    case SpecialRegister::NtidX:
    case SpecialRegister::NtidY:
    case SpecialRegister::NtidZ:
    case SpecialRegister::NctaidX:
    case SpecialRegister::NctaidY:
    case SpecialRegister::NctaidZ:
    case SpecialRegister::DynamicSharedBytes:
    case SpecialRegister::SharedBytes:
    case SpecialRegister::Smid:
    case SpecialRegister::Nsmid:
      return tuple(Kind::Scalar);
    default:
      return no_tuple(NoTuple::Clock);
  }
}

/// Types of 8 or 16 bits, as an opcode spells them: results, or operands, are cut.
bool is_cut(const char* mnemonic) {
  const std::string name = mnemonic;
  for (const char* type : {".u8", ".s8", ".b8", ".u16", ".s16", ".b16"})
    if (name.find(type) != std::string::npos) return true;
  return false;
}

class AffineRules {
 public:
  using Value = AffineValue;
  using Sources = std::array<AffineValue, 3>;

  explicit AffineRules(std::size_t instructions) {
    found.results.resize(instructions);
    found.addresses.resize(instructions);
    found.guards.resize(instructions);
  }

  static Value at_start() { return tuple(Kind::Scalar, AllZeros); }
  static Value parted(Parted why, isa::Pc by) {
    return no_tuple(why == Parted::Guard    ? NoTuple::Guard
                    : why == Parted::Branch ? NoTuple::Branch
                                            : NoTuple::OutOfTurn,
                    by);
  }
  static bool is_same(const Value& value) { return value.kind == Kind::None || value.kind == Kind::Scalar; }

  /// The affine warp comes one way, and has one tuple.
  static Value either(const Value& a, const Value& b) {
    if (a.kind == Kind::None) return b;
    if (b.kind == Kind::None) return a;
    Value result = a.kind >= b.kind ? a : b;
    result.is_address = a.is_address && b.is_address;
    result.zeros = std::min(a.zeros, b.zeros);
    return result;
  }

  static Value of(const isa::Source& source) {
    using Is = isa::Source::Kind;
    if (source.kind == Is::Special) return of_special(static_cast<SpecialRegister>(source.index));
    Value value = tuple(Kind::Scalar, source.kind == Is::Immediate ? zeros_of(source.value) : 0);
    if (source.kind == Is::Parameter && source.bytes == sizeof(std::uint64_t)) {
      value.is_address = true;
      value.zeros = MostAlignedBits;
    }
    return value;
  }

  static Value kept(const Value& value, bool) { return value; }

  void see(isa::Pc pc, const VirtualInstruction& instruction, const Sources& sources, const Value& guard) {
    const isa::Instruction& body = instruction.body;
    if (body.kind == isa::Kind::Load || body.kind == isa::Kind::Store || body.kind == isa::Kind::Atomic)
      found.addresses[pc] = sources[0];
    if (instruction.is_guarded()) found.guards[pc] = guard;
  }
  void see_result(isa::Pc pc, const Value& value) { found.results[pc] = value; }

  static Value result(const VirtualInstruction& instruction, const Sources& sources) {
    const isa::Instruction& body = instruction.body;
    switch (body.kind) {
      case isa::Kind::Compute:
        break;
      case isa::Kind::Load:
        return no_tuple(NoTuple::Loaded);
      case isa::Kind::Atomic:
        return no_tuple(NoTuple::Atomic);
      case isa::Kind::WarpWide:
      case isa::Kind::Barrier:
        return no_tuple(NoTuple::WarpWide);
      default:
        return no_tuple(NoTuple::Operation);
    }
    if (body.sources[0].kind == isa::Source::Kind::Parameter && body.sources[1].kind == isa::Source::Kind::None)
      return sources[0];
    bool all_scalar = true, is_wide = false;
    for (unsigned index = 0; index < 3; ++index) {
      const Value& source = sources[index];
      if (body.sources[index].kind == isa::Source::Kind::None) continue;
      if (source.kind == Kind::None) return {};
      if (source.kind == Kind::Other) return body.op == Op::Copy ? source : no_tuple(NoTuple::Source);
      all_scalar = all_scalar && source.kind == Kind::Scalar;
      is_wide = is_wide || body.sources[index].wide || body.sources[index].bytes == sizeof(std::uint64_t);
    }
    if (body.op == Op::Other || (is_cut(body.mnemonic) && !all_scalar)) {
      if (is_wide) return no_tuple(NoTuple::SixtyFour);
      if (all_scalar) return tuple(Kind::Scalar);
      const bool asks_predicate = std::any_of(sources.begin(), sources.end(),
                                              [](const Value& source) { return source.kind == Kind::Comparison; });
      return no_tuple(asks_predicate          ? NoTuple::Predicate
                      : is_cut(body.mnemonic) ? NoTuple::Sixteen
                                              : NoTuple::Operation);
    }
    Value value = of_operation(body, sources);
    value.is_address = value.is_address && body.destination.wide;  // half of a pointer is a number
    return value;
  }

  AffineValues found;

 private:
  static Value of_operation(const isa::Instruction& body, const Sources& sources) {
    const Value &a = sources[0], &b = sources[1];
    switch (body.op) {
      case Op::Copy:
        return a;
      case Op::Add:
        return sum(a, b, a.is_address != b.is_address);
      case Op::Subtract:
        return sum(a, b, a.is_address && !b.is_address);
      case Op::Negate:
        return sum(a, a, false);
      case Op::Multiply:
        return product(a, b);
      case Op::MultiplyAdd: {
        const Value left = product(a, b);
        return left.kind == Kind::Other ? left : sum(left, sources[2], sources[2].is_address);
      }
      case Op::ShiftLeft:
        return shifted(a, b, body.sources[1]);
      case Op::Compare:
        if (a.kind == Kind::Thread && b.kind == Kind::Thread) return no_tuple(NoTuple::TwoThreads);
        return tuple(a.kind == Kind::Scalar && b.kind == Kind::Scalar ? Kind::Scalar : Kind::Comparison);
      case Op::Other:
        break;
    }
    return no_tuple(NoTuple::Operation);
  }

  static Value sum(const Value& a, const Value& b, bool is_address) {
    Value result = tuple(std::max(a.kind, b.kind), std::min(a.zeros, b.zeros));
    result.is_address = is_address;
    return result;
  }

  static Value shifted(const Value& a, const Value& by, const isa::Source& distance) {
    if (by.kind != Kind::Scalar) return no_tuple(NoTuple::Product);
    const std::uint64_t bits = distance.kind == isa::Source::Kind::Immediate ? distance.value : 0;
    return tuple(a.kind, static_cast<unsigned>(std::min<std::uint64_t>(AllZeros, a.zeros + bits)));
  }

  static Value product(const Value& a, const Value& b) {
    if (a.kind != Kind::Scalar && b.kind != Kind::Scalar) return no_tuple(NoTuple::Product);
    return tuple(std::max(a.kind, b.kind), std::min(AllZeros, a.zeros + b.zeros));
  }
};

const char* reason(NoTuple why) {
  switch (why) {
    case NoTuple::None:
      return "";
    case NoTuple::Loaded:
      return "loaded from memory";
    case NoTuple::Atomic:
      return "given by an atomic";
    case NoTuple::WarpWide:
      return "made with other threads";
    case NoTuple::Clock:
      return "a register that differs in another way, such as a lane's number or a clock";
    case NoTuple::Operation:
      return "no operation on tuples";
    case NoTuple::Product:
      return "a product of values that both differ between threads";
    case NoTuple::SixtyFour:
      return "it takes 64 bits, and a tuple has 32";
    case NoTuple::Sixteen:
      return "cut to 8 or 16 bits";
    case NoTuple::TwoThreads:
      return "a comparison of two values that both differ within a block";
    case NoTuple::Predicate:
      return "computed from a predicate that differs between threads";
    case NoTuple::Source:
      return "computed from what is no tuple";
    case NoTuple::Guard:
      return "written under a guard that differs between threads";
    case NoTuple::Branch:
      return "threads come here from different ways of the branch";
    case NoTuple::OutOfTurn:
      return "threads meet at a prediction in different turns";
  }
  return "";
}

}  // namespace

std::string to_string(AffineKind kind) {
  switch (kind) {
    case Kind::None:
      return "";
    case Kind::Scalar:
      return "scalar";
    case Kind::Block:
      return "block";
    case Kind::Thread:
      return "affine";
    case Kind::Comparison:
      return "comparison";
    case Kind::Other:
      return "other";
  }
  return "";
}

std::string reason_of(const AffineValue& value, const VirtualCode& code) {
  if (value.why != NoTuple::Branch) return reason(value.why);
  return fmt::format("{} in line {}", reason(value.why), code.code[value.by].where.line);
}

AffineValues analyse_affine(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  AffineRules rules(code.code.size());
  ValueFlow<AffineRules>(code, blocks, rules).run();
  return std::move(rules.found);
}

}  // namespace heddle::compiler
