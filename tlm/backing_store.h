// SPDX-License-Identifier: Apache-2.0
// The bytes behind the device's addresses: one arena, cut into allocations.
//
// Allocations start at multiples of 256 above 4 GiB, so that a kernel that truncates a pointer to 32 bits fails, and an
// unmapped gap of at least 256 bytes follows each, so that `contains` finds an access past the end. The gap is backed
// by bytes of its own: a memory that moves whole lines (of at most 256 bytes) may read and write it without harm. No
// SystemC here: the untimed oracle and the timed model hold a copy each, and `first_difference` compares them.
//
// A machine may `reserve` bytes for its own use (local memory of threads), at other addresses: they move no allocation,
// are part of none, and are not compared. What code occupies has addresses of its own, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

struct Allocation {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

class BackingStore {
 public:
  static constexpr std::uint64_t base = 0x7f00'0000'0000;
  static constexpr std::uint64_t alignment = 256;
  static constexpr std::uint64_t reserved_base = 0x7d00'0000'0000;
  static constexpr std::uint64_t code_base = 0x7c00'0000'0000;

  // The address of `bytes` zeroed bytes. Pointers from `at` are void afterwards.
  std::uint64_t allocate(std::size_t bytes);

  // At least `bytes` bytes at `reserved_base`, with any values; whole lines of 256. Pointers to what was reserved before
  // are void.
  void reserve(std::size_t bytes);

  // The address of `bytes` bytes for code, which stays; whole lines of 256, of zeros. Pointers to code are void
  // afterwards.
  std::uint64_t reserve_code(std::size_t bytes);

  // Do all of these bytes lie inside one allocation?
  bool contains(std::uint64_t address, unsigned bytes) const;

  // Are there bytes at all of these addresses, of an allocation, its gap, code or what is reserved?
  bool holds(std::uint64_t address, std::size_t bytes) const { return find(address, bytes) != nullptr; }

  // Reads and writes bytes of an allocation, code or what is reserved. They may reach into a gap, not past the arena:
  // that throws std::out_of_range.
  void read(std::uint64_t address, void* to, std::size_t bytes) const;
  void write(std::uint64_t address, const void* from, std::size_t bytes);

  // One byte and those that follow it, up to the next `allocate`.
  std::uint8_t* at(std::uint64_t address);
  const std::uint8_t* at(std::uint64_t address) const;

  // In the order of their addresses, which is that of the calls.
  const std::vector<Allocation>& allocations() const { return allocations_; }

 private:
  const std::uint8_t* find(std::uint64_t address, std::size_t bytes) const;  // null: not all of them are here
  const std::uint8_t* locate(std::uint64_t address, std::size_t bytes) const;
  std::uint8_t* locate(std::uint64_t address, std::size_t bytes) {
    return const_cast<std::uint8_t*>(static_cast<const BackingStore&>(*this).locate(address, bytes));
  }

  std::vector<std::uint8_t> arena_;
  std::vector<std::uint8_t> reserved_;
  std::vector<std::uint8_t> code_;
  std::vector<Allocation> allocations_;
  mutable std::size_t last_hit_ = 0;  // accesses of one instruction fall into one allocation
};

// The lowest address at which two stores differ; an allocation that only one of them has differs at its start. Gaps are
// not compared.
std::optional<std::uint64_t> first_difference(const BackingStore& left, const BackingStore& right);

}  // namespace heddle
