// SPDX-License-Identifier: Apache-2.0
// Several initiators in front of one target: one request at a time, round robin among those that wait, no time of its
// own. Keeps the order of each initiator's requests. A response finds its way back by the route in the payload's
// extension, so responses may overtake each other.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

#include "tlm/line_request.h"

namespace heddle {

class memory_multiplexer : public sc_core::sc_module {
 public:
  using port_socket = tlm_utils::simple_target_socket_tagged<memory_multiplexer>;

  memory_multiplexer(const sc_core::sc_module_name& name, unsigned ports);  // 1 to 256

  port_socket& port(unsigned index) { return *ports_[index]; }
  tlm_utils::simple_initiator_socket<memory_multiplexer> memory_socket;

  // No request waits here: what is under way behind it is the memory's.
  bool idle() const;

 private:
  tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int port, tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum send(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase);
  void grant_waiting();

  std::vector<std::unique_ptr<port_socket>> ports_;
  std::vector<tlm::tlm_generic_payload*> waiting_;  // of each port: BEGIN_REQ not yet passed on
  unsigned next_ = 0;                               // first in the round
  tlm::tlm_generic_payload* open_ = nullptr;        // passed on, END_REQ not yet received
  unsigned open_port_ = 0;
};

}  // namespace heddle
