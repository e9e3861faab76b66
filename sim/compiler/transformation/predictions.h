// SPDX-License-Identifier: Apache-2.0
// What a program predicts becomes barriers (SR sec. 4.2, 4.3).
//
//   Predict: Join          every lane that passes is a candidate
//   Reconverge: Wait       candidates wait for each other; behind it they Rejoin where they may come again
//   the way out: Cancel    at the first block from which no Reconverge is reached, so that nobody waits for them
//   behind the region      the orthogonal barrier: joined at the Predict, waited for at the post-dominator, since the
//                          prediction takes lanes apart (Fig. 4(d)). Left out where a default barrier does just that.
//
// The point may be a function (predicted_function.h), the barrier may be soft (soft_barrier.h), and lanes must not wait for
// each other at two places (deconfliction.h).
#pragma once

#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

struct PredictionOptions {
  bool static_deconfliction = false;
  std::optional<unsigned> soft_threshold = {};  // of predictions that say none
};

/// In front of the default barriers in the list, so that they get registers first.
/// \throws std::invalid_argument  a prediction leads nowhere, is in a recursive function, or conflicts with another one
///                                and deconfliction is static
void add_predictions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                     const std::vector<NaturalLoop>& loops, BarrierList& list, const PredictionOptions& options);

}  // namespace heddle::compiler
