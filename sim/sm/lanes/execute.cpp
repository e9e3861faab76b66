// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/lanes/execute.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

#include "sim/isa/console.h"
#include "sim/isa/fence.h"
#include "sim/isa/lanes.h"
#include "sim/sm/lanes/warp_wide_execution.h"
#include "sim/sm/memory/accesses_of.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

Execute::Execute(const DesignPoint& point, const RegisterFile& registers, const OperandCollector& operands,
                 CtaUnit& ctas, AddressUnit& addresses, load_store_unit& lsu, Writeback& writeback,
                 InFlightPool& in_flight, Counters& counters, bool barriers, bool software)
    : point_(point),
      registers_(registers),
      operands_(operands),
      ctas_(ctas),
      addresses_(addresses),
      lsu_(lsu),
      writeback_(writeback),
      in_flight_(in_flight),
      counters_(counters),
      barriers_(barriers),
      control_(operands, ctas.threads(), counters, barriers, software) {}

unsigned Execute::cycles_of(const Instruction& instruction, unsigned turns) const {
  return std::max(1U, (OperandCollector::words(instruction) + point_.operand_words - 1) / point_.operand_words * turns);
}

void Execute::accept(unsigned token, unsigned turns) {
  token_ = token;
  cycles_ = cycles_of(*in_flight_[token].instruction, turns);
}

Executed Execute::step(std::uint64_t cycle) {
  if (cycles_ == 0 || --cycles_ != 0) return {};
  return run(token_, cycle);
}

Executed Execute::run(unsigned token, std::uint64_t cycle) {
  token_ = token;
  InFlight& flight = in_flight_[token];
  Executed done = execute(flight, cycle);
  done.any = true;
  done.warp = flight.warp;
  done.path_lanes = flight.path_lanes;
  if (done.is_done) in_flight_.give_back(token);
  return done;
}

Executed Execute::late(unsigned token, const Dequeued& dequeued, std::uint64_t cycle) {
  InFlight& flight = in_flight_[token];
  Executed done;
  done.any = true;
  done.warp = flight.warp;
  done.path_lanes = flight.path_lanes;
  switch (flight.instruction->kind) {
    case Kind::Branch:
      done.resolution = control_.branch(flight, dequeued.lanes, cycle, done.convergence);
      notify_outcome(flight, dequeued.lanes);
      done.is_done = true;
      in_flight_.give_back(token);
      break;
    case Kind::Load:
    case Kind::Store:
      addresses_.issue_dequeued(token, flight, dequeued, cycle);
      note_progress(*flight.instruction, cycle);
      break;
    default:
      throw std::logic_error(fmt::format("{} dequeues", flight.instruction->mnemonic));
  }
  return done;
}

void Execute::notify_outcome(const InFlight& flight, Lanes taken) const {
  if (flight.instruction->outcome == isa::OutcomeFrom::Warps)
    port_->outcome(flight.threads.row(), flight.path_lanes, taken);
}

/// What has no result to come is done.
Executed Execute::execute(InFlight& flight, std::uint64_t cycle) {
  const Instruction& instruction = *flight.instruction;
  const Lanes guard = registers_.guard(instruction.guard, flight.threads);
  if (instruction.kind != Kind::Branch && instruction.kind != Kind::Barrier) flight.lanes &= guard;
  Executed done;
  done.is_done = true;
  switch (instruction.kind) {
    case Kind::Branch:
      done.resolution = control_.branch(flight, flight.path_lanes & guard, cycle, done.convergence);
      notify_outcome(flight, flight.path_lanes & guard);
      break;
    case Kind::Exit:
      done.exited = flight.lanes;
      for_each_row(flight.threads, flight.path_lanes,
                   [&](SmWarp row, Lanes its) { ctas_.exit(row, homes(flight.threads, its & flight.lanes), cycle); });
      done.resolution = {ResolveOp::Exit, flight.warp, flight.k, flight.lanes, 0, isa::NoPc};
      break;
    case Kind::Barrier:
      done.is_done = !arrive(flight, cycle, done);
      if (barriers_ && instruction.barrier_op != isa::BarrierOp::Arrive)
        done.convergence = {flight.lanes != 0 ? BarrierOp::Park : BarrierOp::Join, flight.warp, 0, flight.lanes, 0};
      break;
    case Kind::Enqueue:
      throw std::logic_error("an enq in a warp's program");
    case Kind::Convergence:
      if (instruction.convergence == isa::ConvergenceOp::Push)
        done.resolution = ControlExecution::push(flight);
      else
        done.convergence = control_.convergence(flight, cycle);
      if (instruction.convergence == isa::ConvergenceOp::Arrive) {
        done.is_done = false;
        arriving_.push_back(token_);
      }
      break;
    case Kind::Fence:
      done.acquires = flight.lanes != 0 && isa::acquires_for_device(instruction);
      break;
    case Kind::Trap:
      if (flight.lanes != 0) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(flight.lanes));
        isa::throw_execution_error(isa::ErrorCode::Trap, isa::TrapMessage,
                                   ctas_.threads().site(flight.threads[lane], flight.pc));
      }
      break;
    case Kind::WarpWide:
      execute_warp_wide(operands_, ctas_.threads(), cycle, flight);
      done.is_done = instruction.destination.is_none();
      if (!done.is_done) write_back(cycle, warp_wide_latency(point_, instruction));
      break;
    case Kind::Host:
      call_host(flight, cycle);
      done.is_done = instruction.destination.is_none();
      if (!done.is_done) write_back(cycle, point_.alu_latency);
      break;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      access(flight, cycle);
      done.is_done = false;
      break;
    case Kind::Compute:
      compute(flight, cycle);
      done.is_done = false;
      break;
  }
  return done;
}

