// A device as a host program sees it: memory and launches. The oracle and the timed GPU are both one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/gpu/execution_error.h"
#include "sim/isa/launch.h"

namespace heddle::gpu {

using isa::Dim3;
using isa::Launch;

class Device {
 public:
  virtual ~Device() = default;

  virtual std::uint64_t allocate(std::size_t bytes) = 0;
  virtual void write(std::uint64_t address, const void* from, std::size_t bytes) = 0;
  virtual void read(std::uint64_t address, void* to, std::size_t bytes) const = 0;
  /// Runs to the end; throws ExecutionError.
  virtual void launch(const Launch& launch) = 0;
};

/// Allocates a buffer for the values and copies them there.
template <class T>
std::uint64_t upload(Device& device, const std::vector<T>& values) {
  const std::uint64_t address = device.allocate(values.size() * sizeof(T));
  device.write(address, values.data(), values.size() * sizeof(T));
  return address;
}

template <class T>
std::vector<T> download(const Device& device, std::uint64_t address, std::size_t count) {
  std::vector<T> values(count);
  device.read(address, values.data(), count * sizeof(T));
  return values;
}

/// Launches with arguments checked against the program's parameters, in their order and width.
template <class... Arguments>
void launch(Device& device, const isa::Program& program, const Dim3& grid, const Dim3& block,
            const Arguments&... arguments) {
  isa::ParameterBlock parameters(program);
  (parameters.add(arguments), ...);
  device.launch({&program, grid, block, parameters.finish()});
}

}  // namespace heddle::gpu
