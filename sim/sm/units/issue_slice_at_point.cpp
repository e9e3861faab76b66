// SPDX-License-Identifier: Apache-2.0
// A library with the issue slice of one design point (scripts/slice_point), which make_issue_slice() loads: the blocks
// are templates, and a point of one's own needs them at its own widths and depths.
#include "sim/sm/units/issue_slice_of.h"
#include "slice_point.h"

extern "C" heddle::SliceFactory heddle_issue_slice;
heddle::IssueSlice<2>* heddle_issue_slice(const char* name, const heddle::Mechanism& mechanism,
                                          const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  return new heddle::slice_at_point<heddle::slice_point, heddle::slice_mechanisms>(name, mechanism, clk, rst_n);
}
