// SPDX-License-Identifier: Apache-2.0
// Reference model of dynamic warp formation: threads, warps and a few lists; no clock and no masks.
//
// Operations come in rounds: issue() at most one warp, enter() up to two groups of threads in order, close(). What is
// freed in a round can be taken in the next. release() opens a barrier. Which warp goes is the issue logic's: its own
// bench holds it to the policy, this model says whether the warp can go, and which threads it has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::bench {

struct FormationShape {
  unsigned threads, lanes, pc_bits, data_bits, sets;
  bool lane_aware, swizzle;
};

/// Threads by the lane (or position) they have.
using Seats = std::map<unsigned, unsigned>;

/// Threads with one next PC, on their way into the pool.
struct FormationGroup {
  Seats threads;
  std::uint64_t pc = 0;
  unsigned cta = 0;
  std::uint64_t data = 0;
  bool waits = false;
};

using FormationWarp = FormationGroup;

/// A warp in the last stage: every thread has a next PC.
struct FormationCommit {
  std::map<unsigned, std::pair<unsigned, std::uint64_t>> lanes;  ///< lane: thread, next PC
  unsigned cta = 0;
  std::uint64_t data = 0;
  bool passed = false, waits = false;
};

class FormationModel {
 public:
  explicit FormationModel(const FormationShape& shape) : shape_(shape), sets_(shape.sets) {
    for (unsigned i = 0; i < shape.threads; ++i) free_.push_back(i);
  }

  // ---- the last stage ----
  /// The groups of up to two PCs, first lane first; they leave `commit`.
  std::vector<FormationGroup> split(FormationCommit& commit) const {
    std::vector<FormationGroup> groups;
    while (!commit.lanes.empty() && groups.size() < 2) {
      FormationGroup group;
      group.pc = commit.lanes.begin()->second.second;
      group.cta = commit.cta;
      group.waits = commit.waits;
      const std::uint64_t most =
          shape_.data_bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << shape_.data_bits) - 1;
      group.data = std::min(commit.data + (commit.passed ? 1 : 0), most);
      for (auto it = commit.lanes.begin(); it != commit.lanes.end();) {
        if (it->second.second == group.pc) {
          group.threads[it->first] = it->second.first;
          it = commit.lanes.erase(it);
        } else {
          ++it;
        }
      }
      groups.push_back(seated(group));
    }
    return groups;
  }

  /// Where a thread's registers are.
  unsigned home(unsigned thread) const {
    const unsigned warp = thread / shape_.lanes, lane = thread % shape_.lanes;
    if (!shape_.swizzle || warp % 2 == 0) return lane;
    const unsigned other = lane % 2 == 0 ? lane + 1 : lane - 1;
    return other < shape_.lanes ? other : lane;
  }

  FormationGroup start(const std::set<unsigned>& threads, unsigned cta, std::uint64_t pc) const {
    FormationGroup group;
    group.pc = pc;
    group.cta = cta;
    for (const unsigned thread : threads) group.threads[home(thread)] = thread;
    return seated(group);
  }

  // ---- a round ----
  bool can_go(unsigned idx) const {
    const auto it = pool_.find(idx);
    return it != pool_.end() && !it->second.waits;
  }
  bool any_can_go() const {
    return std::any_of(pool_.begin(), pool_.end(), [](const auto& w) { return !w.second.waits; });
  }

  FormationWarp issue(unsigned idx) {
    const FormationWarp warp = pool_.at(idx);
    pool_.erase(idx);
    for (auto& set : sets_) set.remove_if([idx](const Target& t) { return t.idx == idx; });
    freed_.push_back(idx);
    return warp;
  }

  struct Entered {
    bool hit = false, conflict = false, evict = false;
    unsigned merged_into = 0, opened = 0;  ///< entries; meaningful when threads went there
    std::size_t merged = 0, open = 0;      ///< threads
  };

  /// The threads find their warp.
  Entered enter(const FormationGroup& group) {
    Entered done;
    FormationGroup rest = group;
    auto& set = sets_[set_of(group)];
    const auto target =
        std::find_if(set.begin(), set.end(), [&](const Target& t) { return t.pc == group.pc && t.cta == group.cta; });
    done.hit = !group.waits && target != set.end();
    if (done.hit) {
      FormationWarp& warp = pool_.at(target->idx);
      rest.threads.clear();
      for (const auto& [lane, thread] : group.threads) {
        if (shape_.lane_aware) {
          if (!warp.threads.emplace(lane, thread).second) rest.threads[lane] = thread;
        } else if (warp.threads.size() < shape_.lanes) {
          warp.threads.emplace(static_cast<unsigned>(warp.threads.size()), thread);
        } else {
          rest.threads.emplace(static_cast<unsigned>(rest.threads.size()), thread);
        }
      }
      done.merged = group.threads.size() - rest.threads.size();
      done.merged_into = target->idx;
      if (done.merged != 0) warp.data = std::max(warp.data, group.data);
      done.conflict = !rest.threads.empty();
    }
    if (!rest.threads.empty()) {
      done.open = rest.threads.size();
      done.opened = open(rest);
    }
    if (!group.waits) {
      const unsigned idx = rest.threads.empty() ? target->idx : done.opened;
      if (done.hit) set.erase(target);
      set.push_front({group.pc, group.cta, idx});  // the one used last comes first
      if (set.size() > 2) {
        set.pop_back();
        done.evict = true;
      }
    }
    return done;
  }

  void close() {
    free_.insert(free_.end(), freed_.begin(), freed_.end());
    freed_.clear();
  }

  void release(unsigned cta) {
    for (auto& warp : pool_) {
      if (warp.second.cta == cta) warp.second.waits = false;
    }
  }

  const std::map<unsigned, FormationWarp>& pool() const { return pool_; }
  /// The warp that a thread with this next PC would join.
  std::optional<unsigned> target(std::uint64_t pc, unsigned cta) const {
    for (const auto& set : sets_) {
      for (const Target& t : set) {
        if (t.pc == pc && t.cta == cta) return t.idx;
      }
    }
    return std::nullopt;
  }
  std::size_t targets() const {
    std::size_t n = 0;
    for (const auto& set : sets_) n += set.size();
    return n;
  }

 private:
  struct Target {
    std::uint64_t pc;
    unsigned cta, idx;
  };

  FormationGroup seated(FormationGroup group) const {
    if (shape_.lane_aware) return group;
    Seats seats;
    for (const auto& [lane, thread] : group.threads) seats.emplace(static_cast<unsigned>(seats.size()), thread);
    group.threads = seats;
    return group;
  }

  unsigned open(const FormationGroup& group) {
    const unsigned idx = free_.front();
    free_.pop_front();
    pool_[idx] = group;
    return idx;
  }

  /// Bit b of the set is the parity of every PC bit at b modulo the set's width, and of the CTA's bit b.
  unsigned set_of(const FormationGroup& group) const {
    unsigned width = 0;
    while ((1U << width) < shape_.sets) ++width;
    if (width == 0) return 0;
    unsigned set = group.cta % shape_.sets;
    for (unsigned b = 0; b < shape_.pc_bits; ++b) {
      if ((group.pc >> b & 1) != 0) set ^= 1U << b % width;
    }
    return set;
  }

  FormationShape shape_;
  std::map<unsigned, FormationWarp> pool_;
  std::deque<unsigned> free_;
  std::vector<unsigned> freed_;
  std::vector<std::list<Target>> sets_;
};

}  // namespace heddle::bench
