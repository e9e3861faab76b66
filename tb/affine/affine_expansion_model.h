// SPDX-License-Identifier: Apache-2.0
// Reference model of the assembled unit: what each non-affine warp must dequeue, in order, evaluated thread by thread.
// It knows no queue, no lock, no clock.
#pragma once

#include <deque>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "tb/affine/affine_values.h"

namespace heddle::bench {

/// An enq instruction of the affine warp.
struct AffineEntry {
  enum class Kind { Data, Address, Predicate, Barrier } kind = Kind::Address;
  unsigned size = 2;  ///< bytes are 1 << size
  unsigned compare = 0;
  AffineTuple tuple, scalar;
  std::set<unsigned> warps, lanes;
};

/// One deq instruction of one warp, as far as it is not done.
struct AffineAction {
  AffineEntry::Kind kind;
  std::map<unsigned, std::uint64_t> addresses;  ///< of the lanes that still wait for theirs
  std::set<unsigned> outcomes;                  ///< lanes whose predicate holds
  unsigned cta = 0;                             ///< slot
  bool is_expanded = false;                     ///< a predicate: the affine warp has been told
};

/// What a record says, decoded.
struct AffineRecord {
  bool data = false, last = false;
  unsigned size = 0;
  std::map<unsigned, std::uint64_t> addresses;
};

class AffineExpansionModel {
 public:
  AffineExpansionModel(unsigned lanes, unsigned word_bits) : lanes_(lanes), word_(word_bits) {}

  /// A new batch; all that was enqueued has been dequeued.
  void open(const Dim& dim) {
    for (const auto& [warp, actions] : programs_) {
      if (!actions.empty()) throw std::logic_error(fmt::format("warp {} is not done with the last batch", warp));
    }
    dim_ = dim;
    ctas_.clear();
  }
  void join(const AffineCta& cta) { ctas_.push_back(cta); }

  unsigned threads() const { return static_cast<unsigned>(dim_[0] * dim_[1] * dim_[2]); }
  unsigned warps() const { return (threads() + lanes_ - 1) / lanes_; }
  const std::vector<AffineCta>& ctas() const { return ctas_; }

  void enqueue(const AffineEntry& entry) {
    for (const AffineCta& cta : ctas_) {
      if (entry.kind == AffineEntry::Kind::Barrier) {
        if (!touches(entry, cta)) continue;
        for (unsigned w = 0; w < warps(); ++w)
          programs_[cta.first_warp + w].push_back({entry.kind, {}, {}, cta.slot, false});
        continue;
      }
      for (unsigned w = 0; w < warps(); ++w) {
        if (entry.warps.count(cta.first_warp + w) != 0) add(entry, cta, w);
      }
    }
  }

  /// What the warp must do next, or nothing.
  const AffineAction* next(unsigned warp) const {
    const auto it = programs_.find(warp);
    return it == programs_.end() || it->second.empty() ? nullptr : &it->second.front();
  }
  bool idle() const {
    for (const auto& program : programs_) {
      if (!program.second.empty()) return false;
    }
    return true;
  }

  /// The warp has dequeued this address record. \return what is wrong with it, or nothing
  std::string address(unsigned warp, const AffineRecord& record) {
    const AffineAction* action = next(warp);
    const bool data = action != nullptr && action->kind == AffineEntry::Kind::Data;
    if (action == nullptr || (!data && action->kind != AffineEntry::Kind::Address)) return "no address is due";
    if (data != record.data) return "data and address are mixed up";
    AffineAction& due = programs_[warp].front();
    for (const auto& [lane, address] : record.addresses) {
      const auto it = due.addresses.find(lane);
      if (it == due.addresses.end()) return fmt::format("lane {} is not due", lane);
      if (it->second != address) return fmt::format("lane {}: {:#x}, expected {:#x}", lane, address, it->second);
      due.addresses.erase(it);
    }
    if (record.addresses.empty()) return "a record for no lane";
    if (record.last != due.addresses.empty())
      return record.last ? "lanes are left out" : "the last record is not marked";
    if (record.last) programs_[warp].pop_front();
    return {};
  }

  /// A predicate of this warp has been expanded, and not been dequeued yet. \return what is wrong with it, or nothing
  std::string expanded(unsigned warp, const std::set<unsigned>& outcomes) {
    const auto program = programs_.find(warp);
    if (program == programs_.end()) return "no predicate is due";
    for (AffineAction& action : program->second) {
      if (action.kind != AffineEntry::Kind::Predicate || action.is_expanded) continue;
      action.is_expanded = true;
      return action.outcomes == outcomes ? std::string() : "the outcome is wrong";
    }
    return "no predicate is due";
  }

  std::string predicate(unsigned warp, const std::set<unsigned>& outcomes) {
    const AffineAction* action = next(warp);
    if (action == nullptr || action->kind != AffineEntry::Kind::Predicate) return "no predicate is due";
    if (!action->is_expanded) return "its expansion was not told";
    if (action->outcomes != outcomes) return "the outcome is wrong";
    programs_[warp].pop_front();
    return {};
  }

  /// Whether the entry is for some warp of the CTA.
  bool touches(const AffineEntry& entry, const AffineCta& cta) const {
    for (unsigned w = 0; w < warps(); ++w) {
      if (entry.warps.count(cta.first_warp + w) != 0) return true;
    }
    return false;
  }

  /// Whether every warp of the CTA has come to a barrier.
  bool waits(const AffineCta& cta) const {
    for (unsigned w = 0; w < warps(); ++w) {
      const AffineAction* action = next(cta.first_warp + w);
      if (action == nullptr || action->kind != AffineEntry::Kind::Barrier) return false;
    }
    return true;
  }
  void pass(const AffineCta& cta) {
    for (unsigned w = 0; w < warps(); ++w) programs_[cta.first_warp + w].pop_front();
  }
  void forget() {
    programs_.clear();
    ctas_.clear();
  }

 private:
  /// Warp w of the CTA takes part.
  void add(const AffineEntry& entry, const AffineCta& cta, unsigned w) {
    AffineAction action{entry.kind, {}, {}, cta.slot, false};
    for (const unsigned lane : entry.lanes) {
      const unsigned thread = w * lanes_ + lane;
      if (thread >= threads()) continue;
      const Dim index = WordOf::thread_index(dim_, thread);
      const std::uint64_t value = word_.value(entry.tuple, index, cta.index);
      if (entry.kind != AffineEntry::Kind::Predicate) {
        action.addresses[lane] = value;
      } else if (word_.compares(entry.compare, value, word_.value(entry.scalar, index, cta.index))) {
        action.outcomes.insert(lane);
      }
    }
    const bool nothing = entry.kind != AffineEntry::Kind::Predicate && action.addresses.empty();
    if (!nothing) programs_[cta.first_warp + w].push_back(action);
  }

  unsigned lanes_;
  WordOf word_;
  Dim dim_{1, 1, 1};
  std::vector<AffineCta> ctas_;
  std::map<unsigned, std::deque<AffineAction>> programs_;
};

}  // namespace heddle::bench
