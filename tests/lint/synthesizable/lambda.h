// SPDX-License-Identifier: Apache-2.0
// No lambdas.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::lambda_ {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static sc_uint<4> doubled(const sc_uint<4>& n) { return n + n; }
  sc_uint<4> count_q;

  HEDDLE_CLOCKED(step) {
    const auto a_lambda = [this](unsigned n) { count_q = count_q + n; };  // bad: lambda, word
    a_lambda(count_q);                                                    // bad: call
    count_q = doubled(count_q);
  }
};

}  // namespace heddle::lambda_
