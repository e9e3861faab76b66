// SPDX-License-Identifier: Apache-2.0
// Rows of operations on a whole warp or CTA. What they compute is in isa/warp_wide.h and isa/cta_barriers.h.
#include <fmt/format.h>

#include "sim/compiler/opcodes/opcode_rows.h"
#include "sim/isa/warp_wide.h"

namespace heddle::compiler {
namespace {

using isa::BarrierOp;
using isa::WarpOp;

// The predicate of a shuffle: of the lane's own operands alone.
template <WarpOp Op>
bool in_range(std::uint32_t offset, std::uint32_t limits, std::uint32_t lane) {
  return isa::shuffle_in_range(Op, lane & 31, offset, limits);
}

std::uint32_t pack_limits(std::uint32_t offset, std::uint32_t limits) {
  return (offset & 31) | (limits & isa::LimitBits) << 8;
}

void warp_wide(std::vector<Opcode>& table, const std::string& spelling, WarpOp op, bool meets, Class result,
               Class a = Class::None, Class b = Class::None) {
  Opcode row;
  row.spelling = spelling;
  row.pattern = Pattern::WarpWide;
  row.kind = isa::Kind::WarpWide;
  row.warp_op = op;
  row.meets = meets;
  row.result = result;
  row.operands[0] = a;
  row.operands[1] = b;
  table.push_back(std::move(row));
}

template <WarpOp Op>
void shuffle(std::vector<Opcode>& table, const std::string& mode) {
  for (const bool meets : {true, false})
    warp_wide(table, fmt::format("shfl.{}{}.b32", meets ? "sync." : "", mode), Op, meets, Class::Narrow, Class::Narrow,
              Class::Narrow);
  compute<&in_range<Op>>(table, isa::Unit::Alu, {in_range_of_shuffle(Op).c_str()});
}

/// vote.sync.ballot.b32 in the manual, vote.ballot.sync.b32 in CUB: assemblers take both.
void vote(std::vector<Opcode>& table, const std::string& mode, const std::string& type, WarpOp op, Class result) {
  warp_wide(table, "vote.sync." + mode + type, op, true, result, Class::Predicate);
  warp_wide(table, "vote." + mode + ".sync" + type, op, true, result, Class::Predicate);
  warp_wide(table, "vote." + mode + type, op, false, result, Class::Predicate);
}

void barrier(std::vector<Opcode>& table, const std::string& spelling, BarrierOp op, Class result) {
  Opcode row;
  row.spelling = spelling;
  row.pattern = Pattern::Barrier;
  row.kind = isa::Kind::Barrier;
  row.unit = isa::Unit::Control;
  row.barrier_op = op;
  row.result = result;
  table.push_back(std::move(row));
}

/// The manual's spellings: bar is barrier.aligned, and .aligned makes no difference on this machine.
void barriers(std::vector<Opcode>& table, const std::string& name, const std::string& aligned) {
  barrier(table, name + ".sync" + aligned, BarrierOp::Sync, Class::None);
  barrier(table, name + ".arrive" + aligned, BarrierOp::Arrive, Class::None);
  barrier(table, name + ".red.popc" + aligned + ".u32", BarrierOp::Popc, Class::Narrow);
  barrier(table, name + ".red.and" + aligned + ".pred", BarrierOp::All, Class::Predicate);
  barrier(table, name + ".red.or" + aligned + ".pred", BarrierOp::Any, Class::Predicate);
}

}  // namespace

std::string in_range_of_shuffle(WarpOp op) {
  return fmt::format("shfl.in_range {{{}", static_cast<unsigned>(op));
}

void add_warp_wide_opcodes(std::vector<Opcode>& table) {
  shuffle<WarpOp::ShuffleUp>(table, "up");
  shuffle<WarpOp::ShuffleDown>(table, "down");
  shuffle<WarpOp::ShuffleButterfly>(table, "bfly");
  shuffle<WarpOp::ShuffleIndex>(table, "idx");
  compute<&pack_limits>(table, isa::Unit::Alu, {"shfl.limits {"});

  vote(table, "all", ".pred", WarpOp::VoteAll, Class::Predicate);
  vote(table, "any", ".pred", WarpOp::VoteAny, Class::Predicate);
  vote(table, "uni", ".pred", WarpOp::VoteUniform, Class::Predicate);
  vote(table, "ballot", ".b32", WarpOp::Ballot, Class::Narrow);
  warp_wide(table, "activemask.b32", WarpOp::ActiveMask, false, Class::Narrow);
  warp_wide(table, "elect.sync", WarpOp::Elect, true, Class::Narrow);

  for (const Class width : {Class::Narrow, Class::Wide}) {
    const char* const type = width == Class::Wide ? ".b64" : ".b32";
    warp_wide(table, std::string("match.any.sync") + type, WarpOp::MatchAny, true, Class::Narrow, width);
    warp_wide(table, std::string("match.all.sync") + type, WarpOp::MatchAll, true, Class::Narrow, width);
  }

  const auto reduction = [&](const char* suffixes, WarpOp op) {
    warp_wide(table, std::string("redux.sync.") + suffixes, op, true, Class::Narrow, Class::Narrow);
  };
  reduction("add.u32", WarpOp::Add);
  reduction("add.s32", WarpOp::Add);
  reduction("min.u32", WarpOp::MinUnsigned);
  reduction("min.s32", WarpOp::MinSigned);
  reduction("max.u32", WarpOp::MaxUnsigned);
  reduction("max.s32", WarpOp::MaxSigned);
  reduction("and.b32", WarpOp::And);
  reduction("or.b32", WarpOp::Or);
  reduction("xor.b32", WarpOp::Xor);

  warp_wide(table, "bar.warp.sync", WarpOp::None, true, Class::None);
  for (const char* const scope : {"", ".cta"}) {
    barriers(table, std::string("bar") + scope, "");
    barriers(table, std::string("barrier") + scope, "");
    barriers(table, std::string("barrier") + scope, ".aligned");
  }
}

}  // namespace heddle::compiler
