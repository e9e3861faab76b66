// SPDX-License-Identifier: Apache-2.0
// Random programs of whose threads many leave before the end, as PTX text: made to show where a mechanism loses lanes that
// leave, waits for them, or needs more room than it has. A seed says everything.
//
// Control flow: loops inside loops with trip counts that differ between lanes, breaks and continues of any loop around,
// with code on the way out or none; returns out of all of them; whole warps and single lanes that store and leave at every
// depth, by a side that stands there, or behind all other code, or by the end that all share; sides that end in a trap,
// which no thread comes to. Behind loops at the top level barriers, and `.sync` operations of all lanes that are left; whole
// loops around barriers out of which threads leave.
// No data races: a thread stores to its own words alone; shared memory changes hands between barriers at the top level and
// in loops that all threads turn equally often.
#pragma once

#include "tests/random/program.h"

namespace heddle::tests {

/// At isca17, whose stacks hold as many entries as lanes can need.
RandomProgram random_exit_program(std::uint64_t seed);

}  // namespace heddle::tests
