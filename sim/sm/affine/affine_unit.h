// SPDX-License-Identifier: Apache-2.0
// The affine unit of an SM: decoupled affine computation as its warps see it (affine_port.h). It has the affine warp, the
// blocks that hold and expand its tuples, and what stands between these and the SM: batches of CTAs, early requests to
// the L1 and the lines that it must keep, comparisons on the SIMT lanes.
//
// One edge: sample(), then the warps and the CTA unit ask and tell by the port, then drive().
//   batch       CTAs that start in one edge are one; a record a cycle tells the blocks of them, then the affine warp runs.
//               The next one may start when that has ended and no tuple is left.
//   request     a line that the blocks want is handed to the load/store unit when they have seen that it takes one; a line
//               outside of the device's memory counts as there: the access itself is at fault
//   comparison  takes the issue slot of scheduler 0 for a cycle, before the affine warp; the answer comes alu_latency
//               cycles later
#pragma once

#include <systemc>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/sm/affine/affine_blocks.h"
#include "sim/sm/affine/affine_warp.h"
#include "sim/sm/links/affine_port.h"
#include "sim/sm/links/counters.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/threads/thread_table.h"
#include "tlm/backing_store.h"
#include "tlm/line_keeper.h"

namespace heddle {

class AffineUnit final : public AffinePort, public LineKeeper {
 public:
  /// \throws std::invalid_argument for a point whose tuples have not 32 bits; else as make_affine_blocks()
  AffineUnit(const DesignPoint& point, const SmPlace& place, const Mechanism& mechanism,
             const sc_core::sc_signal<bool>& rst_n, load_store_unit& lsu, const BackingStore& store,
             Counters& counters);

  /// \pre done()
  void load(const isa::Launch& launch);

  /// An edge comes, before it does. \param gated  not to blocks that rest; else to them too, and sample() looks whether
  /// it changes anything
  void rise(bool gated);
  /// The first thing of an edge. \param cycles  since the last one \throws std::logic_error naming a block that said it
  /// rests, and shows something new
  void sample(std::uint64_t cycle, std::uint64_t cycles);
  /// The last thing of an edge.
  void drive();
  /// An edge at which nothing runs.
  void rest();

  /// Would an edge change nothing? Asked between edges.
  bool idle() const;
  /// What others see of it, as numbers.
  std::vector<std::uint64_t> shows() const;
  /// No batch is under way, no tuple left, and the blocks rest: the launch may end if its CTAs have.
  bool done() const;
  /// After a launch. \throws std::logic_error naming what is left of it
  void check_end() const;
  /// For people: where the affine warp stands, and what its queues hold. Empty if the launch is not in two streams.
  std::string describe() const;

  bool runs() const override { return runs_; }
  bool may_start(bool empty) const override;
  void started(unsigned cta, SmWarp first, const isa::Dim3& index) override;
  void batch_is_complete() override;
  bool may_pass(unsigned cta) const override;
  void passed(unsigned cta) override;
  std::uint64_t records(isa::QueueOp queue) const override;
  bool accepts_outcome(SmWarp warp) const override { return warp_.accepts_outcome(warp.index()); }
  void outcome(SmWarp warp, isa::Lanes lanes, isa::Lanes taken) override;
  bool takes_slot() const override { return view_.compare.valid || warp_.issues(); }
  void dequeue(isa::QueueOp queue, SmWarp warp) override;
  const AddressRecord& address() const override { return address_; }
  const PredicateRecord& predicate() const override { return predicate_; }

  bool keeps(std::uint64_t line_address) const override { return locks_.count(line_address) != 0; }

 private:
  enum class Batch : std::uint8_t {
    None,
    Collecting,  ///< CTAs join it in this edge
    Opening,     ///< the blocks are told of them
    Running
  };

  void look();
  void account(std::uint64_t cycles);
  void count_events();
  void sample_lines();
  void sample_records();
  void compare(std::uint64_t cycle);
  std::uint64_t line_of(std::uint32_t address) const;
  static AddressRecord record_of(const AffineView::Address& address);

  const DesignPoint& point_;
  const bool full_batches_;
  load_store_unit& lsu_;
  const BackingStore& store_;
  Counters& counters_;
  std::unique_ptr<AffineBlocks> blocks_;
  AffineWarp warp_;

  bool runs_ = false;
  isa::Dim3 block_;
  AffineView view_;            ///< of the cycle that the last edge ended
  AffineRest rests_, rested_;  ///< what this edge does not change, and what the last one did not
  AffineDrive drive_, last_;   ///< of this edge, and of the last one
  bool busy_ = false;          ///< something changed in the last edge, or will without a reason from outside

  Batch batch_ = Batch::None;
  std::deque<AffineDrive::Batch> joins_;  ///< not told yet
  std::uint64_t batch_warps_ = 0, tail_warps_ = 0;

  std::deque<unsigned> there_;               ///< tokens of records whose line is there
  std::map<std::uint64_t, unsigned> locks_;  ///< records by the line that they keep in the L1
  bool compares_ = false;                    ///< the lanes do
  std::uint64_t compared_ = 0;               ///< cycle of their answer
  isa::Lanes holds_ = 0;
  std::vector<isa::QueueOp> asked_;  ///< by warp: what it dequeues
  AddressRecord address_;
  PredicateRecord predicate_;
};

}  // namespace heddle
