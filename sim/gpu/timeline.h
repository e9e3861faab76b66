// SPDX-License-Identifier: Apache-2.0
// What a run did over time: samples at equal distances, at most so many of them for a run of any length.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace heddle::gpu {

/// The SMs of a run, together, from the end of the sample before to its own.
struct TimelineSample {
  std::uint64_t cycle = 0;  ///< its end, of the run: launches one behind the other
  std::uint64_t warp_instructions = 0, thread_instructions = 0, paths = 0, issue_cycles = 0;
  std::uint64_t resident_warps = 0, barrier_warps = 0;  ///< at its end
};

/// One number of a sample: what JSON and `heddle list statistics` say of it.
struct TimelineRow {
  const char* key;
  const char* unit;
  const char* meaning;
  std::uint64_t TimelineSample::*value;
  bool is_count;  ///< of the time since the sample before, and summed where two become one; else of its last cycle
};
const std::vector<TimelineRow>& timeline_rows();

/// Samples are a cycle apart at first. When all are taken, every two become one, and they are twice as far apart.
class Timeline {
 public:
  /// \param most  samples, from 2 on; 0: it keeps none
  explicit Timeline(std::size_t most) : most_(most) {}

  bool is_on() const { return most_ != 0; }
  /// \param cycles  of the run before this launch
  void begin_launch(std::uint64_t cycles);
  /// The launch's cycle at which the next sample ends.
  std::uint64_t next() const { return last_ + interval_ - before_; }
  /// The sample that ends there. \param so_far  counts of the launch
  void take(const TimelineSample& so_far);
  /// \param total  counts of the launch, and its cycles
  void end_launch(const TimelineSample& total);

  /// The last one may be shorter than the others.
  std::vector<TimelineSample> samples() const;

 private:
  void count(const TimelineSample& so_far);
  void halve();

  std::size_t most_;
  std::uint64_t interval_ = 1;
  std::uint64_t before_ = 0;  // cycles of the launches before
  std::uint64_t last_ = 0;    // the end of the last whole sample
  TimelineSample seen_;       // of this launch, in whole samples and in the open one
  TimelineSample open_;       // not whole yet: a launch that ends leaves it to the next one
  std::vector<TimelineSample> whole_;
};

/// A list for each number, under its key.
nlohmann::json to_json(const std::vector<TimelineSample>& samples);
std::vector<TimelineSample> timeline(const nlohmann::json& json);

}  // namespace heddle::gpu
