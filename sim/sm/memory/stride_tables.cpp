// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/stride_tables.h"

#include <algorithm>

namespace heddle {

namespace {

constexpr unsigned WarpsToPromote = 3;  // MTA
constexpr std::int64_t Distance = 1;    // in strides, and in warps: MTA's prefetchers ask for the next one

/// The entry for which `is_it` holds, or null.
template <class Entry, class IsIt>
Entry* find(std::vector<Entry>& table, IsIt is_it) {
  const auto entry =
      std::find_if(table.begin(), table.end(), [&](const Entry& one) { return one.used != 0 && is_it(one); });
  return entry == table.end() ? nullptr : &*entry;
}

/// A free one, or the one that was used longest ago.
template <class Entry>
Entry& victim(std::vector<Entry>& table) {
  return *std::min_element(table.begin(), table.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
}

}  // namespace

StrideTables::StrideTables(const DesignPoint& point)
    : warps_(point.prefetch_warp_entries),
      loads_(point.prefetch_stride_entries),
      threads_(point.prefetch_thread_entries) {}

void StrideTables::clear() {
  std::fill(warps_.begin(), warps_.end(), WarpEntry{});
  std::fill(loads_.begin(), loads_.end(), LoadEntry{});
  std::fill(threads_.begin(), threads_.end(), ThreadEntry{});
}

void StrideTables::Stride::learn(std::int64_t now) {
  seen = now == bytes && seen != 0 ? std::min(seen + 1, 2U) : 1;
  bytes = now;
}

StridePrediction StrideTables::look(std::uint64_t pc, unsigned warp, std::uint64_t address) {
  ++use_clock_;
  const Stride& to_next_warp = learn_of_threads(pc, warp, address);
  if (LoadEntry* load = find(loads_, [&](const LoadEntry& one) { return one.pc == pc; })) {
    load->used = use_clock_;
    return {StrideSource::Load, Distance * load->stride};
  }
  const Stride& of_warp = learn_of_warp(pc, warp, address);
  if (of_warp.is_trained()) promote(pc, of_warp.bytes);
  if (to_next_warp.is_trained()) return {StrideSource::Thread, Distance * to_next_warp.bytes};
  if (of_warp.is_trained()) return {StrideSource::Warp, Distance * of_warp.bytes};
  return {};
}

const StrideTables::Stride& StrideTables::learn_of_threads(std::uint64_t pc, unsigned warp, std::uint64_t address) {
  ThreadEntry* entry = find(threads_, [&](const ThreadEntry& one) { return one.pc == pc; });
  if (entry == nullptr) {
    entry = &victim(threads_);
    *entry = {pc, warp, address, {}, use_clock_};
    return entry->stride;
  }
  const std::int64_t warps = std::int64_t{warp} - std::int64_t{entry->last_warp};
  const std::int64_t bytes = static_cast<std::int64_t>(address - entry->last);
  // A warp's own next access says nothing of others, and a stride is of whole bytes.
  if (warps != 0) {
    if (bytes % warps == 0)
      entry->stride.learn(bytes / warps);
    else
      entry->stride = {};
  }
  entry->last_warp = warp;
  entry->last = address;
  entry->used = use_clock_;
  return entry->stride;
}

const StrideTables::Stride& StrideTables::learn_of_warp(std::uint64_t pc, unsigned warp, std::uint64_t address) {
  WarpEntry* entry = find(warps_, [&](const WarpEntry& one) { return one.pc == pc && one.warp == warp; });
  if (entry == nullptr) {
    entry = &victim(warps_);
    *entry = {pc, warp, address, {}, use_clock_};
    return entry->stride;
  }
  entry->stride.learn(static_cast<std::int64_t>(address - entry->last));
  entry->last = address;
  entry->used = use_clock_;
  return entry->stride;
}

void StrideTables::promote(std::uint64_t pc, std::int64_t stride) {
  const auto agree = std::count_if(warps_.begin(), warps_.end(), [&](const WarpEntry& one) {
    return one.used != 0 && one.pc == pc && one.stride.is_trained() && one.stride.bytes == stride;
  });
  if (agree >= WarpsToPromote) victim(loads_) = {pc, stride, use_clock_};
}

}  // namespace heddle
