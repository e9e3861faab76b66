// SPDX-License-Identifier: Apache-2.0
// The memory of a design point, as the parameters of its modules.
#pragma once

#include <memory>
#include <string>

#include "rtl/config/design_points.h"
#include "sim/sm/links/statistics.h"
#include "tlm/backing_store.h"
#include "tlm/l1_cache.h"
#include "tlm/memory_below.h"
#include "tlm/memory_hierarchy.h"
#include "tlm/memory_subsystem.h"
#include "tlm/prefetch_buffer.h"

namespace heddle::gpu {

enum class MemoryKind {
  Share,  ///< of the chip's channels, bandwidth and L2, what falls to the SMs that run
  Chip,   ///< all of it, however few SMs run
  Ideal   ///< a miss costs a hit (DWF Fig. 1, 6, 8)
};

/// timed, chip, ideal. \throws std::invalid_argument for another word
MemoryKind parse_memory(const std::string& word);
std::string name_of(MemoryKind kind);

L1Parameters l1_parameters(const DesignPoint& point);
/// The caches of code and of constants, as far as the point has them.
BesideL1 beside_l1(const DesignPoint& point);

/// Between the L1 of one of `sms` SMs and what lies below, where the SM prefetches.
PrefetchBufferParameters prefetch_parameters(const DesignPoint& point, unsigned sms);

/// Below the L1s of `sms` SMs of the point. As a share, channels are rounded up and their data buses slowed down to make
/// up for it, so that bandwidth is exact; the L2 is rounded down to whole sets, and has one at least.
HierarchyParameters hierarchy_parameters(const DesignPoint& point, unsigned sms, MemoryKind kind,
                                         const sc_core::sc_time& period);

/// "6 channels of 29.6 GB/s, 768 KB of L2": for reports.
std::string memory_in_words(const DesignPoint& point, unsigned sms, MemoryKind kind);

/// What a memory counts, where statistics have it; the rest is zero.
Statistics memory_statistics(const BelowCounters& counters);

std::unique_ptr<MemoryBelow> make_memory_below(const DesignPoint& point, unsigned sms, MemoryKind kind,
                                               const sc_core::sc_time& period, BackingStore& store);

}  // namespace heddle::gpu
