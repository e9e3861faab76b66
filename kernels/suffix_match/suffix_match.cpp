// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "kernels/suffix_match/suffix_tree.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::suffix_match {
namespace {

class SuffixMatch : public gpu::Workload {
 public:
  std::string name() const override { return "suffix_match"; }
  std::string summary() const override {
    return "longest matches of DNA queries in a text, by a walk in its suffix tree, a query a thread";
  }
  std::string branches() const override {
    return "on an edge or at a node: compares with the text, or looks for a child; grows, or follows a link";
  }
  std::string sizes() const override {
    return Warps.text("warps, a query a thread") + "; a text of " + TextBases.text("bases");
  }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    const Bases text = text_with_repeats(TextBases.at(options), random);
    const Bases queries = queries_of(text, shape.total(), random);

    const std::uint64_t tree = gpu::upload(device, suffix_tree(text));
    const unsigned results = shape.total() * QueryLength;
    const std::uint64_t lengths = device.allocate(results * sizeof(unsigned));
    const std::uint64_t positions = device.allocate(results * sizeof(unsigned));
    const std::uint64_t of_queries = gpu::upload(device, queries), of_text = gpu::upload(device, text);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, tree, of_text, of_queries, lengths,
                positions);

    const SortedSuffixes suffixes(text);
    std::vector<unsigned> expected_lengths, expected_positions;
    for (unsigned query = 0; query < shape.total(); ++query) {
      for (unsigned start = 0; start < QueryLength; ++start) {
        const Match match = suffixes.longest_match(&queries[query * (QueryLength + 1) + start]);
        expected_lengths.push_back(match.length);
        expected_positions.push_back(match.position);
      }
    }
    gpu::Outcome outcome = gpu::compare_words(gpu::download<unsigned>(device, lengths, results), expected_lengths);
    if (outcome.ok)
      outcome = gpu::compare_words(gpu::download<unsigned>(device, positions, results), expected_positions);
    return {outcome.ok, fmt::format("{} queries of {} bases in a text of {}: {}", shape.total(), QueryLength,
                                    text.size() - 1, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Warps{24, 192, 1152}, TextBases{16384, 32768, 65536};

  /// Random, but an eighth of it copies what came before, as repeats in a genome do.
  static Bases text_with_repeats(unsigned length, gpu::Random& random) {
    Bases text;
    while (text.size() < length) {
      if (text.size() > 1024 && random.below(8) == 0) {
        const unsigned from = random.below(static_cast<unsigned>(text.size()) - 128);
        for (unsigned index = 0; index < 128; ++index) text.push_back(text[from + index]);
      } else {
        for (unsigned index = 0; index < 128; ++index) text.push_back(static_cast<unsigned char>(random.below(4)));
      }
    }
    text.push_back(EndOfText);
    return text;
  }

  /// Pieces of the text in which some bases have changed, as if read by a sequencer.
  static Bases queries_of(const Bases& text, unsigned count, gpu::Random& random) {
    Bases queries;
    for (unsigned query = 0; query < count; ++query) {
      const unsigned from = random.below(static_cast<unsigned>(text.size()) - QueryLength);
      const unsigned one_in = 2 + random.below(64);
      for (unsigned index = 0; index < QueryLength; ++index) {
        const bool changes = random.below(one_in) == 0;
        queries.push_back(changes ? static_cast<unsigned char>(random.below(4)) : text[from + index]);
      }
      queries.push_back(EndOfQuery);
    }
    return queries;
  }
};

const gpu::RegisterWorkload<SuffixMatch> Registered;

}  // namespace
}  // namespace heddle::kernels::suffix_match
