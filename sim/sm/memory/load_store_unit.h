// SPDX-License-Identifier: Apache-2.0
// The load/store unit of one SM: warp accesses in, requests for lines and passes over shared memory out, values back.
// Beside them early requests, loads of a line for nobody yet (DAC sec. 4.2): what comes back is that the line is there.
//
// A plain object in the SM's clocked process (`accept`, `step`, `next_completed`) with a TLM socket towards the L1, and
// one towards the constant cache if there is one.
//
// Order: accesses are performed in the order of `accept`. All parts of one go before the first of the next.
//   Global (and local, which lies in device memory): one request for each distinct line, in the order of each
//   line's lowest lane. An access is ordered when the L1 has accepted its last request. Shared: one pass for each
//   distinct word in the bank that has most of them (lanes that read or store one word share a
//   pass). Atomics do not share (ours): each lane takes a pass in its bank. The bytes change, and the access is
//   ordered, in the last pass. Constants: one request for each distinct address, in the order of each one's lowest
//   lane. Lanes that store to one address: the highest lane wins. Atomics of one access: in the order of lanes.
// Time: `step` sends at most one request or performs one pass; a request that the L1 holds back occupies the unit until
//   the cycle of END_REQ, included. An access accepted before `step` of cycle c starts in c. A load whose one line hits
//   in the L1 is ready for `next_completed` in c + hit_latency, a shared one in c + passes - 1 + shared_latency. Stores
//   are completed when they are ordered.
//   An early request waits alone, and takes turns with the accesses, request by request and pass by pass: one may go
//   between two parts of an access, whose own order is kept.
// Limits: `queue_depth` accesses that are not yet ordered, `slots` accesses that `next_completed` has not yet returned.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/isa/instruction.h"
#include "sim/sm/links/threads.h"
#include "sim/sm/memory/request_order.h"
#include "sim/sm/memory/shared_memory_timing.h"
#include "tlm/atomic.h"
#include "tlm/cycles.h"
#include "tlm/line_request.h"
#include "tlm/ring.h"

namespace heddle {

struct LoadStoreParameters {
  unsigned warps = 48;
  unsigned line_bytes = 128;
  unsigned queue_depth = 8;
  unsigned slots = 64;           // at least queue_depth
  unsigned shared_latency = 20;  // cycles from the last pass, at least 1
  SharedBanks banks;
  bool has_constants = false;                               // a constant cache is bound
  unsigned l1_hit_latency = 28, constant_hit_latency = 24;  // of the caches behind the sockets
};

// One memory instruction of a warp. Every lane's address is aligned to `bytes`, and lies inside what the SM has
// checked.
struct WarpAccess {
  enum class Kind : std::uint8_t { Load, Store, Atomic };
  enum class Space : std::uint8_t { Global, Shared, Constant };  // Constant: loads alone, if the unit has them

  unsigned token = 0;  // the SM's own, returned in Completed
  Threads threads;     // that the lanes carry: order and stores are counted by their rows
  unsigned k = 0;      // the path, returned in Completed
  Kind kind = Kind::Load;
  Space space = Space::Global;
  std::uint8_t bytes = 4;    // of a lane: 1, 2, 4 or 8
  bool sign_extend = false;  // the loaded or old value; for atomics also how Min and Max compare
  AtomicOp atomic = AtomicOp::None;
  bool has_result = false;
  std::uint8_t* shared = nullptr;  // Space::Shared: the CTA's shared memory, to which addresses are offsets
  std::uint32_t lanes = 0;         // at least one
  std::array<std::uint64_t, max_lanes> address;  // of the lanes in `lanes`; the others may be anything
  std::array<std::uint64_t, max_lanes> data;     // stores and atomics
  std::array<std::uint64_t, max_lanes> compare;  // CompareExchange
};

struct Completed {
  unsigned token = 0;
  unsigned k = 0;
  bool has_result = false;
  std::uint32_t lanes = 0;
  unsigned line_requests = 0, shared_passes = 0;  // that the access took
  std::array<std::uint64_t, max_lanes> value;     // if has_result, of `lanes`: zero- or sign-extended to 64 bits
};

struct LoadStoreCounters {
  std::uint64_t global_loads = 0;  // warp instructions
  std::uint64_t global_stores = 0;
  std::uint64_t global_atomics = 0;
  std::uint64_t constant_loads = 0;
  std::uint64_t constant_passes = 0;  // requests to the constant cache
  std::uint64_t line_requests = 0;    // to the L1, of accesses
  std::uint64_t early_requests = 0;   // to the L1
  std::uint64_t shared_accesses = 0;
  std::uint64_t shared_loads = 0;
  std::uint64_t shared_passes = 0;
  std::uint64_t shared_conflicts = 0;  // passes beyond the first of each access
  std::uint64_t held_cycles = 0;       // between a request and a late END_REQ
};

class load_store_unit : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<load_store_unit> socket;
  tlm_utils::simple_initiator_socket_optional<load_store_unit> constant_socket;  // bound if has_constants

