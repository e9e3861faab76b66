// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/operands.h"

#include <cstring>
#include <stdexcept>

namespace heddle {

using isa::Source;

namespace {

/// `bytes` bytes of the launch's parameter block.
std::uint64_t parameter(const isa::Launch& launch, unsigned offset, unsigned bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, launch.parameters.data() + offset, bytes);
  return value;
}

}  // namespace

void OperandCollector::read(const Source& source, const Threads& threads, std::uint64_t cycle,
                            isa::LaneValues& out) const {
  if (threads.in_one_row()) {
    read_row(source, threads.row(), cycle, out);
    return;
  }
  switch (source.kind) {
    case Source::Kind::Register:
    case Source::Kind::Predicate:
      registers_.read(source, threads, out);
      break;
    case Source::Kind::Special:
      out.fill(0);
      for_each_row(threads, threads.lanes(), [&](SmWarp row, isa::Lanes lanes) {
        isa::LaneValues at_home{};
        read_row(source, row, cycle, at_home);
        isa::for_each_lane(lanes, [&](unsigned lane) { out[lane] = at_home[threads[lane].home]; });
      });
      break;
    default:  // the same in every row
      read_row(source, threads[0].row, cycle, out);
      break;
  }
}

void OperandCollector::read_row(const Source& source, SmWarp row, std::uint64_t cycle, isa::LaneValues& out) const {
  switch (source.kind) {
    case Source::Kind::None:
      break;
    case Source::Kind::Register:
    case Source::Kind::Predicate:
      registers_.read(source, row, out);
      break;
    case Source::Kind::Immediate:
      out.fill(source.value);
      break;
    case Source::Kind::Special:
      threads_.special_register(static_cast<isa::SpecialRegister>(source.index), row, cycle, out);
      break;
    case Source::Kind::Parameter:
      out.fill(parameter(threads_.launch(), source.index, source.bytes));
      break;
    case Source::Kind::Queue:
      throw std::logic_error("what is dequeued is in no register");
  }
}

unsigned OperandCollector::words(const isa::Instruction& instruction) {
  unsigned words = 0;
  for (const Source& source : instruction.sources) {
    if (source.kind == Source::Kind::Register) words += source.wide ? 2 : 1;
  }
  return words;
}

}  // namespace heddle
