// SPDX-License-Identifier: Apache-2.0
// Random programs beside the oracle, as many as you like: what scripts/fuzz runs.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "sim/report/nearest.h"
#include "tests/kit/twin_library.h"
#include "tests/random/affine_points.h"
#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;

namespace {

constexpr unsigned ProgramsAtOnce = 500;  // in memory

struct Options {
  unsigned programs = 500, jobs = 2, sms = 1;
  std::uint64_t seed = 1;
  std::string mechanism, record, failures = "random_programs";
  bool print = false, language = false, synchronisation = false, predictions = false, affine = false, exits = false,
       meetings = false, both_clocks = false;

  tests::Flavour flavour() const {
    return language          ? tests::Flavour::Language
           : synchronisation ? tests::Flavour::Synchronisation
           : predictions     ? tests::Flavour::Predictions
           : affine          ? tests::Flavour::Affine
           : exits           ? tests::Flavour::Exits
           : meetings        ? tests::Flavour::Meetings
                             : tests::Flavour::ControlFlow;
  }
};

/// A program that one of them refuses is left out there.
std::vector<heddle::Mechanism> known() {
  std::vector<heddle::Mechanism> all = tests::stack_mechanisms();
  for (const heddle::Mechanism& mechanism : tests::split_mechanisms()) all.push_back(mechanism);
  for (const heddle::Mechanism& mechanism : tests::barrier_mechanisms()) all.push_back(mechanism);
  for (const heddle::Mechanism& mechanism : tests::optimistic_mechanisms()) all.push_back(mechanism);
  for (const heddle::Mechanism& mechanism : tests::barrel_mechanisms()) all.push_back(mechanism);
  for (const heddle::Mechanism& mechanism : tests::formation_mechanisms()) all.push_back(mechanism);
  for (const heddle::Mechanism& mechanism : tests::mimd_mechanisms()) all.push_back(mechanism);
  return all;
}

/// Marks are for machines with convergence barriers, affine programs for those with an affine warp.
std::vector<heddle::Mechanism> of_flavour(const Options& options) {
  return options.predictions ? tests::barrier_mechanisms()
         : options.affine    ? tests::affine_mechanisms()
         : options.exits     ? tests::exit_mechanisms()
                             : known();
}

/// The one that is asked for need not be among those of the flavour: a test may run another. One with an affine unit
/// (NAME+cae) is known by what it is without.
std::vector<heddle::Mechanism> chosen(const Options& options) {
  std::vector<heddle::Mechanism> all = of_flavour(options);
  if (options.mechanism.empty()) return all;
  for (heddle::Mechanism mechanism : known()) {
    all.push_back(mechanism);
    mechanism.affine.name = "cae";
    all.push_back(mechanism);
  }
  for (const heddle::Mechanism& mechanism : all)
    if (options.mechanism == tests::name_of(mechanism)) return {mechanism};
  return {};
}

/// Slices whose ports can be recorded are libraries of their own.
void prepare_recordings(const std::string& folder, const std::vector<heddle::Mechanism>& mechanisms) {
  std::filesystem::create_directories(folder);
  for (heddle::Mechanism mechanism : mechanisms) {
    const std::string block = heddle::divergence_named(mechanism.divergence).block;
    mechanism.twins.recorded[block] = {};
    const std::string family = heddle::family_of(mechanism);
    if (family.rfind("Twin", 0) == 0)
      for (const char* point : {"tiny", "hpca13"}) tests::build_slices(family, point);
  }
}

int fuzz(const Options& options) {
  if (!options.record.empty()) prepare_recordings(options.record, chosen(options));
  unsigned failures = 0, done = 0;
  const bool terminal = ::isatty(2) != 0;
  tests::CampaignResult total;
  while (done < options.programs) {
    tests::Campaign campaign;
    campaign.first_seed = options.seed + done;
    campaign.programs = std::min(ProgramsAtOnce, options.programs - done);
    campaign.flavour = options.flavour();
    campaign.jobs = options.jobs;
    campaign.sms = options.sms;
    campaign.mechanisms = chosen(options);
    campaign.both_clocks = options.both_clocks;
    if (options.affine) campaign.points = tests::affine_points();
    if (options.predictions) campaign.placements = tests::all_placements();
    campaign.failures_directory = options.failures;
    campaign.record = options.record;
    if (terminal) {
      campaign.progress = [&](unsigned part, unsigned parts) {
        fmt::print(stderr, "\r{} of {} programs, {}/{} of the next {}, {} failures ", done, options.programs, part,
                   parts, campaign.programs, failures);
      };
    }
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) fmt::print("{}FAIL {}\n", terminal ? "\r\033[K" : "", text);
    failures += static_cast<unsigned>(result.failures.size());
    done += campaign.programs;
    total.runs += result.runs;
    total.words_compared += result.words_compared;
    total.warp_instructions += result.warp_instructions;
    total.cpu_seconds += result.cpu_seconds;
    for (const auto& [mechanism, count] : result.by_mechanism) {
      total.by_mechanism[mechanism].runs += count.runs;
      total.by_mechanism[mechanism].left_out += count.left_out;
    }
    fmt::print("{}seeds {} to {}: {} programs, {} runs equal the oracle, {} warp instructions, {:.1f} CPU seconds\n",
               terminal ? "\r\033[K" : "", campaign.first_seed, campaign.first_seed + campaign.programs - 1,
               result.programs, result.runs, result.warp_instructions, result.cpu_seconds);
    std::cout.flush();
  }
  for (const auto& [mechanism, count] : total.by_mechanism)
    fmt::print("{}: {} runs equal the oracle, {} programs left out\n", mechanism, count.runs, count.left_out);
  fmt::print("{} programs from seed {}: {}\n", done, options.seed,
             failures == 0 ? "all equal" : fmt::format("{} FAILURES", failures));
  return failures == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Random structured programs on the oracle and under every mechanism: memory, thread instructions and lane\n"
      "utilisation must be equal. Programs of which every fourth runs at tiny, the others at hpca13.\n\n"
      "  scripts/fuzz 10000                                 ten thousand more\n"
      "  scripts/fuzz 1 --seed 77 --mechanism dpe/shadow    one again\n"
      "  scripts/fuzz 1 --seed 77 --print                   its PTX"};
  app.add_option("programs", options.programs, "How many programs")->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the first; each next has the next seed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--mechanism", options.mechanism, "Only this one, such as dpe/shadow");
  app.add_option("--jobs", options.jobs, "Processes at once")->capture_default_str();
  app.add_option("--sms", options.sms, "SMs, which share the programs' blocks")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--record", options.record,
                 "Folder for what the ports of stacks, scoreboards and schedulers show: scripts/rules FOLDER");
  app.add_option("--failures", options.failures, "Directory for the PTX of programs that fail")->capture_default_str();
  app.add_flag("--language", options.language,
               "Every integer opcode and functions, instead of few opcodes and much control flow");
  app.add_flag("--synchronisation", options.synchronisation,
               "Fences, atomics, locks, volatile accesses and exits at every depth, in small programs")
      ->excludes("--language");
  app.add_flag("--predictions", options.predictions,
               "Legal and misplaced marks of predictions in small programs, under convergence barriers: the default\n"
               "placement, predicted with dynamic and static deconfliction, automatic, soft barriers")
      ->excludes("--language")
      ->excludes("--synchronisation");
  app.add_flag(
         "--affine", options.affine,
         "Programs for an affine warp: affine addresses, predicates and loops beside others; under spe and dpe with\n"
         "--affine dac, some at queues of one")
      ->excludes("--language")
      ->excludes("--synchronisation")
      ->excludes("--predictions");
  app.add_flag(
         "--exits", options.exits,
         "Programs of which many threads leave early, out of loops inside loops; with trap sides, and `.sync` behind\n"
         "loops; under one mechanism of each kind, and beside an affine warp")
      ->excludes("--language")
      ->excludes("--synchronisation")
      ->excludes("--predictions")
      ->excludes("--affine");
  app.add_flag("--meetings", options.meetings,
               "`.sync` operations behind branches and loops, and in the sides of a branch")
      ->excludes("--language")
      ->excludes("--synchronisation")
      ->excludes("--predictions")
      ->excludes("--affine");
  app.add_flag("--both-clocks", options.both_clocks,
               "Each run without the clock gate too: every number must be the same");
  app.add_flag("--print", options.print, "Print the programs and run nothing");
  CLI11_PARSE(app, argc, argv);
  if (chosen(options).empty()) {
    std::vector<std::string> names;
    for (const auto& mechanism : of_flavour(options)) names.push_back(tests::name_of(mechanism));
    for (const auto& mechanism : known()) names.push_back(tests::name_of(mechanism));
    fmt::print(stderr, "{}\n", heddle::report::no_such("mechanism", options.mechanism, names));
    return 2;
  }
  if (options.print) {
    for (unsigned i = 0; i < options.programs; ++i)
      fmt::print("{}", tests::random_program(options.seed + i, options.flavour()).ptx);
    return 0;
  }
  return fuzz(options);
}

}  // namespace

int sc_main(int, char**) {
  return 0;
}

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "random_programs: " << error.what() << '\n';
    return 2;
  }
}
