// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/cta_barriers.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/isa/lanes.h"

namespace heddle::isa {
namespace {

bool is_reduction(BarrierOp op) {
  return op == BarrierOp::Popc || op == BarrierOp::All || op == BarrierOp::Any;
}

}  // namespace

void CtaBarriers::start(unsigned threads, unsigned lanes_per_warp) {
  lanes_per_warp_ = lanes_per_warp;
  live_threads_ = threads;
  live_.clear();
  for (unsigned first = 0; first < threads; first += lanes_per_warp)
    live_.push_back(first_lanes(std::min(lanes_per_warp, threads - first)));
  barriers_.fill(Barrier());
  in_use_ = 0;
  opened_.clear();
}

std::string CtaBarriers::refusal(const BarrierArrival& arrival) const {
  if (arrival.barrier >= Barriers) return fmt::format("barrier {}: expected a number from 0 to 15", arrival.barrier);
  if (arrival.has_count && (arrival.threads == 0 || arrival.threads % lanes_per_warp_ != 0 ||
                            arrival.threads > live_.size() * lanes_per_warp_)) {
    return fmt::format("barrier {} for {} threads: expected a multiple of the warp size {}, at most the {} of the CTA",
                       arrival.barrier, arrival.threads, lanes_per_warp_, live_.size() * lanes_per_warp_);
  }
  const Barrier& barrier = barriers_[arrival.barrier];
  if (!barrier.in_use) return "";
  if (barrier.threads != arrival.threads) {
    const auto text = [](std::uint64_t threads) {
      return threads == 0 ? std::string("all threads") : fmt::format("{} threads", threads);
    };
    return fmt::format("barrier {} is for {} here and for {} where others wait", arrival.barrier, text(arrival.threads),
                       text(barrier.threads));
  }
  const bool reduces = is_reduction(arrival.op) || is_reduction(barrier.op);
  if (reduces && arrival.op != barrier.op)
    return fmt::format("barrier {} is used for a reduction and for something else at once", arrival.barrier);
  const Lanes again = barrier.arrived[arrival.warp] & arrival.lanes;
  if (again != 0) {
    return fmt::format("lanes {:#010x} of warp {} arrive at barrier {} a second time before it opens", again,
                       arrival.warp, arrival.barrier);
  }
  return "";
}

void CtaBarriers::arrive(const BarrierArrival& arrival) {
  const auto index = static_cast<unsigned>(arrival.barrier);
  Barrier& barrier = barriers_[index];
  if (!barrier.in_use) {
    barrier.in_use = true;
    ++in_use_;
    barrier.threads = arrival.threads;
    barrier.op = arrival.op;
    barrier.arrived.assign(live_.size(), 0);
    barrier.waiting.assign(live_.size(), 0);
    barrier.count = barrier.threads_arrived = barrier.trues = 0;
  }
  const unsigned before = counted(barrier, arrival.warp);
  barrier.arrived[arrival.warp] |= arrival.lanes;
  if (arrival.op != BarrierOp::Arrive) barrier.waiting[arrival.warp] |= arrival.lanes;
  barrier.count += counted(barrier, arrival.warp) - before;
  barrier.threads_arrived += count_of(arrival.lanes);
  barrier.trues += count_of(arrival.true_lanes & arrival.lanes);
  open_if_complete(index);
}

void CtaBarriers::exit(unsigned warp, Lanes lanes) {
  lanes &= live_[warp];
  live_[warp] &= ~lanes;
  live_threads_ -= count_of(lanes);
  for (unsigned index = 0; in_use_ != 0 && index < Barriers; ++index) {
    Barrier& barrier = barriers_[index];
    if (!barrier.in_use) continue;
    const Lanes arrived = barrier.arrived[warp];
    if (barrier.threads != 0 && arrived != 0) barrier.count += count_of(lanes & ~arrived);
    open_if_complete(index);
  }
}

/// How many threads of the warp have arrived, as the barrier's count sees it.
unsigned CtaBarriers::counted(const Barrier& barrier, unsigned warp) const {
  const Lanes arrived = barrier.arrived[warp];
  if (barrier.threads == 0) return count_of(arrived);
  const Lanes absent = first_lanes(lanes_per_warp_) & ~live_[warp];
  return arrived == 0 ? 0 : count_of(arrived | absent);
}

void CtaBarriers::open_if_complete(unsigned index) {
  Barrier& barrier = barriers_[index];
  if (barrier.count < (barrier.threads == 0 ? live_threads_ : barrier.threads)) return;
  BarrierOpening opening;
  opening.barrier = index;
  opening.waiting = std::move(barrier.waiting);
  opening.value = barrier.op == BarrierOp::Popc  ? barrier.trues
                  : barrier.op == BarrierOp::All ? barrier.trues == barrier.threads_arrived
                                                 : barrier.trues != 0;
  barrier = Barrier();
  --in_use_;
  opened_.push_back(std::move(opening));
}

BarrierOpening CtaBarriers::take_opened() {
  BarrierOpening opening = std::move(opened_.front());
  opened_.pop_front();
  return opening;
}

Lanes CtaBarriers::waiting_for_all(unsigned warp) const {
  Lanes lanes = 0;
  for (const Barrier& barrier : barriers_)
    if (barrier.in_use && barrier.threads == 0) lanes |= barrier.waiting[warp];
  return lanes;
}

std::string CtaBarriers::describe() const {
  std::string text;
  for (unsigned index = 0; index < Barriers; ++index) {
    const Barrier& barrier = barriers_[index];
    if (!barrier.in_use) continue;
    text += fmt::format("{}barrier {} has {} of {} threads", text.empty() ? "" : ", ", index, barrier.count,
                        barrier.threads == 0 ? live_threads_ : barrier.threads);
  }
  return text;
}

}  // namespace heddle::isa
