// The clock of one SM, with a gate: an SM that waits for a reply has no edges and costs nothing.
//
// Edges fall on multiples of the period, also after the gate was closed. Simulator code, not a block.
#pragma once

#include <systemc>

namespace heddle {

/// One core cycle. Two waveform units, so that what memory sends half a cycle before an edge has a time of its own; the
/// benches of the blocks do the same.
inline sc_core::sc_time core_cycles(double n) {
  return {2 * n, sc_core::SC_NS};
}

class clock_gate : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> clk{"clk"};

  clock_gate(const sc_core::sc_module_name& name, const sc_core::sc_time& period);

  /// Takes effect after the current cycle; a closed gate is opened by open() alone.
  void close() { closing_ = true; }
  /// From any process: the next edge is on the next multiple of the period.
  void open();

 private:
  void toggle();
  sc_core::sc_time to_next_edge() const;

  sc_core::sc_time period_, half_;
  sc_core::sc_event opened_;
  bool closing_ = false, closed_ = false;
};

}  // namespace heddle
