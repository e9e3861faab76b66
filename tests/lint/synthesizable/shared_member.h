// SPDX-License-Identifier: Apache-2.0
// What two processes use is an sc_signal, a Link or Links.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::shared_member {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_out<sc_uint<2>> out_o{"out_o"};
  SC_CTOR(example) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(show);
    sensitive << shared_q << lanes_q[0];
  }

 private:
  void show() {
    out_o.write(row_q[0] + shared_q.read() + lanes_q[0].read());  // bad: shared-member
  }
  sc_uint<2> row_q[4];
  sc_uint<2> own_q;
  sc_core::sc_signal<sc_uint<2>> shared_q{"shared_q"};
  Links<sc_uint<2>> lanes_q{"lanes_q", 2};

  HEDDLE_CLOCKED(step) {
    for (unsigned i = 0; i < 4; ++i) row_q[i] = i;
    own_q = own_q + 1;
    shared_q.write(own_q);
    lanes_q[0].write(own_q);
  }
};

}  // namespace heddle::shared_member
