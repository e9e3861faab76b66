// SPDX-License-Identifier: Apache-2.0
// A call is no argument of a plain integer parameter; of a record or a reference it may be.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::call_argument {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  using Word = sc_uint<4>;
  static bool odd(unsigned n) { return n % 2 != 0; }
  static Word next(const Word& at) { return at + 1; }
  static Word chosen(const Word& at, bool invert) { return invert ? Word(~at) : at; }
  Word at_q;

  HEDDLE_CLOCKED(step) {
    bool inverted = odd(at_q);
    at_q = chosen(at_q, odd(at_q));  // bad: call-argument
    at_q = chosen(at_q, inverted);
    at_q = chosen(next(at_q), true);
    at_q = chosen(at_q, bool(at_q[0]));
  }
};

}  // namespace heddle::call_argument
