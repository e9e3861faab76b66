// Rows of moves, memory and control: opcodes whose operands follow a pattern of their own.
// A row without types stands for all spellings that begin with its word; memory_form.h reads the rest of it.
#include "sim/compiler/opcode_rows.h"

namespace heddle::compiler {
namespace {

template <class T>
T move(T a) {
  return a;
}

template <class Half, class Whole>
Whole pack(Half low, Half high) {
  return static_cast<Whole>(static_cast<Whole>(high) << (8 * sizeof(Half)) | low);
}

template <auto Function>
void mov(std::vector<Opcode>& table, std::initializer_list<const char*> spellings) {
  for (const char* spelling : spellings) {
    compute<Function>(table, isa::Unit::Alu, {spelling});
    table.back().pattern = Pattern::Move;
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
  mov<&move<bool>>(table, {"mov.pred"});
  mov<&move<std::uint16_t>>(table, {"mov.b16", "mov.u16", "mov.s16"});
  mov<&move<std::uint32_t>>(table, {"mov.b32", "mov.u32", "mov.s32", "mov.f32"});
  mov<&move<std::uint64_t>>(table, {"mov.b64", "mov.u64", "mov.s64", "mov.f64"});
  // Spaces share one address, so that a change of space is a move. A generic access goes to global memory.
  mov<&move<std::uint64_t>>(table, {"cvta.u64", "cvta.global.u64", "cvta.to.global.u64", "cvta.local.u64",
                                    "cvta.to.local.u64", "cvta.shared.u64", "cvta.to.shared.u64"});

  // What `mov.b64 d, {low, high}` is lowered to; the brace keeps these names out of PTX.
  compute<&pack<std::uint16_t, std::uint32_t>>(table, Unit::Alu, {"mov.b32 {"});
  compute<&pack<std::uint32_t, std::uint64_t>>(table, Unit::Alu, {"mov.b64 {"});

  row(table, Pattern::Load, Kind::Load, Unit::LoadStore, {"ld"});
  row(table, Pattern::Store, Kind::Store, Unit::LoadStore, {"st"});
  row(table, Pattern::Atomic, Kind::Atomic, Unit::LoadStore, {"atom"});
  row(table, Pattern::Reduction, Kind::Atomic, Unit::LoadStore, {"red"});

  row(table, Pattern::Branch, Kind::Branch, Unit::Control, {"bra", "bra.uni"});
  row(table, Pattern::BranchTable, Kind::Branch, Unit::Control, {"brx.idx", "brx.idx.uni"});
  row(table, Pattern::Call, Kind::Branch, Unit::Control, {"call", "call.uni"});
  row(table, Pattern::Exit, Kind::Exit, Unit::Control, {"ret", "ret.uni", "exit"});
  row(table, Pattern::Fence, Kind::Fence, Unit::Control,
      {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.sc.gpu", "fence.sc.sys", "fence.acq_rel.cta",
       "fence.acq_rel.gpu", "fence.acq_rel.sys"});
}

}  // namespace heddle::compiler
