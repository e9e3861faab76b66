// SPDX-License-Identifier: Apache-2.0
// A switch over an enum class that lists every enumerator loses its default.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::enum_default {
enum class Turn : unsigned { Left = 0, Right = 1 };

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<2> turn_q;
  sc_uint<1> illegal_q;

  HEDDLE_CLOCKED(step) {
    const Turn turn = Turn(unsigned(turn_q));
    switch (turn) {
      case Turn::Left:
        turn_q = unsigned(Turn::Right);
        break;
      case Turn::Right:
        turn_q = unsigned(Turn::Left);
        break;
      default:  // bad: enum-default
        illegal_q = 1;
        break;
    }
    switch (unsigned(turn_q)) {
      case unsigned(Turn::Left):
        illegal_q = 0;
        break;
      default:
        illegal_q = 1;
        break;
    }
  }
};

}  // namespace heddle::enum_default
