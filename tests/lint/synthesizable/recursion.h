// SPDX-License-Identifier: Apache-2.0
// No function reaches itself.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::recursion {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static unsigned sum(unsigned n) {  // bad: recursion
    unsigned all = n;
    if (n != 0) all = n + sum(n - 1);
    return all;
  }
  static bool even(unsigned n) {  // bad: recursion
    bool is = true;
    if (n != 0) is = odd(n - 1);
    return is;
  }
  static bool odd(unsigned n) {  // bad: recursion
    bool is = false;
    if (n != 0) is = even(n - 1);
    return is;
  }
  sc_uint<4> sum_q;

  HEDDLE_CLOCKED(step) { sum_q = sum(3) + even(2); }
};

}  // namespace heddle::recursion
