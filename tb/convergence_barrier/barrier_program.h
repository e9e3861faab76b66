// SPDX-License-Identifier: Apache-2.0
// Programs with barrier instructions, for one warp: written by hand in the cases, and made from the random structured
// programs of tb/bench/control_flow_program.h, whose every branch gets a barrier at its reconvergence point.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rtl/convergence_barrier/barrier_operation.h"
#include "tb/bench/bench.h"
#include "tb/bench/control_flow_program.h"
#include "tb/bench/dice.h"

namespace heddle::bench {

struct Instruction {
  enum class Kind { Plain, Branch, Exit, Barrier };
  Kind kind = Kind::Plain;
  BarrierOp op = BarrierOp::None;
  unsigned index = 0, source = 0;
  std::uint64_t value = 0;            ///< mask or threshold
  std::uint64_t target = 0, rpc = 0;  ///< of a branch; the stacks need the RPC
  bool always = false;                ///< a branch or an exit of all lanes
  bool back = false;                  ///< a loop's branch
  std::string block;                  ///< basic block, for the story
};

/// A program by hand: `add` returns the PC of what it adds.
class BarrierProgram {
 public:
  std::uint64_t plain(const std::string& block, unsigned n = 1) {
    for (unsigned i = 0; i < n; ++i) add({}, block);
    return code_.size() - n;
  }
  std::uint64_t barrier(const std::string& block, BarrierOp op, unsigned index, unsigned source = 0,
                        std::uint64_t value = 0) {
    Instruction i;
    i.kind = Instruction::Kind::Barrier;
    i.op = op;
    i.index = index;
    i.source = source;
    i.value = value;
    return add(i, block);
  }
  std::uint64_t branch(const std::string& block, std::uint64_t target, std::uint64_t rpc, bool always = false) {
    Instruction i;
    i.kind = Instruction::Kind::Branch;
    i.target = target;
    i.rpc = rpc;
    i.always = always;
    return add(i, block);
  }
  std::uint64_t jump(const std::string& block, std::uint64_t target) { return branch(block, target, ~0ULL, true); }
  std::uint64_t leave(const std::string& block, bool always = true) {
    Instruction i;
    i.kind = Instruction::Kind::Exit;
    i.always = always;
    return add(i, block);
  }

  std::uint64_t size() const { return code_.size(); }
  const Instruction& at(std::uint64_t pc) const { return code_.at(pc); }
  Instruction& at(std::uint64_t pc) { return code_.at(pc); }

 private:
  std::uint64_t add(const Instruction& i, const std::string& block) {
    code_.push_back(i);
    code_.back().block = block;
    return code_.size() - 1;
  }
  std::vector<Instruction> code_;
};

/// The instructions of the spin lock. The first, BSSY at PC 0, has no name: a path that is not there shows PC 0 too.
inline std::vector<NamedBlock> spin_lock_names() {
  return {{"try", 1}, {"test", 2}, {"YIELD", 3}, {"again", 4}, {"BSYNC", 5}, {"inside", 6}, {"unlock", 7}, {"exit", 8}};
}

/// A random structured program with barriers. Each reconvergence point has one wait; each branch joins before it. The
/// register is the nesting level of the region: inner waits complete before outer ones, so nobody is ever released.
class WithBarriers {
 public:
  WithBarriers(const FlowProgram& from, std::uint64_t length, std::uint64_t nothing, Dice& dice) {
    using Kind = FlowProgram::Kind;
    for (std::uint64_t pc = 0; pc < length; ++pc) {
      const FlowProgram::Instruction& i = from.at(pc);
      if (i.kind != Kind::Branch || i.rpc == nothing) continue;
      const auto region = first_.try_emplace(i.rpc, pc).first;
      region->second = std::min({region->second, pc, i.target});
    }
    std::vector<std::uint64_t> moved(length + 1);  // where the old PC is now, its wait and join included
    for (std::uint64_t pc = 0; pc < length; ++pc) {
      const FlowProgram::Instruction& i = from.at(pc);
      moved[pc] = program.size();
      if (first_.count(pc) != 0) program.barrier("", BarrierOp::Wait, level(pc));
      if (i.kind == Kind::Branch && i.rpc != nothing) program.barrier("", BarrierOp::Join, level(i.rpc));
      if (i.kind == Kind::Branch && i.back && dice() % 2 == 0) program.barrier("", BarrierOp::Yield, 0);
      switch (i.kind) {
        case Kind::Plain:
          program.plain("");
          break;
        case Kind::Exit:
        case Kind::ExitAll:
          program.leave("", i.kind == Kind::ExitAll);
          break;
        default:
          program.at(program.branch("", i.target, i.rpc, i.kind == Kind::Jump)).back = i.back;
          break;
      }
    }
    for (std::uint64_t pc = 0; pc < program.size(); ++pc) {
      Instruction& i = program.at(pc);
      if (i.kind != Instruction::Kind::Branch) continue;
      i.target = moved[i.target];
      i.rpc = i.always || i.rpc == nothing ? nothing : moved[i.rpc];
    }
  }

  BarrierProgram program;
  unsigned levels() const {
    unsigned most = 0;
    for (const auto& region : first_) most = std::max(most, level(region.first) + 1);
    return most;
  }

 private:
  /// How many regions lie around the one that ends here.
  unsigned level(std::uint64_t end) const {
    unsigned around = 0;
    for (const auto& [other, first] : first_) {
      around += other != end && first <= first_.at(end) && other >= end ? 1 : 0;
    }
    return around;
  }

  std::map<std::uint64_t, std::uint64_t> first_;  ///< of the region that ends at the key
};

}  // namespace heddle::bench
