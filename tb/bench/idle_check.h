// SPDX-License-Identifier: Apache-2.0
// What idle_o promises, checked on what one sees and not on how the block makes it: idle in a cycle without a request,
// then the next cycle looks the same and is idle too; and after some cycles without a request the block is idle.
#pragma once

#include <string>

#include "tb/bench/bench.h"

namespace heddle::bench {

class IdleCheck {
 public:
  /// \param bound  so many cycles without a request at most until the block is idle
  explicit IdleCheck(unsigned bound) : bound_(bound) {}

  /// In a cycle, before its edge. A reset is a request. `see` gives outputs and state as text. `waits`: the block may
  /// have to wait for something outside, as long as it takes.
  template <class See>
  void before(bool idle, bool requested, See&& see, bool waits = false) {
    quiet_ = requested || waits ? 0 : quiet_ + 1;
    rests_ = idle && !requested;
    if (rests_) seen_ = see();
  }

  /// After the edge.
  template <class See>
  void after(Checker& check, bool idle, See&& see) const {
    if (rests_) {
      check.equal("idle_o: nothing changes", see(), seen_);
      check.equal("idle_o stays", idle, true);
    }
    if (quiet_ >= bound_) check.equal("idle_o, long after the last request", idle, true);
  }

 private:
  unsigned bound_, quiet_ = 0;
  bool rests_ = false;
  std::string seen_;
};

}  // namespace heddle::bench
