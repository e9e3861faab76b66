// SPDX-License-Identifier: Apache-2.0
// What the affine tuple queue means, without a clock and without SystemC processes: records are only carried.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "rtl/affine/affine.h"

namespace heddle::atq {

enum Unit { AddressUnit, PredicateUnit };

/// What the queue means: each CTA has a queue of its own of the tuples that it still needs, and a tuple stands in the
/// list of all as long as a CTA needs it. Knows no clock: step() takes what happens together.
template <class A>
class Model {
 public:
  using Enqueue = typename A::Enqueue;
  using Batch = typename A::Batch;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;

  struct Tuple {
    Enqueue record;
    unsigned for_ctas = 0, needed_by = 0;
  };
  struct Resident {
    bool in_batch = false;
    Cta cta;
    std::set<unsigned> slots;
    unsigned credits = 0;
    std::deque<std::shared_ptr<Tuple>> tuples;
  };
  /// What a cycle asks for.
  struct Wish {
    Batch batch;
    Enqueue enqueue;
    std::uint64_t passed = 0;
    std::optional<unsigned> pop[2];  // the CTA, a unit
  };
  /// Which of it was refused.
  struct Refused {
    bool batch = false, enqueue = false, pop[2] = {false, false}, pass = false;
    unsigned count() const { return batch + enqueue + pop[0] + pop[1] + pass; }
  };

  static constexpr unsigned MostCredits = 3;

  explicit Model(unsigned entries) : entries_(entries), residents_(A::Ctas) {}

  unsigned long used() const { return tuples_.size(); }
  bool full() const { return tuples_.size() == entries_; }
  bool started() const { return started_; }
  const Shape& shape() const { return shape_; }
  const Resident& resident(unsigned cta) const { return residents_[cta]; }
  bool held(unsigned cta) const { return residents_[cta].credits == MostCredits; }
  /// The tuple that came first.
  const Tuple* oldest() const { return tuples_.empty() ? nullptr : tuples_.front().get(); }

  TupleKind kind_at(unsigned cta) const {
    if (cta >= A::Ctas || residents_[cta].tuples.empty()) return TupleKind::None;
    return TupleKind(unsigned(residents_[cta].tuples.front()->record.kind));
  }
  bool has_work(Unit unit, unsigned cta) const {
    const TupleKind kind = kind_at(cta);
    return unit == PredicateUnit ? kind == TupleKind::Predicate : kind == TupleKind::Data || kind == TupleKind::Address;
  }

  /// Warp slots of a CTA, thread by thread.
  static std::set<unsigned> slots(unsigned first, unsigned threads) {
    std::set<unsigned> all;
    for (unsigned t = 0; t < threads; ++t) all.insert(first + t / A::Lanes);
    return all;
  }

  /// Which CTAs an entry for these warps is for.
  std::set<unsigned> ctas_of(std::uint64_t warps) const {
    std::set<unsigned> ctas;
    for (unsigned c = 0; c < A::Ctas; ++c) {
      for (const unsigned warp : residents_[c].slots) {
        if ((warps >> warp & 1) != 0) ctas.insert(c);
      }
    }
    return ctas;
  }

  std::set<unsigned> taken() const {
    std::set<unsigned> all;
    for (const Resident& resident : residents_) all.insert(resident.slots.begin(), resident.slots.end());
    return all;
  }

  bool fits(const Batch& batch, unsigned threads) const {
    if (batch.cta >= A::Ctas || threads == 0) return false;
    return *slots(batch.first_warp, threads).rbegin() < A::Warps;
  }

  bool is_legal(const Batch& batch) const {
    switch (unsigned(batch.op)) {
      case unsigned(BatchOp::None):
        return true;
      case unsigned(BatchOp::Open):
        return tuples_.empty() && fits(batch, batch.threads) && batch.row > 0 && batch.rows > 0 &&
               batch.plane >= batch.row && batch.threads >= batch.plane;
      case unsigned(BatchOp::Join):
        break;
      default:
        return false;
    }
    if (started_ || !fits(batch, shape_.threads) || residents_[batch.cta].in_batch) return false;
    const std::set<unsigned> others = taken();
    for (const unsigned warp : slots(batch.first_warp, shape_.threads)) {
      if (others.count(warp) != 0) return false;
    }
    return true;
  }

  bool is_legal(const Enqueue& enqueue, const Batch& batch) const {
    const auto kind = TupleKind(unsigned(enqueue.kind));
    if (kind == TupleKind::None) return true;
    if (full() || batch.op != 0 || ctas_of(enqueue.warps).empty()) return false;
    if (kind == TupleKind::Data || kind == TupleKind::Address) return enqueue.size < 3;
    if (kind == TupleKind::Predicate) return enqueue.compare < 10;
    return kind == TupleKind::Barrier;
  }

  Refused step(const Wish& wish) {
    // All is judged by what was before.
    Refused refused;
    refused.batch = !is_legal(wish.batch);
    refused.enqueue = !is_legal(wish.enqueue, wish.batch);
    std::set<unsigned> served;
    for (const Unit unit : {AddressUnit, PredicateUnit}) {
      if (!wish.pop[unit]) continue;
      refused.pop[unit] = !has_work(unit, *wish.pop[unit]);
      if (!refused.pop[unit]) served.insert(*wish.pop[unit]);
    }
    for (unsigned c = 0; c < A::Ctas; ++c) {
      Resident& resident = residents_[c];
      if ((wish.passed >> c & 1) != 0) {
        if (!resident.in_batch || held(c))
          refused.pass = true;
        else
          ++resident.credits;
      }
      if (kind_at(c) == TupleKind::Barrier && resident.credits > 0) {
        --resident.credits;
        served.insert(c);
      }
    }
    for (const unsigned c : served) {
      --residents_[c].tuples.front()->needed_by;
      residents_[c].tuples.pop_front();
    }
    if (!tuples_.empty() && tuples_.front()->needed_by == 0) tuples_.pop_front();
    if (wish.enqueue.kind != 0 && !refused.enqueue) {
      tuples_.push_back(std::make_shared<Tuple>());
      tuples_.back()->record = wish.enqueue;
      for (const unsigned c : ctas_of(wish.enqueue.warps)) {
        residents_[c].tuples.push_back(tuples_.back());
        ++tuples_.back()->for_ctas;
        ++tuples_.back()->needed_by;
      }
      started_ = true;
    }
    if (wish.batch.op != 0 && !refused.batch) enter(wish.batch);
    return refused;
  }

 private:
  unsigned entries_;
  std::deque<std::shared_ptr<Tuple>> tuples_;
  std::vector<Resident> residents_;
  Shape shape_;
  bool started_ = false;

  void enter(const Batch& batch) {
    if (batch.op == unsigned(BatchOp::Open)) {
      residents_.assign(A::Ctas, Resident());
      started_ = false;
      shape_.row = batch.row;
      shape_.rows = batch.rows;
      shape_.plane = batch.plane;
      shape_.threads = batch.threads;
    }
    Resident& resident = residents_[batch.cta];
    resident.in_batch = true;
    resident.slots = slots(batch.first_warp, shape_.threads);
    resident.cta.first_warp = batch.first_warp;
    resident.cta.index_x = batch.index_x;
    resident.cta.index_y = batch.index_y;
    resident.cta.index_z = batch.index_z;
  }
};

}  // namespace heddle::atq
