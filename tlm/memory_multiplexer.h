// SPDX-License-Identifier: Apache-2.0
// Several initiators in front of one target: one request at a time, round robin among those that wait, no time of its
// own. Keeps the order of each initiator's requests. A response finds its way back by the route in the payload's
// extension, so responses may overtake each other.
#pragma once

#include <systemc>
#include <tlm>

#include <memory>
#include <vector>

#include "tlm/line_sockets.h"

namespace heddle {

class memory_multiplexer : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  memory_multiplexer(const sc_core::sc_module_name& name, unsigned ports);  // 1 to 256

  line_target_socket& port(unsigned index) { return *ports_[index]; }
  line_initiator_socket memory_socket;

  // No request waits here: what is under way behind it is the memory's.
  bool idle() const;

 private:
  tlm::tlm_sync_enum nb_transport_fw(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  tlm::tlm_sync_enum send(unsigned port, tlm::tlm_generic_payload& payload);
  void grant_waiting();

  std::vector<std::unique_ptr<line_target_socket>> ports_;
  std::vector<tlm::tlm_generic_payload*> waiting_;  // of each port: BEGIN_REQ not yet passed on
  unsigned next_ = 0;                               // first in the round
  tlm::tlm_generic_payload* open_ = nullptr;        // passed on, END_REQ not yet received
  unsigned open_port_ = 0;
  // Completed by the memory in the call, while they waited; the initiator's END_RESP is to come.
  std::vector<const tlm::tlm_generic_payload*> completed_;
};

}  // namespace heddle
