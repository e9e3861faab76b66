// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/deconfliction.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::compiler {
namespace {

/// Where lanes come to the Wait: there, or at a call that leads to it.
std::set<isa::Pc> ways_to_wait(const Barrier& barrier) {
  std::set<isa::Pc> ways = barrier.points.waits;
  ways.insert(barrier.points.calls.begin(), barrier.points.calls.end());
  return ways;
}

}  // namespace

const Prediction& Deconfliction::prediction_of(std::size_t index) const {
  return code_.predictions[static_cast<std::size_t>(list_.barriers[index].prediction)];
}

void Deconfliction::remove(std::size_t index, Place place, std::string why) {
  list_.barriers[index].is_removed = true;
  list_.decide(index, "removed", place, std::move(why));
}

/// In how many loops its point is.
std::size_t Deconfliction::depth_of(const Barrier& barrier) const {
  std::size_t deepest = 0;
  for (const isa::Pc way : ways_to_wait(barrier)) {
    const BlockIndex block = block_at(blocks_, way);
    const auto around = std::count_if(loops_.begin(), loops_.end(),
                                      [&](const NaturalLoop& loop) { return static_cast<bool>(loop.inside[block]); });
    deepest = std::max(deepest, static_cast<std::size_t>(around));
  }
  return deepest;
}

// ---- rings ----

/// Whether a lane that waits for the barrier, there or where a call there leads to, may be in the other one.
bool Deconfliction::holds_up(std::size_t index, isa::Pc wait, std::size_t other_index) const {
  const Barrier& other = list_.barriers[other_index];
  const auto left = other.left_by_who_waits.find(wait);
  if (left != other.left_by_who_waits.end() && left->second == index) return false;
  // Where both wait, a prediction's Wait comes first: nobody who waits for the other is in it, unless others bring him
  // back by a copy of who is in the region.
  const bool has_left =
      other.points.waits.count(wait) != 0 && index > other_index && !(other.has_all() && other.is_joined_behind(wait));
  return !other.is_removed && ranges_[other_index].holds(wait) && other.cancels.count(wait) == 0 &&
         other.points.cancels.count(wait) == 0 && !has_left;
}

bool Deconfliction::may_be_in(std::size_t index, std::size_t other) const {
  if (index == other || list_.barriers[index].is_removed) return false;
  const std::set<isa::Pc> ways = ways_to_wait(list_.barriers[index]);
  return std::any_of(ways.begin(), ways.end(), [&](isa::Pc way) { return holds_up(index, way, other); });
}

/// Whether a lane that waits for the one may be in another, one that waits for that in a third, and so on to the last.
bool Deconfliction::leads_to(std::size_t from, std::size_t to) const {
  std::vector<bool> found(list_.barriers.size(), false);
  std::vector<std::size_t> rest{from};
  while (!rest.empty() && !found[to]) {
    const std::size_t index = rest.back();
    rest.pop_back();
    for (std::size_t other = 0; other < list_.barriers.size(); ++other) {
      if (found[other] || !may_be_in(index, other)) continue;
      found[other] = true;
      rest.push_back(other);
    }
  }
  return found[to];
}

/// Where who waits for the one may be in the other, from which a way leads back.
std::set<isa::Pc> Deconfliction::conflicts(std::size_t index, std::size_t other) const {
  std::set<isa::Pc> found;
  if (list_.barriers[index].is_removed || list_.barriers[other].is_removed) return found;
  for (const isa::Pc way : ways_to_wait(list_.barriers[index])) {
    // Behind a Wait without such copies nobody is in the barrier when he comes to the other Wait there.
    const bool both_wait = list_.barriers[other].points.waits.count(way) != 0;
    if ((!both_wait || list_.barriers[index].has_all()) && holds_up(index, way, other)) found.insert(way);
  }
  if (!found.empty() && !leads_to(other, index)) found.clear();
  return found;
}

// ---- who makes way ----

void Deconfliction::between_predictions() {
  find_ranges();
  for (std::size_t a = 0; a < list_.barriers.size(); ++a)
    for (std::size_t b = 0; b < list_.barriers.size(); ++b)
      if (a != b && !conflicts(a, b).empty()) settle(a, b);
}

