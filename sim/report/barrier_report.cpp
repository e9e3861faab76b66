// SPDX-License-Identifier: Apache-2.0
#include "sim/report/barrier_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/compiler/analysis/natural_loops.h"
#include "sim/report/table.h"

namespace heddle::report {

namespace {

using compiler::Barrier;
using compiler::BarrierDecision;
using compiler::BarrierExplanation;
using compiler::BarrierRole;

const compiler::Prediction* prediction_of(const BarrierExplanation& e, const Barrier& barrier) {
  return barrier.prediction < 0 ? nullptr : &e.code.predictions[static_cast<std::size_t>(barrier.prediction)];
}

bool is_placed(const Barrier& barrier) {
  return barrier.barrier >= 0 && !barrier.is_removed;
}

const char* role_of(const Barrier& barrier) {
  return barrier.role == BarrierRole::Default     ? "default"
         : barrier.role == BarrierRole::Predicted ? "predicted"
                                                  : "orthogonal";
}

unsigned line_of(const BarrierExplanation& e, isa::Pc pc) {
  return e.code.code[pc].where.line;
}

const std::string& block_of(const BarrierExplanation& e, isa::Pc pc) {
  return e.blocks[compiler::block_at(e.blocks, pc)].name;
}

/// The decisions about a barrier, in the order of the code.
std::vector<BarrierDecision> decisions_of(const BarrierExplanation& e, std::size_t index) {
  std::vector<BarrierDecision> decisions;
  for (const BarrierDecision& decision : e.list.decisions)
    if (decision.barrier == index) decisions.push_back(decision);
  std::stable_sort(decisions.begin(), decisions.end(),
                   [](const BarrierDecision& a, const BarrierDecision& b) { return a.place < b.place; });
  return decisions;
}

std::vector<std::string> blocks_inside(const BarrierExplanation& e, const Barrier& barrier) {
  std::vector<std::string> names;
  for (std::size_t block = 0; block < barrier.inside.size(); ++block)
    if (barrier.inside[block]) names.push_back(e.blocks[block].name);
  return names;
}

/// In whose regions who waits for this one may be: those lanes wait for each other.
std::vector<std::size_t> may_be_in(const BarrierExplanation& e, std::size_t index) {
  std::vector<std::size_t> others;
  if (e.list.may_be_in.empty()) return others;
  for (std::size_t other = 0; other < e.list.barriers.size(); ++other)
    if (e.list.may_be_in[index][other] && is_placed(e.list.barriers[other])) others.push_back(other);
  return others;
}

template <class Items, class Text>
std::string joined(const Items& items, const Text& text) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
  return all;
}

std::string number(std::size_t index) {
  return fmt::format("b{}", index);
}

std::string registers_of(const Barrier& barrier) {
  if (!is_placed(barrier)) return "not in the code";
  std::string text = fmt::format("B{}", barrier.barrier);
  if (barrier.all >= 0) text += fmt::format(", B{} (who is in the region)", barrier.all);
  if (barrier.count >= 0) text += fmt::format(", B{} (who has arrived)", barrier.count);
  return text;
}

std::string heading(const BarrierExplanation& e, std::size_t index) {
  const Barrier& barrier = e.list.barriers[index];
  std::string text = fmt::format("{}  {}", number(index), role_of(barrier));
  if (const compiler::Prediction* prediction = prediction_of(e, barrier))
    text += fmt::format(" {} {} (line {}{})", barrier.role == BarrierRole::Predicted ? "at" : "behind the region of",
                        prediction->label, prediction->where.line,
                        prediction->is_automatic ? ", found by the compiler" : "");
  else if (!barrier.points.waits.empty())
    text += fmt::format(" at line {}", line_of(e, *barrier.points.waits.begin()));
  if (barrier.threshold) text += fmt::format("; soft: lanes go on when more than {} are there", *barrier.threshold);
  return text + ": " + registers_of(barrier);
}

std::string candidate_text(const BarrierExplanation& e) {
  if (e.candidates.empty()) return "";
  Table table({"kind", "line", "block", "chosen", "why"});
  for (const compiler::ExplainedCandidate& one : e.candidates)
    table.add({one.kind, std::to_string(one.line), one.block, one.is_chosen ? "yes" : "no", one.why});
  return "\nwhere the compiler looked for predictions of its own (SR sec. 4.5)\n" + table.text(TerminalWidth);
}

}  // namespace

