// SPDX-License-Identifier: Apache-2.0
// A field of a port that the process writes is read from a copy of the record.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::output_field {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<Pair> pair_i{"pair_i"};
  sc_out<Pair> pair_o{"pair_o"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_core::sc_vector<sc_core::sc_signal<Pair>> turns_q{"turns_q", 2};

  HEDDLE_CLOCKED(step) {
    const Pair was = pair_o.read();
    Pair next;
    next.a = pair_o.read().a + 1;  // bad: output-field
    next.b = turns_q[0].read().b;  // bad: output-field
    next.b = was.b + pair_i.read().b;
    pair_o.write(next);
    turns_q[1].write(next);
  }
};

}  // namespace heddle::output_field
