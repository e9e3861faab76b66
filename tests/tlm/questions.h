// SPDX-License-Identifier: Apache-2.0
// What a standard initiator asks each target of tlm/, by the rules of IEEE 1666 for the base protocol.
#pragma once

#include <utility>
#include <vector>

#include "tests/tlm/standard_initiator.h"

namespace heddle_test {

std::vector<std::pair<const char*, standard_initiator::Question>> questions_to_targets();

}  // namespace heddle_test
