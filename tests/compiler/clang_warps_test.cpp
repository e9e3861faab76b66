// SPDX-License-Identifier: Apache-2.0
// PTX that clang-14 makes of clang_warps.cu, on the oracle.
#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;

namespace {

constexpr unsigned Threads = 64, WordsAThread = 16;

std::uint32_t value_of(unsigned thread) {
  return thread * 2654435761U >> 3;
}
unsigned lane_in_warp(unsigned thread, unsigned lane) {
  return thread / 32 * 32 + lane;
}
template <class Holds>
std::uint32_t ballot(unsigned thread, Holds holds) {
  std::uint32_t mask = 0;
  for (unsigned lane = 0; lane < 32; ++lane) mask |= holds(lane_in_warp(thread, lane)) ? 1U << lane : 0U;
  return mask;
}

std::vector<std::uint32_t> expected_words(unsigned t) {
  const unsigned lane = t % 32;
  std::uint32_t sum = 0, parity = 0;
  for (unsigned l = 0; l < 32; ++l) sum += value_of(lane_in_warp(t, l)), parity ^= value_of(lane_in_warp(t, l));
  const std::uint32_t low_half = 0xfff0 + 0xffff, high_half = 31U - 31U;
  return {value_of(t),
          value_of(lane_in_warp(t, lane / 3)),
          value_of(lane % 8 < 2 ? t : t - 2),
          value_of(lane + 5 < 32 ? t + 5 : t) + 1,
          sum,
          ballot(t, [](unsigned thread) { return value_of(thread) % 2 != 0; }),
          2,
          lane < 16 ? low_half : high_half,
          ballot(t, [&](unsigned thread) { return thread % 32 % 5 == lane % 5; }),
          0,  // all ones, and one for `all`
          10,
          1 + 4,
          sum + parity,
          0,
          0,
          0};
}

}  // namespace

BOOST_AUTO_TEST_CASE(cuda_functions) {
  for (const char* variant : {"O1", "O3"}) {
    BOOST_TEST_CONTEXT(variant) {
      const auto module = heddle::ptx::parse_file(std::string(HEDDLE_PTX_DIR "/clang_warps_") + variant + ".ptx");
      std::vector<std::uint32_t> words(WordsAThread * Threads + 4, 0);
      std::vector<float> floats(Threads + 1, 0);
      std::vector<double> doubles(Threads + 1, 0);
      for (unsigned t = 0; t < Threads; ++t) {
        words[WordsAThread * t] = value_of(t);
        floats[t] = static_cast<float>(t) + 0.25F;
        doubles[t] = t * 0x1.0000000000001p0;
      }
      words[WordsAThread * Threads] = 1000;
      gpu::OracleDevice device;
      const std::uint64_t word = gpu::upload(device, words), single = gpu::upload(device, floats),
                          wide = gpu::upload(device, doubles),
                          pair = gpu::upload(device, std::vector<std::uint64_t>(4, 0));
      gpu::launch(device, heddle::compiler::compile(module, "warps"), {1}, {Threads}, word, single, wide, pair);
      const auto found = gpu::download<std::uint32_t>(device, word, words.size());
      const auto found_floats = gpu::download<float>(device, single, floats.size());
      const auto found_doubles = gpu::download<double>(device, wide, doubles.size());
      for (unsigned t = 0; t < Threads; ++t) {
        const std::vector<std::uint32_t> expected = expected_words(t);
        const std::vector<std::uint32_t> its(found.begin() + WordsAThread * t, found.begin() + WordsAThread * (t + 1));
        BOOST_TEST(its == expected, boost::test_tools::per_element());
        BOOST_TEST(found_floats[t] == floats[t ^ 9]);
        BOOST_TEST(found_doubles[t] == doubles[t % 16 == 15 ? t : t + 1]);
      }
      BOOST_TEST(found_floats[Threads] == 2016.0F);
      BOOST_TEST(found_doubles[Threads] == 2016.0);
      const std::vector<std::uint64_t> pairs = {std::uint64_t{2016} << 30, std::uint64_t{63} << 40, ~std::uint64_t{0},
                                                5};
      BOOST_TEST(gpu::download<std::uint64_t>(device, pair, 4) == pairs, boost::test_tools::per_element());
      const std::vector<std::uint32_t> last(found.end() - 4, found.end());
      BOOST_TEST(last == (std::vector<std::uint32_t>{7, 4, 0U - 192, 0}), boost::test_tools::per_element());
    }
  }
}
