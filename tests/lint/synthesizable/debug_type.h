// SPDX-License-Identifier: Apache-2.0
// What a tool sees does not depend on how the program is built.
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::debug_type {

#ifdef NDEBUG  // bad: debug-type
using Step = unsigned;
#else
using Step = sc_uint<2>;
#endif
#if defined(NDEBUG) && !defined(__SC_TOOL__)  // bad: tool-macro
inline constexpr unsigned Steps = 1;
#endif

class example : public sc_core::sc_module {
 public:
  sc_in<bool> clk_i{"clk_i"};

  SC_CTOR(example) { HEDDLE_ON_EDGE(step, clk_i); }

 private:
  sc_uint<2> at_q;

  HEDDLE_CLOCKED(step) { at_q = at_q + Step{}; }
};

}  // namespace heddle::debug_type
