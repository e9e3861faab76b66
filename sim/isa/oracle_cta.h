// SPDX-License-Identifier: Apache-2.0
// A block that the oracle has begun and not ended: its threads, their frames and their memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/cta_barriers.h"
#include "sim/isa/launch.h"
#include "sim/isa/warp_meeting.h"

namespace heddle::isa {

struct OracleCta {
  struct Thread {
    /// Yields: it is ready, and has given up its turn.
    enum class State : std::uint8_t { Ready, Yields, AtBarrier, AtMeeting, Exited };
    Pc pc = 0;  ///< of a thread that waits: the instruction at which it does
    State state = State::Ready;
  };

  std::uint64_t number = 0;  ///< in the launch
  Dim3 index;
  std::vector<std::uint32_t> frames;  ///< of all threads: registers, predicates, carry, special registers
  std::vector<Thread> threads;
  CtaBarriers barriers;
  std::vector<WarpMeeting> meetings;
  unsigned meeting_threads = 0;  ///< that wait at a warp-wide operation
  std::vector<std::uint8_t> shared, local;
  std::uint64_t without_progress = 0;  ///< instructions of a thread since progress was seen
  std::uint64_t progress_seen = 0;     ///< of all resident blocks, when its turn ended
};

}  // namespace heddle::isa
