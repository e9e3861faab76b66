// SPDX-License-Identifier: Apache-2.0
#include "sim/limit/trace.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::limit {

using isa::Kind;
using isa::Pc;

namespace {

bool waits_at_barrier(const isa::Instruction& instruction) {
  return instruction.kind == Kind::Barrier && instruction.barrier_op != isa::BarrierOp::Arrive;
}

std::string place_of(const isa::Program& program, Pc pc) {
  const isa::Instruction& instruction = program.code[pc];
  const auto file = program.sources.find(instruction.source_file);
  if (file == program.sources.end() || instruction.source_line == 0) return fmt::format("PTX {}", instruction.line);
  return fmt::format("{}:{}", file->second.substr(file->second.find_last_of('/') + 1), instruction.source_line);
}

}  // namespace

std::vector<Piece> pieces_of(const isa::Program& program) {
  std::vector<Piece> pieces;
  for (const isa::BasicBlock& block : program.blocks) {
    Pc first = block.first;
    for (Pc pc = block.first; pc <= block.last; ++pc) {
      const bool waits = waits_at_barrier(program.code[pc]);
      if (pc != block.last && !waits) continue;
      pieces.push_back({first, pc, waits});
      first = pc + 1;
    }
  }
  return pieces;
}

std::vector<bool> Tracer::begin(const isa::Launch& launch) {
  const isa::Program& program = *launch.program;
  LaunchTrace trace;
  trace.entry = program.name;
  trace.pieces = pieces_of(program);
  trace.block_threads = static_cast<unsigned>(launch.block.count());
  trace.launched_threads = launch.grid.count() * launch.block.count();
  trace.threads.resize(std::min<std::uint64_t>(TracedThreads, trace.launched_threads));
  std::vector<bool> observed(program.code.size(), false);
  piece_at_.assign(program.code.size(), 0);
  for (PieceIndex index = 0; index < trace.pieces.size(); ++index) {
    const Piece& piece = trace.pieces[index];
    observed[piece.first] = true;
    piece_at_[piece.first] = index;
    trace.last.push_back(program.code[piece.last]);
    trace.first_places.push_back(place_of(program, piece.first));
    trace.places.push_back(place_of(program, piece.last));
  }
  for (const isa::Instruction& instruction : program.code) {
    trace.has_warp_wide = trace.has_warp_wide || instruction.kind == Kind::WarpWide;
    trace.has_indirect = trace.has_indirect ||
                         (instruction.kind == Kind::Branch && instruction.branch == isa::BranchKind::Peel) ||
                         instruction.is_recursive;
  }
  is_cut_.assign(trace.threads.size(), false);
  launches_.push_back(std::move(trace));
  return observed;
}

void Tracer::arrive(std::uint64_t thread, Pc pc) {
  LaunchTrace& launch = launches_.back();
  if (thread >= launch.threads.size()) return;
  Trace& trace = launch.threads[thread];
  if (trace.size() < MostTraceBlocks) {
    trace.push_back(piece_at_[pc]);
  } else if (!is_cut_[thread]) {
    is_cut_[thread] = true;
    ++launch.cut;
  }
}

}  // namespace heddle::limit
