// SPDX-License-Identifier: Apache-2.0
// Few files know of the tool; what it does not see may be anything.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::tool_macro {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<2> at_q;

  HEDDLE_CLOCKED(step) {
#ifdef __SC_TOOL__  // bad: tool-macro
    at_q = 1;
#else
    at_q = [] { return 0; }();
#endif
  }
};

}  // namespace heddle::tool_macro
