// SPDX-License-Identifier: Apache-2.0
// Lines of 32, 64 and 128 bytes, from the load/store unit to DRAM: results equal the oracle, and as many requests and
// bytes as the size of a line says.
#include <array>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>

#include "sim/gpu/run.h"

namespace gpu = heddle::gpu;
using heddle::DesignPoint;

int sc_main(int, char**) {
  return 0;
}

namespace {

const std::array<unsigned, 3> Sizes = {128, 64, 32};
const heddle::Mechanism Mechanisms[] = {{"spe", "baseline"}, {"dpe", "shadow"}};

/// hpca13 with other lines.
const DesignPoint& point_of(unsigned line_bytes) {
  static std::array<DesignPoint, 3> points;
  for (std::size_t i = 0; i < Sizes.size(); ++i) {
    if (Sizes[i] != line_bytes) continue;
    points[i] = heddle::point::hpca13::Values;
    points[i].line_bytes = line_bytes;
    return points[i];
  }
  throw std::invalid_argument("no such size here");
}

std::vector<gpu::RunResult> run(const std::string& kernel, const heddle::Mechanism& mechanism,
                                const std::vector<const DesignPoint*>& points) {
  std::vector<gpu::RunRequest> requests;
  for (const DesignPoint* point : points) {
    gpu::WorkloadOptions options;
    options.lanes = point->lanes;
    options.warps_per_block = point->warps;
    gpu::RunRequest request;
    request.kernel = kernel;
    request.program = gpu::workload_program(*gpu::find_workload(kernel), options, HEDDLE_PTX_DIR);
    request.timed.sm.point = point;
    request.timed.sm.mechanism = mechanism;
    requests.push_back(request);
  }
  return gpu::run_in_children(requests, 2);
}

/// What moves between the levels, from what each level counts: a reply with a line is its bytes and a header, any other
/// one flit; DRAM reads lines of the L2, or the L1's where there is none, and writes whole bursts of what is dirty.
void check_bytes(const heddle::Statistics& s, const DesignPoint& point, const std::string& what) {
  const std::uint64_t flit = point.crossbar_bytes, line = (point.line_bytes + 8 + flit - 1) / flit * flit;
  const std::uint64_t below = point.l2_bytes == 0 ? s.dram_reads + s.dram_writes : s.l2_accesses;
  const std::uint64_t lines = s.l1_misses + s.icache_fills + s.constant_misses;
  BOOST_TEST(s.crossbar_reply_bytes == lines * line + (below - lines) * flit, what);
  const std::uint64_t read = s.dram_reads * (point.l2_bytes == 0 ? point.line_bytes : point.l2_line_bytes);
  const std::uint64_t most = s.dram_writes * (point.l2_bytes == 0 ? point.line_bytes : point.l2_line_bytes);
  const std::uint64_t written = s.dram_bytes - read;
  BOOST_TEST(written <= most, what);
  BOOST_TEST(written >= s.dram_writes * point.dram_burst_bytes, what);
  BOOST_TEST(written % point.dram_burst_bytes == 0U, what);
  if (point.l2_bytes == 0) return;
  BOOST_TEST(s.dram_reads == s.l2_misses, what);
  BOOST_TEST(s.dram_writes == s.l2_write_backs, what);
}

}  // namespace

/// Stores that join fills, scattered and neighbouring words, 64-bit words, words narrower than a register.
BOOST_AUTO_TEST_CASE(results_equal_the_oracle_at_every_size) {
  for (const char* kernel : {"reorder", "hazard", "reduce", "wide_address", "vector_add"}) {
    for (const heddle::Mechanism& mechanism : Mechanisms) {
      const std::vector<const DesignPoint*> points{&point_of(128), &point_of(64), &point_of(32)};
      const auto results = run(kernel, mechanism, points);
      for (std::size_t i = 0; i < Sizes.size(); ++i) {
        const std::string what = fmt::format("{} {} lines of {}", kernel, mechanism.divergence, Sizes[i]);
        BOOST_TEST((results[i].status == gpu::RunStatus::Ok), what << ": " << results[i].message);
        BOOST_TEST(results[i].equals_oracle, what);
        const heddle::Statistics& s = results[i].statistics;
        check_bytes(s, *points[i], what);
        std::cout << fmt::format("{:<32} {:>7} cycles, {:>6} line requests, {:>5} L1 misses, {:>8} bytes of DRAM\n",
                                 what, s.cycles, s.line_requests, s.l1_misses, s.dram_bytes);
      }
    }
  }
}

/// Every access of vector_add is 32 words in a row, but for the last warp's.
BOOST_AUTO_TEST_CASE(neighbouring_lanes_ask_for_as_many_lines_as_they_fill) {
  const auto results = run("vector_add", Mechanisms[0], {&point_of(128), &point_of(64), &point_of(32)});
  const heddle::Statistics& whole = results[0].statistics;
  BOOST_TEST(whole.line_requests == whole.global_accesses);
  for (std::size_t i = 1; i < Sizes.size(); ++i) {
    const heddle::Statistics& parts = results[i].statistics;
    BOOST_TEST(parts.global_accesses == whole.global_accesses);
    const std::uint64_t most = whole.line_requests * (128 / Sizes[i]);
    BOOST_TEST(parts.line_requests <= most);
    BOOST_TEST(parts.line_requests + 3 * (128 / Sizes[i]) > most);  // the last warp may have fewer threads
  }
}

/// What the YAML says is what the memory moves.
BOOST_AUTO_TEST_CASE(points_have_the_lines_of_the_yaml) {
  for (const DesignPoint* point : {&heddle::point::micro07::Values, &heddle::point::hpca13::Values}) {
    for (const char* kernel : {"vector_add", "reorder", "nest", "bfs"}) {
      const heddle::Statistics s = run(kernel, Mechanisms[0], {point})[0].statistics;
      BOOST_TEST(s.dram_reads > 0U);
      check_bytes(s, *point, std::string(point->name) + ' ' + kernel);
      std::cout << fmt::format("{} {}, lines of {}: {} cycles\n", point->name, kernel, point->line_bytes, s.cycles);
    }
  }
  BOOST_TEST(heddle::point::micro07::Values.line_bytes == 64U);
}

BOOST_AUTO_TEST_CASE(another_size_is_refused_by_name) {
  DesignPoint point = heddle::point::hpca13::Values;
  point.line_bytes = 16;
  const gpu::RunResult result = run("vector_add", Mechanisms[0], {&point})[0];
  BOOST_TEST((result.status == gpu::RunStatus::Error));
  BOOST_TEST(result.message.find("lines have 32, 64, 128 or 256 bytes") != std::string::npos, result.message);
}
