// SPDX-License-Identifier: Apache-2.0
// Random structured programs for control flow units: only their control instructions matter.
//
// Nested if/else, if without else, loops, code out of line, early exits, sides that meet only at the virtual exit. A
// construct at the end of another one may share its reconvergence point, as post-dominators do. And combs: nested
// branches that each part one lane from the others, down to the full depth. On demand with functions that call each
// other and themselves, and ladders of one function, down to the full depth too; a bench takes a call or goes on.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/bench/dice.h"

namespace heddle::bench {

class FlowProgram {
 public:
  enum class Kind { Plain, Branch, Jump, Exit, ExitAll, Call, Return };
  struct Instruction {
    Kind kind = Kind::Plain;
    std::uint64_t target = 0, rpc = 0;
    bool back = false;  ///< a loop's branch: taken again
  };

  /// \param nothing  the RPC of sides that meet only at the virtual exit
  static FlowProgram random(Dice& dice, std::uint64_t nothing) {
    FlowProgram program(dice, nothing);
    program.sequence(4, None);
    return program.finished();
  }
  /// Branches nested `levels` deep.
  static FlowProgram comb(Dice& dice, std::uint64_t nothing, unsigned levels) {
    FlowProgram program(dice, nothing);
    program.comb_ = true;
    program.tooth(levels);
    return program.finished();
  }

  /// With calls, whose return is the RPC `nothing`: three functions, which may call any of the three.
  static FlowProgram with_calls(Dice& dice, std::uint64_t nothing) {
    FlowProgram program(dice, nothing);
    const Label start = program.label();
    for (unsigned i = 0; i < 3; ++i) program.functions_.push_back(program.label());
    program.emit(Kind::Jump, start);
    for (const Label function : program.functions_) {
      program.here(function);
      program.body(2);
    }
    program.here(start);
    program.sequence(3, None);
    return program.finished();
  }
  /// A function that calls itself and nothing else.
  static FlowProgram ladder(Dice& dice, std::uint64_t nothing) {
    FlowProgram program(dice, nothing);
    program.ladder_ = true;
    const Label start = program.label(), rung = program.label();
    program.emit(Kind::Jump, start);
    program.here(rung);
    program.plain(program.dice_->below(2));
    program.emit(Kind::Call, rung);
    program.plain(program.dice_->below(2));
    program.emit(Kind::Return);
    program.here(start);
    program.emit(Kind::Call, rung);
    return program.finished();
  }

  const Instruction& at(std::uint64_t pc) const { return pc < code_.size() ? code_[pc] : code_.back(); }
  std::uint64_t size() const { return code_.size(); }
  /// Branch outcomes of a comb part one lane at a time.
  bool is_comb() const { return comb_; }
  /// Every call of a ladder is taken as long as there is room.
  bool is_ladder() const { return ladder_; }
  std::uint64_t rpc() const { return rpc_; }

 private:
  using Label = unsigned;
  static constexpr Label None = ~0U, Nothing = ~0U - 1;
  struct Fix {
    Label target, rpc;
  };

  FlowProgram(Dice& dice, std::uint64_t nothing) : dice_(&dice), nothing_(nothing) {}

  Label label() { return labels_.push_back(0), static_cast<Label>(labels_.size() - 1); }
  void here(Label l) { labels_[l] = code_.size(); }
  void emit(Kind kind, Label target = None, Label rpc = None, bool back = false) {
    Instruction instruction;
    instruction.kind = kind;
    instruction.back = back;
    code_.push_back(instruction);
    fixes_.push_back({target, rpc});
  }
  void plain(unsigned n) {
    for (unsigned i = 0; i < n; ++i) emit(Kind::Plain);
  }

