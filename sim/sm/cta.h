// The CTAs that are resident in one SM: their launch, coordinates, shared memory and barriers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/cta_barriers.h"
#include "sim/isa/execution_error.h"
#include "sim/isa/launch.h"

namespace heddle {

/// `bytes` bytes of the launch's parameter block.
std::uint64_t parameter(const isa::Launch& launch, unsigned offset, unsigned bytes);

inline unsigned threads_per_cta(const isa::Launch& launch) {
  return static_cast<unsigned>(launch.block.count());
}

/// A barrier instruction with a result, in flight until the barrier opens.
struct PendingReduction {
  unsigned barrier = 0, token = 0;
};

struct Cta {
  bool used = false;
  isa::Dim3 index{0, 0, 0};
  unsigned warps_left = 0;  ///< warp slots not yet given back
  isa::CtaBarriers barriers;
  std::vector<PendingReduction> reductions;  ///< that wait for their barrier to open
  std::vector<std::uint8_t> shared;
};

/// Which SM of the GPU this is, of how many.
struct SmPlace {
  unsigned number = 0, sms = 1;
};

/// The value of a special register for one thread.
struct ThreadCoordinates {
  const isa::Launch* launch;
  isa::Dim3 cta;
  unsigned warp_in_cta, first_thread;  ///< of the warp: its number and the linear index of its lane 0
  std::uint64_t cycle;                 ///< what clocks say; a nanosecond a cycle (ours)
  SmPlace sm;
};

void special_register(isa::SpecialRegister which, const ThreadCoordinates& at, unsigned lanes, isa::LaneValues& out);

}  // namespace heddle
