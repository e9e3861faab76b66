// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/compile.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "sim/compiler/allocation/allocation_check.h"
#include "sim/compiler/allocation/spilling.h"
#include "sim/compiler/analysis/affine_stack_room.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/decoupling.h"
#include "sim/compiler/analysis/liveness.h"
#include "sim/compiler/analysis/stream_order.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/compiler/passes.h"
#include "sim/compiler/transformation/affine_streams.h"

namespace heddle::compiler {
namespace {

const ptx::Function& select_entry(const ptx::Module& module, const std::string& name) {
  if (name.empty() && module.entries.size() == 1) return module.entries.front();
  if (const ptx::Function* entry = module.find(name)) return *entry;
  std::string known;
  for (const ptx::Function& entry : module.entries) known += (known.empty() ? "" : ", ") + entry.name;
  throw std::invalid_argument(
      fmt::format("{}: no entry '{}'; entries: {}", module.file, name, known.empty() ? "none" : known));
}

constexpr unsigned FewestRegisters = 16;  // with which any instruction, its operands and a spilled value get along

Assignment assign_registers(const ptx::Module& module, const ptx::Function& entry, VirtualCode& code,
                            const CompileOptions& options) {
  const unsigned stated = entry.max_registers == 0 ? isa::MaxRegisters : entry.max_registers;
  const unsigned wanted = options.max_registers.value_or(options.machine.max_registers);
  const unsigned limit = std::clamp(std::min(stated, wanted), FewestRegisters, isa::MaxRegisters);
  try {
    Assignment assignment = fit_registers(code, limit);
#ifndef NDEBUG
    check_allocation(code, assignment);
#endif
    return assignment;
  } catch (const std::length_error& error) {
    throw module.error(entry.where,
                       fmt::format("cudaErrorLaunchOutOfResources: entry {} {}", entry.name, error.what()));
  }
}

isa::Instruction finish(const VirtualCode& code, const VirtualInstruction& instruction, const Assignment& assignment) {
  const auto place = [&](VirtualId id) {
    return static_cast<std::uint16_t>(assignment.place[static_cast<std::size_t>(id)]);
  };
  if (instruction.mark != Mark::None) throw std::logic_error("a mark is left, which no machine executes");
  isa::Instruction result = instruction.body;
  if (instruction.guard != NoVirtual) result.guard.index = place(instruction.guard);
  for (unsigned index = 0; index < result.sources.size(); ++index)
    if (instruction.sources[index] != NoVirtual) result.sources[index].index = place(instruction.sources[index]);
  if (instruction.destination != NoVirtual) {
    const auto id = static_cast<std::size_t>(instruction.destination);
    const bool is_predicate = code.registers[id].width == Class::Predicate;
    result.destination.id =
        static_cast<std::uint16_t>(assignment.place[id] + (is_predicate ? isa::FirstPredicate : 0U));
  }
  return result;
}

/// May rewrite the code, so that it fits the registers.
isa::Program assemble(const ptx::Module& module, const ptx::Function& entry, VirtualCode& code,
                      std::shared_ptr<const isa::GlobalData> globals, const CompileOptions& options) {
  const Assignment assignment = assign_registers(module, entry, code, options);
  resolve_code_addresses(code);
  isa::Program program;
  program.name = entry.name;
  program.file = module.file;
  program.parameters = code.parameters;
  program.parameter_bytes = code.parameter_bytes;
  program.hidden = code.hidden;
  if (!globals->variables.empty()) program.globals = std::move(globals);
  program.shared_bytes = code.shared_bytes;
  program.local_bytes = code.local_bytes;
  program.max_threads = entry.max_threads;
  program.block = entry.block;
  program.tables = code.tables;
  program.stack_levels = code.stack_levels;
  program.single_stack_levels = code.single_stack_levels;
  program.sources = module.sources;
  for (const FunctionCode& function : code.functions)
    program.functions.push_back({function.name, function.first, function.last, function.is_recursive});
  program.blocks = find_blocks(code);

  program.registers = assignment.registers;
  program.predicates = assignment.predicates;
  for (const VirtualInstruction& instruction : code.code) program.code.push_back(finish(code, instruction, assignment));
  const Divergence divergence = analyse_divergence(code, program.blocks);
  for (const isa::BasicBlock& block : program.blocks) {
    isa::Instruction& last = program.code[block.last];
    if (last.kind != isa::Kind::Branch) continue;
    if (!options.machine.software_stack) last.rpc = block.rpc;
    last.may_part = block.successors.size() > 1 && divergence.is_divergent(block.last);
    if (last.may_part && block.rpc != isa::NoPc) program.code[block.rpc].is_post_dominator = true;
  }
  return program;
}

/// \throws std::length_error for more values than there are registers
isa::AffineStream finish_affine(const VirtualCode& code, const MachineOptions& machine) {
  const Assignment assignment = allocate_registers(code, machine.affine_registers);
  if (!assignment.spilled.empty())
    throw std::length_error(fmt::format("it needs more than {} tuples at once", machine.affine_registers));
  if (assignment.predicates > machine.affine_predicates)
    throw std::length_error(
        fmt::format("it needs more than {} predicates of tuples at once", machine.affine_predicates));
  isa::AffineStream stream;
  stream.registers = assignment.registers;
  stream.predicates = assignment.predicates;
  for (const VirtualInstruction& instruction : code.code) {
    stream.code.push_back(finish(code, instruction, assignment));
    stream.origin.push_back(instruction.origin);
  }
  return stream;
}

/// Beside the whole program the same in two streams, if that can be.
void add_split(const ptx::Module& module, const ptx::Function& entry, const VirtualCode& code,
               const std::shared_ptr<const isa::GlobalData>& globals, const CompileOptions& options,
               isa::Program& program) {
  const std::vector<isa::BasicBlock> blocks = find_blocks(code);
  const KernelDecoupling decoupling = decide_decoupling(code, blocks, options.machine.affine_outcomes);
  program.why_not_split = decoupling.why_not;
  if (!program.why_not_split.empty()) return;
  AffineStreams streams = split_streams(code, blocks, decoupling);
  if (const std::string difference = difference_in_order(streams.warps, streams.affine); !difference.empty())
    throw std::logic_error(fmt::format("{}: {}: the streams' orders differ: {}", module.file, entry.name, difference));
  program.why_not_split = why_beyond({options.machine.affine_paths, options.machine.affine_masks}, streams.affine,
                                     analyse_divergence(code, blocks));
  if (!program.why_not_split.empty()) return;
  try {
    auto affine = std::make_shared<const isa::AffineStream>(finish_affine(streams.affine, options.machine));
    auto split = std::make_shared<isa::Program>(assemble(module, entry, streams.warps, globals, options));
    split->affine = std::move(affine);
    split->conditions = streams.conditions;
    program.split = std::move(split);
  } catch (const std::length_error& error) { program.why_not_split = error.what(); }
}

isa::Program compile_code(const ptx::Module& module, const ptx::Function& entry, VirtualCode& code,
                          const std::shared_ptr<const isa::GlobalData>& globals, const CompileOptions& options) {
  if (!options.machine.affine) return assemble(module, entry, code, globals, options);
  const VirtualCode before = code;  // assemble() may rewrite it
  isa::Program program = assemble(module, entry, code, globals, options);
  add_split(module, entry, before, globals, options, program);
  return program;
}

std::vector<LiveCount> count_live(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  std::vector<LiveCount> counts;
  for (const std::set<VirtualId>& live : live_before(code, across_calls(code, blocks))) {
    LiveCount count;
    for (const VirtualId id : live) {
      const Class width = code.registers[static_cast<std::size_t>(id)].width;
      (width == Class::Predicate ? count.predicates : count.registers) += width == Class::Wide ? 2 : 1;
    }
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

isa::Program compile(const ptx::Module& module, const std::string& name, std::shared_ptr<const isa::GlobalData> globals,
                     const CompileOptions& options) {
  if (!globals) globals = global_data(module);
  const ptx::Function& entry = select_entry(module, name);
  VirtualCode code = virtual_code(module, entry, *globals, options);
  return compile_code(module, entry, code, globals, options);
}

VirtualCode code_after(const ptx::Module& module, const std::string& name, const CompileOptions& options,
                       const std::string& pass) {
  return virtual_code(module, select_entry(module, name), *global_data(module), options, pass);
}

Analysis analyse(const ptx::Module& module, const std::string& name, const CompileOptions& options) {
  const ptx::Function& entry = select_entry(module, name);
  const auto globals = global_data(module);
  VirtualCode code = virtual_code(module, entry, *globals, options);
  Analysis analysis;
  analysis.program = compile_code(module, entry, code, globals, options);
  analysis.divergence = analyse_divergence(code, analysis.program.blocks);
  analysis.live = count_live(code, analysis.program.blocks);
  return analysis;
}

}  // namespace heddle::compiler
