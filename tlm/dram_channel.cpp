// SPDX-License-Identifier: Apache-2.0
#include "tlm/dram_channel.h"

#include <algorithm>

#include "tlm/device_memory.h"
#include "tlm/line_request.h"

namespace heddle {

namespace {

constexpr unsigned turnaround = 2;  // DRAM clocks that the data bus rests between data of a read and of a write

bool is_power_of_two(unsigned value) {
  return value != 0 && (value & (value - 1)) == 0;
}

void expect(const DramChannelParameters& p) {
  if (!is_power_of_two(p.banks) || p.banks > 64)
    SC_REPORT_FATAL("heddle/dram_channel", "banks must be a power of two, at most 64");
  if (!is_power_of_two(p.bank_groups) || p.bank_groups > p.banks)
    SC_REPORT_FATAL("heddle/dram_channel", "bank_groups must be a power of two, at most banks");
  if (!is_power_of_two(p.low_banks) || p.low_banks > p.banks)
    SC_REPORT_FATAL("heddle/dram_channel", "low_banks must be a power of two, at most banks");
  if (!is_power_of_two(p.row_bytes) || !is_power_of_two(p.interleave_bytes) || !is_power_of_two(p.burst_bytes))
    SC_REPORT_FATAL("heddle/dram_channel", "row_bytes, interleave_bytes and burst_bytes must be powers of two");
  if (p.interleave_bytes > p.row_bytes || p.burst_bytes > p.interleave_bytes || p.burst_bytes > max_line_bytes)
    SC_REPORT_FATAL("heddle/dram_channel", "burst_bytes <= interleave_bytes <= row_bytes does not hold");
  if (p.channels == 0 || p.queue_depth == 0 || p.clock.value() == 0 || p.burst_time.value() == 0)
    SC_REPORT_FATAL("heddle/dram_channel", "channels, queue_depth, clock and burst_time must be above 0");
}

}  // namespace

dram_channel::dram_channel(const sc_core::sc_module_name& name, const DramChannelParameters& parameters,
                           const sc_core::sc_time& period, BackingStore& store)
    : sc_module(name),
      socket("socket", *this),
      parameters_(parameters),
      cycles_(period),
      period_(period.value()),
      clock_(parameters.clock.value()),
      burst_(parameters.burst_time.value()),
      store_(store),
      banks_(parameters.banks),
      groups_(parameters.bank_groups) {
  expect(parameters);
  waiting_.reserve(parameters.queue_depth);
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

sc_core::sc_time dram_channel::busy() const {
  return sc_core::sc_time::from_value(bursts_ * burst_);
}

// ---- The socket ----------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum dram_channel::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();  // until its response is through
    if (try_accept(payload)) {
      schedule();
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    sc_assert(held_ == nullptr);
    held_ = &payload;
    ++counters_.stalls;
    schedule();
    return tlm::TLM_ACCEPTED;
  }
  sc_assert(response_open_);  // END_RESP
  response_open_ = false;
  payload.release();
  schedule();
  return tlm::TLM_COMPLETED;
}

void dram_channel::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned bursts = bursts_of(payload);
  serve(payload, store_, counters_);
  counters_.bytes += std::uint64_t{bursts} * parameters_.burst_bytes;
  bursts_ += bursts;
  delay += sc_core::sc_time::from_value((parameters_.timing.trcd + parameters_.timing.tcl) * clock_ + bursts * burst_ +
                                        parameters_.latency * period_);
}

unsigned dram_channel::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  return serve_debug(payload, store_);
}

bool dram_channel::try_accept(tlm::tlm_generic_payload& payload) {
  const std::uint64_t cycle = cycles_.now();
  // Room made in this cycle counts from the next one on: whoever asks in this instant, before or after the columns of
  // it, gets the same answer.
  const std::size_t taken = waiting_.size() + (freed_cycle_ == cycle ? freed_ : 0);
  if (taken >= parameters_.queue_depth) return false;
  Request request;
  request.payload = &payload;
  request.bursts = bursts_of(payload);
  request.writes = payload.is_read() ? 0 : payload.is_write() ? request.bursts : request.bursts / 2;
  place(request);
  request.seen = cycle * period_ + period_ / 2;
  waiting_.push_back(request);
  next_command_ = std::min(next_command_, (request.seen + clock_ - 1) / clock_ * clock_);
  return true;
}

