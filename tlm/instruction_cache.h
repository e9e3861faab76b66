// SPDX-License-Identifier: Apache-2.0
// The instruction cache of one SM, shared by its schedulers: which lines of code are here, and which are under way from
// the memory below. Set-associative, LRU. Code is not written, so no line is ever made invalid; and as our ISA has no
// encoding, the bytes of a line say nothing and are not kept.
//
//   look(line)   Hit: the line is here. Missed: it is under way, and listeners hear of it when it comes. Full: every
//                MSHR is taken by another line; ask again when any line has come.
//
// Time: none of its own. A hit is answered in the call, one a cycle and scheduler (ours: a port each). A request leaves
//   in the cycle of its look; a line may be used at the first edge after its arrival. A memory that completes in the
//   call (`--memory ideal`) makes a miss cost a hit.
// Errors: a line that the memory does not have is an SC_ERROR.
// Arrival: a line takes the place of the least recently used one of its set. With more lines under way than ways it may
//   be gone again before whoever waits for it has its turn: who was told of a line may use it once without a look
//   (ours, as from an MSHR's buffer), so that every miss serves somebody and nobody starves.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <functional>
#include <vector>

#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/ports.h"

namespace heddle {

struct InstructionCacheParameters {
  unsigned bytes = 8192;
  unsigned ways = 4;  // bytes / ways / line_bytes must be a power of two
  unsigned line_bytes = 128;
  unsigned mshrs = 4;  // lines under way
};

struct InstructionCacheCounters {
  std::uint64_t accesses = 0;  // looks, without those that found every MSHR taken
  std::uint64_t misses = 0;    // of them, those whose line was not here
  std::uint64_t fills = 0;     // lines asked of the memory: the other misses joined one
  std::uint64_t full = 0;      // looks that found every MSHR taken
};

class instruction_cache : public sc_core::sc_module, private LineInitiator {
 public:
  enum class Look { Hit, Missed, Full };
  using Listener = std::function<void(std::uint64_t line)>;

  line_initiator_socket memory_socket;

  instruction_cache(const sc_core::sc_module_name& name, const InstructionCacheParameters& parameters);

  Look look(std::uint64_t line);
  // Called when a line has come that was not here, half a period before an edge.
  void add_listener(Listener listener) { listeners_.push_back(std::move(listener)); }
  // The same for who wants a process of its own.
  const sc_core::sc_event& arrival_event() const { return arrival_event_; }
  std::uint64_t arrivals() const { return arrivals_; }

  // No line is under way.
  bool idle() const { return under_way_ == 0; }
  const InstructionCacheCounters& counters() const { return counters_; }
  const PayloadPool& pool() const { return pool_; }

 private:
  struct Line {
    std::uint64_t address = no_line;
    std::uint64_t used = 0;  // a stamp of use_clock_: the smallest in the set is the victim
  };
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  Line* set_of(std::uint64_t address);
  Line* find(std::uint64_t address);
  void drain_to_memory();
  void arrived(tlm::tlm_generic_payload& payload);

  const InstructionCacheParameters parameters_;
  const std::uint64_t set_mask_;
  InstructionCacheCounters counters_;
  PayloadPool pool_;
  std::vector<Line> lines_;           // set by set
  std::vector<std::uint64_t> mshrs_;  // the line that each awaits, or no_line
  unsigned under_way_ = 0;            // MSHRs taken
  std::uint64_t use_clock_ = 0, arrivals_ = 0;
  RequestPort to_memory_;
  std::vector<Listener> listeners_;
  sc_core::sc_event arrival_event_;
};

}  // namespace heddle
