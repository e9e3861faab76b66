// SPDX-License-Identifier: Apache-2.0
// Local memory of an SM's warps: where the bytes of each thread lie in device memory, behind the L1.
//
// The words of a warp's lanes are interleaved, so that lanes that access one offset touch neighbouring bytes:
//
//   address = warp's base + offset / g * g * lanes + lane * g + offset % g
//
// g is 4 bytes, so that 32 lanes and a word make one line; it is 8 in a program with 8-byte accesses that may be to
// local memory, because an access of a lane is never split (ours; a GPU splits it). The bytes are reserved in the
// backing store apart from all allocations. A warp finds zeros, as on the oracle (ours: on a GPU it finds what was left
// there): they are written in no time when it starts.
#pragma once

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/threads.h"
#include "tlm/backing_store.h"

namespace heddle {

class LocalMemory {
 public:
  /// Sizes it for a launch and reserves the bytes of all `sms`; this is SM `number`'s part.
  void start(const isa::Program& program, const DesignPoint& point, unsigned number, unsigned sms, BackingStore& store);

  std::size_t bytes_per_warp() const { return bytes_per_warp_; }
  std::uint64_t base(SmWarp row) const {
    return BackingStore::reserved_base + (first_warp_ + row.index()) * bytes_per_warp_;
  }
  /// The address of a byte of a thread.
  std::uint64_t address(ThreadSlot thread, std::uint64_t offset) const {
    return base(thread.row) + offset / granule_ * granule_ * lanes_ + std::uint64_t(thread.home) * granule_ +
           offset % granule_;
  }

 private:
  unsigned granule_ = 4, lanes_ = isa::MaxLanes;
  std::uint64_t first_warp_ = 0;    ///< of the warps of all SMs, this one's first
  std::size_t bytes_per_warp_ = 0;  ///< whole lines
};

}  // namespace heddle
