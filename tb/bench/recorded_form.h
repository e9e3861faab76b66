// A form of a block as a library (scripts/twin): twin, netlist, or SystemVerilog of a user. It sees what a recording says
// and must show what it says.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rtl/base/port_recording.h"
#include "sim/twin/twin.h"

namespace heddle::bench {

class Checker;

class RecordedForm {
 public:
  /// \throws std::runtime_error if the library cannot be loaded or a port of the recording is not the form's
  RecordedForm(const std::string& library, const RecordedBlock& of);

  /// The cycle of this edge. An assertion of the form that fails is a difference.
  void cycle(const RecordingReader& edge, bool resets, Checker& check);

 private:
  void evaluate(Checker& check);

  struct Port {
    unsigned index;  // of the recording
    unsigned bytes;
    Twin::Port port;
    std::string label;
  };
  Twin twin_;
  Twin::Port clk_;
  std::vector<Port> inputs_, outputs_;
};

}  // namespace heddle::bench
