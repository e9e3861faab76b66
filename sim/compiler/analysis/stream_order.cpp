// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/stream_order.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

namespace heddle::compiler {
namespace {

using isa::Kind;
using isa::Pc;

/// By its instruction in the whole kernel.
using Events = std::set<Pc>;

/// Whether the instruction is an event of a stream.
bool is_event(const VirtualInstruction& instruction) {
  const isa::Instruction& body = instruction.body;
  switch (body.kind) {
    case Kind::Barrier:
    case Kind::Exit:
    case Kind::Enqueue:
      return true;
    case Kind::Branch:
      return body.queue != isa::QueueOp::None || body.outcome != isa::OutcomeFrom::None;
    default:
      return body.queue != isa::QueueOp::None;
  }
}

/// The first events on the ways from here.
Events next_events(const VirtualCode& code, Pc from) {
  Events events;
  std::vector<bool> seen(code.code.size(), false);
  std::vector<Pc> pending{from};
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    if (seen[pc]) continue;
    seen[pc] = true;
    if (is_event(code.code[pc])) {
      events.insert(code.code[pc].origin);
      continue;
    }
    for (const Pc next : successors_of(code, pc)) pending.push_back(next);
  }
  return events;
}

/// Behind each event: the next ones; of a branch those of the side that takes it, and of the other.
struct Following {
  Events next, taken;
};

using Order = std::map<Pc, Following>;

/// Instructions that control comes to: not what stands behind a trap, say.
std::vector<bool> reached(const VirtualCode& code) {
  std::vector<bool> seen(code.code.size(), false);
  std::vector<Pc> pending{0};
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    if (seen[pc]) continue;
    seen[pc] = true;
    for (const Pc next : successors_of(code, pc)) pending.push_back(next);
  }
  return seen;
}

Order order_of(const VirtualCode& code) {
  Order order;
  const std::vector<bool> is_reached = reached(code);
  for (Pc pc = 0; pc < code.code.size(); ++pc) {
    const VirtualInstruction& instruction = code.code[pc];
    if (!is_reached[pc] || !is_event(instruction)) continue;
    // An enq.pred and its branch are one event, whose sides are the branch's.
    const bool is_predicate =
        instruction.body.kind == Kind::Enqueue && instruction.body.queue == isa::QueueOp::Predicate;
    if (is_predicate) continue;
    Following following;
    if (instruction.body.kind == Kind::Branch) following.taken = next_events(code, instruction.body.target);
    if (instruction.body.kind != Kind::Exit) following.next = next_events(code, pc + 1);
    order[instruction.origin] = following;
  }
  return order;
}

std::string place(const VirtualCode& code, const Events& events) {
  if (events.empty()) return "nothing";
  std::string text;
  for (const Pc origin : events)
    for (const VirtualInstruction& instruction : code.code)
      if (instruction.origin == origin && is_event(instruction)) {
        text += (text.empty() ? "line " : " or line ") + std::to_string(instruction.where.line);
        break;
      }
  return text;
}

}  // namespace

std::string difference_in_order(const VirtualCode& warps, const VirtualCode& affine) {
  const auto differ = [&](const std::string& where, const Events& dequeued, const Events& enqueued) {
    // Ways that never end come to no event.
    if (dequeued == enqueued && dequeued.size() <= 1) return std::string();
    return fmt::format("{} the warps come to {}, the affine warp to {}", where, place(warps, dequeued),
                       place(affine, enqueued));
  };
  if (const std::string difference = differ("first", next_events(warps, 0), next_events(affine, 0));
      !difference.empty())
    return difference;
  const Order dequeues = order_of(warps), enqueues = order_of(affine);
  for (const auto& [origin, following] : dequeues) {
    const auto other = enqueues.find(origin);
    const std::string where = "behind " + place(warps, {origin});
    if (other == enqueues.end()) return where + " the affine stream has nothing";
    for (const auto side : {&Following::next, &Following::taken})
      if (const std::string difference = differ(where, following.*side, other->second.*side); !difference.empty())
        return difference;
  }
  for (const auto& [origin, following] : enqueues)
    if (dequeues.count(origin) == 0) return "the warps never come to " + place(affine, {origin});
  return "";
}

}  // namespace heddle::compiler
