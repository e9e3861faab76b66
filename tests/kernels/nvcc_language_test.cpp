// SPDX-License-Identifier: Apache-2.0
// nvcc_language.cu as nvcc writes it, with and without optimisation, on the oracle: the language and the math library.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/gpu/workload.h"

namespace gpu = heddle::gpu;

namespace {

constexpr unsigned Blocks = 4, Threads = 64, All = Blocks * Threads;

/// The PTX of nvcc with these flags, or none: then the reason is printed.
std::string ptx_of(const std::string& flags) {
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return "";
  }
  std::string file = fmt::format("{}/nvcc_language{}.ptx", HEDDLE_PTX_DIR, flags);
  const std::string command = fmt::format("'{}' -ptx {} -arch={} -o '{}' '{}'", nvcc, flags, HEDDLE_NVCC_ARCHITECTURE,
                                          file, HEDDLE_NVCC_SOURCE);
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

template <class Out, class In>
std::vector<Out> run(gpu::ProgramLibrary& library, const char* entry, const std::vector<In>& in, unsigned each) {
  gpu::OracleDevice device;
  const std::uint64_t out = device.allocate(All * each * sizeof(Out));
  gpu::launch(device, library.find(entry), {Blocks}, {Threads}, gpu::upload(device, in), out);
  return gpu::download<Out>(device, out, All * each);
}

/// Numbers of all sizes, the first ones special.
template <class T>
std::vector<T> numbers() {
  gpu::Random random(1);
  std::vector<T> x{0, 1, -1, static_cast<T>(1e5), static_cast<T>(-3e7), static_cast<T>(1e-20), static_cast<T>(-0.5)};
  while (x.size() < All) x.push_back(static_cast<T>(random.between(-30, 30)));
  return x;
}

template <class T>
void expect_near(const std::vector<T>& found, const std::vector<double>& expected, std::size_t at, double relative) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double value = found[at * expected.size() + k], reference = expected[k];
    const bool equal = value == reference || (std::isinf(reference) && value == static_cast<double>(T(reference)));
    BOOST_TEST((equal || std::abs(value - reference) <= relative * std::abs(reference) + 1e-30),
               "number " << at << ", function " << k << ": " << value << ", expected " << reference);
  }
}

void check_singles(gpu::ProgramLibrary& library) {
  const std::vector<float> x = numbers<float>();
  const std::vector<float> y = run<float>(library, "single", x, 16);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    // The CUDA guide's bounds are at most 4 units in the last place for these: 5e-7. Sums of exact values are exact.
    expect_near(y,
                {std::sin(v), std::cos(v), std::tan(v), std::exp(v * 0.125), std::log(std::fabs(x[i]) + 2.0F),
                 std::pow(std::fabs(v), 1.75), std::sqrt(std::fabs(v)), std::atan2(v, 2), std::tanh(v), std::cbrt(v),
                 std::erf(v), std::fmod(v, 3),
                 static_cast<double>(std::floor(x[i]) + std::ceil(x[i]) + std::trunc(x[i]) + std::nearbyint(x[i])),
                 static_cast<double>(static_cast<float>(fraction + exponent)), std::hypot(v, 3), (v * v + 1) / 3},
                i, 6e-7);
  }
}

void check_doubles(gpu::ProgramLibrary& library) {
  const std::vector<double> x = numbers<double>();
  const std::vector<double> y = run<double>(library, "twice", x, 12);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x[i];
    expect_near(
        y,
        {std::sin(v), std::cos(v), std::exp(v * 0.125), std::log(std::fabs(v) + 2), std::pow(std::fabs(v), 1.75),
         std::sqrt(std::fabs(v)), std::atan2(v, 2), std::tanh(v), v / 3, std::fmod(v, 3), std::erf(v), std::cbrt(v)},
        i, 1e-15);
  }
}

void check_whole_numbers(gpu::ProgramLibrary& library) {
  gpu::Random random(2);
  std::vector<int> x{0, 1, -1, 2147483647, -2147483647 - 1};
  while (x.size() < All) x.push_back(static_cast<int>(random.next()));
  const std::vector<long long> y = run<long long>(library, "whole", x, 8);
  __extension__ using Wide = __int128;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto u = static_cast<unsigned>(x[i]);
    const long long w = x[i] * 0x123456789LL;
    const auto q = static_cast<unsigned long long>(w);
    const long long expected[] = {__builtin_popcount(u) + (u == 0 ? 32 : __builtin_clz(u)) + __builtin_ffs(x[i]),
                                  __builtin_popcountll(q) + (q == 0 ? 64 : __builtin_clzll(q)) + __builtin_ffsll(w),
                                  static_cast<int>(x[i] * 12345LL >> 32),
                                  static_cast<long long>(Wide(w) * 987654321 >> 64),
                                  w / 7 + w % 13,
                                  static_cast<long long>(q / 11 + q % 17),
                                  (u & 0xffff) | 0x56780000,
                                  static_cast<long long>(static_cast<float>(w))};
    for (unsigned k = 0; k < 8; ++k)
      BOOST_TEST(y[8 * i + k] == expected[k], x[i] << ", function " << k << ": " << y[8 * i + k]);
  }
}

int turned(int s, int thread) {
  switch (s & 7) {
    case 0:
      return s + 5;
    case 1:
      return s * 3;
    case 2:
      return s ^ thread;
    case 3:
      return s - 7;
    case 4:
      return s / 3;
    case 5:
      return s + s;
    case 6:
      return ~s;
    default:
      return -s;
  }
}

void check_language(gpu::ProgramLibrary& library) {
  gpu::Random random(3);
  std::vector<int> words(All), first(All), last(All);
  for (unsigned i = 0; i < All; ++i) {
    words[i] = static_cast<int>(random.below(2000)) - 1000;
    const int sum = 7 * words[i] + 21, weight = static_cast<int>(i % 8) + 1;
    first[i] = (sum & 1) != 0 ? sum * weight : sum + weight;
  }
  gpu::OracleDevice device;
  const std::uint64_t buffer = gpu::upload(device, words);
  gpu::launch(device, library.find("language"), {Blocks}, {Threads}, gpu::SharedBytes{4 * Threads}, buffer);
  for (unsigned i = 0; i < All; ++i)
    last[i] = turned(first[i] + first[i / Threads * Threads + (i + 1) % Threads], static_cast<int>(i));
  const std::vector<int> found = gpu::download<int>(device, buffer, All);
  for (unsigned i = 0; i < All; ++i) {
    int odd = 0;
    for (unsigned lane = 0; lane < 32; ++lane) odd += last[i / 32 * 32 + lane] & 1;
    BOOST_TEST(found[i] == last[i] + last[i ^ 1U] + odd, "thread " << i);
  }
}

void check(const std::string& flags) {
  const std::string ptx = ptx_of(flags);
  if (ptx.empty()) return;
  gpu::ProgramLibrary library(ptx);
  check_singles(library);
  check_doubles(library);
  check_whole_numbers(library);
  check_language(library);
}

}  // namespace

BOOST_AUTO_TEST_CASE(optimised) {
  check("-O3");
}

BOOST_AUTO_TEST_CASE(for_the_debugger) {
  check("-G");
}
