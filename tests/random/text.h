// SPDX-License-Identifier: Apache-2.0
// What generators of random PTX share: lines, labels, names that are new, chance.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "sim/gpu/workload.h"

namespace heddle::tests {

/// The text of one function at a time. Registers of its own: %t words, %u pairs, %q predicates.
class RandomText {
 protected:
  explicit RandomText(std::uint64_t seed) : random_(seed * 2 + 1) {}

  template <class... Parts>
  void line(const char* format, const Parts&... parts) {
    text_ += std::string(2 * indent_ + 2, ' ') + fmt::format(fmt::runtime(format), parts...) + '\n';
  }
  void label(const std::string& name) { text_ += std::string(2 * indent_, ' ') + name + ":\n"; }
  std::string new_label(const char* what) { return fmt::format("{}_{}", what, ++labels_); }

  std::string word() { return fmt::format("%t{}", words_++); }
  std::string pair() { return fmt::format("%u{}", pairs_++); }
  std::string flag() { return fmt::format("%q{}", flags_++); }

  unsigned below(unsigned limit) { return random_.below(limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

  gpu::Random random_;
  std::string text_;
  unsigned indent_ = 0, labels_ = 0, words_ = 0, pairs_ = 0, flags_ = 0;
};

}  // namespace heddle::tests
