// SPDX-License-Identifier: Apache-2.0
// Verilated twins in the SM, in place of the SystemC blocks: on kernels, the same cycles and the same numbers to the last
// one, whatever was in their registers before the reset.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <utility>

#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"
#include "tests/kit/twin_library.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr const char *Formation = "warp_formation", *Expansion = "affine_expansion", *Slice = "issue_slice";
const heddle::DesignPoint &micro07 = heddle::point::micro07::Values, &tiny = heddle::point::tiny::Values,
                          &isca17 = heddle::point::isca17::Values, &hpca13 = heddle::point::hpca13::Values;

std::string library_of(const heddle::DesignPoint& point, const std::vector<std::string>& parameters) {
  return heddle::tests::twin_library(Formation, point.name, parameters);
}

using Libraries = std::map<std::string, std::string>;  // by block

/// The same libraries; what they stand in is built.
Libraries standing(const Libraries& twins, heddle::Mechanism in, const heddle::DesignPoint& point) {
  in.twins.libraries = twins;
  for (const std::string& family : {heddle::family_of(in), heddle::affine_family_of(in)})
    if (!family.empty()) heddle::tests::build_slices(family, point.name);
  return twins;
}

/// The libraries of the twins that can stand in an SM of this mechanism: all at once, or that of the whole slice.
const Libraries& twins_of(const heddle::Mechanism& mechanism, const heddle::DesignPoint& point, bool whole) {
  static std::map<std::string, Libraries> made;
  Libraries& known = made[fmt::format("{} {} {}", heddle::tests::name_of(mechanism), point.name, whole)];
  if (!known.empty()) return known;
  for (const std::string& block : heddle::blocks_with_twins())
    if (has_block(mechanism, block) && holds_twins(mechanism, block) == whole)
      known[block] =
          heddle::tests::twin_library(block, point.name, heddle::twin_parameters(mechanism, block, point.swizzle != 0));
  return known = standing(known, mechanism, point);
}

gpu::RunRequest request_of(const std::string& kernel, const heddle::DesignPoint& point,
                           const heddle::Mechanism& mechanism, const Libraries& twins = {}, unsigned seed = 1) {
  gpu::RunRequest request = heddle::tests::request_of(*gpu::find_workload(kernel), point, mechanism, HEDDLE_PTX_DIR);
  request.kernel =
      fmt::format("{} at {} under {}, twin's seed {}", kernel, point.name, heddle::tests::name_of(mechanism), seed);
  request.timed.sm.mechanism.twins = {twins, seed, seed != 1};  // else without the block beside it
  return request;
}

struct Case {
  std::string kernel;
  const heddle::DesignPoint* point;
  heddle::Mechanism mechanism;
};

/// Short kernels that diverge, meet at barriers, miss, spin and branch indirectly.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const heddle::Mechanism& mechanism : heddle::tests::formation_mechanisms())
    for (const heddle::DesignPoint* point : {&micro07, &tiny})
      for (const char* kernel : {"diverge", "hazard", "reduce", "nest", "spin_lock", "trip_count", "vector_add"})
        all.push_back({kernel, point, mechanism});
  return all;
}

/// Each control flow unit that has hardware, with each scoreboard and the warp scheduler of its slice.
std::vector<heddle::Mechanism> slice_mechanisms() {
  std::vector<heddle::Mechanism> all;
  for (const heddle::DivergenceRow& row : heddle::divergences())
    if (!row.is_reference && !row.has(heddle::SmSide::Formation))
      for (const char* scoreboard : {"baseline", "shadow"}) all.push_back({row.name, scoreboard});
  return all;
}

/// Those of which the twin of issue_slice has all that is in a slice, at each point.
std::vector<std::pair<heddle::Mechanism, const heddle::DesignPoint*>> whole_slices() {
  std::vector<std::pair<heddle::Mechanism, const heddle::DesignPoint*>> all;
  for (const heddle::DesignPoint* point : {&hpca13, &tiny})
    for (const heddle::Mechanism& mechanism : slice_mechanisms())
      if (has_block(mechanism, Slice)) all.emplace_back(mechanism, point);
  return all;
}