void Execute::arrived(bool passed, std::uint64_t cycle) {
  const unsigned token = arriving_.front();
  arriving_.pop_front();
  in_flight_[token].values.fill(passed ? 1 : 0);
  writeback_.expect(token, cycle, 0);
}

void Execute::compute(InFlight& flight, std::uint64_t cycle) {
  const Instruction& instruction = *flight.instruction;
  isa::LaneValues a, b, c;
  operands_.read(instruction.sources[0], flight.threads, cycle, a);
  operands_.read(instruction.sources[1], flight.threads, cycle, b);
  operands_.read(instruction.sources[2], flight.threads, cycle, c);
  instruction.evaluate_lanes(a, b, c, flight.values);
  if (flight.affine != AffineTag::None) check_affine(flight);
  write_back(cycle, instruction.unit == isa::Unit::Special      ? point_.special_latency
                    : instruction.unit == isa::Unit::Multiplier ? point_.multiplier_latency
                                                                : point_.alu_latency);
}

/// What the affine unit computes, it could compute: base + stride x lane.
void Execute::check_affine(const InFlight& flight) {
  const Instruction& instruction = *flight.instruction;
  if (!agrees(flight.affine, flight.values, flight.path_lanes, instruction.destination.wide))
    throw std::logic_error(
        fmt::format("internal: PC {} (line {}, {}) of warp {} is on the affine unit, and its result "
                    "is not affine",
                    flight.pc, instruction.line, instruction.mnemonic, flight.warp.index()));
}

/// printf and assert: each lane hands over its value and gets the host's answer.
void Execute::call_host(InFlight& flight, std::uint64_t cycle) {
  const Instruction& instruction = *flight.instruction;
  isa::LaneValues value{};
  operands_.read(instruction.sources[0], flight.threads, cycle, value);
  const ThreadTable& threads = ctas_.threads();
  isa::for_each_lane(flight.lanes, [&](unsigned lane) {
    flight.values[lane] =
        threads.launch().console->call(instruction.host_op, value[lane], threads.site(flight.threads[lane], flight.pc));
  });
  if (instruction.host_op == isa::HostOp::Print) counters_.last_progress = cycle;
}

void Execute::access(InFlight& flight, std::uint64_t cycle) {
  const Instruction& instruction = *flight.instruction;
  lsu_.unreserve(accesses_of(instruction, ctas_.threads().launch()));
  if (flight.lanes == 0) {
    write_back(cycle, 1);
    return;
  }
  addresses_.issue(token_, flight, cycle);
  note_progress(instruction, cycle);
}

/// A thread that spins reads what it waits for; an atomic whose result nobody reads is work.
void Execute::note_progress(const Instruction& instruction, std::uint64_t cycle) {
  if (instruction.kind == Kind::Store || (instruction.kind == Kind::Atomic && instruction.destination.is_none()))
    counters_.last_progress = cycle;
}

/// Returns whether the instruction stays in flight: its result comes when the barrier opens, or it has one and no lane
/// that arrives.
bool Execute::arrive(const InFlight& flight, std::uint64_t cycle, Executed& done) {
  const bool has_result = !flight.instruction->destination.is_none();
  if (flight.lanes == 0) {
    if (has_result) write_back(cycle, 1);
    return has_result;
  }
  const isa::BarrierArrival together = read_arrival(operands_, ctas_.threads(), cycle, flight);
  unsigned token = has_result ? token_ : CtaUnit::NoToken;
  for_each_row(flight.threads, flight.lanes, [&](SmWarp row, Lanes its) {
    isa::BarrierArrival arrival = together;
    arrival.warp = ctas_.threads()[row].warp.index();
    arrival.lanes = homes(flight.threads, its);
    arrival.true_lanes = homes(flight.threads, its & together.true_lanes);
    const std::string refusal = ctas_.barriers(row).refusal(arrival);
    if (!refusal.empty()) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(its));
      isa::throw_execution_error(isa::ErrorCode::InvalidBarrier, refusal,
                                 ctas_.threads().site(flight.threads[lane], flight.pc));
    }
    ctas_.arrive(row, arrival, flight.pc, std::exchange(token, CtaUnit::NoToken));
  });
  done.arrived = true;
  return has_result;
}

}  // namespace heddle
