// SPDX-License-Identifier: Apache-2.0
// Random programs: equal memory and equal lanes under every mechanism. scripts/fuzz runs more of them.
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <numeric>

#include "tests/kit/part.h"
#include "tests/random/opcodes.h"
#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;
using heddle::gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

BOOST_AUTO_TEST_CASE(a_seed_says_everything) {
  BOOST_TEST(tests::random_program(11).ptx == tests::random_program(11).ptx);
  BOOST_TEST(tests::random_program(11).ptx != tests::random_program(12).ptx);
}

namespace {

constexpr unsigned Programs = 500, Thirds = 3;

/// All programs of the control flow flavour, or the third that HEDDLE_SEED chooses.
void choose_programs(tests::Campaign& campaign) {
  std::vector<unsigned> thirds(Thirds);
  std::iota(thirds.begin(), thirds.end(), 0U);
  const std::vector<unsigned> chosen = tests::part_of(thirds, Thirds);
  campaign.programs = Programs * unsigned(chosen.size()) / Thirds;
  campaign.first_seed = 1 + chosen.front() * (Programs / Thirds);
}

bool is_software(const std::string& divergence) {
  return heddle::divergence_named(divergence).has(heddle::SmSide::SoftwareStack);
}

/// No mechanism leaves a program out but the software-managed stacks. At tiny, where every fourth program runs, three
/// entries are enough for a third of them with two paths an entry, and for none that diverges with one. At hpca13 with one
/// path a few programs may need more than 48.
/// \param runs  of each mechanism
void check_left_out(const tests::CampaignResult& result, unsigned runs) {
  for (const auto& [mechanism, count] : result.by_mechanism) {
    const std::string divergence = mechanism.substr(0, mechanism.find('/'));
    const unsigned most = !is_software(divergence)                          ? 0
                          : heddle::divergence_named(divergence).paths == 1 ? runs / 3
                                                                            : runs / 4;
    BOOST_TEST(count.left_out <= most, mechanism << ": " << count.left_out << " of " << runs);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_the_oracle) {
  tests::Campaign campaign;
  choose_programs(campaign);
  campaign.both_clocks = !tests::only_a_part();  // the programs that synchronise always run without the gate too
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  const unsigned clocks = campaign.both_clocks ? 2 : 1;
  BOOST_TEST(result.runs + result.left_out == clocks * campaign.programs * campaign.mechanisms.size());
  check_left_out(result, clocks * campaign.programs);
  // Covers: what the programs must have reached to be worth their time.
  BOOST_TEST(result.divergent_branches > 200 * campaign.programs);
  BOOST_TEST(result.barriers > 2 * campaign.programs);
  BOOST_TEST(result.deepest_single_path == heddle::point::hpca13::SpeDepth);
  BOOST_TEST(result.deepest_dual_path == heddle::point::hpca13::DpeDepth);
  std::cout << result.programs << " programs from seed " << campaign.first_seed << ", " << result.runs
            << " runs: " << result.words_compared << " words, " << result.warp_instructions << " warp and "
            << result.thread_instructions << " thread instructions, " << result.divergent_branches
            << " divergent branches, " << result.cpu_seconds << " CPU seconds\n";
}

/// The same programs under every row of the table that the case above does not run; serialisation too.
BOOST_AUTO_TEST_CASE(equal_the_oracle_under_every_other_mechanism) {
  tests::Campaign campaign;
  choose_programs(campaign);
  std::vector<heddle::Mechanism> all;
  for (const heddle::DivergenceRow& row : heddle::divergences())
    if (std::string(row.name) != "spe" && std::string(row.name) != "dpe" && row.keeps_warps())  // below
      all.push_back(heddle::with_its_scoreboard(row.name));
  campaign.mechanisms = tests::part_of(all, 3);
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs + result.left_out == campaign.programs * campaign.mechanisms.size());
  BOOST_TEST(result.left_out < result.runs / 2);
  std::cout << result.programs << " programs under " << campaign.mechanisms.size() << " further mechanisms, "
            << result.runs << " runs equal the oracle, " << result.left_out
            << " are left out: " << result.warp_instructions << " warp instructions, " << result.cpu_seconds
            << " CPU seconds\n";
}

/// Small programs, many of them, each with the clock gate and without.
BOOST_AUTO_TEST_CASE(synchronisation_equals_the_oracle_with_and_without_the_clock_gate) {
  constexpr unsigned Batch = 500, Batches = 4;
  std::array<std::uint64_t, tests::Constructs> constructs{};
  std::uint64_t runs = 0, compared = 0, idle = 0, warps = 0;
  double seconds = 0;
  std::vector<unsigned> batches(Batches);
  std::iota(batches.begin(), batches.end(), 0U);
  batches = tests::part_of(batches, Batches);
  for (const unsigned batch : batches) {
    tests::Campaign campaign;
    campaign.flavour = tests::Flavour::Synchronisation;
    campaign.first_seed = 1 + batch * Batch;
    campaign.programs = Batch;
    campaign.mechanisms = {{"spe", "baseline"}, {"dpe", "shadow"}};
    campaign.both_clocks = true;
    campaign.failures_directory = HEDDLE_FAILURES_DIR;
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) BOOST_ERROR(text);
    for (unsigned i = 0; i < tests::Constructs; ++i) constructs[i] += result.constructs[i];
    runs += result.runs;
    compared += result.compared_without_gate;
    idle += result.gated_cycles;
    warps += result.warp_instructions;
    seconds += result.cpu_seconds;
  }
  BOOST_TEST(runs == batches.size() * Batch * 4);
  BOOST_TEST(compared == batches.size() * Batch * 2);
  BOOST_TEST(idle > 2000 * batches.size() * Batch);
  for (unsigned i = 0; i < tests::Constructs; ++i) {
    const char* const name = tests::name_of(static_cast<tests::Construct>(i));
    std::cout << "cover " << name << ": " << constructs[i] << " threads, in the quarter of the programs that counts\n";
    BOOST_TEST(constructs[i] > 0U, "never reached: " << name);
  }
  std::cout << batches.size() * Batch << " programs that synchronise, " << runs
            << " runs equal the oracle, half of them without the "
            << "clock gate: " << warps << " warp instructions, " << idle << " idle cycles that were checked, "
            << seconds << " CPU seconds\n";
}

