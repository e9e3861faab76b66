// The clock of one SM, with a gate: no edge comes while all that hangs on the clock is idle. An SM that waits for a
// reply has no edges and costs nothing.
//
// As the latch of a clock gate in hardware it asks while the clock is low, when every signal of the cycle has settled:
// half a period after each edge, and again when `reconsider` says that something came from outside. What it asks must
// be exact, since a closed gate hides whatever is missed; nothing is counted and nothing is guessed.
//
// Edges fall on multiples of the period, also after the gate was closed. Simulator code, not a block.
#pragma once

#include <systemc>

#include <functional>

namespace heddle {

/// One core cycle. Two waveform units, so that what memory sends half a cycle before an edge has a time of its own; the
/// benches of the blocks do the same.
inline sc_core::sc_time core_cycles(double n) {
  return {2 * n, sc_core::SC_NS};
}

class clock_gate : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> clk{"clk"};

  /// \param may_stop  would the next edge change nothing? Asked only while the clock is low.
  clock_gate(const sc_core::sc_module_name& name, const sc_core::sc_time& period, std::function<bool()> may_stop);

  /// Something came from outside, while the clock is low: a closed gate asks again.
  void reconsider();

 private:
  void toggle();
  sc_core::sc_time to_next_edge() const;

  sc_core::sc_time period_, half_;
  std::function<bool()> may_stop_;
  sc_core::sc_event opened_;
  bool closed_ = false;
};

}  // namespace heddle
