// SPDX-License-Identifier: Apache-2.0
#include "tlm/device_memory.h"

#include <cstring>

#include "tlm/line_request.h"

namespace heddle {

void serve(tlm::tlm_generic_payload& payload, BackingStore& store, DramCounters& counters) {
  const std::uint64_t address = payload.get_address();
  if (payload.is_read()) {
    store.read(address, payload.get_data_ptr(), payload.get_data_length());
    ++counters.reads;
  } else if (payload.is_write()) {
    if (payload.get_byte_enable_ptr() == nullptr)
      store.write(address, payload.get_data_ptr(), payload.get_data_length());
    else
      merge_write(payload, store.at(address));
    ++counters.writes;
  } else {
    perform_atomic(memory_access(payload), store.at(address));
    ++counters.atomics;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned serve_debug(tlm::tlm_generic_payload& payload, BackingStore& store) {
  if (payload.is_write())
    store.write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  else
    store.read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}

}  // namespace heddle
