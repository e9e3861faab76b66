// SPDX-License-Identifier: Apache-2.0
// Processes of blocks that their owner runs by itself, in one of its own: to start a process, and to tell others of a signal,
// costs the kernel of SystemC as much as many a block's work. Simulator code; benches, and runs with --separate-processes,
// leave each process to the kernel, and count the same.
//
//   step    each block's, at an edge; a step writes signals alone, so that their order is of no matter
//   settle  in the delta cycle behind it: combinational processes, once and in the order in which one's outputs are the
//           next one's inputs; wires between them show at once what is written (link.h)
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace heddle {

class BlockSteps {
 public:
  /// While one lives, the steps of blocks that are made belong to it, and are no processes of the kernel.
  class Collecting {
   public:
    explicit Collecting(BlockSteps& steps);
    ~Collecting();
    Collecting(const Collecting&) = delete;
    Collecting& operator=(const Collecting&) = delete;

   private:
    BlockSteps* const before_;
  };
  /// While one lives, combinational processes of blocks that are made are called by their owner.
  class InOrder {
   public:
    explicit InOrder(bool in_order);
    ~InOrder();
    InOrder(const InOrder&) = delete;
    InOrder& operator=(const InOrder&) = delete;

   private:
    const bool before_;
  };

  /// Null: nobody does.
  static BlockSteps* collects();
  static bool in_order();

  void add_step(std::function<void()> step) { steps_.push_back(std::move(step)); }
  void add_settling(std::function<void()> settle) { settlings_.push_back(std::move(settle)); }
  bool settles() const { return !settlings_.empty(); }

  void step() const {
    for (const std::function<void()>& step : steps_) step();
  }
  void settle() const {
    for (const std::function<void()>& settle : settlings_) settle();
  }

 private:
  std::vector<std::function<void()>> steps_, settlings_;
};

}  // namespace heddle
