// SPDX-License-Identifier: Apache-2.0
// A library with the block of warp formation at one design point (scripts/slice_point), which make_formation_slice()
// loads.
#include "sim/sm/formation/formation_slice_of.h"
#include "slice_point.h"

extern "C" heddle::FormationSliceFactory heddle_formation_slice;
heddle::FormationSlice* heddle_formation_slice(const char* name, const heddle::Mechanism& mechanism,
                                               const sc_core::sc_signal<bool>& clk,
                                               const sc_core::sc_signal<bool>& rst_n) {
  return heddle::formation_slice_of<heddle::slice_point, heddle::slice_mechanisms, heddle::slice_has_twins>(
      name, mechanism, clk, rst_n);
}