std::string barrier_text(const BarrierExplanation& e) {
  const auto& barriers = e.list.barriers;
  const auto placed = std::count_if(barriers.begin(), barriers.end(), is_placed);
  std::string text = fmt::format("convergence barriers of {}: {}", e.code.functions.front().name, placed);
  if (static_cast<std::size_t>(placed) != barriers.size())
    text += fmt::format("; {} more are not in the code", barriers.size() - static_cast<std::size_t>(placed));
  text += '\n';
  for (std::size_t index = 0; index < barriers.size(); ++index) {
    text += '\n' + heading(e, index) + '\n';
    const std::string blocks = joined(blocks_inside(e, barriers[index]), [](const std::string& name) { return name; });
    if (!blocks.empty()) text += "  lanes are in it in " + blocks + '\n';
    const std::vector<std::size_t> others = may_be_in(e, index);
    if (!others.empty() && is_placed(barriers[index]))
      text += "  who waits for it may be in " + joined(others, number) + " as well, and is waited for there\n";
    Table table({"  operation", "line", "block", "why"});
    for (const BarrierDecision& decision : decisions_of(e, index))
      table.add({std::string("  ") + decision.operation, std::to_string(line_of(e, decision.place.pc)),
                 block_of(e, decision.place.pc), decision.why});
    text += table.text(TerminalWidth);
  }
  return text + candidate_text(e);
}

nlohmann::json barrier_json(const BarrierExplanation& e) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t index = 0; index < e.list.barriers.size(); ++index) {
    const Barrier& barrier = e.list.barriers[index];
    nlohmann::json operations = nlohmann::json::array();
    for (const BarrierDecision& decision : decisions_of(e, index)) {
      const compiler::VirtualInstruction& there = e.code.code[decision.place.pc];
      operations.push_back({{"operation", decision.operation},
                            {"line", there.where.line},
                            {"source_line", there.body.source_line},
                            {"block", block_of(e, decision.place.pc)},
                            {"behind", decision.place.behind},
                            {"why", decision.why}});
    }
    nlohmann::json one = {{"name", number(index)},
                          {"role", role_of(barrier)},
                          {"is_placed", is_placed(barrier)},
                          {"blocks", blocks_inside(e, barrier)},
                          {"may_be_in", nlohmann::json::array()},
                          {"operations", operations}};
    for (const std::size_t other : may_be_in(e, index)) one["may_be_in"].push_back(number(other));
    if (is_placed(barrier)) one["register"] = barrier.barrier;
    if (barrier.all >= 0) one["register_of_region"] = barrier.all;
    if (barrier.count >= 0) one["register_of_arrived"] = barrier.count;
    if (barrier.threshold) one["threshold"] = *barrier.threshold;
    if (const compiler::Prediction* prediction = prediction_of(e, barrier)) {
      one["prediction"] = prediction->label;
      one["is_automatic"] = prediction->is_automatic;
    }
    all.push_back(one);
  }
  return all;
}

std::map<std::string, std::string> barriers_by_block(const BarrierExplanation& e) {
  std::map<std::string, std::string> found;
  for (std::size_t index = 0; index < e.list.barriers.size(); ++index) {
    if (!is_placed(e.list.barriers[index])) continue;
    for (const std::string& block : blocks_inside(e, e.list.barriers[index])) {
      std::string& text = found[block];
      text += (text.empty() ? "in " : ", ") + number(index);
    }
  }
  return found;
}

}  // namespace heddle::report
