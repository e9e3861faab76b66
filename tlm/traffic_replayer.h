// SPDX-License-Identifier: Apache-2.0
// Plays what one SM of a recording sent (tlm/traffic_file.h) into any target, so that a memory can be studied alone.
//
// A request goes at its recorded instant, or as soon afterwards as these allow: END_REQ of the last one is here, and as
// many answers as had come when it was recorded. So a slower memory slows the traffic down as it would have the SM, and
// the memory that was recorded gets the same requests at the same instants. Writes by debug transport keep their place.
// Answers are taken in the call; one that is not TLM_OK_RESPONSE is an SC_ERROR. Data are zeros.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tlm/backing_store.h"
#include "tlm/cycles.h"
#include "tlm/latency_counts.h"
#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/traffic_file.h"

namespace heddle {

// What a recording says about itself: read before it is played.
struct TrafficSummary {
  unsigned sms = 0, line_bytes = 0;
  std::uint64_t reads = 0, writes = 0, atomics = 0, unanswered = 0;
  std::uint64_t last_cycle = 0;  // of an answer
  // Bytes that it touches from BackingStore::base, reserved_base and code_base on.
  std::uint64_t allocated = 0, reserved = 0, code = 0;
  LatencyCounts latencies;  // from BEGIN_REQ to the answer
};

// Reads all of it. Throws std::runtime_error as TrafficReader does.
TrafficSummary summary_of_traffic(const std::string& path);

// Room for all of its addresses.
void make_room(BackingStore& store, const TrafficSummary& traffic);

class traffic_replayer : public sc_core::sc_module, private LineInitiator {
 public:
  line_initiator_socket socket;

  SC_HAS_PROCESS(traffic_replayer);
  // Throws std::runtime_error as TrafficReader does, here or in the simulation.
  traffic_replayer(const sc_core::sc_module_name& name, const std::string& file, unsigned sm,
                   const sc_core::sc_time& period);

  bool done() const { return !more_ && !busy_ && sent_.empty(); }
  const LatencyCounts& latencies() const { return latencies_; }
  std::uint64_t last_cycle() const { return last_cycle_; }  // of an answer
  std::uint64_t late() const { return late_; }              // requests that could not go at their instant
  const PayloadPool& pool() const { return pool_; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void read_next();
  void play();
  void send();
  void write_debug();
  tlm::tlm_generic_payload* make_request();
  void answered(tlm::tlm_generic_payload& payload);

  const unsigned sm_;
  const sc_core::sc_time period_;
  const Cycles cycles_;
  TrafficReader reader_;
  PayloadPool pool_;
  sc_core::sc_event wake_event_;

  TrafficEvent next_;                                                  // request or write by debug transport
  bool more_ = true;                                                   // there is one
  std::uint64_t needed_ = 0, answers_ = 0;                             // before it; so far
  bool busy_ = false;                                                  // END_REQ is to come
  tlm::tlm_generic_payload* last_ = nullptr;                           // sent last
  std::unordered_map<tlm::tlm_generic_payload*, std::uint64_t> sent_;  // cycle of BEGIN_REQ
  std::vector<std::uint8_t> zeros_;
  LatencyCounts latencies_;
  std::uint64_t last_cycle_ = 0, late_ = 0;
};

}  // namespace heddle
