// SPDX-License-Identifier: Apache-2.0
// The last case ends in break, too.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::case_break {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<2> at_q;

  HEDDLE_CLOCKED(step) {
    switch (unsigned(at_q)) {
      case 0:
        at_q = 2;
        break;
      default:  // bad: case-break
        at_q = 0;
    }
  }
};

}  // namespace heddle::case_break
