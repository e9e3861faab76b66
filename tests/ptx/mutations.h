// SPDX-License-Identifier: Apache-2.0
// Good PTX made bad: deterministic changes of a text, of the kinds that people and broken files make.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::tests {

/// One to three changes, all from the seed: tokens and lines dropped, doubled, swapped or replaced, numbers made huge,
/// brackets opened without end, garbage bytes, the rest cut off.
std::string mutated(const std::string& text, std::uint64_t seed);

/// What parsing and compiling a text did that it must not do: anything but success, or a ptx::Error with file, line and
/// column from 1, and words. Empty if all is well.
std::string misbehaviour(const std::string& text);

}  // namespace heddle::tests
