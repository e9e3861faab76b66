// SPDX-License-Identifier: Apache-2.0
// compiled_functions.h on the device as clang and nvcc compile it, against the same functions on the host: all of it on
// the oracle, a part under both stacks. A wrong reading of the PTX manual that the oracle, the SM and the reference of
// an opcode share is seen here.
#include "tests/system/compiled_functions.h"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <random>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

using Words = std::vector<unsigned long long>;
constexpr unsigned In = 4, Out = 8;  // words of a thread

struct Function {
  const char* name;
  void (*on_host)(const unsigned long long*, unsigned long long*);
};

#define LISTED(name) {#name, &compiled::name},
const std::vector<Function> Functions = {FOR_ALL_FUNCTIONS(LISTED)};
const Function Division = {"division_128", &compiled::division_128};  // which clang has not

/// Words of all sizes, at the ends of their ranges as often as not, so that carries run through.
Words words_for(unsigned threads) {
  constexpr unsigned long long Edges[] = {
      0, 1, ~0ULL, 1ULL << 63, ~0ULL >> 1, 0xffffffffULL, 1ULL << 32, 0x80000000ULL, 0x7fffffffULL, ~0ULL << 32};
  std::mt19937_64 random(1);
  Words words(In * threads);
  for (unsigned long long& word : words) {
    const unsigned choice = random() % 8;
    word = choice < 2 ? Edges[random() % std::size(Edges)] : choice < 5 ? random() >> random() % 64 : random();
  }
  return words;
}

/// What is wrong with a function on a device; empty: nothing.
std::string difference(gpu::Device& device, gpu::ProgramLibrary& library, const Function& function, unsigned blocks,
                       unsigned threads) {
  const unsigned all = blocks * threads;
  const Words in = words_for(all);
  const std::uint64_t out = gpu::upload(device, Words(Out * all, 0x5555555555555555U));
  gpu::launch(device, library.find(function.name), {blocks}, {threads}, gpu::upload(device, in), out);
  const Words found = gpu::download<unsigned long long>(device, out, Out * all);
  for (unsigned thread = 0; thread < all; ++thread) {
    unsigned long long expected[Out];
    const unsigned long long* const words = &in[In * thread];
    function.on_host(words, expected);
    for (unsigned word = 0; word < Out; ++word)
      if (found[Out * thread + word] != expected[word])
        return fmt::format("{}({:#x}, {:#x}, {:#x}, {:#x}), word {}: {:#x}, the host has {:#x}", function.name,
                           words[0], words[1], words[2], words[3], word, found[Out * thread + word], expected[word]);
  }
  return "";
}

void check_on_oracle(const std::string& ptx, const std::vector<Function>& functions) {
  gpu::ProgramLibrary library(ptx);
  for (const Function& function : functions) {
    gpu::OracleDevice device;
    BOOST_TEST(difference(device, library, function, 4, 128) == "", ptx);
  }
}

void check_on_stacks(const std::string& ptx, const std::vector<Function>& functions) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism :
       {heddle::Mechanism{"spe", "baseline"}, heddle::Mechanism{"dpe", "shadow"}}) {
    requests.push_back(tests::request_of(mechanism, [ptx, functions](gpu::Device& device) -> gpu::Outcome {
      gpu::ProgramLibrary library(ptx);
      for (const Function& function : functions) {
        const std::string wrong = difference(device, library, function, 1, 32);
        if (!wrong.empty()) return {false, wrong};
      }
      return {true, ""};
    }));
  }
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == gpu::RunStatus::Ok), ptx << ": " << result.message);
    BOOST_TEST(result.equals_oracle);
  }
}

/// The PTX of nvcc with these flags, or none: then the reason is printed.
std::string ptx_of_nvcc(const std::string& flags) {
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return "";
  }
  const std::string file = fmt::format("{}/compiled_functions_nvcc{}.ptx", HEDDLE_PTX_DIR, flags);
  const std::string command = fmt::format(
      "'{0}' -std=c++17 -ptx {1} -fmad=false -arch={2} -I'{3}' -o '{4}' '{3}/tests/system/compiled_functions.cu'", nvcc,
      flags, HEDDLE_NVCC_ARCHITECTURE, HEDDLE_SOURCE, file);
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

std::vector<Function> with_division() {
  std::vector<Function> functions = Functions;
  functions.push_back(Division);
  return functions;
}

}  // namespace

BOOST_AUTO_TEST_CASE(compiled_by_clang) {
  for (const char* level : {"O1", "O3"})
    check_on_oracle(fmt::format(HEDDLE_PTX_DIR "/compiled_functions_{}.ptx", level), Functions);
  check_on_stacks(HEDDLE_PTX_DIR "/compiled_functions_O3.ptx", Functions);
}

BOOST_AUTO_TEST_CASE(compiled_by_nvcc) {
  for (const char* flags : {"-O3", "-G"}) {
    const std::string ptx = ptx_of_nvcc(flags);
    if (ptx.empty()) return;
    check_on_oracle(ptx, with_division());
  }
}

// Its chain of subc.cc ends with addc d, 0, 0: it needs the adder's carry.
BOOST_AUTO_TEST_CASE(division_of_128_bits_by_nvcc_on_stacks) {
  const std::string ptx = ptx_of_nvcc("-O3");
  if (!ptx.empty()) check_on_stacks(ptx, {Division});
}
