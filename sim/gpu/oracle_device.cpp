// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/oracle_device.h"

namespace heddle::gpu {

void OracleDevice::execute(const Launch& launch) {
  ++launches_;
  const std::clock_t start = std::clock();
  std::uint64_t executed = 0;
  try {
    executed = isa::run_oracle(launch, memory_, watched(executed));
  } catch (const isa::Interrupted&) {
    count(executed, start);
    throw;
  }
  count(executed, start);
}

/// The options, where they have a watch that counts too.
isa::OracleOptions OracleDevice::watched(std::uint64_t& executed) const {
  isa::OracleOptions options = options_;
  if (!options_.watch) return options;
  options.watch = [this, &executed](const isa::LaunchProgress& progress) {
    executed = progress.count;
    return options_.watch(progress);
  };
  return options;
}

void OracleDevice::count(std::uint64_t executed, std::clock_t start) {
  thread_instructions_ += executed;
  launch_seconds_ += double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace heddle::gpu
