// SPDX-License-Identifier: Apache-2.0
// Stands between an L1 and the memory below it, or between any other initiator of line requests and its target, and
// writes what passes to a file (tlm/traffic_file.h). It changes nothing and takes no time.
//
// Written: BEGIN_REQ and answers with their cycle, and where debug transport writes. Blocking transport passes unseen.
#pragma once

#include <systemc>
#include <tlm>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/line_sockets.h"
#include "tlm/memory_below.h"
#include "tlm/traffic_file.h"

namespace heddle {

class traffic_recorder : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  line_target_socket socket;
  line_initiator_socket memory_socket;

  // `sm`: what the file calls this initiator. The writer may be shared, and must outlive the simulation.
  traffic_recorder(const sc_core::sc_module_name& name, unsigned sm, const sc_core::sc_time& period,
                   TrafficWriter& writer);

 private:
  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;

  TrafficEvent event_now(TrafficEvent::Kind kind) const;
  void request(tlm::tlm_generic_payload& payload);
  void answer(const tlm::tlm_generic_payload& payload);

  const unsigned sm_;
  const Cycles cycles_;
  TrafficWriter& writer_;
  std::uint64_t requests_ = 0;
  std::unordered_map<const tlm::tlm_generic_payload*, std::uint64_t> under_way_;  // which request it is
};

// Any memory below, with a recorder before each of its sockets.
class recorded_memory : public MemoryBelow {
 public:
  // Throws std::runtime_error if the file cannot be written, here or at the end of a kernel.
  recorded_memory(const std::string& file, unsigned sms, unsigned line_bytes, const sc_core::sc_time& period,
                  std::unique_ptr<MemoryBelow> memory);

  void bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) override;
  bool idle() const override { return memory_->idle(); }
  void settle() override;
  BelowCounters counters() const override { return memory_->counters(); }

 private:
  TrafficWriter writer_;
  std::unique_ptr<MemoryBelow> memory_;
  std::vector<std::unique_ptr<traffic_recorder>> recorders_;
};

}  // namespace heddle
