// SPDX-License-Identifier: Apache-2.0
// What HEDDLE_REPORT defines is not there for a tool.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::report_helper {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<3> count_q;
  HEDDLE_REPORT(void refuse(unsigned count) { SC_REPORT_ERROR("example/full", std::to_string(count).c_str()); })

  HEDDLE_CLOCKED(step) {
    count_q = count_q + 1;
    if (count_q == 7) refuse(count_q);  // bad: report-helper
    HEDDLE_REPORT(if (count_q == 7) refuse(count_q);)
  }
};

}  // namespace heddle::report_helper
