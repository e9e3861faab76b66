// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/affine/affine_unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace heddle {

using isa::Lanes;
using isa::QueueOp;

namespace {

std::uint64_t bit(unsigned index) {
  return std::uint64_t(1) << index;
}

}  // namespace

AffineUnit::AffineUnit(const DesignPoint& point, const SmPlace& place, const Mechanism& mechanism,
                       const sc_core::sc_signal<bool>& rst_n, load_store_unit& lsu, const BackingStore& store,
                       Counters& counters)
    : point_(point),
      full_batches_(mechanism.affine.full_batches),
      lsu_(lsu),
      store_(store),
      counters_(counters),
      warp_(point, place, mechanism.affine.strict, counters.statistics),
      asked_(point.warps) {
  if (point.affine_bits != 32) {
    throw std::invalid_argument(fmt::format("design point '{}': affine_bits is {}, the registers of an SM have 32 bits",
                                            point.name, point.affine_bits));
  }
  blocks_ = make_affine_blocks("affine", point, mechanism, rst_n);
}

void AffineUnit::load(const isa::Launch& launch) {
  runs_ = launch.program->affine != nullptr;
  block_ = launch.block;
  view_ = blocks_->sample();
  drive_ = {};
  batch_ = Batch::None;
  joins_.clear();
  busy_ = true;
  compares_ = false;
  address_ = {};
  predicate_ = {};
  if (runs_) warp_.load(launch);
}

// ---- an edge ----

void AffineUnit::rise(bool gated) {
  rested_ = std::exchange(rests_, blocks_->rests());
  blocks_->rise(gated ? rests_ : AffineRest());
}

void AffineUnit::sample(std::uint64_t cycle, std::uint64_t cycles) {
  if (!runs_) return;
  account(cycles);
  look();
  drive_ = {};
  count_events();
  sample_lines();
  sample_records();
  compare(cycle);
  warp_.step(view_, cycle, !view_.compare.valid, drive_);
  if (batch_ == Batch::Running && !warp_.is_running()) {
    batch_ = Batch::None;
    busy_ = true;
  }
}

/// What the blocks show of the cycle that ends.
void AffineUnit::look() {
  const AffineView view = blocks_->sample();
  const bool expansion_is_same = same_expansion(view, view_), stack_is_same = same_stack(view, view_);
  if (rested_.expansion && !expansion_is_same) throw std::logic_error("internal: affine_expansion rests, and changes");
  if (rested_.stack && !stack_is_same) throw std::logic_error("internal: affine_stack rests, and changes");
  busy_ = !expansion_is_same || !stack_is_same;
  view_ = view;
}

/// Cycles since the last edge, in which everything was as that left it.
void AffineUnit::account(std::uint64_t cycles) {
  Statistics& statistics = counters_.statistics;
  if (warp_.waits_for_outcomes()) statistics.affine_outcome_cycles += cycles;
  if (warp_.waits_for_room()) statistics.affine_full_cycles += cycles;
  if (batch_ == Batch::None && view_.used == 0) return;
  statistics.tuple_queue_cycles += cycles;
  statistics.tuple_queue_sum += cycles * view_.used;
}

void AffineUnit::count_events() {
  Statistics& statistics = counters_.statistics;
  statistics.tuple_queue_max = std::max<std::uint64_t>(statistics.tuple_queue_max, view_.used);
  statistics.affine_scalar_predicates += view_.scalar ? 1 : 0;
  statistics.affine_pair_predicates += view_.pair ? 1 : 0;
  statistics.affine_regions += view_.region ? 1 : 0;
  statistics.affine_threads += view_.thread ? 1 : 0;
  statistics.affine_lock_refusals += view_.lock_refused ? 1 : 0;
}

std::uint64_t AffineUnit::line_of(std::uint32_t address) const {
  return AddressWindow | (address & ~(point_.line_bytes - 1));
}

void AffineUnit::sample_lines() {
  for (unsigned token = 0; lsu_.next_early(token);) there_.push_back(token);
  if (const AffineView::Request& request = view_.request; request.valid && last_.request_ready) {
    const std::uint64_t line = line_of(request.line * point_.line_bytes);
    const unsigned token = request.warp * point_.warp_queue_entries + request.slot;
    ++locks_[line];
    // An allocation begins at a multiple of any line.
    if (store_.contains(line, 1)) {
      lsu_.request_early(line, token);
      ++counters_.statistics.affine_requests;
    } else {
      there_.push_back(token);
    }
  }
  if (there_.empty()) return;
  drive_.reply = {true, there_.front() / point_.warp_queue_entries, there_.front() % point_.warp_queue_entries};
  there_.pop_front();
}

