// SPDX-License-Identifier: Apache-2.0
// Records are flat. (HEDDLE_RECORD does not compile with a record in a record; a plain struct does.)
#pragma once

#include "tests/lint/synthesizable/example.h"

namespace heddle::nested_record {

struct Nested {
  sc_uint<1> valid;
  Pair pair;  // bad: nested-record
};

struct Flat {
  sc_uint<1> valid;
  sc_uint<4> a;
  sc_uint<4> b;
  HEDDLE_RECORD(Flat, valid, a, b)
};

}  // namespace heddle::nested_record
