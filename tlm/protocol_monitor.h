// SPDX-License-Identifier: Apache-2.0
// Stands between an initiator of line requests and its target, and checks what they say to each other: the four phases
// of the base protocol as this memory uses them (tlm/line_request.h). It changes nothing and takes no time.
//
// Delays and phases that the base protocol does not know pass. What is broken is an SC_ERROR of type heddle/protocol_monitor/RULE, with the socket and the address:
//   phase             only BEGIN_REQ and END_RESP forwards, END_REQ and BEGIN_RESP backwards; a call that returns
//                     TLM_UPDATED says the next one
//   request_open      a request begins only when END_REQ of the last one, or a response that implies it, is here
//   under_way         a payload that is not answered is not sent again
//   end_req           ends the open request, once
//   response          answers a request that is under way, once
//   response_open     a response begins only when END_RESP of the last one is here
//   end_resp          ends the open response
//   data              a line of 32 to 256 bytes that the data pointer and streaming width are for
//   alignment         to its length
//   byte_enables      0x00 or 0xff each, and at least one if there is a pointer to them
//   atomic            it has an operation's lanes, all within the line
//   status            incomplete until the response, which is TLM_OK_RESPONSE
//   acquired          somebody holds the payload, from BEGIN_REQ to the response
//   unanswered        check_drained() finds a request or response open
// Of blocking transport the status of the answer alone; nothing of debug transport.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "tlm/line_sockets.h"

namespace heddle {

class protocol_monitor : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<protocol_monitor> socket;
  tlm_utils::simple_initiator_socket<protocol_monitor> memory_socket;

  explicit protocol_monitor(const sc_core::sc_module_name& name);

  // When both sides say that nothing is under way.
  void check_drained() const;
  std::uint64_t requests() const { return requests_; }  // that passed

 private:
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);

  void begin_request(const Payload& payload);
  void end_request(const Payload& payload);
  void answer(const Payload& payload);
  void begin_response(const Payload& payload);
  void end_response(const Payload& payload);
  void check_request(const Payload& payload) const;
  void check_byte_enables(const Payload& payload) const;
  void check_atomic(const Payload& payload) const;
  void expect(bool holds, const char* rule, const char* words, const Payload* payload) const;

  std::uint64_t requests_ = 0;
  std::unordered_set<const Payload*> under_way_;  // not answered
  const Payload* open_request_ = nullptr;         // END_REQ is to come
  const Payload* open_response_ = nullptr;        // END_RESP is to come
};

// Whether memories put monitors on their sockets: in builds with HEDDLE_MONITOR (debug), unless somebody says otherwise
// before he makes them.
bool& sockets_are_monitored();

// The monitors of one module's sockets.
class SocketMonitors {
 public:
  // What an initiator of this target binds to.
  tlm::tlm_target_socket<>& before(const std::string& name, tlm::tlm_target_socket<>& target);
  // What binds to the target of this initiator.
  tlm::tlm_initiator_socket<>& behind(const std::string& name, tlm::tlm_initiator_socket<>& initiator);

  void check_drained() const;
  std::uint64_t requests() const;

 private:
  protocol_monitor& add(const std::string& name);
  std::vector<std::unique_ptr<protocol_monitor>> monitors_;  // none if sockets are not monitored
};

// An SC_ERROR of type heddle/payloads/leak if payloads of the pool are in use: for when nothing is under way.
void check_all_returned(const std::string& owner, const PayloadPool& pool);

}  // namespace heddle
