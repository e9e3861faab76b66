// SPDX-License-Identifier: Apache-2.0
// A device as a host program sees it: memory and launches. The oracle and the timed GPU are both one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/compiler/options.h"
#include "sim/gpu/execution_error.h"
#include "sim/gpu/texture.h"
#include "sim/isa/console.h"
#include "sim/isa/launch.h"

namespace heddle::gpu {

using isa::Dim3;
using isa::Launch;

class Device {
 public:
  Device();
  Device(const Device&) = delete;  // the console points here
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual std::uint64_t allocate(std::size_t bytes) = 0;
  virtual void write(std::uint64_t address, const void* from, std::size_t bytes) = 0;
  virtual void read(std::uint64_t address, void* to, std::size_t bytes) const = 0;

  /// Loads the program's module if this is its first use, runs to the end; throws ExecutionError.
  void launch(const Launch& launch);

  /// The address of a .global or .const variable, as cudaGetSymbolAddress gives it: to read and write its value between
  /// launches. Loads the program's module if this is its first use. Programs of one ProgramLibrary share their
  /// variables; the values stay as long as the device. \throws ExecutionError if there is no such variable.
  std::uint64_t address_of(const isa::Program& program, const std::string& variable);

  /// What fetches from a texture reference of the program's module read from now on, until it is bound again. A launch
  /// of a kernel that names one which was never bound is an error. \throws ExecutionError if there is no such texture
  /// reference, and as descriptor_of does.
  void bind_texture(const isa::Program& program, const std::string& reference, const Texture& texture);

  /// A handle for bindless fetches, which stays as long as the device. \throws ExecutionError as descriptor_of does.
  std::uint64_t make_texture(const Texture& texture);

  /// How programs for this device are compiled.
  virtual compiler::MachineOptions machine() const { return {}; }

  /// What threads have printed so far, in the order in which they did.
  const std::string& printed() const { return printed_; }
  /// Where that goes as well, at once: standard output if nothing else is said, null for nowhere.
  void print_to(std::ostream* out) { print_to_ = out; }

 protected:
  /// A launch that is checked and linked.
  virtual void execute(const Launch& launch) = 0;
  /// Where the variables of the program's module lie, in their order, with their initial values there. Called once a module.
  virtual std::vector<std::uint64_t> place(const isa::Program& program);

 private:
  void check_texture(const isa::Program& program, unsigned variable, std::uint64_t address) const;
  const std::vector<std::uint64_t>& load(const isa::Program& program);
  std::uint64_t copy_parameters(const Launch& launch);
  Launch link(const Launch& launch);

  std::map<std::shared_ptr<const isa::GlobalData>, std::vector<std::uint64_t>> modules_;  // addresses of variables
  std::set<std::uint64_t> bound_textures_;                                                // addresses of references
  std::uint64_t parameters_ = 0;  // a copy for kernels that take the address of a parameter
  std::size_t parameter_bytes_ = 0;
  std::uint64_t grids_ = 0;
  std::string printed_;
  std::ostream* print_to_;
  isa::Console console_;
};

/// The address that upload() gives. Of two uploads among the arguments of one call the compiler decides which comes
/// first, and with it where both lie and what the caches do: launch() takes one at most, others have names.
class Uploaded {
 public:
  explicit Uploaded(std::uint64_t address) : address_(address) {}
  operator std::uint64_t() const { return address_; }

 private:
  std::uint64_t address_;
};

/// Whether arguments of these types, as a forwarding reference has them, lie where they do with any compiler.
template <class... Arguments>
constexpr bool HasOneOrder = (0 + ... + int{std::is_same_v<Arguments, Uploaded>}) <= 1;

inline std::uint64_t as_argument(const Uploaded& uploaded) {
  return uploaded;
}
template <class T>
const T& as_argument(const T& value) {
  return value;
}

/// Allocates a buffer for the values and copies them there.
template <class T>
Uploaded upload(Device& device, const std::vector<T>& values) {
  const std::uint64_t address = device.allocate(values.size() * sizeof(T));
  device.write(address, values.data(), values.size() * sizeof(T));
  return Uploaded(address);
}

template <class T>
std::vector<T> download(const Device& device, std::uint64_t address, std::size_t count) {
  std::vector<T> values(count);
  device.read(address, values.data(), count * sizeof(T));
  return values;
}

/// Shared memory that a launch adds to the program's own, a block.
struct SharedBytes {
  unsigned bytes = 0;
};

/// Launches with arguments checked against the program's parameters, in their order and width.
template <class... Arguments>
void launch(Device& device, const isa::Program& program, const Dim3& grid, const Dim3& block, SharedBytes shared,
            Arguments&&... arguments) {
  static_assert(HasOneOrder<Arguments...>, "several uploads among the arguments: give them names, in their order");
  isa::ParameterBlock parameters(program);
  (parameters.add(as_argument(arguments)), ...);
  Launch launch{&program, grid, block, parameters.finish()};
  launch.dynamic_shared = shared.bytes;
  device.launch(launch);
}

template <class... Arguments>
void launch(Device& device, const isa::Program& program, const Dim3& grid, const Dim3& block,
            Arguments&&... arguments) {
  launch(device, program, grid, block, SharedBytes{}, std::forward<Arguments>(arguments)...);
}

}  // namespace heddle::gpu
