// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/timeline.h"

#include <nlohmann/json.hpp>

namespace heddle::gpu {

const std::vector<TimelineRow>& timeline_rows() {
  using S = TimelineSample;
  static const std::vector<TimelineRow> rows{
      {"cycle", "cycles", "end of a sample; launches stand one behind the other", &S::cycle, false},
      {"warp_instructions", "instructions", "issued in it", &S::warp_instructions, true},
      {"thread_instructions", "instructions", "active lanes, summed over its issues", &S::thread_instructions, true},
      {"paths", "paths", "valid paths of the issued warp, summed over its issues", &S::paths, true},
      {"issue_cycles", "cycles", "of an SM, with an issue: cycles - idle cycles", &S::issue_cycles, true},
      {"resident_warps", "warps", "with threads, at its end", &S::resident_warps, false},
      {"barrier_warps", "warps", "of them, those whose threads all wait at a barrier of their CTA", &S::barrier_warps,
       false}};
  return rows;
}

void Timeline::begin_launch(std::uint64_t cycles) {
  before_ = cycles;
  seen_ = {};
}

/// Adds to the open sample what has been counted since the last look.
void Timeline::count(const TimelineSample& so_far) {
  for (const TimelineRow& row : timeline_rows()) {
    const std::uint64_t now = so_far.*row.value;
    open_.*row.value = row.is_count ? open_.*row.value + now - seen_.*row.value : now;
  }
  seen_ = so_far;
}

void Timeline::take(const TimelineSample& so_far) {
  const std::uint64_t end = last_ + interval_;
  count(so_far);
  open_.cycle = last_ = end;
  whole_.push_back(open_);
  open_ = {};
  if (whole_.size() >= most_) halve();
}

/// An odd one out goes back to the open sample.
void Timeline::halve() {
  for (std::size_t i = 0; i + 1 < whole_.size(); i += 2) {
    TimelineSample both = whole_[i + 1];
    for (const TimelineRow& row : timeline_rows())
      if (row.is_count) both.*row.value += whole_[i].*row.value;
    whole_[i / 2] = both;
  }
  if (whole_.size() % 2 == 1) open_ = whole_.back();
  whole_.resize(whole_.size() / 2);
  interval_ *= 2;
  last_ = whole_.back().cycle;
}

void Timeline::end_launch(const TimelineSample& total) {
  count(total);
  open_.cycle = before_ + total.cycle;
}

std::vector<TimelineSample> Timeline::samples() const {
  std::vector<TimelineSample> all = whole_;
  if (open_.cycle > last_) all.push_back(open_);
  return all;
}

nlohmann::json to_json(const std::vector<TimelineSample>& samples) {
  nlohmann::json json = nlohmann::json::object();
  for (const TimelineRow& row : timeline_rows()) {
    nlohmann::json& column = json[row.key] = nlohmann::json::array();
    for (const TimelineSample& sample : samples) column.push_back(sample.*row.value);
  }
  return json;
}

std::vector<TimelineSample> timeline(const nlohmann::json& json) {
  std::vector<TimelineSample> samples(json.at("cycle").size());
  for (const TimelineRow& row : timeline_rows())
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].*row.value = json.at(row.key).at(i);
  return samples;
}

}  // namespace heddle::gpu
