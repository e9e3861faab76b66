// The issue slice at one design point, HEDDLE_POINT: compiled once for each (sim/CMakeLists.txt), as all of them in one
// file take minutes.
#include "sim/sm/issue_slice_of.h"

#define HEDDLE_NAME_OF(name) slice_at_##name
#define HEDDLE_NAME(name) HEDDLE_NAME_OF(name)

namespace heddle::point {

std::unique_ptr<IssueSlice> HEDDLE_NAME(HEDDLE_POINT)(const std::string& name, const Mechanism& mechanism,
                                                      const sc_core::sc_signal<bool>& clk,
                                                      const sc_core::sc_signal<bool>& rst_n) {
  return std::make_unique<issue_slice<HEDDLE_POINT>>(name.c_str(), mechanism, clk, rst_n);
}

}  // namespace heddle::point