void dram_channel::place(Request& request) const {
  const DramChannelParameters& p = parameters_;
  const std::uint64_t block = request.payload->get_address() / p.interleave_bytes / p.channels;
  const std::uint64_t row = block / p.low_banks / (p.row_bytes / p.interleave_bytes);
  const unsigned high_banks = p.banks / p.low_banks;
  request.row = row / high_banks;
  const std::uint64_t high = (p.fold ? row ^ request.row : row) % high_banks;
  request.bank = static_cast<unsigned>(high * p.low_banks + block % p.low_banks);
}

unsigned dram_channel::bursts_of(const tlm::tlm_generic_payload& payload) const {
  const unsigned length = payload.get_data_length(), burst = parameters_.burst_bytes;
  const unsigned all = (length + burst - 1) / burst;
  if (payload.is_read()) return all;
  if (!payload.is_write()) return 2 * all;
  if (payload.get_byte_enable_ptr() == nullptr) return all;
  unsigned bursts = 0;
  for (unsigned first = 0; first < length; first += burst) {
    const unsigned end = std::min(first + burst, length);
    unsigned i = first;
    while (i < end && !is_enabled(payload, i)) ++i;
    bursts += i < end;
  }
  return bursts;
}

// ---- Time ----------------------------------------------------------------------------------------------------------

void dram_channel::wake() {
  const Time now = sc_core::sc_time_stamp().value();
  if (held_ != nullptr && try_accept(*held_)) {
    tlm::tlm_generic_payload& payload = *held_;
    held_ = nullptr;
    socket.send(payload, tlm::END_REQ);
  }
  while (next_command_ < now) next_command_ = command_at(next_command_);
  respond(now);
  schedule();
}

