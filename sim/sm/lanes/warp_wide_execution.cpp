// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/warp_wide_execution.h"

#include <fmt/format.h>

#include "sim/isa/warp_wide.h"

namespace heddle {

using isa::Lanes;
using isa::WarpOp;

namespace {

unsigned lowest(Lanes lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

void check(const ThreadTable& threads, const InFlight& flight, const isa::Members& members, Lanes mask) {
  if (!members.names_itself) {
    const unsigned lane = lowest(members.lanes & ~mask);
    isa::throw_execution_error(
        isa::ErrorCode::InvalidWarpWide,
        fmt::format("{}: lane {} is not in its mask {:#010x}", flight.instruction->mnemonic, lane, mask),
        threads.site(flight.threads[lane], flight.pc));
  }
  if (members.missing != 0)
    throw_lanes_missing(threads, *flight.instruction, flight.threads.row(), flight.pc, members.lanes, members.missing,
                        mask);
}

}  // namespace

void throw_lanes_missing(const ThreadTable& threads, const isa::Instruction& instruction, SmWarp row, isa::Pc pc,
                         Lanes there, Lanes missing, Lanes mask) {
  isa::throw_execution_error(
      isa::ErrorCode::InvalidWarpWide,
      fmt::format("{}: lanes {:#010x} of warp {} are live and in the mask {:#010x}, but not active at it with lanes "
                  "{:#010x}",
                  instruction.mnemonic, missing, threads[row].warp.index(), mask, there),
      threads.site({row, lowest(there)}, pc));
}

void execute_warp_wide(const OperandCollector& operands, const ThreadTable& threads, std::uint64_t cycle,
                       InFlight& flight) {
  const isa::Instruction& instruction = *flight.instruction;
  isa::LaneValues a, b, masks;
  operands.read(instruction.sources[0], flight.threads, cycle, a);
  operands.read(instruction.sources[1], flight.threads, cycle, b);
  if (!instruction.meets) {
    if (flight.lanes != 0) exchange(instruction, flight.lanes, a, b, flight.values);
    return;
  }
  operands.read(instruction.sources[2], flight.threads, cycle, masks);
  for (Lanes rest = flight.lanes; rest != 0;) {
    const isa::Members members = isa::members_of_lowest(rest, flight.live, masks);
    check(threads, flight, members, static_cast<Lanes>(masks[lowest(rest)]));
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

isa::BarrierArrival read_arrival(const OperandCollector& operands, const ThreadTable& table, std::uint64_t cycle,
                                 const InFlight& flight) {
  const isa::Instruction& instruction = *flight.instruction;
  isa::LaneValues number{}, threads{}, holds{};
  operands.read(instruction.sources[0], flight.threads, cycle, number);
  operands.read(instruction.sources[1], flight.threads, cycle, threads);
  operands.read(instruction.sources[2], flight.threads, cycle, holds);
  const unsigned first = lowest(flight.lanes);
  isa::BarrierArrival arrival;
  arrival.barrier = static_cast<std::uint32_t>(number[first]);
  arrival.threads = static_cast<std::uint32_t>(threads[first]);
  arrival.has_count = instruction.sources[1].kind != isa::Source::Kind::None;
  arrival.op = instruction.barrier_op;
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
          table.site(flight.threads[lane], flight.pc));
    }
  }
  return arrival;
}

}  // namespace heddle
