// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/numbers.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <type_traits>

namespace heddle::gpu {

namespace {

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

/// Without sign or space; nothing where it does not fit in 64 bits.
std::optional<std::uint64_t> read_digits(const std::string& text) {
  const bool is_hexadecimal = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const std::string digits = is_hexadecimal ? text.substr(2) : text;
  if (digits.empty()) return std::nullopt;
  for (const char digit : digits) {
    const auto letter = static_cast<unsigned char>(digit);
    if ((is_hexadecimal ? std::isxdigit(letter) : std::isdigit(letter)) == 0) return std::nullopt;
  }
  errno = 0;
  const std::uint64_t value = std::strtoull(digits.c_str(), nullptr, is_hexadecimal ? 16 : 10);
  return errno == ERANGE ? std::nullopt : std::optional(value);
}

template <class F>
F from_text(const char* text, char** end) {
  if constexpr (sizeof(F) == 4) return std::strtof(text, end);
  return static_cast<F>(std::strtod(text, end));
}

template <class F>
std::optional<std::uint64_t> read_real_as(const std::string& option, const std::string& text) {
  using Word = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  const char marker = sizeof(F) == 4 ? 'f' : 'd';
  char* end = nullptr;
  if (text.size() == 2 + 2 * sizeof(F) && text[0] == '0' && std::tolower(text[1]) == marker) {
    const std::uint64_t bits = std::strtoull(text.c_str() + 2, &end, 16);
    if (*end == 0) return bits;
  }
  errno = 0;
  const F value = from_text<F>(text.c_str(), &end);
  if (text.empty() || *end != 0 || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  if (errno == ERANGE && (value == 0 || std::isinf(value)))
    throw std::invalid_argument(fmt::format("{} {}: out of the range of an f{}", option, text, 8 * sizeof(F)));
  Word bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

std::string describe(const NumberRange& range) {
  return fmt::format("a whole number from {} to {}{}", grouped(range.least), grouped(range.most),
                     range.unit.empty() ? "" : fmt::format(" ({})", range.unit));
}

std::uint64_t whole_number(const std::string& option, const std::string& text, const NumberRange& range) {
  const std::optional<std::uint64_t> value = read_digits(text);
  if (!value || *value < range.least || *value > range.most)
    throw std::invalid_argument(fmt::format("{}: '{}' is not {}", option, text, describe(range)));
  return *value;
}

std::optional<std::uint64_t> read_integer(const std::string& option, const std::string& text) {
  const bool is_negative = text[0] == '-';
  if (std::isdigit(static_cast<unsigned char>(text[is_negative ? 1 : 0])) == 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = is_negative ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 0))
                                          : std::strtoull(text.c_str(), &end, 0);
  if (*end != 0) return std::nullopt;
  if (errno == ERANGE) throw std::invalid_argument(fmt::format("{}: {} does not fit in 64 bits", option, text));
  return value;
}

std::optional<std::uint64_t> read_real(const std::string& option, const std::string& text, unsigned bytes) {
  return bytes == 4 ? read_real_as<float>(option, text) : read_real_as<double>(option, text);
}

}  // namespace heddle::gpu
