#include "sim/sm/memory_access.h"

#include <algorithm>

#include "sim/sm/operands.h"

namespace heddle {

namespace {

using isa::Instruction;
using isa::Kind;
using isa::MemoryFault;

template <class Visit>
void for_each_lane(isa::Lanes lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

/// One test for all lanes when they lie in one allocation; lane by lane only to find the culprit.
bool in_bounds(const SmState& sm, const Instruction& instruction, const Warp& warp, isa::Lanes lanes,
               const std::array<std::uint64_t, isa::MaxLanes>& address) {
  std::uint64_t low = ~std::uint64_t(0), high = 0;
  for_each_lane(lanes, [&](unsigned l) {
    low = std::min(low, address[l]);
    high = std::max(high, address[l]);
  });
  if (instruction.space == isa::Space::Shared) return high + instruction.bytes <= sm.ctas[warp.cta].shared.size();
  const std::uint64_t span = high - low + instruction.bytes;
  if (span < (1U << 30) && sm.store.contains(low, static_cast<unsigned>(span))) return true;
  bool good = true;
  for_each_lane(lanes, [&](unsigned l) { good = good && sm.store.contains(address[l], instruction.bytes); });
  return good;
}

[[noreturn]] void report(const SmState& sm, const Warp& warp, const InFlight& flight,
                         const std::array<std::uint64_t, isa::MaxLanes>& address) {
  const Instruction& instruction = *flight.instruction;
  const bool shared = instruction.space == isa::Space::Shared;
  for (unsigned l = 0; l < isa::MaxLanes; ++l) {
    if ((flight.lanes >> l & 1) == 0) continue;
    if (address[l] % instruction.bytes != 0) {
      isa::throw_memory_fault(MemoryFault::Misaligned, address[l], sm.site(warp, flight.pc, l));
    }
    if (shared ? address[l] + instruction.bytes > sm.ctas[warp.cta].shared.size()
               : !sm.store.contains(address[l], instruction.bytes)) {
      isa::throw_memory_fault(MemoryFault::OutOfBounds, address[l], sm.site(warp, flight.pc, l));
    }
  }
  isa::throw_execution_error("internal: a good access was refused", sm.site(warp, flight.pc, 0));
}

WarpAccess::Kind access_kind(Kind kind) {
  return kind == Kind::Load    ? WarpAccess::Kind::Load
         : kind == Kind::Store ? WarpAccess::Kind::Store
                               : WarpAccess::Kind::Atomic;
}

}  // namespace

void issue_access(SmState& sm, Warp& warp, unsigned token) {
  const InFlight& flight = sm.in_flight[token];
  const Instruction& instruction = *flight.instruction;
  const ThreadCoordinates at = sm.coordinates(warp);
  const unsigned lanes = sm.point.lanes;
  const bool shared = instruction.space == isa::Space::Shared;
  if (instruction.space == isa::Space::Local) {
    isa::throw_execution_error("local memory is not modelled yet", sm.site(warp, flight.pc, 0));
  }

  WarpAccess& access = sm.lsu.open_access();
  read_source(instruction.sources[0], warp, at, lanes, access.address);
  for (std::uint64_t& address : access.address) {
    address += static_cast<std::uint64_t>(instruction.offset);
    if (shared) address &= 0xffffffffU;  // shared addresses wrap at 32 bits (DESIGN sec. 9)
  }
  bool aligned = true;
  for_each_lane(flight.lanes, [&](unsigned l) { aligned = aligned && access.address[l] % instruction.bytes == 0; });
  if (!aligned || !in_bounds(sm, instruction, warp, flight.lanes, access.address)) {
    report(sm, warp, flight, access.address);
  }
  if (instruction.kind != Kind::Load) read_source(instruction.sources[1], warp, at, lanes, access.data);
  if (instruction.kind == Kind::Atomic) read_source(instruction.sources[2], warp, at, lanes, access.compare);
  access.token = token;
  access.warp = sm.global_warp(flight.scheduler, flight.warp);
  access.right = flight.right;
  access.kind = access_kind(instruction.kind);
  access.space = shared ? WarpAccess::Space::Shared : WarpAccess::Space::Global;
  access.bytes = instruction.bytes;
  access.sign_extend = instruction.sign_extend;
  access.atomic = instruction.atomic;
  access.has_result = !instruction.destination.is_none();
  access.shared = shared ? sm.ctas[warp.cta].shared.data() : nullptr;
  access.lanes = flight.lanes;
  sm.lsu.commit_access();
  if (instruction.kind == Kind::Store) sm.last_progress = sm.cycle;
}

}  // namespace heddle
