// SPDX-License-Identifier: Apache-2.0
#include "kernels/md5_search/md5_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "sim/gpu/workload.h"

namespace heddle::kernels::md5_search {
namespace {

/// RFC 1321 sec. 3 as it is written there, for messages that fit into one block.
Md5Digest md5(const std::string& message) {
  std::array<unsigned char, 64> bytes = {};
  std::copy(message.begin(), message.end(), bytes.begin());
  bytes[message.size()] = 0x80;
  bytes[56] = static_cast<unsigned char>(8 * message.size());
  std::array<unsigned, 16> block;
  std::memcpy(block.data(), bytes.data(), bytes.size());

  const unsigned rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  const std::array<unsigned, 4> initial = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U};
  std::array<unsigned, 4> state = initial;
  for (unsigned step = 0; step < 64; ++step) {
    const auto [a, b, c, d] = state;
    const unsigned functions[4] = {(b & c) | (~b & d), (b & d) | (c & ~d), b ^ c ^ d, c ^ (b | ~d)};
    const unsigned words[4] = {step, 5 * step + 1, 3 * step + 5, 7 * step};
    const auto sine = static_cast<unsigned>(std::floor(4294967296.0 * std::abs(std::sin(step + 1.0))));
    const unsigned round = step / 16, bits = rotations[round][step % 4];
    const unsigned sum = a + functions[round] + block[words[round] % 16] + sine;
    state = {d, b + (sum << bits | sum >> (32 - bits)), b, c};
  }
  Md5Digest digest;
  for (unsigned word = 0; word < 4; ++word) digest.words[word] = initial[word] + state[word];
  return digest;
}

class Md5Search : public gpu::Workload {
 public:
  std::string name() const override { return "md5_search"; }
  std::string summary() const override { return "brute-force search for the keys of MD5 digests"; }
  std::string branches() const override {
    return "none to interleave: lanes that have found their key wait for those that still hash";
  }
  std::string sizes() const override { return Warps.text("warps, 2 keys a thread"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned Endings = 16;
    const unsigned keys_per_thread = gpu::items_of_thread(options, 2);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> numbers, beginnings;
    std::vector<Md5Digest> digests;
    for (unsigned key = 0; key < shape.total() * keys_per_thread; ++key) {
      // The number Endings is that of a key which the search does not find.
      const unsigned number = random.below(Endings + 1);
      std::string text;
      for (unsigned digit = 0; digit < 4; ++digit) text += static_cast<char>('A' + random.below(26));
      beginnings.emplace_back();
      std::memcpy(&beginnings.back(), text.data(), text.size());
      for (unsigned digit = 0; digit < 4; ++digit) text += static_cast<char>('a' + (number >> 4 * digit & 15U));
      digests.push_back(md5(text));
      numbers.push_back(number);
    }
    const std::uint64_t found = device.allocate(numbers.size() * sizeof(unsigned));
    const std::uint64_t of_beginnings = gpu::upload(device, beginnings), of_digests = gpu::upload(device, digests);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, of_digests, of_beginnings, found,
                keys_per_thread, Endings);
    return gpu::compare_words(gpu::download<unsigned>(device, found, numbers.size()), numbers);
  }

 private:
  static constexpr gpu::PerSize Warps{64, 640, 3840};
};

const gpu::RegisterWorkload<Md5Search> Registered;

}  // namespace
}  // namespace heddle::kernels::md5_search
