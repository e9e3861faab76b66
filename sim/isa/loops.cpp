// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/loops.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace heddle::isa {
namespace {

using Blocks = std::vector<bool>;

unsigned block_of(const Program& program, Pc pc) {
  unsigned index = 0;
  while (index + 1 < program.blocks.size() && program.blocks[index + 1].first <= pc) ++index;
  return index;
}

/// The blocks that a thread cannot come to without passing `block`: removed from what is reachable from the functions'
/// first blocks.
Blocks dominated_by(const Program& program, unsigned block, const std::vector<unsigned>& entries) {
  Blocks reached(program.blocks.size(), false);
  std::vector<unsigned> pending = entries;
  while (!pending.empty()) {
    const unsigned at = pending.back();
    pending.pop_back();
    if (reached[at] || at == block) continue;
    reached[at] = true;
    pending.insert(pending.end(), program.blocks[at].successors.begin(), program.blocks[at].successors.end());
  }
  reached.flip();
  return reached;
}

std::vector<unsigned> body_of(const std::vector<std::vector<unsigned>>& predecessors, unsigned header,
                              const std::vector<unsigned>& latches) {
  std::set<unsigned> body{header};
  std::vector<unsigned> pending = latches;
  while (!pending.empty()) {
    const unsigned block = pending.back();
    pending.pop_back();
    if (body.insert(block).second)
      pending.insert(pending.end(), predecessors[block].begin(), predecessors[block].end());
  }
  return {body.begin(), body.end()};
}

/// "7", or "7-9".
std::string range(const std::set<std::uint32_t>& lines) {
  return lines.size() == 1 ? fmt::format("{}", *lines.begin()) : fmt::format("{}-{}", *lines.begin(), *lines.rbegin());
}

/// The PTX lines of the instructions, and those of the source file that has the first of them.
std::string lines_of(const Program& program, const std::vector<Pc>& places) {
  std::set<std::uint32_t> lines, source_lines;
  std::uint32_t file = 0;
  for (const Pc pc : places) {
    const Instruction& instruction = program.code[pc];
    lines.insert(instruction.line);
    if (instruction.source_line == 0) continue;
    if (source_lines.empty()) file = instruction.source_file;
    if (instruction.source_file == file) source_lines.insert(instruction.source_line);
  }
  std::string text = program.file + ':' + range(lines);
  const auto source = program.sources.find(file);
  if (!source_lines.empty() && source != program.sources.end())
    text += fmt::format(" ({}:{})", source->second.substr(source->second.rfind('/') + 1), range(source_lines));
  return text;
}

/// Around a call of the function that has this instruction, or of a function that calls it.
std::optional<Loop> loop_around_calls(const Program& program, const std::vector<Loop>& loops, Pc pc,
                                      std::set<Pc>& seen) {
  const unsigned block = block_of(program, pc);
  for (const Loop& loop : loops)
    if (std::count(loop.blocks.begin(), loop.blocks.end(), block) != 0) return loop;
  for (const FunctionRange& function : program.functions) {
    if (pc < function.first || pc > function.last || !seen.insert(function.first).second) continue;
    for (Pc call = 0; call < program.code.size(); ++call) {
      const Instruction& instruction = program.code[call];
      if (instruction.kind != Kind::Branch || instruction.branch != BranchKind::Call ||
          instruction.target != function.first)
        continue;
      if (auto loop = loop_around_calls(program, loops, call, seen)) return loop;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Loop> find_loops(const Program& program) {
  std::vector<unsigned> entries{0};
  for (const FunctionRange& function : program.functions) entries.push_back(block_of(program, function.first));
  std::vector<std::vector<unsigned>> predecessors(program.blocks.size());
  for (unsigned block = 0; block < program.blocks.size(); ++block)
    for (const unsigned next : program.blocks[block].successors) predecessors[next].push_back(block);
  std::vector<Loop> loops;
  for (unsigned header = 0; header < program.blocks.size(); ++header) {
    const Blocks dominated = dominated_by(program, header, entries);
    std::vector<unsigned> latches;
    for (const unsigned from : predecessors[header])
      if (dominated[from]) latches.push_back(from);
    if (!latches.empty()) loops.push_back({header, body_of(predecessors, header, latches)});
  }
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return a.blocks.size() != b.blocks.size() ? a.blocks.size() < b.blocks.size() : a.header < b.header;
  });
  return loops;
}

std::optional<Loop> loop_at(const Program& program, Pc pc) {
  std::set<Pc> seen;
  return loop_around_calls(program, find_loops(program), pc, seen);
}

std::string describe(const Program& program, const Loop& loop) {
  std::vector<Pc> places;
  for (const unsigned block : loop.blocks)
    for (Pc pc = program.blocks[block].first; pc <= program.blocks[block].last; ++pc) places.push_back(pc);
  return lines_of(program, places);
}

std::string describe_place(const Program& program, Pc pc) {
  if (pc >= program.code.size()) return program.file;
  return lines_of(program, {pc});
}

std::string describe_loops(const Program& program, const std::vector<Pc>& places) {
  std::vector<Loop> found;
  for (const Pc pc : places) {
    const auto loop = loop_at(program, pc);
    if (loop && std::find(found.begin(), found.end(), *loop) == found.end()) found.push_back(*loop);
  }
  std::string text;
  for (const Loop& loop : found)
    text += (text.empty() ? "in the loop at " : " and in the loop at ") + describe(program, loop);
  return text;
}

}  // namespace heddle::isa
