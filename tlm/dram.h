// SPDX-License-Identifier: Apache-2.0
// Device memory behind one socket: a fixed latency, a fixed bandwidth, requests served in the order of their arrival.
//
// Time: a request that arrives in cycle c starts at c, or when the data bus is free: each moves a whole line, so n
//   requests that arrive together start at c + n * line / bytes_per_cycle (rounded down). It reads or writes the
//   backing store and responds `latency` cycles after its start. In between only what has started touches the bus, so
//   order at the store is order of arrival.
// Back-pressure: END_REQ is held back while `queue_depth` requests wait for their start.
// Ideal: everything completes in the call (DESIGN `--memory ideal`: a miss then costs the L1's hit latency).
// Blocking transport takes the latency, or no time if ideal. Debug transport reads and writes any number of bytes at once, in no time, uncounted.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>

#include "tlm/backing_store.h"
#include "tlm/cycles.h"
#include "tlm/dram_counters.h"
#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/ring.h"

namespace heddle {

struct DramParameters {
  unsigned latency = 200;          // core cycles, at least 1
  unsigned bytes_per_cycle = 128;  // of a core cycle
  unsigned queue_depth = 32;       // at least 1
  bool ideal = false;
};

class dram : public sc_core::sc_module, private LineTarget {
 public:
  line_target_socket socket;

  SC_HAS_PROCESS(dram);
  dram(const sc_core::sc_module_name& name, const DramParameters& parameters, const sc_core::sc_time& period,
       BackingStore& store);

  const DramCounters& counters() const { return counters_; }
  bool idle() const { return in_flight_.empty() && held_ == nullptr; }

 private:
  struct InFlight {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint64_t start = 0;  // cycle
  };

  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  void wake();
  bool try_accept(tlm::tlm_generic_payload& payload);
  void respond(std::uint64_t cycle);
  void perform(tlm::tlm_generic_payload& payload);
  void schedule();

  const DramParameters parameters_;
  const sc_core::sc_time period_;
  const Cycles cycles_;
  BackingStore& store_;
  DramCounters counters_;
  sc_core::sc_event wake_event_;

  Ring<InFlight> in_flight_;
  std::size_t started_ = 0;                   // of in_flight_, from its front
  std::uint64_t bus_free_ = 0;                // in bytes since cycle 0: the bus moves bytes_per_cycle of them a cycle
  tlm::tlm_generic_payload* held_ = nullptr;  // BEGIN_REQ whose END_REQ is held back
  bool response_open_ = false;                // BEGIN_RESP sent, END_RESP not yet received
};

}  // namespace heddle
