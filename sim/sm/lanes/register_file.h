// SPDX-License-Identifier: Apache-2.0
// Registers and predicates of the SM's thread slots: the only place where values are kept between instructions.
//
// Read at operand read, written at writeback, so that a missed hazard gives a wrong result (DESIGN 2.1). Any lane may
// read any thread slot and it costs nothing here: what banks and decoders allow is the block rtl/register_file.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/instruction.h"
#include "sim/sm/links/threads.h"

namespace heddle {

class RegisterFile {
 public:
  explicit RegisterFile(unsigned rows) : rows_(rows) {}

  /// A warp starts in this row: its threads find zeros.
  void start(SmWarp row, const isa::Program& program);

  /// A register or predicate of all threads of a row, by home lane.
  void read(const isa::Source& source, SmWarp row, isa::LaneValues& out) const;
  /// The same of the threads that the lanes carry, wherever they live; zero where there is none.
  void read(const isa::Source& source, const Threads& threads, isa::LaneValues& out) const;
  /// The lanes for which the guard holds (all lanes without a guard).
  isa::Lanes guard(const isa::Source& guard, const Threads& threads) const;
  /// Writes the destination of the threads in these lanes.
  void write(isa::RegisterName destination, const Threads& threads, isa::Lanes lanes, const isa::LaneValues& values);

 private:
  struct Row {
    std::vector<std::uint32_t> registers;  // register r of lane l at r * MaxLanes + l
    std::vector<isa::Lanes> predicates;    // one mask a predicate, then the carry

    std::uint32_t* of(unsigned reg) { return registers.data() + std::size_t(reg) * isa::MaxLanes; }
    const std::uint32_t* of(unsigned reg) const { return registers.data() + std::size_t(reg) * isa::MaxLanes; }
  };

  static isa::Lanes guard_of(const isa::Source& guard, const Row& row);
  static void write(isa::RegisterName destination, isa::Lanes lanes, const isa::LaneValues& values, Row& row);
  static void write_one(isa::RegisterName destination, unsigned home, std::uint64_t value, Row& row);

  std::vector<Row> rows_;
};

}  // namespace heddle
