// A profile hidden Markov model and its search on the CPU: the reference of `hmm_search`.
#pragma once

#include <array>
#include <vector>

#include "kernels/hmm_search/hmm_search.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::hmm_search {

using Sequence = std::vector<unsigned char>;  // of residues below HmmResidues

struct Profile {
  std::array<std::array<int, HmmNodes>, HmmResidues> emissions;
  std::array<std::array<int, HmmNodes>, HmmTransitions> transitions;
  Sequence consensus;  // the residue that each node likes best
};

Profile random_profile(gpu::Random& random);

/// A relative of the profile with substitutions, insertions and deletions amid random residues, or random residues
/// only.
Sequence random_sequence(const Profile& profile, gpu::Random& random);

struct Alignment {
  int score = HmmImpossible;
  std::vector<unsigned> steps;  // from the last to the first; none if the score is no hit
};

Alignment search(const Profile& profile, const Sequence& sequence);

}  // namespace heddle::kernels::hmm_search
// SPDX-License-Identifier: Apache-2.0
