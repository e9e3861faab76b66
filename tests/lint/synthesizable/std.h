// SPDX-License-Identifier: Apache-2.0
// No algorithms and containers; fixed-width integers are fine.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::std_ {

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<4> lanes_q, least_q;

  HEDDLE_CLOCKED(step) {
    const std::uint64_t lanes = lanes_q;
    least_q = std::min<std::uint64_t>(lanes, 3);  // bad: std
    std::array<unsigned, 2> pair{};               // bad: std, type
    lanes_q = pair[0];
    least_q = lanes < 3 ? lanes : 3;
  }
};

}  // namespace heddle::std_
