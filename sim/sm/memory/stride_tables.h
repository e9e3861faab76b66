// SPDX-License-Identifier: Apache-2.0
// What a prefetcher knows of the addresses of loads (MTA): three tables, each with LRU replacement.
//
//   by warp     PWS, of a load and a warp: its last address, the stride to the next one
//   by load     GS, loads of which three warps have one stride: it holds for all warps, without training (promotion)
//   by thread   IP, of a load: the stride from a warp to the next one
//
// A stride is trained when three accesses have had it twice. GS goes first, then IP; the table by warp is asked, and
// learns, where GS does not know the load. A stride of 0 predicts nothing and is not promoted (ours): the line is there.
// What goes from warp to warp is counted by rows of the SM (ours: the paper numbers warps).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/config/design_points.h"

namespace heddle {

/// Where the next access of a load is expected.
enum class StrideSource : std::uint8_t { None, Warp, Load, Thread };
struct StridePrediction {
  StrideSource source = StrideSource::None;
  std::int64_t offset = 0;  ///< from the access that was seen
};

class StrideTables {
 public:
  explicit StrideTables(const DesignPoint& point);

  /// An access of a load, at its lowest lane's address: learns from it, and says where the next one is expected.
  StridePrediction look(std::uint64_t pc, unsigned warp, std::uint64_t address);
  void clear();

 private:
  /// The stride of two accesses, one after the other.
  struct Stride {
    std::int64_t bytes = 0;
    unsigned seen = 0;  ///< so often in turn
    void learn(std::int64_t now);
    bool is_trained() const { return seen >= 2 && bytes != 0; }
  };
  struct WarpEntry {
    std::uint64_t pc = 0;
    unsigned warp = 0;
    std::uint64_t last = 0;
    Stride stride;
    std::uint64_t used = 0;  ///< a stamp of use_clock_; 0: free
  };
  struct LoadEntry {
    std::uint64_t pc = 0;
    std::int64_t stride = 0;
    std::uint64_t used = 0;
  };
  struct ThreadEntry {
    std::uint64_t pc = 0;
    unsigned last_warp = 0;
    std::uint64_t last = 0;
    Stride stride;
    std::uint64_t used = 0;
  };

  const Stride& learn_of_threads(std::uint64_t pc, unsigned warp, std::uint64_t address);
  const Stride& learn_of_warp(std::uint64_t pc, unsigned warp, std::uint64_t address);
  void promote(std::uint64_t pc, std::int64_t stride);

  std::vector<WarpEntry> warps_;
  std::vector<LoadEntry> loads_;
  std::vector<ThreadEntry> threads_;
  std::uint64_t use_clock_ = 0;
};

}  // namespace heddle
