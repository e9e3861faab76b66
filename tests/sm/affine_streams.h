// SPDX-License-Identifier: Apache-2.0
// Affine streams by hand, and what they mean: each thread executed on its own, with numbers in place of tuples and a
// stack of lanes for each warp.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/isa/lanes.h"
#include "sim/isa/launch.h"

namespace heddle_test {

namespace isa = heddle::isa;

/// Writes a stream, an instruction a call; the returned PC is its own.
class StreamWriter {
 public:
  using Source = isa::Source;

  static Source reg(unsigned index) { return source(Source::Kind::Register, index); }
  static Source pred(unsigned index, bool negated = false) {
    Source its = source(Source::Kind::Predicate, index);
    its.negated = negated;
    return its;
  }
  static Source number(std::uint32_t value) {
    Source its = source(Source::Kind::Immediate, 0);
    its.value = value;
    return its;
  }
  static Source special(isa::SpecialRegister which) { return source(Source::Kind::Special, unsigned(which)); }

  isa::Pc compute(isa::Op op, unsigned destination, Source a, Source b = {}, Source c = {});
  isa::Pc evaluate(isa::Evaluate what, unsigned destination, Source a, Source b);
  isa::Pc compare(isa::Comparison comparison, unsigned predicate, Source a, Source b);
  isa::Pc enqueue(isa::QueueOp queue, Source what, unsigned bytes = 4, std::int64_t offset = 0);
  isa::Pc jump(isa::Pc target = isa::NoPc);
  isa::Pc branch(isa::OutcomeFrom outcome, Source guard, isa::Pc target = isa::NoPc, isa::Pc rpc = isa::NoPc);
  isa::Pc barrier();
  isa::Pc exit();
  isa::Pc here() const { return static_cast<isa::Pc>(stream_.code.size()); }
  isa::Instruction& at(isa::Pc pc) { return stream_.code[pc]; }
  const isa::AffineStream& stream() const { return stream_; }

 private:
  static Source source(Source::Kind kind, unsigned index) {
    Source its;
    its.kind = kind;
    its.index = static_cast<std::uint16_t>(index);
    return its;
  }
  isa::Pc add(isa::Instruction instruction);

  isa::AffineStream stream_;
};

/// What a warp does with the affine unit.
struct WarpEvent {
  enum class Kind { Address, Predicate, Outcome, Barrier } kind = Kind::Barrier;
  isa::QueueOp queue = isa::QueueOp::None;
  isa::Lanes lanes = 0;  ///< that execute it; of a predicate and an outcome: taken
  isa::Lanes taken = 0;
  std::array<std::uint32_t, isa::MaxLanes> address{};
};

/// Whether a thread takes a branch that warps decide: by PC, thread in the grid, and how often it has been there.
using Decide = std::function<bool(isa::Pc, std::uint64_t, unsigned)>;

/// \param warp  of its CTA
std::vector<WarpEvent> events_of(const isa::AffineStream& stream, const isa::Launch& launch, const isa::Dim3& cta,
                                 unsigned warp, unsigned lanes, const Decide& decide);

}  // namespace heddle_test