/// Short kernels that diverge, meet, miss, spin and branch indirectly; some overflow the stacks of tiny.
std::vector<Case> slice_cases(const std::vector<heddle::Mechanism>& mechanisms,
                              const std::vector<const heddle::DesignPoint*>& points) {
  std::vector<Case> all;
  for (const heddle::Mechanism& mechanism : mechanisms)
    for (const heddle::DesignPoint* point : points)
      for (const char* kernel :
           {"diverge", "hazard", "reduce", "nest", "spin_lock", "trip_count", "vector_add", "reorder"})
        all.push_back({kernel, point, mechanism});
  return all;
}

/// Short kernels under an affine warp, each of which enqueues: loops, barriers, branches that part a warp.
std::vector<Case> decoupled_cases() {
  std::vector<Case> all;
  for (const heddle::Mechanism& mechanism : heddle::tests::affine_mechanisms()) {
    for (const char* kernel : {"vector_add", "scan", "bfs", "diverge", "reduce", "trip_count"})
      all.push_back({kernel, &isca17, mechanism});
    for (const char* kernel : {"vector_add", "diverge", "reduce", "trip_count", "hazard"})
      all.push_back({kernel, &tiny, mechanism});
  }
  return all;
}

/// Numbers that differ.
std::vector<std::string> differences(const gpu::RunResult& a, const gpu::RunResult& b) {
  std::vector<std::string> different;
  const auto as = a.statistics.numbers(), bs = b.statistics.numbers();
  for (std::size_t i = 0; i < as.size(); ++i)
    if (as[i].value != bs[i].value) different.push_back(fmt::format("{} {}, {}", as[i].name, as[i].value, bs[i].value));
  return different;
}

const heddle::Mechanism Majority{"formation", "barrel", "lane_aware"};

/// Each on the block, and on twins of two seeds; with one of them the block stands beside them.
std::vector<gpu::RunResult> check_beside_twins(const std::vector<Case>& cases, bool whole = false) {
  std::vector<gpu::RunRequest> requests;
  for (const Case& one : cases) {
    requests.push_back(request_of(one.kernel, *one.point, one.mechanism));
    const Libraries& twins = twins_of(one.mechanism, *one.point, whole);
    BOOST_TEST(!twins.empty());
    for (const unsigned seed : {1U, 77U})
      requests.push_back(request_of(one.kernel, *one.point, one.mechanism, twins, seed));
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const gpu::RunResult &block = results[i - i % 3], &twin = results[i];
    BOOST_TEST((twin.error == block.error), requests[i].kernel << ": " << twin.message);
    BOOST_TEST(twin.equals_oracle == block.equals_oracle, requests[i].kernel << ": " << twin.message);
    const std::vector<std::string> different = differences(block, twin);
    BOOST_TEST(different.empty(), requests[i].kernel << ": " << fmt::format("{}", fmt::join(different, "; ")));
  }
  return results;
}

/// A twin that is right and another one: by the cycles that a kernel takes, and by the first port of these that differs
/// from the block beside it.
void check_is_seen(const std::string& kernel, const heddle::DesignPoint& point, const heddle::Mechanism& mechanism,
                   const Libraries& twins, const std::string& port) {
  standing(twins, mechanism, point);
  const std::vector<gpu::RunResult> results =
      gpu::run_in_children({request_of(kernel, point, mechanism), request_of(kernel, point, mechanism, twins),
                            request_of(kernel, point, mechanism, twins, 77)},
                           2);
  for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(results[i].equals_oracle, results[i].message);
  BOOST_TEST(results[0].statistics.cycles != results[1].statistics.cycles);
  const std::string& message = results[2].message;
  BOOST_TEST(message.find(port) != std::string::npos, message);
  BOOST_TEST(message.find("the block of Heddle shows") != std::string::npos, message);
}

}  // namespace

