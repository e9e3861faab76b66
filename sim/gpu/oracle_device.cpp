// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/oracle_device.h"

#include <ctime>

namespace heddle::gpu {

void OracleDevice::execute(const Launch& launch) {
  ++launches_;
  const std::clock_t start = std::clock();
  thread_instructions_ += isa::run_oracle(launch, memory_, options_);
  launch_seconds_ += double(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace heddle::gpu
