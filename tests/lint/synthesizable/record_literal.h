// SPDX-License-Identifier: Apache-2.0
// A record is declared blank and filled field by field.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::record_literal {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static Pair made(unsigned a) {
    return {a, 0};  // bad: record-literal
  }
  void keep(const Pair& pair) { kept_q = pair; }
  Pair kept_q;

  HEDDLE_CLOCKED(step) {
    Pair one = {1, 2};        // bad: record-literal
    Pair two{3, 4};           // bad: record-literal
    keep(Pair{5, 6});         // bad: record-literal
    keep({7, 8});             // bad: record-literal
    keep(Pair());             // bad: record-literal
    kept_q = {one.a, two.b};  // bad: record-literal
    kept_q = made(1);
    Pair next;
    next.a = 1;
    next.b = one.b;
    keep(next);
    const unsigned counts[2] = {1, 2};
    kept_q.a = counts[0];
  }
};

}  // namespace heddle::record_literal
