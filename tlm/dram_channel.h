// SPDX-License-Identifier: Apache-2.0
// One channel of DRAM with its controller: banks with an open row each, on a clock of its own.
//
// Address: channels take turns every `interleave_bytes`. What one channel has is cut into blocks of so many bytes; blocks
//   take turns over `low_banks` banks, and each of these is cut into rows of `row_bytes`, which take turns over what
//   remains of the banks. With `fold` the latter are exclusive-or the row, so that arrays a power of two apart do not meet
//   in one bank. Banks take turns over `bank_groups`.
// Commands, at most one a DRAM clock:
//   activate   opens a row: tRP after the bank's precharge, tRC after its last activate, tRRD after any bank's
//   column     moves one burst: tRCD after the activate, tCCDL after the last column of its bank group, its data tCL (a
//              write: tWL) later, when the data bus is free; a write's data come 2 clocks after the last of a read's, and a
//              read goes tCDLR after the last of a write's data. With a request's last burst its bytes are read or written:
//              order of commands is order at the store
//   precharge  closes a row: tRAS after its activate, not before the burst of its last read has passed (tRTPL in any bank
//              of the group), and tWR after the data of its last write
// Choice, first ready first come first served (FR-FCFS): the oldest column that may go, else the oldest activate, else
//   the oldest precharge of a bank whose open row nobody asks for. Requests to one row are served in their order. A
//   request older than `patience` clocks closes its bank to younger ones with another row.
// Bursts: a read moves the whole line, a store the bursts in which a byte is enabled (data mask pins), an atomic those
//   of the line twice, to read and to write: the controller performs it, for machines without an L2.
// Time: what arrives in core cycle c takes part from the first DRAM clock after that cycle's edge. The response comes
//   `latency` core cycles after the last burst's end, at the next core cycle: of an unloaded channel with closed rows
//   that is tRCD + tCL + bursts. One response at a time, in the order of the data.
// Back-pressure: END_REQ is held back while `queue_depth` requests wait for their last column.
// Not modelled: refresh.
// Debug transport reads and writes any number of bytes at once, in no time, uncounted.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>
#include <vector>

#include "tlm/backing_store.h"
#include "tlm/cycles.h"
#include "tlm/dram_counters.h"
#include "tlm/line_sockets.h"
#include "tlm/ring.h"

namespace heddle {

// Times in DRAM clocks unless the name says otherwise. Zero timings are legal.
struct DramTiming {
  unsigned tcl = 12, trp = 12, trc = 40, tras = 28, trcd = 12, trrd = 6;
  unsigned twl = 4, tcdlr = 5, twr = 12;  // writes
  unsigned tccdl = 3, trtpl = 2;          // between commands to one bank group
};

struct DramChannelParameters {
  DramTiming timing;
  sc_core::sc_time clock{1, sc_core::SC_NS};
  sc_core::sc_time burst_time{2, sc_core::SC_NS};  // that one burst occupies the data bus
  unsigned burst_bytes = 64;
  unsigned banks = 16;        // a power of two
  unsigned bank_groups = 4;   // a power of two, at most `banks`
  unsigned row_bytes = 2048;  // of a bank, a power of two
  unsigned low_banks = 1;     // a power of two, at most `banks`
  bool fold = true;
  unsigned channels = 1;
  unsigned interleave_bytes = 256;  // a power of two; at least a line, at most a row
  unsigned queue_depth = 32;
  unsigned patience = 1000;
  unsigned latency = 100;  // core cycles, controller and pins
};

class dram_channel : public sc_core::sc_module, private LineTarget {
 public:
  line_target_socket socket;

  SC_HAS_PROCESS(dram_channel);
  // `period`: of the core.
  dram_channel(const sc_core::sc_module_name& name, const DramChannelParameters& parameters,
               const sc_core::sc_time& period, BackingStore& store);

  const DramCounters& counters() const { return counters_; }
  // In which the data bus moved something.
  sc_core::sc_time busy() const;
  bool idle() const { return waiting_.empty() && answers_.empty() && held_ == nullptr && !response_open_; }

 private:
  using Time = std::uint64_t;  // in units of SystemC's resolution
  static constexpr Time never = ~Time{0};
  static constexpr std::uint64_t no_row = ~std::uint64_t{0};

  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    unsigned bank = 0, bursts = 0;  // left
    unsigned writes = 0;            // the last of its bursts
    std::uint64_t row = 0;
    Time seen = 0;  // from when on it takes part
    bool opened_row = false;
    bool writes_next() const { return bursts <= writes; }
  };
  struct Bank {
    std::uint64_t row = no_row;
    Time column = 0, activate = 0, precharge = 0;  // not before
  };
  struct BankGroup {
    Time column = 0, precharge = 0;  // not before
  };
  struct Answer {
    tlm::tlm_generic_payload* payload = nullptr;
    Time due = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) override;
  void b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  unsigned transport_dbg(unsigned, tlm::tlm_generic_payload& payload) override;
  void wake();

  bool try_accept(tlm::tlm_generic_payload& payload);
  unsigned bursts_of(const tlm::tlm_generic_payload& payload) const;
  void place(Request& request) const;
  Time column_ready(const Request& request) const;
  Time precharge_ready(const Request& request) const;
  BankGroup& group_of(const Request& request) { return groups_[request.bank % groups_.size()]; }
  const BankGroup& group_of(const Request& request) const { return groups_[request.bank % groups_.size()]; }
  // One command at most, at `clock`. The time of the next one that may be, if nothing else arrives.
  Time command_at(Time clock);
  void activate(Request& request, Time clock);
  void precharge(const Request& request, Time clock);
  void column(std::size_t index, Time clock);
  void finish(std::size_t index);
  void respond(Time now);
  void schedule();

  const DramChannelParameters parameters_;
  const Cycles cycles_;
  const Time period_, clock_, burst_;
  BackingStore& store_;
  DramCounters counters_;
  std::uint64_t bursts_ = 0;
  sc_core::sc_event wake_event_;

  std::vector<Request> waiting_;  // for their last column, the oldest first
  std::vector<Bank> banks_;
  std::vector<BankGroup> groups_;
  Time next_activate_ = 0;  // tRRD
  Time bus_free_ = 0;
  bool bus_was_read_ = false;                 // what moved on the data bus last
  Time next_command_ = never;                 // the clock to look at next
  Ring<Answer> answers_;                      // in the order of their data
  std::uint64_t freed_cycle_ = 0;             // the core cycle of the last columns,
  unsigned freed_ = 0;                        // whose room counts from the next one on
  tlm::tlm_generic_payload* held_ = nullptr;  // BEGIN_REQ whose END_REQ is held back
  bool response_open_ = false;                // BEGIN_RESP sent, END_RESP not yet received
};

}  // namespace heddle
