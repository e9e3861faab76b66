// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/predicted_function.h"

#include <algorithm>

#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {

void add_predicted_function(const VirtualCode& code, std::size_t function, Barrier& barrier) {
  const std::vector<std::vector<bool>> calls = calls_between_functions(code);
  JoinsAndWaits& points = barrier.points;
  points.waits.insert(code.functions[function].first);
  for (std::size_t f = 0; f < code.functions.size(); ++f)
    points.on_the_way.push_back(calls[barrier.function][f] && (f == function || calls[f][function]));
  for (const CallSite& call : code.calls) {
    if (call.caller != barrier.function && !points.on_the_way[call.caller]) continue;
    const std::vector<std::size_t> callees = callees_of(code, call.branch);
    if (std::any_of(callees.begin(), callees.end(), [&](std::size_t callee) { return points.on_the_way[callee]; }))
      points.calls.insert(call.branch);
  }
}

}  // namespace heddle::compiler
