// SPDX-License-Identifier: Apache-2.0
// The bound of a loop is no choice: the loop stands in an if.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::loop_choice {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<1> bits_q[4];
  bool runs_q;

  HEDDLE_CLOCKED(step) {
    for (unsigned i = 0; i < (runs_q ? 4 : 0); ++i) bits_q[i] = 0;  // bad: loop-choice
    if (runs_q) {
      for (unsigned i = 0; i < 4; ++i) bits_q[i] = 0;
    }
    runs_q = !runs_q;
  }
};

}  // namespace heddle::loop_choice
