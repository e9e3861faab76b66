// The cycle that an edge of the core's clock ends.
#pragma once

#include <cstdint>

#include "sim/sm/clock_gate.h"

namespace heddle {

inline std::uint64_t core_cycle() {
  return sc_core::sc_time_stamp().value() / core_cycles(1).value() - 1;
}

}  // namespace heddle
