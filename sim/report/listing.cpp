// SPDX-License-Identifier: Apache-2.0
#include "sim/report/listing.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/isa/disassemble.h"
#include "sim/report/table.h"

namespace heddle::report {

namespace {

using compiler::Analysis;
using isa::BasicBlock;
using isa::Instruction;
using isa::Kind;
using isa::Pc;

std::string file_name(const isa::Program& program) {
  return program.file.substr(program.file.rfind('/') + 1);
}

bool is_guarded(const Instruction& instruction) {
  return instruction.guard.kind != isa::Source::Kind::None;
}

bool is_access(const Instruction& instruction) {
  return instruction.kind == Kind::Load || instruction.kind == Kind::Store || instruction.kind == Kind::Atomic;
}

/// Whether lanes may go both ways at a branch.
bool chooses(const Instruction& instruction) {
  return is_guarded(instruction) || instruction.branch == isa::BranchKind::Peel;
}

/// What is known of the lanes: of a branch whether they part, of all else whether they compute the same.
std::string lanes(const Analysis& analysis, Pc pc) {
  const Instruction& instruction = analysis.program.code[pc];
  if (instruction.kind == Kind::Branch && !chooses(instruction)) return "";
  if (instruction.kind == Kind::Branch || (instruction.kind == Kind::Exit && is_guarded(instruction)))
    return analysis.divergence.is_divergent(pc) ? "divergent" : "uniform";
  return compiler::to_string(analysis.divergence.results[pc]);
}

std::string address(const Analysis& analysis, Pc pc) {
  return is_access(analysis.program.code[pc]) ? compiler::to_string(analysis.divergence.addresses[pc]) : "";
}

std::string name_at(const isa::Program& program, Pc pc) {
  for (const BasicBlock& block : program.blocks)
    if (block.first == pc) return block.name;
  return "the end";
}

bool may_diverge(const Analysis& analysis, const BasicBlock& block) {
  return analysis.program.code[block.last].kind == Kind::Branch && analysis.divergence.is_divergent(block.last);
}

std::string heading(const Analysis& analysis, const BasicBlock& block) {
  std::string text = block.name + ':';
  for (const unsigned next : block.successors)
    text += (next == block.successors.front() ? "  to " : " or ") + analysis.program.blocks[next].name;
  const Instruction& last = analysis.program.code[block.last];
  if (block.successors.empty())
    text += last.kind == Kind::Branch && last.branch == isa::BranchKind::Return ? "  returns" : "  ends";
  if (may_diverge(analysis, block)) text += "; lanes meet at " + name_at(analysis.program, block.rpc);
  return text;
}

struct BranchCounts {
  unsigned divergent = 0, uniform = 0, unconditional = 0;
};

BranchCounts count_branches(const Analysis& analysis) {
  BranchCounts counts;
  for (Pc pc = 0; pc < analysis.program.code.size(); ++pc) {
    const Instruction& instruction = analysis.program.code[pc];
    if (instruction.kind != Kind::Branch) continue;
    ++(!chooses(instruction)                  ? counts.unconditional
       : analysis.divergence.is_divergent(pc) ? counts.divergent
                                              : counts.uniform);
  }
  return counts;
}

compiler::LiveCount most_live(const Analysis& analysis) {
  compiler::LiveCount most;
  for (const compiler::LiveCount& live : analysis.live) {
    most.registers = std::max(most.registers, live.registers);
    most.predicates = std::max(most.predicates, live.predicates);
  }
  return most;
}

std::size_t count_spills(const isa::Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.code.begin(), program.code.end(), [](const Instruction& one) { return one.is_spill; }));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result;
}

}  // namespace

std::string listing(const ListedKernel& kernel) {
  const Analysis& analysis = kernel.analysis;
  const isa::Program& program = analysis.program;
  std::size_t lanes_width = 5, address_width = 7;
  for (Pc pc = 0; pc < program.code.size(); ++pc) {
    lanes_width = std::max(lanes_width, lanes(analysis, pc).size());
    address_width = std::max(address_width, address(analysis, pc).size());
  }
  std::string text =
      fmt::format("  pc  line  live  {:<{}}  {:<{}}  instruction\n", "lanes", lanes_width, "address", address_width);
  for (const BasicBlock& block : program.blocks) {
    text += heading(analysis, block) + '\n';
    for (Pc pc = block.first; pc <= block.last; ++pc)
      text += fmt::format("{:4}  {:4}  {:4}  {:<{}}  {:<{}}  {}\n", pc, program.code[pc].line,
                          analysis.live[pc].registers, lanes(analysis, pc), lanes_width, address(analysis, pc),
                          address_width, isa::to_string(program.code[pc]));
  }
  return text;
}

