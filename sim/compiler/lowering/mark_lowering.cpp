// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/mark_lowering.h"

#include <fmt/format.h>

#include "sim/compiler/lowering/named_function.h"

namespace heddle::compiler {
namespace {

std::string text_of(const std::optional<unsigned>& threshold) {
  return threshold ? fmt::format("threshold {}", *threshold) : "no threshold";
}

}  // namespace

void MarkLowering::add(const ptx::Statement& statement) {
  const ptx::Mark& mark = statement.mark;
  Found& found = prediction_of(statement);
  const Prediction& prediction = code_.predictions[static_cast<std::size_t>(found.index)];
  const bool is_point = mark.kind == ptx::Mark::Kind::Reconverge;
  if (!is_point && found.is_predicted && mark.threshold != prediction.threshold) {
    throw module_.error(statement.where, fmt::format("{}: {} here, {} in line {}", mark.name, text_of(mark.threshold),
                                                     text_of(prediction.threshold), found.where.line));
  }
  if (!is_point && !found.is_predicted) {
    code_.predictions[static_cast<std::size_t>(found.index)].threshold = mark.threshold;
    found.where = statement.where;
  }
  (is_point ? found.has_point : found.is_predicted) = true;

  VirtualInstruction instruction = VirtualInstruction::of(is_point ? Mark::Reconverge : Mark::Predict, found.index);
  instruction.where = statement.where;
  instruction.body.line = statement.where.line;
  instruction.body.source_file = statement.source.file;
  instruction.body.source_line = statement.source.line;
  code_.code.push_back(instruction);
}

void MarkLowering::finish() const {
  for (const auto& [key, found] : found_) {
    const std::string& name = key.second;
    if (!found.has_point) {
      throw module_.error(found.where, fmt::format("heddle.predict {0}: this function has no heddle.reconverge {0}; a "
                                                   "compiler may have taken it away",
                                                   name));
    }
    if (!found.is_predicted) {
      throw module_.error(found.where, fmt::format("heddle.reconverge {0}: this function has no heddle.predict {0}; a "
                                                   "compiler may have taken it away",
                                                   name));
    }
  }
}

MarkLowering::Found& MarkLowering::prediction_of(const ptx::Statement& statement) {
  const bool is_function = statement.mark.kind == ptx::Mark::Kind::PredictFunction;
  Found& found = found_[{is_function, statement.mark.name}];
  if (found.index >= 0) return found;
  Prediction prediction;
  prediction.label = statement.mark.name;
  prediction.where = statement.where;
  if (is_function) prediction.function = function_of(statement);
  found.index = static_cast<int>(code_.predictions.size());
  found.has_point = is_function;
  found.where = statement.where;
  code_.predictions.push_back(std::move(prediction));
  return found;
}

int MarkLowering::function_of(const ptx::Statement& statement) const {
  const ptx::Function& function = named_function(module_, statement.mark.name, statement.where);
  const int index = graph_.find(function.name);
  if (index < 0)
    throw module_.error(statement.where, fmt::format("function {} is called nowhere; a compiler may have inlined it",
                                                     statement.mark.name));
  return index;
}

}  // namespace heddle::compiler
