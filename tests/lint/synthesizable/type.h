// SPDX-License-Identifier: Apache-2.0
// Types beyond the subset.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::type {

class Class {
 public:
  bool is_set() const { return true; }
};

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  using Narrow = sc_uint<2>;
  enum class Turn { Left, Right };
  static double third_of(unsigned n) { return n / 3; }        // bad: type
  static unsigned whole_of(double part) { return part * 3; }  // bad: type
  double part_q;                                              // bad: type
  sc_uint<4>* at_q;                                           // bad: type
  sc_uint<4> count_q;

  HEDDLE_CLOCKED(step) {
    sc_dt::sc_bit bit;                // bad: type
    sc_dt::sc_logic part;             // bad: type
    const sc_uint<4>* at = &count_q;  // bad: type
    sc_core::sc_time now;             // bad: type
    const Class made;                 // bad: type
    sc_uint<4> count = count_q;
    const Narrow narrow = 1;
    const Turn turn = Turn::Left;
    const Pair pair;
    const std::uint16_t number = 1;
    count_q = count + narrow + number + pair.a + unsigned(turn);
    bit = part.is_01() || *at == 3 || made.is_set() || now.value() != 0;  // bad: call
    count_q = bit ? 0 : whole_of(third_of(count_q));
  }
};

}  // namespace heddle::type
