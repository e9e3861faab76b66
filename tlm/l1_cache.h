// SPDX-License-Identifier: Apache-2.0
// The first-level data cache of one SM, non-blocking, between one initiator above and the memory below.
//
// Policy: LRU; write-through without write-allocate; a store updates a line that is present, or with `store_evicts`
//   invalidates it, but not one that is being filled; an atomic invalidates it and is performed by the memory. Lines hold
//   real bytes: what a load returns is what this cache held.
//   A line's way is chosen when it has come, or with `allocate_on_miss` when it is asked for: then no other line takes
//   that way before.
//   Lines that a LineKeeper keeps are not replaced, as if not among the ways; an atomic still invalidates them. It leaves
//   a way of each set free (the lock counters of rtl/affine/line_locks do); if not, the fill is not stored: an SC_ERROR
//   (with allocate_on_miss the load waits).
// Order (DESIGN sec. 5): requests to one line take effect in the order of their END_REQ. The memory below must keep the
//   order of the requests to one line; then this cache does by three rules:
//   R1 requests that go to memory leave in the order of acceptance;
//   R2 while a fill is outstanding, later loads *and stores* to its line join the fill's list, which is served from its
//      front when the line arrives: an earlier load sees the old bytes, a later one the merged bytes. The store goes to
//      memory too, behind the fill;
//   R3 an atomic closes the fill of its line: no later request joins, and the line is not kept. A later load starts a
//      fill of its own, behind the atomic.
//   So a line is either present, or has one open fill, or neither.
// Other SMs: this cache does not see what they store. `acquire` makes all that it has stale, as CCTL.IVALL does in what
//   compilers make of an acquire: every line becomes invalid, kept ones too, and every fill is closed, since its bytes
//   may have been read before what the acquire has seen was written. Requests that were accepted before keep their
//   answers; what is accepted from now on asks the memory.
// Back-pressure: END_REQ is held back while a request lacks an MSHR, room in its MSHR's list, room in the queue to
//   memory, or with allocate_on_miss a way of its set. No request is dropped. END_REQ of a store or atomic means: ordered.
// Time: one request and one response a cycle. A load that hits in cycle c responds at c + hit_latency. A load that
//   misses enters the queue to memory in cycle c and responds when its line is here, not before c + hit_latency. Stores
//   and atomics respond when the memory did; if it completes in the call (ideal memory), c + hit_latency. When several
//   responses are due, the one due longest goes first. What the memory sends at an instant is here before anything
//   else that this cache does at it.
// Debug transport reads and writes memory in no time; a write drops the lines that it touches, and no request to them
//   may be under way. Blocking transport goes past the cache, whose lines it drops; while one of them is being filled it
//   is answered TLM_GENERIC_ERROR_RESPONSE.
// Errors: what memory answers to a fill is the answer to its loads, and the line is not kept.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/line_keeper.h"
#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/ports.h"

namespace heddle {

struct L1Parameters {
  unsigned bytes = 16 * 1024;
  unsigned ways = 4;  // bytes / ways / line_bytes must be a power of two
  unsigned line_bytes = 128;
  unsigned hash_from = 0;  // the lowest bit hashed into the index of the set; 0: linear (rtl/base/set_index.h)
  bool allocate_on_miss = false, store_evicts = false;
  unsigned mshrs = 32;
  unsigned targets_per_mshr = 8;  // with the load that starts the fill
  unsigned memory_queue = 8;      // requests that wait for the memory's END_REQ
  unsigned hit_latency = 20;      // core cycles, at least 1
};

struct L1Counters {
  std::uint64_t accesses = 0;  // loads + stores + atomics
  std::uint64_t hits = 0;      // loads to a line that is present
  std::uint64_t misses = 0;    // loads that started a fill
  std::uint64_t merges = 0;    // loads and stores that joined a fill
  std::uint64_t writes = 0;
  std::uint64_t atomics = 0;
  std::uint64_t evictions = 0;
  std::uint64_t closed_fills = 0;  // R3, and acquires
  std::uint64_t acquires = 0;
  std::uint64_t acquire_invalidations = 0;  // lines that acquires dropped
  // Requests held back, by the first reason.
  std::uint64_t stalls_mshr = 0;
  std::uint64_t stalls_targets = 0;
  std::uint64_t stalls_queue = 0;
  std::uint64_t stalls_set = 0;  // every way is being filled, or kept

  std::uint64_t stalls() const { return stalls_mshr + stalls_targets + stalls_queue + stalls_set; }
};

class l1_cache : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  line_target_socket socket;
  line_initiator_socket memory_socket;

