// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/affine/affine_warp.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::OutcomeFrom;
using isa::Pc;
using isa::QueueOp;
using isa::Source;

namespace {

unsigned lowest(std::uint64_t warps) {
  return static_cast<unsigned>(__builtin_ctzll(warps));
}

void set_tuple(AffineDrive::Enqueue& enqueue, const AffineTuple& tuple) {
  enqueue.base = tuple.base;
  enqueue.offset_x = tuple.thread[0], enqueue.offset_y = tuple.thread[1], enqueue.offset_z = tuple.thread[2];
  enqueue.block_x = tuple.block[0], enqueue.block_y = tuple.block[1], enqueue.block_z = tuple.block[2];
}

/// A comparison of scalars that holds or not.
AffinePredicate bit_as_comparison(bool bit) {
  AffinePredicate predicate;
  predicate.is_known = false;
  predicate.comparison = isa::Comparison::Ne;
  predicate.tuple = AffineTuple(bit ? 1 : 0);
  return predicate;
}

}  // namespace

AffineWarp::AffineWarp(const DesignPoint& point, const SmPlace& place, bool strict, Statistics& statistics)
    : point_(point),
      place_(place),
      strict_(strict),
      statistics_(statistics),
      outcomes_(point.warps),
      expected_(point.warps) {}

void AffineWarp::load(const isa::Launch& launch) {
  launch_ = launch;
  const isa::AffineStream& stream = *launch_.program->affine;
  code_ = &stream.code;
  meets_.assign(code_->size() + 1, false);
  for (const Instruction& instruction : *code_) {
    if (instruction.kind == Kind::Branch && instruction.rpc < meets_.size()) meets_[instruction.rpc] = true;
  }
  registers_.assign(stream.registers, {});
  predicates_.assign(isa::CarryPredicate + 1, {});
  running_ = open_ = issues_ = busy_ = waits_for_room_ = false;
  requested_ = PathOp::None;
  nexted_ = enqueued_ = after_next_ = after_enqueue_ = false;
  notified_ = asked_ = 0;
  std::fill(expected_.begin(), expected_.end(), Expected());
}

void AffineWarp::launch(std::uint64_t warps, std::uint64_t tail_warps, isa::Lanes tail_lanes, AffineDrive& drive) {
  drive.path.op = requested_ = PathOp::Launch;
  drive.path.target = 0;
  drive.path.rpc = isa::NoPc;
  drive.path.warps = warps;
  drive.path.tail_warps = tail_warps;
  drive.path.tail_lanes = tail_lanes;
  std::fill(registers_.begin(), registers_.end(), Register());
  std::fill(predicates_.begin(), predicates_.end(), PredicateRegister());
  running_ = true;
  sequential_ = isa::NoPc;
}

void AffineWarp::outcome(unsigned warp, isa::Lanes lanes) {
  if (!accepts_outcome(warp))
    throw std::logic_error(fmt::format("warp {} tells a second outcome before the first is used", warp));
  notified_ |= std::uint64_t(1) << warp;
  outcomes_[warp] = lanes;
}

void AffineWarp::step(const AffineView& view, std::uint64_t cycle, bool has_slot, AffineDrive& drive) {
  issues_ = busy_ = waits_for_room_ = false;
  sample(view.expanded);
  if (!running_) return;
  const PathOp last = requested_;
  requested_ = PathOp::None;
  after_next_ = nexted_, after_enqueue_ = enqueued_;
  nexted_ = enqueued_ = false;
  if (last == PathOp::None && view.depth == 0) {
    running_ = false;
    return;
  }
  if (open_) notify_outcome(drive);
  const std::optional<Pc> pc = next_pc(view, last);
  if (!pc.has_value()) {
    busy_ = true;
    if (last == PathOp::None && view.path.open && !drive.outcome.valid) busy_ = false;
    return;
  }
  if (*pc >= code_->size()) refuse(fmt::format("goes on at PC {}, where no code is", *pc));
  if (!may_issue(*pc, cycle) || !has_slot) {
    busy_ = true;
    return;
  }
  pc_ = *pc;
  issue(view, cycle, drive);
}

