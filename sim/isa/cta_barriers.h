// SPDX-License-Identifier: Apache-2.0
// The 16 barriers of one CTA: who has arrived, when one opens, what a reduction over it gives. No time.
//
// Rules: PTX ISA, "Parallel Synchronization and Communication Instructions: bar, barrier".
//   without a thread count a barrier opens when every live thread of the CTA has arrived (DESIGN 5: threads, not
//   warps); so an exit can open it.
//   with a count of threads it opens when so many have arrived, by sync, reduction or arrive. The count is a multiple
//   of the warp size, because the machine of the manual counts warps. Ours: threads are counted, and a warp of which a
//   lane has arrived counts its absent lanes too (those that have exited, and those that a CTA's last warp never had).
//   Ours: a thread that arrives twice at a barrier before it opens is an error, and so are two different counts, or a
//   reduction and anything else, at one barrier at once. Sync and arrive go together.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// Lanes of one warp arrive by one instruction. A value that PTX wants equal for all of them is given once.
struct BarrierArrival {
  std::uint64_t barrier = 0;
  std::uint64_t threads = 0;  ///< 0: no count
  bool has_count = false;
  BarrierOp op = BarrierOp::Sync;
  unsigned warp = 0;
  Lanes lanes = 0;
  Lanes true_lanes = 0;  ///< of a reduction: those whose predicate holds
};

/// A barrier has opened: it is empty again, and these lanes may go on.
struct BarrierOpening {
  unsigned barrier = 0;
  std::vector<Lanes> waiting;  ///< by warp
  std::uint64_t value = 0;     ///< of the reduction
};

class CtaBarriers {
 public:
  static constexpr unsigned Barriers = 16;

  /// All barriers empty, all threads live.
  void start(unsigned threads, unsigned lanes_per_warp);

  /// What forbids this arrival, for an error; empty: nothing.
  std::string refusal(const BarrierArrival& arrival) const;
  /// \pre refusal says nothing
  void arrive(const BarrierArrival& arrival);
  void exit(unsigned warp, Lanes lanes);

  /// Barriers that have opened since, in that order.
  bool has_opened() const { return !opened_.empty(); }
  BarrierOpening take_opened();

  /// Some thread has arrived at a barrier that has not opened.
  bool anyone_has_arrived() const { return in_use_ != 0; }
  /// Some lane of this warp waits at a barrier that has no count, and so needs all live threads.
  Lanes waiting_for_all(unsigned warp) const;
  /// "barrier 1 has 32 of 64 threads": those where somebody has arrived, for messages.
  std::string describe() const;

 private:
  struct Barrier {
    bool in_use = false;
    std::uint64_t threads = 0;  // 0: all
    BarrierOp op = BarrierOp::Sync;
    std::vector<Lanes> arrived, waiting;  // by warp
    std::uint64_t count = 0;              // arrived, with absent lanes if there is a count
    std::uint64_t threads_arrived = 0, trues = 0;
  };

  unsigned counted(const Barrier& barrier, unsigned warp) const;
  void open_if_complete(unsigned index);

  unsigned lanes_per_warp_ = MaxLanes;
  std::vector<Lanes> live_;  // by warp
  std::uint64_t live_threads_ = 0;
  std::array<Barrier, Barriers> barriers_;
  unsigned in_use_ = 0;
  std::deque<BarrierOpening> opened_;
};

}  // namespace heddle::isa
