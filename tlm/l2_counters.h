// SPDX-License-Identifier: Apache-2.0
// What an L2 partition counts, or all of them.
#pragma once

#include <cstdint>

namespace heddle {

struct L2Counters {
  std::uint64_t accesses = 0;      // loads + stores + atomics
  std::uint64_t hits = 0;          // loads, stores and atomics to a line that is present, with the bytes that they need
  std::uint64_t misses = 0;        // loads and atomics that started a fetch
  std::uint64_t merges = 0;        // requests that joined a fetch
  std::uint64_t write_misses = 0;  // stores that took a line
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;
  std::uint64_t evictions = 0;
  std::uint64_t write_backs = 0;  // evictions of dirty lines
  // Requests held back, by the first reason.
  std::uint64_t stalls_mshr = 0;
  std::uint64_t stalls_targets = 0;
  std::uint64_t stalls_ways = 0;
  std::uint64_t stalls_queue = 0;
  std::uint64_t stalls_replies = 0;

  std::uint64_t stalls() const { return stalls_mshr + stalls_targets + stalls_ways + stalls_queue + stalls_replies; }

  L2Counters& operator+=(const L2Counters& other) {
    accesses += other.accesses;
    hits += other.hits;
    misses += other.misses;
    merges += other.merges;
    write_misses += other.write_misses;
    writes += other.writes;
    atomics += other.atomics;
    evictions += other.evictions;
    write_backs += other.write_backs;
    stalls_mshr += other.stalls_mshr;
    stalls_targets += other.stalls_targets;
    stalls_ways += other.stalls_ways;
    stalls_queue += other.stalls_queue;
    stalls_replies += other.stalls_replies;
    return *this;
  }
};

}  // namespace heddle
