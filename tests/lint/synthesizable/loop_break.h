// SPDX-License-Identifier: Apache-2.0
// A found-flag ends a search, not break.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::loop_break {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<8> bits_q;

  HEDDLE_CLOCKED(step) {
    unsigned at = 8;
    for (unsigned i = 0; i < 8; ++i) {
      if (bits_q[i]) {
        at = i;
        break;  // bad: loop-break
      }
    }
    for (unsigned i = 0; i < 8; ++i) {
      if (at == 8 && bits_q[i]) at = i;
      switch (i) {
        case 3:
          at = 0;
          break;
        default:
          break;
      }
    }
    bits_q = at;
  }
};

}  // namespace heddle::loop_break
