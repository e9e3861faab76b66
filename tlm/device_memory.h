// SPDX-License-Identifier: Apache-2.0
// What every device memory does with a payload, once it is its turn: bytes in, bytes out, no time.
#pragma once

#include <systemc>
#include <tlm>

#include "tlm/backing_store.h"
#include "tlm/dram_counters.h"

namespace heddle {

// Reads or writes the store, or performs the lanes' atomics in it, and counts the request (not its bytes).
// An address that the store does not have is answered TLM_ADDRESS_ERROR_RESPONSE and not counted.
void serve(tlm::tlm_generic_payload& payload, BackingStore& store, DramCounters& counters);

// Any number of bytes at once, uncounted. The number of bytes; 0 if the store does not have them all.
unsigned serve_debug(tlm::tlm_generic_payload& payload, BackingStore& store);

}  // namespace heddle
