// SPDX-License-Identifier: Apache-2.0
// Rows of moves, memory and control: opcodes whose operands follow a pattern of their own.
// A row without types stands for all spellings that begin with its word; memory_form.h reads the rest of it.
#include <fmt/format.h>

#include "sim/compiler/opcodes/opcode_rows.h"
#include "sim/isa/address_space.h"

namespace heddle::compiler {
namespace {

template <class T>
T move(T a) {
  return a;
}

template <std::uint64_t Window>
std::uint64_t to_generic(std::uint64_t offset) {
  return Window + offset % isa::WindowBytes;
}
std::uint64_t to_offset(std::uint64_t generic_address) {
  return generic_address % isa::WindowBytes;
}

template <isa::Space Space>
bool is_in(std::uint64_t generic_address) {
  return isa::space_of(generic_address) == Space;
}
/// Constants lie in global memory, and so does a copy of the parameters: no address is one of .const alone.
bool is_constant(std::uint64_t) {
  return false;
}

template <class Half, class Whole>
Whole pack(Half low, Half high) {
  return static_cast<Whole>(static_cast<Whole>(high) << (8 * sizeof(Half)) | low);
}

template <auto Function>
void moves(std::vector<Opcode>& table, Pattern pattern, std::initializer_list<const char*> spellings, isa::Op op) {
  for (const char* spelling : spellings) {
    compute<Function>(table, isa::Unit::Alu, {spelling}, op);
    table.back().pattern = pattern;
  }
}

template <auto Function>
void mov(std::vector<Opcode>& table, std::initializer_list<const char*> spellings, isa::Op op = isa::Op::Copy) {
  moves<Function>(table, Pattern::Move, spellings, op);
}
template <auto Function>
void cvta(std::vector<Opcode>& table, std::initializer_list<const char*> spellings) {
  moves<Function>(table, Pattern::Address, spellings, isa::Op::Copy);
}

/// Offsets in a window of the address space wrap as narrower types do.
template <auto Function>
void window_cvta(std::vector<Opcode>& table, std::initializer_list<const char*> spellings) {
  for (const char* spelling : spellings) {
    cvta<Function>(table, {spelling});
    table.back().narrowest = 32;
  }
}

/// One instruction that computes nothing.
void no_effect(std::vector<Opcode>& table, std::initializer_list<const char*> spellings) {
  for (const char* spelling : spellings) {
    Opcode opcode;
    opcode.spelling = spelling;
    opcode.pattern = Pattern::NoEffect;
    table.push_back(std::move(opcode));
  }
}

void row(std::vector<Opcode>& table, Pattern pattern, isa::Kind kind, isa::Unit unit,
         std::initializer_list<const char*> spellings) {
  for (const char* spelling : spellings) {
    Opcode opcode;
    opcode.spelling = spelling;
    opcode.pattern = pattern;
    opcode.kind = kind;
    opcode.unit = unit;
    table.push_back(std::move(opcode));
  }
}

}  // namespace

void add_control_and_memory_opcodes(std::vector<Opcode>& table) {
  using isa::Kind;
  using isa::Unit;
  mov<&move<bool>>(table, {"mov.pred"}, isa::Op::Other);
  mov<&move<std::uint16_t>>(table, {"mov.b16", "mov.u16", "mov.s16"});
  mov<&move<std::uint32_t>>(table, {"mov.b32", "mov.u32", "mov.s32"});
  mov<&move<std::uint32_t>>(table, {"mov.f32"}, isa::Op::Other);
  mov<&move<std::uint64_t>>(table, {"mov.b64", "mov.u64", "mov.s64"});
  mov<&move<std::uint64_t>>(table, {"mov.f64"}, isa::Op::Other);
  cvta<&move<std::uint64_t>>(table, {"cvta.global.u64", "cvta.to.global.u64", "cvta.const.u64", "cvta.to.const.u64",
                                     "cvta.param.u64", "cvta.to.param.u64"});
  window_cvta<&to_generic<isa::SharedWindow>>(table, {"cvta.shared.u64", "cvta.shared::cta.u64"});
  window_cvta<&to_generic<isa::LocalWindow>>(table, {"cvta.local.u64"});
  window_cvta<&to_offset>(table, {"cvta.to.shared.u64", "cvta.to.shared::cta.u64", "cvta.to.local.u64"});
  compute<&is_in<isa::Space::Global>>(table, Unit::Alu, {"isspacep.global"});
  compute<&is_in<isa::Space::Shared>>(table, Unit::Alu, {"isspacep.shared", "isspacep.shared::cta"});
  compute<&is_in<isa::Space::Local>>(table, Unit::Alu, {"isspacep.local"});
  compute<&is_constant>(table, Unit::Alu, {"isspacep.const"});

  // What `mov.b64 d, {low, high}` is lowered to; the brace keeps these names out of PTX.
  compute<&pack<std::uint16_t, std::uint32_t>>(table, Unit::Alu, {"mov.b32 {"});
  compute<&pack<std::uint32_t, std::uint64_t>>(table, Unit::Alu, {"mov.b64 {"});

  row(table, Pattern::Load, Kind::Load, Unit::LoadStore, {"ld", "ldu"});
  row(table, Pattern::Store, Kind::Store, Unit::LoadStore, {"st"});
  row(table, Pattern::Atomic, Kind::Atomic, Unit::LoadStore, {"atom"});
  row(table, Pattern::Reduction, Kind::Atomic, Unit::LoadStore, {"red"});

  for (const char* const geometry : {"1d", "2d"})
    for (const char* const type : {"f32", "s32", "u32"})
      for (const char* const coordinates : {"s32", "f32"})
        row(table, Pattern::Texture, Kind::Load, Unit::LoadStore,
            {fmt::format("tex.{}.v4.{}.{}", geometry, type, coordinates).c_str()});

  row(table, Pattern::Branch, Kind::Branch, Unit::Control, {"bra", "bra.uni"});
  row(table, Pattern::BranchTable, Kind::Branch, Unit::Control, {"brx.idx", "brx.idx.uni"});
  row(table, Pattern::Call, Kind::Branch, Unit::Control, {"call", "call.uni"});
  row(table, Pattern::Call, Kind::Host, Unit::Control, {"host {"});  // what a call of printf is made of
  row(table, Pattern::Exit, Kind::Exit, Unit::Control, {"ret", "ret.uni", "exit"});
  row(table, Pattern::Trap, Kind::Trap, Unit::Control, {"trap"});
  no_effect(table, {"nanosleep.u32", "pmevent", "pmevent.mask", "prefetch.L1", "prefetch.L2", "prefetch.global.L1",
                    "prefetch.global.L2", "prefetch.local.L1", "prefetch.local.L2", "prefetch.global.L2::evict_last",
                    "prefetch.global.L2::evict_normal", "prefetchu.L1", "discard.L2", "discard.global.L2",
                    "applypriority.L2::evict_normal", "applypriority.global.L2::evict_normal"});
  row(table, Pattern::Fence, Kind::Fence, Unit::Control,
      {"membar.cta", "membar.gl", "membar.sys", "fence.cta", "fence.cluster", "fence.gpu", "fence.sys", "fence.sc.cta",
       "fence.sc.cluster", "fence.sc.gpu", "fence.sc.sys", "fence.acq_rel.cta", "fence.acq_rel.cluster",
       "fence.acq_rel.gpu", "fence.acq_rel.sys"});
}

}  // namespace heddle::compiler
