// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/prefetcher.h"

#include <algorithm>

#include "sim/isa/lanes.h"

namespace heddle {

namespace {

/// Lines, each once.
struct Lines {
  std::array<std::uint64_t, max_lanes> line;
  unsigned count = 0;

  /// \return it is new
  bool add(std::uint64_t address) {
    const auto end = line.begin() + count;
    if (std::find(line.begin(), end, address) != end) return false;
    line[count++] = address;
    return true;
  }
  bool contains(std::uint64_t address) const {
    return std::find(line.begin(), line.begin() + count, address) != line.begin() + count;
  }
};

}  // namespace

PrefetchYield Prefetcher::yield() const {
  const PrefetchCounters& counters = buffer_->counters();
  return {counters.requests, counters.merges, counters.useful(), counters.early_evictions};
}

void Prefetcher::start(std::uint64_t cycle) {
  tables_.clear();
  throttle_.start(yield());
  period_end_ = cycle + point_.prefetch_period;
  counters_.statistics.prefetch_degree = throttle_.degree();
}

void Prefetcher::see(std::uint64_t pc, SmWarp warp, const WarpAccess& load, std::uint64_t cycle) {
  end_periods(cycle);
  const std::uint64_t address = load.address[static_cast<unsigned>(__builtin_ctz(load.lanes))];
  const StridePrediction next = tables_.look(pc, warp.index(), address);
  if (next.source == StrideSource::None) return;
  ask(load, next.offset);
}

void Prefetcher::end_periods(std::uint64_t cycle) {
  for (; period_end_ <= cycle; period_end_ += point_.prefetch_period) {
    throttle_.decide(yield());
    ++counters_.statistics.prefetch_periods;
    counters_.statistics.prefetch_degree_sum += throttle_.degree();
  }
  counters_.statistics.prefetch_degree = throttle_.degree();
}

void Prefetcher::ask(const WarpAccess& load, std::int64_t offset) {
  const auto line_of = [this](std::uint64_t address) { return address & ~std::uint64_t{point_.line_bytes - 1}; };
  Lines loaded, asked;
  isa::for_each_lane(load.lanes, [&](unsigned lane) { loaded.add(line_of(load.address[lane])); });
  isa::for_each_lane(load.lanes, [&](unsigned lane) {
    const std::uint64_t address = load.address[lane] + static_cast<std::uint64_t>(offset);
    const std::uint64_t line = line_of(address);
    if (loaded.contains(line) || !asked.add(line)) return;
    if (!store_.contains(address, load.bytes)) {
      ++counters_.statistics.prefetch_outside;
    } else if (!throttle_.admits()) {
      ++counters_.statistics.prefetch_throttled;
    } else {
      ++counters_.statistics.prefetch_asked;
      buffer_->prefetch(line);
    }
  });
}

}  // namespace heddle
