// SPDX-License-Identifier: Apache-2.0
// Samples of a run over time: however long it is there are few, equally long but for the last, and they add up.
#include "sim/gpu/timeline.h"

#include <systemc>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using heddle::gpu::Timeline;
using heddle::gpu::TimelineSample;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// The sample of a launch that issues in every third cycle, with cycle / 10 warps.
TimelineSample counted(std::uint64_t cycle) {
  TimelineSample counts;
  counts.cycle = cycle;
  counts.warp_instructions = counts.issue_cycles = cycle / 3;
  counts.thread_instructions = 32 * counts.warp_instructions;
  counts.resident_warps = cycle / 10;
  return counts;
}

/// Launches of so many cycles, one behind the other.
Timeline timeline_of(std::size_t most, const std::vector<std::uint64_t>& launches) {
  Timeline timeline(most);
  std::uint64_t before = 0;
  for (const std::uint64_t cycles : launches) {
    timeline.begin_launch(before);
    while (timeline.next() < cycles) timeline.take(counted(timeline.next()));
    timeline.end_launch(counted(cycles));
    before += cycles;
  }
  return timeline;
}

void check(std::size_t most, const std::vector<std::uint64_t>& launches) {
  std::uint64_t cycles = 0, issues = 0;
  for (const std::uint64_t one : launches) cycles += one, issues += one / 3;
  const std::vector<TimelineSample> samples = timeline_of(most, launches).samples();
  BOOST_REQUIRE(!samples.empty());
  BOOST_TEST(samples.size() <= most);
  if (cycles >= most) BOOST_TEST(samples.size() >= most / 2);
  BOOST_TEST(samples.back().cycle == cycles);
  BOOST_TEST(samples.back().resident_warps == launches.back() / 10);
  std::uint64_t sum = 0, begin = 0;
  for (const TimelineSample& sample : samples) {
    sum += sample.warp_instructions;
    BOOST_TEST(sample.thread_instructions == 32 * sample.warp_instructions);
    BOOST_TEST(sample.cycle > begin);
    if (&sample != &samples.back()) BOOST_TEST(sample.cycle - begin == samples.front().cycle);
    begin = sample.cycle;
  }
  BOOST_TEST(sum == issues);
}

}  // namespace

BOOST_AUTO_TEST_CASE(samples_add_up_however_long_the_run_is) {
  for (const std::size_t most : {2, 3, 7, 8, 64})
    for (const std::uint64_t cycles : {1, 2, 5, 63, 64, 65, 127, 128, 129, 1000, 12345})
      BOOST_TEST_CONTEXT(cycles << " cycles, " << most << " samples") check(most, {cycles});
}

BOOST_AUTO_TEST_CASE(a_launch_goes_on_in_the_sample_of_the_one_before) {
  for (const std::size_t most : {2, 5, 16})
    for (const auto& launches :
         std::vector<std::vector<std::uint64_t>>{{1, 1, 1}, {7, 30, 2}, {100, 3, 999}, {16, 16, 16}})
      BOOST_TEST_CONTEXT(launches.size() << " launches, " << most << " samples") check(most, launches);
}

BOOST_AUTO_TEST_CASE(what_is_sent_is_what_comes_back) {
  const std::vector<TimelineSample> samples = timeline_of(8, {100, 50}).samples();
  const std::vector<TimelineSample> back = heddle::gpu::timeline(to_json(samples));
  BOOST_REQUIRE(back.size() == samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (const heddle::gpu::TimelineRow& row : heddle::gpu::timeline_rows())
      BOOST_TEST((back[i].*row.value == samples[i].*row.value), row.key);
}
