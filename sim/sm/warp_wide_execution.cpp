#include "sim/sm/warp_wide_execution.h"

#include <fmt/format.h>

#include "sim/isa/warp_wide.h"
#include "sim/sm/operands.h"

namespace heddle {

using isa::Lanes;
using isa::WarpOp;

namespace {

unsigned lowest(Lanes lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

void check(const SmState& sm, const Warp& warp, const InFlight& flight, const isa::Members& members, Lanes mask) {
  const char* const mnemonic = flight.instruction->mnemonic;
  if (!members.names_itself) {
    const unsigned lane = lowest(members.lanes & ~mask);
    isa::throw_execution_error(isa::ErrorCode::InvalidWarpWide,
                               fmt::format("{}: lane {} is not in its mask {:#010x}", mnemonic, lane, mask),
                               sm.site(warp, flight.pc, lane));
  }
  if (members.missing != 0) {
    isa::throw_execution_error(
        isa::ErrorCode::InvalidWarpWide,
        fmt::format("{}: lanes {:#010x} of warp {} are live and in the mask {:#010x}, but not active at it with lanes "
                    "{:#010x}",
                    mnemonic, members.missing, warp.index, mask, members.lanes),
        sm.site(warp, flight.pc, lowest(members.lanes)));
  }
}

}  // namespace

void execute_warp_wide(const SmState& sm, const Warp& warp, InFlight& flight) {
  const isa::Instruction& instruction = *flight.instruction;
  const ThreadCoordinates at = sm.coordinates(warp);
  isa::LaneValues a, b, masks;
  read_source(instruction.sources[0], warp, at, sm.point.lanes, a);
  read_source(instruction.sources[1], warp, at, sm.point.lanes, b);
  if (!instruction.meets) {
    if (flight.lanes != 0) exchange(instruction, flight.lanes, a, b, flight.values);
    return;
  }
  read_source(instruction.sources[2], warp, at, sm.point.lanes, masks);
  for (Lanes rest = flight.lanes; rest != 0;) {
    const isa::Members members = isa::members_of_lowest(rest, warp.live, masks);
    check(sm, warp, flight, members, static_cast<Lanes>(masks[lowest(rest)]));
    exchange(instruction, members.lanes, a, b, flight.values);
    rest &= ~members.lanes;
  }
}

unsigned warp_wide_latency(const DesignPoint& point, const isa::Instruction& instruction) {
  switch (instruction.warp_op) {
    case WarpOp::None:
    case WarpOp::VoteAll:
    case WarpOp::VoteAny:
    case WarpOp::VoteUniform:
    case WarpOp::Ballot:
    case WarpOp::ActiveMask:
    case WarpOp::Elect:
      return point.alu_latency;
    default:
      return point.shared_latency;
  }
}

isa::BarrierArrival read_arrival(const SmState& sm, const Warp& warp, const InFlight& flight) {
  const isa::Instruction& instruction = *flight.instruction;
  const ThreadCoordinates at = sm.coordinates(warp);
  isa::LaneValues number{}, threads{}, holds{};
  read_source(instruction.sources[0], warp, at, sm.point.lanes, number);
  read_source(instruction.sources[1], warp, at, sm.point.lanes, threads);
  read_source(instruction.sources[2], warp, at, sm.point.lanes, holds);
  const unsigned first = lowest(flight.lanes);
  isa::BarrierArrival arrival;
  arrival.barrier = static_cast<std::uint32_t>(number[first]);
  arrival.threads = static_cast<std::uint32_t>(threads[first]);
  arrival.has_count = instruction.sources[1].kind != isa::Source::Kind::None;
  arrival.op = instruction.barrier_op;
  arrival.warp = warp.index;
  arrival.lanes = flight.lanes;
  for (Lanes rest = flight.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    if (holds[lane] != 0) arrival.true_lanes |= Lanes{1} << lane;
    if (static_cast<std::uint32_t>(number[lane]) != arrival.barrier ||
        static_cast<std::uint32_t>(threads[lane]) != arrival.threads) {
      isa::throw_execution_error(
          isa::ErrorCode::InvalidBarrier,
          fmt::format("lanes {} and {} of a warp arrive together, but at different barriers or with different counts",
                      first, lane),
          sm.site(warp, flight.pc, lane));
    }
  }
  const std::string refusal = sm.ctas[warp.cta].barriers.refusal(arrival);
  if (!refusal.empty())
    isa::throw_execution_error(isa::ErrorCode::InvalidBarrier, refusal, sm.site(warp, flight.pc, first));
  return arrival;
}

}  // namespace heddle