/// A record that an enq.pred has led to: it is an outcome if a branch stands right behind that.
void AffineWarp::sample(const AffineView::Predicate& expanded) {
  if (!expanded.valid) return;
  Expected& expected = expected_.at(expanded.warp);
  if (expected.count == 0)
    throw std::logic_error(fmt::format("warp {} gets a predicate that nobody enqueued", expanded.warp));
  if ((expected.is_outcome & 1) != 0) outcome(expanded.warp, expanded.lanes);
  expected.is_outcome >>= 1;
  --expected.count;
}

void AffineWarp::notify_outcome(AffineDrive& drive) {
  const std::uint64_t known = asked_ & notified_;
  if (known == 0) return;
  const isa::Lanes lanes = outcomes_[lowest(known)];
  std::uint64_t same = std::uint64_t(1) << lowest(known);
  if (lanes == 0 || lanes == isa::first_lanes(point_.lanes))  // all that agree with the first one, at once
    for (std::uint64_t rest = known; rest != 0; rest &= rest - 1)
      if (outcomes_[lowest(rest)] == lanes) same |= std::uint64_t(1) << lowest(rest);
  drive.outcome = {true, same, lanes};
  asked_ &= ~same;
  notified_ &= ~same;
  open_ = asked_ != 0;
}

/// Where the path is in the cycle that begins, if that is known. What the stack shows is a cycle old: after an advance
/// the path is an instruction further, unless it may have ended there.
std::optional<Pc> AffineWarp::next_pc(const AffineView& view, PathOp last) const {
  if (!view.path.valid) return {};
  if (last == PathOp::None) return view.path.pc;
  if (last == PathOp::Advance && pc_ + 1 < meets_.size() && !meets_[pc_ + 1]) return pc_ + 1;
  return {};
}

bool AffineWarp::may_issue(Pc pc, std::uint64_t cycle) {
  if (pc != sequential_) {
    sequential_ = pc;
    fetched_ = cycle + point_.fetch_latency;
  }
  const Instruction& instruction = (*code_)[pc];
  std::uint64_t when = std::max(fetched_, ready(instruction.guard));
  for (const Source& source : instruction.sources) when = std::max(when, ready(source));
  const isa::RegisterName& destination = instruction.destination;
  if (destination.is_predicate())
    when = std::max(when, predicates_.at(destination.id - isa::FirstPredicate).ready);
  else if (!destination.is_none())
    when = std::max(when, registers_.at(destination.id).ready);
  return cycle >= when;
}

std::uint64_t AffineWarp::ready(const Source& source) const {
  if (source.kind == Source::Kind::Register) return registers_.at(source.index).ready;
  if (source.kind == Source::Kind::Predicate) return predicates_.at(source.index).ready;
  return 0;
}

void AffineWarp::issue(const AffineView& view, std::uint64_t cycle, AffineDrive& drive) {
  const Instruction& what = instruction();
  if (what.kind == Kind::Branch) {
    branch(view, drive);
  } else if (!guard_holds()) {
    go(PathOp::Advance, drive);
  } else {
    switch (what.kind) {
      case Kind::Compute:
        compute(cycle);
        go(PathOp::Advance, drive);
        break;
      case Kind::Enqueue:
        enqueue(view, drive);
        break;
      case Kind::Barrier:
        barrier(view, drive);
        break;
      case Kind::Exit:
        go(PathOp::Exit, drive);
        break;
      default:
        refuse("is no instruction of an affine stream");
    }
  }
  if (issues_) ++statistics_.affine_instructions;
}

