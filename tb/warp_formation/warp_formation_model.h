// Reference model of dynamic warp formation: threads, warps and a few lists; no clock and no masks.
//
// Operations come in rounds: choose() and issue() at most one warp, enter() up to two groups of threads in order,
// close(). What is freed in a round can be taken in the next. release() opens a barrier.
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
  unsigned threads, lanes, pc_bits, data_bits, sets, slots;
  enum class Order { Majority, Minority, TimeStamp, PostDominator, ProgramCounter } order;
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

struct FormationWarp : FormationGroup {
  bool counted = false;
  unsigned long born = 0;
};

/// A warp in the last stage: every thread has a next PC.
struct FormationCommit {
  std::map<unsigned, std::pair<unsigned, std::uint64_t>> lanes;  ///< lane: thread, next PC
  unsigned cta = 0;
  std::uint64_t data = 0;
  bool passed = false, waits = false;
};

class FormationModel {
 public:
  explicit FormationModel(const FormationShape& shape) : shape_(shape), sets_(shape.sets), table_(shape.slots) {
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
  /// The entry of the warp that the policy wants next.
  std::optional<unsigned> choose() const {
    std::vector<unsigned> best;
    std::uint64_t least = 0;
    const bool counts = counting();
    const bool uncounted = counts && !begun_ && std::any_of(pool_.begin(), pool_.end(), [](const auto& w) {
                             return !w.second.waits && !w.second.counted;
                           });
    for (const auto& [idx, warp] : pool_) {
      if (warp.waits) continue;
      if (counts && (uncounted ? warp.counted : !aim_ || !warp.counted || warp.pc != *aim_)) continue;
      const std::uint64_t key = shape_.order == FormationShape::Order::TimeStamp        ? warp.born
                                : shape_.order == FormationShape::Order::PostDominator  ? warp.data
                                : shape_.order == FormationShape::Order::ProgramCounter ? warp.pc
                                                                                        : 0;
      if (best.empty() || key < least) best.clear(), least = key;
      if (key == least) best.push_back(idx);
    }
    if (best.empty()) return std::nullopt;
    const auto ahead = std::lower_bound(best.begin(), best.end(), turn_);
    return ahead != best.end() ? *ahead : best.front();
  }

  FormationWarp issue(unsigned idx) {
    const FormationWarp warp = pool_.at(idx);
    const std::uint64_t before = counting() ? tracked(warp.pc) : 0;
    pool_.erase(idx);
    for (auto& set : sets_) set.remove_if([idx](const Target& t) { return t.idx == idx; });
    freed_.push_back(idx);
    turn_ = (idx + 1) % shape_.threads;
    if (warp.counted && before != 0) {
      const auto at = std::find(table_.begin(), table_.end(), std::optional(warp.pc));
      if (tracked(warp.pc) == 0) at->reset();
      if (at + 1 != table_.end() && tracked(*at) < tracked(*(at + 1))) std::swap(*at, *(at + 1));
      if (shape_.order == FormationShape::Order::Majority) begun_ = true;
    }
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
      if (counting() && !overflow_) count(group.pc);
    }
    return done;
  }

  /// True when the table has overflowed.
  bool close() {
    free_.insert(free_.end(), freed_.begin(), freed_.end());
    freed_.clear();
    const bool overflowed = overflow_;
    if (overflow_) {
      for (auto& set : sets_) set.clear();
      for (auto& warp : pool_) warp.second.counted = false;
      for (auto& row : table_) row.reset();
      begun_ = false;
      overflow_ = false;
    }
    if (!(begun_ && aim_ && tracked(*aim_) != 0)) {
      begun_ = false;
      aim_.reset();
      for (const auto& row : table_) {
        if (!row) continue;
        if (!aim_ || (shape_.order == FormationShape::Order::Minority && tracked(*row) < tracked(*aim_))) aim_ = row;
      }
    }
    return overflowed;
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
  /// Rows of the table in their order: PC and threads; a free slot has none.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> table() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
    for (const auto& row : table_) rows.emplace_back(row.value_or(0), row ? tracked(*row) : 0);
    return rows;
  }
  bool counting() const {
    return shape_.order == FormationShape::Order::Majority || shape_.order == FormationShape::Order::Minority;
  }
  bool begun() const { return begun_; }
  std::optional<std::uint64_t> aim() const { return aim_; }

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
    FormationWarp warp;
    static_cast<FormationGroup&>(warp) = group;
    warp.counted = counting() && !group.waits;
    warp.born = ++births_;
    pool_[idx] = warp;
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

  /// Threads of this PC that the table knows.
  std::uint64_t tracked(std::optional<std::uint64_t> pc) const {
    std::uint64_t threads = 0;
    if (pc) {
      for (const auto& warp : pool_) {
        if (warp.second.counted && warp.second.pc == *pc) threads += warp.second.threads.size();
      }
    }
    return threads;
  }

  /// Threads of this PC have come in.
  void count(std::uint64_t pc) {
    auto at = std::find(table_.begin(), table_.end(), std::optional(pc));
    if (at == table_.end()) at = std::find(table_.begin(), table_.end(), std::nullopt);
    if (at == table_.end()) {
      overflow_ = true;
      return;
    }
    *at = pc;
    if (at != table_.begin() && tracked(*at) > tracked(*(at - 1))) std::swap(*at, *(at - 1));
  }

  FormationShape shape_;
  std::map<unsigned, FormationWarp> pool_;
  std::deque<unsigned> free_;
  std::vector<unsigned> freed_;
  std::vector<std::list<Target>> sets_;
  std::vector<std::optional<std::uint64_t>> table_;
  std::optional<std::uint64_t> aim_;
  bool begun_ = false, overflow_ = false;
  unsigned turn_ = 0;
  unsigned long births_ = 0;
};

}  // namespace heddle::bench
