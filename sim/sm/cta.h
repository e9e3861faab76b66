// The CTAs that are resident in one SM: their launch, coordinates, shared memory and barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/execution_error.h"
#include "sim/isa/launch.h"

namespace heddle {

/// `bytes` bytes of the launch's parameter block.
std::uint64_t parameter(const isa::Launch& launch, unsigned offset, unsigned bytes);

inline unsigned threads_per_cta(const isa::Launch& launch) {
  return static_cast<unsigned>(launch.block.count());
}

struct Cta {
  bool used = false;
  isa::Dim3 index{0, 0, 0};
  unsigned live = 0;        ///< threads that have not exited
  unsigned waiting = 0;     ///< threads at the barrier
  unsigned warps_left = 0;  ///< warp slots not yet given back
  std::vector<std::uint8_t> shared;
};

/// The value of a special register for one thread.
struct ThreadCoordinates {
  const isa::Launch* launch;
  isa::Dim3 cta;
  unsigned warp_in_cta, first_thread;  ///< of the warp: its number and the linear index of its lane 0
  std::uint64_t cycle;                 ///< what clocks say; a nanosecond a cycle (ours)
};

void special_register(isa::SpecialRegister which, const ThreadCoordinates& at, unsigned lanes, isa::LaneValues& out);

}  // namespace heddle