/// It issues, and does this to the path.
void AffineWarp::go(PathOp op, AffineDrive& drive) {
  issues_ = true;
  drive.path.op = requested_ = op;
  sequential_ = op == PathOp::Advance && instruction().kind != Kind::Branch ? pc_ + 1 : isa::NoPc;
}

// ---- control flow ----

void AffineWarp::branch(const AffineView& view, AffineDrive& drive) {
  const Instruction& what = instruction();
  if (what.branch != isa::BranchKind::Jump) refuse("is no branch of an affine stream");
  drive.path.target = what.target;
  if (what.guard.kind == Source::Kind::None) {
    go(PathOp::Jump, drive);
  } else if (what.outcome == OutcomeFrom::Itself) {
    go(guard_holds() ? PathOp::Jump : PathOp::Advance, drive);
  } else if (what.outcome == OutcomeFrom::None) {
    refuse("does not say who knows where its threads go");
  } else {
    drive.path.rpc = what.rpc;
    open_ = true;
    asked_ = view.path.warps;
    go(PathOp::Branch, drive);
  }
}

bool AffineWarp::guard_holds() const {
  const Source& guard = instruction().guard;
  if (guard.kind == Source::Kind::None) return true;
  const AffinePredicate holds = predicate(guard);
  if (!holds.is_known) refuse("has a guard that differs between threads");
  return holds.value;
}

// ---- enqueues ----

/// What was enqueued in the last edge is not among the tuples that the queue shows.
bool AffineWarp::has_room(const AffineView& view) const {
  return !view.full && view.used + (after_enqueue_ ? 1 : 0) < point_.atq_entries;
}

/// An enq for one group of the path, and after the last one the next instruction.
void AffineWarp::enqueue(const AffineView& view, AffineDrive& drive) {
  const Instruction& what = instruction();
  const AffineView::Group& group = view.group;
  // The group that follows the last edge's is another one, which does not show yet, unless the path has one alone.
  if (!group.valid || (after_next_ && group.warps != view.path.warps)) {
    busy_ = true;
    return;
  }
  const bool waits = view.predicate_full && (strict_ || what.queue == QueueOp::Predicate);
  if (waits || !has_room(view)) {
    waits_for_room_ = true;
    return;
  }
  put(tuple(), group.warps, group.lanes, drive);
  if (what.queue == QueueOp::Predicate) expect(group.warps);
  ++statistics_.affine_enqueues;
  drive.next = nexted_ = true;
  if (group.last)
    go(PathOp::Advance, drive);
  else
    issues_ = true;
}

/// One entry for all groups.
void AffineWarp::barrier(const AffineView& view, AffineDrive& drive) {
  if (!has_room(view)) {
    waits_for_room_ = true;
    return;
  }
  AffineDrive::Enqueue entry;
  entry.kind = AffineDrive::Enqueue::Kind::Barrier;
  put(entry, view.path.warps, isa::first_lanes(point_.lanes), drive);
  go(PathOp::Advance, drive);
}

void AffineWarp::put(AffineDrive::Enqueue entry, std::uint64_t warps, isa::Lanes lanes, AffineDrive& drive) {
  entry.warps = warps;
  entry.lanes = lanes;
  drive.enqueue = entry;
  enqueued_ = true;
}

AffineDrive::Enqueue AffineWarp::tuple() const {
  const Instruction& what = instruction();
  const Source& source = what.sources[0];
  AffineDrive::Enqueue entry;
  switch (what.queue) {
    case QueueOp::Data:
    case QueueOp::Address:
      if (what.bytes != 1 && what.bytes != 2 && what.bytes != 4) refuse("has a size that is not expanded");
      entry.kind = what.queue == QueueOp::Data ? AffineDrive::Enqueue::Kind::Data : AffineDrive::Enqueue::Kind::Address;
      entry.size = what.bytes / 2;
      set_tuple(entry, read(source) + AffineTuple(static_cast<std::uint32_t>(what.offset)));
      break;
    case QueueOp::Predicate: {
      AffinePredicate its = predicate(source);
      if (its.is_known) its = bit_as_comparison(its.value);
      entry.kind = AffineDrive::Enqueue::Kind::Predicate;
      entry.comparison = its.comparison;
      set_tuple(entry, its.tuple);
      entry.scalar = its.scalar.base;
      entry.scalar_block_x = its.scalar.block[0];
      entry.scalar_block_y = its.scalar.block[1];
      entry.scalar_block_z = its.scalar.block[2];
      break;
    }
    case QueueOp::None:
      refuse("enqueues nothing");
  }
  return entry;
}