namespace {

/// So many programs of each flavour, gated and not; each run ends equal or is left out, less than half of them. With
/// HEDDLE_SEED, one of the mechanisms. Returns how many programs each of them ran, on average.
std::uint64_t check_mechanisms(const std::string& what, const std::vector<heddle::Mechanism>& all,
                               const std::map<tests::Flavour, unsigned>& programs) {
  const std::vector<heddle::Mechanism> mechanisms = tests::part_of(all, all.size());
  std::uint64_t runs = 0, left_out = 0, compared = 0, warps = 0;
  double seconds = 0;
  for (const auto& [flavour, count] : programs) {
    tests::Campaign campaign;
    campaign.flavour = flavour;
    campaign.programs = count;
    campaign.both_clocks = true;
    campaign.mechanisms = mechanisms;
    campaign.failures_directory = HEDDLE_FAILURES_DIR;
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) BOOST_ERROR(text);
    BOOST_TEST(result.runs + result.left_out == 2 * mechanisms.size() * count);
    BOOST_TEST(result.compared_without_gate == result.runs / 2);
    if (mechanisms.size() == all.size()) BOOST_TEST(result.left_out < mechanisms.size() * count);
    left_out += result.left_out;
    runs += result.runs;
    compared += result.compared_without_gate;
    warps += result.warp_instructions;
    seconds += result.cpu_seconds;
  }
  BOOST_TEST(left_out < runs);
  std::cout << runs << " runs under " << what << " equal the oracle, " << left_out << " are left out, " << compared
            << " pairs with and without the gate: " << warps << " warp instructions, " << seconds << " CPU seconds\n";
  return runs / 2 / mechanisms.size();
}

}  // namespace

/// Up to 32 splits a warp, of which two have a slot: both thresholds, both scoreboards.
BOOST_AUTO_TEST_CASE(warp_subdivision_equals_the_oracle) {
  check_mechanisms(
      "subdivision", tests::split_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 300}, {tests::Flavour::Meetings, 60}});
}

