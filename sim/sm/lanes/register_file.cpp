// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/register_file.h"

#include "sim/isa/lanes.h"

namespace heddle {

using isa::Lanes;
using isa::MaxLanes;
using isa::Source;

void RegisterFile::start(SmWarp row, const isa::Program& program) {
  Row& fresh = rows_[row.index()];
  fresh.registers.assign(std::size_t(program.registers + 1) * MaxLanes, 0);  // + 1: the upper half of a last pair
  fresh.predicates.assign(isa::MaxPredicates + 1U, 0);                       // + 1: the carry
}

void RegisterFile::read(const Source& source, SmWarp row, isa::LaneValues& out) const {
  const Row& from = rows_[row.index()];
  if (source.kind == Source::Kind::Predicate) {
    const Lanes mask = guard_of(source, from);
    for (unsigned l = 0; l < MaxLanes; ++l) out[l] = mask >> l & 1;
    return;
  }
  const std::uint32_t* low = from.of(source.index);
  if (source.wide) {
    const std::uint32_t* high = from.of(source.index + 1U);
    for (unsigned l = 0; l < MaxLanes; ++l) out[l] = std::uint64_t(high[l]) << 32 | low[l];
  } else {
    for (unsigned l = 0; l < MaxLanes; ++l) out[l] = low[l];
  }
}

void RegisterFile::read(const Source& source, const Threads& threads, isa::LaneValues& out) const {
  out.fill(0);
  isa::for_each_lane(threads.lanes(), [&](unsigned lane) {
    const ThreadSlot thread = threads[lane];
    const Row& from = rows_[thread.row.index()];
    if (source.kind == Source::Kind::Predicate) {
      out[lane] = guard_of(source, from) >> thread.home & 1;
      return;
    }
    out[lane] = from.of(source.index)[thread.home];
    if (source.wide) out[lane] |= std::uint64_t(from.of(source.index + 1U)[thread.home]) << 32;
  });
}

Lanes RegisterFile::guard_of(const Source& guard, const Row& row) {
  if (guard.kind != Source::Kind::Predicate) return ~Lanes(0);
  const Lanes lanes = row.predicates[guard.index];
  return guard.negated ? ~lanes : lanes;
}

Lanes RegisterFile::guard(const Source& guard, const Threads& threads) const {
  if (threads.in_one_row()) return guard_of(guard, rows_[threads.row().index()]);
  if (guard.kind != Source::Kind::Predicate) return threads.lanes();
  Lanes holds = 0;
  isa::for_each_lane(threads.lanes(), [&](unsigned lane) {
    const ThreadSlot thread = threads[lane];
    holds |= (guard_of(guard, rows_[thread.row.index()]) >> thread.home & 1) << lane;
  });
  return holds;
}

void RegisterFile::write(isa::RegisterName destination, Lanes lanes, const isa::LaneValues& values, Row& row) {
  if (destination.is_predicate()) {
    Lanes ones = 0;
    for (unsigned l = 0; l < MaxLanes; ++l) ones |= static_cast<Lanes>(values[l] & 1) << l;
    Lanes& predicate = row.predicates[destination.id - isa::FirstPredicate];
    predicate = (predicate & ~lanes) | (ones & lanes);
    return;
  }
  const auto write_half = [lanes](std::uint32_t* half, const isa::LaneValues& from, unsigned shift) {
    for (unsigned l = 0; l < MaxLanes; ++l) {
      const auto value = static_cast<std::uint32_t>(from[l] >> shift);
      half[l] = (lanes >> l & 1) != 0 ? value : half[l];
    }
  };
  write_half(row.of(destination.id), values, 0);
  if (destination.wide) write_half(row.of(destination.id + 1U), values, 32);
}

void RegisterFile::write_one(isa::RegisterName destination, unsigned home, std::uint64_t value, Row& row) {
  if (destination.is_predicate()) {
    Lanes& predicate = row.predicates[destination.id - isa::FirstPredicate];
    predicate = (predicate & ~(Lanes(1) << home)) | static_cast<Lanes>(value & 1) << home;
    return;
  }
  row.of(destination.id)[home] = static_cast<std::uint32_t>(value);
  if (destination.wide) row.of(destination.id + 1U)[home] = static_cast<std::uint32_t>(value >> 32);
}

void RegisterFile::write(isa::RegisterName destination, const Threads& threads, Lanes lanes,
                         const isa::LaneValues& values) {
  if (destination.is_none()) return;
  if (threads.in_one_row()) {
    write(destination, lanes, values, rows_[threads.row().index()]);
    return;
  }
  isa::for_each_lane(lanes, [&](unsigned lane) {
    const ThreadSlot thread = threads[lane];
    write_one(destination, thread.home, values[lane], rows_[thread.row.index()]);
  });
}

}  // namespace heddle
