// SPDX-License-Identifier: Apache-2.0
// One direction of a crossbar: packets from inputs to outputs, through a FIFO for each pair (virtual output queues, so
// that a packet waits only for packets to its own output), an iterative matching, and wires. No SystemC processes here:
// the owner calls it, with the cycle it is in.
//
// Time: a packet that is let in in cycle c may be matched from c + 1. Matched in m, its f flits keep input and output
//   busy for f cycles (packets do not interleave), and it is delivered at m + latency + f - 1: unloaded, latency + f
//   cycles after it was let in. An output delivers one packet a cycle.
// Credits: an output has `credits` packets on the wires or at its target, which ends each; then one comes back. One-flit
//   packets in every cycle take latency + 1 credits.
// Room: an input knows of a place of its queues `room_latency` cycles after the packet there was matched. 1: a queue beside
//   the source; more: the source counts credits that come back over wires, and one-flit packets in every cycle take
//   room_latency + 1 places.
// Order of calls within a cycle does not matter: new heads of queues, credits, the target's readiness and room in a
//   queue count from the cycle after the call that made them. So what modules do at one instant may come in any order
//   of the kernel's.
// Order of packets: those of one input to one output stay in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tlm/iterative_matching.h"
#include "tlm/port_set.h"
#include "tlm/ring.h"

namespace tlm {
class tlm_generic_payload;
}

namespace heddle {

struct SwitchParameters {
  unsigned inputs = 1, outputs = 1;  // 1 to 256
  unsigned latency = 8;              // cycles on the wires, at least 1
  unsigned bytes_per_cycle = 32;     // a flit
  unsigned queue = 8;                // packets from one input to one output
  unsigned credits = 8;              // of an output
  unsigned iterations = 2;           // of the matching
  unsigned room_latency = 1;         // cycles until the input knows of a place that came free, at least 1
};

struct SwitchCounters {
  std::uint64_t packets = 0;      // matched
  std::uint64_t bytes = 0;        // their flits, whole
  std::uint64_t held_back = 0;    // packets that did not find room at once
  std::uint64_t wait_cycles = 0;  // in a queue, beyond the one that every packet spends there
};

class InputQueuedSwitch {
 public:
  using Payload = tlm::tlm_generic_payload;
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  // The counters outlive the switch. Throws std::invalid_argument for a parameter out of its range.
  InputQueuedSwitch(const SwitchParameters& parameters, SwitchCounters& counters);

  // Lets a packet in, or keeps it before the input until `let_in` finds room: then false.
  bool offer(unsigned input, unsigned output, Payload& payload, unsigned bytes, std::uint64_t cycle);
  // Lets in what waits before the inputs and finds room; calls entered(input, payload) for each.
  template <typename Entered>
  void let_in(std::uint64_t cycle, Entered&& entered);

  // Calls arrived(output, payload) for each packet that is due at a target that is ready. It is at the target until
  // `ended`.
  template <typename Arrived>
  void deliver(std::uint64_t cycle, Arrived&& arrived);
  // The packet that the target has not yet ended, or null.
  Payload* at_target(unsigned output) const { return outputs_[output].at_target; }
  void ended(unsigned output, std::uint64_t cycle);

  void match(std::uint64_t cycle);

  // The first cycle after the calls' in which `let_in`, `deliver` or `match` has something to do; `never` until another
  // call. To be planned anew after they were called.
  std::uint64_t next() const { return next_; }
  void plan(std::uint64_t cycle);

  bool idle() const { return queued_ == 0 && waiting_inputs_.empty() && flying_.empty() && open_targets_ == 0; }
  unsigned unloaded_cycles(unsigned bytes) const { return parameters_.latency + flits(bytes); }

 private:
  struct Packet {
    Payload* payload = nullptr;
    std::uint64_t entered = 0;  // cycle
    unsigned output = 0;
    unsigned flits = 1;
  };
  struct Queue {
    Ring<Packet> packets;
    Ring<std::uint64_t> left;  // cycles in which packets were matched whose places the input does not know to be free
  };
  struct Input {
    Ring<Packet> waiting;          // for room, in order
    std::uint64_t busy_until = 0;  // free from this cycle on
  };
  struct Flying {
    Payload* payload = nullptr;
    std::uint64_t due = 0;  // cycle
  };
  struct Output {
    Ring<Flying> flying;
    Payload* at_target = nullptr;
    std::uint64_t target_ready = 0;  // from this cycle on
    std::uint64_t busy_until = 0;
    unsigned credits = 0;
  };
  struct NewHead {
    unsigned input, output;
  };

  unsigned flits(unsigned bytes) const {
    return (bytes + parameters_.bytes_per_cycle - 1) / parameters_.bytes_per_cycle;
  }
  Queue& queue(unsigned input, unsigned output) { return queues_[input * parameters_.outputs + output]; }
  // As the input knows it: without what has come free in the last cycles.
  bool full(Queue& queue, std::uint64_t cycle) const {
    while (!queue.left.empty() && queue.left.front() + parameters_.room_latency <= cycle) queue.left.pop();
    return queue.packets.size() + queue.left.size() >= parameters_.queue;
  }
  void enter(unsigned input, const Packet& packet, std::uint64_t cycle);
  void advance(std::uint64_t cycle);
  void start(unsigned input, unsigned output, std::uint64_t cycle);
  bool has_credit(unsigned output) const { return outputs_[output].credits > 0 || returned_.contains(output); }
  void plan_entry(unsigned input);
  void plan_match(unsigned input, unsigned output);
  void plan_delivery(const Output& output);

  const SwitchParameters parameters_;
  SwitchCounters& counters_;
  IterativeMatching matching_;
  const PortSet all_inputs_;

  std::vector<Queue> queues_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<PortSet> heads_;  // of each output: inputs whose queue to it has a head
  PortSet asked_outputs_;       // with a head
  PortSet busy_inputs_;         // some may be free by now
  PortSet waiting_inputs_;      // with a packet before the input
  PortSet flying_;              // outputs with packets on the wires or waiting at them
  std::uint64_t queued_ = 0;
  unsigned open_targets_ = 0;

  // What counts from the next cycle on.
  std::uint64_t cycle_ = 0;
  std::vector<NewHead> new_heads_;
  PortSet returned_;  // outputs with a credit that came back

  std::uint64_t next_ = never;
};

template <typename Entered>
void InputQueuedSwitch::let_in(std::uint64_t cycle, Entered&& entered) {
  waiting_inputs_.for_each([&](unsigned input) {
    Ring<Packet>& waiting = inputs_[input].waiting;
    // A source may offer its next packet from within the call; that one waits its turn.
    for (std::size_t left = waiting.size(); left != 0; --left) {
      const Packet packet = waiting.front();
      if (full(queue(input, packet.output), cycle)) return;
      waiting.pop();
      if (waiting.empty()) waiting_inputs_.erase(input);
      enter(input, packet, cycle);
      entered(input, *packet.payload);
    }
  });
}

template <typename Arrived>
void InputQueuedSwitch::deliver(std::uint64_t cycle, Arrived&& arrived) {
  flying_.for_each([&](unsigned o) {
    Output& output = outputs_[o];
    if (output.at_target != nullptr || output.target_ready > cycle || output.flying.front().due > cycle) return;
    output.at_target = output.flying.front().payload;
    ++open_targets_;
    output.flying.pop();
    if (output.flying.empty()) flying_.erase(o);
    arrived(o, *output.at_target);
  });
}

}  // namespace heddle
