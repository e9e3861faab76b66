// SPDX-License-Identifier: Apache-2.0
#include "tlm/device_memory.h"

#include "tlm/line_request.h"

namespace heddle {

void serve(tlm::tlm_generic_payload& payload, BackingStore& store, DramCounters& counters) {
  const std::uint64_t address = payload.get_address();
  if (!store.holds(address, payload.get_data_length())) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.is_read()) {
    answer_read(payload, store.at(address));
    ++counters.reads;
  } else if (payload.is_write()) {
    merge_write(payload, store.at(address));
    ++counters.writes;
  } else {
    perform_atomic(memory_access(payload), store.at(address));
    ++counters.atomics;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned serve_debug(tlm::tlm_generic_payload& payload, BackingStore& store) {
  if (!store.holds(payload.get_address(), payload.get_data_length())) return 0;
  if (payload.is_write())
    store.write(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  else if (payload.is_read())
    store.read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
  else
    return 0;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return payload.get_data_length();
}

}  // namespace heddle
