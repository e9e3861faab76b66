// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/buffers.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::gpu {

namespace {

using Words = std::vector<std::uint32_t>;

Words sorted_words(const Device& device, const Buffer& buffer) {
  Words words = download<std::uint32_t>(device, buffer.address, buffer.bytes / sizeof(std::uint32_t));
  std::sort(words.begin(), words.end());
  return words;
}

/// The first word of one of them that the other one lacks.
std::string difference(const Buffer& buffer, const Words& oracle, const Words& timed) {
  const auto [expected, found] = std::mismatch(oracle.begin(), oracle.end(), timed.begin());
  if (expected == oracle.end()) return "";
  return fmt::format(
      "--check {}=sorted: {} differs from the oracle's: word {} of the sorted ones is {:#x}, the oracle "
      "has {:#x}",
      buffer.key, buffer.name, expected - oracle.begin(), *found, *expected);
}

void write(Device& device, const Buffer& buffer, const Words& words) {
  device.write(buffer.address, words.data(), words.size() * sizeof(std::uint32_t));
}

}  // namespace

BufferOrder parse_order(const std::string& option, const std::string& word) {
  if (word == "sorted") return BufferOrder::Sorted;
  if (word == "none") return BufferOrder::Ignored;
  throw std::invalid_argument(
      fmt::format("{}: '{}' is no check; expected sorted (the same 32-bit words in any order) or none", option, word));
}

std::string make_canonical(const Buffers& buffers, Device& oracle, Device& timed) {
  for (const Buffer& buffer : buffers) {
    if (buffer.order == BufferOrder::Exact) continue;
    const Words words = sorted_words(oracle, buffer);
    if (buffer.order == BufferOrder::Sorted) {
      const std::string differs = difference(buffer, words, sorted_words(timed, buffer));
      if (!differs.empty()) return differs;
      write(oracle, buffer, words), write(timed, buffer, words);
      continue;
    }
    const std::vector<std::uint8_t> zeros(buffer.bytes, 0);
    oracle.write(buffer.address, zeros.data(), zeros.size());
    timed.write(buffer.address, zeros.data(), zeros.size());
  }
  return "";
}

std::string place_of(const Buffers& buffers, std::uint64_t address) {
  for (const Buffer& buffer : buffers)
    if (address - buffer.address < buffer.bytes)
      return fmt::format(", {}, byte {}", buffer.name, address - buffer.address);
  return "";
}

}  // namespace heddle::gpu
