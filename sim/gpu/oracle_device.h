// SPDX-License-Identifier: Apache-2.0
// A device that runs kernels on the untimed oracle: the reference for every timed one.
#pragma once

#include <ctime>

#include "sim/gpu/device.h"
#include "sim/isa/oracle.h"
#include "tlm/backing_store.h"

namespace heddle::gpu {

class OracleDevice : public Device {
 public:
  /// \param machine  whose programs it runs; it needs nothing of it
  explicit OracleDevice(const isa::OracleOptions& options = {}, const compiler::MachineOptions& machine = {})
      : options_(options), machine_(machine) {}

  std::uint64_t allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void write(std::uint64_t address, const void* from, std::size_t bytes) override {
    memory_.write(address, from, bytes);
  }
  void read(std::uint64_t address, void* to, std::size_t bytes) const override { memory_.read(address, to, bytes); }

  compiler::MachineOptions machine() const override { return machine_; }

  const BackingStore& memory() const { return memory_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }  // of all launches
  unsigned launches() const { return launches_; }
  double launch_seconds() const { return launch_seconds_; }  // CPU seconds inside launches

 private:
  void execute(const Launch& launch) override;
  isa::OracleOptions watched(std::uint64_t& executed) const;
  void count(std::uint64_t executed, std::clock_t start);

  isa::OracleOptions options_;
  compiler::MachineOptions machine_;
  BackingStore memory_;
  std::uint64_t thread_instructions_ = 0;
  unsigned launches_ = 0;
  double launch_seconds_ = 0;
};

}  // namespace heddle::gpu
