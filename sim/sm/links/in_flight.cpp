// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/in_flight.h"

namespace heddle {

unsigned InFlightPool::take() {
  if (free_.empty()) {
    free_.push_back(static_cast<unsigned>(records_.size()));
    records_.emplace_back();
  }
  const unsigned token = free_.back();
  free_.pop_back();
  return token;
}

}  // namespace heddle
