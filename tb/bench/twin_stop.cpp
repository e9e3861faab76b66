// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/twin_stop.h"

#include <verilated.h>

namespace heddle::bench {

namespace {
TwinStop called = nullptr;
}

void on_twin_stop(TwinStop stop) {
  called = stop;
}

}  // namespace heddle::bench

/// In place of Verilator's (VL_USER_STOP), which Verilated code calls after it has printed the assertion.
void vl_stop(const char* file, int line, const char* hierarchy) {
  if (heddle::bench::called != nullptr)
    heddle::bench::called(file, line);
  else
    vl_fatal(file, line, hierarchy, "Verilog $stop");
}
