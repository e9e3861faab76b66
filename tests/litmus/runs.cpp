// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/runs.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "sim/gpu/program_library.h"
#include "tests/litmus/skewed_memory.h"

namespace heddle::tests {

namespace {

/// Left alone if it says so already: two processes may read it.
void write_text(const std::string& path, const std::string& text) {
  std::stringstream there;
  there << std::ifstream(path).rdbuf();
  if (there.str() != text) std::ofstream(path) << text;
}

/// What a timing is: all of it follows from the seed.
struct Timing {
  explicit Timing(unsigned seed) {
    std::mt19937 random(seed);
    const std::uint32_t most = 1U << random() % 7;
    for (std::uint32_t& delay : delays) delay = random() % most;
    reads = random() % 2 == 0 ? 0 : 20;
    floods = random() % 2 == 0 ? 0 : random() % 8;
    partition = random() % LitmusWords;
  }
  bool has_noise() const { return reads + floods != 0; }

  std::uint32_t delays[4], reads, floods, partition;
};

/// Where the words, the results and the lines of the noise lie.
struct Places {
  static constexpr unsigned Round = 1536;  // the partitions of a chip of six channels, once

  explicit Places(gpu::Device& device)
      : words(device.allocate(3 * Round) / Round * Round + Round),
        out(device.allocate(256)),
        flood(device.allocate(34 * Round) / Round * Round + Round) {}

  std::uint64_t word(unsigned index) const { return words + index * LitmusWordStride; }

  std::uint64_t words, out, flood;
};

Outcome run_once(gpu::Device& device, const isa::Program& k, const LitmusTest& test, unsigned sms, const Places& places,
                 const Timing& timing) {
  const std::vector<std::uint8_t> zeros(LitmusWords * LitmusWordStride, 0);
  device.write(places.words, zeros.data(), zeros.size());
  device.write(places.out, zeros.data(), 64);
  const unsigned ctas = test.ctas() + (timing.has_noise() ? sms : 0);
  gpu::launch(device, k, {ctas, 1, 1}, {32 * test.warps(), 1, 1}, places.words, places.out, timing.delays[0],
              timing.delays[1], timing.delays[2], timing.delays[3], timing.reads,
              places.flood + timing.partition * LitmusWordStride, timing.floods);
  Outcome outcome = gpu::download<std::uint32_t>(device, places.out, test.registers);
  for (const std::string& name : test.finals)
    for (unsigned i = 0; i < LitmusWords; ++i)
      if (name == litmus_word(i)) outcome.push_back(gpu::download<std::uint32_t>(device, places.word(i), 1)[0]);
  return outcome;
}

std::string run_all(gpu::Device& device, const std::vector<LitmusTest>& tests, unsigned sms, const LitmusSeeds& seeds,
                    const std::string& folder) {
  std::vector<std::unique_ptr<gpu::ProgramLibrary>> libraries;
  for (const LitmusTest& test : tests)
    libraries.push_back(std::make_unique<gpu::ProgramLibrary>(folder + '/' + test.name + ".ptx"));
  const Places places(device);
  std::string lines;
  for (unsigned seed = seeds.first; seed < seeds.end; seed += seeds.step)
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const isa::Program& k = libraries[i]->find("k", device.machine());
      const Outcome outcome = run_once(device, k, tests[i], sms, places, Timing(seed));
      lines += fmt::format("{} {} {}\n", tests[i].name, text_of(outcome), seed);
    }
  return lines;
}

}  // namespace

gpu::RunRequest litmus_runs(const std::vector<LitmusTest>& tests, const LitmusMachine& machine,
                            const LitmusSeeds& seeds, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const LitmusTest& test : tests) write_text(folder + '/' + test.name + ".ptx", litmus_ptx(test));
  gpu::RunRequest request;
  request.kernel = fmt::format("{} on {} SMs{}", machine.name, machine.sms, machine.skewed ? ", skewed memory" : "");
  request.timed.sm.point = machine.point;
  request.timed.sm.mechanism = machine.mechanism;
  request.timed.sms = machine.sms;
  request.timed.memory = gpu::MemoryKind::Chip;  // several partitions: requests to them may overtake each other
  if (machine.skewed)
    request.timed.own_memory = [](unsigned, const sc_core::sc_time& period, BackingStore& store) {
      return std::make_unique<skewed_memory>("below", period, store);
    };
  request.timed.sm.watchdog_cycles = 200'000;
  request.with_oracle = false;  // which has one order of many
  request.program = [tests, seeds, folder, sms = machine.sms](gpu::Device& device) {
    return gpu::Outcome{true, run_all(device, tests, sms, seeds, folder)};
  };
  return request;
}

std::string forbidden_outcomes(const std::vector<LitmusTest>& tests, const std::string& lines) {
  std::map<std::string, std::set<std::string>> allowed;
  for (const LitmusTest& test : tests)
    for (const Outcome& outcome : test.allowed) allowed[test.name].insert(text_of(outcome));
  std::istringstream stream(lines);
  std::string wrong;
  for (std::string test, outcome, seed; stream >> test >> outcome >> seed;)
    if (allowed[test].count(outcome) == 0)
      wrong +=
          fmt::format("test {} ended with {} at seed {}, which the PTX memory model forbids\n", test, outcome, seed);
  return wrong;
}

}  // namespace heddle::tests
