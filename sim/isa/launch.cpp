// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/launch.h"

#include <cstring>
#include <fmt/format.h>

#include "sim/isa/execution_error.h"

namespace heddle::isa {

std::uint64_t shared_bytes(const Launch& launch) {
  return std::uint64_t{launch.program->shared_bytes} + launch.dynamic_shared;
}

namespace {

void check_sizes(const Program& program, const char* what, const Dim3& size, const Dim3& limit) {
  const unsigned sizes[] = {size.x, size.y, size.z}, limits[] = {limit.x, limit.y, limit.z};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (sizes[axis] != 0 && sizes[axis] <= limits[axis]) continue;
    throw ExecutionError(ErrorCode::InvalidConfiguration,
                         fmt::format("kernel {}: the {} is {} in {}, expected 1 to {}", program.name, what, sizes[axis],
                                     "xyz"[axis], limits[axis]));
  }
}

}  // namespace

void check(const Launch& launch) {
  const Program& program = *launch.program;
  check_sizes(program, "grid", launch.grid, MaxGrid);
  check_sizes(program, "block", launch.block, MaxBlock);
  const std::uint64_t threads = launch.block.count();
  if (threads > MaxThreadsPerBlock) {
    throw ExecutionError(
        ErrorCode::InvalidConfiguration,
        fmt::format("kernel {}: a block has {} threads, expected 1 to {}", program.name, threads, MaxThreadsPerBlock));
  }
  const auto [x, y, z] = program.block;
  if (x != 0 && (launch.block.x != x || launch.block.y != y || launch.block.z != z)) {
    throw ExecutionError(ErrorCode::InvalidConfiguration,
                         fmt::format("kernel {}: the block is ({},{},{}), its .reqntid asks for ({},{},{})",
                                     program.name, launch.block.x, launch.block.y, launch.block.z, x, y, z));
  }
  if (program.max_threads != 0 && threads > program.max_threads) {
    throw ExecutionError(ErrorCode::InvalidConfiguration,
                         fmt::format("kernel {}: a block has {} threads, its .maxntid allows {}", program.name, threads,
                                     program.max_threads));
  }
  if (program.local_bytes > MaxLocalBytes) {
    throw ExecutionError(ErrorCode::OutOfResources, fmt::format("kernel {} needs {} bytes of local memory a thread, "
                                                                "expected at most {}",
                                                                program.name, program.local_bytes, MaxLocalBytes));
  }
  const std::size_t bytes = launch.is_linked ? program.block_bytes() : program.parameter_bytes;
  if (launch.parameters.size() != bytes) {
    throw ExecutionError(ErrorCode::InvalidArguments,
                         fmt::format("kernel {}: {} bytes of arguments, expected {} bytes for {} parameters",
                                     program.name, launch.parameters.size(), bytes, program.parameters.size()));
  }
}

void ParameterBlock::add_bytes(const void* argument, std::size_t bytes) {
  if (next_ == program_.parameters.size()) {
    throw ExecutionError(ErrorCode::InvalidArguments,
                         fmt::format("kernel {}: more than {} arguments", program_.name, program_.parameters.size()));
  }
  const Parameter& parameter = program_.parameters[next_];
  if (parameter.bytes != bytes) {
    throw ExecutionError(ErrorCode::InvalidArguments,
                         fmt::format("kernel {}: argument {} ({}) has {} bytes, expected {}", program_.name, next_,
                                     parameter.name, bytes, parameter.bytes));
  }
  std::memcpy(bytes_.data() + parameter.offset, argument, bytes);
  ++next_;
}

std::vector<std::byte> ParameterBlock::finish() const {
  if (next_ != program_.parameters.size()) {
    throw ExecutionError(ErrorCode::InvalidArguments, fmt::format("kernel {}: {} arguments, expected {}", program_.name,
                                                                  next_, program_.parameters.size()));
  }
  return bytes_;
}

}  // namespace heddle::isa
