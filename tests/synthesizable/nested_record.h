// Records are flat.
#pragma once

#include "tests/synthesizable/example.h"

namespace heddle::nested_record {

struct Nested {
  sc_uint<1> valid;
  Pair pair;  // bad: nested-record
  HEDDLE_RECORD(Nested, valid, pair)
};

struct Flat {
  sc_uint<1> valid;
  sc_uint<4> a;
  sc_uint<4> b;
  HEDDLE_RECORD(Flat, valid, a, b)
};

}  // namespace heddle::nested_record
