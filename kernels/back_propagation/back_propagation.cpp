// SPDX-License-Identifier: Apache-2.0
#include "kernels/back_propagation/back_propagation.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::back_propagation {
namespace {

constexpr float Rate = 0.3F, Momentum = 0.3F, Target = 0.1F;

using Hidden = std::array<float, BackTile>;  // a value a hidden unit

/// The network apart from the layer that the device trains: one output unit over the hidden units.
struct OutputLayer {
  Hidden weights{};

  static float squash(float sum) { return 1.0F / (1.0F + std::exp(-sum)); }

  /// How far each hidden unit is off, from their sums; corrects the output's own weights.
  Hidden train(const Hidden& sums) {
    Hidden values{}, deltas{};
    float sum = 0;
    for (unsigned unit = 0; unit < BackTile; ++unit) {
      values[unit] = squash(sums[unit]);
      sum += values[unit] * weights[unit];
    }
    const float output = squash(sum), delta = output * (1.0F - output) * (Target - output);
    for (unsigned unit = 0; unit < BackTile; ++unit) {
      deltas[unit] = values[unit] * (1.0F - values[unit]) * delta * weights[unit];
      weights[unit] += Rate * delta * values[unit];
    }
    return deltas;
  }
};

struct Network {
  std::vector<float> inputs, weights, last_changes;  // weights lie [input][hidden unit]
  OutputLayer output;
};

Network random_network(unsigned inputs, gpu::Random& random) {
  Network network;
  for (unsigned input = 0; input < inputs; ++input) network.inputs.push_back(random.between(0.0F, 1.0F));
  for (unsigned weight = 0; weight < inputs * BackTile; ++weight)
    network.weights.push_back(random.between(-0.02F, 0.02F));
  network.last_changes.assign(network.weights.size(), 0.0F);
  for (float& weight : network.output.weights) weight = random.between(-1.0F, 1.0F);
  return network;
}

/// The weighted sum of `count` inputs: halves of sixteen are summed first, as the device does, then sixteens in order.
float weighted_sum(const Network& network, unsigned hidden, unsigned first, unsigned count) {
  if (count == 1) return network.weights[first * BackTile + hidden] * network.inputs[first];
  if (count <= BackTile) {
    return weighted_sum(network, hidden, first, count / 2) +
           weighted_sum(network, hidden, first + count / 2, count / 2);
  }
  float sum = 0;
  for (unsigned part = 0; part < count; part += BackTile) sum += weighted_sum(network, hidden, first + part, BackTile);
  return sum;
}

void train(Network& network) {
  Hidden sums{};
  for (unsigned hidden = 0; hidden < BackTile; ++hidden)
    sums[hidden] = weighted_sum(network, hidden, 0, static_cast<unsigned>(network.inputs.size()));
  const Hidden deltas = network.output.train(sums);
  for (std::size_t index = 0; index < network.weights.size(); ++index) {
    float& change = network.last_changes[index];
    change = Rate * deltas[index % BackTile] * network.inputs[index / BackTile] + Momentum * change;
    network.weights[index] += change;
  }
}

class BackPropagation : public gpu::Workload {
 public:
  std::string name() const override { return "back_propagation"; }
  std::string summary() const override {
    return "training a neural network: weighted sums by a tree in shared memory, then the weights are corrected";
  }
  std::string branches() const override {
    return "none to interleave: the adding rows of the tree stand against an empty side";
  }
  std::string sizes() const override { return Epochs.text("epochs of 10240 inputs"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned epochs = Epochs.at(options), blocks = 640, inputs = blocks * BackTile;
    gpu::Random random(options.seed);
    Network expected = random_network(inputs, random);

    OutputLayer output = expected.output;
    const std::uint64_t input_address = gpu::upload(device, expected.inputs);
    const std::uint64_t weights = gpu::upload(device, expected.weights);
    const std::uint64_t last_changes = gpu::upload(device, expected.last_changes);
    const std::uint64_t partial_sums = device.allocate(blocks * sizeof(Hidden)),
                        deltas = device.allocate(sizeof(Hidden));
    for (unsigned epoch = 0; epoch < epochs; ++epoch) {
      gpu::launch(device, find_program("back_propagation_forward"), {blocks}, {BackTile, BackTile}, input_address,
                  weights, partial_sums);
      Hidden sums{};
      for (const Hidden& part : gpu::download<Hidden>(device, partial_sums, blocks))
        for (unsigned hidden = 0; hidden < BackTile; ++hidden) sums[hidden] += part[hidden];
      const Hidden off = output.train(sums);
      device.write(deltas, off.data(), sizeof off);
      gpu::launch(device, find_program("back_propagation_adjust"), {blocks}, {BackTile, BackTile}, input_address,
                  deltas, weights, last_changes, Rate, Momentum);
      train(expected);
    }
    const gpu::Outcome outcome =
        gpu::compare_exactly(gpu::download<float>(device, weights, expected.weights.size()), expected.weights);
    return {outcome.ok,
            fmt::format("{} inputs, {} hidden units, {} epochs: {}", inputs, BackTile, epochs, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Epochs{1, 10, 60};
};

const gpu::RegisterWorkload<BackPropagation> Registered;

}  // namespace
}  // namespace heddle::kernels::back_propagation
