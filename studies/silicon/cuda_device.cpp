// SPDX-License-Identifier: Apache-2.0
#include "studies/silicon/cuda_device.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace heddle::silicon {
namespace {

// CU_LAUNCH_PARAM_*: the arguments as the bytes that a kernel has them in.
void* const ArgumentBytes = reinterpret_cast<void*>(1);
void* const ArgumentSize = reinterpret_cast<void*>(2);

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw CudaError(fmt::format("{}: cannot be read", file));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

CudaDevice::CudaDevice(const CudaDriver& driver) : driver_(driver) {
  driver_.check(driver_.Init(0), "no GPU of NVIDIA's");
  int device = 0;
  driver_.check(driver_.DeviceGet(&device, 0), "no GPU of NVIDIA's");
  std::array<char, 256> name{};
  driver_.check(driver_.DeviceGetName(name.data(), static_cast<int>(name.size()), device), "the GPU's name");
  name_ = name.data();
  CudaHandle context = nullptr;
  driver_.check(driver_.CtxCreate(&context, 0, device), fmt::format("a context on {}", name_));
}

std::uint64_t CudaDevice::allocate(std::size_t bytes) {
  CudaAddress address = 0;
  driver_.check(driver_.MemAlloc(&address, bytes), fmt::format("{} bytes of device memory", bytes));
  driver_.check(driver_.MemsetD8(address, 0, bytes), fmt::format("{} bytes of device memory", bytes));
  return address;
}

void CudaDevice::write(std::uint64_t address, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  driver_.check(driver_.MemcpyHtoD(address, from, bytes), fmt::format("{} bytes to the device", bytes));
}

void CudaDevice::read(std::uint64_t address, void* to, std::size_t bytes) const {
  if (bytes == 0) return;
  driver_.check(driver_.MemcpyDtoH(to, address, bytes), fmt::format("{} bytes from the device", bytes));
}

CudaHandle CudaDevice::module_of(const std::string& file) {
  const auto [found, is_new] = modules_.try_emplace(file, nullptr);
  if (is_new) {
    const std::string ptx = text_of(file);
    driver_.check(driver_.ModuleLoadData(&found->second, ptx.c_str()), fmt::format("{}: the GPU's compiler", file));
  }
  return found->second;
}

std::vector<std::uint64_t> CudaDevice::place(const isa::Program& program) {
  std::vector<std::uint64_t> addresses;
  for (const isa::GlobalVariable& variable : program.globals->variables) {
    if (variable.is_texture)
      throw CudaError(fmt::format("{}: texture {}: no kernel of the suite has one", program.file, variable.name));
    std::size_t bytes = 0;
    addresses.push_back(0);
    driver_.check(driver_.ModuleGetGlobal(&addresses.back(), &bytes, module_of(program.file), variable.name.c_str()),
                  fmt::format("{}: variable {}", program.file, variable.name));
  }
  return addresses;
}

void CudaDevice::execute(const gpu::Launch& launch) {
  const isa::Program& program = *launch.program;
  const std::string what = fmt::format("kernel {} of {}", program.name, program.file);
  CudaHandle function = nullptr;
  driver_.check(driver_.ModuleGetFunction(&function, module_of(program.file), program.name.c_str()), what);
  std::vector<std::byte> arguments(launch.parameters.begin(), launch.parameters.begin() + program.parameter_bytes);
  std::size_t bytes = arguments.size();  // what our compiler adds behind them is its own
  std::array<void*, 5> extra{ArgumentBytes, arguments.data(), ArgumentSize, &bytes, nullptr};
  driver_.check(
      driver_.LaunchKernel(function, launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y,
                           launch.block.z, launch.dynamic_shared, nullptr, nullptr, extra.data()),
      what);
  driver_.check(driver_.CtxSynchronize(), what);
  ++launches_;
}

}  // namespace heddle::silicon
