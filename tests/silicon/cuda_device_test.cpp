// SPDX-License-Identifier: Apache-2.0
// The suite on a GPU, where none is: the driver's functions stand before the oracle here. What this sees is ours: which of them
// are called, in which order, with which bytes. What a GPU makes of our PTX it cannot see.
#include "studies/silicon/cuda_device.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <iostream>

#include "sim/compiler/compile.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/gpu/oracle_device.h"
#include "sim/gpu/run.h"
#include "sim/ptx/parser.h"
#include "tests/kit/part.h"

namespace compiler = heddle::compiler;
namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
namespace silicon = heddle::silicon;
using silicon::CudaAddress;
using silicon::CudaHandle;
using silicon::CudaResult;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr CudaResult NoDevice = 100, InvalidImage = 200, NotFound = 500;

/// A driver with one GPU, which is an oracle.
struct Gpu {
  struct Module {
    heddle::ptx::Module text;
    std::shared_ptr<const isa::GlobalData> globals;
    std::deque<isa::Program> programs;
  };
  gpu::OracleDevice oracle;
  std::deque<Module> modules;
  std::vector<std::string> kernels;  // that were launched
  bool is_there = true;
  bool flips_a_bit = false;  // in what is read back
};

Gpu* now = nullptr;  // functions of C know no object

silicon::CudaDriver driver() {
  silicon::CudaDriver fake;
  fake.Init = [](unsigned) { return now->is_there ? 0 : NoDevice; };
  fake.DeviceGet = [](int* device, int ordinal) {
    *device = ordinal + 7;
    return 0;
  };
  fake.DeviceGetName = [](char* name, int length, int device) {
    std::snprintf(name, std::size_t(length), "oracle %d", device);
    return 0;
  };
  fake.CtxCreate = [](CudaHandle* context, unsigned, int) {
    *context = now;
    return 0;
  };
  fake.ModuleLoadData = [](CudaHandle* module, const void* image) {
    try {
      Gpu::Module loaded{heddle::ptx::parse(static_cast<const char*>(image), "image"), nullptr, {}};
      loaded.globals = compiler::global_data(loaded.text);
      now->modules.push_back(std::move(loaded));
    } catch (const heddle::ptx::Error&) { return InvalidImage; }
    *module = &now->modules.back();
    return 0;
  };
  fake.ModuleGetFunction = [](CudaHandle* function, CudaHandle module, const char* name) {
    auto& its = *static_cast<Gpu::Module*>(module);
    if (its.text.find(name) == nullptr) return NotFound;
    its.programs.push_back(compiler::compile(its.text, name, its.globals));
    *function = &its.programs.back();
    return 0;
  };
  fake.ModuleGetGlobal = [](CudaAddress* address, std::size_t* bytes, CudaHandle module, const char* name) {
    auto& its = *static_cast<Gpu::Module*>(module);
    its.programs.push_back(compiler::compile(its.text, its.text.entries.front().name, its.globals));
    *bytes = its.globals->variables[its.globals->find(name)].bytes;
    *address = now->oracle.address_of(its.programs.back(), name);
    return 0;
  };
  fake.MemAlloc = [](CudaAddress* address, std::size_t bytes) {
    *address = now->oracle.allocate(bytes);
    std::vector<unsigned char> rubbish(bytes, 0xa5);  // as a GPU's memory has
    now->oracle.write(*address, rubbish.data(), bytes);
    return 0;
  };
  fake.MemsetD8 = [](CudaAddress address, unsigned char value, std::size_t bytes) {
    const std::vector<unsigned char> values(bytes, value);
    now->oracle.write(address, values.data(), bytes);
    return 0;
  };
  fake.MemcpyHtoD = [](CudaAddress to, const void* from, std::size_t bytes) {
    now->oracle.write(to, from, bytes);
    return 0;
  };
  fake.MemcpyDtoH = [](void* to, CudaAddress from, std::size_t bytes) {
    now->oracle.read(from, to, bytes);
    if (now->flips_a_bit) static_cast<unsigned char*>(to)[bytes / 2] ^= 1U;
    return 0;
  };
  fake.LaunchKernel = [](CudaHandle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                         unsigned bz, unsigned shared, CudaHandle stream, void** parameters, void** extra) {
    BOOST_TEST(stream == nullptr);
    BOOST_TEST(parameters == nullptr);
    BOOST_TEST(extra[0] == reinterpret_cast<void*>(1));
    BOOST_TEST(extra[2] == reinterpret_cast<void*>(2));
    BOOST_TEST(extra[4] == nullptr);
    const auto& program = *static_cast<const isa::Program*>(function);
    const auto* const bytes = static_cast<const std::byte*>(extra[1]);
    gpu::Launch launch{&program, {gx, gy, gz}, {bx, by, bz}, {bytes, bytes + *static_cast<std::size_t*>(extra[3])}};
    launch.dynamic_shared = shared;
    now->oracle.launch(launch);  // refuses arguments of another size
    now->kernels.push_back(program.name);
    return 0;
  };
  fake.CtxSynchronize = [] { return 0; };
  fake.GetErrorString = [](CudaResult result, const char** text) {
    *text = result == NoDevice ? "no device" : result == InvalidImage ? "invalid image" : "not found";
    return 0;
  };
  return fake;
}

gpu::Outcome run(Gpu& chip, const gpu::Workload& workload) {
  now = &chip;
  silicon::CudaDevice device(driver());
  const gpu::Outcome outcome = gpu::workload_program(workload, {}, HEDDLE_PTX_DIR)(device);
  BOOST_TEST(device.launches() == chip.kernels.size());
  BOOST_TEST(device.name() == "oracle 7");
  return outcome;
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const silicon::CudaError& error) { return error.what(); }
  return "none";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_suite_runs) {
  const auto all = gpu::all_workloads();
  const auto part = heddle::tests::part_of(all, 8);
  std::cout << heddle::tests::said(part.size(), all.size(), "kernels") << '\n';
  for (const gpu::Workload* workload : part) {
    Gpu chip;
    const gpu::Outcome outcome = run(chip, *workload);
    BOOST_TEST(outcome.ok, workload->name() << ": " << outcome.message);
    BOOST_TEST(!chip.kernels.empty(), workload->name());
    BOOST_TEST(chip.modules.size() == 1U, workload->name());
  }
}

BOOST_AUTO_TEST_CASE(wrong_results_are_seen) {
  Gpu chip;
  chip.flips_a_bit = true;
  BOOST_TEST(!run(chip, *gpu::find_workload("vector_add")).ok);
}

BOOST_AUTO_TEST_CASE(errors_say_what_was_asked) {
  Gpu chip;
  chip.is_there = false;
  now = &chip;
  BOOST_TEST(refusal([] { silicon::CudaDevice device(driver()); }) == "no GPU of NVIDIA's: no device (CUresult 100)");
  const std::string missing = refusal([] { silicon::load_cuda_driver("no_such_library.so"); });
  BOOST_TEST(missing.find("no_such_library.so") != std::string::npos, missing);
  BOOST_TEST(missing.find("expected NVIDIA's driver") != std::string::npos, missing);
  BOOST_TEST(refusal([] { silicon::load_cuda_driver("libc.so.6"); }) ==
             "libc.so.6 has no cuInit: it is no driver of NVIDIA's");
}
