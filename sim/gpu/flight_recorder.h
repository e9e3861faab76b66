// The last cycles before a run fails, as a waveform, at next to no cost while nothing fails.
//
// Every so many cycles the process forks a copy of itself that sleeps, the last two are kept. When the run fails, the newer
// one that is early enough is woken and runs on to the same failure, with the waveform on: a simulation is the same each
// time. So nothing is written down in advance, and whatever --trace can show of a block is in the waveform.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <sys/types.h>

#include "rtl/base/trace_window.h"

namespace heddle::gpu {

struct FlightParameters {
  std::string file;            ///< of the waveform, without .vcd; empty: there is no flight recorder
  std::uint64_t cycles = 500;  ///< before the failure
};

class FlightRecorder {
 public:
  /// \param recorder  of the waveform; it shows nothing else
  FlightRecorder(const FlightParameters& parameters, trace_recorder& recorder);
  ~FlightRecorder();
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  /// Called between two stretches of the simulation: here a copy is made, now and then, and here a copy wakes.
  void keep();

  /// The run has failed and nothing more will be simulated. Returns when the waveform is there; in the copy, never.
  /// \param what  the failure: of a block that it names as sm0.slice0.scoreboard there is its state too
  /// \param sm    of which the ports are in the waveform
  /// \param last  the cycle of its last edge
  void write(const std::string& what, unsigned sm, std::uint64_t last);

 private:
  struct Copy {
    pid_t process;
    int pipe;             // to wake it
    std::uint64_t cycle;  // in which it was made
  };
  void sleep(int pipe);
  void end(const Copy& copy);

  const FlightParameters parameters_;
  trace_recorder& recorder_;
  std::deque<Copy> copies_;
  bool is_copy_ = false;
};

}  // namespace heddle::gpu
