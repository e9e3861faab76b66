// SPDX-License-Identifier: Apache-2.0
// Marks of predictions in random programs (sim/ptx/mark.h).
#pragma once

#include <string>

#include "sim/gpu/workload.h"

namespace heddle::tests {

/// Legal: a Predict stands in front of a branch or a loop, its Reconverges inside, or behind if there are none inside; a
/// function has one such region at a time. Misplaced: anything anywhere.
enum class Marks { None, Legal, Misplaced };

std::string predict_mark(unsigned prediction);
std::string reconverge_mark(unsigned prediction);

/// A function's body with one or two predictions, whose marks stand in front of any line that begins at `from` or later:
/// in one arm, in loops, beyond each other, in calls, where nobody comes.
std::string with_misplaced_marks(const std::string& body, std::size_t from, gpu::Random& random);

}  // namespace heddle::tests
