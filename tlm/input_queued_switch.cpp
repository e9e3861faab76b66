// SPDX-License-Identifier: Apache-2.0
#include "tlm/input_queued_switch.h"

#include <stdexcept>

namespace heddle {

InputQueuedSwitch::InputQueuedSwitch(const SwitchParameters& parameters, SwitchCounters& counters)
    : parameters_(parameters),
      counters_(counters),
      matching_(parameters.inputs, parameters.outputs, parameters.iterations),
      all_inputs_(PortSet::first(parameters.inputs)),
      queues_(std::size_t{parameters.inputs} * parameters.outputs),
      inputs_(parameters.inputs),
      outputs_(parameters.outputs),
      heads_(parameters.outputs) {
  if (parameters.latency == 0 || parameters.bytes_per_cycle == 0 || parameters.queue == 0 || parameters.credits == 0 ||
      parameters.room_latency == 0)
    throw std::invalid_argument(
        "latency, bytes_per_cycle, queue, credits and room_latency of a switch must be at least 1");
  for (Output& output : outputs_) output.credits = parameters.credits;
}

bool InputQueuedSwitch::offer(unsigned input, unsigned output, Payload& payload, unsigned bytes, std::uint64_t cycle) {
  const Packet packet{&payload, 0, output, flits(bytes)};
  Ring<Packet>& waiting = inputs_[input].waiting;
  if (waiting.empty() && !full(queue(input, output), cycle)) {
    enter(input, packet, cycle);
    return true;
  }
  ++counters_.held_back;
  waiting.push(packet);
  waiting_inputs_.insert(input);
  advance(cycle);
  plan_entry(input);
  return false;
}

void InputQueuedSwitch::enter(unsigned input, const Packet& packet, std::uint64_t cycle) {
  advance(cycle);
  Queue& to = queue(input, packet.output);
  to.packets.push(packet);
  to.packets[to.packets.size() - 1].entered = cycle;
  ++queued_;
  if (to.packets.size() > 1) return;  // behind another, which is what the matching sees
  new_heads_.push_back({input, packet.output});
  plan_match(input, packet.output);
}

void InputQueuedSwitch::ended(unsigned o, std::uint64_t cycle) {
  advance(cycle);
  Output& output = outputs_[o];
  output.at_target = nullptr;
  --open_targets_;
  output.target_ready = cycle + 1;
  returned_.insert(o);
  if (!output.flying.empty()) plan_delivery(output);
  if (output.credits > 0) return;  // nothing waited for this one
  heads_[o].for_each([&](unsigned input) { plan_match(input, o); });
  for (const NewHead& head : new_heads_) {
    if (head.output == o) plan_match(head.input, o);
  }
}

// What earlier cycles left for later ones.
void InputQueuedSwitch::advance(std::uint64_t cycle) {
  if (cycle == cycle_) return;
  cycle_ = cycle;
  for (const NewHead& head : new_heads_) {
    heads_[head.output].insert(head.input);
    asked_outputs_.insert(head.output);
  }
  new_heads_.clear();
  returned_.for_each([&](unsigned output) { ++outputs_[output].credits; });
  returned_ = PortSet();
}

void InputQueuedSwitch::match(std::uint64_t cycle) {
  advance(cycle);
  PortSet outputs;
  asked_outputs_.for_each([&](unsigned output) {
    if (outputs_[output].credits > 0 && outputs_[output].busy_until <= cycle) outputs.insert(output);
  });
  if (outputs.empty()) return;
  busy_inputs_.for_each([&](unsigned input) {
    if (inputs_[input].busy_until <= cycle) busy_inputs_.erase(input);
  });
  for (const Match& pair : matching_.match(heads_, all_inputs_ - busy_inputs_, outputs))
    start(pair.input, pair.output, cycle);
}

void InputQueuedSwitch::start(unsigned input, unsigned o, std::uint64_t cycle) {
  Queue& from = queue(input, o);
  const Packet packet = from.packets.front();
  from.packets.pop();
  from.left.push(cycle);
  --queued_;
  if (from.packets.empty()) {
    heads_[o].erase(input);
    if (heads_[o].empty()) asked_outputs_.erase(o);
  }
  Output& output = outputs_[o];
  --output.credits;
  inputs_[input].busy_until = output.busy_until = cycle + packet.flits;
  busy_inputs_.insert(input);
  output.flying.push({packet.payload, cycle + parameters_.latency + packet.flits - 1});
  flying_.insert(o);
  ++counters_.packets;
  counters_.bytes += std::uint64_t{packet.flits} * parameters_.bytes_per_cycle;
  counters_.wait_cycles += cycle - packet.entered - 1;
}

void InputQueuedSwitch::plan(std::uint64_t cycle) {
  advance(cycle);
  next_ = never;
  flying_.for_each([&](unsigned output) { plan_delivery(outputs_[output]); });
  for (const NewHead& head : new_heads_) plan_match(head.input, head.output);
  asked_outputs_.for_each([&](unsigned o) {
    if (next_ <= std::max(cycle + 1, outputs_[o].busy_until) || !has_credit(o)) return;
    heads_[o].for_each([&](unsigned input) { plan_match(input, o); });
  });
  waiting_inputs_.for_each([&](unsigned input) { plan_entry(input); });
}

void InputQueuedSwitch::plan_entry(unsigned input) {
  Queue& to = queue(input, inputs_[input].waiting.front().output);
  if (to.packets.size() >= parameters_.queue) return;
  const std::uint64_t known = full(to, cycle_) ? to.left.front() + parameters_.room_latency : 0;
  next_ = std::min(next_, std::max(cycle_ + 1, known));
}

void InputQueuedSwitch::plan_match(unsigned input, unsigned output) {
  if (!has_credit(output)) return;
  const std::uint64_t ports_free = std::max(inputs_[input].busy_until, outputs_[output].busy_until);
  next_ = std::min(next_, std::max(cycle_ + 1, ports_free));
}

void InputQueuedSwitch::plan_delivery(const Output& output) {
  if (output.at_target != nullptr) return;
  const std::uint64_t ready = std::max(output.flying.front().due, output.target_ready);
  next_ = std::min(next_, std::max(cycle_ + 1, ready));
}

}  // namespace heddle