void dram_channel::respond(Time now) {
  while (!response_open_ && !answers_.empty() && answers_.front().due <= now) {
    tlm::tlm_generic_payload& payload = *answers_.front().payload;
    answers_.pop();
    response_open_ = true;
    // The initiator may send its next request from within this call.
    if (socket.send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;
    response_open_ = false;
    payload.release();
  }
}

// The next core cycle with something to do; an earlier notification that is pending stands.
void dram_channel::schedule() {
  const auto cycle_from = [this](Time time) { return (time + period_ / 2 + period_ - 1) / period_; };
  std::uint64_t cycle = never;
  if (next_command_ != never) cycle = cycle_from(next_command_ + 1);
  if (!response_open_ && !answers_.empty()) cycle = std::min(cycle, cycle_from(answers_.front().due));
  if (held_ != nullptr && waiting_.size() < parameters_.queue_depth) cycle = std::min(cycle, cycles_.now() + 1);
  if (cycle != never) wake_event_.notify(cycles_.until(cycle));
}

// ---- Commands ------------------------------------------------------------------------------------------------------

/// When the next burst of a request whose row is open may go.
dram_channel::Time dram_channel::column_ready(const Request& request) const {
  const DramTiming& timing = parameters_.timing;
  const Time ready = std::max(banks_[request.bank].column, group_of(request).column);
  const auto until_data = [&](unsigned clocks, Time free) { return free - std::min(free, clocks * clock_); };
  // The data bus may be taken from the middle of a clock on.
  const auto round_down = [this](Time time) { return time / clock_ * clock_; };
  if (request.writes_next()) {
    const Time free = bus_free_ + (bus_was_read_ ? turnaround * clock_ : 0);
    return std::max(ready, round_down(until_data(timing.twl, free)));
  }
  const Time after_write = bus_was_read_ || bus_free_ == 0 ? 0 : bus_free_ + timing.tcdlr * clock_;
  return std::max({ready, round_down(until_data(timing.tcl, bus_free_)), round_down(after_write)});
}

dram_channel::Time dram_channel::precharge_ready(const Request& request) const {
  return std::max(banks_[request.bank].precharge, group_of(request).precharge);
}

dram_channel::Time dram_channel::command_at(Time clock) {
  const auto round_up = [this](Time time) { return (time + clock_ - 1) / clock_ * clock_; };

  std::size_t seen = 0;      // requests that take part
  std::uint64_t wanted = 0;  // banks whose open row somebody asks for
  for (; seen < waiting_.size() && waiting_[seen].seen <= clock; ++seen) {
    const Request& request = waiting_[seen];
    wanted |= std::uint64_t{banks_[request.bank].row == request.row} << request.bank;
  }
  Time next = seen < waiting_.size() ? waiting_[seen].seen : never;
  if (seen == 0) return next == never ? never : round_up(next);

  const Request& oldest = waiting_.front();
  const bool out_of_patience = clock - oldest.seen > parameters_.patience * clock_;

  Request* to_activate = nullptr;
  const Request* to_precharge = nullptr;
  std::uint64_t served = 0;   // banks of which an older request has the next column
  std::uint64_t decided = 0;  // banks whose next row an older request decides
  for (std::size_t i = 0; i < seen; ++i) {
    Request& request = waiting_[i];
    const Bank& bank = banks_[request.bank];
    const std::uint64_t bit = std::uint64_t{1} << request.bank;
    if (bank.row == request.row) {
      if ((served & bit) != 0) continue;
      if (out_of_patience && request.bank == oldest.bank && request.row != oldest.row) continue;
      served |= bit;
      const Time ready = column_ready(request);
      if (ready <= clock) {
        column(i, clock);
        return waiting_.empty() ? never : clock + clock_;
      }
      next = std::min(next, ready);
      continue;
    }
    if ((decided & bit) != 0) continue;
    decided |= bit;
    if (bank.row == no_row) {
      const Time ready = std::max(bank.activate, next_activate_);
      if (ready > clock) {
        next = std::min(next, ready);
      } else if (to_activate == nullptr) {
        to_activate = &request;
      }
      continue;
    }
    if ((wanted & bit) != 0 && !(out_of_patience && i == 0)) continue;
    const Time ready = precharge_ready(request);
    if (ready > clock) {
      next = std::min(next, ready);
    } else if (to_precharge == nullptr) {
      to_precharge = &request;
    }
  }
  if (to_activate != nullptr) {
    activate(*to_activate, clock);
    return clock + clock_;
  }
  if (to_precharge != nullptr) {
    precharge(*to_precharge, clock);
    return clock + clock_;
  }
  return next == never ? never : round_up(next);
}

void dram_channel::activate(Request& request, Time clock) {
  const DramTiming& timing = parameters_.timing;
  Bank& bank = banks_[request.bank];
  bank.row = request.row;
  bank.column = clock + timing.trcd * clock_;
  bank.activate = clock + timing.trc * clock_;
  bank.precharge = clock + timing.tras * clock_;
  next_activate_ = clock + timing.trrd * clock_;
  request.opened_row = true;
  ++counters_.activations;
}

void dram_channel::precharge(const Request& request, Time clock) {
  Bank& bank = banks_[request.bank];
  bank.row = no_row;
  bank.activate = std::max(bank.activate, clock + parameters_.timing.trp * clock_);
}

void dram_channel::column(std::size_t index, Time clock) {
  const DramTiming& timing = parameters_.timing;
  Request& request = waiting_[index];
  const bool writes = request.writes_next();
  const Time data = std::max(clock + (writes ? timing.twl : timing.tcl) * clock_, bus_free_);
  bus_free_ = data + burst_;
  bus_was_read_ = !writes;

  Bank& bank = banks_[request.bank];
  bank.precharge = std::max(bank.precharge, writes ? bus_free_ + timing.twr * clock_ : clock + burst_);
  BankGroup& group = group_of(request);
  group.column = clock + timing.tccdl * clock_;
  if (!writes) group.precharge = std::max(group.precharge, clock + timing.trtpl * clock_);

  ++bursts_;
  counters_.bytes += parameters_.burst_bytes;
  if (--request.bursts == 0) finish(index);
}

// Its last burst has gone: its bytes are read or written, and it makes room.
void dram_channel::finish(std::size_t index) {
  const Request request = waiting_[index];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
  const std::uint64_t cycle = cycles_.now();
  if (freed_cycle_ != cycle) freed_ = 0;
  freed_cycle_ = cycle;
  ++freed_;
  serve(*request.payload, store_, counters_);
  counters_.row_hits += request.opened_row ? 0 : 1;
  answers_.push({request.payload, bus_free_ + parameters_.latency * period_});
}

}  // namespace heddle
