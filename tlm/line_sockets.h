// SPDX-License-Identifier: Apache-2.0
// The sockets of the memory's modules: outside the base protocol of IEEE 1666, which any initiator and target of
// TLM-2.0 speaks, inside requests that are legal, at the time that is annotated.
//
// A target socket
//   refuses what its module does not do, with the response of the standard, before the module sees it (`refusal`);
//   adds the extension MemoryAccess to a payload that lacks it;
//   takes a phase that is annotated with a delay when that has passed.
// An initiator socket takes what a target annotates with a delay when that has passed, and ends a response that came as
//   the return value of the request's call. So its module knows three answers to a request: END_REQ, an answer that
//   completes it, and silence, after which END_REQ or BEGIN_RESP comes later.
// Phases that the base protocol does not know are ignored. No socket grants a direct memory interface.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <vector>

#include "tlm/line_request.h"

namespace heddle {

// The lengths of a line that a target takes without blocking; all from 32 to 256 bytes.
struct LineSizes {
  unsigned least = 32, most = max_line_bytes;
};

// TLM_OK_RESPONSE, or why a request of the blocking or the non-blocking interface is refused:
//   TLM_GENERIC_ERROR_RESPONSE       there is no data pointer; without blocking, there is no memory manager
//   TLM_BURST_ERROR_RESPONSE         it has no bytes, or streams; without blocking, it is no line of these sizes
//   TLM_ADDRESS_ERROR_RESPONSE       without blocking, the address is not a line's
//   TLM_BYTE_ENABLE_ERROR_RESPONSE   there are no enables at the pointer to them, or one is neither 0x00 nor 0xff
//   TLM_COMMAND_ERROR_RESPONSE       TLM_IGNORE_COMMAND without an atomic whose lanes lie in the data
// The memory itself answers an address that it does not have with TLM_ADDRESS_ERROR_RESPONSE.
tlm::tlm_response_status refusal_of_block(const tlm::tlm_generic_payload& payload);
tlm::tlm_response_status refusal_of_line(const tlm::tlm_generic_payload& payload, const LineSizes& sizes);

// No phase of the base protocol.
bool is_ignorable(const tlm::tlm_phase& phase);

// What a module does with what comes through its target sockets. `port` is its number for the socket.
class LineTarget {
 public:
  // BEGIN_REQ or END_RESP, as nb_transport_fw without delay.
  virtual tlm::tlm_sync_enum nb_transport_fw(unsigned port, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase) = 0;
  virtual void b_transport(unsigned port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  virtual unsigned transport_dbg(unsigned port, tlm::tlm_generic_payload& payload) = 0;

 protected:
  ~LineTarget() = default;
};

class line_target_socket : public tlm::tlm_target_socket<>, private tlm::tlm_fw_transport_if<> {
 public:
  line_target_socket(const char* name, LineTarget& target, const LineSizes& sizes = {}, unsigned port = 0);

  // END_REQ, or BEGIN_RESP: then TLM_ACCEPTED, or TLM_COMPLETED when the initiator has ended the response.
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) override;
  void begin(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
  void begin_request(tlm::tlm_generic_payload& payload);

  LineTarget& target_;
  const LineSizes sizes_;
  const unsigned port_;
  tlm_utils::peq_with_cb_and_phase<line_target_socket> annotated_;
  std::vector<const tlm::tlm_generic_payload*> ended_;  // completed by the module; the initiator's END_RESP is to come
};

// What a module does with what comes back.
class LineInitiator {
 public:
  // END_REQ or BEGIN_RESP, as nb_transport_bw without delay.
  virtual tlm::tlm_sync_enum nb_transport_bw(unsigned port, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase) = 0;

 protected:
  ~LineInitiator() = default;
};

class line_initiator_socket : public tlm::tlm_initiator_socket<>, private tlm::tlm_bw_transport_if<> {
 public:
  line_initiator_socket(const char* name, LineInitiator& initiator, unsigned port = 0);

  // BEGIN_REQ: TLM_UPDATED for END_REQ, TLM_COMPLETED for the answer, TLM_ACCEPTED. Or END_RESP.
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
  void answer(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);

  LineInitiator& initiator_;
  const unsigned port_;
  tlm_utils::peq_with_cb_and_phase<line_initiator_socket> annotated_;
  std::vector<const tlm::tlm_generic_payload*> completed_;  // by the target, whose time has not come or was not ended
};

}  // namespace heddle
