// SPDX-License-Identifier: Apache-2.0
#include "tests/sm/affine_streams.h"

#include <stdexcept>

#include "sim/isa/instruction.h"

namespace heddle_test {

using isa::Kind;
using isa::Lanes;
using isa::Pc;
using Source = isa::Source;

Pc StreamWriter::add(isa::Instruction instruction) {
  instruction.line = here() + 1;
  stream_.code.push_back(instruction);
  stream_.origin.push_back(here() - 1);
  return here() - 1;
}

Pc StreamWriter::compute(isa::Op op, unsigned destination, Source a, Source b, Source c) {
  isa::Instruction its;
  its.op = op;
  its.mnemonic = "compute";
  its.unit = op == isa::Op::Multiply || op == isa::Op::MultiplyAdd ? isa::Unit::Multiplier : isa::Unit::Alu;
  its.destination.id = static_cast<std::uint16_t>(destination);
  its.sources = {a, b, c};
  stream_.registers = std::max(stream_.registers, destination + 1);
  return add(its);
}

Pc StreamWriter::evaluate(isa::Evaluate what, unsigned destination, Source a, Source b) {
  const Pc pc = compute(isa::Op::Other, destination, a, b);
  at(pc).evaluate = what;
  return pc;
}

Pc StreamWriter::compare(isa::Comparison comparison, unsigned predicate, Source a, Source b) {
  isa::Instruction its;
  its.op = isa::Op::Compare;
  its.mnemonic = "setp";
  its.comparison = comparison;
  its.destination.id = static_cast<std::uint16_t>(isa::FirstPredicate + predicate);
  its.sources = {a, b, Source()};
  stream_.predicates = std::max(stream_.predicates, predicate + 1);
  return add(its);
}

Pc StreamWriter::enqueue(isa::QueueOp queue, Source what, unsigned bytes, std::int64_t offset) {
  isa::Instruction its;
  its.kind = Kind::Enqueue;
  its.mnemonic = "enq";
  its.queue = queue;
  its.bytes = static_cast<std::uint8_t>(bytes);
  its.offset = offset;
  its.sources[0] = what;
  return add(its);
}

Pc StreamWriter::jump(Pc target) {
  isa::Instruction its;
  its.kind = Kind::Branch;
  its.mnemonic = "bra";
  its.target = target;
  return add(its);
}

Pc StreamWriter::branch(isa::OutcomeFrom outcome, Source guard, Pc target, Pc rpc) {
  const Pc pc = jump(target);
  at(pc).outcome = outcome;
  at(pc).guard = guard;
  at(pc).rpc = rpc;
  return pc;
}

Pc StreamWriter::barrier() {
  isa::Instruction its;
  its.kind = Kind::Barrier;
  its.mnemonic = "bar";
  return add(its);
}

Pc StreamWriter::exit() {
  isa::Instruction its;
  its.kind = Kind::Exit;
  its.mnemonic = "exit";
  return add(its);
}

namespace {

struct Thread {
  isa::Dim3 index, cta;
  std::uint64_t number = 0;  // in the grid
  std::vector<std::uint32_t> registers;
  std::vector<bool> predicates;
  std::map<Pc, unsigned> visits;
};

std::uint32_t read(const Source& source, const Thread& thread, const isa::Launch& launch) {
  using isa::SpecialRegister;
  switch (source.kind) {
    case Source::Kind::Register:
      return thread.registers.at(source.index);
    case Source::Kind::Predicate:
      return thread.predicates.at(source.index) != source.negated ? 1 : 0;
    case Source::Kind::Immediate:
      return static_cast<std::uint32_t>(source.value);
    case Source::Kind::Special:
      switch (static_cast<SpecialRegister>(source.index)) {
        case SpecialRegister::TidX:
          return thread.index.x;
        case SpecialRegister::TidY:
          return thread.index.y;
        case SpecialRegister::TidZ:
          return thread.index.z;
        case SpecialRegister::CtaidX:
          return thread.cta.x;
        case SpecialRegister::CtaidY:
          return thread.cta.y;
        case SpecialRegister::CtaidZ:
          return thread.cta.z;
        case SpecialRegister::NtidX:
          return launch.block.x;
        default:
          throw std::logic_error("a special register that the test does not know");
      }
    default:
      return 0;
  }
}

bool compare(isa::Comparison comparison, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  switch (comparison) {
    case isa::Comparison::Eq:
      return a == b;
    case isa::Comparison::Ne:
      return a != b;
    case isa::Comparison::Lt:
      return x < y;
    case isa::Comparison::Le:
      return x <= y;
    case isa::Comparison::Gt:
      return x > y;
    case isa::Comparison::Ge:
      return x >= y;
    case isa::Comparison::Lo:
      return a < b;
    case isa::Comparison::Ls:
      return a <= b;
    case isa::Comparison::Hi:
      return a > b;
    case isa::Comparison::Hs:
      return a >= b;
  }
  return false;
}

void compute(const isa::Instruction& what, Thread& thread, const isa::Launch& launch) {
  std::array<std::uint32_t, 3> v{};
  for (unsigned i = 0; i < 3; ++i) v[i] = read(what.sources[i], thread, launch);
  if (what.destination.is_predicate()) {
    thread.predicates.at(what.destination.id - isa::FirstPredicate) = compare(what.comparison, v[0], v[1]);
    return;
  }
  std::uint32_t result = 0;
  switch (what.op) {
    case isa::Op::Copy:
      result = v[0];
      break;
    case isa::Op::Add:
      result = v[0] + v[1];
      break;
    case isa::Op::Subtract:
      result = v[0] - v[1];
      break;
    case isa::Op::Negate:
      result = 0 - v[0];
      break;
    case isa::Op::Multiply:
      result = v[0] * v[1];
      break;
    case isa::Op::MultiplyAdd:
      result = v[0] * v[1] + v[2];
      break;
    case isa::Op::ShiftLeft:
      result = v[1] < 32 ? v[0] << v[1] : 0;
      break;
    default:
      result = static_cast<std::uint32_t>(what.evaluate(v[0], v[1], v[2]));
      break;
  }
  thread.registers.at(what.destination.id) = result;
}

struct Path {
  Pc pc, rpc;
  Lanes lanes;
};

}  // namespace

std::vector<WarpEvent> events_of(const isa::AffineStream& stream, const isa::Launch& launch, const isa::Dim3& cta,
                                 unsigned warp, unsigned lanes, const Decide& decide) {
  const std::uint64_t size = launch.block.count();
  const std::uint64_t cta_number = (std::uint64_t(cta.z) * launch.grid.y + cta.y) * launch.grid.x + cta.x;
  std::vector<Thread> threads(lanes);
  Lanes all = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint64_t index = std::uint64_t(warp) * lanes + lane;
    if (index >= size) continue;
    all |= Lanes(1) << lane;
    threads[lane].index = isa::coordinates(index, launch.block);
    threads[lane].cta = cta;
    threads[lane].number = cta_number * size + index;
    threads[lane].registers.resize(stream.registers);
    threads[lane].predicates.resize(isa::MaxPredicates);
  }
  std::vector<WarpEvent> events;
  std::vector<Path> stack{{0, isa::NoPc, all}};
  for (unsigned steps = 0; !stack.empty();) {
    Path& top = stack.back();
    if (top.lanes == 0 || top.pc == top.rpc) {
      stack.pop_back();
      continue;
    }
    if (++steps > 100000) throw std::logic_error("the stream does not end");
    const Pc pc = top.pc;
    const Lanes now = top.lanes;
    const isa::Instruction& what = stream.code.at(pc);
    top.pc = pc + 1;
    const auto of_lanes = [&](auto&& test) {
      Lanes found = 0;
      isa::for_each_lane(now, [&](unsigned lane) { found |= test(threads[lane]) ? Lanes(1) << lane : 0; });
      return found;
    };
    WarpEvent event;
    event.lanes = now;
    event.queue = what.queue;
    switch (what.kind) {
      case Kind::Compute:
        isa::for_each_lane(now, [&](unsigned lane) { compute(what, threads[lane], launch); });
        break;
      case Kind::Enqueue:
        if (what.queue == isa::QueueOp::Predicate) {
          event.kind = WarpEvent::Kind::Predicate;
          event.taken = of_lanes([&](const Thread& thread) { return read(what.sources[0], thread, launch) != 0; });
        } else {
          event.kind = WarpEvent::Kind::Address;
          isa::for_each_lane(now, [&](unsigned lane) {
            event.address[lane] =
                read(what.sources[0], threads[lane], launch) + static_cast<std::uint32_t>(what.offset);
          });
        }
        events.push_back(event);
        break;
      case Kind::Barrier:
        events.push_back(event);
        break;
      case Kind::Exit:
        for (Path& path : stack) path.lanes &= ~now;
        break;
      case Kind::Branch: {
        if (what.guard.kind == Source::Kind::None) {
          top.pc = what.target;
          break;
        }
        const bool by_warps = what.outcome == isa::OutcomeFrom::Warps;
        const Lanes taken = of_lanes([&](Thread& thread) {
          if (by_warps) return decide(pc, thread.number, thread.visits[pc]++);
          return read(what.guard, thread, launch) != 0;
        });
        if (by_warps) {
          event.kind = WarpEvent::Kind::Outcome;
          event.taken = taken;
          events.push_back(event);
        }
        if (taken == now) {
          top.pc = what.target;
        } else if (taken != 0) {
          if (what.outcome == isa::OutcomeFrom::Itself) throw std::logic_error("a branch of its own that parts");
          top.pc = what.rpc;
          stack.push_back({pc + 1, what.rpc, now & ~taken});
          stack.push_back({what.target, what.rpc, taken});
        }
        break;
      }
      default:
        throw std::logic_error("no instruction of an affine stream");
    }
  }
  return events;
}

}  // namespace heddle_test
