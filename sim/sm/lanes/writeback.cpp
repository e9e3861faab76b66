// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/writeback.h"

#include <algorithm>

namespace heddle {

void Writeback::expect(unsigned token, std::uint64_t cycle, unsigned latency) {
  auto pipe = std::find_if(pipes_.begin(), pipes_.end(), [&](const Pipe& p) { return p.latency == latency; });
  if (pipe == pipes_.end()) pipe = pipes_.insert(pipe, {latency, {}});
  pipe->results.push_back({cycle + latency, order_++, token});
  ++waiting_;
}

WrittenBack Writeback::step(std::uint64_t cycle) {
  if (waiting_ == 0) return {};
  Pipe* first = nullptr;
  for (Pipe& pipe : pipes_) {
    if (pipe.results.empty() || pipe.results.front().ready > cycle) continue;
    const Result& one = pipe.results.front();
    const bool older = first == nullptr || one.ready < first->results.front().ready ||
                       (one.ready == first->results.front().ready && one.order < first->results.front().order);
    if (older) first = &pipe;
  }
  if (first == nullptr) return {};
  const unsigned token = first->results.front().token;
  first->results.pop_front();
  --waiting_;
  const InFlight& flight = in_flight_[token];
  const isa::RegisterName name = flight.instruction->destination;
  registers_.write(name, flight.threads, flight.lanes, flight.values);
  in_flight_.give_back(token);
  return {true, flight.warp, flight.k, flight.path_lanes, name, false, token};
}

WrittenBack Writeback::write_part(unsigned token, isa::Lanes missing) {
  InFlight& flight = in_flight_[token];
  const isa::RegisterName name = flight.instruction->destination;
  registers_.write(name, flight.threads, flight.lanes & ~missing, flight.values);
  const WrittenBack written{true, flight.warp, flight.k, flight.path_lanes & ~missing, name, true, token};
  flight.lanes = flight.path_lanes = missing;
  return written;
}

}  // namespace heddle
