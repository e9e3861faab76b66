// SPDX-License-Identifier: Apache-2.0
// ?: is for numbers; records are chosen by if.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::record_choice {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<Pair> pair_i{"pair_i"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  Pair kept_q[2];

  HEDDLE_CLOCKED(step) {
    const Pair one = pair_i.read();
    const bool right = one.a != 0;
    Pair next = right ? one : kept_q[0];           // bad: record-choice
    next = right ? pair_i.read() : one;            // bad: record-choice
    next = right ? one : right ? kept_q[1] : one;  // bad: record-choice
    next.a = right ? one.a : kept_q[0].a;
    next.b = right ? pair_i.read().a : next.b;
    if (right) next = one;
    kept_q[right ? 1 : 0] = next;
  }
};

}  // namespace heddle::record_choice
