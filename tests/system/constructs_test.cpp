// SPDX-License-Identifier: Apache-2.0
// What a program may do under each mechanism: small programs, each with one construct that some units cannot run, under
// every row of the table of mechanisms. How each ends is the table in sim/sm/README.md; another end, or a mechanism that
// is not in it, fails. With HEDDLE_CONSTRUCTS=FILE the table is written there instead.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "sim/sm/links/mechanisms.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

struct Construct {
  const char* what;
  const char* file;  ///< of tests/ptx: a kernel k
  unsigned threads;
  std::vector<std::string> arguments;
};

const std::vector<Construct> Constructs = {
    {"a function called in both arms of a branch", "function_from_both_arms.ptx", 32, {"zeros:128"}},
    {"recursion, of a depth that each lane says", "recursion.ptx", 32, {"zeros:128"}},
    {"an indirect branch of four targets, in a loop", "indirect_branch.ptx", 32, {"zeros:128"}},
    {"a `.sync` operation in each arm, of that arm's lanes", "shuffle_in_each_arm.ptx", 32, {"zeros:128"}},
    {"a `.sync` operation in each arm, of all lanes", "vote_of_absent_lanes.ptx", 32, {"zeros:128"}},
    {"... behind a branch and a loop, of all lanes", "sync_behind_branch.ptx", 32, {"zeros:128"}},
    {"... to which its lanes come by two ways", "sync_from_two_ways.ptx", 32, {"zeros:128"}},
    {"a CTA barrier with a result", "barrier_with_result.ptx", 32, {"zeros:128"}},
    {"... in each arm of a branch", "result_in_each_arm.ptx", 32, {"zeros:128"}},
    {"CTA barriers while lanes store and return", "leaves_before_barrier.ptx", 64, {"zeros:256"}},
    {"a CTA barrier in each of three arms", "barrier_in_each_arm.ptx", 32, {"zeros:128"}},
    {"a spin lock inside a warp", "spin_lock.ptx", 4, {"zeros:4", "zeros:4"}},
    {"... on both sides of a branch", "lock_on_both_sides.ptx", 4, {"zeros:4", "zeros:4", "zeros:1024"}},
};

gpu::RunRequest request_of(const Construct& construct, const char* divergence) {
  gpu::PtxRun run;
  run.file = std::string(HEDDLE_PTX_SOURCES "/") + construct.file;
  run.block = {construct.threads, 1, 1};
  run.arguments = construct.arguments;
  gpu::RunRequest request;
  request.kernel = divergence;
  request.program = gpu::ptx_program(run);
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = heddle::with_its_scoreboard(divergence);
  request.timed.sm.watchdog_cycles = 20'000;
  return request;
}

/// What the table says; the whole message where it has no word for it.
std::string end_of(const gpu::RunResult& result) {
  if (result.equals_oracle) return "runs";
  switch (result.error) {
    case heddle::gpu::ErrorCode::Deadlock:
      return "deadlock";
    case heddle::gpu::ErrorCode::NotSupported:
      return "refused";
    case heddle::gpu::ErrorCode::DivergentBarrier:
      return "barrier error";
    case heddle::gpu::ErrorCode::InvalidWarpWide:
      return "lanes missing";
    default:
      return "UNEXPECTED: " + result.message;
  }
}

using Ends = std::vector<std::string>;  // by construct

std::map<std::string, Ends> run_all() {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::DivergenceRow& row : heddle::divergences())
    for (const Construct& construct : Constructs) requests.push_back(request_of(construct, row.name));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  std::map<std::string, Ends> ends;
  for (std::size_t i = 0; i < results.size(); ++i) {
    ends[requests[i].kernel].push_back(end_of(results[i]));
    const bool is_named = results[i].equals_oracle || !results[i].message.empty();
    BOOST_TEST(is_named,
               requests[i].kernel << ", " << Constructs[i % Constructs.size()].file << " ends without a word");
  }
  return ends;
}

/// Mechanisms that end all of them alike share a column, in the order of their table.
std::string table_of(const std::map<std::string, Ends>& ends) {
  std::vector<std::pair<std::string, Ends>> columns;
  for (const heddle::DivergenceRow& row : heddle::divergences()) {
    const Ends& its = ends.at(row.name);
    const auto same = std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.second == its; });
    if (same == columns.end())
      columns.emplace_back(fmt::format("`{}`", row.name), its);
    else
      same->first += fmt::format(", `{}`", row.name);
  }
  std::string text = "| a program has |", rule = "|---|";
  for (const auto& column : columns) text += ' ' + column.first + " |", rule += "---|";
  text += '\n' + rule + '\n';
  for (std::size_t i = 0; i < Constructs.size(); ++i) {
    text += fmt::format("| {} |", Constructs[i].what);
    for (const auto& column : columns) text += ' ' + column.second[i] + " |";
    text += '\n';
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_construct_ends_as_the_readme_says) {
  const std::string table = table_of(run_all());
  if (const char* file = std::getenv("HEDDLE_CONSTRUCTS")) {
    std::ofstream(file) << table;
    return;
  }
  std::ifstream readme(HEDDLE_README);
  const std::string page{std::istreambuf_iterator<char>(readme), {}};
  BOOST_TEST(page.find(table) != std::string::npos, HEDDLE_README << " does not have this table:\n" << table);
  BOOST_TEST(table.find("UNEXPECTED") == std::string::npos);
}