  load_store_unit(const sc_core::sc_module_name& name, const LoadStoreParameters& parameters,
                  const sc_core::sc_time& period);

  bool has_constants() const { return parameters_.has_constants; }
  /// Whether a load by this instruction goes to the constant cache.
  bool reads_constants(const isa::Instruction& instruction) const {
    return has_constants() && instruction.is_constant && !instruction.is_coherent;
  }
  // Cycles of an access that needs one pass of shared memory, or whose lines the first cache has.
  unsigned hit_latency(WarpAccess::Space space) const {
    if (space == WarpAccess::Space::Shared) return parameters_.shared_latency;
    return space == WarpAccess::Space::Constant ? parameters_.constant_hit_latency : parameters_.l1_hit_latency;
  }
  // Accesses that may be handed over before the next step.
  unsigned room() const {
    return static_cast<unsigned>(std::min<std::size_t>(parameters_.queue_depth - queue_.size(), free_.size()));
  }
  // Room that nobody has asked for. An access that will come keeps its place from issue on.
  unsigned unreserved_room() const { return room() - reserved_; }
  void reserve(unsigned accesses) { reserved_ += accesses; }
  void unreserve(unsigned accesses) { reserved_ -= accesses; }
  bool can_accept() const { return queue_.size() < parameters_.queue_depth && !free_.empty(); }
  void accept(const WarpAccess& access);
  // The same without a copy: fill the record (its old content is void) and commit it, before any other call.
  WarpAccess& open_access();
  void commit_access();

  void step();
  bool next_completed(Completed& out);
  // From now on loads that the first cache does not have are noted: the token of one, once for each request.
  void note_misses() { notes_misses_ = true; }
  bool next_missed(unsigned& token);
  // From now on loads are noted whose requests are all sent, of which those that the first cache had are answered and
  // others are not: once, with the lanes that are answered. After next_completed.
  void note_parts() { notes_parts_ = true; }
  bool next_part(Completed& out);

  // Early requests: while none waits the next one may come, before a step. Its token is returned once, when the line
  // has been read.
  bool early_ready() const { return !early_waits_; }
  void request_early(std::uint64_t line_address, unsigned token);
  bool next_early(unsigned& token);

  // Requests of accesses to global and local memory, in their order.
  RequestOrder& order() { return order_; }
  const RequestOrder& order() const { return order_; }
  // What makes the lines of the first cache stale; without it an acquire does nothing.
  void on_acquire(std::function<void()> drop_lines) { drop_lines_ = std::move(drop_lines); }
  // Requests that are sent from now on get no bytes that the first cache has or awaits.
  void acquire() {
    if (drop_lines_) drop_lines_();
  }

  // Zeros in memory, in no time. No access to these bytes may be under way.
  void clear(std::uint64_t address, std::size_t bytes);

  // Would `step` and `next_completed` change nothing, until `reply_event`?
  bool idle() const;
  // A response or END_REQ has arrived, half a period before a clock edge.
  const sc_core::sc_event& reply_event() const { return reply_event_; }

