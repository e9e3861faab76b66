// SPDX-License-Identifier: Apache-2.0
// What the examples of tests/lint/synthesizable share. An example shows one rule of tools/synthesizable: its bad
// spellings, each in a line marked `// bad: RULE`, and good ones. lint/synthesizable_rules reads and compiles them.
#pragma once

#include <array>

#include "rtl/base/clocked.h"
#include "rtl/base/links.h"
#include "rtl/base/record.h"

namespace heddle {

using sc_core::sc_in;
using sc_core::sc_out;
using sc_dt::sc_uint;

struct Pair {
  sc_uint<4> a;
  sc_uint<4> b;
  HEDDLE_RECORD(Pair, a, b)
};

}  // namespace heddle