void AffineUnit::sample_records() {
  address_ = {};
  predicate_ = {};
  if (const AffineView::Address& its = view_.address; its.valid) {
    address_ = record_of(its);
    if (its.data != (asked_[its.warp] == QueueOp::Data))
      throw std::logic_error(fmt::format("internal: warp {} dequeues {}, and its oldest record is for {}", its.warp,
                                         its.data ? "an address" : "data", its.data ? "data" : "an address"));
    if (its.data) {
      const auto lock = locks_.find(line_of(its.region));
      if (lock == locks_.end()) throw std::logic_error("internal: a record of data leaves whose line is not locked");
      if (--lock->second == 0) locks_.erase(lock);
    }
  }
  if (const AffineView::Predicate& its = view_.predicate; its.valid) predicate_ = {true, SmWarp(its.warp), its.lanes};
}

/// The k-th lane has the k-th unit that is accessed: from below, from above, or all the same.
AddressRecord AffineUnit::record_of(const AffineView::Address& address) {
  enum Order : unsigned { Up, Down, Same };  // LaneOrder
  AddressRecord record;
  record.valid = true;
  record.warp = SmWarp(address.warp);
  record.is_data = address.data;
  record.lanes = address.lanes;
  record.last = address.last;
  Lanes units = address.mask;
  isa::for_each_lane(address.lanes, [&](unsigned lane) {
    if (units == 0) throw std::logic_error("internal: an address record has more lanes than units");
    const auto unit = static_cast<unsigned>(address.order == Down ? 31 - __builtin_clz(units) : __builtin_ctz(units));
    record.address[lane] = address.region + (unit << address.size);
    if (address.order != Same) units &= ~(Lanes(1) << unit);
  });
  return record;
}

/// On the SIMT lanes.
void AffineUnit::compare(std::uint64_t cycle) {
  if (const AffineView::LaneCompare& its = view_.compare; its.valid) {
    ++counters_.statistics.affine_lane_compares;
    compares_ = true;
    compared_ = cycle + point_.alu_latency;
    holds_ = 0;
    std::uint32_t value = its.base;
    for (unsigned lane = its.first; lane < its.first + its.count; ++lane, value += its.offset)
      if (holds(its.comparison, value, its.scalar)) holds_ |= Lanes(1) << lane;
  }
  if (compares_ && cycle >= compared_) {
    drive_.lanes = {true, holds_};
    compares_ = false;
  }
}

void AffineUnit::drive() {
  if (!runs_) return;
  if (!joins_.empty()) {
    drive_.batch = joins_.front();
    joins_.pop_front();
  } else if (batch_ == Batch::Opening) {
    const unsigned rest = static_cast<unsigned>(block_.count()) % point_.lanes;
    warp_.launch(batch_warps_, rest == 0 ? 0 : tail_warps_, rest == 0 ? 0 : isa::first_lanes(rest), drive_);
    batch_ = Batch::Running;
  }
  drive_.request_ready = lsu_.early_ready();
  blocks_->drive(drive_);
  last_ = drive_;
}

void AffineUnit::rest() {
  drive_ = {};
  last_ = {};
  blocks_->drive(last_);
}

// ---- the clock gate ----

/// An edge follows from what the blocks show, what they were asked, and what is under way here: if all of that is as it
/// was at the last edge, which changed nothing, then the next one changes nothing.
bool AffineUnit::idle() const {
  if (!blocks_->rests().all()) return false;
  if (!runs_) return true;
  if (busy_ || warp_.is_busy() || compares_ || !there_.empty() || batch_ == Batch::Opening) return false;
  const AffineView view = blocks_->sample();
  return same_expansion(view, view_) && same_stack(view, view_);
}

std::vector<std::uint64_t> AffineUnit::shows() const {
  return {std::uint64_t(runs_),
          std::uint64_t(batch_),
          view_.used,
          view_.hold,
          view_.address_ready,
          view_.predicate_ready,
          view_.depth,
          view_.path.warps,
          view_.path.pc,
          warp_.outcomes(),
          warp_.pc(),
          locks_.size(),
          address_.lanes,
          predicate_.lanes,
          std::uint64_t(takes_slot()),
          std::uint64_t(done())};
}

bool AffineUnit::done() const {
  return !runs_ || (batch_ == Batch::None && view_.used == 0 && blocks_->rests().all());
}

