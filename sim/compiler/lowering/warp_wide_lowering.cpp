// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/warp_wide_lowering.h"

#include <fmt/format.h>

namespace heddle::compiler {
namespace {

using isa::WarpOp;
using ptx::Operand;

bool is_shuffle(const Opcode& opcode) {
  return opcode.warp_op >= WarpOp::ShuffleUp && opcode.warp_op <= WarpOp::ShuffleIndex;
}

bool may_have_predicate(const Opcode& opcode) {
  return is_shuffle(opcode) || opcode.warp_op == WarpOp::MatchAll || opcode.warp_op == WarpOp::Elect;
}

bool is_sink(const Operand& operand) {
  return operand.name == "_";
}

/// nvcc writes one in every shuffle and seldom reads it.
bool is_predicate_of_shuffle(const ptx::Statement& statement, std::size_t operand, std::size_t element) {
  return operand == 0 && element == 1 && statement.operands[0].kind == Operand::Kind::Pair &&
         statement.opcode.compare(0, 5, "shfl.") == 0;
}

class WarpWide {
 public:
  WarpWide(Emitter& emitter, const Opcode& opcode) : emitter_(emitter), opcode_(opcode) {}

  void lower() {
    const std::vector<Operand>& operands = emitter_.statement().operands;
    const std::size_t expected =
        (opcode_.result != Class::None ? 1 : 0) + sources() + (is_shuffle(opcode_) ? 1 : 0) + (opcode_.meets ? 1 : 0);
    if (operands.size() != expected)
      emitter_.fail(emitter_.statement().where,
                    fmt::format("{}: expected {} operands, found {}", opcode_.spelling, expected, operands.size()));
    split_result();
    if (is_shuffle(opcode_)) return lower_shuffle();
    const bool needs_value = !is_sink(predicate_) && is_sink(value_);
    if (needs_value) value_ = emitter_.new_register(opcode_.result, predicate_.where);
    add_operation();
    if (!is_sink(predicate_)) add_predicate_of_value();
  }

 private:
  unsigned sources() const {
    return (opcode_.operands[0] != Class::None ? 1U : 0U) + (opcode_.operands[1] != Class::None ? 1U : 0U);
  }

  const Operand& source(unsigned index) const {
    return emitter_.statement().operands[index + (opcode_.result != Class::None ? 1 : 0)];
  }

  /// d, p or d|p; what is not there is a sink.
  void split_result() {
    value_.name = predicate_.name = "_";
    if (opcode_.result == Class::None) return;
    const Operand& result = emitter_.statement().operands[0];
    if (result.kind != Operand::Kind::Pair) {
      value_ = result;
      return;
    }
    if (!may_have_predicate(opcode_)) emitter_.fail(result.where, "expected one register, found two");
    value_ = result.elements[0];
    predicate_ = result.elements[1];
  }

  VirtualInstruction& add_operation() {
    VirtualInstruction& instruction = emitter_.add_instruction(opcode_);
    instruction.body.warp_op = opcode_.warp_op;
    instruction.body.meets = opcode_.meets;
    if (!is_sink(value_)) emitter_.set_destination(instruction, value_, opcode_.result);
    for (unsigned index = 0; index < sources(); ++index)
      emitter_.set_source(instruction, index, source(index), opcode_.operands[index]);
    if (opcode_.meets) emitter_.set_source(instruction, 2, emitter_.statement().operands.back(), Class::Narrow);
    return instruction;
  }

  /// match.all: p says that d is not zero. elect: p says that d is the lane.
  void add_predicate_of_value() {
    const bool elects = opcode_.warp_op == WarpOp::Elect;
    emitter_.add_row(elects ? "setp.eq.u32" : "setp.ne.u32", predicate_,
                     {value_, elects ? lane_id() : Emitter::number(0)});
  }

  // ---- Shuffles ----

  void lower_shuffle() {
    const bool has_predicate = !is_sink(predicate_) && emitter_.is_read(predicate_.name, is_predicate_of_shuffle);
    // The predicate depends on the lane alone, so it is an instruction of its own, before the value may overwrite b.
    // If it is the guard too, it changes last.
    const bool is_guard = has_predicate && predicate_.name == emitter_.statement().guard;
    const Operand in_range = is_guard ? emitter_.new_register(Class::Predicate, predicate_.where) : predicate_;
    if (has_predicate) add_in_range(in_range);
    if (is_guard) emitter_.make_unconditional();
    add_exchange();
    if (is_guard) emitter_.add_row("mov.pred", predicate_, {in_range});
  }

  void add_in_range(const Operand& result) {
    emitter_.add_row(in_range_of_shuffle(opcode_.warp_op), result, {source(1), source(2), lane_id()});
  }

  /// The clamp and the segments are constants of the instruction, or come with the lane in one register.
  void add_exchange() {
    const Operand& limits = source(2);
    if (limits.kind == Operand::Kind::Immediate) {
      add_operation().body.lane_limits = static_cast<std::uint16_t>(limits.value & isa::LimitBits);
      return;
    }
    const Operand packed = emitter_.compute("shfl.limits {", {source(1), limits});
    VirtualInstruction& instruction = add_operation();
    instruction.body.lane_limits = isa::LimitsInSource;
    emitter_.set_source(instruction, 1, packed, Class::Narrow);
  }

  static Operand lane_id() {
    Operand operand;
    operand.name = "%laneid";
    return operand;
  }

  Emitter& emitter_;
  const Opcode& opcode_;
  Operand value_, predicate_;
};

}  // namespace

void lower_warp_wide(Emitter& emitter, const Opcode& opcode) {
  WarpWide(emitter, opcode).lower();
}

void lower_barrier(Emitter& emitter, const Opcode& opcode) {
  const std::vector<Operand>& operands = emitter.statement().operands;
  const bool reduces = opcode.result != Class::None, arrives = opcode.barrier_op == isa::BarrierOp::Arrive;
  const std::size_t least = reduces ? 3 : arrives ? 2 : 1, most = reduces ? 4 : 2;
  if (operands.size() < least || operands.size() > most)
    emitter.fail(
        emitter.statement().where,
        fmt::format("{}: expected {} operands, found {}", opcode.spelling,
                    least == most ? std::to_string(least) : fmt::format("{} or {}", least, most), operands.size()));
  const std::size_t first = reduces ? 1 : 0;
  const Operand& number = operands[first];
  constexpr std::uint64_t Barriers = 16;
  if (number.kind == Operand::Kind::Immediate && number.value >= Barriers)
    emitter.fail(number.where, "expected a barrier number from 0 to 15");
  const bool has_count = operands.size() == most;
  VirtualInstruction& instruction = emitter.add_instruction(opcode);
  instruction.body.barrier_op = opcode.barrier_op;
  if (reduces && !is_sink(operands[0])) emitter.set_destination(instruction, operands[0], opcode.result);
  emitter.set_source(instruction, 0, number, Class::Narrow);
  if (has_count) emitter.set_source(instruction, 1, operands[first + 1], Class::Narrow);
  if (reduces) emitter.set_source(instruction, 2, operands.back(), Class::Predicate);
}

}  // namespace heddle::compiler
