// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/explanation.h"

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/passes.h"
#include "sim/compiler/transformation/marks.h"

namespace heddle::compiler {

BarrierExplanation explain_barriers(const ptx::Module& module, const std::string& entry,
                                    const CompileOptions& options) {
  BarrierExplanation explanation;
  explanation.code = code_after(module, entry, options, "move_coalescing");
  if (options.reconverge == Reconverge::Automatic) {
    const std::vector<isa::BasicBlock> blocks = find_blocks(explanation.code);
    const VirtualCode before = explanation.code;
    for (const Candidate& one : predict_automatically(explanation.code, options)) {
      const isa::BasicBlock& point = blocks[one.point];
      explanation.candidates.push_back(
          {to_string(one.kind), point.name, before.code[point.first].where.line, one.chosen, one.reason});
    }
  }
  if (options.reconverge == Reconverge::Default) take_out_marks(explanation.code);
  explanation.blocks = find_blocks(explanation.code);
  VirtualCode placed = explanation.code;
  explanation.list = place_barriers(placed, options);
  return explanation;
}

AffineExplanation explain_affine(const ptx::Module& module, const std::string& entry, const CompileOptions& options) {
  AffineExplanation explanation;
  explanation.code = code_after(module, entry, options, "move_coalescing");
  take_out_marks(explanation.code);
  explanation.blocks = find_blocks(explanation.code);
  explanation.decoupling = decide_decoupling(explanation.code, explanation.blocks, options.machine.affine_outcomes);
  if (explanation.decoupling.why_not.empty())
    explanation.streams = split_streams(explanation.code, explanation.blocks, explanation.decoupling);
  return explanation;
}

}  // namespace heddle::compiler
