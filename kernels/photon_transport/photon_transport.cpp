// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <numeric>

#include "kernels/photon_transport/reference.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::photon_transport {
namespace {

double sum(const std::vector<unsigned>& tallies) {
  return std::accumulate(tallies.begin(), tallies.end(), 0.0);
}

class PhotonTransport : public gpu::Workload {
 public:
  std::string name() const override { return "photon_transport"; }
  std::string summary() const override { return "Monte Carlo transport of light in three layers of tissue"; }
  std::string branches() const override {
    return "a boundary, or absorption and scattering; mirrored, escaped or refracted; isotropic or not; upright or not";
  }
  std::string sizes() const override { return Warps.text("warps") + "; " + Launches.text("launches of 32 steps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned launches = Launches.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<Stream> streams;
    for (unsigned thread = 0; thread < shape.total(); ++thread) streams.push_back({{random.next()}, {}});
    const std::vector<Layer> layers = tissue();
    // The rest is mirrored where the light comes in.
    const float contrast = (layers[0].refraction - Air) / (layers[0].refraction + Air);
    const float first_weight = 1 - contrast * contrast;

    Tallies expected;
    const std::uint64_t absorbed = gpu::upload(device, expected.absorbed);
    const std::uint64_t escaped = gpu::upload(device, expected.escaped);
    const std::uint64_t layer_table = gpu::upload(device, layers), stream_table = gpu::upload(device, streams);
    for (unsigned launch = 0; launch < launches; ++launch) {
      gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, layer_table,
                  static_cast<unsigned>(layers.size()), stream_table, StepsOfLaunch, first_weight, absorbed, escaped);
    }
    for (const Stream& stream : streams)
      follow_photons(layers, stream, launches * StepsOfLaunch, first_weight, expected);

    gpu::Outcome outcome =
        gpu::compare_words(gpu::download<unsigned>(device, absorbed, expected.absorbed.size()), expected.absorbed);
    if (outcome.ok)
      outcome = gpu::compare_words(gpu::download<unsigned>(device, escaped, expected.escaped.size()), expected.escaped);
    return {outcome.ok, fmt::format("{} streams of {} steps, {:.1f}% of the light is absorbed: {}", shape.total(),
                                    launches * StepsOfLaunch,
                                    100 * sum(expected.absorbed) / (sum(expected.absorbed) + sum(expected.escaped)),
                                    outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Warps{32, 96, 288}, Launches{3, 10, 20};

  static constexpr unsigned StepsOfLaunch = 32;

  static Layer layer(float top, float thickness, float refraction, float absorption, float scattering,
                     float anisotropy) {
    const float interaction = absorption + scattering;  // each a cm
    return {top, top + thickness, refraction, 1 / interaction, absorption / interaction, anisotropy};
  }

  /// A layer that scatters forward, an isotropic one, and one in between, as in the sample of MCML's manual.
  static std::vector<Layer> tissue() {
    return {layer(0, 0.1F, 1.37F, 3, 60, 0.9F), layer(0.1F, 0.1F, 1.4F, 2, 10, 0),
            layer(0.2F, 0.2F, 1.38F, 2, 10, 0.7F)};
  }
};

const gpu::RegisterWorkload<PhotonTransport> Registered;

}  // namespace
}  // namespace heddle::kernels::photon_transport
