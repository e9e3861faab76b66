// SPDX-License-Identifier: Apache-2.0
#include "tlm/backing_store.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace heddle {

std::uint64_t BackingStore::allocate(std::size_t bytes) {
  const std::uint64_t address = base + arena_.size();
  const std::size_t body = (bytes + alignment - 1) / alignment * alignment;
  arena_.resize(arena_.size() + body + alignment);
  allocations_.push_back({address, bytes});
  return address;
}

void BackingStore::reserve(std::size_t bytes) {
  const std::size_t lines = (bytes + alignment - 1) / alignment * alignment;
  if (lines > reserved_.size()) reserved_.resize(lines);
}

std::uint64_t BackingStore::reserve_code(std::size_t bytes) {
  const std::uint64_t address = code_base + code_.size();
  code_.resize(code_.size() + (bytes + alignment - 1) / alignment * alignment);
  return address;
}

bool BackingStore::contains(std::uint64_t address, unsigned bytes) const {
  const auto inside = [&](const Allocation& allocation) {
    // An address below the allocation wraps to a large distance.
    const std::uint64_t distance = address - allocation.address;
    return distance < allocation.bytes && bytes <= allocation.bytes - distance;
  };
  if (last_hit_ < allocations_.size() && inside(allocations_[last_hit_])) return true;
  const auto after =
      std::upper_bound(allocations_.begin(), allocations_.end(), address,
                       [](std::uint64_t value, const Allocation& allocation) { return value < allocation.address; });
  if (after == allocations_.begin() || !inside(*(after - 1))) return false;
  last_hit_ = static_cast<std::size_t>(after - allocations_.begin()) - 1;
  return true;
}

const std::uint8_t* BackingStore::find(std::uint64_t address, std::size_t bytes) const {
  const auto fits = [bytes](std::uint64_t distance, std::size_t size) {
    return distance <= size && bytes <= size - distance;
  };
  if (fits(address - base, arena_.size())) return arena_.data() + (address - base);
  if (fits(address - reserved_base, reserved_.size())) return reserved_.data() + (address - reserved_base);
  if (fits(address - code_base, code_.size())) return code_.data() + (address - code_base);
  return nullptr;
}

const std::uint8_t* BackingStore::locate(std::uint64_t address, std::size_t bytes) const {
  if (const std::uint8_t* found = find(address, bytes)) return found;
  char text[96];
  std::snprintf(text, sizeof text, "address 0x%llx, %zu bytes: outside device memory",
                static_cast<unsigned long long>(address), bytes);
  throw std::out_of_range(text);
}

void BackingStore::read(std::uint64_t address, void* to, std::size_t bytes) const {
  if (bytes > 0) std::memcpy(to, locate(address, bytes), bytes);
}

void BackingStore::write(std::uint64_t address, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(locate(address, bytes), from, bytes);
}

std::uint8_t* BackingStore::at(std::uint64_t address) {
  return locate(address, 1);
}

const std::uint8_t* BackingStore::at(std::uint64_t address) const {
  return locate(address, 1);
}

std::optional<std::uint64_t> first_difference(const BackingStore& left, const BackingStore& right) {
  const auto& mine = left.allocations();
  const auto& theirs = right.allocations();
  const std::size_t shared = std::min(mine.size(), theirs.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (mine[i].address != theirs[i].address) return std::min(mine[i].address, theirs[i].address);
    const std::size_t bytes = std::min(mine[i].bytes, theirs[i].bytes);
    if (bytes > 0) {
      const std::uint8_t* a = left.at(mine[i].address);
      const auto [at, other] = std::mismatch(a, a + bytes, right.at(theirs[i].address));
      if (at != a + bytes) return mine[i].address + static_cast<std::uint64_t>(at - a);
    }
    if (mine[i].bytes != theirs[i].bytes) return mine[i].address + bytes;
  }
  if (mine.size() != theirs.size()) return (mine.size() > shared ? mine : theirs)[shared].address;
  return std::nullopt;
}

}  // namespace heddle
