// SPDX-License-Identifier: Apache-2.0
// Which requests of each row are not answered yet: what fences wait for. Requests have numbers in the order in which they
// were sent; a fence remembers the number that the next one will get, and waits for those below it. So it ends however
// many requests others send meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sm/links/threads.h"

namespace heddle {

class RequestOrder {
 public:
  explicit RequestOrder(unsigned rows) : unanswered_(rows) {}

  /// Sets whether requests are kept: in a launch without fences none is. \pre no request is under way
  void track(bool tracks) { tracks_ = tracks; }
  /// The number of the next request; the first one has 1.
  std::uint64_t next() const { return next_; }
  /// \return the request's number; 0: it is not tracked
  std::uint64_t sent(const Threads& threads, isa::Lanes lanes);
  void answered(const Threads& threads, isa::Lanes lanes, std::uint64_t number);
  /// Are all requests with threads of this row and numbers below `end` answered?
  bool is_answered(SmWarp row, std::uint64_t end) const {
    return unanswered_[row.index()].empty() || unanswered_[row.index()].front() >= end;
  }

 private:
  std::vector<std::vector<std::uint64_t>> unanswered_;  // by row, ascending
  std::uint64_t next_ = 1;
  bool tracks_ = false;
};

}  // namespace heddle
