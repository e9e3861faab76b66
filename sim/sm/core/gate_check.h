// SPDX-License-Identifier: Apache-2.0
// Does "idle" mean idle? Looks at an SM whose clock is not gated: over an edge at which all of it said idle, and
// nothing came from memory, nothing may change. It compares what is seen from outside and knows none of the parts'
// reasons.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

class GateCheck {
 public:
  struct Part {
    std::string name;
    std::vector<std::uint64_t> values;
  };

  /// Once a cycle, between edges. `replies` counts what came from memory so far; `shown` may be empty if not idle.
  /// \throws std::logic_error naming the part that changed though all was idle.
  void look(bool idle, std::uint64_t replies, std::vector<Part> shown);

 private:
  bool idle_ = false;
  std::uint64_t replies_ = 0;
  std::vector<Part> shown_;
};

}  // namespace heddle
