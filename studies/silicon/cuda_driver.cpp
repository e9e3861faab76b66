// SPDX-License-Identifier: Apache-2.0
#include "studies/silicon/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace heddle::silicon {
namespace {

template <class Function>
void find(void* library, const std::string& file, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw CudaError(fmt::format("{} has no {}: it is no driver of NVIDIA's", file, name));
}

}  // namespace

void CudaDriver::check(CudaResult result, const std::string& what) const {
  if (result == 0) return;
  const char* text = nullptr;
  GetErrorString(result, &text);
  throw CudaError(fmt::format("{}: {} (CUresult {})", what, text == nullptr ? "unknown error" : text, result));
}

CudaDriver load_cuda_driver(const std::string& library) {
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    throw CudaError(fmt::format("{}; expected NVIDIA's driver, which a machine with one of its GPUs has", ::dlerror()));
  }
  CudaDriver driver;
  find(loaded, library, "cuInit", driver.Init);
  find(loaded, library, "cuDeviceGet", driver.DeviceGet);
  find(loaded, library, "cuDeviceGetName", driver.DeviceGetName);
  find(loaded, library, "cuCtxCreate_v2", driver.CtxCreate);
  find(loaded, library, "cuModuleLoadData", driver.ModuleLoadData);
  find(loaded, library, "cuModuleGetFunction", driver.ModuleGetFunction);
  find(loaded, library, "cuModuleGetGlobal_v2", driver.ModuleGetGlobal);
  find(loaded, library, "cuMemAlloc_v2", driver.MemAlloc);
  find(loaded, library, "cuMemsetD8_v2", driver.MemsetD8);
  find(loaded, library, "cuMemcpyHtoD_v2", driver.MemcpyHtoD);
  find(loaded, library, "cuMemcpyDtoH_v2", driver.MemcpyDtoH);
  find(loaded, library, "cuLaunchKernel", driver.LaunchKernel);
  find(loaded, library, "cuCtxSynchronize", driver.CtxSynchronize);
  find(loaded, library, "cuGetErrorString", driver.GetErrorString);
  return driver;
}

}  // namespace heddle::silicon
