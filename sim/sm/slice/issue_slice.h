// SPDX-License-Identifier: Apache-2.0
// One issue scheduler of the SM with the hardware blocks that decide which threads run: a control flow unit, a
// scoreboard and a warp scheduler, wired by signals. The rest of the SM sees this interface in native integers and
// knows neither the mechanism nor the design point behind it.
//
// One cycle: the SM drives at an edge; the scoreboard answers and the scheduler picks in the cycle; at the next edge
// every block acts on the grant and the SM samples it. So a path can issue in consecutive cycles.
//
// Paths: how many of a warp may issue. Two for all blocks (mechanisms with one leave k = 1 blank); a reference may show
// more (ideal_splits.h).
#pragma once

#include <systemc>

#include <memory>
#include <string>
#include <vector>

#include "rtl/base/control_flow.h"
#include "rtl/config/design_points.h"
#include "rtl/convergence_barrier/barrier_operation.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/mechanisms.h"
#include "sim/sm/links/slot_set.h"
#include "sim/sm/slice/fetch.h"

namespace heddle {

/// Active lanes of a path and its next instruction.
struct PathView {
  isa::Pc pc = 0;
  isa::Lanes mask = 0;
};

/// What the blocks show at an edge, about the cycle that ends there.
template <unsigned Paths>
struct SliceView {
  bool granted = false;
  SliceWarp warp;
  unsigned k = 0;
  SlotSet<Paths> valid, redirected;  ///< of the control flow unit's status
};

/// Why the scoreboard refuses the head of a slot.
template <unsigned Paths>
struct Hazards {
  SlotSet<Paths> own, shadow, full;
};

struct Resolution {
  ResolveOp op = ResolveOp::None;
  SliceWarp warp;
  unsigned k = 0;
  isa::Lanes lanes = 0;
  isa::Pc target = 0, rpc = isa::NoPc;
  unsigned block = 0;  ///< of a branch: instructions of the block at its post-dominator
};

/// A path slot, or none.
struct OneSlot {
  bool valid = false;
  SliceWarp warp;
  unsigned k = 0;
};

/// A writeback, as the scoreboard hears of it.
struct Released {
  bool valid = false;
  SliceWarp warp;
  unsigned k = 0;
  isa::RegisterName name;
  bool part = false;  ///< for lanes on the other side alone
};

/// What an executed instruction asks of convergence barriers (rtl/convergence_barrier/barrier_operation.h). With Jump
/// each lane goes to its own target: set_targets().
struct Convergence {
  BarrierOp op = BarrierOp::None;
  SliceWarp warp;
  unsigned index = 0;
  isa::Lanes lanes = 0, value = 0;
  unsigned source = 0;  ///< of Copy and Take
};

/// What convergence barriers tell the path that asked with Arrive, two cycles later and in the order of asking.
struct Arrived {
  bool valid = false;
  bool passed = false;  ///< more than the threshold are there
};

template <unsigned Paths>
struct SliceDrive {
  SlotSet<Paths> eligible;  ///< slots that may issue as far as the SM knows
  SlotSet<Paths> held;      ///< slots whose head is a branch or an exit
  Fetched push;             ///< for the buffer of its slot, which keeps it unless the slot has a new PC or is gone
  Resolution resolve;
  Released release;
  OneSlot yield;  ///< gives way to a path that has no slot; never in a cycle with a resolution, never eligible
  Convergence convergence;  ///< the same
  SlotSet<Paths> waiting;   ///< at a CTA barrier, hidden ones too; read where paths rotate
  SlotSet<Paths>
      long_latency;        ///< of which a long-latency instruction was issued, or a miss has become known; the same
  std::uint64_t busy = 0;  ///< of convergence barriers: warps of which something is on its way
};

template <unsigned Paths>
class IssueSlice {
 public:
  virtual ~IssueSlice() = default;

  virtual SliceView<Paths> sample() const = 0;
  /// Scoreboard hazards of the heads of `warps`.
  virtual Hazards<Paths> hazards(std::uint64_t warps) const = 0;
  virtual PathView path(SliceWarp warp, unsigned k) const = 0;
  virtual unsigned depth(SliceWarp warp) const = 0;
  /// Paths of the warp that could run, those that have no slot included: NumPath of DPE eq. 1.
  virtual unsigned paths(SliceWarp warp) const = 0;

  /// The program whose instructions set_head names.
  virtual void load(const isa::Program& program) = 0;
  /// Decode of what will be the head of a slot's buffer after this edge; NoPc: none.
  virtual void set_head(SliceWarp warp, unsigned k, isa::Pc pc) = 0;
  /// The word at the head of a slot's buffer: the PC of the instruction; NoPc: none.
  virtual isa::Pc head(SliceWarp warp, unsigned k) const = 0;
  virtual void drive(const SliceDrive<Paths>& drive) = 0;
  /// PCs by lane, of the Jump that is driven next.
  virtual void set_targets(const isa::LaneValues& targets) = 0;
  /// What convergence barriers answer in the cycle that ends.
  virtual Arrived arrived() const = 0;
  /// Groups that convergence barriers let go although lanes were missing, since reset.
  virtual std::uint64_t releases() const = 0;

  /// Without a request an edge would change nothing in the blocks. The control flow unit says so; the scoreboard and
  /// the scheduler change with a request only.
  virtual bool idle() const = 0;
};

/// What the library of a slice has, under SliceFactoryName; the caller owns the slice.
using SliceFactory = IssueSlice<2>*(const char* name, const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                    const sc_core::sc_signal<bool>& rst_n);
inline constexpr const char* SliceFactoryName = "heddle_issue_slice";

}  // namespace heddle
