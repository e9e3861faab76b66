// SPDX-License-Identifier: Apache-2.0
// A loop counts with an unsigned.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::range_for {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<1> bits_q[4];
  sc_uint<3> sum_q;

  HEDDLE_CLOCKED(step) {
    for (const auto& bit : bits_q) sum_q = sum_q + bit;  // bad: range-for, word
    for (unsigned i = 0; i < 4; ++i) sum_q = sum_q + bits_q[i];
  }
};

}  // namespace heddle::range_for
