// SPDX-License-Identifier: Apache-2.0
// One return, at the end.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::early_return {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static unsigned first(unsigned bits) {
    if (bits == 0) return 4;  // bad: early-return
    return bits & 1;
  }
  static unsigned last(unsigned bits) {
    unsigned at = 4;
    if (bits != 0) at = bits & 1;
    return at;
  }
  sc_uint<3> at_q;

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) return;  // bad: early-return
    at_q = first(at_q);
    at_q = last(at_q);
  }
};

}  // namespace heddle::early_return
