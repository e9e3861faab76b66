// SPDX-License-Identifier: Apache-2.0
// How often each latency occurred, in cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class LatencyCounts {
 public:
  void add(std::uint64_t cycles) {
    if (cycles >= counts_.size()) counts_.resize(cycles + 1);
    ++counts_[cycles];
    ++total_;
    sum_ += cycles;
  }
  LatencyCounts& operator+=(const LatencyCounts& other) {
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
    for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    sum_ += other.sum_;
    return *this;
  }

  std::uint64_t total() const { return total_; }
  double mean() const { return total_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(total_); }
  // The least latency that `percent` of all do not exceed; 0 of none.
  std::uint64_t percentile(unsigned percent) const {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > 0 && seen * 100 >= total_ * percent) return i;
    }
    return 0;
  }
  std::uint64_t least() const { return percentile(0); }
  std::uint64_t most() const { return percentile(100); }
  // By latency, from 0.
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0, sum_ = 0;
};

}  // namespace heddle
