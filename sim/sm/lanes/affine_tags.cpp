// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/affine_tags.h"

#include <algorithm>

namespace heddle {

using isa::Instruction;
using isa::Op;
using isa::Source;
using isa::SpecialRegister;

namespace {

constexpr unsigned LeastBits = 32;  // of what the unit computes

AffineTag sum(AffineTag a, AffineTag b) {
  return a == AffineTag::None || b == AffineTag::None ? AffineTag::None : std::max(a, b);
}

AffineTag product(AffineTag a, AffineTag b) {
  return a == AffineTag::Affine && b == AffineTag::Affine ? AffineTag::None : sum(a, b);
}

/// Is a value of 32 bits extended to 64? A shift has 32 bits of distance in any case.
bool widens(const Instruction& instruction) {
  return instruction.destination.wide && instruction.narrowest == LeastBits && instruction.op != Op::ShiftLeft;
}

}  // namespace

void AffineTags::start(SliceWarp warp, isa::Lanes lanes) {
  warps_[warp.index()].started = lanes;
  warps_[warp.index()].tags.fill(AffineTag::None);
}

AffineTag AffineTags::result(const Instruction& instruction, SliceWarp warp, SmWarp row, isa::Lanes path,
                             isa::Lanes live) const {
  const Warp& its = warps_[warp.index()];
  if (path != live || live != its.started) return AffineTag::None;
  if (instruction.kind != isa::Kind::Compute || instruction.guard.kind != Source::Kind::None ||
      instruction.destination.is_predicate() || instruction.narrowest < LeastBits)
    return AffineTag::None;
  const AffineTag tag = combined(instruction, its, row);
  return tag == AffineTag::Affine && widens(instruction) && wraps(instruction, row, path) ? AffineTag::None : tag;
}

AffineTag AffineTags::combined(const Instruction& instruction, const Warp& warp, SmWarp row) const {
  const auto of = [&](unsigned index) { return tag(instruction.sources[index], warp, row); };
  switch (instruction.op) {
    case Op::Copy:
    case Op::Negate:
      return of(0);
    case Op::Add:
    case Op::Subtract:
      return sum(of(0), of(1));
    case Op::Multiply:
      return product(of(0), of(1));
    case Op::MultiplyAdd:
      return sum(product(of(0), of(1)), of(2));
    case Op::ShiftLeft:
      return of(1) == AffineTag::Scalar ? of(0) : AffineTag::None;
    case Op::Compare:
    case Op::Other:
      break;
  }
  return AffineTag::None;
}

void AffineTags::issue(SliceWarp warp, isa::RegisterName destination, AffineTag result) {
  if (destination.is_none() || destination.is_predicate()) return;
  AffineTag* const tag = &warps_[warp.index()].tags[destination.id];
  tag[0] = result;
  if (destination.wide)
    tag[1] = result == AffineTag::None ? AffineTag::None : AffineTag::Upper;
  else if (destination.id % 2 == 0 && tag[1] == AffineTag::Upper)
    tag[1] = AffineTag::None;  // of a pair that is one no longer
}

AffineTag AffineTags::tag(const Source& source, const Warp& warp, SmWarp row) const {
  switch (source.kind) {
    case Source::Kind::Immediate:
    case Source::Kind::Parameter:
      return AffineTag::Scalar;
    case Source::Kind::Special:
      return special(static_cast<SpecialRegister>(source.index), row);
    case Source::Kind::Register: {
      const AffineTag* const tag = &warp.tags[source.index];
      const bool is_known = source.wide ? tag[1] == AffineTag::Upper : tag[0] != AffineTag::Upper;
      return is_known ? tag[0] : AffineTag::None;
    }
    case Source::Kind::None:
    case Source::Kind::Predicate:
    case Source::Kind::Queue:
      break;
  }
  return AffineTag::None;
}

AffineTag AffineTags::special(SpecialRegister which, SmWarp row) const {
  switch (which) {
    case SpecialRegister::TidX:
      return is_one_row(row) ? AffineTag::Affine : AffineTag::None;
    case SpecialRegister::TidY:
    case SpecialRegister::TidZ:
      return is_one_row(row) ? AffineTag::Scalar : AffineTag::None;
    case SpecialRegister::Laneid:
      return AffineTag::Affine;
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
      return AffineTag::Scalar;
    default:
      return AffineTag::None;
  }
}

/// Do all threads of the warp lie in one row of their block, so that tid.x counts its lanes?
bool AffineTags::is_one_row(SmWarp row) const {
  const isa::Launch& launch = threads_.launch();
  const unsigned first = threads_[row].warp.index() * threads_.lanes(),
                 last = std::min(first + threads_.lanes(), threads_per_cta(launch)) - 1;
  return first / launch.block.x == last / launch.block.x;
}

/// A head that may issue finds its sources in the registers: at another time the answer is not used.
bool AffineTags::wraps(const Instruction& instruction, SmWarp row, isa::Lanes path) const {
  constexpr std::uint64_t NoClock = 0;  // no operand is one
  isa::LaneValues a{}, b{}, c{}, values;
  operands_.read(instruction.sources[0], Threads(row), NoClock, a);
  operands_.read(instruction.sources[1], Threads(row), NoClock, b);
  operands_.read(instruction.sources[2], Threads(row), NoClock, c);
  instruction.evaluate_lanes(a, b, c, values);
  return !agrees(AffineTag::Affine, values, path, instruction.destination.wide);
}

bool agrees(AffineTag tag, const isa::LaneValues& values, isa::Lanes lanes, bool wide) {
  const std::uint64_t mask = wide ? ~std::uint64_t(0) : 0xffffffffU;
  const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
  const bool has_stride = tag == AffineTag::Affine && (lanes >> first & 2) != 0;
  const std::uint64_t stride = has_stride ? values[first + 1] - values[first] : 0;
  bool all = true;
  isa::for_each_lane(lanes, [&](unsigned lane) {
    all = all && ((values[lane] - values[first] - stride * (lane - first)) & mask) == 0;
  });
  return all;
}

}  // namespace heddle