  // Accesses with threads of this row that are not yet ordered: what bar.sync waits for.
  unsigned unordered(SmWarp row) const { return unordered_[row.index()]; }
  // Store requests of them that the memory has not yet acknowledged: a warp's slot is not reused before.
  unsigned outstanding_stores(SmWarp row) const { return stores_of_row_[row.index()]; }
  unsigned outstanding_stores() const { return stores_; }
  // Calls of the memory so far: an idle unit changes with one alone.
  std::uint64_t replies() const { return replies_; }
  // What others may see of it, as numbers.
  std::vector<std::uint64_t> shows() const;
  // Nothing accepted is unfinished, and no response is to come.
  bool drained() const {
    return free_.size() == slots_.size() && stores_ == 0 && !early_waits_ && early_unanswered_ == 0 && early_.empty();
  }

  const LoadStoreCounters& counters() const { return counters_; }
  const PayloadPool& pool() const { return pool_; }

 private:
  // An access from `accept` to `next_completed`. Results overwrite `access.data`: a lane's operand is spent by then.
  struct Slot {
    WarpAccess access;
    std::uint32_t unsent = 0;                      // lanes
    std::uint32_t awaited = 0;                     // lanes sent whose response is to come
    std::uint32_t missed = 0;                      // lanes whose request the first cache did not have
    bool was_parted = false;                       // noted: a part is answered
    unsigned passes_left = 0;                      // shared memory
    unsigned requests = 0, passes = 0;             // so far; in all
    std::array<std::uint64_t, max_lanes> numbers;  // of the requests, each by its lowest lane
  };
  struct StoreNote {
    Threads threads;  // that a store request under way has
    std::uint64_t number = 0;
  };
  struct SharedResult {
    unsigned slot = 0;
    std::uint64_t ready = 0;  // cycle
  };

  // A payload is an early request's if no lanes are noted in it.
  static bool is_early(const MemoryAccess& request) { return request.initiator_lanes == 0; }
  void step_early();
  void step_line(unsigned index);
  void step_shared(unsigned index);
  unsigned offset_in_line(std::uint64_t address) const {
    return static_cast<unsigned>(address & (parameters_.line_bytes - 1));
  }
  std::uint32_t lanes_of_line(const Slot& slot, std::uint64_t line) const;
  std::uint32_t lanes_of_address(const Slot& slot, std::uint64_t address) const;
  tlm::tlm_generic_payload* make_request(const Slot& slot, std::uint64_t line, std::uint32_t lanes);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void send(tlm::tlm_fw_transport_if<>& cache, tlm::tlm_generic_payload& payload);
  void request_accepted(tlm::tlm_generic_payload& payload);
  void responded(tlm::tlm_generic_payload& payload);
  void look_for_part(unsigned index);
  void collect(Slot& slot, tlm::tlm_generic_payload& payload, std::uint32_t lanes);
  void ordered();
  unsigned note_store(const Slot& slot, std::uint32_t lanes, std::uint64_t number);
  void acknowledge_store(const MemoryAccess& request);

  const LoadStoreParameters parameters_;
  const Cycles cycles_;
  LoadStoreCounters counters_;
  PayloadPool pool_;
  std::vector<std::uint8_t> zeros_;
  sc_core::sc_event reply_event_;

  std::vector<Slot> slots_;
  std::vector<unsigned> free_;
  Ring<unsigned> queue_;      // slots not yet ordered
  Ring<unsigned> completed_;  // slots
  Ring<SharedResult> shared_results_;
  tlm::tlm_generic_payload* sent_ = nullptr;  // BEGIN_REQ sent, END_REQ not yet received
  std::uint64_t sent_cycle_ = 0;
  bool port_cooling_ = false;  // END_REQ came late: its request fills the cycle
  std::vector<unsigned> unordered_;
  std::vector<unsigned> stores_of_row_;
  std::vector<StoreNote> store_notes_;
  std::vector<unsigned> free_notes_;
  RequestOrder order_;
  std::function<void()> drop_lines_;
  unsigned reserved_ = 0;
  bool notes_misses_ = false, notes_parts_ = false;
  std::vector<unsigned> missed_;  // tokens
  std::vector<unsigned> parts_;   // slots
  unsigned stores_ = 0;
  std::uint64_t replies_ = 0;
  bool early_waits_ = false;
  bool early_was_last_ = false;  // of what took a step: now an access goes first
  std::uint64_t early_line_ = 0;
  unsigned early_token_ = 0;
  unsigned early_unanswered_ = 0;  // sent
  Ring<unsigned> early_;           // tokens whose lines have come
};

}  // namespace heddle
