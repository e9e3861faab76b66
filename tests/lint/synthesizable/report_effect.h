// SPDX-License-Identifier: Apache-2.0
// What HEDDLE_REPORT does is not done under a tool.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::report_effect {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_out<bool> full_o{"full_o"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<3> count_q;

  HEDDLE_CLOCKED(step) {
    HEDDLE_REPORT(count_q = 0;)         // bad: report-effect
    HEDDLE_REPORT(full_o.write(true);)  // bad: report-effect
    HEDDLE_REPORT(const unsigned shown = count_q; if (shown == 7) SC_REPORT_ERROR("example/full", "seven");)
    count_q = count_q + 1;
  }
};

}  // namespace heddle::report_effect
