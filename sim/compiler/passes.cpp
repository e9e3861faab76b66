// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/passes.h"

#include <algorithm>
#include <stdexcept>

#include "sim/compiler/analysis/barrier_check.h"
#include "sim/compiler/analysis/code_check.h"
#include "sim/compiler/lowering/lowering.h"
#include "sim/compiler/transformation/automatic_predictions.h"
#include "sim/compiler/transformation/convergence_barriers.h"
#include "sim/compiler/transformation/marks.h"
#include "sim/compiler/transformation/move_coalescing.h"
#include "sim/compiler/transformation/needless_jumps.h"
#include "sim/compiler/transformation/recursion.h"
#include "sim/compiler/transformation/software_stack.h"
#include "sim/compiler/transformation/unread_results.h"

namespace heddle::compiler {
namespace {

bool never(const VirtualCode&, const CompileOptions&) {
  return false;
}
bool always(const VirtualCode&, const CompileOptions&) {
  return true;
}
bool has_recursion(const VirtualCode& code, const CompileOptions&) {
  return code.stack_pointer != NoVirtual;
}
bool coalesces(const VirtualCode&, const CompileOptions& options) {
  return !options.keep_copies;
}
bool has_software_stack(const VirtualCode&, const CompileOptions& options) {
  return options.machine.software_stack;
}
bool predicts(const VirtualCode&, const CompileOptions& options) {
  return options.machine.convergence_barriers != 0 && options.reconverge == Reconverge::Automatic;
}
bool has_barriers_or_marks(const VirtualCode& code, const CompileOptions& options) {
  return options.machine.convergence_barriers != 0 || has_marks(code);
}

void check(const VirtualCode& code, const char* after) {
#ifndef NDEBUG
  check_code(code, after);
  check_barriers(code, after);
#else
  static_cast<void>(code), static_cast<void>(after);
#endif
}

}  // namespace

BarrierList place_barriers(VirtualCode& code, const CompileOptions& options) {
  const unsigned registers = options.machine.convergence_barriers;
  // The oracle beside a run has the same options and no barriers.
  if (registers == 0 || options.reconverge == Reconverge::Default) take_out_marks(code);
  if (registers == 0) return {};
  return insert_convergence_barriers(code, registers,
                                     {options.deconfliction == Deconfliction::Static, options.soft_threshold});
}

std::vector<Candidate> predict_automatically(VirtualCode& code, const CompileOptions& options) {
  if (!options.profile) return add_automatic_predictions(code);
  const auto& threads = options.profile->threads;
  const std::string& entry = code.functions.front().name;
  if (const auto counted = threads.find(entry); counted != threads.end())
    return add_automatic_predictions(code, &counted->second);
  std::string known;
  for (const auto& [name, unused] : threads) known += (known.empty() ? "" : ", ") + name;
  throw std::invalid_argument("--profile-from: it has no counts of " + entry + ", but of " + known);
}

const std::vector<Pass>& passes() {
  static const std::vector<Pass> Passes = {
      {"lower", "PTX statements become instructions with registers of their own", never, nullptr},
      {"recursion", "calls of functions that may call themselves save registers on a stack in local memory",
       has_recursion, [](VirtualCode& code, const CompileOptions&) { add_recursion_stack(code); }},
      {"unread_results", "an atomic whose result nobody reads becomes a reduction", always,
       [](VirtualCode& code, const CompileOptions&) { drop_unread_results(code); }},
      {"move_coalescing", "what a copy connects becomes one register where nothing keeps them apart", coalesces,
       [](VirtualCode& code, const CompileOptions&) { coalesce_moves(code); }},
      {"automatic_predictions", "marks of predictions where the compiler finds that they pay (SR sec. 4.5)", predicts,
       [](VirtualCode& code, const CompileOptions& options) { predict_automatically(code, options); }},
      {"convergence_barriers",
       "bssy, bsync, yield, warpsync, for machines that have convergence barriers; marks of predictions go",
       has_barriers_or_marks, [](VirtualCode& code, const CompileOptions& options) { place_barriers(code, options); }},
      {"software_stack", "push and pop, for machines whose programs manage the reconvergence stack", has_software_stack,
       [](VirtualCode& code, const CompileOptions& options) { insert_pushes_and_pops(code, options.machine.lanes); }},
      {"needless_jumps", "jumps to the next instruction go", always,
       [](VirtualCode& code, const CompileOptions&) { drop_needless_jumps(code); }}};
  return Passes;
}

VirtualCode virtual_code(const ptx::Module& module, const ptx::Function& entry, const isa::GlobalData& globals,
                         const CompileOptions& options, const std::string& last) {
  const auto is_last = [&](const Pass& pass) { return pass.name == last; };
  if (!last.empty() && std::none_of(passes().begin(), passes().end(), is_last))
    throw std::invalid_argument("no pass " + last);
  VirtualCode code = lower(module, entry, globals);
  check(code, "lower");
  for (const Pass& pass : passes()) {
    if (pass.applies(code, options)) {
      pass.run(code, options);
      check(code, pass.name);
    }
    if (is_last(pass)) break;
  }
  return code;
}

}  // namespace heddle::compiler
