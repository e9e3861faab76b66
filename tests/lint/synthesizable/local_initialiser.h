// SPDX-License-Identifier: Apache-2.0
// An array of structs is cleared by a loop.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::local_initialiser {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  struct Found {
    bool has = false;
    unsigned at = 0;
  };
  struct Plain {
    unsigned at;
  };
  sc_uint<4> at_q;

  HEDDLE_CLOCKED(step) {
    Found found[2];  // bad: local-initialiser
    Found one;
    Plain plain[2];
    Pair pair[2];
    for (unsigned k = 0; k < 2; ++k) plain[k].at = k;
    pair[0].a = 1;
    at_q = found[0].at + one.at + plain[1].at + pair[0].a;
  }
};

}  // namespace heddle::local_initialiser
