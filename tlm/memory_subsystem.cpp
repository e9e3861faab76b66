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
    const bool has_constants = beside.constants.bytes != 0;
    const unsigned ports = 1 + beside.code + has_constants;
    if (ports == 1) {
      below_->bind(i, l1s_.back()->memory_socket);
      continue;
    }
    ways_down_.push_back(std::make_unique<memory_multiplexer>(("way_down_" + std::to_string(i)).c_str(), ports));
    memory_multiplexer& way_down = *ways_down_.back();
    l1s_.back()->memory_socket.bind(way_down.port(0));
    below_->bind(i, way_down.memory_socket);
    if (!has_constants) continue;
    constants_.push_back(
        std::make_unique<l1_cache>(("constants_" + std::to_string(i)).c_str(), beside.constants, period));
    constants_.back()->memory_socket.bind(way_down.port(ports - 1));
  }
}

bool memory_subsystem::idle() const {
  const auto is_idle = [](const auto& module) { return module->idle(); };
  return std::all_of(l1s_.begin(), l1s_.end(), is_idle) && std::all_of(constants_.begin(), constants_.end(), is_idle) &&
         std::all_of(ways_down_.begin(), ways_down_.end(), is_idle) && below_->idle();
}

void memory_subsystem::invalidate_l1s() {
  for (const auto& l1 : l1s_) l1->invalidate();
  for (const auto& cache : constants_) cache->invalidate();
}

}  // namespace heddle
