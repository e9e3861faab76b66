// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/core/gate_check.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace heddle {

void GateCheck::look(bool idle, std::uint64_t replies, std::vector<Part> shown) {
  if (idle_ && replies == replies_) {
    if (!idle) throw std::logic_error("internal: all of the SM was idle, and without a reply it no longer is");
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (shown[i].values != shown_[i].values)
        throw std::logic_error(fmt::format("internal: all of the SM was idle, and its {} changed", shown[i].name));
    }
  }
  idle_ = idle;
  replies_ = replies;
  shown_ = std::move(shown);
}

}  // namespace heddle