void AffineUnit::check_end() const {
  if (!runs_) return;
  const auto left = [this](const std::string& what) {
    throw std::logic_error("internal: at the end of the launch " + what + "\n" + describe());
  };
  if (batch_ != Batch::None) left("the affine warp has not ended");
  if (view_.used != 0) left(fmt::format("{} tuples wait", view_.used));
  if (!locks_.empty()) left(fmt::format("line {:#x} is locked", locks_.begin()->first));
  if (view_.address_ready != 0) left(fmt::format("addresses of warps {:#x} are left", view_.address_ready));
  if (view_.predicate_ready != 0) left(fmt::format("predicates of warps {:#x} are left", view_.predicate_ready));
  if (warp_.outcomes() != 0) left(fmt::format("outcomes of warps {:#x} are left", warp_.outcomes()));
  if (!done() || compares_ || !there_.empty()) left("the blocks are not idle");
}

std::string AffineUnit::describe() const {
  if (!runs_) return "";
  return fmt::format(
      "  affine warp: {}; {} tuples wait, addresses for warps {:#x}, predicates for warps {:#x}, {} lines "
      "are locked\n",
      batch_ == Batch::Running ? warp_.describe() : "no batch runs", view_.used, view_.address_ready,
      view_.predicate_ready, locks_.size());
}

// ---- what the CTA unit asks and tells ----

bool AffineUnit::may_start(bool empty) const {
  if (batch_ == Batch::Collecting) return true;
  return batch_ == Batch::None && view_.used == 0 && joins_.empty() && (empty || !full_batches_);
}

void AffineUnit::started(unsigned cta, SmWarp first, const isa::Dim3& index) {
  AffineDrive::Batch record;
  record.op = AffineDrive::Batch::Op::Join;
  if (batch_ == Batch::None) {
    record.op = AffineDrive::Batch::Op::Open;
    batch_ = Batch::Collecting;
    batch_warps_ = tail_warps_ = 0;
  }
  record.cta = cta;
  record.first_warp = first.index();
  record.index_x = index.x, record.index_y = index.y, record.index_z = index.z;
  record.row = block_.x;
  record.rows = block_.y;
  record.plane = block_.x * block_.y;
  record.threads = static_cast<unsigned>(block_.count());
  joins_.push_back(record);
  const unsigned warps = (record.threads + point_.lanes - 1) / point_.lanes;
  for (unsigned warp = 0; warp < warps; ++warp) batch_warps_ |= bit(first.index() + warp);
  tail_warps_ |= bit(first.index() + warps - 1);
  ++counters_.statistics.affine_ctas;
  busy_ = true;
}

void AffineUnit::batch_is_complete() {
  if (batch_ != Batch::Collecting) return;
  batch_ = Batch::Opening;
  ++counters_.statistics.affine_batches;
}

/// Not before the blocks know of it; and a barrier that it passed in the last edge is not in `hold` yet.
bool AffineUnit::may_pass(unsigned cta) const {
  if (batch_ == Batch::Collecting || batch_ == Batch::Opening) return false;
  return ((view_.hold | last_.passed | drive_.passed) >> cta & 1) == 0;
}

void AffineUnit::passed(unsigned cta) {
  drive_.passed |= bit(cta);
  busy_ = true;
}

// ---- what the warps ask and tell ----

/// What a warp dequeues since the last edge is not in `ready` yet.
std::uint64_t AffineUnit::records(QueueOp queue) const {
  const bool is_predicate = queue == QueueOp::Predicate;
  std::uint64_t ready = is_predicate ? view_.predicate_ready : view_.address_ready;
  for (const AffineDrive* drive : {&last_, &drive_}) {
    const AffineDrive::Dequeue& dequeue = is_predicate ? drive->predicate : drive->address;
    if (dequeue.valid) ready &= ~bit(dequeue.warp);
  }
  return ready;
}

void AffineUnit::outcome(SmWarp warp, Lanes lanes, Lanes taken) {
  if ((taken & ~lanes) != 0) throw std::logic_error("internal: lanes take a branch that they do not execute");
  warp_.outcome(warp.index(), taken);
  busy_ = true;
}

void AffineUnit::dequeue(QueueOp queue, SmWarp warp) {
  AffineDrive::Dequeue& dequeue = queue == QueueOp::Predicate ? drive_.predicate : drive_.address;
  if (dequeue.valid) throw std::logic_error("internal: two warps dequeue from one kind of queue in one edge");
  if (!has_record(queue, warp))
    throw std::logic_error(fmt::format("internal: warp {} dequeues, and has no record", warp.index()));
  dequeue = {true, warp.index()};
  if (queue != QueueOp::Predicate) asked_[warp.index()] = queue;
  busy_ = true;
}

}  // namespace heddle