  /// Ends with a jump to `end` when there is one, and may then share it with its last construct.
  void sequence(unsigned depth, Label end) {
    const unsigned parts = 1 + dice_->below(3);
    for (unsigned i = 0; i < parts; ++i) {
      plain(dice_->below(3));
      if (!functions_.empty() && dice_->below(3) == 0) call();
      if (depth != 0) construct(depth - 1, i + 1 == parts && dice_->below(2) == 0 ? end : None);
    }
    plain(1);
    if (end != None) emit(Kind::Jump, end);
  }

  void call() { emit(Kind::Call, functions_[dice_->below(static_cast<unsigned>(functions_.size()))]); }

  /// The body of a function: one return, or one on each side of a branch whose sides meet only in the caller. Some may
  /// return before that.
  void body(unsigned sides) {
    if (dice_->below(2) == 0) emit(Kind::Branch, Nothing, Nothing);
    sequence(1, None);
    if (sides == 0 || dice_->below(2) == 0) return emit(Kind::Return);
    const Label other = label();
    emit(Kind::Branch, other, Nothing);
    body(sides - 1);
    here(other);
    body(sides - 1);
  }

  void construct(unsigned depth, Label shared) {
    if (!functions_.empty() && shared == None &&
        dice_->below(8) == 0) {  // nothing but a call: it comes back to the RPC
      const Label after = label();
      emit(Kind::Branch, after, after);
      call();
      return here(after);
    }
    const Label meet = shared != None ? shared : label();
    const Label other = label();
    const unsigned which = dice_->below(16);
    if (which < 5) {  // if, else
      emit(Kind::Branch, other, meet);
      sequence(depth, meet);
      here(other);
      sequence(depth, meet);
    } else if (which < 7) {  // if without else
      emit(Kind::Branch, meet, meet);
      sequence(depth, meet);
    } else if (which < 11) {  // loop
      here(other);
      sequence(depth, None);
      emit(Kind::Branch, other, meet, true);
      if (shared != None) emit(Kind::Jump, meet);
    } else if (which < 13) {  // taken side out of line: the other side is at the RPC at once
      const Label over = label();
      emit(Kind::Jump, over);
      here(other);
      sequence(depth, meet);
      here(over);
      emit(Kind::Branch, other, meet);
      if (shared != None) emit(Kind::Jump, meet);
    } else if (which < 14) {  // to the next instruction, whatever the condition
      emit(Kind::Branch, meet, meet);
      if (shared != None) emit(Kind::Jump, meet);
    } else if (which < 15 || depth > 2) {  // some leave early
      emit(Kind::Exit);
      if (shared != None) emit(Kind::Jump, meet);
    } else {  // both sides leave
      emit(Kind::Branch, other, Nothing);
      sequence(depth, None);
      emit(Kind::ExitAll);
      here(other);
      sequence(depth, None);
      emit(Kind::ExitAll);
    }
    if (shared == None) here(meet);
  }

  void tooth(unsigned levels) {
    const Label meet = label(), other = label();
    emit(Kind::Branch, other, meet);
    plain(1);
    emit(Kind::Jump, meet);
    here(other);
    if (levels > 1)
      tooth(levels - 1);
    else
      plain(1);
    here(meet);
    plain(1);
  }

  /// One program in four ends at an RPC instead of an exit.
  FlowProgram finished() {
    rpc_ = nothing_;
    if (dice_->below(4) == 0) rpc_ = code_.size() + 1;
    plain(1);
    emit(Kind::ExitAll);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const auto place = [&](Label l) { return l == Nothing ? nothing_ : l == None ? 0 : labels_[l]; };
      if (i < fixes_.size()) code_[i].target = place(fixes_[i].target), code_[i].rpc = place(fixes_[i].rpc);
    }
    return *this;
  }

  Dice* dice_;
  std::uint64_t nothing_, rpc_ = 0;
  bool comb_ = false, ladder_ = false;
  std::vector<Label> functions_;
  std::vector<Instruction> code_;
  std::vector<Fix> fixes_;
  std::vector<std::uint64_t> labels_;
};

}  // namespace heddle::bench
