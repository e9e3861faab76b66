// SPDX-License-Identifier: Apache-2.0
// What issue means, lane by lane: a lane runs one program from its start to its exit, alone. No warps, no stacks, no
// masks, no slots, no clock. An instruction that issues for some lanes must be the next one of each of them, and none of
// them may have a write under way to a register that it names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/bench/control_flow_program.h"

namespace heddle::bench {

/// A register or the half of a pair, in the words of the model: names and not numbers of a scoreboard.
using Register = unsigned;
using Registers = std::uint64_t;  // a bit each

struct SliceInstruction {
  FlowProgram::Instruction flow;
  Registers reads = 0, writes = 0;
};

class Lane {
 public:
  bool lives() const { return lives_; }
  bool waits() const { return waits_; }  ///< for what its branch decides
  std::uint64_t pc() const { return pc_; }
  Registers pending() const { return pending_; }

  /// \param end  where it is done, if it comes there
  void start(std::uint64_t pc, std::uint64_t end) {
    *this = Lane();
    lives_ = true;
    pc_ = pc;
    end_ = end;
  }

  /// Why this instruction may not issue for this lane; empty: it may.
  std::string refuses(std::uint64_t pc, const SliceInstruction& instruction) const {
    if (!lives_) return "it has exited";
    if (waits_) return "its branch is not resolved";
    if (pc != pc_) return "it stands at " + std::to_string(pc_);
    if ((pending_ & (instruction.reads | instruction.writes)) != 0) return "a register that it names is to be written";
    return "";
  }

  void issue(const SliceInstruction& instruction) {
    pending_ |= instruction.writes;
    if (instruction.flow.kind == FlowProgram::Kind::Plain)
      go(pc_ + 1);
    else
      waits_ = true;
  }

  void written(Registers registers) { pending_ &= ~registers; }

  void branch(bool taken, std::uint64_t target) { resolved(taken ? target : pc_ + 1); }
  void call(std::uint64_t target) {
    callers_.push_back(pc_ + 1);
    resolved(target);
  }
  void come_back() {
    const std::uint64_t to = callers_.empty() ? ~std::uint64_t(0) : callers_.back();
    if (!callers_.empty()) callers_.pop_back();
    resolved(to);
  }
  void leave(bool leaves) {
    if (leaves)
      lives_ = waits_ = false;
    else
      resolved(pc_ + 1);
  }

 private:
  void resolved(std::uint64_t pc) {
    waits_ = false;
    go(pc);
  }
  void go(std::uint64_t pc) {
    pc_ = pc;
    if (pc == end_) lives_ = false;
  }

  bool lives_ = false, waits_ = false;
  std::uint64_t pc_ = 0, end_ = 0;
  Registers pending_ = 0;
  std::vector<std::uint64_t> callers_;
};

}  // namespace heddle::bench
