// SPDX-License-Identifier: Apache-2.0
// What an issue slice has for its control flow unit alone, beside the links of every unit (sim/sm/units/issue_slice_of.h). A
// file a unit that has some: a specialisation of slice_side.
#pragma once

#include <systemc>

#include <string>

#include "rtl/issue_slice/issue_slice.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

class SliceSide {
 public:
  /// What an issue slice has between status and scheduler: for most nothing.
  template <class>
  using Rotation = no_rotation;
  /// The status of the slots that the SM sees. \param status  of the control flow unit
  template <class Slice, class Status>
  static const Status& shown(const Slice&, const Status& status) {
    return status;
  }

  virtual ~SliceSide() = default;
  /// At each edge, after the links of every unit.
  virtual void drive(const SliceDrive<2>& drive) { (void)drive; }
  virtual void set_targets(const isa::LaneValues& targets) { (void)targets; }
  /// Paths of the warp that could run. \param shown  those that the status shows
  virtual unsigned paths(SliceWarp warp, unsigned shown) const { return (void)warp, shown; }
  virtual Arrived arrived() const { return {}; }
  virtual std::uint64_t releases() const { return 0; }
  virtual bool idle() const { return true; }
};

/// Unit: the control flow unit. For most: nothing.
template <SmSide, class Unit>
class slice_side : public SliceSide {
 public:
  /// The first parameter is the name of the slice: signals of a side stand beside it.
  template <class Slice>
  slice_side(const std::string&, Slice&, const DivergenceRow&) {}
};

/// A set of slots as a record of the blocks.
template <class Slots>
Slots slots_of(const SlotSet<2>& set) {
  Slots record;
  record.left = set.path[0];
  record.right = set.path[1];
  return record;
}

}  // namespace heddle
