// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory_hierarchy.h"

#include <algorithm>
#include <string>

namespace heddle {

namespace {

CrossbarParameters crossbar_of(unsigned sms, const HierarchyParameters& parameters) {
  CrossbarParameters crossbar = parameters.crossbar;
  crossbar.sms = sms;
  crossbar.partitions = parameters.channels;
  crossbar.interleave_bytes = parameters.l2.line_bytes;
  return crossbar;
}

}  // namespace

memory_hierarchy::memory_hierarchy(const sc_core::sc_module_name& name, unsigned sms,
                                   const HierarchyParameters& parameters, const sc_core::sc_time& period,
                                   BackingStore& store)
    : sc_module(name), crossbar_("crossbar", crossbar_of(sms, parameters), period) {
  DramChannelParameters dram = parameters.dram;
  dram.channels = parameters.channels;
  dram.interleave_bytes = parameters.l2.line_bytes;
  L2Parameters l2 = parameters.l2;
  l2.partitions = parameters.channels;
  for (unsigned i = 0; i < parameters.channels; ++i) {
    const std::string channel = "channel" + std::to_string(i), partition = "l2_" + std::to_string(i);
    channels_.push_back(std::make_unique<dram_channel>(channel.c_str(), dram, period, store));
    tlm::tlm_target_socket<>& of_channel = monitors_.before(channel, channels_.back()->socket);
    if (l2.bytes == 0) {
      crossbar_.partition(i).bind(of_channel);
      continue;
    }
    partitions_.push_back(std::make_unique<l2_cache>(partition.c_str(), l2, period));
    crossbar_.partition(i).bind(monitors_.before(partition, partitions_.back()->socket));
    partitions_.back()->memory_socket.bind(of_channel);
  }
}

bool memory_hierarchy::idle() const {
  const auto is_idle = [](const auto& module) { return module->idle(); };
  return crossbar_.idle() && std::all_of(partitions_.begin(), partitions_.end(), is_idle) &&
         std::all_of(channels_.begin(), channels_.end(), is_idle);
}

void memory_hierarchy::settle() {
  monitors_.check_drained();
  for (const auto& partition : partitions_) {
    check_all_returned(partition->name(), partition->pool());
    partition->settle();
  }
}

BelowCounters memory_hierarchy::counters() const {
  BelowCounters counters;
  counters.request_bytes = crossbar_.counters().requests.bytes;
  counters.reply_bytes = crossbar_.counters().replies.bytes;
  for (const auto& partition : partitions_) counters.l2 += partition->counters();
  for (const auto& channel : channels_) counters.dram += channel->counters();
  return counters;
}

}  // namespace heddle
