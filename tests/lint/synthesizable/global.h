// SPDX-License-Identifier: Apache-2.0
// No variable outside; constants are fine.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::global {

constexpr unsigned Step = 2;
inline unsigned calls = 0;  // bad: global

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static unsigned made;  // bad: global
  static constexpr unsigned Most = 3;
  sc_uint<4> calls_q;

  HEDDLE_CLOCKED(step) { calls_q = calls_q + Step; }
};

}  // namespace heddle::global
