// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/out_of_turn.h"

#include <algorithm>
#include <set>

#include "sim/compiler/analysis/calls.h"

namespace heddle::compiler {
namespace {

std::set<isa::Pc> points_of(const VirtualCode& code) {
  std::set<isa::Pc> points;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const VirtualInstruction& instruction = code.code[pc];
    if (instruction.prediction < 0) continue;
    if (instruction.mark != Mark::Predict) {
      points.insert(pc);
    } else if (const int f = code.predictions[static_cast<std::size_t>(instruction.prediction)].function; f >= 0) {
      points.insert(code.functions[static_cast<std::size_t>(f)].first);
    }
  }
  return points;
}

class OutOfTurn {
 public:
  OutOfTurn(const VirtualCode& code, const WrittenByCalls& calls)
      : code_(code), calls_(calls), leads_(calls_between_functions(code)) {
    after_.resize(code.code.size()), before_.resize(code.code.size());
    for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
      after_[pc] = successors_of(code, pc);
      for (const isa::Pc next : after_[pc]) before_[next].push_back(pc);
    }
  }

  std::map<isa::Pc, Registers> find() const {
    std::map<isa::Pc, Registers> found;
    std::vector<bool> has_point(code_.functions.size(), false);
    for (const isa::Pc pc : points_of(code_)) {
      const std::size_t f = function_at(code_, pc);
      found[pc] = differ_at(pc, f);
      for (std::size_t from = 0; from < has_point.size(); ++from)
        has_point[from] = has_point[from] || from == f || leads_[from][f];
    }
    for (const auto& site : calls_.sites) {
      const auto& callees = site.callees;
      if (std::any_of(callees.begin(), callees.end(), [&](std::size_t callee) { return has_point[callee]; }))
        found[site.branch + 1] = differ_at(site.branch, function_at(code_, site.branch));
    }
    return found;
  }

 private:
  Registers differ_at(isa::Pc pc, std::size_t f) const {
    Registers differ = no_registers(code_);
    if (f == 0) {
      const std::vector<bool> behind = reached(pc, after_), before = reached(pc, before_);
      if (!behind[pc]) return differ;
      for (isa::Pc one = 0; one < behind.size(); ++one) {
        if (!behind[one] || !before[one]) continue;
        add_written(code_, one, differ);
        for (const auto& site : calls_.sites)
          if (site.branch == one) unite(site.written, differ);
      }
      return differ;
    }
    for (std::size_t from = 0; from < calls_.written.size(); ++from)
      if (from == f || leads_[from][f]) unite(calls_.written[from], differ);
    return differ;
  }

  /// By one step at least.
  static std::vector<bool> reached(isa::Pc from, const std::vector<std::vector<isa::Pc>>& steps) {
    std::vector<bool> found(steps.size(), false);
    std::vector<isa::Pc> rest{from};
    while (!rest.empty()) {
      const isa::Pc at = rest.back();
      rest.pop_back();
      for (const isa::Pc next : steps[at]) {
        if (found[next]) continue;
        found[next] = true;
        rest.push_back(next);
      }
    }
    return found;
  }

  const VirtualCode& code_;
  const WrittenByCalls& calls_;
  const std::vector<std::vector<bool>> leads_;        // [a][b]: from function a to b
  std::vector<std::vector<isa::Pc>> after_, before_;  // in the same function
};

}  // namespace

std::map<isa::Pc, Registers> registers_out_of_turn(const VirtualCode& code, const WrittenByCalls& calls) {
  if (std::all_of(code.code.begin(), code.code.end(), [](const auto& one) { return one.prediction < 0; })) return {};
  return OutOfTurn(code, calls).find();
}

}  // namespace heddle::compiler
