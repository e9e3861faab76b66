// SPDX-License-Identifier: Apache-2.0
// Code ends its case; cases without code may share it.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::fall_through {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<2> at_q;

  HEDDLE_CLOCKED(step) {
    switch (unsigned(at_q)) {
      case 0:  // bad: fall-through
        at_q = 2;
      case 1:
        at_q = 3;
        break;
      case 2:
      case 3: {
        at_q = 0;
        break;
      }
      default:
        break;
    }
  }
};

}  // namespace heddle::fall_through
