// SPDX-License-Identifier: Apache-2.0
// The untimed executor: what a program means, thread by thread (DESIGN 2.2).
//
// No warps, no masks, no order but that of each thread: every thread has its own registers and program counter. Blocks
// run one after another. Threads of a block take turns: each runs until it exits, reaches a barrier, or has used its
// quantum, so that a thread that spins on another makes progress. Barriers: cta_barriers.h. Atomics act on memory at
// once. Registers, shared and local memory start as zeros. Clocks count thread instructions of the launch (ours).
//
// Warp-wide operations: `.sync` ones meet by their mask. A thread waits until every live thread of its warp that the
// mask names is at an operation of the same kind with the same mask, at whatever PC; then all go on. A wait that cannot
// end is an error. Operations without a mask depend on the schedule in CUDA; ours: they are for the lanes that stand at
// one instruction when no lane of the warp can go on, the earliest instruction first.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/launch.h"
#include "tlm/backing_store.h"

namespace heddle::isa {

/// Is told which way each thread goes.
class PathObserver {
 public:
  virtual ~PathObserver() = default;
  /// A launch begins. \return for each PC whether the observer wants to be told when a thread comes to it
  virtual std::vector<bool> begin(const Launch& launch) = 0;
  /// \param thread  number in the launch, blocks one after another
  virtual void arrive(std::uint64_t thread, Pc pc) = 0;
};

struct OracleOptions {
  unsigned lanes = MaxLanes;                  // %laneid = thread index in the block modulo lanes
  std::uint64_t max_thread_instructions = 0;  // a launch; 0: no limit. Checked after each turn of a thread
  std::uint64_t quantum = 10'000;             // thread instructions a turn
  /// Instructions that one thread may execute while nobody of its block exits, opens a barrier, stores or prints; 0: no
  /// limit. Checked after each turn of all threads.
  std::uint64_t watchdog = 0;
  PathObserver* observer = nullptr;  // null: none. Stays alive as long as launches do
};

/// Runs the launch to its end and returns how many thread instructions it executed, guarded-off ones included.
/// Throws ExecutionError.
std::uint64_t run_oracle(const Launch& launch, BackingStore& memory, const OracleOptions& options = {});

}  // namespace heddle::isa
