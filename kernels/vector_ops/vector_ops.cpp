// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector_ops/vector_ops.h"

#include "kernels/batches.h"

namespace heddle::kernels::vector_ops {
namespace {

/// The sum in the order of a tree: first half plus second half, element by element, until one is left.
float tree_sum(std::vector<float> values) {
  while (values.size() > 1) {
    const std::size_t half = (values.size() + 1) / 2;
    for (std::size_t index = half; index < values.size(); ++index) values[index - half] += values[index];
    values.resize(half);
  }
  return values[0];
}

/// A sum a block, in the kernel's order of additions, so that the bits are the same.
std::vector<float> block_dots(const std::vector<float>& x, const std::vector<float>& y, const gpu::Shape& shape) {
  std::vector<float> sums;
  for (unsigned block = 0; block < shape.blocks; ++block) {
    std::vector<float> of_threads(shape.threads, 0);
    for (unsigned thread = 0; thread < shape.threads; ++thread)
      for (std::size_t index = block * shape.threads + thread; index < x.size(); index += shape.total())
        of_threads[thread] += x[index] * y[index];
    sums.push_back(tree_sum(of_threads));
  }
  return sums;
}

class VectorOperations : public gpu::Workload {
 public:
  std::string name() const override { return "vector_ops"; }
  std::string summary() const override { return "y = a x + y, then the dot product with a tree in shared memory"; }
  std::string branches() const override { return "none to interleave: threads past the end, or not in the tree, wait"; }
  std::string sizes() const override { return Batches.text("batches of 614405 elements"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, 48, 8);
    const unsigned total = 400 * shape.total() + 5;  // the last turn of the loops is for five threads
    const std::uint64_t left = device.allocate(total * sizeof(float)), right = device.allocate(total * sizeof(float));
    const std::uint64_t sums = device.allocate(shape.blocks * sizeof(float));
    gpu::Random random(options.seed);
    return run_in_batches(Batches.at(options), [&] {
      std::vector<float> x(total), y(total);
      for (float& value : x) value = random.between(-1, 1);
      for (float& value : y) value = random.between(-1, 1);
      const float factor = random.between(-2, 2);
      device.write(left, x.data(), total * sizeof(float));
      device.write(right, y.data(), total * sizeof(float));
      gpu::launch(device, find_program("saxpy"), {shape.blocks}, {shape.threads}, left, right, factor, total);
      gpu::launch(device, find_program("dot"), {shape.blocks}, {shape.threads}, left, right, sums, total);

      for (unsigned index = 0; index < total; ++index) y[index] = factor * x[index] + y[index];
      const gpu::Outcome outcome = gpu::compare_exactly(gpu::download<float>(device, right, total), y);
      if (!outcome.ok) return outcome;
      return gpu::compare_exactly(gpu::download<float>(device, sums, shape.blocks), block_dots(x, y, shape));
    });
  }

 private:
  static constexpr gpu::PerSize Batches{1, 10, 60};
};

const gpu::RegisterWorkload<VectorOperations> Registered;

}  // namespace
}  // namespace heddle::kernels::vector_ops
