// SPDX-License-Identifier: Apache-2.0
// A record is a plain struct in a process: == is for the signal.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::own_operator {

struct Spins {
  sc_uint<3> at;
  void operator+=(unsigned by) { at = at + by; }  // bad: own-operator
};

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<Pair> pair_i{"pair_i"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static bool eq(const Pair& one, const Pair& other) { return one.a == other.a && one.b == other.b; }

  Pair kept_q;
  sc_uint<3> hits_q;
  Spins spins_q;

  HEDDLE_CLOCKED(step) {
    const Pair now = pair_i.read();
    if (now == kept_q) hits_q = hits_q + 1;  // bad: own-operator
    if (now != pair_i.read()) hits_q = 0;    // bad: own-operator
    if (eq(now, kept_q)) hits_q = hits_q + 1;
    if (now.a == kept_q.a) hits_q = 0;
    kept_q = now;
    spins_q += 1;
  }
};

}  // namespace heddle::own_operator
