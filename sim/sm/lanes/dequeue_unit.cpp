// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/dequeue_unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "sim/isa/loops.h"
#include "sim/sm/memory/accesses_of.h"

namespace heddle {

using isa::Kind;
using isa::Lanes;
using isa::QueueOp;

namespace {

const char* name_of(QueueOp queue) {
  return queue == QueueOp::Predicate ? "predicate" : queue == QueueOp::Data ? "load's address" : "store's address";
}

}  // namespace

DequeueUnit::DequeueUnit(const DesignPoint& point, AffinePort* port, const InFlightPool& in_flight,
                         const load_store_unit& lsu, Counters& counters)
    : numbers_(point.schedulers),
      port_(port),
      in_flight_(in_flight),
      lsu_(lsu),
      counters_(counters),
      waiting_(point.schedulers, 0) {}

void DequeueUnit::load(const isa::Launch& launch) {
  runs_ = port_ != nullptr && port_->runs();
  if (launch.program->affine != nullptr && !runs_)
    throw std::logic_error("a program in two streams, and no affine warp");
  unsigned most = 1;
  for (const isa::Instruction& instruction : launch.program->code)
    most = std::max(most, accesses_of(instruction, launch));
  room_needed_ = numbers_.schedulers() * most;
}

// ---- records ----

DequeueUnit::Asked DequeueUnit::advance(Pipe& pipe) {
  const Asked due = pipe[1];
  pipe = {Asked(), pipe[0]};
  return due;
}

DequeueUnit::Entry& DequeueUnit::due(const Asked& asked, bool arrived, SmWarp warp) {
  if (!arrived || !asked.valid || !(asked.warp == warp))
    throw std::logic_error(fmt::format("a record for warp {}{}, and warp {}{} has asked for one", warp.index(),
                                       arrived ? "" : " (none)", asked.warp.index(), asked.valid ? "" : " (none)"));
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return row(one) == warp; });
  if (entry == entries_.end())
    throw std::logic_error(fmt::format("warp {} no longer waits for a record", warp.index()));
  entry->is_asked = false;
  ++counters_.statistics.dequeued_records;
  return *entry;
}

void DequeueUnit::sample() {
  if (const Asked asked = advance(predicates_); asked.valid || port_->predicate().valid) {
    const PredicateRecord& record = port_->predicate();
    Entry& entry = due(asked, record.valid, record.warp);
    entry.dequeued.lanes = record.lanes & entry.path;
    entry.is_complete = true;
  }
  if (const Asked asked = advance(addresses_); asked.valid || port_->address().valid) {
    const AddressRecord& record = port_->address();
    Entry& entry = due(asked, record.valid, record.warp);
    Dequeued& so_far = entry.dequeued;
    const bool fits = (record.lanes & ~(entry.path & ~so_far.lanes)) == 0;
    isa::for_each_lane(record.lanes, [&](unsigned lane) { so_far.low[lane] = record.address[lane]; });
    so_far.lanes |= record.lanes;
    entry.is_complete = record.last;
    if (!fits || (record.last && so_far.lanes != entry.path) || record.is_data != (entry.queue == QueueOp::Data))
      throw std::logic_error(fmt::format(
          "warp {} dequeues a {} for lanes {:#010x}{}, path has {:#010x} and waits for a {}: a dequeue out of order",
          record.warp.index(), name_of(record.is_data ? QueueOp::Data : QueueOp::Address), so_far.lanes,
          record.last ? "" : " and more", entry.path, name_of(entry.queue)));
  }
}

void DequeueUnit::ask() {
  if (entries_.empty()) return;
  ask(addresses_, false);
  ask(predicates_, true);
}

void DequeueUnit::ask(Pipe& pipe, bool predicates) {
  for (Entry& entry : entries_) {
    if (is_branch(entry) != predicates || entry.is_asked || entry.is_complete) continue;
    if (!port_->has_record(entry.queue, row(entry))) continue;
    port_->dequeue(entry.queue, row(entry));
    entry.is_asked = true;
    pipe[0] = {true, row(entry)};
    return;
  }
}

// ---- instructions ----

void DequeueUnit::accept(unsigned token) {
  const InFlight& flight = in_flight_[token];
  Statistics& statistics = counters_.statistics;
  ++(flight.instruction->kind == Kind::Branch  ? statistics.decoupled_branches
     : flight.instruction->kind == Kind::Store ? statistics.decoupled_stores
                                               : statistics.decoupled_loads);
  Entry entry;
  entry.token = token;
  entry.queue = flight.instruction->queue;
  entry.path = flight.path_lanes;
  entries_.push_back(entry);
  waiting_[flight.scheduler] |= std::uint64_t(1) << flight.warp.index();
}

bool DequeueUnit::has_branch(unsigned scheduler) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.is_complete && is_branch(entry) && in_flight_[entry.token].scheduler == scheduler;
  });
}

bool DequeueUnit::take(unsigned scheduler, bool may_resolve, unsigned& token, Dequeued& dequeued) {
  if (waiting_[scheduler] == 0) return false;
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) {
    return in_flight_[one.token].scheduler == scheduler && may_execute(one) && (may_resolve || !is_branch(one));
  });
  if (entry == entries_.end()) return false;
  token = entry->token;
  dequeued = entry->dequeued;
  waiting_[scheduler] &= ~(std::uint64_t(1) << in_flight_[token].warp.index());
  entries_.erase(entry);
  return true;
}

// ---- what others see ----

bool DequeueUnit::idle() const {
  for (const Pipe* pipe : {&addresses_, &predicates_})
    if ((*pipe)[0].valid || (*pipe)[1].valid) return false;
  return std::none_of(entries_.begin(), entries_.end(), [this](const Entry& entry) {
    return entry.is_complete ? may_execute(entry) : port_->has_record(entry.queue, row(entry));
  });
}

std::vector<std::uint64_t> DequeueUnit::shows() const {
  std::vector<std::uint64_t> values = waiting_;
  for (const Entry& entry : entries_)
    values.insert(values.end(), {entry.token, entry.is_asked, entry.is_complete, entry.dequeued.lanes});
  return values;
}

std::string DequeueUnit::describe(const isa::Program& program) const {
  std::string text;
  for (const Entry& entry : entries_) {
    const InFlight& flight = in_flight_[entry.token];
    text += fmt::format("  warp slot {}: lanes {:#010x} wait at {} {} for {}\n", row(entry).index(), entry.path,
                        isa::describe_place(program, flight.pc), flight.instruction->mnemonic,
                        entry.is_complete ? std::string("its turn")
                                          : fmt::format("the affine warp's side: a {}", name_of(entry.queue)));
  }
  return text;
}

}  // namespace heddle
