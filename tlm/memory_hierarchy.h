// SPDX-License-Identifier: Apache-2.0
// Below the L1s of a GPU: a crossbar, an L2 in partitions, and a channel of DRAM behind each of these. A machine without
// an L2 (`l2.bytes` 0) has its channels at the crossbar.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "tlm/backing_store.h"
#include "tlm/crossbar.h"
#include "tlm/dram_channel.h"
#include "tlm/l2_cache.h"
#include "tlm/memory_below.h"
#include "tlm/protocol_monitor.h"

namespace heddle {

struct HierarchyParameters {
  unsigned channels = 6;  // of DRAM, and partitions of the L2
  // What of these says how many SMs, partitions and channels there are, and how they take turns, follows from
  // `channels` and `l2.line_bytes`; `l2.bytes` is a partition's.
  CrossbarParameters crossbar;
  L2Parameters l2;
  DramChannelParameters dram;
};

class memory_hierarchy : public sc_core::sc_module, public MemoryBelow {
 public:
  memory_hierarchy(const sc_core::sc_module_name& name, unsigned sms, const HierarchyParameters& parameters,
                   const sc_core::sc_time& period, BackingStore& store);

  void bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) override { l1.bind(crossbar_.port(sm)); }
  bool idle() const override;
  void settle() override;
  BelowCounters counters() const override;

  unsigned channels() const { return static_cast<unsigned>(channels_.size()); }
  const l2_cache& l2(unsigned partition) const { return *partitions_[partition]; }
  const dram_channel& channel(unsigned index) const { return *channels_[index]; }

 private:
  crossbar crossbar_;
  std::vector<std::unique_ptr<l2_cache>> partitions_;
  std::vector<std::unique_ptr<dram_channel>> channels_;
  SocketMonitors monitors_;
};

}  // namespace heddle
