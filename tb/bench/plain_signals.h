// SPDX-License-Identifier: Apache-2.0
// Signals and ports of plain types, which every bench has: compiled once, in plain_signals.cpp, and not in each bench.
#pragma once

#include <systemc>

#define HEDDLE_PLAIN_SIGNALS(instantiated)                                                     \
  HEDDLE_SIGNAL(instantiated, bool)                                                            \
  instantiated class sc_core::sc_out<bool>; /* sc_in and sc_inout of bool are SystemC's own */ \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<1>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<2>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<3>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<4>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<5>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<8>)                                     \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<16>)                                    \
  HEDDLE_SIGNAL_AND_PORTS(instantiated, sc_dt::sc_uint<32>)

#define HEDDLE_SIGNAL(instantiated, type)                                   \
  instantiated class sc_core::sc_signal<type>;                              \
  instantiated class sc_core::sc_port_b<sc_core::sc_signal_in_if<type>>;    \
  instantiated class sc_core::sc_port_b<sc_core::sc_signal_inout_if<type>>; \
  instantiated class sc_core::sc_port<sc_core::sc_signal_in_if<type>, 1>;   \
  instantiated class sc_core::sc_port<sc_core::sc_signal_inout_if<type>, 1>;

#define HEDDLE_SIGNAL_AND_PORTS(instantiated, type) \
  HEDDLE_SIGNAL(instantiated, type)                 \
  instantiated class sc_core::sc_in<type>;          \
  instantiated class sc_core::sc_inout<type>;       \
  instantiated class sc_core::sc_out<type>;

HEDDLE_PLAIN_SIGNALS(extern template)
