// SPDX-License-Identifier: Apache-2.0
// What the warps and the CTA unit of an SM see of decoupled affine computation: queues to dequeue from, a branch's
// outcome to tell, batches of CTAs, barriers. Behind it stand the affine warp and the expansion units (affine_unit.h).
//
// One edge: the affine unit hears its blocks first; then the warps and the CTA unit ask and tell; then it drives.
//   dequeue(queue, warp) in edge n: the record is on address() or predicate() in edge n + 2
#pragma once

#include <array>

#include "sim/isa/launch.h"
#include "sim/sm/links/threads.h"
#include "tlm/backing_store.h"

namespace heddle {

/// The part of an address that tuples leave out, the same for all memory of the device (DESIGN 6.7).
constexpr std::uint64_t AddressWindow = BackingStore::base >> 32 << 32;

/// A record of one warp: addresses of some of the lanes of an access.
struct AddressRecord {
  bool valid = false;
  SmWarp warp;
  bool is_data = false;  ///< its line was requested and is locked until now
  isa::Lanes lanes = 0;
  std::array<std::uint32_t, isa::MaxLanes> address{};  ///< low 32 bits, of these lanes
  bool last = false;                                   ///< of the access
};

/// A bit a lane; lanes that the tuple was not for read 0.
struct PredicateRecord {
  bool valid = false;
  SmWarp warp;
  isa::Lanes lanes = 0;
};

class AffinePort {
 public:
  virtual ~AffinePort() = default;

  /// Does the launch run in two streams? If not, nothing else is asked.
  virtual bool runs() const = 0;

  // The CTA unit.
  /// May a CTA become resident in this edge? \param empty  no CTA is
  virtual bool may_start(bool empty) const = 0;
  /// One does; its warps are consecutive slots.
  virtual void started(unsigned cta, SmWarp first, const isa::Dim3& index) = 0;
  /// After the last one that becomes resident in this edge.
  virtual void batch_is_complete() = 0;
  /// May the CTA's barrier open?
  virtual bool may_pass(unsigned cta) const = 0;
  virtual void passed(unsigned cta) = 0;

  // The schedulers.
  /// A bit a warp of the SM: there is a record for its next dequeue from this queue, so that it may issue.
  virtual std::uint64_t records(isa::QueueOp queue) const = 0;
  bool has_record(isa::QueueOp queue, SmWarp warp) const { return (records(queue) >> warp.index() & 1) != 0; }
  /// May a branch issue whose outcome the affine warp wants? It hears one at a time of each warp.
  virtual bool accepts_outcome(SmWarp warp) const = 0;
  /// Such a branch was executed. \param lanes  that executed it; taken: of them
  virtual void outcome(SmWarp warp, isa::Lanes lanes, isa::Lanes taken) = 0;
  /// In the cycle that begins the affine warp, or a comparison of the predicate expansion unit, has the issue slot of
  /// scheduler 0.
  virtual bool takes_slot() const = 0;

  // Records: at most one of each kind is asked for in an edge (Data and Address are one queue).
  virtual void dequeue(isa::QueueOp queue, SmWarp warp) = 0;
  virtual const AddressRecord& address() const = 0;
  virtual const PredicateRecord& predicate() const = 0;
};

}  // namespace heddle