/// Lanes that parted meet again at `.sync` operations: where they have met already on the stacks, where they come by
/// themselves under subdivision and convergence barriers.
BOOST_AUTO_TEST_CASE(meetings_equal_the_oracle) {
  tests::Campaign campaign;
  campaign.flavour = tests::Flavour::Meetings;
  campaign.first_seed = 1001;
  campaign.programs = 120;
  campaign.mechanisms = tests::part_of<heddle::Mechanism>({{"spe", "baseline"},
                                                           {"dpe", "shadow"},
                                                           {"dpe_software", "shadow"},
                                                           {"spe_software", "baseline"},
                                                           {"dws10", "baseline"},
                                                           {"dws50", "shadow"},
                                                           {"dws100", "barrel"},
                                                           {"dws10_ideal", "optimistic"},
                                                           {"barrier", "baseline"},
                                                           {"barrier_largest", "shadow"}},
                                                          3);
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs + result.left_out == campaign.programs * campaign.mechanisms.size());
  check_left_out(result, campaign.programs);
  std::cout << result.programs << " programs whose lanes meet, " << result.runs
            << " runs equal the oracle: " << result.warp_instructions << " warp instructions, " << result.cpu_seconds
            << " CPU seconds\n";
}

/// Threads with PCs of their own, which meet where the compiler placed barriers: each picker; nobody is let go before
/// the others have come.
BOOST_AUTO_TEST_CASE(convergence_barriers_equal_the_oracle) {
  check_mechanisms(
      "convergence barriers", tests::barrier_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 200}, {tests::Flavour::Language, 60}});
}

/// Marks of predictions in small programs, half of them anywhere: no result changes and nothing hangs, whatever is placed
/// for them. Of legal ones, which do not overlap, no barrier ever has to let lanes go.
BOOST_AUTO_TEST_CASE(predictions_equal_the_oracle) {
  tests::Campaign campaign;
  campaign.flavour = tests::Flavour::Predictions;
  campaign.programs = 500;
  campaign.mechanisms = tests::part_of(tests::barrier_mechanisms());
  campaign.placements = tests::all_placements();
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs + result.left_out ==
             campaign.programs * campaign.mechanisms.size() * campaign.placements.size());
  const unsigned half = campaign.programs / 2;
  for (const char* name : {"dynamic", "static", "automatic", "soft"}) {
    const tests::CampaignResult::Predicted &legal = result.legal.at(name), &misplaced = result.misplaced.at(name);
    // Covers: few are refused, and most of the others get other code than by default. A soft barrier wants three registers.
    const bool is_soft = name == std::string("soft");
    BOOST_TEST(legal.refused < half / (is_soft ? 5 : 20), name);
    BOOST_TEST(legal.changed > half * (is_soft ? 2 : 3) / (is_soft ? 3 : 4), name);
    BOOST_TEST(legal.released == 0U, name);
    BOOST_TEST(misplaced.refused < half * 2 / 5, name);
    BOOST_TEST(misplaced.changed > half / 2, name);
    std::cout << name << ": of " << half << " legal programs " << legal.changed << " get other barriers and "
              << legal.refused << " are refused, of " << half << " misplaced ones " << misplaced.changed << " and "
              << misplaced.refused << "; barriers had to let lanes go in " << misplaced.released << '\n';
  }
  for (const auto& [what, times] : result.refusals) std::cout << "refused " << times << " times: " << what << '\n';
  std::cout << result.runs << " runs of programs with predictions equal the oracle: " << result.warp_instructions
            << " warp instructions, " << result.cpu_seconds << " CPU seconds\n";
}

/// One path of a warp is seen at a time; a hidden one has its turn, with the clock gate and without.
BOOST_AUTO_TEST_CASE(the_constrained_scheduler_equals_the_oracle) {
  check_mechanisms("the constrained scheduler", {{"dpe_constrained", "shadow"}, {"dpe_constrained", "baseline"}},
                   {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 200}});
}

/// Heads wait for lanes of their own alone, under each kind of control flow unit.
BOOST_AUTO_TEST_CASE(the_optimistic_scoreboard_equals_the_oracle) {
  check_mechanisms(
      "the optimistic scoreboard", tests::optimistic_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 100}, {tests::Flavour::Language, 60}});
}

/// A thread has one instruction on its way, and no scoreboard looks at registers.
BOOST_AUTO_TEST_CASE(barrel_processing_equals_the_oracle) {
  check_mechanisms(
      "barrel processing", tests::barrel_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 100}, {tests::Flavour::Language, 60}});
}

