// SPDX-License-Identifier: Apache-2.0
// The divergence analysis beside the machine: no branch that the compiler calls uniform ever diverges, in any kernel of
// ours and in random programs. How many of those that it calls divergent never do is printed.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <sstream>

#include "sim/compiler/compile.h"
#include "sim/gpu/run.h"
#include "sim/ptx/parser.h"
#include "tests/random/program_campaign.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
namespace compiler = heddle::compiler;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// The timed device, and how often each branch of each program diverged on it.
class Probe : public gpu::Device {
 public:
  explicit Probe(gpu::Device& device) : device_(dynamic_cast<gpu::TimedDevice&>(device)) {}

  std::uint64_t allocate(std::size_t bytes) override { return device_.allocate(bytes); }
  void write(std::uint64_t address, const void* from, std::size_t bytes) override {
    device_.write(address, from, bytes);
  }
  void read(std::uint64_t address, void* to, std::size_t bytes) const override { device_.read(address, to, bytes); }

  const std::map<std::string, heddle::CodeCounts>& counts() const { return counts_; }

 protected:
  void execute(const gpu::Launch& launch) override {
    device_.launch(launch);
    heddle::CodeCounts& counts = counts_[launch.program->name];
    counts.resize(launch.program->code.size());
    const heddle::CodeCounts last = device_.code_counts();
    for (isa::Pc pc = 0; pc < counts.size(); ++pc) counts[pc] += last[pc];
  }

 private:
  gpu::TimedDevice& device_;
  std::map<std::string, heddle::CodeCounts> counts_;
};

/// The verdict about guarded branches and peels that were executed.
struct Verdict {
  unsigned uniform = 0, uniform_that_diverge = 0, divergent = 0, divergent_that_never_do = 0;
  std::string first;

  void add(const compiler::Analysis& analysis, const heddle::CodeCounts& counts) {
    for (isa::Pc pc = 0; pc < counts.size(); ++pc) {
      const isa::Instruction& instruction = analysis.program.code[pc];
      const bool chooses =
          instruction.guard.kind != isa::Source::Kind::None || instruction.branch == isa::BranchKind::Peel;
      if (counts[pc].branches == 0 || !chooses) continue;
      const bool never = counts[pc].divergent == 0;
      if (analysis.divergence.is_divergent(pc)) {
        ++divergent;
        divergent_that_never_do += never;
        continue;
      }
      ++uniform;
      uniform_that_diverge += !never;
      if (!never && first.empty()) {
        first = fmt::format("{} line {}", analysis.program.file.substr(analysis.program.file.rfind('/') + 1),
                            instruction.line);
      }
    }
  }
  std::string text() const {
    return fmt::format("{} {} {} {} {}", uniform, uniform_that_diverge, divergent, divergent_that_never_do, first);
  }
  void add(const std::string& text) {
    std::istringstream in(text);
    unsigned counts[4] = {};
    for (unsigned& count : counts) in >> count;
    uniform += counts[0];
    uniform_that_diverge += counts[1];
    divergent += counts[2];
    divergent_that_never_do += counts[3];
    if (first.empty()) std::getline(in, first);
  }
};

gpu::RunRequest request_for(const std::string& divergence) {
  gpu::RunRequest request = tests::request_of(heddle::with_its_scoreboard(divergence), {});
  request.with_oracle = false;
  return request;
}

Verdict run(const std::vector<gpu::RunRequest>& requests) {
  Verdict all;
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
    all.add(result.message);
  }
  return all;
}

void report(const char* what, const Verdict& verdict) {
  BOOST_TEST(verdict.uniform_that_diverge == 0U, "a branch called uniform diverges: " << verdict.first);
  std::cout << what << ": " << verdict.uniform << " branches called uniform never diverge; of " << verdict.divergent
            << " called divergent " << verdict.divergent_that_never_do << " never do\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels) {
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    if (workload->expects_deadlock()) continue;
    // One mechanism is enough: that others diverge at the same branches is what system.kernel_suite holds.
    gpu::RunRequest request = request_for("dpe");
    request.kernel = workload->name();
    request.program = [workload](gpu::Device& device) {
      Probe probe(device);
      const gpu::Outcome outcome = gpu::workload_program(*workload, {}, HEDDLE_PTX_DIR)(probe);
      if (!outcome.ok) return outcome;
      const auto module = heddle::ptx::parse_file(HEDDLE_PTX_DIR "/" + workload->name() + ".ptx");
      Verdict verdict;
      for (const auto& [entry, counts] : probe.counts()) verdict.add(compiler::analyse(module, entry), counts);
      return gpu::Outcome{true, verdict.text()};
    };
    requests.push_back(std::move(request));
  }
  const Verdict verdict = run(requests);
  report("kernels", verdict);
  BOOST_TEST(verdict.uniform > 10U);
  BOOST_TEST(verdict.divergent > 10U);
}

namespace {

Verdict run_random(tests::Flavour flavour) {
  constexpr unsigned Programs = 120;
  std::vector<gpu::RunRequest> requests;
  for (const char* divergence : {"spe", "dpe"}) {
    gpu::RunRequest request = request_for(divergence);
    request.kernel = "random";
    request.program = [flavour](gpu::Device& device) {
      Verdict verdict;
      for (std::uint64_t seed = 1; seed <= Programs; ++seed) {
        const tests::RandomProgram program = tests::random_program(seed, flavour);
        if (program.point != &heddle::point::hpca13::Values) continue;
        const auto module = heddle::ptx::parse(program.ptx, fmt::format("random_{}.ptx", seed));
        const compiler::Analysis analysis = compiler::analyse(module, "random");
        Probe probe(device);
        tests::host_program(program)(probe);
        verdict.add(analysis, probe.counts().at("random"));
      }
      return gpu::Outcome{true, verdict.text()};
    };
    requests.push_back(std::move(request));
  }
  return run(requests);
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_programs) {
  const Verdict verdict = run_random(tests::Flavour::ControlFlow);
  report("random programs", verdict);
  BOOST_TEST(verdict.uniform > 50U);
  BOOST_TEST(verdict.divergent > 1000U);
}

BOOST_AUTO_TEST_CASE(random_programs_with_functions) {
  const Verdict verdict = run_random(tests::Flavour::Language);
  report("random programs with functions", verdict);
  BOOST_TEST(verdict.uniform > 20U);
  BOOST_TEST(verdict.divergent > 500U);
}
