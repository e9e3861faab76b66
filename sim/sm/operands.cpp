#include "sim/sm/operands.h"

namespace heddle {

using isa::MaxLanes;
using isa::Source;

isa::Lanes guard_lanes(const Source& guard, const Warp& warp) {
  if (guard.kind != Source::Kind::Predicate) return ~isa::Lanes(0);
  const isa::Lanes lanes = warp.predicates[guard.index];
  return guard.negated ? ~lanes : lanes;
}

void read_source(const Source& source, const Warp& warp, const ThreadCoordinates& at, unsigned lanes,
                 isa::LaneValues& out) {
  switch (source.kind) {
    case Source::Kind::None:
      break;
    case Source::Kind::Register: {
      const std::uint32_t* low = warp.row(source.index);
      if (source.wide) {
        const std::uint32_t* high = warp.row(source.index + 1U);
        for (unsigned l = 0; l < MaxLanes; ++l) out[l] = std::uint64_t(high[l]) << 32 | low[l];
      } else {
        for (unsigned l = 0; l < MaxLanes; ++l) out[l] = low[l];
      }
      break;
    }
    case Source::Kind::Predicate: {
      const isa::Lanes mask = guard_lanes(source, warp);
      for (unsigned l = 0; l < MaxLanes; ++l) out[l] = mask >> l & 1;
      break;
    }
    case Source::Kind::Immediate:
      out.fill(source.value);
      break;
    case Source::Kind::Special:
      special_register(static_cast<isa::SpecialRegister>(source.index), at, lanes, out);
      break;
    case Source::Kind::Parameter:
      out.fill(parameter(*at.launch, source.index, source.bytes));
      break;
  }
}

unsigned operand_words(const isa::Instruction& instruction) {
  unsigned words = 0;
  for (const Source& source : instruction.sources) {
    if (source.kind == Source::Kind::Register) words += source.wide ? 2 : 1;
  }
  return words;
}

void write_destination(isa::RegisterName destination, isa::Lanes lanes, const isa::LaneValues& values, Warp& warp) {
  if (destination.is_none()) return;
  if (destination.is_predicate()) {
    isa::Lanes ones = 0;
    for (unsigned l = 0; l < MaxLanes; ++l) ones |= static_cast<isa::Lanes>(values[l] & 1) << l;
    isa::Lanes& predicate = warp.predicates[destination.id - isa::FirstPredicate];
    predicate = (predicate & ~lanes) | (ones & lanes);
    return;
  }
  const auto write_row = [lanes](std::uint32_t* row, const isa::LaneValues& from, unsigned shift) {
    for (unsigned l = 0; l < MaxLanes; ++l) {
      const auto value = static_cast<std::uint32_t>(from[l] >> shift);
      row[l] = (lanes >> l & 1) != 0 ? value : row[l];
    }
  };
  write_row(warp.row(destination.id), values, 0);
  if (destination.wide) write_row(warp.row(destination.id + 1U), values, 32);
}

}  // namespace heddle
