// SPDX-License-Identifier: Apache-2.0
// heddle compile
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/affine_options.h"
#include "sim/cli/commands.h"
#include "sim/cli/cuda_source.h"
#include "sim/cli/locations.h"
#include "sim/cli/number_option.h"
#include "sim/cli/reconverge_options.h"
#include "sim/cli/sized_point.h"
#include "sim/compiler/code/virtual_listing.h"
#include "sim/compiler/explanation.h"
#include "sim/compiler/passes.h"
#include "sim/gpu/run.h"
#include "sim/isa/launch.h"
#include "sim/ptx/parser.h"
#include "sim/report/affine_report.h"
#include "sim/report/barrier_report.h"
#include "sim/report/listing.h"
#include "sim/report/nearest.h"

namespace heddle::cli {

namespace {

struct CompileOptions {
  std::vector<std::string> settings;
  std::string input, entry, point = "hpca13", dot, json, last_pass, branches = "all";
  unsigned threads = 128;
  std::uint64_t shared = 0;
  bool only_summary = false, barriers = false, pushes = false, affine = false, lists_passes = false;
  compiler::CompileOptions compile;
};

/// A kernel of ours by name, or a file.
std::string ptx_path(const std::string& input, const compiler::CompileOptions& options) {
  if (std::filesystem::path(input).extension() == ".cu") return ptx_of("input", input);
  if (std::filesystem::exists(input)) return input;
  if (const gpu::Workload* workload = gpu::find_workload(input))
    return gpu::workload_ptx(*workload, Locations().kernels, options);
  std::vector<std::string> kernels;
  for (const gpu::Workload* w : gpu::all_workloads()) kernels.push_back(w->name());
  if (!report::nearest(input, kernels).empty())
    throw CLI::ValidationError("input", report::no_such("kernel or file", input, kernels));
  return input;
}

int list_passes() {
  const auto line = [](const char* name, const char* what) { std::cout << fmt::format("{:<20}  {}\n", name, what); };
  for (const compiler::Pass& pass : compiler::passes()) line(pass.name, pass.what);
  line("registers", "places for them: graph colouring; what finds none is made again or goes to local memory");
  return 0;
}

/// \throws CLI::ValidationError with the nearest name
void expect_pass(const std::string& name) {
  std::vector<std::string> names;
  for (const compiler::Pass& pass : compiler::passes()) names.emplace_back(pass.name);
  if (std::count(names.begin(), names.end(), name) == 0)
    throw CLI::ValidationError("--stop-after", report::no_such("pass", name, names));
}

int compile(const CompileOptions& options) {
  if (options.lists_passes) return list_passes();
  if (options.input.empty()) throw CLI::RequiredError("input");
  check_reconverge(options.compile);
  if (options.compile.reconverge != compiler::Reconverge::Default && !options.barriers)
    throw CLI::ValidationError("--reconverge", "of convergence barriers, and there are none without --barriers");
  if (!options.last_pass.empty()) expect_pass(options.last_pass);
  const DesignPoint& point = sized_point(options.point, options.settings);
  const ptx::Module module = ptx::parse_file(ptx_path(options.input, options.compile));
  std::vector<std::string> entries;
  if (!options.entry.empty()) {
    entries.push_back(options.entry);
  } else {
    for (const ptx::Function& entry : module.entries) entries.push_back(entry.name);
  }
  if (entries.empty()) throw std::invalid_argument(fmt::format("{} has no .entry", options.input));

  check_writable("--dot", options.dot);
  check_writable("--json", options.json);
  std::string text, graphs;
  nlohmann::json json = nlohmann::json::array();
  compiler::CompileOptions how = options.compile;
  if (options.barriers) how.machine.convergence_barriers = point.barrier_registers;
  how.machine.software_stack = options.pushes;
  how.machine.lanes = point.lanes;
  how.machine.affine = options.affine;
  how.machine.affine_outcomes = options.branches == "all";
  how.machine.max_registers = point.max_registers;
  how.machine.affine_registers = point.affine_registers;
  how.machine.affine_predicates = point.affine_predicates;
  how.machine.affine_paths = point.affine_depth;
  how.machine.affine_masks = point.affine_lane_depth;
  if (!options.last_pass.empty()) {
    for (const std::string& entry : entries) {
      const compiler::VirtualCode code = compiler::code_after(module, entry, how, options.last_pass);
      std::cout << fmt::format("{} after pass {}: {} instructions\n{}", entry, options.last_pass, code.code.size(),
                               compiler::to_string(code));
    }
    return 0;
  }
  for (const std::string& entry : entries) {
    report::ListedKernel kernel{compiler::analyse(module, entry, how), &point, options.threads, {}};
    kernel.occupancy = occupancy(kernel.analysis.program, options.threads, point, options.shared);
    nlohmann::json barriers, affine;
    std::string why;
    if (options.barriers) {
      const compiler::BarrierExplanation explanation = compiler::explain_barriers(module, entry, how);
      kernel.notes = report::barriers_by_block(explanation);
      barriers = report::barrier_json(explanation);
      why = '\n' + report::barrier_text(explanation);
    }
    if (options.affine) {
      compiler::AffineExplanation explanation = compiler::explain_affine(module, entry, how);
      if (explanation.streams && kernel.analysis.program.split == nullptr) {  // they do not fit the affine warp
        explanation.decoupling.why_not = kernel.analysis.program.why_not_split;
        explanation.streams.reset();
      }
      affine = report::affine_json(explanation);
      why += '\n' + report::affine_text(explanation);
    }
    if (!text.empty()) text += '\n';
    if (!options.only_summary) text += report::listing(kernel) + '\n';
    text += report::summary(kernel) + why;
    graphs += report::dot(kernel);
    json.push_back(report::to_json(kernel));
    if (options.barriers) json.back()["barriers"] = barriers;
    if (options.affine) json.back()["affine"] = affine;
  }
  if (options.json != "-" && options.dot != "-") std::cout << text;
  if (!options.dot.empty()) write_text("--dot", options.dot, graphs);
  if (!options.json.empty()) write_json(options.json, json);
  return 0;
}

}  // namespace

Command add_compile(CLI::App& app) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* command =
      app.add_subcommand("compile", "What the compiler makes of PTX: blocks, RPCs, divergence, registers");
  command->add_option("input", options->input,
                      "A PTX file, a CUDA file (.cu), or a kernel of ours (heddle list kernels)");
  command->add_option("--entry", options->entry, "Only this entry (default: all of the file)");
  command->add_option("--point", options->point, "Design point, for registers and the occupancy (heddle list points)")
      ->capture_default_str();
  command->add_option("--set", options->settings, "The point at another size, such as warps=16,lanes=8")
      ->delimiter(',');
  add_number(*command, "--max-registers", options->compile.max_registers,
             {isa::LeastRegisters, isa::MaxRegisters, "registers"},
             "Registers a thread, instead of the point's max_registers: what does not fit goes to local memory");
  add_number(*command, "--block", options->threads, {1, isa::MaxThreadsPerBlock, "threads"},
             "Threads a block, for the occupancy");
  add_number(*command, "--shared", options->shared, {0, MostSharedBytes, "bytes"},
             "Bytes of shared memory that a launch adds, for the occupancy");
  command->add_flag(
      "--barriers", options->barriers,
      "As for --divergence barrier: bssy joins a convergence barrier before a divergent branch, bsync waits "
      "where its sides meet, yield lets others go first in a loop that waits for a lane, warpsync waits for "
      "the lanes of the .sync operation behind it. Also why each barrier is where it is, in which blocks lanes are in "
      "it, and, of predictions, what was taken away; with --json and in the boxes of --dot, too");
  add_reconverge_options(*command, options->compile, "OPTIONS");
  command
      ->add_flag(
          "--software-stack", options->pushes,
          "As for --divergence dpe_software: push opens an entry of the stack before a branch that lanes may leave "
          "both ways, or before a loop; pop ends it where they meet")
      ->excludes("--barriers");
  command->add_flag(
      "--affine", options->affine,
      "Also what an affine warp would compute for all others (DAC): of each instruction the value (scalar: "
      "the same for a batch of blocks; block: for each; affine in the thread's index; comparison of such), "
      "what stands for it in the affine stream, or why nothing does; and both streams, side by side");
  add_affine_branches(*command, options->branches);
  command->add_flag("--passes", options->lists_passes, "List the compiler's passes, in their order");
  command->add_option("--stop-after", options->last_pass, "Print the code as this pass leaves it, registers virtual");
  command->add_flag("--summary", options->only_summary, "Leave out the code");
  command->add_option("--dot", options->dot, "Also the control flow graph for Graphviz, to this file or -");
  command->add_option("--json", options->json, "Also as JSON, to this file or - for standard output");
  command->footer(
      "Columns of the listing\n"
      "  pc, line   of the instruction; in the PTX file\n"
      "  live       registers of 32 bits whose value is still needed\n"
      "  lanes      what an instruction computes: uniform (all lanes of a warp the same), affine 4x+128y (4 more a\n"
      "             step of tid.x, 128 a step of tid.y; without factors if they are not constant), varying;\n"
      "             of a branch: uniform, or divergent if lanes may go both ways\n"
      "  address    the same of an access's address: affine 4x is a coalesced access of words\n"
      "Examples\n"
      "  heddle compile diverge                                      a kernel of ours\n"
      "  heddle compile nest --barriers                              where convergence barriers go, and why\n"
      "  heddle compile mcb --barriers --reconverge predicted --summary   what a prediction makes of them\n"
      "  heddle compile matrix_multiply --affine --summary           what is affine, and what is not, with the reason\n"
      "  heddle compile nest --software-stack                        where pushes and pops go\n"
      "  heddle compile nest --stop-after lower                      what the passes begin with (--passes)\n"
      "  heddle compile my.cu --set warps=16,lanes=8 --summary       a CUDA file, on a machine of one's own\n"
      "  heddle compile my.ptx --entry k --point hpca13 --block 256  how many warps fit, and what limits them\n"
      "  heddle compile bfs --dot - | dot -Tsvg -o bfs.svg           its graph; dashed: where lanes meet\n"
      "  heddle compile my.ptx --json - | jq '.[0].registers'        for programs");
  return [options] { return compile(*options); };
}

}  // namespace heddle::cli
