// SPDX-License-Identifier: Apache-2.0
// Litmus tests (tests/litmus) on several SMs: no outcome that the memory consistency model of PTX forbids, over many
// timings, under each kind of control flow unit and beside an affine warp. The page has what was seen.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "tests/kit/part.h"
#include "tests/litmus/runs.h"

namespace gpu = heddle::gpu;
using heddle::tests::LitmusMachine;
using heddle::tests::LitmusTest;
using heddle::tests::Outcome;
using heddle::tests::text_of;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// Machines before one memory, and how many timings of each test they share.
struct Campaign {
  std::string name;  ///< of its table on the page
  std::vector<LitmusMachine> machines;
  unsigned timings, timings_of_part;

  unsigned count() const { return heddle::tests::only_a_part() ? timings_of_part : timings; }
};

void add_machines(Campaign& to, unsigned sms, bool skewed) {
  for (const char* divergence : {"spe", "dpe", "barrier"})
    to.machines.push_back(
        {divergence, &heddle::point::hpca13::Values, heddle::with_its_scoreboard(divergence), sms, skewed});
  heddle::Mechanism dac = heddle::with_its_scoreboard("spe");
  dac.affine.name = "dac";
  to.machines.push_back({"dac", &heddle::point::isca17::Values, dac, sms, skewed});
}

std::vector<Campaign> campaigns() {
  Campaign chip{"chip", {}, 4000, 120}, skewed{"skewed", {}, 400, 20};  // 1,000 and 100 under each mechanism
  for (const unsigned sms : {2U, 4U}) add_machines(chip, sms, false);
  add_machines(skewed, 2, true);
  return {chip, skewed};
}

using Seen = std::map<std::string, std::map<std::string, unsigned>>;  // by test, by outcome: how often

/// Adds what a machine has seen.
void add_seen(const std::string& lines, Seen& seen) {
  std::istringstream stream(lines);
  for (std::string test, outcome, seed; stream >> test >> outcome >> seed;) ++seen[test][outcome];
}

std::string joined(const std::set<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : " ") + text;
  return all;
}

/// The texts for a table whose cells have at most 80 characters.
std::string few(const std::set<std::string>& texts) {
  constexpr std::size_t Most = 6;
  if (texts.size() <= Most) return joined(texts);
  std::set<std::string> first(texts.begin(), std::next(texts.begin(), Most));
  return joined(first) + fmt::format(" and {} more", texts.size() - Most);
}

std::string row(const LitmusTest& test, const std::map<std::string, unsigned>& seen) {
  std::set<std::string> forbidden, unseen;
  for (const Outcome& outcome : test.forbidden) forbidden.insert(text_of(outcome));
  unsigned count = 0;
  for (const Outcome& outcome : test.allowed) {
    const bool is_seen = seen.count(text_of(outcome)) != 0;
    count += is_seen ? 1 : 0;
    if (!is_seen) unseen.insert(text_of(outcome));
  }
  return fmt::format("| {} | {} | {} of {} | {} | {} | 0 |\n", test.family, test.name, count, test.allowed.size(),
                     few(unseen), few(forbidden));
}

std::string table(const std::vector<LitmusTest>& tests, const Seen& seen) {
  std::string text =
      "| file | test | seen of allowed | allowed, not seen | forbidden | of them seen |\n"
      "|---|---|--:|---|---|--:|\n";
  for (const LitmusTest& test : tests) {
    const auto its = seen.find(test.name);
    text += row(test, its == seen.end() ? std::map<std::string, unsigned>() : its->second);
  }
  return text;
}

std::string page_text() {
  std::ifstream file(HEDDLE_LITMUS_PAGE);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The page has each test, with these outcomes. Only a whole run knows what is seen.
void check_page(const std::string& campaign, const std::vector<LitmusTest>& tests, const Seen& seen) {
  const std::string first_line = "<!-- seen: " + campaign + " -->\n", last_line = "<!-- end of " + campaign + " -->\n";
  const std::string page = page_text();
  const std::size_t begin = page.find(first_line), end = page.find(last_line);
  BOOST_REQUIRE(begin != std::string::npos);
  BOOST_REQUIRE(end != std::string::npos);
  const std::string there = page.substr(begin + first_line.size(), end - begin - first_line.size());
  const std::string now = table(tests, seen);
  if (!heddle::tests::only_a_part()) {
    if (std::getenv("HEDDLE_WRITE_PAGE") != nullptr) {
      std::ofstream(HEDDLE_LITMUS_PAGE) << page.substr(0, begin) << first_line << now << page.substr(end);
      return;
    }
    BOOST_TEST(there == now,
               "tests/litmus/README.md shows something else than this run has seen. "
               "HEDDLE_WRITE_PAGE=1 build/tests/system_litmus_test writes it");
    return;
  }
  std::istringstream rows(there);
  std::string line;
  std::getline(rows, line), std::getline(rows, line);
  for (const LitmusTest& test : tests) {
    std::getline(rows, line);
    const std::string part = fmt::format("| {} | {} | ", test.family, test.name);
    BOOST_TEST(line.rfind(part, 0) == 0U, "tests/litmus/README.md: expected a row of test " + test.name + ": " + line);
    BOOST_TEST(
        line.find(fmt::format(" of {} |", test.allowed.size())) != std::string::npos,
        fmt::format("tests/litmus/README.md: test {} allows {} outcomes: {}", test.name, test.allowed.size(), line));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_outcome_is_forbidden) {
  const std::vector<LitmusTest> tests = heddle::tests::read_litmus_tests(HEDDLE_LITMUS);
  const std::string folder = std::string(HEDDLE_TEST_OUTPUT) + "/litmus";
  for (const Campaign& campaign : campaigns()) {
    const auto machines = static_cast<unsigned>(campaign.machines.size());
    std::vector<gpu::RunRequest> requests;
    for (unsigned i = 0; i < machines; ++i)
      requests.push_back(
          heddle::tests::litmus_runs(tests, campaign.machines[i], {i, machines, campaign.count()}, folder));
    const auto results = gpu::run_in_children(requests, 2);
    Seen seen;
    double seconds = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      BOOST_TEST((results[i].status == gpu::RunStatus::Ok), requests[i].kernel << ": " << results[i].message);
      if (results[i].status != gpu::RunStatus::Ok) continue;
      add_seen(results[i].message, seen);
      const std::string wrong = heddle::tests::forbidden_outcomes(tests, results[i].message);
      BOOST_TEST(wrong.empty(), requests[i].kernel << ":\n" << wrong);
      seconds += results[i].timed_cpu_seconds;
      std::cout << fmt::format("{:<32} {:>6} launches, {:>8} cycles, {:>6} L1 acquires, {:.1f} CPU s\n",
                               requests[i].kernel, results[i].launches, results[i].statistics.cycles,
                               results[i].statistics.l1_acquires, results[i].timed_cpu_seconds);
    }
    std::cout << fmt::format("{} memory: {} tests, {} timings each, {:.1f} CPU s\n", campaign.name, tests.size(),
                             campaign.count(), seconds);
    check_page(campaign.name, tests, seen);
  }
}
