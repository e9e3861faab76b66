#include "tlm/memory_subsystem.h"

#include <algorithm>
#include <string>

namespace heddle {

memory_subsystem::memory_subsystem(const sc_core::sc_module_name& name, unsigned sms, const L1Parameters& l1,
                                   const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> below, bool has_code)
    : sc_module(name), below_(std::move(below)) {
  for (unsigned i = 0; i < sms; ++i) {
    l1s_.push_back(std::make_unique<l1_cache>(("l1_" + std::to_string(i)).c_str(), l1, period));
    const std::string number = std::to_string(i);
    sockets_.push_back(&monitors_.before("l1_" + number, l1s_.back()->socket));
    if (!has_code) {
      below_->bind(i, monitors_.behind("below_" + number, l1s_.back()->memory_socket));
      continue;
    }
    ways_down_.push_back(std::make_unique<memory_multiplexer>(("way_down_" + number).c_str(), 2));
    l1s_.back()->memory_socket.bind(monitors_.before("data_" + number, ways_down_.back()->port(0)));
    code_sockets_.push_back(&monitors_.before("code_" + number, ways_down_.back()->port(1)));
    below_->bind(i, monitors_.behind("below_" + number, ways_down_.back()->memory_socket));
  }
}

bool memory_subsystem::idle() const {
  const auto is_idle = [](const auto& module) { return module->idle(); };
  return std::all_of(l1s_.begin(), l1s_.end(), is_idle) && std::all_of(ways_down_.begin(), ways_down_.end(), is_idle) &&
         below_->idle();
}

void memory_subsystem::settle() {
  monitors_.check_drained();
  for (const auto& l1 : l1s_) check_all_returned(l1->name(), l1->pool());
  below_->settle();
}

void memory_subsystem::invalidate_l1s() {
  for (const auto& l1 : l1s_) l1->invalidate();
}

}  // namespace heddle
