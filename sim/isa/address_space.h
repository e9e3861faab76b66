// SPDX-License-Identifier: Apache-2.0
// The generic address space: a window of 4 GiB for shared memory, one for local memory, all else is global (ours; PTX
// leaves the places to the machine). Global memory begins at BackingStore::base, above both windows. Constants of a
// module and a copy of the parameters lie in global memory.
//
// An address in a window means the same bytes as its low 32 bits mean in that space, for the block and thread that use
// it.
#pragma once

#include <cstdint>

#include "sim/isa/instruction.h"

namespace heddle::isa {

constexpr std::uint64_t WindowBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t SharedWindow = 0x7e00'0000'0000, LocalWindow = 0x7e01'0000'0000;
static_assert(SharedWindow % WindowBytes == 0 && LocalWindow % WindowBytes == 0);

constexpr bool is_in_window(std::uint64_t address, std::uint64_t window) {
  return address - window < WindowBytes;
}

/// Where a generic address leads: Global, Shared or Local.
constexpr Space space_of(std::uint64_t generic_address) {
  return is_in_window(generic_address, SharedWindow)  ? Space::Shared
         : is_in_window(generic_address, LocalWindow) ? Space::Local
                                                      : Space::Global;
}

/// An address within one memory: Global, Shared or Local.
struct Place {
  Space space = Space::Global;
  std::uint64_t address = 0;
};

/// What an instruction's address means. Addresses of shared and local memory wrap at 32 bits (DESIGN sec. 9).
constexpr Place resolve(Space space, std::uint64_t address) {
  const Space where = space == Space::Generic ? space_of(address) : space;
  return {where, where == Space::Global ? address : address % WindowBytes};
}

/// The address as the program sees it: the inverse of `resolve`.
constexpr std::uint64_t as_seen(Space space, const Place& place) {
  if (space != Space::Generic) return place.address;
  return place.address + (place.space == Space::Shared ? SharedWindow : place.space == Space::Local ? LocalWindow : 0);
}

}  // namespace heddle::isa
