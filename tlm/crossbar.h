// SPDX-License-Identifier: Apache-2.0
// The crossbar between the L1s of the SMs and the partitions of the memory below: two input-queued switches
// (tlm/input_queued_switch.h), requests one way and replies the other, that share nothing.
//
// Where to: address / interleave_bytes % partitions. A request that does not lie in one interleave block is answered
//   TLM_BURST_ERROR_RESPONSE.
// What a packet weighs (ours): 8 bytes of header, and
//     request   read: none   write: 32 a written sector                 atomic: 8 a lane, 16 with CompareExchange
//     reply     read: line   write: none                                atomic: 8 a lane
//   in flits of bytes_per_cycle, the last one whole.
// Time: a request whose END_REQ is in cycle c may be matched from c + 1; matched in m, its BEGIN_REQ at the partition
//   comes in m + latency + flits - 1, the same for replies. So an unloaded crossing takes latency + flits cycles.
//   What the crossbar sends goes half a period before the edge (tlm/cycles.h); each port sends one BEGIN a cycle.
// Back-pressure: an SM has input_queue credits for each partition, and END_REQ is held back while it has none; a credit is
//   back `latency` cycles after its request was matched. END_RESP is held back while the queue from this partition to that
//   SM is full. An output is matched only while it has a credit; one comes back when the target has ended the request or
//   response. So whatever an SM is told of other SMs, it is told `latency` cycles later. A partition
//   that completes a request in the call, when its reply finds no room, gets the next one after that reply is in.
// Order: requests of an SM to a partition stay in order, and replies of a partition to an SM. Replies find their SM by
//   the route in the payload's extension, so a partition may answer in any order.
// Cost: wakes only in cycles in which a packet can be let in, matched or delivered.
// Debug transport is split at the blocks' boundaries; b_transport adds both unloaded crossings to the delay.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/input_queued_switch.h"
#include "tlm/line_sockets.h"

namespace heddle {

struct CrossbarParameters {
  unsigned sms = 1, partitions = 1;  // 1 to 256
  unsigned interleave_bytes = 256;   // address / interleave_bytes % partitions is the partition; power of two
  unsigned latency = 8;              // core cycles on the wires, each way, at least 1
  unsigned bytes_per_cycle = 32;     // of a port, each way: a flit
  unsigned input_queue = 8;          // packets an input port holds for each output
  unsigned credits = 8;              // packets an output may have under way to, or waiting at, its target
  unsigned iterations = 2;           // of the matching, a cycle
};

struct CrossbarCounters {
  SwitchCounters requests;
  SwitchCounters replies;
};

class crossbar : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  SC_HAS_PROCESS(crossbar);
  // Throws std::invalid_argument for a parameter out of its range. `period`: one core cycle.
  crossbar(const sc_core::sc_module_name& name, const CrossbarParameters& parameters, const sc_core::sc_time& period);

  line_target_socket& port(unsigned sm) { return *ports_[sm]; }
  line_initiator_socket& partition(unsigned index) { return *partitions_[index]; }

  unsigned partition_of(std::uint64_t address) const {
    return static_cast<unsigned>(address / parameters_.interleave_bytes % parameters_.partitions);
  }
  const CrossbarCounters& counters() const { return counters_; }
  // No packet is in it. What a partition works on is the partition's.
  bool idle() const { return requests_.idle() && replies_.idle(); }

 private:
  // The sockets' callbacks.
  tlm::tlm_sync_enum nb_transport_fw(unsigned sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned partition, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase) override;
  void b_transport(unsigned sm, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned sm, tlm::tlm_generic_payload& payload) override;
  void wake();

  bool is_in_one_block(const tlm::tlm_generic_payload& payload) const;
  bool offer_reply(unsigned partition, tlm::tlm_generic_payload& payload);
  void send_request(unsigned partition, tlm::tlm_generic_payload& payload);
  void send_reply(unsigned sm, tlm::tlm_generic_payload& payload);
  void reply_entered(unsigned partition, tlm::tlm_generic_payload& payload);
  void schedule();

  const CrossbarParameters parameters_;
  const sc_core::sc_time period_;
  const Cycles cycles_;
  CrossbarCounters counters_;
  InputQueuedSwitch requests_;  // SMs to partitions
  InputQueuedSwitch replies_;   // partitions to SMs
  std::vector<std::unique_ptr<line_target_socket>> ports_;
  std::vector<std::unique_ptr<line_initiator_socket>> partitions_;
  sc_core::sc_event wake_event_;
  std::uint64_t planned_ = InputQueuedSwitch::never;  // cycle of the pending wake; 0 within it
};

}  // namespace heddle
