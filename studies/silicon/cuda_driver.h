// SPDX-License-Identifier: Apache-2.0
// The few functions of NVIDIA's driver API that a kernel needs, found in its library when the program runs: nothing of CUDA is
// needed to build. Source of names and of what they take: CUDA Driver API reference manual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace heddle::silicon {

using CudaResult = int;             // CUresult; 0: success
using CudaHandle = void*;           // CUcontext, CUmodule, CUfunction, CUstream
using CudaAddress = std::uint64_t;  // CUdeviceptr

/// What the driver said of a call that failed.
class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The entry points, by the names of the manual without `cu`.
struct CudaDriver {
  CudaResult (*Init)(unsigned flags) = nullptr;
  CudaResult (*DeviceGet)(int* device, int ordinal) = nullptr;
  CudaResult (*DeviceGetName)(char* name, int length, int device) = nullptr;
  CudaResult (*CtxCreate)(CudaHandle* context, unsigned flags, int device) = nullptr;
  CudaResult (*ModuleLoadData)(CudaHandle* module, const void* image) = nullptr;
  CudaResult (*ModuleGetFunction)(CudaHandle* function, CudaHandle module, const char* name) = nullptr;
  CudaResult (*ModuleGetGlobal)(CudaAddress* address, std::size_t* bytes, CudaHandle module,
                                const char* name) = nullptr;
  CudaResult (*MemAlloc)(CudaAddress* address, std::size_t bytes) = nullptr;
  CudaResult (*MemsetD8)(CudaAddress address, unsigned char value, std::size_t bytes) = nullptr;
  CudaResult (*MemcpyHtoD)(CudaAddress to, const void* from, std::size_t bytes) = nullptr;
  CudaResult (*MemcpyDtoH)(void* to, CudaAddress from, std::size_t bytes) = nullptr;
  CudaResult (*LaunchKernel)(CudaHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, unsigned shared_bytes, CudaHandle stream,
                             void** parameters, void** extra) = nullptr;
  CudaResult (*CtxSynchronize)() = nullptr;
  CudaResult (*GetErrorString)(CudaResult result, const char** text) = nullptr;

  /// \throws CudaError unless the call was a success
  void check(CudaResult result, const std::string& what) const;
};

/// \param library  libcuda.so.1, which comes with NVIDIA's driver \throws CudaError if it is not there, or has not all of them
CudaDriver load_cuda_driver(const std::string& library);

}  // namespace heddle::silicon
