// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/interrupts.h"

#include <csignal>

namespace heddle::gpu {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int flags) {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = flags;
  ::sigaction(SIGINT, &action, nullptr);
}

}  // namespace

void note_interrupts() {
  note(SA_RESETHAND);
}

void note_every_interrupt() {
  note(SA_RESTART);
}

bool is_interrupted() {
  return interrupted != 0;
}

}  // namespace heddle::gpu
