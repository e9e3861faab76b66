// SPDX-License-Identifier: Apache-2.0
// What a device memory counts, a channel of DRAM or a fixed-latency one.
#pragma once

#include <cstdint>

namespace heddle {

struct DramCounters {
  std::uint64_t reads = 0;  // requests
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;
  std::uint64_t bytes = 0;        // on the data bus
  std::uint64_t stalls = 0;       // requests whose END_REQ was held back
  std::uint64_t activations = 0;  // rows opened
  std::uint64_t row_hits = 0;     // requests that found their row open

  DramCounters& operator+=(const DramCounters& other) {
    reads += other.reads;
    writes += other.writes;
    atomics += other.atomics;
    bytes += other.bytes;
    stalls += other.stalls;
    activations += other.activations;
    row_hits += other.row_hits;
    return *this;
  }
};

}  // namespace heddle
