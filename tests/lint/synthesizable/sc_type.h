// SPDX-License-Identifier: Apache-2.0
// Neither sc_lv nor sc_inout.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::sc_type {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_inout<sc_uint<4>> word_io{"word_io"};  // bad: sc-type, type
  sc_out<sc_uint<4>> word_o{"word_o"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_dt::sc_lv<4> lines_q;  // bad: sc-type, type
  sc_uint<4> kept_q;

  HEDDLE_CLOCKED(step) { kept_q = word_io.read(); }
};

}  // namespace heddle::sc_type
