// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/address_unit.h"

#include <algorithm>

#include "sim/isa/address_space.h"
#include "sim/isa/lanes.h"

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
  Bounds(const BackingStore& store, std::uint64_t shared, std::uint64_t local, unsigned bytes)
      : store_(store), shared_(shared), local_(local), bytes_(bytes) {}

  bool contain(Space space, std::uint64_t address) const {
    if (space == Space::Global) return store_.contains(address, bytes_);
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
    if (span < (1U << 30) && store_.contains(low, static_cast<unsigned>(span))) return true;
    for_each_lane(to.global, [&](unsigned l) { good = good && contain(Space::Global, address[l]); });
    return good;
  }

 private:
  const BackingStore& store_;
  std::uint64_t shared_, local_;
  unsigned bytes_;
};

[[noreturn]] void report(const ThreadTable& threads, const InFlight& flight, const Bounds& bounds,
                         const Destinations& to, const Addresses& address) {
  const Instruction& instruction = *flight.instruction;
  for_each_lane(flight.lanes, [&](unsigned l) {
    const bool aligned = address[l] % instruction.bytes == 0;
    if (aligned && bounds.contain(to.of(l), address[l])) return;
    isa::throw_memory_fault(aligned ? MemoryFault::OutOfBounds : MemoryFault::Misaligned,
                            isa::as_seen(instruction.space, {to.of(l), address[l]}),
                            threads.site(flight.threads[l], flight.pc));
  });
  isa::throw_execution_error(isa::ErrorCode::Internal, "internal: a good access was refused",
                             threads.site(flight.threads[0], flight.pc));
}

WarpAccess::Kind access_kind(Kind kind) {
  return kind == Kind::Load    ? WarpAccess::Kind::Load
         : kind == Kind::Store ? WarpAccess::Kind::Store
                               : WarpAccess::Kind::Atomic;
}

}  // namespace

/// A volatile load, say, where another SM may have stored what this L1 still holds: the memory answers it, as an atomic
/// that changes nothing. Other loads see what the L1 has, as on a Fermi (ours).
bool AddressUnit::asks_below_l1(const Instruction& instruction) const {
  return instruction.is_coherent && instruction.kind == Kind::Load && ctas_.threads().place().sms > 1;
}

void AddressUnit::issue(unsigned token, InFlight& flight, std::uint64_t cycle) {
  const Instruction& instruction = *flight.instruction;
  WarpAccess& access = lsu_.open_access();
  operands_.read(instruction.sources[0], flight.threads, cycle, access.address);
  for (std::uint64_t& address : access.address) address += static_cast<std::uint64_t>(instruction.offset);
  hand_over(token, flight, cycle, access);
}

void AddressUnit::issue_dequeued(unsigned token, InFlight& flight, const Dequeued& dequeued, std::uint64_t cycle) {
  WarpAccess& access = lsu_.open_access();
  for_each_lane(flight.lanes, [&](unsigned l) { access.address[l] = AddressWindow | dequeued.low[l]; });
  hand_over(token, flight, cycle, access);
}

/// An access whose addresses are there, without what the instruction leaves to be found.
void AddressUnit::hand_over(unsigned token, InFlight& flight, std::uint64_t cycle, WarpAccess& access) {
  const Instruction& instruction = *flight.instruction;
  const Threads& threads = flight.threads;
  const ThreadTable& table = ctas_.threads();
  // All of them are of one CTA, as every warp is.
  std::vector<std::uint8_t>& shared = ctas_.shared(threads[static_cast<unsigned>(__builtin_ctz(flight.lanes))].row);

  const Destinations to = resolve(instruction.space, flight.lanes, access.address);
  const Bounds bounds(store_, shared.size(), table.launch().program->local_bytes, instruction.bytes);
  bool aligned = true;
  for_each_lane(flight.lanes, [&](unsigned l) { aligned = aligned && access.address[l] % instruction.bytes == 0; });
  if (!aligned || !bounds.contain(to, access.address)) report(table, flight, bounds, to, access.address);
  for_each_lane(to.local, [&](unsigned l) { access.address[l] = local_.address(threads[l], access.address[l]); });
  if (instruction.kind != Kind::Load) operands_.read(instruction.sources[1], threads, cycle, access.data);
  if (instruction.kind == Kind::Atomic) operands_.read(instruction.sources[2], threads, cycle, access.compare);
  access.token = token;
  access.threads = threads;
  access.k = flight.k;
  access.kind = access_kind(instruction.kind);
  access.bytes = instruction.bytes;
  access.sign_extend = instruction.sign_extend;
  access.atomic = instruction.atomic;
  access.has_result = !instruction.destination.is_none();
  access.shared = shared.data();

  const isa::Lanes through_l1 = to.global | to.local;
  access.space = through_l1 != 0 ? WarpAccess::Space::Global : WarpAccess::Space::Shared;
  access.lanes = through_l1 != 0 ? through_l1 : to.shared;
  if (asks_below_l1(instruction) && access.space == WarpAccess::Space::Global) {
    access.kind = WarpAccess::Kind::Atomic;
    access.atomic = AtomicOp::Or;
    access.data.fill(0);
  }
  if (lsu_.reads_constants(instruction)) access.space = WarpAccess::Space::Constant;
  if (prefetcher_ != nullptr && access.kind == WarpAccess::Kind::Load && to.local == 0 &&
      access.space == WarpAccess::Space::Global)
    prefetcher_->see(flight.pc, threads[static_cast<unsigned>(__builtin_ctz(access.lanes))].row, access, cycle);
  lsu_.commit_access();
  flight.parts = 1;
  if (through_l1 != 0 && to.shared != 0) {
    WarpAccess& on_chip = lsu_.open_access();
    on_chip = access;
    on_chip.kind = access_kind(instruction.kind);
    on_chip.atomic = instruction.atomic;
    on_chip.space = WarpAccess::Space::Shared;
    on_chip.lanes = to.shared;
    lsu_.commit_access();
    flight.parts = 2;
  }
}

}  // namespace heddle
