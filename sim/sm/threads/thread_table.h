// SPDX-License-Identifier: Apache-2.0
// Which thread of which CTA lives in each thread slot of the SM. The CTA unit writes it; who needs a thread's
// coordinates, for a special register or an error, reads it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/isa/execution_error.h"
#include "sim/isa/launch.h"
#include "sim/sm/links/threads.h"

namespace heddle {

/// Which SM of the GPU this is, of how many.
struct SmPlace {
  unsigned number = 0, sms = 1;
};

class ThreadTable {
 public:
  /// The threads of one warp slot.
  struct Row {
    bool used = false;
    unsigned cta = 0;          ///< CTA slot of the SM
    isa::Dim3 block{0, 0, 0};  ///< that CTA's index in the grid
    CtaWarp warp;
  };

  ThreadTable(unsigned rows, unsigned lanes, SmPlace place) : lanes_(lanes), place_(place), rows_(rows) {}

  void load(const isa::Launch& launch) { launch_ = &launch; }
  const isa::Launch& launch() const { return *launch_; }
  SmPlace place() const { return place_; }
  unsigned lanes() const { return lanes_; }

  unsigned rows() const { return static_cast<unsigned>(rows_.size()); }
  Row& operator[](SmWarp row) { return rows_[row.index()]; }
  const Row& operator[](SmWarp row) const { return rows_[row.index()]; }

  /// For errors: coordinates of the thread, and where it is.
  isa::FaultSite site(ThreadSlot thread, isa::Pc pc) const;

  /// A special register of every thread of a row, by home lane. \param cycle what clocks say; a nanosecond a cycle
  /// (ours)
  void special_register(isa::SpecialRegister which, SmWarp row, std::uint64_t cycle, isa::LaneValues& out) const;

 private:
  unsigned lanes_;
  SmPlace place_;
  const isa::Launch* launch_ = nullptr;
  std::vector<Row> rows_;
};

inline unsigned threads_per_cta(const isa::Launch& launch) {
  return static_cast<unsigned>(launch.block.count());
}

}  // namespace heddle
