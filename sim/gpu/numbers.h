// SPDX-License-Identifier: Apache-2.0
// Numbers that a person types, read in one place: what is none, or lies outside its range, is refused with the option's
// name, the word as it was typed, the range and the unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::gpu {

/// Whole numbers that an option takes.
struct NumberRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::string unit;  ///< "cycles", and what a value means that is none: "cycles; 0: never"
};

/// "a whole number from 0 to 1,024 (threads)"
std::string describe(const NumberRange& range);

/// Decimal, or hexadecimal with 0x. \throws std::invalid_argument "OPTION: 'TEXT' is not a whole number from ..."
std::uint64_t whole_number(const std::string& option, const std::string& text, const NumberRange& range);

/// A kernel's argument as 64 bits, with a sign or without; nothing if the text is no whole number.
/// \throws std::invalid_argument if it does not fit
std::optional<std::uint64_t> read_integer(const std::string& option, const std::string& text);

/// A kernel's argument of an f32 or f64, as bits rounded once: 1e-9, -.5, 0x1p-3, inf, nan, or PTX's own 0f3f800000 and
/// 0d3ff0000000000000. Nothing if the text is none. \throws std::invalid_argument if the type has nothing near it
std::optional<std::uint64_t> read_real(const std::string& option, const std::string& text, unsigned bytes);

}  // namespace heddle::gpu
