// SPDX-License-Identifier: Apache-2.0
// A waveform of what has already happened, at next to no cost before one asks for it.
//
// Every so many cycles the process forks a copy of itself that sleeps, the last two are kept. When a waveform of the last
// cycles is wanted, the newer one that is early enough is woken and simulates them again, with the waveform on: a simulation
// is the same each time. So nothing is written down in advance, and there is whatever --trace can show of a block.
#pragma once

#include <cstdint>
#include <deque>
#include <sys/types.h>

#include "rtl/base/trace_window.h"

namespace heddle::gpu {

class RunCopies {
 public:
  /// \param are_wanted  else there are none, and nothing happens
  /// \param recorder    shows nothing else
  RunCopies(bool are_wanted, trace_recorder& recorder) : are_wanted_(are_wanted), recorder_(recorder) {}
  /// Waits for the one that was woken.
  ~RunCopies();
  RunCopies(const RunCopies&) = delete;
  RunCopies& operator=(const RunCopies&) = delete;

  /// Called between two stretches of the simulation: here a copy is made, now and then, and here a copy wakes.
  void keep();

  /// One of them shows this window, which may have begun; then it ends, or where its run fails. Only once.
  void wake(const TraceWindow& window);

  /// Here is the one that was woken.
  bool is_copy() const { return is_copy_; }
  /// ... which has nothing more to show.
  [[noreturn]] void end_copy();

 private:
  struct Copy {
    pid_t process;
    int pipe;             // to wake it
    std::uint64_t cycle;  // in which it was made
  };
  void sleep(int pipe);
  static void end(const Copy& copy);

  const bool are_wanted_;
  trace_recorder& recorder_;
  std::deque<Copy> copies_;
  bool is_copy_ = false;
};

}  // namespace heddle::gpu
