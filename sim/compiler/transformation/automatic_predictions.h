// SPDX-License-Identifier: Apache-2.0
// Marks of predictions that nobody wrote (SR sec. 4.5): for each candidate that is chosen (reconvergence_candidates.h),
// Predict in front of the outer loop and Reconverge at the point. Nothing else changes.
#pragma once

#include <vector>

#include "sim/compiler/analysis/reconvergence_candidates.h"

namespace heddle::compiler {

/// A prediction is called auto_BLOCK after the block of its point.
/// \returns the candidates, chosen or not; their blocks are those of the code before
/// \param threads  that executed each PTX line in an earlier run; null: guesses
std::vector<Candidate> add_automatic_predictions(VirtualCode& code,
                                                 const std::map<unsigned, std::uint64_t>* threads = nullptr);

}  // namespace heddle::compiler
