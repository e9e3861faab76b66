// SPDX-License-Identifier: Apache-2.0
// Operand collection: the values that the lanes of an instruction work on, from registers, special registers,
// parameters and the instruction itself.
#pragma once

#include <cstdint>

#include "sim/sm/lanes/register_file.h"
#include "sim/sm/threads/thread_table.h"

namespace heddle {

class OperandCollector {
 public:
  OperandCollector(const RegisterFile& registers, const ThreadTable& threads)
      : registers_(registers), threads_(threads) {}

  /// A source's value in every lane, of the threads that the lanes carry. \param cycle what clocks say
  void read(const isa::Source& source, const Threads& threads, std::uint64_t cycle, isa::LaneValues& out) const;

  /// 32-bit words that the register file delivers for an instruction.
  static unsigned words(const isa::Instruction& instruction);

 private:
  void read_row(const isa::Source& source, SmWarp row, std::uint64_t cycle, isa::LaneValues& out) const;

  const RegisterFile& registers_;
  const ThreadTable& threads_;
};

}  // namespace heddle
