// SPDX-License-Identifier: Apache-2.0
#include "kernels/hmm_search/profile.h"

#include <algorithm>

namespace heddle::kernels::hmm_search {
namespace {

using Row = std::array<int, HmmNodes>;

/// Scores of the states of all nodes, a row a residue.
struct Matrix {
  std::vector<Row> match, insert, deletion;
};

/// The score of a state, or impossible for one outside the matrix.
int at(const std::vector<Row>& rows, int position, int node) {
  return position < 0 || node < 0 ? HmmImpossible
                                  : rows[static_cast<std::size_t>(position)][static_cast<std::size_t>(node)];
}

/// The ways into a match state, in the order in which they are preferred if equal: begin, match, insert, delete.
std::array<int, 4> ways_to_match(const Profile& profile, const Matrix& matrix, int position, int node) {
  const auto& transitions = profile.transitions;
  return {transitions[BeginToMatch][node], at(matrix.match, position - 1, node - 1) + transitions[MatchToMatch][node],
          at(matrix.insert, position - 1, node - 1) + transitions[InsertToMatch][node],
          at(matrix.deletion, position - 1, node - 1) + transitions[DeleteToMatch][node]};
}

std::array<int, 2> ways_to_insert(const Profile& profile, const Matrix& matrix, int position, int node) {
  return {at(matrix.match, position - 1, node) + profile.transitions[MatchToInsert][node],
          at(matrix.insert, position - 1, node) + profile.transitions[InsertToInsert][node]};
}

std::array<int, 2> ways_to_delete(const Profile& profile, const Matrix& matrix, int position, int node) {
  return {at(matrix.match, position, node - 1) + profile.transitions[MatchToDelete][node],
          at(matrix.deletion, position, node - 1) + profile.transitions[DeleteToDelete][node]};
}

template <class Ways>
int best_of(const Ways& ways) {
  return *std::max_element(ways.begin(), ways.end());
}

/// The first of the best.
template <class Ways>
int which_of(const Ways& ways) {
  return static_cast<int>(std::max_element(ways.begin(), ways.end()) - ways.begin());
}

Matrix fill(const Profile& profile, const Sequence& sequence) {
  Matrix matrix;
  for (int position = 0; position < static_cast<int>(sequence.size()); ++position) {
    matrix.match.emplace_back();
    matrix.insert.emplace_back();
    matrix.deletion.emplace_back();
    for (int node = 0; node < static_cast<int>(HmmNodes); ++node) {
      matrix.match.back()[node] =
          best_of(ways_to_match(profile, matrix, position, node)) + profile.emissions[sequence[position]][node];
      matrix.insert.back()[node] = best_of(ways_to_insert(profile, matrix, position, node));
      matrix.deletion.back()[node] = best_of(ways_to_delete(profile, matrix, position, node));
    }
  }
  return matrix;
}

std::vector<unsigned> walk_back(const Profile& profile, const Sequence& sequence, const Matrix& matrix, int position,
                                int node) {
  enum { Begin, Match, Insert, Delete } state = Match;
  std::vector<unsigned> steps;
  while (state != Begin) {
    const unsigned of_profile = state == Insert ? HmmGap : profile.consensus[node];
    const unsigned of_sequence = state == Delete ? HmmGap : sequence[position];
    steps.push_back(of_profile | of_sequence << 8);
    const auto from = state;
    if (from == Match) state = static_cast<decltype(state)>(which_of(ways_to_match(profile, matrix, position, node)));
    if (from == Insert) state = which_of(ways_to_insert(profile, matrix, position, node)) != 0 ? Insert : Match;
    if (from == Delete) state = which_of(ways_to_delete(profile, matrix, position, node)) != 0 ? Delete : Match;
    if (from != Delete) --position;
    if (from != Insert) --node;
  }
  return steps;
}

}  // namespace

Profile random_profile(gpu::Random& random) {
  Profile profile;
  const auto fill_row = [&](Row& row, int least, unsigned spread) {
    for (int& score : row) score = least + static_cast<int>(random.below(spread));
  };
  for (Row& row : profile.emissions) fill_row(row, -300, 300);
  for (unsigned node = 0; node < HmmNodes; ++node) {
    profile.consensus.push_back(static_cast<unsigned char>(random.below(HmmResidues)));
    profile.emissions[profile.consensus[node]][node] = 200 + static_cast<int>(random.below(200));
  }
  fill_row(profile.transitions[BeginToMatch], -300, 100);
  fill_row(profile.transitions[MatchToMatch], -20, 20);
  for (const HmmTransition kind : {InsertToMatch, DeleteToMatch, InsertToInsert, DeleteToDelete})
    fill_row(profile.transitions[kind], -150, 100);
  for (const HmmTransition kind : {MatchToInsert, MatchToDelete}) fill_row(profile.transitions[kind], -350, 150);
  return profile;
}

Sequence random_sequence(const Profile& profile, gpu::Random& random) {
  Sequence sequence;
  const auto add_random = [&](unsigned count) {
    for (; count != 0; --count) sequence.push_back(static_cast<unsigned char>(random.below(HmmResidues)));
  };
  add_random(4 + random.below(12));
  const bool is_relative = random.below(2) == 0;
  for (unsigned node = 0; is_relative && node < HmmNodes; ++node) {
    const unsigned event = random.below(16);
    if (event == 0) add_random(1 + random.below(3));
    if (event > 2) sequence.push_back(profile.consensus[node]);
    if (event == 1) add_random(1);
  }
  add_random(random.below(16));
  sequence.resize(std::min<std::size_t>(sequence.size(), HmmLongest));
  return sequence;
}

Alignment search(const Profile& profile, const Sequence& sequence) {
  const Matrix matrix = fill(profile, sequence);
  Alignment alignment;
  int end = 0, end_node = 0;
  for (int position = 0; position < static_cast<int>(sequence.size()); ++position) {
    const Row& row = matrix.match[position];
    if (best_of(row) <= alignment.score) continue;
    alignment.score = best_of(row);
    end = position;
    end_node = which_of(row);
  }
  if (alignment.score >= HmmHit) alignment.steps = walk_back(profile, sequence, matrix, end, end_node);
  return alignment;
}

}  // namespace heddle::kernels::hmm_search
