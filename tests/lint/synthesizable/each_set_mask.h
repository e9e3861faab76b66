// SPDX-License-Identifier: Apache-2.0
// The body of HEDDLE_EACH_SET leaves its mask alone.
#pragma once

#include "rtl/base/each_set.h"
#include "tests/lint/synthesizable/example.h"

namespace heddle::each_set_mask {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  static void clear(std::uint64_t& lanes) { lanes = 0; }
  sc_uint<8> lanes_q, rows_q[2];

  HEDDLE_CLOCKED(step) {
    std::uint64_t lanes = lanes_q, others = 0;
    HEDDLE_EACH_SET(l, 8, lanes) lanes &= lanes - 1;  // bad: each-set-mask
    HEDDLE_EACH_SET(l, 8, lanes & 3) lanes = 0;       // bad: each-set-mask
    HEDDLE_EACH_SET(l, 8, rows_q[1]) {
      others |= std::uint64_t(1) << l;
      rows_q[l % 2] = others;  // bad: each-set-mask
    }
    HEDDLE_EACH_SET(l, 8, lanes) {
      if (l == 3) clear(lanes);  // bad: each-set-mask
    }
    const std::uint64_t asks = lanes;
    HEDDLE_EACH_SET(l, 8, asks) {
      lanes &= ~(std::uint64_t(1) << l);
      others |= asks;
    }
    lanes_q = lanes | others;
  }
};

}  // namespace heddle::each_set_mask
