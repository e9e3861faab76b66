// SPDX-License-Identifier: Apache-2.0
// A const local made by a call does not stand in another call's argument.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::const_call {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static unsigned set_of(unsigned id) { return id % 4; }
  static Pair pair_of(unsigned id) {
    Pair made;
    made.a = id;
    return made;
  }
  static unsigned sum_of(const Pair& pair) { return pair.a + pair.b; }
  sc_uint<4> entry_q[4];

  HEDDLE_CLOCKED(step) {
    const unsigned set = set_of(entry_q[0]);
    unsigned place = set_of(entry_q[1]);
    const unsigned sum = entry_q[2] + 1;
    entry_q[0] = set_of(set + 1);                   // bad: const-call
    if (set_of(entry_q[set]) == 0) entry_q[1] = 0;  // bad: const-call
    entry_q[set] = set_of(place + sum);
    for (unsigned i = 0; i < 4; ++i) {
      const Pair pair = pair_of(i);
      entry_q[i] = sum_of(pair);
    }
  }
};

}  // namespace heddle::const_call
