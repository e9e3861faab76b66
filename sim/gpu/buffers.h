// SPDX-License-Identifier: Apache-2.0
// Buffers and variables of a user's kernel, and how they are compared with the oracle's after a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gpu/device.h"

namespace heddle::gpu {

enum class BufferOrder : std::uint8_t {
  Exact,   ///< byte by byte
  Sorted,  ///< the same 32-bit words, in whatever order
  Ignored  ///< not at all
};

struct Buffer {
  std::string key;   ///< what --check calls it: "0", "tickets"
  std::string name;  ///< "argument 0 (out)", "variable tickets"
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  BufferOrder order = BufferOrder::Exact;
};
using Buffers = std::vector<Buffer>;

/// "sorted" or "none"; \throws std::invalid_argument naming the option for another word
BufferOrder parse_order(const std::string& option, const std::string& word);

/// Makes those whose order does not count the same bytes in both memories, where they are equal in that sense.
/// \return what differs; empty: nothing
std::string make_canonical(const Buffers& buffers, Device& oracle, Device& timed);

/// ", argument 0 (out), byte 16"; empty where the address lies in none of them.
std::string place_of(const Buffers& buffers, std::uint64_t address);

/// For a user whose kernel differs from the oracle.
constexpr const char* OrderAdvice =
    "the oracle's order of threads is one of many: where a result depends on their order by design (tickets by "
    "atomics), "
    "say so with --check INDEX=sorted or --check INDEX=none";

}  // namespace heddle::gpu
