#include "sim/gpu/oracle_device.h"

namespace heddle::gpu {

void OracleDevice::execute(const Launch& launch) {
  ++launches_;
  thread_instructions_ += isa::run_oracle(launch, memory_, options_);
}

}  // namespace heddle::gpu
