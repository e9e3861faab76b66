// SPDX-License-Identifier: Apache-2.0
// Registers a thread, ours beside those of NVIDIA's own assembler (ptxas -v) for the same PTX: occupancy follows from
// them, and every study from occupancy. They differ kernel by kernel, for ptxas also orders instructions anew and has
// registers for predicates and uniform values of its own; in sum they must not be far apart.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>

#include "sim/compiler/compile.h"
#include "sim/gpu/workload.h"
#include "sim/ptx/parser.h"

namespace {

/// By entry: what `ptxas -v` says that it uses.
std::map<std::string, unsigned> registers_of_ptxas(const std::string& file) {
  const std::string log = file + ".registers.log";
  const std::string command =
      fmt::format("'{}' -arch={} -v -o /dev/null '{}' > '{}' 2>&1", HEDDLE_PTXAS, HEDDLE_PTXAS_TARGET, file, log);
  std::ifstream in(std::system(command.c_str()) == 0 ? log : "");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::regex said("Compiling entry function '([^']+)'[^]*?Used ([0-9]+) registers");
  std::map<std::string, unsigned> found;
  for (std::sregex_iterator at(text.begin(), text.end(), said), end; at != end; ++at)
    found[(*at)[1]] = static_cast<unsigned>(std::stoul((*at)[2]));
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(about_as_many_registers_as_the_vendor_takes) {
  if (std::string(HEDDLE_PTXAS).empty()) {
    std::cout << "left out: no ptxas was found when the build was configured\n";
    return;
  }
  unsigned entries = 0, ours = 0, theirs = 0;
  std::cout << "entry                     ours  ptxas\n";
  for (const heddle::gpu::Workload* workload : heddle::gpu::all_workloads()) {
    const std::string file = std::string(HEDDLE_PTX_DIR "/") + workload->name() + ".ptx";
    const heddle::ptx::Module module = heddle::ptx::parse_file(file);
    for (const auto& [entry, count] : registers_of_ptxas(file)) {
      const unsigned registers = heddle::compiler::compile(module, entry).registers;
      std::cout << fmt::format("{:<25} {:>4} {:>6}\n", entry, registers, count);
      ++entries;
      ours += registers;
      theirs += count;
    }
  }
  std::cout << fmt::format("{} entries, {} registers, {} of ptxas\n", entries, ours, theirs);
  BOOST_TEST(entries >= 38U);
  BOOST_TEST(ours <= 1.2 * theirs);
}
