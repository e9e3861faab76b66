// SPDX-License-Identifier: Apache-2.0
// A GPU of NVIDIA's as a device of ours: the same drivers that run a kernel on the oracle and on the timed SM run it there,
// from the same PTX, which the GPU's own compiler takes.
#pragma once

#include <map>
#include <string>

#include "sim/gpu/device.h"
#include "studies/silicon/cuda_driver.h"

namespace heddle::silicon {

class CudaDevice : public gpu::Device {
 public:
  /// The first GPU. \throws CudaError where there is none
  explicit CudaDevice(const CudaDriver& driver);

  /// Zeros, as on our devices.
  std::uint64_t allocate(std::size_t bytes) override;
  void write(std::uint64_t address, const void* from, std::size_t bytes) override;
  void read(std::uint64_t address, void* to, std::size_t bytes) const override;

  const std::string& name() const { return name_; }
  unsigned launches() const { return launches_; }

 private:
  void execute(const gpu::Launch& launch) override;
  std::vector<std::uint64_t> place(const isa::Program& program) override;
  CudaHandle module_of(const std::string& file);

  CudaDriver driver_;
  std::string name_;
  std::map<std::string, CudaHandle> modules_;  // by PTX file
  unsigned launches_ = 0;
};

}  // namespace heddle::silicon
