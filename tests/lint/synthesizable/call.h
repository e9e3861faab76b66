// SPDX-License-Identifier: Apache-2.0
// Calls beyond the subset.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::call {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<sc_uint<4>> count_i{"count_i"};
  sc_out<sc_uint<4>> count_o{"count_o"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static unsigned added(unsigned n) { return n + 1; }
  sc_uint<4> count_q;

  HEDDLE_CLOCKED(step) {
    wait(3);                                                 // bad: call
    if (sc_core::sc_time_stamp().value() != 0) count_q = 0;  // bad: call, call
    count_q = __builtin_popcount(count_q);                   // bad: call
    count_q = count_q.to_uint();                             // bad: call
    count_q = ::rand();                                      // bad: call
    printf("%u", unsigned(count_q));                         // bad: call, report
    count_q = added(count_q) + count_i.read();
    count_q.range(1, 0) = 2;
    count_o.write(count_q);
  }
};

}  // namespace heddle::call