  SC_HAS_PROCESS(l1_cache);
  l1_cache(const sc_core::sc_module_name& name, const L1Parameters& parameters, const sc_core::sc_time& period);

  const L1Counters& counters() const { return counters_; }
  // Nothing waits here or for the memory.
  bool idle() const { return held_ == nullptr && unanswered_ == 0 && replies_.empty(); }
  // Is the line here, or will it be without another request?
  bool has_or_awaits(std::uint64_t line) const { return find(line) < lines_.size() || open_fill(line) != nullptr; }
  // Makes every line and every fill stale, at once.
  void acquire();
  // Makes every line invalid: between two kernels, as the memory may have been written behind this cache's back.
  void invalidate();
  // From now on `keeper` says which lines are not replaced. It outlives this cache, or what runs in it.
  void keep(const LineKeeper& keeper) { keeper_ = &keeper; }
  const PayloadPool& pool() const { return pool_; }

 private:
  struct Line {
    std::uint64_t address = no_line;
    std::uint64_t used = 0;  // a stamp of use_clock_: the smallest in the set is the victim
    bool reserved = false;   // for a fill that is under way; it has no address
  };
  struct Target {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint64_t ready = 0;  // not earlier than this cycle
  };
  struct Mshr {
    std::uint64_t address = no_line;
    bool open = false;                         // later requests to the line join
    unsigned way = 0;                          // its place, with allocate_on_miss
    tlm::tlm_generic_payload* fill = nullptr;  // null: free
    std::vector<Target> targets;
  };
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  // The sockets' callbacks.
  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  bool is_being_filled(const tlm::tlm_generic_payload& payload) const;
  void drop(const tlm::tlm_generic_payload& payload);
  void wake();

  // Acceptance. `reason` counts why not.
  bool try_accept(tlm::tlm_generic_payload& payload, std::uint64_t cycle, std::uint64_t*& reason);
  bool accept_load(tlm::tlm_generic_payload& payload, std::uint64_t cycle, std::uint64_t*& reason);
  bool accept_store(tlm::tlm_generic_payload& payload, std::uint64_t*& reason);
  bool accept_atomic(tlm::tlm_generic_payload& payload, std::uint64_t*& reason);
  void retry_held(std::uint64_t cycle);

  // Lines and fills.
  unsigned first_of_set(std::uint64_t address) const;
  unsigned find(std::uint64_t address) const;    // index of the line, or lines_.size()
  unsigned victim(std::uint64_t address) const;  // the same if every way is kept or reserved
  std::uint8_t* bytes_of(unsigned line) { return data_.data() + std::size_t{line} * parameters_.line_bytes; }
  const Mshr* open_fill(std::uint64_t address) const;
  Mshr* open_fill(std::uint64_t address) {
    return const_cast<Mshr*>(static_cast<const l1_cache&>(*this).open_fill(address));
  }
  Mshr* free_mshr();
  void filled(Mshr& mshr);
  void insert(unsigned line, std::uint64_t address, const std::uint8_t* bytes);

  // Towards memory.
  bool memory_queue_full() const { return to_memory_.size() >= parameters_.memory_queue; }
  void send_to_memory(tlm::tlm_generic_payload& payload);
  void drain_to_memory();
  void memory_completed(tlm::tlm_generic_payload& payload, std::uint64_t ready);

  // Towards the initiator.
  void respond(std::uint64_t cycle);
  void schedule(std::uint64_t cycle);

  const L1Parameters parameters_;
  const Cycles cycles_;
  const std::uint64_t sets_;
  L1Counters counters_;
  PayloadPool pool_;  // of the fills
  sc_core::sc_event wake_event_;
  bool waiting_for_memory_ = false;  // woken, and one delta cycle later on

  std::vector<Line> lines_;  // set by set
  std::vector<std::uint8_t> data_;
  std::vector<Mshr> mshrs_;
  unsigned mshrs_used_ = 0;
  std::uint64_t use_clock_ = 0;
  const LineKeeper* keeper_ = nullptr;  // null: no line is kept

  RequestPort to_memory_;
  std::uint64_t unanswered_ = 0;  // requests to memory, sent or not

  tlm::tlm_generic_payload* held_ = nullptr;  // BEGIN_REQ whose END_REQ is held back
  bool held_counted_ = false;                 // among the stalls
  std::uint64_t next_accept_ = 0;             // cycle

  ReplyPort replies_;
};

}  // namespace heddle
