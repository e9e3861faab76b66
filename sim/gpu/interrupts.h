// SPDX-License-Identifier: Apache-2.0
// Ctrl-C while kernels run: it is noted, and runs end at their next look with what they have counted.
#pragma once

namespace heddle::gpu {

/// From now on SIGINT is noted, the first time; the second one ends the process.
void note_interrupts();
/// In a child: however often. Its parent passes SIGINT on, and a terminal sends it to both.
void note_every_interrupt();
bool is_interrupted();

}  // namespace heddle::gpu
