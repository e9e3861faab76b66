// SPDX-License-Identifier: Apache-2.0
// Where the programs of a bench stand, so that each bit of a PC is watched: at random bases near 0, near each power of two
// and near NoPc, and with PCs that differ from another one in a single bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tb/bench/control_flow_program.h"
#include "tb/bench/dice.h"

namespace heddle::bench {

class PcPlaces {
 public:
  /// \param bits  of a PC
  explicit PcPlaces(unsigned bits) : bits_(bits), no_pc_(~std::uint64_t(0) >> (64 - bits)) {}

  /// The first of `span` PCs below NoPc: around a power of two, or at one of the ends.
  std::uint64_t base(Dice& dice, std::uint64_t span) const {
    if (span >= no_pc_) return 0;
    const std::uint64_t last = no_pc_ - span, slack = dice.below(4);
    const unsigned where = dice.below(bits_ + 2);
    if (where == 0) return std::min(slack, last);
    if (where > bits_) return last - std::min(slack, last);
    const std::uint64_t power = std::uint64_t(1) << (where - 1), before = dice.below(unsigned(span) + 2);
    return std::min(power - std::min(power, before), last);
  }
  /// It with one bit changed, and not NoPc.
  std::uint64_t alias(Dice& dice, std::uint64_t pc) const {
    const std::uint64_t other = pc ^ bit(dice);
    return other == no_pc_ ? pc : other;
  }
  /// One of `count` PCs from `base` on; one in twenty has a bit changed, or is NoPc with a bit changed.
  std::uint64_t near(Dice& dice, std::uint64_t base, unsigned count) const {
    const std::uint64_t pc = (base + dice.below(count)) & no_pc_;
    const unsigned how = dice.below(64);
    return how == 0 ? alias(dice, no_pc_) : how < 3 ? alias(dice, pc) : pc;
  }
  std::uint64_t bit(Dice& dice) const { return std::uint64_t(1) << dice.below(bits_); }
  std::uint64_t no_pc() const { return no_pc_; }

 private:
  unsigned bits_;
  std::uint64_t no_pc_;
};

/// A program at a base. Code behind a jump, an exit or a return may stand a power of two away, over PCs of the code that
/// stays: the two differ in one bit, as the start of a side and the RPC of its branch then may.
class PlacedProgram {
 public:
  using Kind = FlowProgram::Kind;
  using Instruction = FlowProgram::Instruction;

  PlacedProgram() = default;
  PlacedProgram(const FlowProgram& program, const PcPlaces& places, Dice& dice)
      : program_(&program), no_pc_(places.no_pc()) {
    std::uint64_t span = 2 * program.size() + 2;
    const std::uint64_t far = places.bit(dice);
    bool moves = far > span && dice.below(2) == 0;
    base_ = places.base(dice, span);
    // NoPc is nobody's PC, on the far page neither
    if (moves && no_pc_ - ((base_ + far) & no_pc_) > span) far_ = far;
    lay_out(dice);
  }

  /// With the PCs of this place; what stands nowhere is an exit.
  Instruction at(std::uint64_t pc) const {
    const std::uint64_t near = (pc - base_) & no_pc_, away = (pc - base_ - far_) & no_pc_;
    std::uint64_t index = program_->size() - 1;
    if (near < pages_[0].size() && pages_[0][near] != Nothing)
      index = pages_[0][near];
    else if (far_ != 0 && away < pages_[1].size() && pages_[1][away] != Nothing)
      index = pages_[1][away];
    Instruction instruction = program_->at(index);
    instruction.target = placed(instruction.target);
    instruction.rpc = placed(instruction.rpc);
    return instruction;
  }
  std::uint64_t start() const { return pcs_.front(); }
  std::uint64_t rpc() const { return placed(program_->rpc()); }
  bool is_comb() const { return program_->is_comb(); }
  bool is_ladder() const { return program_->is_ladder(); }

 private:
  static constexpr std::uint64_t Nothing = ~std::uint64_t(0);

  std::uint64_t placed(std::uint64_t index) const { return index < pcs_.size() ? pcs_[index] : no_pc_; }

  void lay_out(Dice& dice) {
    bool away = false;
    std::uint64_t next[2] = {0, 0};
    for (std::uint64_t i = 0; i < program_->size(); ++i) {
      const unsigned page = away ? 1 : 0;
      pcs_.push_back((base_ + next[page] + (away ? far_ : 0)) & no_pc_);
      pages_[page].resize(next[page], Nothing);
      pages_[page].push_back(i);
      ++next[page];
      const Kind kind = program_->at(i).kind;
      const bool ends = kind == Kind::Jump || kind == Kind::ExitAll || kind == Kind::Return;
      if (!ends || far_ == 0) continue;
      away = dice.below(2) == 0;
      // the code that goes away starts where the code that stays goes on, or a little before or behind
      if (away) next[1] = std::max(next[1], next[0] + dice.below(6) - std::min<std::uint64_t>(next[0], 2));
    }
  }

  const FlowProgram* program_ = nullptr;
  std::uint64_t no_pc_ = 0, base_ = 0, far_ = 0;
  std::vector<std::uint64_t> pcs_;       // of each instruction
  std::vector<std::uint64_t> pages_[2];  // which instruction stands there
};

}  // namespace heddle::bench