/// Warps are made of any threads, in any lane or in their own: each policy. Programs with warp-wide operations are left
/// out.
BOOST_AUTO_TEST_CASE(warp_formation_equals_the_oracle) {
  const std::uint64_t programs = check_mechanisms(
      "warp formation", tests::formation_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 280}, {tests::Flavour::Language, 60}});
  BOOST_TEST(programs >= 300U);
}

/// Each lane on its own.
BOOST_AUTO_TEST_CASE(mimd_equals_the_oracle) {
  check_mechanisms(
      "MIMD", tests::mimd_mechanisms(),
      {{tests::Flavour::ControlFlow, 60}, {tests::Flavour::Synchronisation, 200}, {tests::Flavour::Language, 60}});
}

BOOST_AUTO_TEST_CASE(every_integer_opcode_and_functions_equal_the_oracle) {
  tests::Campaign campaign;
  campaign.flavour = tests::Flavour::Language;
  campaign.programs = 300;
  campaign.both_clocks = true;
  campaign.mechanisms = {{"spe", "baseline"}, {"dpe", "shadow"}};
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs == 2 * campaign.programs * campaign.mechanisms.size());
  BOOST_TEST(result.divergent_branches > 10'000U);
  // Covers, in the texts: every opcode, calls of both kinds, early returns.
  std::string all;
  for (unsigned seed = 1; seed <= campaign.programs; ++seed)
    all += tests::random_program(seed, tests::Flavour::Language).ptx;
  for (const heddle::compiler::Opcode* row : tests::integer_opcodes())
    BOOST_TEST((all.find(row->spelling + ' ') != std::string::npos), "never used: " << row->spelling);
  for (const char* text : {"call (r0, r1), f", "call (r0, r1), %", "@!%p0 call", "bar.sync", "ret;\nMET"})
    BOOST_TEST((all.find(text) != std::string::npos), "never there: " << text);
  std::cout << result.programs << " programs of " << tests::integer_opcodes().size()
            << " integer opcodes: " << result.runs << " runs, " << result.warp_instructions << " warp instructions, "
            << result.divergent_branches << " divergent branches, " << result.cpu_seconds << " CPU seconds\n";
}

namespace {

struct Peeled {
  const heddle::DivergenceRow& unit;
  heddle::gpu::RunResult result;
};

void check_words(const heddle::gpu::RunResult& result, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
}

/// Before it starts: a stack that overflows in the middle of the program is an error of another code.
void check_refused_by_name(const heddle::gpu::RunResult& result) {
  BOOST_TEST((result.error == heddle::gpu::ErrorCode::NotSupported), result.message);
  check_words(result, {"kernel random", "entries", "--set software_depth="});
}

/// \return  a run of each of the stacks
std::vector<Peeled> peel(unsigned levels) {
  const std::vector<heddle::Mechanism> mechanisms = tests::stack_mechanisms();
  std::vector<heddle::gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms) {
    heddle::gpu::RunRequest request = tests::request_of(
        mechanism, tests::host_program(tests::peeling_program(levels, heddle::point::tiny::Values, levels)));
    request.timed.sm.point = &heddle::point::tiny::Values;
    requests.push_back(request);
  }
  const std::vector<heddle::gpu::RunResult> results = heddle::gpu::run_in_children(requests, 2);
  std::vector<Peeled> peeled;
  for (std::size_t n = 0; n < mechanisms.size(); ++n)
    peeled.push_back({heddle::divergence_named(mechanisms[n].divergence), results.at(n)});
  return peeled;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nesting_to_the_full_depth) {
  for (const auto& [unit, result] : peel(tests::max_nesting(heddle::point::tiny::Values))) {
    if (is_software(unit.name) && unit.paths == 1) {  // an entry for each level and each lane that parts: more than 3
      check_refused_by_name(result);
      continue;
    }
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
  }
}

BOOST_AUTO_TEST_CASE(nesting_one_past_it_is_a_named_error) {
  for (const auto& [unit, result] : peel(tests::max_nesting(heddle::point::tiny::Values) + 1)) {
    if (is_software(unit.name)) {  // the compiler knows the bound, so the launch does not begin
      check_refused_by_name(result);
      continue;
    }
    BOOST_TEST((result.error == heddle::gpu::ErrorCode::Overflow), result.message);
    check_words(result, {"kernel random", "warp"});
    BOOST_TEST_MESSAGE(result.message);
  }
}
