// SPDX-License-Identifier: Apache-2.0
// CTAs of one SM: onto warp slots and off them, their shared memory and their barriers.
//
// When a CTA slot, warp slots, registers and shared memory are free for a CTA, the unit asks the dispatcher for one. The
// first ones come with the launch and start in that edge; each other one does so `dispatch_latency` cycles later. Its warps
// go to the lowest free slots, and to their schedulers, in the edge in which it starts. A warp slot is given back when its threads have exited, its last
// writeback and store are through and its control flow unit holds nothing of it; the CTA's share of registers and
// shared memory with its last warp. Barriers open in the edge after the last arrival.
//
// Of a launch in two streams (affine_port.h) CTAs start in batches, each on an aligned group of warp slots, and a barrier
// opens when the affine warp's side lets its CTA pass.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "rtl/config/design_points.h"
#include "sim/isa/cta_barriers.h"
#include "sim/sm/links/affine_port.h"
#include "sim/sm/links/counters.h"
#include "sim/sm/threads/cta_dispatcher.h"
#include "sim/sm/threads/thread_table.h"

namespace heddle {

/// The link from the CTA unit to the warps: what it tells them, and what it asks.
class WarpPort {
 public:
  virtual ~WarpPort() = default;
  /// These lanes of a warp slot hold threads from now on.
  virtual void start(SmWarp warp, isa::Lanes lanes) = 0;
  /// A barrier opened for these threads.
  virtual void barrier_opened(SmWarp warp, isa::Lanes lanes) = 0;
  /// The result of a barrier instruction in flight.
  virtual void answer(unsigned token, std::uint64_t value) = 0;
  /// Threads that have not exited, and those of them that wait at a barrier.
  virtual isa::Lanes live(SmWarp warp) const = 0;
  virtual isa::Lanes waiting(SmWarp warp) const = 0;
  /// Can nothing in this warp go on before a barrier opens?
  virtual bool blocked_at_barriers(SmWarp warp) const = 0;
  /// May the slot be given to another warp?
  virtual bool drained(SmWarp warp) const = 0;
};

class CtaUnit {
 public:
  /// \param resident_warps  at most so many warps at once; 0: as many as the point has
  /// \param affine  null: the SM has no affine warp
  CtaUnit(const DesignPoint& point, SmPlace place, Counters& counters, WarpPort& warps, unsigned resident_warps,
          AffinePort* affine = nullptr);

  /// CTAs of the launch that an empty SM holds at once. \throws isa::ExecutionError when not even one fits.
  unsigned room_for(const isa::Launch& launch) const;
  /// A launch begins; its CTAs start from the next step on. The launch must outlive it.
  void start(const isa::Launch& launch, CtaDispatcher& dispatcher);
  /// An access is complete, or a path has come or gone where lanes wait: the next step looks at every CTA.
  void notify() { notified_ = true; }
  /// One edge: barriers open, slots are given back, CTAs start. \throws isa::ExecutionError for a barrier that none of
  /// its CTA's threads can open any more.
  void step(std::uint64_t cycle);
  /// Every CTA is done, and there is none left for this SM.
  bool done() const { return done_; }
  /// Another step would change nothing.
  bool idle() const;

  const ThreadTable& threads() const { return threads_; }
  /// Shared memory and barriers of the CTA whose thread lives in this row.
  std::vector<std::uint8_t>& shared(SmWarp row) { return ctas_[threads_[row].cta].shared; }
  const isa::CtaBarriers& barriers(SmWarp row) const { return ctas_[threads_[row].cta].barriers; }
  /// The PC of the last arrival from this row.
  isa::Pc barrier_pc(SmWarp row) const { return barrier_pc_[row.index()]; }

  static constexpr unsigned NoToken = ~0U;
  /// Threads of a row arrive at a barrier. \param token  of the instruction that waits for the barrier's result
  /// \pre barriers(row) does not refuse it
  void arrive(SmWarp row, const isa::BarrierArrival& arrival, isa::Pc pc, unsigned token = NoToken);
  /// Threads of a row are done.
  void exit(SmWarp row, isa::Lanes homes, std::uint64_t cycle);

  /// CTAs that the unit has asked for and that have not ended.
  unsigned resident() const;
  /// Every block with threads at a barrier: "block (0,0,0): barrier 0 has ...", a line each, for messages.
  std::string describe_barriers() const;

 private:
  /// A barrier instruction with a result, in flight until the barrier opens.
  struct PendingReduction {
    unsigned barrier = 0, token = 0;
  };
  struct Cta {
    bool used = false;
    isa::Dim3 index{0, 0, 0};
    unsigned warps_left = 0;  ///< warp slots not yet given back
    isa::CtaBarriers barriers;
    std::vector<PendingReduction> reductions;  ///< that wait for their barrier to open
    std::vector<std::uint8_t> shared;
  };

  bool nothing_left() const { return dispatcher_->empty(threads_.place().number); }
  /// Where a CTA goes.
  struct Room {
    unsigned slot = 0;
    unsigned first = 0;  ///< row, of a launch in two streams
  };
  /// A CTA on its way from the dispatcher.
  struct Coming {
    isa::Dim3 index{0, 0, 0};
    std::uint64_t due = 0;  ///< cycle in which it is there
  };
  void ask(std::uint64_t cycle);
  unsigned warps_of(const isa::Launch& launch) const {
    return (threads_per_cta(launch) + point_.lanes - 1) / point_.lanes;
  }
  unsigned used_ctas() const;
  unsigned rooms() const;
  Room find_room() const;
  bool is_free(unsigned first, unsigned warps) const;
  unsigned free_groups(unsigned warps) const;
  unsigned free_group(unsigned warps) const;
  void start_cta(const isa::Dim3& index);
  void start_batch(std::uint64_t cycle);
  bool may_start_batch() const;
  void settle(std::uint64_t cycle);
  unsigned number_of(const Cta& cta) const { return static_cast<unsigned>(&cta - ctas_.data()); }
  bool may_pass(const Cta& cta) const { return !in_batches_ || affine_->may_pass(number_of(cta)); }
  void release_from_barriers(Cta& cta, std::uint64_t cycle);
  void open_barrier(Cta& cta, std::uint64_t cycle);
  void check_barriers(const Cta& cta) const;
  bool is_of(const ThreadTable::Row& row, const Cta& cta) const { return row.used && &ctas_[row.cta] == &cta; }

  const DesignPoint& point_;
  Counters& counters_;
  WarpPort& warps_;
  const unsigned most_warps_;
  ThreadTable threads_;
  std::vector<Cta> ctas_;
  std::vector<isa::Pc> barrier_pc_;  // by row
  CtaDispatcher* dispatcher_ = nullptr;
  AffinePort* const affine_;
  bool in_batches_ = false;  // the launch runs in two streams
  bool done_ = true;
  bool has_room_ = true;  // for a CTA that was not asked for, as far as is known: a slot was given back since
  std::deque<Coming> coming_;
  bool notified_ = false;  // one may start or end, or a barrier open
  bool held_ = false;      // a barrier may not open yet
  bool leaving_ = false;   // a warp without threads waits for its last store or its stack
};

}  // namespace heddle
