// SPDX-License-Identifier: Apache-2.0
// The untimed executor: what a program means, thread by thread (DESIGN 2.2).
//
// No warps, no masks, no order but that of each thread: every thread has its own registers and program counter. Threads
// of a block take turns: each runs until it exits, reaches a barrier, has used its quantum, or comes to a branch at which
// it may wait for another one (waiting_branches.h). Blocks take turns too, as many as the machine would hold: a block
// runs until its threads have exited, or one of them has given up its turn in the middle; of a kernel that reads what
// other blocks write, also when its threads have passed barriers for a while. So a block that waits for a later one gets
// on, and blocks that wait for none run one after another. Barriers: cta_barriers.h. Atomics act on memory at once. Registers, shared and local memory start as zeros. Clocks count thread instructions of the launch (ours).
//
// Warp-wide operations: `.sync` ones meet by their mask. A thread waits until every live thread of its warp that the
// mask names is at an operation of the same kind with the same mask, at whatever PC; then all go on. A wait that cannot
// end is an error. Operations without a mask depend on the schedule in CUDA; ours: they are for the lanes that stand at
// one instruction when no lane of the warp can go on, the earliest instruction first.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/isa/launch.h"
#include "sim/isa/launch_progress.h"
#include "tlm/backing_store.h"

namespace heddle::isa {

/// Is told which way each thread goes, and what it accesses.
class PathObserver {
 public:
  virtual ~PathObserver() = default;
  /// A launch begins. \return for each PC whether the observer wants to be told when a thread comes to it
  virtual std::vector<bool> begin(const Launch& launch) = 0;
  /// \param thread  number in the launch, blocks one after another
  virtual void arrive(std::uint64_t thread, Pc pc) = 0;
  /// Behind arrive(), if the instruction accesses memory and its guard holds.
  /// \param address  as the program sees it, in the instruction's space
  virtual void access(std::uint64_t /*thread*/, Pc /*pc*/, std::uint64_t /*address*/) {}
};

struct OracleOptions {
  unsigned lanes = MaxLanes;                  // %laneid = thread index in the block modulo lanes
  std::uint64_t max_thread_instructions = 0;  // a launch; 0: no limit. Checked after each turn of a thread
  std::uint64_t quantum = 10'000;             // thread instructions a turn
  /// Instructions that one thread may execute while no thread of a resident block exits, opens a barrier, stores or
  /// prints; 0: no limit. Checked after each turn of all threads of a block.
  std::uint64_t watchdog = 0;
  PathObserver* observer = nullptr;  // null: none. Stays alive as long as launches do
  /// How many blocks of a launch the machine holds at once; null: ResidentBlocks of them. One begins at least.
  std::function<std::uint64_t(const Launch&)> resident = nullptr;
  static constexpr std::uint64_t ResidentBlocks = 128;
  /// Called after each turn of a block; once it returns false the launch ends with Interrupted. Null: none.
  std::function<bool(const LaunchProgress&)> watch = nullptr;
};

/// Runs the launch to its end and returns how many thread instructions it executed, guarded-off ones included.
/// Throws ExecutionError, and Interrupted.
std::uint64_t run_oracle(const Launch& launch, BackingStore& memory, const OracleOptions& options = {});

}  // namespace heddle::isa
