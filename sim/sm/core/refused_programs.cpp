// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/core/refused_programs.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {

namespace {

/// Queues are ordered as one stack runs through a kernel's sides; what reorders or remakes warps does not keep to it.
std::string why_refused_affine(const Mechanism& names, const DivergenceRow& mechanism) {
  if (affine_named(names.affine.name).per_warp && !mechanism.keeps_warps())
    return fmt::format(
        "{} does not run beside --affine {}: the affine unit takes what all lanes of a warp execute that started "
        "together; expected a mechanism that keeps warps, such as --divergence spe, or --affine none",
        names.divergence, names.affine.name);
  if (!affine_named(names.affine.name).decouples || mechanism.takes_affine) return "";
  std::vector<std::string> takers;
  for (const DivergenceRow& row : divergences())
    if (row.takes_affine) takers.emplace_back(row.name);
  return fmt::format(
      "{} does not run beside --affine {}: its warps would dequeue in another order than the affine warp enqueues; "
      "expected --divergence {}, or --affine none",
      names.divergence, names.affine.name, fmt::join(takers, " or "));
}

/// Both ask for lines before the loads come, DAC where it knows the address.
std::string why_refused_prefetcher(const Mechanism& names) {
  if (!prefetcher_named(names.prefetch).prefetches || !affine_named(names.affine.name).decouples) return "";
  return fmt::format("--prefetch {} does not stand beside --affine {}: both ask for lines early; expected one of them",
                     names.prefetch, names.affine.name);
}

/// \pre its pushes and pops are its own. See sim/compiler/transformation/software_stack.h
std::string why_refused_pushes(const isa::Program& program, const DivergenceRow& mechanism, const DesignPoint& point) {
  const auto recursive = std::find_if(program.functions.begin(), program.functions.end(),
                                      [](const isa::FunctionRange& function) { return function.is_recursive; });
  if (recursive != program.functions.end())
    return fmt::format(
        "kernel {} calls {}, which may call itself, so nothing says how many entries of the {} it needs; expected "
        "--divergence spe or dpe",
        program.name, recursive->name, mechanism.block);
  const unsigned entries = 1 + (mechanism.paths == 1 ? program.single_stack_levels : program.stack_levels);
  if (entries <= point.software_depth) return "";
  return fmt::format(
      "kernel {} may need {} entries of the {}, for its pushes and for branches that part{}; {} has {}; "
      "expected --set software_depth={}, or --divergence spe or dpe",
      program.name, entries, mechanism.block, mechanism.paths == 1 ? "" : " beside another path", point.name,
      point.software_depth, entries);
}

constexpr const char* Expected = "expected one of the stacks: --divergence spe or dpe";

/// A register file or a scoreboard that the mechanism cannot stand on.
std::string why_refused_pairs(const Mechanism& names, const DivergenceRow& mechanism) {
  const std::string file = register_file_of(names);
  const std::vector<std::string> files = register_files_of(mechanism);
  if (std::find(files.begin(), files.end(), file) == files.end())
    return fmt::format("{} does not stand on the register file {}; expected --register-file {}", mechanism.name, file,
                       fmt::join(files, ", "));
  if (mechanism.has(SmSide::Formation) && !scoreboard_named(names.scoreboard).is_barrel)
    return fmt::format(
        "{} has no scoreboard: a thread issues when its last instruction is done; expected --scoreboard "
        "barrel",
        mechanism.name);
  return "";
}

}  // namespace

std::string why_refused(const isa::Program& program, const Mechanism& names, const DesignPoint& point) {
  const DivergenceRow& mechanism = divergence_named(names.divergence);
  const std::uint64_t pcs = (std::uint64_t(1) << point.pc_bits) - 1;  // the last is no PC
  if (program.code.size() > pcs)
    return fmt::format("kernel {} has {} instructions; PCs of {} bits (pc_bits of {}) name {}", program.name,
                       program.code.size(), point.pc_bits, point.name, pcs);
  if (mechanism.is_reference && names.scoreboard != mechanism.scoreboard)
    return fmt::format("{} has no blocks and no limits; expected --scoreboard {}", mechanism.name,
                       mechanism.scoreboard);
  if (std::string refused = why_refused_pairs(names, mechanism); !refused.empty()) return refused;
  if (std::string refused = why_refused_affine(names, mechanism); !refused.empty()) return refused;
  if (std::string refused = why_refused_prefetcher(names); !refused.empty()) return refused;
  if (mechanism.has(SmSide::SoftwareStack))
    if (std::string refused = why_refused_pushes(program, mechanism, point); !refused.empty()) return refused;
  const auto wide = std::find_if(program.code.begin(), program.code.end(),
                                 [](const isa::Instruction& one) { return one.kind == isa::Kind::WarpWide; });
  if (!mechanism.keeps_warps() && wide != program.code.end())
    return fmt::format("kernel {}, {}:{}: {}, an operation on the lanes of a warp; under {} {}; {}, or barrier",
                       program.name, program.file, wide->line, wide->mnemonic, mechanism.name,
                       mechanism.has(SmSide::Formation) ? "warps are made anew all the time" : "there are no warps",
                       Expected);
  const auto recursive = std::find_if(program.functions.begin(), program.functions.end(),
                                      [](const isa::FunctionRange& function) { return function.is_recursive; });
  if (!mechanism.calls && recursive != program.functions.end())
    return fmt::format("kernel {} calls {}, which may call itself; {} ({}) has no entries for calls; {}", program.name,
                       recursive->name, mechanism.name, mechanism.block, Expected);
  return "";
}

}  // namespace heddle
