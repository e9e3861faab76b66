// SPDX-License-Identifier: Apache-2.0
// State is a member.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::static_local {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<4> calls_q;

  HEDDLE_CLOCKED(step) {
    static unsigned calls = 0;  // bad: static-local
    calls_q = calls;
    calls_q = calls_q + 1;
  }
};

}  // namespace heddle::static_local
