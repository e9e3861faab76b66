// SPDX-License-Identifier: Apache-2.0
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
  /// \param form  NAME=LIBRARY
  /// \throws std::runtime_error if the library cannot be loaded or a port of the recording is not the form's
  RecordedForm(const std::string& form, const RecordedBlock& of);

  /// The cycle of this edge. An assertion of the form that fails is a difference; with the first one it ends.
  void cycle(const RecordingReader& edge, bool resets, Checker& check);

 private:
  void evaluate(Checker& check);

  struct Port {
    unsigned index;  // of the recording
    unsigned width, count;
    Twin::Port port;
    std::vector<std::string> names;  // of its elements
  };
  std::string name_;
  bool differs_ = false;
  Twin twin_;
  Twin::Port clk_;
  std::vector<Port> inputs_, outputs_;
};

}  // namespace heddle::bench
