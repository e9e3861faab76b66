// SPDX-License-Identifier: Apache-2.0
#include "kernels/hmm_search/hmm_search.h"

#include <algorithm>
#include <fmt/format.h>

#include "kernels/hmm_search/profile.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::hmm_search {
namespace {

class HmmSearch : public gpu::Workload {
 public:
  std::string name() const override { return "hmm_search"; }
  std::string summary() const override {
    return "sequences against a profile hidden Markov model by Viterbi's algorithm, hits are aligned";
  }
  std::string branches() const override {
    return "walking back: lanes at match, insert and delete states load, write and step differently; the scores "
           "themselves are selects";
  }
  std::string sizes() const override {
    return Warps.text("warps, a sequence a thread") + "; " + Launches.text("launches");
  }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    // A large search is several launches, so that what the threads keep stays small.
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    const unsigned launches = Launches.at(options), threads = shape.total();
    gpu::Random random(options.seed);
    const Profile profile = random_profile(random);
    const Buffers buffers{upload_bytes(device, &profile.emissions, sizeof profile.emissions),
                          upload_bytes(device, &profile.transitions, sizeof profile.transitions),
                          gpu::upload(device, profile.consensus),
                          device.allocate(threads * HmmLongest),
                          device.allocate((threads + 1) * sizeof(unsigned)),
                          device.allocate(std::size_t{threads} * 3 * HmmNodes * sizeof(int)),
                          device.allocate(std::size_t{threads} * HmmLongest * HmmNodes),
                          device.allocate(threads * sizeof(int)),
                          device.allocate(threads * sizeof(unsigned)),
                          device.allocate(std::size_t{threads} * HmmSteps * sizeof(unsigned))};
    gpu::Outcome outcome{true, ""};
    for (unsigned done = 0; done < launches && outcome.ok; ++done) {
      std::vector<Sequence> sequences;
      for (unsigned thread = 0; thread < threads; ++thread) sequences.push_back(random_sequence(profile, random));
      outcome = search_all(device, find_program(name()), shape, buffers, profile, sequences);
    }
    return outcome;
  }

 private:
  static constexpr gpu::PerSize Warps{16, 160, 160}, Launches{1, 1, 6};

  struct Buffers {
    std::uint64_t emissions, transitions, consensus, residues, first_residue, rows, trace, scores, step_counts, steps;
  };

  static std::uint64_t upload_bytes(gpu::Device& device, const void* from, std::size_t bytes) {
    const std::uint64_t address = device.allocate(bytes);
    device.write(address, from, bytes);
    return address;
  }

  /// A launch, and its comparison: scores, then the number of steps of each alignment, then the steps.
  static gpu::Outcome search_all(gpu::Device& device, const isa::Program& program, const gpu::Shape& shape,
                                 const Buffers& buffers, const Profile& profile,
                                 const std::vector<Sequence>& sequences) {
    const unsigned threads = shape.total();
    std::vector<unsigned> first_residue{0};
    Sequence residues;
    for (const Sequence& sequence : sequences) {
      residues.insert(residues.end(), sequence.begin(), sequence.end());
      first_residue.push_back(static_cast<unsigned>(residues.size()));
    }
    const std::vector<unsigned> no_steps(std::size_t{threads} * HmmSteps, 0);
    device.write(buffers.residues, residues.data(), residues.size());
    device.write(buffers.first_residue, first_residue.data(), first_residue.size() * sizeof(unsigned));
    device.write(buffers.step_counts, no_steps.data(), threads * sizeof(unsigned));
    device.write(buffers.steps, no_steps.data(), no_steps.size() * sizeof(unsigned));
    gpu::launch(device, program, {shape.blocks}, {shape.threads}, buffers.emissions, buffers.transitions,
                buffers.consensus, buffers.residues, buffers.first_residue, buffers.rows, buffers.trace, buffers.scores,
                buffers.step_counts, buffers.steps);

    std::vector<unsigned> found = gpu::download<unsigned>(device, buffers.scores, threads);
    for (const unsigned count : gpu::download<unsigned>(device, buffers.step_counts, threads)) found.push_back(count);
    for (const unsigned step : gpu::download<unsigned>(device, buffers.steps, no_steps.size())) found.push_back(step);
    std::vector<unsigned> expected(2 * threads + no_steps.size(), 0);
    unsigned hits = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
      const Alignment alignment = search(profile, sequences[thread]);
      expected[thread] = static_cast<unsigned>(alignment.score);
      expected[threads + thread] = static_cast<unsigned>(alignment.steps.size());
      for (std::size_t step = 0; step < alignment.steps.size(); ++step)
        expected[(2 + step) * threads + thread] = alignment.steps[step];
      hits += unsigned{!alignment.steps.empty()};
    }
    const gpu::Outcome outcome = gpu::compare_words(found, expected);
    return {outcome.ok, fmt::format("{} sequences, {} hits: {}", threads, hits, outcome.message)};
  }
};

const gpu::RegisterWorkload<HmmSearch> Registered;

}  // namespace
}  // namespace heddle::kernels::hmm_search
