// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace heddle::gpu {
namespace {

/// A function's static: it must exist before the first driver registers, whatever the order of object files.
std::map<std::string, std::unique_ptr<Workload>>& registry() {
  static std::map<std::string, std::unique_ptr<Workload>> workloads;
  return workloads;
}

}  // namespace

Size parse_size(const std::string& name) {
  for (const Size size : {Size::Small, Size::Medium, Size::Large})
    if (name == name_of(size) || name == std::string(1, *name_of(size))) return size;
  throw std::invalid_argument(fmt::format("size '{}': expected small, medium or large", name));
}

const char* name_of(Size size) {
  constexpr const char* Names[] = {"small", "medium", "large"};
  return Names[static_cast<unsigned>(size)];
}

std::vector<const Workload*> all_workloads() {
  std::vector<const Workload*> all;
  for (const auto& [name, workload] : registry()) all.push_back(workload.get());
  return all;
}

const Workload* find_workload(const std::string& name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : found->second.get();
}

void register_workload(std::unique_ptr<Workload> workload) {
  const std::string name = workload->name();
  if (!registry().emplace(name, std::move(workload)).second)
    throw std::logic_error(fmt::format("workload {} is registered twice", name));
}

std::string PerSize::text(const std::string& what) const {
  return fmt::format("{}, {}, {} {}", small, medium, large, what);
}

Shape shape_for(const WorkloadOptions& options, unsigned default_warps, unsigned warps_per_block) {
  const unsigned warps = options.warps != 0 ? options.warps : default_warps;
  if (options.block_threads != 0) warps_per_block = std::max(1U, options.block_threads / options.lanes);
  unsigned per_block = std::min(warps_per_block, warps);
  if (options.warps_per_block != 0 && options.warps_per_block < per_block) per_block = options.warps_per_block;
  while (warps % per_block != 0) --per_block;
  return {warps / per_block, per_block * options.lanes};
}

unsigned items_of_thread(const WorkloadOptions& options, unsigned usual) {
  return options.coarsen != 0 ? options.coarsen : usual;
}

unsigned block_threads(const WorkloadOptions& options, unsigned usual, unsigned total) {
  if (options.block_threads == 0) return usual;
  unsigned threads = std::min(options.block_threads, total);
  if (options.warps_per_block != 0) threads = std::min(threads, options.warps_per_block * options.lanes);
  while (total % threads != 0) --threads;
  return threads;
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
  return mixed ^ mixed >> 31;
}

Outcome compare_words(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& expected) {
  for (std::size_t index = 0; index < expected.size(); ++index) {
    if (found[index] == expected[index]) continue;
    return {false,
            fmt::format("element {} is {:#x}, the CPU reference has {:#x}", index, found[index], expected[index])};
  }
  return {true, fmt::format("{} words equal the CPU reference", expected.size())};
}

namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

Outcome compare_exactly(const std::vector<float>& found, const std::vector<float>& expected) {
  for (std::size_t index = 0; index < expected.size(); ++index) {
    if (bits_of(found[index]) == bits_of(expected[index])) continue;
    return {false, fmt::format("element {} is {}, the CPU reference has {}", index, found[index], expected[index])};
  }
  return {true, fmt::format("{} floats equal the CPU reference bit by bit", expected.size())};
}

Outcome compare_within(const std::vector<float>& found, const std::vector<float>& expected, double relative,
                       double absolute) {
  double worst_relative = 0, worst_absolute = 0;
  for (std::size_t index = 0; index < expected.size(); ++index) {
    const double value = found[index], reference = expected[index];
    const double error = std::abs(value - reference);
    // Written so that a NaN fails.
    if (!(error <= relative * std::abs(reference) + absolute)) {
      return {false, fmt::format("element {} is {}, the CPU reference has {}; allowed: {} relative + {} absolute",
                                 index, value, reference, relative, absolute)};
    }
    worst_absolute = std::max(worst_absolute, error);
    if (reference != 0) worst_relative = std::max(worst_relative, error / std::abs(reference));
  }
  return {true, fmt::format("{} floats near the CPU reference (worst error {:.1e}, relative {:.1e})", expected.size(),
                            worst_absolute, worst_relative)};
}

}  // namespace heddle::gpu
