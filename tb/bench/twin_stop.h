// SPDX-License-Identifier: Apache-2.0
// What happens when an assertion of a Verilated twin fails, instead of the end of the program.
#pragma once

namespace heddle::bench {

/// \param file, line  of the assertion
using TwinStop = void (*)(const char* file, int line);

/// Called at each assertion that fails from now on; without it, Verilator's own end of the program.
void on_twin_stop(TwinStop stop);

}  // namespace heddle::bench
