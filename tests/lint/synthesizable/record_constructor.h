// SPDX-License-Identifier: Apache-2.0
// A record has no constructor of its own.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::record_constructor {

struct Made {
  Made() { a = 1; }  // bad: record-constructor
  sc_uint<4> a;
  HEDDLE_RECORD(Made, a)
};

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};
  sc_in<Made> made_i{"made_i"};
  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  Made made_q;

  HEDDLE_CLOCKED(step) { made_q = made_i.read(); }
};

}  // namespace heddle::record_constructor
