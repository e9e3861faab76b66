// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory_subsystem.h"

#include <algorithm>
#include <string>

namespace heddle {

memory_subsystem::memory_subsystem(const sc_core::sc_module_name& name, unsigned sms, const L1Parameters& l1,
                                   const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> below,
                                   const BesideL1& beside)
    : sc_module(name), below_(std::move(below)) {
  for (unsigned i = 0; i < sms; ++i) {
    l1s_.push_back(std::make_unique<l1_cache>(("l1_" + std::to_string(i)).c_str(), l1, period));
    const std::string number = std::to_string(i);
    sockets_.push_back(&monitors_.before("l1_" + number, l1s_.back()->socket));
    const bool has_constants = beside.constants.bytes != 0;
    const unsigned ports = 1 + beside.code + has_constants;
    tlm::tlm_initiator_socket<>* data = &l1s_.back()->memory_socket;
    if (beside.prefetches.bytes != 0) {
      prefetches_.push_back(
          std::make_unique<prefetch_buffer>(("prefetches_" + number).c_str(), beside.prefetches, period));
      prefetches_.back()->spare([l1 = l1s_.back().get()](std::uint64_t line) { return l1->has_or_awaits(line); });
      data->bind(monitors_.before("prefetches_" + number, prefetches_.back()->socket));
      data = &prefetches_.back()->memory_socket;
    }
    if (ports == 1) {
      below_->bind(i, monitors_.behind("below_" + number, *data));
      continue;
    }
    ways_down_.push_back(std::make_unique<memory_multiplexer>(("way_down_" + number).c_str(), ports));
    memory_multiplexer& way_down = *ways_down_.back();
    data->bind(monitors_.before("data_" + number, way_down.port(0)));
    below_->bind(i, monitors_.behind("below_" + number, way_down.memory_socket));
    if (beside.code) code_sockets_.push_back(&monitors_.before("code_" + number, way_down.port(1)));
    if (!has_constants) continue;
    constants_.push_back(std::make_unique<l1_cache>(("constants_" + number).c_str(), beside.constants, period));
    constant_sockets_.push_back(&monitors_.before("constants_l1_" + number, constants_.back()->socket));
    constants_.back()->memory_socket.bind(monitors_.before("constants_down_" + number, way_down.port(ports - 1)));
  }
}

bool memory_subsystem::idle() const {
  const auto is_idle = [](const auto& module) { return module->idle(); };
  return std::all_of(l1s_.begin(), l1s_.end(), is_idle) && std::all_of(constants_.begin(), constants_.end(), is_idle) &&
         std::all_of(prefetches_.begin(), prefetches_.end(), is_idle) &&
         std::all_of(ways_down_.begin(), ways_down_.end(), is_idle) && below_->idle();
}

void memory_subsystem::settle() {
  monitors_.check_drained();
  for (const auto* caches : {&l1s_, &constants_})
    for (const auto& cache : *caches) check_all_returned(cache->name(), cache->pool());
  for (const auto& buffer : prefetches_) check_all_returned(buffer->name(), buffer->pool());
  below_->settle();
}

void memory_subsystem::acquire(unsigned sm) {
  l1s_[sm]->acquire();
  if (!prefetches_.empty()) prefetches_[sm]->acquire();
}

void memory_subsystem::invalidate_l1s() {
  for (const auto& l1 : l1s_) l1->invalidate();
  for (const auto& cache : constants_) cache->invalidate();
  for (const auto& buffer : prefetches_) buffer->invalidate();
}

}  // namespace heddle
