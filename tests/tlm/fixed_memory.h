// SPDX-License-Identifier: Apache-2.0
// L1s before a memory of one latency and one bandwidth: what tests of the L1 and of the load/store unit stand on.
#pragma once

#include <memory>
#include <string>

#include "tlm/fixed_memory.h"
#include "tlm/memory_subsystem.h"

namespace heddle_test {

struct FixedMemory {
  unsigned sms = 1;
  heddle::L1Parameters l1;
  heddle::DramParameters dram;
  heddle::BesideL1 beside;

  std::unique_ptr<heddle::memory_subsystem> make(const std::string& name, const sc_core::sc_time& period,
                                                 heddle::BackingStore& store) const {
    return std::make_unique<heddle::memory_subsystem>(
        name.c_str(), sms, l1, period,
        std::make_unique<heddle::fixed_memory>((name + "_below").c_str(), sms, dram, period, store), beside);
  }
};

}  // namespace heddle_test
