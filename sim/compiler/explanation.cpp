#include "sim/compiler/explanation.h"

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/passes.h"
#include "sim/compiler/transformation/marks.h"

namespace heddle::compiler {

BarrierExplanation explain_barriers(const ptx::Module& module, const std::string& entry,
                                    const CompileOptions& options) {
  BarrierExplanation explanation;
  explanation.code = code_after(module, entry, options, "automatic_predictions");
  if (options.reconverge == Reconverge::Default) take_out_marks(explanation.code);
  explanation.blocks = find_blocks(explanation.code);
  VirtualCode placed = explanation.code;
  explanation.list = place_barriers(placed, options);
  return explanation;
}

}  // namespace heddle::compiler
