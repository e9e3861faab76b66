// SPDX-License-Identifier: Apache-2.0
// A kernel of the suite on the first GPU of this machine, its results held to the driver's CPU reference; what Nsight Compute
// looks into (scripts/silicon). A line of JSON on standard output; exit code 1 if the results are wrong, 2 if it did not run.
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sim/gpu/run.h"
#include "studies/silicon/cuda_device.h"

namespace gpu = heddle::gpu;

namespace {

struct Options {
  std::string kernel, size = "small", library = "libcuda.so.1", ptx = HEDDLE_PTX_DIR;
  unsigned warps = 0, coarsen = 0;
  std::uint64_t seed = 1;
};

int run(const Options& options) {
  const gpu::Workload* const workload = gpu::find_workload(options.kernel);
  if (workload == nullptr)
    throw std::invalid_argument("no kernel '" + options.kernel + "': scripts/silicon --list has them");
  gpu::WorkloadOptions its;
  its.size = gpu::parse_size(options.size);
  its.warps = options.warps;
  its.coarsen = options.coarsen;
  its.seed = options.seed;
  heddle::silicon::CudaDevice device(heddle::silicon::load_cuda_driver(options.library));
  const gpu::Outcome outcome = gpu::workload_program(*workload, its, options.ptx)(device);
  std::cout << nlohmann::ordered_json{{"kernel", options.kernel},      {"size", options.size},
                                      {"seed", options.seed},          {"warps", options.warps},
                                      {"coarsen", options.coarsen},    {"gpu", device.name()},
                                      {"launches", device.launches()}, {"is_right", outcome.ok},
                                      {"message", outcome.message}}
            << '\n';
  return outcome.ok ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) {
  return 0;
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("A kernel of Heddle's suite on a GPU of NVIDIA's");
  app.add_option("KERNEL", options.kernel, "of `scripts/silicon --list`")->required();
  app.add_option("--size", options.size, "small, medium or large")->capture_default_str();
  app.add_option("--warps", options.warps, "of the grid; 0: what the size says")->capture_default_str();
  app.add_option("--coarsen", options.coarsen, "work items a thread; 0: the kernel's own")->capture_default_str();
  app.add_option("--seed", options.seed, "of the data")->capture_default_str();
  app.add_option("--ptx", options.ptx, "folder with KERNEL.ptx")->capture_default_str();
  app.add_option("--cuda", options.library, "the driver's library")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::cerr << "silicon: " << error.what() << '\n';
    return 2;
  }
}
