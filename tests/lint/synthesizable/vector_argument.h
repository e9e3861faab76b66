// SPDX-License-Identifier: Apache-2.0
// What is read from a vector is no argument by reference: a synthesis tool loses the index.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::vector_argument {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<Pair> pair_i{"pair_i"};
  sc_core::sc_vector<sc_in<Pair>> pairs_i{"pairs_i", 2};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static bool is_set(const Pair& pair) { return pair.a != 0; }
  static bool is_one(unsigned a) { return a == 1; }
  sc_uint<3> hits_q;
  sc_uint<1> at_q;

  HEDDLE_CLOCKED(step) {
    const Pair one = pairs_i[1].read();
    if (is_set(pairs_i[1].read())) hits_q = hits_q + 1;     // bad: vector-argument
    if (example::is_set(pairs_i[at_q].read())) hits_q = 0;  // bad: vector-argument
    if (is_set(one) && is_set(pair_i.read())) hits_q = hits_q + 1;
    if (is_one(pairs_i[1].read().a)) hits_q = 0;
  }
};

}  // namespace heddle::vector_argument