/// A predicate record for each of these warps: an outcome if a branch behind this instruction waits for it.
void AffineWarp::expect(std::uint64_t warps) {
  const Pc behind = pc_ + 1;
  const bool is_outcome = behind < code_->size() && (*code_)[behind].kind == Kind::Branch &&
                          (*code_)[behind].outcome == OutcomeFrom::Predicates;
  for (; warps != 0; warps &= warps - 1) {
    Expected& expected = expected_[lowest(warps)];
    if (is_outcome) expected.is_outcome |= std::uint64_t(1) << expected.count;
    ++expected.count;  // at most as many as the tuple queue has entries
  }
}

// ---- values ----

void AffineWarp::compute(std::uint64_t cycle) {
  const Instruction& what = instruction();
  const isa::RegisterName& destination = what.destination;
  const std::uint64_t when = cycle + latency(what.unit);
  if (destination.is_predicate()) {
    predicates_.at(destination.id - isa::FirstPredicate) = {predicate_result(), when};
  } else if (!destination.is_none()) {
    registers_.at(destination.id) = {result(), when};
  }
}

AffineTuple AffineWarp::result() const {
  const Instruction& what = instruction();
  const auto& sources = what.sources;
  try {
    switch (what.op) {
      case isa::Op::Copy:
        return read(sources[0]);
      case isa::Op::Add:
        return read(sources[0]) + read(sources[1]);
      case isa::Op::Subtract:
        return read(sources[0]) - read(sources[1]);
      case isa::Op::Negate:
        return AffineTuple() - read(sources[0]);
      case isa::Op::Multiply:
        return read(sources[0]) * read(sources[1]);
      case isa::Op::MultiplyAdd:
        return read(sources[0]) * read(sources[1]) + read(sources[2]);
      case isa::Op::ShiftLeft:
        return shifted_left(read(sources[0]), read(sources[1]));
      case isa::Op::Compare:
      case isa::Op::Other:
        break;
    }
  } catch (const std::logic_error& why) { refuse(why.what()); }
  return AffineTuple(static_cast<std::uint32_t>(evaluated()));
}

AffinePredicate AffineWarp::predicate_result() const {
  const Instruction& what = instruction();
  if (what.op == isa::Op::Copy && what.sources[0].kind == Source::Kind::Predicate) return predicate(what.sources[0]);
  if (what.op != isa::Op::Compare) return evaluated() != 0;
  try {
    return compared(what.comparison, read(what.sources[0]), read(what.sources[1]));
  } catch (const std::logic_error& why) { refuse(why.what()); }
}

/// The result of operands that are the same for all threads.
std::uint64_t AffineWarp::evaluated() const {
  const Instruction& what = instruction();
  std::array<std::uint64_t, 3> values{};
  for (unsigned i = 0; i < values.size(); ++i) {
    const AffineTuple value = read(what.sources[i]);
    if (!value.is_scalar()) refuse("keeps no tuple");
    values[i] = value.base;
  }
  return what.evaluate(values[0], values[1], values[2]);
}

AffinePredicate AffineWarp::predicate(const Source& source) const {
  if (source.kind != Source::Kind::Predicate) refuse("names no predicate");
  const AffinePredicate& value = predicates_.at(source.index).value;
  return source.negated ? !value : value;
}

