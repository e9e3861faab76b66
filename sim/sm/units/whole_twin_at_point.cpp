// SPDX-License-Identifier: Apache-2.0
// As issue_slice_at_point.cpp, but that the twin of rtl/issue_slice stands in place of the slice: a library of its own,
// which is only compiled for a run that asks for one (heddle run --twin issue_slice).
#include <tuple>

#include "sim/sm/units/issue_slice_of.h"
#include "sim/twin/block_or_twin.h"
#include "sim/twin/issue_slice_ports.h"
#include "slice_point.h"

namespace {

using namespace heddle;

/// The hardware: its words say what it reads of them.
template <class UnitType, class Board, class Buffer, unsigned Paths>
struct slice_of_words : issue_slice<UnitType, Board, Buffer, Paths, no_rotation, true> {
  using Unit = UnitType;
  static constexpr unsigned Words = Buffer::Words;
  explicit slice_of_words(const sc_core::sc_module_name& name)
      : issue_slice<Unit, Board, Buffer, Paths, no_rotation, true>(name, "control_flow_unit") {}
};

/// In a module of the name that the SM has for it, as block_or_twin knows its twin by the block's.
template <class Block>
struct whole_slice : sc_core::sc_module {
  block_or_twin<Block, issue_slice_ports> slice;
  whole_slice(const sc_core::sc_module_name& name, const char*, const Twins& twins)
      : sc_module(name), slice("issue_slice", twins) {}
};

struct whole_twin : just_blocks {
  static constexpr bool OfWords = true, InOrder = false;
  template <class Unit, class Board, class Buffer, unsigned Paths, class Rotation>
  using Slice = whole_slice<slice_of_words<Unit, Board, Buffer, Paths>>;
  static constexpr bool has(const DivergenceRow& row) { return row.has_whole_twin(); }
  static std::tuple<const Twins&> of(const Mechanism& mechanism) { return {mechanism.twins}; }
  template <class Block>
  static auto& ports(whole_slice<Block>& whole) {
    return whole.slice;
  }
};

}  // namespace

extern "C" SliceFactory heddle_issue_slice;
IssueSlice<2>* heddle_issue_slice(const char* name, const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                  const sc_core::sc_signal<bool>& rst_n) {
  return new slice_at_point<slice_point, slice_mechanisms, scoreboard_at_decode, whole_twin>(name, mechanism, clk,
                                                                                             rst_n);
}
