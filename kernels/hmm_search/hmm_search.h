// What kernel and driver of `hmm_search` agree on.
#pragma once

namespace heddle::kernels::hmm_search {

constexpr unsigned HmmNodes = 16;                     // of the profile: each has a match, an insert and a delete state
constexpr unsigned HmmResidues = 20;                  // amino acids
constexpr unsigned HmmLongest = 48;                   // residues of a sequence, at most
constexpr unsigned HmmSteps = HmmNodes + HmmLongest;  // of an alignment, at most

// Scores of transitions, a row of HmmNodes each: into the node from the one before, into an insert state from its own
// node. An alignment may begin and end at any match state.
enum HmmTransition : unsigned {
  BeginToMatch,
  MatchToMatch,
  InsertToMatch,
  DeleteToMatch,
  MatchToInsert,
  InsertToInsert,
  MatchToDelete,
  DeleteToDelete,
  HmmTransitions
};

constexpr int HmmImpossible = -100'000'000;  // far below any sum of scores, far above overflow
constexpr int HmmHit = 1000;                 // the score from which a sequence is aligned

// A step of an alignment: the profile's residue in the low byte, the sequence's above it.
constexpr unsigned HmmGap = 31;

}  // namespace heddle::kernels::hmm_search
// SPDX-License-Identifier: Apache-2.0
