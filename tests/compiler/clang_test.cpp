// SPDX-License-Identifier: Apache-2.0
// PTX that clang-14 makes of clang_opcodes.cu, with and without optimisation for speed over exactness.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace gpu = heddle::gpu;
namespace ptx = heddle::ptx;

namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
__extension__ using S128 = __int128;
__extension__ using U128 = unsigned __int128;

ptx::Module module_of(const std::string& variant) {
  return ptx::parse_file(HEDDLE_PTX_DIR "/clang_opcodes_" + variant + ".ptx");
}

/// Both buffers after the run of an entry with one thread.
template <class A, class B>
void run(const ptx::Module& module, const char* entry, std::vector<A>& first, std::vector<B>& second) {
  gpu::OracleDevice device;
  const U64 a = gpu::upload(device, first), b = gpu::upload(device, second);
  gpu::launch(device, compiler::compile(module, entry), {1}, {1}, a, b);
  first = gpu::download<A>(device, a, first.size());
  second = gpu::download<B>(device, b, second.size());
}

/// The number that is next to the exact value, above or below it.
template <class T>
T rounded_up(long double exact) {
  const T nearest = static_cast<T>(exact);
  return nearest < exact ? std::nextafter(nearest, std::numeric_limits<T>::infinity()) : nearest;
}
template <class T>
T rounded_down(long double exact) {
  return -rounded_up<T>(-exact);
}

constexpr const char* Variants[] = {"O0", "O1", "O3", "fast"};

}  // namespace

BOOST_AUTO_TEST_CASE(integers) {
  constexpr U32 a = 0x8091a2b3, b = 0x00c0ffe0, n = 13;
  constexpr U64 p = 0xfedcba9876543210, q = 0xf00dfeedfacecafe;
  const S128 x = static_cast<S128>(U128{p} << 64 | q), y = static_cast<S128>(U128{q} << 63 | p);
  const U128 product = static_cast<U128>(x) * static_cast<U128>(y), shifted = static_cast<U128>(x >> n);
  const U128 words_product = U128{p} * q;
  const auto low = [](U128 value) { return static_cast<U64>(value); };
  const auto high = [](U128 value) { return static_cast<U64>(value >> 64); };
  U32 dot = n;
  for (unsigned byte = 0; byte < 4; ++byte) dot += (a >> 8 * byte & 0xff) * (b >> 8 * byte & 0xff);
  for (const char* variant : Variants) {
    std::vector<U32> word = {a, b, n};
    std::vector<U64> pair = {p, q};
    word.resize(14), pair.resize(9);
    run(module_of(variant), "integers", word, pair);
    const std::vector<U32> words = {a,
                                    b,
                                    n,
                                    0xc091b380,  // bytes 6, 2, 0, 3
                                    0xb3a29180,
                                    a << n | a >> (32 - n),
                                    32 + (0 << 8) + (5 << 16),
                                    static_cast<U32>(static_cast<std::int32_t>(a << 7) >> 20) + (b >> 5 & 0x3f),
                                    (a - 0x81000000) * (b - 0x01000000),  // the low 24 bits of both are negative
                                    n + (a - b),
                                    (b & ~(0xfffU << 13)) | (a & 0xfff) << 13,
                                    23,
                                    a ^ b ^ n,
                                    dot};
    const std::vector<U64> pairs = {p,
                                    q,
                                    low(product),
                                    high(product),
                                    low(shifted),
                                    high(shifted),
                                    p << n | p >> (64 - n),
                                    low(words_product),
                                    high(words_product)};
    BOOST_TEST_CONTEXT(variant) {
      BOOST_TEST(word == words, boost::test_tools::per_element());
      BOOST_TEST(pair == pairs, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(floats) {
  constexpr float a = 3.7F, b = -2.3F, c = -5.5F;
  constexpr double wide = 0.1;
  for (const char* variant : Variants) {
    std::vector<float> f = {a, b, c};
    std::vector<double> d = {wide};
    f.resize(16), d.resize(3);
    run(module_of(variant), "floats", f, d);
    const std::vector<float> expected = {a,
                                         b,
                                         c,
                                         rounded_down<float>(static_cast<long double>(a) + b),
                                         rounded_up<float>(static_cast<long double>(a) * b + c),
                                         1,
                                         static_cast<float>(std::exp2(double{b})),
                                         static_cast<float>(std::sin(double{a})),
                                         static_cast<float>(1 / std::sqrt(double{a})),
                                         -a,
                                         -2,
                                         3.69921875F,
                                         -6,
                                         -6,
                                         rounded_down<float>(1.0L / a),
                                         a / b};
    BOOST_TEST_CONTEXT(variant) {
      BOOST_TEST(f == expected, boost::test_tools::per_element());
      BOOST_TEST(d[1] == rounded_down<double>(static_cast<long double>(wide) * a));
      BOOST_TEST(d[2] == 0.0999755859375);
    }
  }
}
