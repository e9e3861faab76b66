// SPDX-License-Identifier: Apache-2.0
// The one way in which a block's state changes: one function, run on each rising edge. And what reports.
//
// Inside a module: HEDDLE_CLOCKED(step) { ... }, and HEDDLE_ON_EDGE(step, clk_i); in its constructor. The body tests
// rst_ni itself (synchronous, active low). A synthesis tool sees a clocked thread without a reset around the same body;
// stock releases of the Intel Compiler for SystemC want clocked threads. Only here, in each_set.h, link.h and links.h
// stands __SC_TOOL__.
//
// by_process(): a combinational process is one of the kernel's. In simulation an owner of blocks may run their steps, and
// what is combinational in them, in a process of its own (block_steps.h).
//
// HEDDLE_REPORT(...): a statement that reports, or a whole function that only reports or words a report.
#pragma once

#include <systemc>

#ifndef __SC_TOOL__
#include "rtl/base/block_steps.h"
#endif

// Text for people is no hardware: a synthesis tool analyses even the arguments of a report that it drops.
#ifdef __SC_TOOL__
#define HEDDLE_REPORT(...)
#define HEDDLE_CLOCKED(step) \
  void step##_thread() {     \
    while (true) {           \
      step();                \
      wait();                \
    }                        \
  }                          \
  void step()
#define HEDDLE_ON_EDGE(step, clock) SC_CTHREAD(step##_thread, (clock).pos())
#else
#define HEDDLE_REPORT(...) __VA_ARGS__
#define HEDDLE_CLOCKED(step) void step()
#define HEDDLE_ON_EDGE(step, clock)                                       \
  if (heddle::BlockSteps* const owner = heddle::BlockSteps::collects()) { \
    owner->add_step([this] { step(); });                                  \
  } else {                                                                \
    SC_METHOD(step);                                                      \
    sensitive << (clock).pos();                                           \
    dont_initialize();                                                    \
  }
#endif

namespace heddle {

#ifdef __SC_TOOL__
constexpr bool by_process() {
  return true;
}
#else
inline bool by_process() {
  return !BlockSteps::in_order();
}
#endif

}  // namespace heddle
