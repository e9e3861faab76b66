#include "sim/sm/memory_access.h"

#include <algorithm>

#include "sim/isa/address_space.h"
#include "sim/isa/lanes.h"
#include "sim/sm/operands.h"

namespace heddle {

namespace {

using isa::for_each_lane;
using isa::Instruction;
using isa::Kind;
using isa::MemoryFault;
using isa::Space;
using Addresses = std::array<std::uint64_t, isa::MaxLanes>;

/// Which lanes of an access go where.
struct Destinations {
  isa::Lanes global = 0, shared = 0, local = 0;

  Space of(unsigned lane) const {
    return (shared >> lane & 1) != 0 ? Space::Shared : (local >> lane & 1) != 0 ? Space::Local : Space::Global;
  }
};

/// Addresses of shared and local memory become offsets into it.
Destinations resolve(Space space, isa::Lanes lanes, Addresses& address) {
  Destinations to;
  switch (space) {
    case Space::Shared:
      to.shared = lanes;
      break;
    case Space::Local:
      to.local = lanes;
      break;
    case Space::Generic:
      for_each_lane(lanes, [&](unsigned l) {
        to.shared |= isa::Lanes(isa::is_in_window(address[l], isa::SharedWindow)) << l;
        to.local |= isa::Lanes(isa::is_in_window(address[l], isa::LocalWindow)) << l;
      });
      to.global = lanes & ~to.shared & ~to.local;
      break;
    default:
      to.global = lanes;
      break;
  }
  for_each_lane(to.shared | to.local, [&](unsigned l) { address[l] %= isa::WindowBytes; });
  return to;
}

class Bounds {
 public:
  Bounds(const SmState& sm, const Warp& warp, unsigned bytes)
      : sm_(sm), shared_(sm.ctas[warp.cta].shared.size()), local_(sm.launch.program->local_bytes), bytes_(bytes) {}

  bool contain(Space space, std::uint64_t address) const {
    if (space == Space::Global) return sm_.store.contains(address, bytes_);
    return address + bytes_ <= (space == Space::Shared ? shared_ : local_);
  }

  /// One test for all global lanes when they lie in one allocation; lane by lane only if they do not.
  bool contain(const Destinations& to, const Addresses& address) const {
    bool good = true;
    for_each_lane(to.shared, [&](unsigned l) { good = good && contain(Space::Shared, address[l]); });
    for_each_lane(to.local, [&](unsigned l) { good = good && contain(Space::Local, address[l]); });
    if (!good || to.global == 0) return good;
    std::uint64_t low = ~std::uint64_t(0), high = 0;
    for_each_lane(to.global, [&](unsigned l) {
      low = std::min(low, address[l]);
      high = std::max(high, address[l]);
    });
    const std::uint64_t span = high - low + bytes_;
    if (span < (1U << 30) && sm_.store.contains(low, static_cast<unsigned>(span))) return true;
    for_each_lane(to.global, [&](unsigned l) { good = good && contain(Space::Global, address[l]); });
    return good;
  }

 private:
  const SmState& sm_;
  std::uint64_t shared_, local_;
  unsigned bytes_;
};

[[noreturn]] void report(const SmState& sm, const Warp& warp, const InFlight& flight, const Bounds& bounds,
                         const Destinations& to, const Addresses& address) {
  const Instruction& instruction = *flight.instruction;
  for_each_lane(flight.lanes, [&](unsigned l) {
    const bool aligned = address[l] % instruction.bytes == 0;
    if (aligned && bounds.contain(to.of(l), address[l])) return;
    isa::throw_memory_fault(aligned ? MemoryFault::OutOfBounds : MemoryFault::Misaligned,
                            isa::as_seen(instruction.space, {to.of(l), address[l]}), sm.site(warp, flight.pc, l));
  });
  isa::throw_execution_error(isa::ErrorCode::Internal, "internal: a good access was refused",
                             sm.site(warp, flight.pc, 0));
}

WarpAccess::Kind access_kind(Kind kind) {
  return kind == Kind::Load    ? WarpAccess::Kind::Load
         : kind == Kind::Store ? WarpAccess::Kind::Store
                               : WarpAccess::Kind::Atomic;
}

/// A volatile load, say, where another SM may have stored what this L1 still holds: the memory answers it, as an atomic
/// that changes nothing. Other loads see what the L1 has, as on a Fermi (ours).
bool asks_below_l1(const SmState& sm, const Instruction& instruction) {
  return instruction.is_coherent && instruction.kind == Kind::Load && sm.place.sms > 1;
}

}  // namespace

void issue_access(SmState& sm, Warp& warp, unsigned token) {
  InFlight& flight = sm.in_flight[token];
  const Instruction& instruction = *flight.instruction;
  const ThreadCoordinates at = sm.coordinates(warp);
  const unsigned lanes = sm.point.lanes;
  const unsigned warp_of_sm = sm.global_warp(flight.scheduler, flight.warp);

  WarpAccess& access = sm.lsu.open_access();
  read_source(instruction.sources[0], warp, at, lanes, access.address);
  for (std::uint64_t& address : access.address) address += static_cast<std::uint64_t>(instruction.offset);
  const Destinations to = resolve(instruction.space, flight.lanes, access.address);
  const Bounds bounds(sm, warp, instruction.bytes);
  bool aligned = true;
  for_each_lane(flight.lanes, [&](unsigned l) { aligned = aligned && access.address[l] % instruction.bytes == 0; });
  if (!aligned || !bounds.contain(to, access.address)) report(sm, warp, flight, bounds, to, access.address);
  for_each_lane(to.local, [&](unsigned l) { access.address[l] = sm.local.address(warp_of_sm, l, access.address[l]); });
  if (instruction.kind != Kind::Load) read_source(instruction.sources[1], warp, at, lanes, access.data);
  if (instruction.kind == Kind::Atomic) read_source(instruction.sources[2], warp, at, lanes, access.compare);
  access.token = token;
  access.warp = warp_of_sm;
  access.right = flight.right;
  access.kind = access_kind(instruction.kind);
  access.bytes = instruction.bytes;
  access.sign_extend = instruction.sign_extend;
  access.atomic = instruction.atomic;
  access.has_result = !instruction.destination.is_none();
  access.shared = sm.ctas[warp.cta].shared.data();

  const isa::Lanes through_l1 = to.global | to.local;
  access.space = through_l1 != 0 ? WarpAccess::Space::Global : WarpAccess::Space::Shared;
  access.lanes = through_l1 != 0 ? through_l1 : to.shared;
  if (asks_below_l1(sm, instruction) && access.space == WarpAccess::Space::Global) {
    access.kind = WarpAccess::Kind::Atomic;
    access.atomic = AtomicOp::Or;
    access.data.fill(0);
  }
  sm.lsu.commit_access();
  flight.parts = 1;
  if (through_l1 != 0 && to.shared != 0) {
    WarpAccess& on_chip = sm.lsu.open_access();
    on_chip = access;
    on_chip.kind = access_kind(instruction.kind);
    on_chip.atomic = instruction.atomic;
    on_chip.space = WarpAccess::Space::Shared;
    on_chip.lanes = to.shared;
    sm.lsu.commit_access();
    flight.parts = 2;
  }
  // A thread that spins reads what it waits for; an atomic whose result nobody reads is work.
  const bool works =
      instruction.kind == Kind::Store || (instruction.kind == Kind::Atomic && instruction.destination.is_none());
  if (works) sm.last_progress = sm.cycle;
}

}  // namespace heddle
