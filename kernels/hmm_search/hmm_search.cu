// Scores of sequences against a profile hidden Markov model, and alignments of those that score well: Viterbi's
// algorithm in the style of HMMER's search (DWF sec. 5), in whole numbers.
//
// A thread takes a sequence of its own length. It keeps a row of the three kinds of states, and for each cell where its
// states came from: bits 0 and 1 the match state (begin, match, insert, delete), bit 2 the insert state (match,
// insert), bit 3 the delete state (match, delete). Those tell the way back from the best cell. All that a thread keeps
// lies a stride of the number of threads apart, so that neighbours share lines.
#include "../cuda_device.h"
#include "hmm_search.h"

using namespace heddle::kernels::hmm_search;

struct Profile {
  int emissions[HmmResidues][HmmNodes];
  int transitions[HmmTransitions][HmmNodes];
};

enum State : unsigned { Begin, Match, Insert, Delete };

// Where a thread keeps what is its own.
struct Scratch {
  int* rows;             // [match, insert, delete][node][thread]
  unsigned char* trace;  // [position][node][thread]
  unsigned thread, threads;

  __device__ __forceinline__ int& row(State state, unsigned node) const {
    return rows[((state - Match) * HmmNodes + node) * threads + thread];
  }
  __device__ __forceinline__ unsigned char& origin(unsigned position, unsigned node) const {
    return trace[(position * HmmNodes + node) * threads + thread];
  }
};

struct Best {
  int score;
  unsigned position, node;
};

static __device__ __forceinline__ void take_better(int candidate, State from, int& score, unsigned& origin) {
  if (candidate > score) {
    score = candidate;
    origin = from;
  }
}

static __device__ __forceinline__ Best viterbi(const Profile& profile, const Scratch& scratch,
                                               const unsigned char* sequence, unsigned length) {
  HEDDLE_ROLLED_LOOP
  for (unsigned node = 0; node < HmmNodes; ++node)
    scratch.row(Match, node) = scratch.row(Insert, node) = scratch.row(Delete, node) = HmmImpossible;

  Best best = {HmmImpossible, 0, 0};
  HEDDLE_ROLLED_LOOP
  for (unsigned position = 0; position < length; ++position) {
    const int* const emissions = profile.emissions[sequence[position]];
    // Of the node before: as they were a residue ago, and now.
    int match_ago = HmmImpossible, insert_ago = HmmImpossible, delete_ago = HmmImpossible;
    int match_before = HmmImpossible, delete_before = HmmImpossible;
    HEDDLE_ROLLED_LOOP
    for (unsigned node = 0; node < HmmNodes; ++node) {
      const auto transition = [&](HmmTransition kind) { return profile.transitions[kind][node]; };
      const int old_match = scratch.row(Match, node), old_insert = scratch.row(Insert, node);
      const int old_delete = scratch.row(Delete, node);

      int match = transition(BeginToMatch);
      unsigned match_origin = Begin;
      take_better(match_ago + transition(MatchToMatch), Match, match, match_origin);
      take_better(insert_ago + transition(InsertToMatch), Insert, match, match_origin);
      take_better(delete_ago + transition(DeleteToMatch), Delete, match, match_origin);
      match += emissions[node];
      int insert = old_match + transition(MatchToInsert);
      unsigned insert_origin = Match;
      take_better(old_insert + transition(InsertToInsert), Insert, insert, insert_origin);
      int deletion = match_before + transition(MatchToDelete);
      unsigned delete_origin = Match;
      take_better(delete_before + transition(DeleteToDelete), Delete, deletion, delete_origin);

      scratch.row(Match, node) = match;
      scratch.row(Insert, node) = insert;
      scratch.row(Delete, node) = deletion;
      const unsigned was_insert = insert_origin == Insert ? 4 : 0, was_delete = delete_origin == Delete ? 8 : 0;
      scratch.origin(position, node) = static_cast<unsigned char>(match_origin | was_insert | was_delete);
      if (match > best.score) best = {match, position, node};
      match_ago = old_match;
      insert_ago = old_insert;
      delete_ago = old_delete;
      match_before = match;
      delete_before = deletion;
    }
  }
  return best;
}

extern "C" __global__ void hmm_search(const int* emissions, const int* transitions, const unsigned char* consensus,
                                      const unsigned char* residues, const unsigned* first_residue, int* rows,
                                      unsigned char* trace, int* scores, unsigned* step_counts, unsigned* steps) {
  __shared__ Profile profile;
  for (unsigned index = threadIdx.x; index < HmmResidues * HmmNodes; index += blockDim.x)
    profile.emissions[0][index] = emissions[index];
  for (unsigned index = threadIdx.x; index < HmmTransitions * HmmNodes; index += blockDim.x)
    profile.transitions[0][index] = transitions[index];
  __syncthreads();

  const unsigned thread = global_thread(), threads = gridDim.x * blockDim.x;
  const unsigned char* const sequence = residues + first_residue[thread];
  const Scratch scratch = {rows, trace, thread, threads};
  const Best best = viterbi(profile, scratch, sequence, first_residue[thread + 1] - first_residue[thread]);
  scores[thread] = best.score;
  if (best.score < HmmHit) return;

  // The way back, from the end of the alignment to its beginning.
  State state = Match;
  unsigned position = best.position, node = best.node, count = 0;
  HEDDLE_ROLLED_LOOP
  while (state != Begin) {
    const unsigned origin = scratch.origin(position, node);
    unsigned* const step = &steps[count * threads + thread];
    ++count;
    if (state == Match) {
      *step = consensus[node] | static_cast<unsigned>(sequence[position]) << 8;
      state = static_cast<State>(origin & 3U);
      --position;
      --node;
    } else if (state == Insert) {
      *step = HmmGap | static_cast<unsigned>(sequence[position]) << 8;
      state = (origin & 4U) != 0 ? Insert : Match;
      --position;
    } else {
      *step = consensus[node] | HmmGap << 8;
      state = (origin & 8U) != 0 ? Delete : Match;
      --node;
    }
  }
  step_counts[thread] = count;
}
// SPDX-License-Identifier: Apache-2.0