AffineTuple AffineWarp::read(const Source& source) const {
  switch (source.kind) {
    case Source::Kind::None:
      break;
    case Source::Kind::Register:
      return registers_.at(source.index).value;
    case Source::Kind::Predicate: {
      const AffinePredicate bit = predicate(source);
      if (!bit.is_known) refuse("reads a predicate that differs between threads");
      return AffineTuple(bit.value ? 1 : 0);
    }
    case Source::Kind::Immediate:
      return AffineTuple(static_cast<std::uint32_t>(source.value));
    case Source::Kind::Special:
      return special(static_cast<isa::SpecialRegister>(source.index));
    case Source::Kind::Parameter: {
      std::uint32_t value = 0;
      std::memcpy(&value, launch_.parameters.data() + source.index, std::min<std::size_t>(source.bytes, sizeof value));
      return AffineTuple(value);
    }
    case Source::Kind::Queue:
      refuse("dequeues");
  }
  return {};
}

AffineTuple AffineWarp::special(isa::SpecialRegister which) const {
  using isa::SpecialRegister;
  AffineTuple tuple;
  switch (which) {
    case SpecialRegister::TidX:
    case SpecialRegister::TidY:
    case SpecialRegister::TidZ:
      tuple.thread[unsigned(which) - unsigned(SpecialRegister::TidX)] = 1;
      return tuple;
    case SpecialRegister::CtaidX:
    case SpecialRegister::CtaidY:
    case SpecialRegister::CtaidZ:
      tuple.block[unsigned(which) - unsigned(SpecialRegister::CtaidX)] = 1;
      return tuple;
    case SpecialRegister::NtidX:
      return AffineTuple(launch_.block.x);
    case SpecialRegister::NtidY:
      return AffineTuple(launch_.block.y);
    case SpecialRegister::NtidZ:
      return AffineTuple(launch_.block.z);
    case SpecialRegister::NctaidX:
      return AffineTuple(launch_.grid.x);
    case SpecialRegister::NctaidY:
      return AffineTuple(launch_.grid.y);
    case SpecialRegister::NctaidZ:
      return AffineTuple(launch_.grid.z);
    case SpecialRegister::Nwarpid:
      return AffineTuple(point_.warps);
    case SpecialRegister::Smid:
      return AffineTuple(place_.number);
    case SpecialRegister::Nsmid:
      return AffineTuple(place_.sms);
    case SpecialRegister::DynamicSharedBytes:
      return AffineTuple(launch_.dynamic_shared);
    case SpecialRegister::SharedBytes:
      return AffineTuple(static_cast<std::uint32_t>(isa::shared_bytes(launch_)));
    default:
      refuse("reads a special register that is not affine");
  }
}

unsigned AffineWarp::latency(isa::Unit unit) const {
  if (unit == isa::Unit::Multiplier) return point_.multiplier_latency;
  return unit == isa::Unit::Special ? point_.special_latency : point_.alu_latency;
}

// ---- what people are told ----

std::string AffineWarp::describe() const {
  if (!running_) return "no batch runs";
  std::string text = place_of(pc_);
  if (open_) text += fmt::format(", which waits for the outcome of warps {:#x}", asked_);
  if (waits_for_room_) text += ", which waits for room in a queue";
  if (notified_ != 0) text += fmt::format("; outcomes of warps {:#x} are not used yet", notified_);
  return text;
}

std::string AffineWarp::place_of(Pc pc) const {
  if (pc >= code_->size()) return fmt::format("PC {}", pc);
  const Instruction& what = (*code_)[pc];
  return fmt::format("{}:{} {} (PC {} of the affine stream)", launch_.program->file, what.line, what.mnemonic, pc);
}

void AffineWarp::refuse(const std::string& why) const {
  throw std::logic_error(fmt::format("internal: affine warp of {}: {} {}", launch_.program->name, place_of(pc_), why));
}

}  // namespace heddle
