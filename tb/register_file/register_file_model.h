// SPDX-License-Identifier: Apache-2.0
// What a register file means: words under (home lane, row), requests that are served a round at a time. Knows no clock
// and no wires; shares no code with the block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::bench {

class RegisterModel {
 public:
  /// A thread's slot and what is wanted there.
  struct Asked {
    unsigned lane, home;
    std::uint64_t first, second;  ///< rows that are read; or the row that is written, and the word
  };
  using Request = std::vector<Asked>;
  using Pair = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;  ///< nothing: never written

  /// \param queues  threads of one home lane wait for each other
  explicit RegisterModel(bool queues) : queues_(queues) {}

  bool reading() const { return reads_.waits(); }
  bool writing() const { return writes_.waits(); }
  /// Rounds that this request takes: the most threads of one home lane.
  unsigned rounds(const Request& request) const {
    std::map<unsigned, unsigned> threads;
    unsigned most = request.empty() ? 0 : 1;
    for (const Asked& asked : request) {
      if (queues_) most = std::max(most, ++threads[asked.home]);
    }
    return most;
  }

  void read(const Request& request) {
    reads_.come(request, queues_);
    if (!request.empty()) answer_.clear();
  }
  void write(const Request& request) { writes_.come(request, queues_); }

  /// One round; true: the read request is answered.
  bool round() {
    const bool asked = reads_.waits();
    for (const Asked& read : reads_.next(queues_))
      answer_[read.lane] = {word(read.home, read.first), word(read.home, read.second)};
    for (const Asked& put : writes_.next(queues_)) words_[{put.home, put.first}] = put.second;
    return asked && !reads_.waits();
  }
  /// By lane, those that were active.
  const std::map<unsigned, Pair>& answer() const { return answer_; }

  std::optional<std::uint64_t> word(unsigned home, std::uint64_t row) const {
    const auto it = words_.find({home, row});
    return it == words_.end() ? std::nullopt : std::optional(it->second);
  }
  const std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t>& words() const { return words_; }
  void forget_requests() {
    reads_ = Queues();
    writes_ = Queues();
  }

 private:
  /// The lanes that wait for each home lane.
  struct Queues {
    std::map<unsigned, std::deque<Asked>> of;

    bool waits() const { return !of.empty(); }
    void come(const Request& request, bool queues) {
      for (const Asked& asked : request) of[queues ? asked.home : 0].push_back(asked);
    }
    Request next(bool queues) {
      Request served;
      for (auto& [home, queue] : of) {
        const std::size_t count = queues ? 1 : queue.size();
        served.insert(served.end(), queue.begin(), queue.begin() + static_cast<long>(count));
        queue.erase(queue.begin(), queue.begin() + static_cast<long>(count));
      }
      for (auto it = of.begin(); it != of.end();) it = it->second.empty() ? of.erase(it) : std::next(it);
      return served;
    }
  };

  bool queues_;
  Queues reads_, writes_;
  std::map<unsigned, Pair> answer_;
  std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> words_;
};

}  // namespace heddle::bench
