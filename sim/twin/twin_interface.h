// SPDX-License-Identifier: Apache-2.0
// What the library of a Verilated twin has (scripts/twin makes it): plain C, so that its Verilator and its compiler are
// its own and it knows nothing of SystemC. A model is created, its input ports are written, it is evaluated, its output
// ports are read.
#pragma once

extern "C" {

/// A port of the twin's top module.
struct heddle_twin_port {
  const char* name;
  void* bits;  ///< of this model; low byte first, in 1, 2, 4 or 8 bytes or, wider, in words of 4
  unsigned width;
  int is_output;
};

struct heddle_twin {
  const heddle_twin_port* ports;
  unsigned port_count;
};

/// A model whose uninitialised state is random from this seed, or 0 of seed 0. It owns its ports.
using heddle_twin_create_t = heddle_twin*(unsigned seed);
/// Lets the model settle after its inputs changed, clock edges included. What an assertion of the twin says, after its
/// label: "overflow: FILE:LINE: ..."; null: none failed. It is the model's, until the next call.
using heddle_twin_evaluate_t = const char*(heddle_twin*);
using heddle_twin_destroy_t = void(heddle_twin*);
}
