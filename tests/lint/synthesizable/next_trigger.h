// SPDX-License-Identifier: Apache-2.0
// Sensitivity is fixed.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::next_trigger_ {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<4> calls_q;

  HEDDLE_CLOCKED(step) {
    calls_q = calls_q + 1;
    next_trigger(1, sc_core::SC_NS);  // bad: next-trigger, call
  }
};

}  // namespace heddle::next_trigger_
