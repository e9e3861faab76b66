// SPDX-License-Identifier: Apache-2.0
// The inner index of a two-dimensional array is a number or a variable.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::inner_constant {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static constexpr unsigned Depth = 4;
  sc_uint<4> row_q[4][Depth], bits_q[4];
  sc_uint<2> at_q;

  HEDDLE_CLOCKED(step) {
    const unsigned last = Depth - 1;
    row_q[at_q][Depth - 1] = 0;  // bad: inner-constant
    row_q[at_q][Depth / 2] = 0;  // bad: inner-constant
    row_q[at_q][0] = 0;
    row_q[at_q][last] = 0;
    row_q[Depth - 1][at_q] = 0;
    bits_q[at_q][Depth - 1] = 0;
  }
};

}  // namespace heddle::inner_constant