std::string summary(const ListedKernel& kernel) {
  const isa::Program& program = kernel.analysis.program;
  const compiler::LiveCount live = most_live(kernel.analysis);
  const BranchCounts branches = count_branches(kernel.analysis);
  std::string text = fmt::format("kernel {} of {}\n", program.name, file_name(program));
  const auto row = [&](const char* name, const std::string& value) {
    text += fmt::format("  {:<13}{}\n", name, value);
  };
  row("code", fmt::format("{} instructions in {} blocks", program.code.size(), program.blocks.size()));
  row("branches", fmt::format("{} may diverge, {} are uniform, {} are unconditional", branches.divergent,
                              branches.uniform, branches.unconditional));
  const std::size_t spills = count_spills(program);
  row("registers", fmt::format("{} a thread, {} live at most{}", program.registers, live.registers,
                               spills == 0 ? "" : fmt::format("; {} instructions spill", spills)));
  row("predicates", fmt::format("{} a thread, {} live at most", program.predicates, live.predicates));
  row("memory", fmt::format("{} bytes shared a block, {} bytes local a thread, {} bytes of parameters",
                            program.shared_bytes, program.local_bytes, program.parameter_bytes));
  if (program.stack_levels != 0)
    row("pushes", fmt::format("up to {} entries of the stack if all lanes part; {} has {}", 1 + program.stack_levels,
                              kernel.point->name, kernel.point->software_depth));
  const Occupancy& fits = kernel.occupancy;
  row("occupancy", fits.ctas == 0
                       ? fmt::format("a block of {} threads does not fit on an SM of {}: {}", kernel.threads,
                                     kernel.point->name, fits.limit)
                       : fmt::format("{} blocks of {} threads, {} of {} warps of {}, limited by {}", fits.ctas,
                                     kernel.threads, fits.warps, kernel.point->warps, kernel.point->name, fits.limit));
  return text;
}

std::string dot(const ListedKernel& kernel) {
  const Analysis& analysis = kernel.analysis;
  const isa::Program& program = analysis.program;
  std::string text = fmt::format(
      "digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n  label=\"{} of {}: solid to what runs next, dashed "
      "to where lanes meet\";\n",
      escaped(program.name), escaped(program.name), escaped(file_name(program)));
  for (std::size_t index = 0; index < program.blocks.size(); ++index) {
    const BasicBlock& block = program.blocks[index];
    text += fmt::format("  b{} [label=\"{}:\\l", index, escaped(block.name));
    if (const auto note = kernel.notes.find(block.name); note != kernel.notes.end())
      text += fmt::format("{}\\l", escaped(note->second));
    for (Pc pc = block.first; pc <= block.last; ++pc)
      text += fmt::format("{:4}  {}\\l", pc, escaped(isa::to_string(program.code[pc])));
    text += may_diverge(analysis, block) ? "\", style=filled, fillcolor=lightyellow];\n" : "\"];\n";
  }
  for (std::size_t index = 0; index < program.blocks.size(); ++index) {
    const BasicBlock& block = program.blocks[index];
    for (const unsigned next : block.successors) {
      const bool taken = block.successors.size() > 1 && next == block.successors.front();
      text += fmt::format("  b{} -> b{}{};\n", index, next, taken ? " [label=taken]" : "");
    }
    if (!may_diverge(analysis, block) || block.rpc == isa::NoPc) continue;
    const auto meeting = std::find_if(program.blocks.begin(), program.blocks.end(),
                                      [&](const BasicBlock& other) { return other.first == block.rpc; });
    text += fmt::format("  b{} -> b{} [style=dashed, constraint=false];\n", index, meeting - program.blocks.begin());
  }
  return text + "}\n";
}

nlohmann::json to_json(const ListedKernel& kernel) {
  const Analysis& analysis = kernel.analysis;
  const isa::Program& program = analysis.program;
  const compiler::LiveCount live = most_live(analysis);
  const BranchCounts branches = count_branches(analysis);
  nlohmann::json blocks = nlohmann::json::array();
  for (const BasicBlock& block : program.blocks) {
    nlohmann::json code = nlohmann::json::array();
    for (Pc pc = block.first; pc <= block.last; ++pc) {
      const Instruction& instruction = program.code[pc];
      nlohmann::json one = {{"pc", pc},
                            {"line", instruction.line},
                            {"text", isa::to_string(instruction)},
                            {"live_registers", analysis.live[pc].registers},
                            {"live_predicates", analysis.live[pc].predicates}};
      if (const std::string known = lanes(analysis, pc); !known.empty()) one["lanes"] = known;
      if (const std::string known = address(analysis, pc); !known.empty()) one["address"] = known;
      code.push_back(one);
    }
    nlohmann::json one = {{"name", block.name},
                          {"first", block.first},
                          {"last", block.last},
                          {"successors", block.successors},
                          {"may_diverge", may_diverge(analysis, block)},
                          {"instructions", code}};
    one["rpc"] = block.rpc == isa::NoPc ? nlohmann::json() : nlohmann::json(block.rpc);
    blocks.push_back(one);
  }
  return {
      {"kernel", program.name},
      {"file", file_name(program)},
      {"instructions", program.code.size()},
      {"registers", program.registers},
      {"predicates", program.predicates},
      {"spill_instructions", count_spills(program)},
      {"max_live_registers", live.registers},
      {"max_live_predicates", live.predicates},
      {"shared_bytes", program.shared_bytes},
      {"local_bytes", program.local_bytes},
      {"parameter_bytes", program.parameter_bytes},
      {"branches",
       {{"divergent", branches.divergent}, {"uniform", branches.uniform}, {"unconditional", branches.unconditional}}},
      {"occupancy",
       {{"point", kernel.point->name},
        {"threads_a_block", kernel.threads},
        {"blocks", kernel.occupancy.ctas},
        {"warps", kernel.occupancy.warps},
        {"limit", kernel.occupancy.limit}}},
      {"blocks", blocks}};
}

}  // namespace heddle::report
