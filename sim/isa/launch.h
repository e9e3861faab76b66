// SPDX-License-Identifier: Apache-2.0
// A kernel launch: program, grid, block and the bytes of its parameters, as the oracle and the SM take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle::isa {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// The coordinates of the index-th element of a box, x fastest.
inline Dim3 coordinates(std::uint64_t index, const Dim3& box) {
  return {static_cast<unsigned>(index % box.x), static_cast<unsigned>(index / box.x % box.y),
          static_cast<unsigned>(index / box.x / box.y)};
}

/// CUDA's limits since compute capability 3.0.
constexpr unsigned MaxThreadsPerBlock = 1024;
constexpr Dim3 MaxBlock{1024, 1024, 64}, MaxGrid{0x7fffffff, 65535, 65535};
constexpr unsigned MaxLocalBytes = 512 * 1024;  // a thread, as on CUDA devices

class Console;

struct Launch {
  const Program* program = nullptr;
  Dim3 grid, block;
  std::vector<std::byte> parameters;  // laid out as program->parameters says
  unsigned dynamic_shared = 0;        // bytes a block behind the program's own shared memory

  // By the device: the parameters are followed by the hidden ones; the number of this launch on the device.
  bool is_linked = false;
  std::uint64_t grid_id = 0;
  Console* console = nullptr;  // what printf and assert of its threads talk to
};

/// Bytes of shared memory a block: the program's and the launch's.
std::uint64_t shared_bytes(const Launch& launch);

/// Throws ExecutionError if the grid or the block is empty or too large, or the parameters do not fit the program.
void check(const Launch& launch);

/// Appends arguments with the alignment of the program's parameters and checks their number and width.
class ParameterBlock {
 public:
  explicit ParameterBlock(const Program& program) : program_(program), bytes_(program.parameter_bytes) {}

  template <class T>
  ParameterBlock& add(const T& argument) {
    add_bytes(&argument, sizeof argument);
    return *this;
  }
  /// The next argument; throws ExecutionError if the program has no such parameter or one of another width.
  void add_bytes(const void* argument, std::size_t bytes);
  /// Throws ExecutionError unless every parameter has its argument.
  std::vector<std::byte> finish() const;

 private:
  const Program& program_;
  std::vector<std::byte> bytes_;
  std::size_t next_ = 0;
};

}  // namespace heddle::isa