/// Two mechanisms, chosen by the seed, whose unit, scoreboard and scheduler are all twins.
BOOST_AUTO_TEST_CASE(issue_slices_take_the_same_cycles) {
  const std::vector<heddle::Mechanism> all = slice_mechanisms(),
                                       part = heddle::tests::part_of(all, (all.size() + 1) / 2);
  std::cout << heddle::tests::said(part.size(), all.size(), "control flow units and scoreboards") << '\n';
  check_beside_twins(slice_cases(part, {&hpca13, &tiny}));
}

/// One mechanism at one point, chosen by the seed, whose slice is one twin.
BOOST_AUTO_TEST_CASE(whole_slices_take_the_same_cycles) {
  const auto all = whole_slices(), part = heddle::tests::part_of(all, all.size());
  std::cout << heddle::tests::said(part.size(), all.size(), "issue slices") << '\n';
  for (const auto& [mechanism, point] : part) check_beside_twins(slice_cases({mechanism}, {point}), true);
}

BOOST_AUTO_TEST_CASE(kernels_take_the_same_cycles) {
  const std::vector<Case> all = cases(), part = heddle::tests::part_of(all, 25);
  std::cout << heddle::tests::said(part.size(), all.size(), "kernels under policies and register files") << '\n';
  check_beside_twins(part);
}

BOOST_AUTO_TEST_CASE(decoupled_kernels_take_the_same_cycles) {
  const std::vector<Case> all = decoupled_cases(), part = heddle::tests::part_of(all, 14);
  std::cout << heddle::tests::said(part.size(), all.size(), "kernels under decoupled affine computation") << '\n';
  for (const gpu::RunResult& result : check_beside_twins(part)) {
    BOOST_TEST(result.equals_oracle, result.message);
    BOOST_TEST(result.statistics.affine_enqueues != 0U);
  }
}

/// The comparison sees a twin that issues other warps first.
BOOST_AUTO_TEST_CASE(another_policy_is_seen) {
  const std::string minority = library_of(micro07, {"Policy=1", "LaneAware=1", "Swizzle=1"});
  check_is_seen("diverge", micro07, Majority, {{Formation, minority}}, "issued_o is");
}

/// ... and one that locks a line for a single record.
BOOST_AUTO_TEST_CASE(other_locks_are_seen) {
  const std::string few = heddle::tests::twin_library(Expansion, tiny.name, {"lock_bits=1"});
  check_is_seen("vector_add", tiny, heddle::tests::affine_mechanisms().front(), {{Expansion, few}}, "_o");
}

/// ... and a slice whose scoreboard knows no sides.
BOOST_AUTO_TEST_CASE(another_scoreboard_is_seen) {
  const heddle::Mechanism shadow{"dpe", "shadow"}, baseline{"dpe", "baseline"};
  const std::string one_set =
      heddle::tests::twin_library(Slice, tiny.name, heddle::twin_parameters(baseline, Slice, false));
  check_is_seen("hazard", tiny, shadow, {{Slice, one_set}}, "hazard_o[");
}

BOOST_AUTO_TEST_CASE(a_twin_of_another_point_is_refused_by_its_port) {
  const std::string narrow = library_of(tiny, heddle::twin_parameters(Majority, Formation, true));
  const gpu::RunResult result =
      gpu::run_in_children(
          {request_of("diverge", micro07, Majority, standing({{Formation, narrow}}, Majority, micro07))}, 1)
          .at(0);
  BOOST_TEST((result.status == gpu::RunStatus::Error), result.message);
  BOOST_TEST(result.message.find("commit_i") != std::string::npos, result.message);
  BOOST_TEST(result.message.find("expected an input of 29 bits") != std::string::npos, result.message);
}
