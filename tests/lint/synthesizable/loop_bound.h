// SPDX-License-Identifier: Apache-2.0
// A loop counts between constants, and its body leaves the counter alone.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::loop_bound {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static constexpr unsigned Most = 8;
  sc_uint<4> count_q, sum_q;

  HEDDLE_CLOCKED(step) {
    const unsigned most = count_q;
    for (unsigned i = 0; i < most; ++i) sum_q = sum_q + 1;             // bad: loop-bound
    for (unsigned i = 0; i < count_q; ++i) sum_q = sum_q + 1;          // bad: loop-bound
    for (unsigned i = most; i != 0; --i) sum_q = sum_q + 1;            // bad: loop-bound
    for (unsigned i = 0; i < Most; i += most) sum_q = sum_q + 1;       // bad: loop-bound
    for (int i = 0; i < 4; ++i) sum_q = sum_q + 1;                     // bad: loop-bound
    for (unsigned i = 0; i < 4 && sum_q != 3; ++i) sum_q = sum_q + 1;  // bad: loop-bound
    for (unsigned i = 0; i < 4; ++i) {
      if (sum_q == i) i = 4;  // bad: loop-bound
    }
    for (unsigned i = 0; i < 4;) {  // bad: loop-bound
      ++i;
    }
    for (unsigned i = 0; i < Most; ++i) sum_q = sum_q + 1;
    for (unsigned i = Most; i != 0; --i) sum_q = sum_q + 1;
    for (unsigned half = 2 * Most; half != 0; half /= 2) sum_q = sum_q + half;
    for (unsigned i = 0; i + 1 < Most; i += 2) sum_q = sum_q + 1;
  }
};

}  // namespace heddle::loop_bound
