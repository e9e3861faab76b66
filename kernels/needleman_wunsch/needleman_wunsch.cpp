// SPDX-License-Identifier: Apache-2.0
#include "kernels/needleman_wunsch/needleman_wunsch.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::needleman_wunsch {
namespace {

constexpr int Gap = 10;

std::vector<int> random_sequence(int length, gpu::Random& random) {
  std::vector<int> sequence(static_cast<std::size_t>(length));
  for (int& residue : sequence) residue = static_cast<int>(random.below(AlignmentResidues));
  return sequence;
}

/// A relative of the sequence: one residue in four is another.
std::vector<int> mutate(std::vector<int> sequence, gpu::Random& random) {
  for (int& residue : sequence)
    if (random.below(4) == 0) residue = static_cast<int>(random.below(AlignmentResidues));
  return sequence;
}

/// Symmetric, positive for equal residues and mostly negative for others.
std::vector<int> random_substitution(gpu::Random& random) {
  std::vector<int> scores(AlignmentResidues * AlignmentResidues);
  for (int row = 0; row < AlignmentResidues; ++row) {
    for (int column = 0; column <= row; ++column) {
      const int score = row == column ? 4 + static_cast<int>(random.below(6)) : static_cast<int>(random.below(7)) - 4;
      scores[row * AlignmentResidues + column] = scores[column * AlignmentResidues + row] = score;
    }
  }
  return scores;
}

/// The matrix before the alignment: only gaps in the first row and column.
std::vector<int> gaps_only(int length) {
  const int pitch = length + 1;
  std::vector<int> scores(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(pitch), 0);
  for (int index = 0; index <= length; ++index) scores[index] = scores[index * pitch] = -index * Gap;
  return scores;
}

std::vector<int> align(const std::vector<int>& down, const std::vector<int>& across,
                       const std::vector<int>& substitution) {
  const int length = static_cast<int>(down.size()), pitch = length + 1;
  std::vector<int> scores = gaps_only(length);
  for (int row = 1; row <= length; ++row) {
    for (int column = 1; column <= length; ++column) {
      const int similarity = substitution[down[row - 1] * AlignmentResidues + across[column - 1]];
      scores[row * pitch + column] =
          std::max({scores[(row - 1) * pitch + column - 1] + similarity, scores[row * pitch + column - 1] - Gap,
                    scores[(row - 1) * pitch + column] - Gap});
    }
  }
  return scores;
}

class NeedlemanWunsch : public gpu::Workload {
 public:
  std::string name() const override { return "needleman_wunsch"; }
  std::string summary() const override {
    return "global alignment of two sequences: a wavefront of tiles, and of cells in each tile";
  }
  std::string branches() const override {
    return "none to interleave: threads off the wavefront stand against an empty side; maxima are instructions";
  }
  std::string sizes() const override { return Lengths.text("residues") + "; " + Pairs.text("pairs"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const int length = static_cast<int>(Lengths.at(options)), pairs = static_cast<int>(Pairs.at(options));
    gpu::Random random(options.seed);
    const std::vector<int> substitution = random_substitution(random), query = random_sequence(length, random);
    const std::uint64_t substitution_address = gpu::upload(device, substitution);
    const std::uint64_t down = gpu::upload(device, query), across = gpu::upload(device, query);
    const std::uint64_t scores = gpu::upload(device, gaps_only(length));

    gpu::Outcome outcome{true, ""};
    for (int pair = 0; pair < pairs && outcome.ok; ++pair) {
      const std::vector<int> target = mutate(query, random);
      device.write(across, target.data(), target.size() * sizeof(int));
      const int tiles = length / AlignmentTile;
      for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
        const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
        gpu::launch(device, find_program(name()), {static_cast<unsigned>(last - first + 1)}, {AlignmentTile}, down,
                    across, substitution_address, scores, length, Gap, diagonal, first);
      }
      const std::vector<int> expected = align(query, target, substitution);
      outcome = gpu::compare_words(gpu::download<unsigned>(device, scores, expected.size()),
                                   {expected.begin(), expected.end()});
    }
    return {outcome.ok, fmt::format("{} pairs of length {}: {}", pairs, length, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Lengths{480, 800, 800}, Pairs{1, 4, 22};
};

const gpu::RegisterWorkload<NeedlemanWunsch> Registered;

}  // namespace
}  // namespace heddle::kernels::needleman_wunsch
