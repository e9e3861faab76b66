// SPDX-License-Identifier: Apache-2.0
// One partition of the second-level cache, non-blocking, between the crossbar above and a channel of DRAM below. It
// performs the atomics of all SMs that lie in its part of memory.
//
// Policy: LRU; write-back and write-allocate without a fetch: bytes are valid and dirty one by one, so a line that is
//   only stored to is never read from DRAM, and what goes back are its dirty bytes. A load or an atomic needs all bytes
//   of its request; if one is missing, the whole line is fetched, and what the line holds already stays.
// Order: requests to one line take effect in the order of END_REQ.
//   R1 while a line is being fetched, all requests to it join the fetch's list, which is served from its front;
//   R2 what goes to memory leaves in order: a line that is written back and wanted again is read behind the write.
//   The memory below must keep the order of the requests to one line.
// Address: partitions take turns every line (`line_bytes`); sets follow from what is left, modulo their number, which
//   need not be a power of two.
// Back-pressure: END_REQ is held back while a request lacks an MSHR, room in its list, a way that is not being fetched,
//   or room in the queue to memory (two places if a dirty line must go first), and while an answer has been due for
//   `reply_slack` cycles.
// Time: what memory and initiator do at an instant is here before anything that this cache does at it, so their order
//   in it changes nothing. One request and one response a cycle. A request served at once in cycle c responds at c + hit_latency; a fetch
//   enters the queue to memory in c, and its list responds when the line is here, not before c + hit_latency.
// Debug transport reads and writes in no time: what this cache holds is newer than memory. A write is seen by what is
//   on its way to memory, too; `settle` makes memory equal to what the cache shows and changes nothing else. Blocking
//   transport goes past the cache: its lines are written back and dropped, and the time is the memory's; while one of
//   them is being fetched it is answered TLM_GENERIC_ERROR_RESPONSE.
// Errors: what memory answers to a fetch is the answer to its list. A store to a line that is not here needs a fetch if
//   memory does not say, by debug transport of one byte, that it has the address: so the store hears of an error, and
//   an error of a write back is an SC_ERROR.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/l2_counters.h"
#include "tlm/line_request.h"
#include "tlm/line_sockets.h"
#include "tlm/ports.h"

namespace heddle {

struct L2Parameters {
  unsigned bytes = 128 * 1024;  // of this partition, a multiple of ways * line_bytes
  unsigned ways = 8;
  unsigned line_bytes = 256;  // a multiple of what the caches above ask for
  unsigned partitions = 1;
  unsigned mshrs = 32;
  unsigned targets_per_mshr = 16;  // with the request that starts the fetch
  unsigned memory_queue = 8;       // at least 2
  unsigned reply_slack = 16;       // cycles
  unsigned hit_latency = 60;       // core cycles, at least 1
};

class l2_cache : public sc_core::sc_module, private LineTarget, private LineInitiator {
 public:
  line_target_socket socket;
  line_initiator_socket memory_socket;

  SC_HAS_PROCESS(l2_cache);
  l2_cache(const sc_core::sc_module_name& name, const L2Parameters& parameters, const sc_core::sc_time& period);

  const L2Counters& counters() const { return counters_; }
  bool idle() const;
  const PayloadPool& pool() const { return pool_; }

  // By debug transport. Only while it is idle.
  void settle();
  // Bytes that memory does not have yet.
  std::uint64_t dirty_bytes() const;

 private:
  struct Line {
    std::uint64_t address = no_line;
    std::uint64_t used = 0;  // a stamp of use_clock_: the smallest in the set is the victim
    bool complete = false;   // every byte is valid
    bool dirty = false;      // one byte at least is
    bool fetching = false;
  };
  struct Target {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint64_t ready = 0;  // not earlier than this cycle
  };
  struct Mshr {
    std::size_t line = 0;
    tlm::tlm_generic_payload* fetch = nullptr;  // null: free
    std::vector<Target> targets;
  };
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  tlm::tlm_sync_enum nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  void wake();

  // Acceptance: null, or the counter of what it lacks.
  std::uint64_t* try_accept(tlm::tlm_generic_payload& payload, std::uint64_t cycle);
  std::uint64_t* join(std::size_t line, tlm::tlm_generic_payload& payload, std::uint64_t ready);
  void fetch(std::size_t line, tlm::tlm_generic_payload& payload, std::uint64_t ready);
  void retry_held(std::uint64_t cycle);

  // Lines.
  std::uint64_t line_of(std::uint64_t address) const { return address - address % parameters_.line_bytes; }
  std::size_t first_way(std::uint64_t address) const;
  std::size_t find(std::uint64_t address) const;    // index of the line, or lines_.size()
  std::size_t victim(std::uint64_t address) const;  // index of a line that is not being fetched, or lines_.size()
  void take(std::size_t line, std::uint64_t address);
  bool has_all(std::size_t line, const tlm::tlm_generic_payload& payload) const;
  void serve(std::size_t line, tlm::tlm_generic_payload& payload);
  void fetched(Mshr& mshr);
  void merge_fetch(Mshr& mshr);
  bool memory_has(std::uint64_t address);

  std::uint8_t* bytes_of(std::size_t line) { return data_.data() + line * parameters_.line_bytes; }
  std::uint8_t* valid_of(std::size_t line) { return valid_.data() + line * parameters_.line_bytes; }
  const std::uint8_t* valid_of(std::size_t line) const { return valid_.data() + line * parameters_.line_bytes; }
  std::uint8_t* dirty_of(std::size_t line) { return dirty_.data() + line * parameters_.line_bytes; }

  // Towards memory.
  bool has_room(std::size_t requests) const { return to_memory_.size() + requests <= parameters_.memory_queue; }
  void write_back(std::size_t line);
  void drain_to_memory();
  void memory_completed(tlm::tlm_generic_payload& payload);
  void write_dirty_bytes(std::size_t line);  // by debug transport
  void schedule();

  const L2Parameters parameters_;
  const Cycles cycles_;
  const std::uint64_t sets_;
  L2Counters counters_;
  PayloadPool pool_;  // of fetches and writes back
  sc_core::sc_event wake_event_;
  bool waiting_for_memory_ = false;  // woken, and one delta cycle later on

  std::vector<Line> lines_;                  // set by set
  std::vector<std::uint8_t> data_;           // line by line
  std::vector<std::uint8_t> valid_, dirty_;  // 0x00 or 0xff a byte of data_
  std::vector<Mshr> mshrs_;
  unsigned mshrs_used_ = 0;
  std::uint64_t use_clock_ = 0;

  RequestPort to_memory_;
  std::vector<tlm::tlm_generic_payload*> writes_back_;  // that memory has not answered

  tlm::tlm_generic_payload* held_ = nullptr;  // BEGIN_REQ whose END_REQ is held back
  bool held_counted_ = false;                 // among the stalls
  std::uint64_t next_accept_ = 0;             // cycle
  ReplyPort replies_;
};

}  // namespace heddle
