// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/predictions.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "sim/compiler/transformation/deconfliction.h"
#include "sim/compiler/transformation/predicted_function.h"

namespace heddle::compiler {
namespace {

class Predictions {
 public:
  Predictions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
              const PredictionOptions& options)
      : code_(code), blocks_(blocks), list_(list), options_(options), defaults_(std::move(list.barriers)) {
    list_.barriers.clear();
  }

  void place(const std::vector<NaturalLoop>& loops) {
    Deconfliction deconfliction(code_, blocks_, loops, list_, options_.static_deconfliction);
    for (std::size_t index = 0; index < code_.predictions.size(); ++index) add(static_cast<int>(index));
    deconfliction.between_predictions();
    const std::size_t predicted = list_.barriers.size();
    for (std::size_t index = 0; index < predicted; ++index) {
      if (list_.barriers[index].is_removed) continue;
      explain(index);
      add_orthogonal(index);
    }
    const std::size_t first_default = list_.barriers.size();
    list_.barriers.insert(list_.barriers.end(), defaults_.begin(), defaults_.end());
    deconfliction.with_defaults(predicted, first_default);
  }

 private:
  BarrierRange range_of(const Barrier& barrier) const { return compiler::range_of(code_, blocks_, barrier); }
  const Prediction& prediction_of(const Barrier& barrier) const {
    return code_.predictions[static_cast<std::size_t>(barrier.prediction)];
  }
  [[noreturn]] static void refuse(const Prediction& what, const std::string& why) {
    throw std::invalid_argument(fmt::format("prediction {} (line {}): {}", what.label, what.where.line, why));
  }

  std::vector<bool> held_blocks(const BarrierRange& range) const {
    std::vector<bool> held(blocks_.size(), false);
    for (BlockIndex block = 0; block < blocks_.size(); ++block)
      for (isa::Pc pc = blocks_[block].first; pc <= blocks_[block].last; ++pc)
        held[block] = held[block] || range.holds(pc);
    return held;
  }

  void add(int prediction) {
    Barrier barrier;
    barrier.role = BarrierRole::Predicted;
    barrier.prediction = prediction;
    const Prediction& what = prediction_of(barrier);
    barrier.threshold = what.threshold ? what.threshold : options_.soft_threshold;
    for (isa::Pc pc = 0; pc < code_.code.size(); ++pc) {
      const VirtualInstruction& mark = code_.code[pc];
      if (mark.mark == Mark::None || mark.prediction != prediction) continue;
      barrier.function = function_at(code_, pc);
      mark.mark == Mark::Predict ? static_cast<void>(barrier.points.joins.insert({pc, false}))
                                 : static_cast<void>(barrier.points.waits.insert(pc));
    }
    if (code_.functions[barrier.function].is_recursive)
      refuse(what, "a function that may call itself has no barriers, of predictions neither");
    if (what.function >= 0) add_predicted_function(code_, static_cast<std::size_t>(what.function), barrier);
    list_.barriers.push_back(std::move(barrier));
    leave_out_what_no_lane_does(code_, blocks_, list_, list_.barriers.size() - 1,
                                "no way leads to a predicted point, but through another Predict",
                                "no way leads here from a Predict");
    const JoinsAndWaits& left = list_.barriers.back().points;
    if (left.joins.empty() || left.waits.empty()) refuse(what, "no way leads from a Predict to a predicted point");
  }

  /// What is left when other predictions have had their way.
  void explain(std::size_t index) {
    Barrier& barrier = list_.barriers[index];
    barrier.inside = held_blocks(range_of(barrier));
    for (const Place& join : barrier.points.joins) {
      barrier.inside[block_at(blocks_, join.pc)] = true;
      list_.decide(index, "bssy", join, "the prediction begins");
    }
    for (const isa::Pc wait : barrier.points.waits) {
      barrier.inside[block_at(blocks_, wait)] = true;
      list_.decide(index, "bsync", {wait}, "the predicted point");
    }
    for (const isa::Pc pc : barrier.rejoins)
      list_.decide(index, "rejoin", {pc}, "lanes that have waited may come again");
    for (const isa::Pc pc : barrier.cancels)
      list_.decide(index, "break", {pc}, "no way leads to the predicted point any more");
  }

  /// Where all ways from the Predict meet behind the region; NoPc: nowhere before the end.
  isa::Pc behind_region(const Barrier& barrier, isa::Pc predict) const {
    isa::Pc pc = blocks_[block_at(blocks_, predict)].rpc;
    while (pc != isa::NoPc && barrier.inside[block_at(blocks_, pc)]) pc = blocks_[block_at(blocks_, pc)].rpc;
    return pc;
  }

  void add_orthogonal(std::size_t index) {
    const Barrier predicted = list_.barriers[index];
    Barrier orthogonal;
    orthogonal.role = BarrierRole::Orthogonal;
    orthogonal.function = predicted.function;
    orthogonal.prediction = predicted.prediction;
    orthogonal.points.joins = predicted.points.joins;
    for (const Place& join : predicted.points.joins) orthogonal.points.waits.insert(behind_region(predicted, join.pc));
    const Place first = *predicted.points.joins.begin();
    if (orthogonal.points.waits.size() != 1 || *orthogonal.points.waits.begin() == isa::NoPc)
      return list_.decide(index, "no orthogonal barrier", first,
                          "ways from the Predict do not all meet behind the region");
    const isa::Pc meet = *orthogonal.points.waits.begin();
    const auto does_that = [&](const Barrier& other) {
      return other.points.waits.count(meet) != 0 && predicted.points.joins.size() == 1 &&
             other.points.joins.size() == 1 &&
             block_at(blocks_, other.points.joins.begin()->pc) == block_at(blocks_, first.pc) &&
             !conflict(range_of(predicted), predicted.points.waits, range_of(other), other.points.waits);
    };
    if (std::any_of(defaults_.begin(), defaults_.end(), does_that))
      return list_.decide(index, "no orthogonal barrier", {meet}, "a default barrier has its Join and its Wait there");
    orthogonal.inside = held_blocks(range_of(orthogonal));
    const std::size_t own = list_.barriers.size();
    for (const Place& join : orthogonal.points.joins)
      list_.decide(own, "bssy", join, "the prediction takes lanes apart");
    list_.decide(own, "bsync", {meet}, "behind the region they meet");
    list_.barriers.push_back(std::move(orthogonal));
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  BarrierList& list_;
  const PredictionOptions& options_;
  std::vector<Barrier> defaults_;
};

}  // namespace

void add_predictions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                     const std::vector<NaturalLoop>& loops, BarrierList& list, const PredictionOptions& options) {
  if (!code.predictions.empty()) Predictions(code, blocks, list, options).place(loops);
}

}  // namespace heddle::compiler
