// SPDX-License-Identifier: Apache-2.0
// Lines that were asked for before anybody loads them, between one L1 and the memory below it: a cache of its own, so
// that a prefetch displaces no line of the L1 (MTA keeps its lines apart, too; the rest is ours).
//
// Policy: a load of a line that is here is answered from here, and the line moves to the L1: it leaves this buffer. A
//   load of a line whose prefetch is under way joins it; the line then moves, too. All else passes to the memory. LRU.
// Order: requests to one line take effect in the order of their END_REQ, if the memory below keeps the order of the
//   requests to one line. A store or an atomic drops the line, or makes a prefetch of it that is under way stale: nobody
//   joins it from then on, and its line is not kept. Loads that had joined it see the bytes before the store.
// Other SMs: an L1 keeps what it has until an atomic of its SM touches the line, and coherent loads are atomics to it.
//   So a warp that has seen by an atomic what another SM says may load lines that its SM has not loaded before, and they
//   are new. With `others_write` the answer of an atomic drops every line, and makes all prefetches under way stale:
//   they may have been read before what the atomic has seen was written. So does `acquire`, however many SMs there are.
// Prefetches: one a cycle, while no other request waits for the memory and fewer than `under_way` are. At most `queue`
//   wait; more are dropped. One whose line is here, on its way, or in the L1 is redundant.
// Back-pressure: a request waits for END_REQ of a prefetch that is being sent; then it goes first.
// Time: a load that hits in cycle c is answered at c + hit_latency, one a cycle; one that has joined when the line comes.
//   What passes takes no time. While the initiator has not ended an answer of either kind, the other kind waits.
// Debug transport reads and writes memory in no time, blocking transport goes past; both drop the lines that they write.
//   No prefetch of these may be under way; blocking transport is then answered TLM_GENERIC_ERROR_RESPONSE.
// Errors: what memory answers to a prefetch is the answer to the loads that have joined it; the line is not kept.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <functional>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/ports.h"

namespace heddle {

struct PrefetchBufferParameters {
  unsigned bytes = 16 * 1024;
  unsigned ways = 8;  // bytes / ways / line_bytes must be a power of two
  unsigned line_bytes = 128;
  unsigned under_way = 32;
  unsigned queue = 32;
  unsigned hit_latency = 4;   // core cycles, at least 1
  bool others_write = false;  // other SMs store to the same memory
};

struct PrefetchCounters {
  std::uint64_t requests = 0;         // of the L1
  std::uint64_t sent = 0;             // prefetches
  std::uint64_t hits = 0;             // loads of a line that was here
  std::uint64_t merges = 0;           // loads that joined a prefetch under way
  std::uint64_t early_evictions = 0;  // lines that made room before anybody loaded them
  std::uint64_t stale = 0;            // lines and prefetches that a store, an atomic or an acquire made void
  std::uint64_t redundant = 0;
  std::uint64_t dropped = 0;  // no room to wait

  std::uint64_t useful() const { return hits + merges; }
};

class prefetch_buffer : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  line_target_socket socket;
  line_initiator_socket memory_socket;

  SC_HAS_PROCESS(prefetch_buffer);
  prefetch_buffer(const sc_core::sc_module_name& name, const PrefetchBufferParameters& parameters,
                  const sc_core::sc_time& period);

  // From now on a line for which `is_above` holds is not prefetched.
  void spare(std::function<bool(std::uint64_t)> is_above) { is_above_ = std::move(is_above); }
  // Asks for a line, by its first byte.
  void prefetch(std::uint64_t line);

  const PrefetchCounters& counters() const { return counters_; }
  // Nothing waits here or for the memory.
  bool idle() const;
  // Drops every line, and makes all prefetches under way stale: the SM acquires, and its L1 does the same.
  void acquire() { make_all_stale(); }
  // Drops every line: between two kernels, as the L1s.
  void invalidate();
  const PayloadPool& pool() const { return pool_; }

 private:
  struct Line {
    std::uint64_t address = no_line;
    std::uint64_t used = 0;  // a stamp of use_clock_: the smallest in the set is the victim
  };
  struct Fetch {
    tlm::tlm_generic_payload* payload = nullptr;  // null: free
    bool stale = false;
    std::vector<tlm::tlm_generic_payload*> joined;
  };
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  // The sockets' callbacks.
  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  bool is_being_prefetched(const tlm::tlm_generic_payload& payload) const;
  void drop_written(const tlm::tlm_generic_payload& payload);
  void wake();

  // Requests of the L1.
  bool serve(tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum pass(tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum pass_back(tlm::tlm_generic_payload& payload);
  void end_response(tlm::tlm_generic_payload& payload);
  void grant_waiting();
  void passed_answer(const tlm::tlm_generic_payload& payload);

  // Lines and prefetches.
  unsigned set_of(std::uint64_t address) const;  // index of its first line
  unsigned find(std::uint64_t address) const;    // index of the line, or lines_.size()
  std::uint8_t* bytes_of(unsigned line) { return data_.data() + std::size_t{line} * parameters_.line_bytes; }
  Fetch* fetch_of(std::uint64_t address);                    // that is not stale
  Fetch* fetch_of(const tlm::tlm_generic_payload& payload);  // null: it is no prefetch
  bool is_redundant(std::uint64_t line);
  bool can_send() const;
  void send_prefetch(std::uint64_t cycle);
  void arrived(Fetch& fetch);
  void insert(std::uint64_t address, const std::uint8_t* bytes);
  void make_stale(std::uint64_t address);
  void make_all_stale();

  void respond(std::uint64_t cycle);
  void schedule(std::uint64_t cycle);

  const PrefetchBufferParameters parameters_;
  const Cycles cycles_;
  const std::uint64_t set_mask_;
  PrefetchCounters counters_;
  PayloadPool pool_;  // of the prefetches
  sc_core::sc_event wake_event_;
  unsigned deltas_ = 0;  // since the process woke
  std::function<bool(std::uint64_t)> is_above_;

  std::vector<Line> lines_;  // set by set
  std::vector<std::uint8_t> data_;
  std::uint64_t use_clock_ = 0;
  std::vector<Fetch> fetches_;
  unsigned under_way_ = 0;
  std::vector<std::uint64_t> queue_;  // lines to prefetch, the oldest first
  std::uint64_t next_send_ = 0;       // cycle

  tlm::tlm_generic_payload* open_ = nullptr;     // sent to the memory, END_REQ not yet received
  tlm::tlm_generic_payload* waiting_ = nullptr;  // BEGIN_REQ of the L1, not yet passed on
  unsigned unanswered_ = 0;                      // passed on

  // An answer that passes: BEGIN_RESP sent, END_RESP not yet received; held back while one of this buffer is open.
  tlm::tlm_generic_payload* passing_ = nullptr;
  tlm::tlm_generic_payload* held_answer_ = nullptr;
  bool passing_completed_ = false;  // the memory waits for no END_RESP
  ReplyPort replies_;
};

}  // namespace heddle
