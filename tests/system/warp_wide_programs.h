// SPDX-License-Identifier: Apache-2.0
// Programs with warp-wide operations and barriers, with what each thread must have at the end by the host's own
// computation: for the oracle and for the timed SM.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/compiler/options.h"
#include "sim/isa/instruction.h"

namespace heddle::tests {

using FourWords = std::array<std::uint32_t, 4>;

/// What thread t of one block leaves in its four words.
struct WarpWideCase {
  std::string name, body;
  unsigned threads = 72;  // two warps and a quarter
  std::function<FourWords(unsigned thread)> expected;
};

/// A program that ends in an error. `oracle` and `stack` are parts of the messages; empty: that one is not asked.
struct WarpWideError {
  std::string name, body;
  unsigned threads = 64;
  std::string oracle, stack;
};

const std::vector<WarpWideCase>& warp_wide_cases();
const std::vector<WarpWideError>& warp_wide_errors();

/// The entry k(.param .u64 p) around a body. There %t is the thread, %l its lane, %w its warp, %v its value below; what
/// is in %o0 to %o3 at the end (zeros at first) goes to its four words at p. `tile` is shared memory of 4096 bytes.
/// \param machine  what the device that runs it wants to be told
isa::Program warp_wide_program(const std::string& body, const compiler::MachineOptions& machine = {});

inline std::uint32_t value_of(unsigned thread) {
  return thread * 0x9e3779b1U;
}

}  // namespace heddle::tests
