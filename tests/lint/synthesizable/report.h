// SPDX-License-Identifier: Apache-2.0
// A tool analyses the arguments of a report, although it drops the report.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::report {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<3> count_q;
  void refuse(const char* why) { SC_REPORT_ERROR("example/full", why); }  // bad: report, type

  HEDDLE_CLOCKED(step) {
    if (count_q == 7) SC_REPORT_ERROR("example/full", std::to_string(unsigned(count_q)).c_str());  // bad: report
    if (count_q == 7) SC_REPORT_ERROR("example/full", "full");                                     // bad: report
    if (count_q == 7) refuse("full");                                                              // bad: report
    if (count_q == 7) { HEDDLE_REPORT(SC_REPORT_ERROR("example/full", std::to_string(unsigned(count_q)).c_str())); }
    count_q = count_q + 1;
  }
};

}  // namespace heddle::report
