// SPDX-License-Identifier: Apache-2.0
// A set of port numbers below 256, as bits: what the matching of a crossbar works on.
#pragma once

#include <array>
#include <cstdint>

namespace heddle {

class PortSet {
 public:
  static constexpr unsigned most = 256;
  static constexpr unsigned none = most;

  // 0 .. ports - 1
  static PortSet first(unsigned ports) {
    PortSet set;
    for (unsigned port = 0; port < ports; ++port) set.insert(port);
    return set;
  }

  void insert(unsigned port) { words_[port / 64] |= bit(port); }
  void erase(unsigned port) { words_[port / 64] &= ~bit(port); }
  bool contains(unsigned port) const { return (words_[port / 64] & bit(port)) != 0; }
  bool empty() const { return (words_[0] | words_[1] | words_[2] | words_[3]) == 0; }
  bool operator==(const PortSet& other) const { return words_ == other.words_; }

  PortSet operator&(const PortSet& other) const {
    PortSet set;
    for (unsigned w = 0; w < words; ++w) set.words_[w] = words_[w] & other.words_[w];
    return set;
  }
  PortSet operator-(const PortSet& other) const {
    PortSet set;
    for (unsigned w = 0; w < words; ++w) set.words_[w] = words_[w] & ~other.words_[w];
    return set;
  }

  // The first member at or after `port`, going round after the last; `none` of an empty set.
  unsigned next(unsigned port) const {
    const std::uint64_t rest = words_[port / 64] & ~(bit(port) - 1);
    if (rest != 0) return port / 64 * 64 + lowest(rest);
    for (unsigned i = 1; i <= words; ++i) {
      const unsigned w = (port / 64 + i) % words;
      if (words_[w] != 0) return w * 64 + lowest(words_[w]);
    }
    return none;
  }

  // Calls visit(port) in ascending order. The visitor may change the set: it sees the members at the call.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const std::array<std::uint64_t, 4> members = words_;
    for (unsigned w = 0; w < words; ++w) {
      for (std::uint64_t left = members[w]; left != 0; left &= left - 1) visit(w * 64 + lowest(left));
    }
  }

 private:
  static constexpr unsigned words = most / 64;
  static constexpr std::uint64_t bit(unsigned port) { return std::uint64_t{1} << port % 64; }
  static unsigned lowest(std::uint64_t word) { return static_cast<unsigned>(__builtin_ctzll(word)); }

  std::array<std::uint64_t, words> words_{};
};

}  // namespace heddle