void Deconfliction::settle(std::size_t a, std::size_t b) {
  const auto why = [&](std::size_t winner) {
    return fmt::format("lanes wait for each other at {} instead", prediction_of(winner).label);
  };
  const bool a_is_automatic = prediction_of(a).is_automatic;
  if (a_is_automatic || prediction_of(b).is_automatic) {
    // The later one, if nobody wrote either.
    const bool b_goes = prediction_of(b).is_automatic && (!a_is_automatic || b > a);
    const std::size_t goes = b_goes ? b : a, stays = b_goes ? a : b;
    return remove(goes, *list_.barriers[goes].points.joins.begin(), why(stays));
  }
  const std::size_t depth_of_a = depth_of(list_.barriers[a]), depth_of_b = depth_of(list_.barriers[b]);
  const std::set<isa::Pc> in_front_of_a = conflicts(a, b), in_front_of_b = conflicts(b, a);
  // A longer ring is opened where it was found.
  if (depth_of_a > depth_of_b || in_front_of_b.empty()) return make_way(a, b);
  if (depth_of_b > depth_of_a) return make_way(b, a);
  if (is_static_)
    throw std::invalid_argument(
        fmt::format("prediction {} (line {}): lanes may wait there for lanes that wait at {}, "
                    "and neither is in more loops: expected dynamic deconfliction",
                    prediction_of(b).label, prediction_of(b).where.line, prediction_of(a).label));
  for (const std::size_t index : {a, b}) {
    Barrier& barrier = list_.barriers[index];
    if (barrier.threshold) continue;
    barrier.threshold = ThresholdInConflict;
    list_.decide(index, "soft", {*barrier.points.waits.begin()},
                 fmt::format("lanes may wait elsewhere, at {}: more than {} need not wait for them",
                             prediction_of(index == a ? b : a).label, ThresholdInConflict));
  }
  break_out(b, a, in_front_of_a, why(a));
  break_out(a, b, in_front_of_b, why(b));
}

/// `other` for the one.
void Deconfliction::make_way(std::size_t index, std::size_t other) {
  const bool is_predicted = list_.barriers[index].role == BarrierRole::Predicted;
  const std::string why = fmt::format("lanes wait for each other {} {} instead", is_predicted ? "at" : "behind",
                                      prediction_of(index).label);
  const std::set<isa::Pc> places = conflicts(index, other);
  if (!is_static_) return break_out(other, index, places, why);
  if (!is_predicted) return remove(index, {*places.begin()}, "lanes may still be in a default barrier there");
  remove(other, *list_.barriers[other].points.joins.begin(), why);
}

void Deconfliction::with_defaults(std::size_t first_orthogonal, std::size_t first_default) {
  find_ranges();
  const auto all_from = [&](std::size_t index, std::size_t from) {
    for (std::size_t other = from; other < list_.barriers.size(); ++other)
      if (!conflicts(index, other).empty()) make_way(index, other);
  };
  for (std::size_t index = 0; index < first_orthogonal; ++index) all_from(index, first_orthogonal);
  for (std::size_t index = first_orthogonal; index < first_default; ++index) all_from(index, index + 1);
  const std::size_t count = list_.barriers.size();
  list_.may_be_in.assign(count, std::vector<bool>(count, false));
  for (std::size_t index = 0; index < count; ++index)
    for (std::size_t other = 0; other < count; ++other) list_.may_be_in[index][other] = may_be_in(index, other);
}

void Deconfliction::find_ranges() {
  ranges_.clear();
  for (const Barrier& barrier : list_.barriers) ranges_.push_back(range_of(code_, blocks_, barrier));
}

// ---- breaking out ----

/// Others are left by those alone that have to wait there (SR Fig. 6). Not in front of a function: lanes that are not in
/// the region come by there, too.
bool Deconfliction::who_waits_leaves(std::size_t index, isa::Pc way) const {
  const Barrier& barrier = list_.barriers[index];
  return !is_static_ && barrier.threshold && barrier.points.calls.empty() && barrier.points.waits.count(way) != 0;
}

/// All lanes, in front of a full barrier; of a soft one, those that have to wait there. Joins behind which all
/// break out before they come to a Wait go, and what nobody then waits for.
void Deconfliction::break_out(std::size_t index, std::size_t of, const std::set<isa::Pc>& places,
                              const std::string& why) {
  Barrier& barrier = list_.barriers[index];
  const Place first = *barrier.points.joins.begin();
  for (const isa::Pc place : places) {
    const bool is_soft = who_waits_leaves(of, place);
    list_.decide(index, is_soft ? "break if not enough" : "break", {place}, why);
    if (is_soft)
      barrier.left_by_who_waits[place] = of;
    else
      barrier.points.cancels.insert(place);
  }
  leave_out_what_no_lane_does(code_, blocks_, list_, index, why, why);
  if (barrier.points.joins.empty() || barrier.points.waits.empty()) remove(index, first, why);
}

}  // namespace heddle::compiler
