// SPDX-License-Identifier: Apache-2.0
// Random requests to a warp-split table, and how one is made by hand.
#pragma once

#include <algorithm>
#include <optional>

#include "tb/bench/control_flow_program.h"
#include "tb/bench/control_flow_requests.h"
#include "tb/bench/dice.h"
#include "tb/bench/pc_places.h"
#include "tb/warp_split_table/split_model.h"

namespace heddle::bench {

template <unsigned WarpCount, unsigned LaneCount, unsigned PcWidth, unsigned StackDepth, unsigned TableEntries>
struct SplitShape {
  static constexpr unsigned Warps = WarpCount, Lanes = LaneCount, PcBits = PcWidth, Depth = StackDepth,
                            Entries = TableEntries;
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  /// Entries of the stack that N lanes ever need (DESIGN sec. 6.1).
  static constexpr bool MayOverflow = Depth < 2 * Lanes - 1;
  /// The table has no place for one lane a split.
  static constexpr bool MaySpill = Entries < Lanes;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);
};

/// The inputs of one cycle.
template <class Shape>
struct SplitRequest : ControlFlowRequests<typename Shape::Flow> {
  using Flow = typename Shape::Flow;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;

  Grant grant;
  Slots held;
  Resolve resolve;
  Grant yield;
  unsigned length = 0, threshold = 0;

  using ControlFlowRequests<Flow>::grant_of;
  static SplitRequest issue_of(Side side) {
    SplitRequest request;
    request.grant = grant_of(side);
    return request;
  }
  static SplitRequest held_of(Side side, unsigned warp = 0) {
    SplitRequest request;
    request.grant = grant_of(side, warp);
    (side == Side::Left ? request.held.left : request.held.right) = std::uint64_t(1) << warp;
    return request;
  }
  static SplitRequest yield_of(Side side, unsigned warp = 0) {
    SplitRequest request;
    request.yield = grant_of(side, warp);
    return request;
  }
};

/// Draws requests from what the models say of the warps; the same seed, the same requests.
template <class Shape>
class SplitStorm {
 public:
  using Request = SplitRequest<Shape>;

  /// \param models  one a warp, before each request as the block is
  explicit SplitStorm(const std::vector<SplitModel>& models) : model_(models) {}

  void seed(std::uint64_t seed) { dice_.seed(seed); }
  bool one_in(unsigned limit) { return dice_.below(limit) == 0; }

  /// After a reset: other programs.
  void restart() {
    programs_.clear();
    for (unsigned i = 0; i < 6; ++i) {
      programs_.push_back(i < 4 ? FlowProgram::random(dice_, Flow::NoPc)
                                : FlowProgram::comb(dice_, Flow::NoPc, Shape::Lanes - 1));
    }
    runs_.assign(Shape::Warps, {});
    bases_.assign(1U << Flow::WarpBits, 0);
    pending_.assign(Shape::Warps, {});
    habits_.assign(Shape::Warps, Habit::Both);
    choose_crowd();
  }

  /// A cycle of the programs: the issue of one instruction, the resolve of an earlier one, or a split that gives way.
  Request legal() {
    Request request;
    request.held.left = dice_();
    request.held.right = dice_();
    if (dice_.below(10) != 0) choose_grant(request);
    choose_resolve(request);
    if (request.resolve.op == 0 && dice_.below(3) == 0) choose_yield(request);
    for (Pending& p : pending_) p.wait -= p.wait != 0;
    return request;
  }

  /// Any requests: mostly of slots that are there, for a while with PCs that often meet, then with some that hardly do.
  /// Nothing: a reset.
  std::optional<Request> any() {
    if (dice_.below(1500) == 0) {
      spread_ = 7 + 3000 * dice_.below(2);
      for (Habit& habit : habits_) habit = Habit(dice_.below(3));
      choose_crowd();
    }
    const auto any_warp = [&] { return dice_.below(8) == 0 ? dice_.below(1U << Flow::WarpBits) : dice_.below(crowd_); };
    const auto pc = [&](unsigned w) {
      return dice_.below(10 + spread_) == 0 ? Flow::NoPc : places_.near(dice_, bases_[w], spread_);
    };
    Request request;
    request.held.left = dice_() & dice_();
    request.held.right = dice_() & dice_();
    if (dice_.below(2500) == 0) return std::nullopt;
    if (dice_.below(4) != 0) {
      Grant& grant = request.grant;
      for (unsigned i = 0; i < 8; ++i) {
        grant = Request::grant_of(Side(dice_.below(2)), any_warp());
        if (dice_.below(16) == 0 || (there(grant) && !decides(grant))) break;
      }
      if (dice_.below(16) != 0 && !there(grant)) grant.valid = 0;
    }
    if (dice_.below(4) != 0) {
      Grant slot = Request::grant_of(Side(dice_.below(2)), any_warp());
      for (unsigned i = 0; i < 2 * Shape::Warps && dice_.below(16) != 0 && !decides(slot); ++i) {
        slot = Request::grant_of(Side(dice_.below(2)), any_warp());
      }
      const unsigned w = slot.warp;
      const Side side = Side(unsigned(slot.right));
      const std::uint64_t own = w < Shape::Warps ? model_[w].mask(side) : 0;
      if (w < Shape::Warps && model_[w].depth() == 0) bases_[w] = places_.base(dice_, spread_);
      // A lane alone exits soon: the warp is launched again, with all its lanes.
      const bool exits = dice_.below((own & (own - 1)) == 0 ? 3 : spread_) == 0;
      request.resolve =
          Request::resolve_of(exits ? ResolveOp::Exit : ResolveOp::Branch, side, own & dice_(), pc(w), pc(w), w);
      Resolve& resolve = request.resolve;
      if (dice_.below(3) == 0 && w < Shape::Warps && model_[w].depth() == 0) {
        resolve.op = unsigned(ResolveOp::Launch);
        resolve.lanes = Shape::AllLanes;
      }
      if (resolve.op == unsigned(ResolveOp::Launch) && dice_.below(2) == 0) resolve.lanes = dice_();
      if (spread_ < 10 && dice_.below(3) == 0 && w < Shape::Warps) resolve.target = model_[w].group(other(side)).pc;
      if (dice_.below(4) == 0 && w < Shape::Warps && model_[w].depth() != 0) resolve.rpc = model_[w].rpc();
      if (w < Shape::Warps && dice_.below(3) == 0) {
        alias(resolve, model_[w], side);
      } else if (w < Shape::Warps && dice_.below(model_[w].running() < 3 ? 2 : 8) != 0) {
        let_both_join(resolve, model_[w], side);
      }
      if (dice_.below(16) == 0) resolve.lanes = dice_();
      if (dice_.below(200) == 0) resolve.op = dice_.below(8);
      if (resolve.op != unsigned(ResolveOp::Launch) && !decides(slot) && dice_.below(8) != 0) resolve.op = 0;
      choose_length(request);
    }
    if (dice_.below(request.resolve.op == 0 ? 3 : 40) == 0)
      request.yield = Request::grant_of(Side(dice_.below(2)), any_warp());
    return request;
  }

 private:
  using Flow = typename Shape::Flow;
  using Grant = typename Flow::Grant;
  using Resolve = typename Flow::Resolve;
  enum class Habit { Both, Always, Never };
  struct Pending {
    bool open = false;
    Side side = Side::Left;
    unsigned wait = 0;
  };

  /// PCs that differ in one bit from those that the target and the RPC are compared with.
  void alias(Resolve& resolve, const SplitModel& m, Side side) {
    switch (dice_.below(3)) {
      case 0:
        resolve.target = places_.alias(dice_, m.group(other(side)).pc);
        break;
      case 1:
        resolve.target = places_.alias(dice_, m.group(side).pc + 1);
        break;  // where the others go on
      default:
        if (m.depth() != 0) resolve.rpc = places_.alias(dice_, m.rpc());
        break;
    }
  }

  /// The branch goes to another split, if one stands at the next PC too; else to where the other slot's falls through,
  /// for that one's next branch.
  static void let_both_join(Resolve& resolve, const SplitModel& m, Side side) {
    const std::vector<std::uint64_t> pcs = m.others(side);
    if (std::find(pcs.begin(), pcs.end(), m.fall(side)) == pcs.end()) {
      if (!m.group(other(side)).lanes.empty()) resolve.target = m.fall(other(side));
      return;
    }
    for (const std::uint64_t pc : pcs) {
      if (pc != m.fall(side)) resolve.target = pc;
    }
  }

  static constexpr Side other(Side side) { return side == Side::Left ? Side::Right : Side::Left; }

  /// Now and then few warps run: each of them comes far.
  void choose_crowd() { crowd_ = dice_.below(2) == 0 ? Shape::Warps : 1 + dice_.below(std::min(3U, Shape::Warps)); }

  void choose_grant(Request& request) {
    const unsigned from = dice_.below(2 * Shape::Warps);
    bool found = false;
    for (unsigned i = 0; i < 2 * Shape::Warps && !found; ++i) {
      const unsigned w = (from + i) / 2 % Shape::Warps;
      const Side side = Side((from + i) % 2);
      const auto& group = model_[w].group(side);
      if (group.lanes.empty() || group.decides) continue;
      const bool control = runs_[w].at(group.pc).kind != FlowProgram::Kind::Plain;
      if (control && pending_[w].open) continue;
      found = true;
      request.grant = Request::grant_of(side, w);
      const std::uint64_t bit = std::uint64_t(1) << w;
      auto& bits = side == Side::Left ? request.held.left : request.held.right;
      bits = control ? bits | bit : bits & ~bit;
      if (control) pending_[w] = {true, side, 1 + dice_.below(6)};
    }
  }

  void choose_resolve(Request& request) {
    const unsigned from = dice_.below(Shape::Warps);
    bool found = false;
    for (unsigned i = 0; i < Shape::Warps && !found; ++i) {
      const unsigned w = (from + i) % Shape::Warps;
      const bool issues = request.grant.valid != 0 && request.grant.warp == w;
      if (model_[w].depth() == 0) {
        if (issues || w >= crowd_ || dice_.below(4) != 0) continue;
        runs_[w] = PlacedProgram(programs_[dice_.below(static_cast<unsigned>(programs_.size()))], places_, dice_);
        habits_[w] = Habit(dice_.below(3));
        const PlacedProgram& p = runs_[w];
        const std::uint64_t some =
            dice_.below(4) != 0 || p.is_comb() ? Shape::AllLanes : (dice_() & Shape::AllLanes) | 1;
        request.resolve = Request::resolve_of(ResolveOp::Launch, Side(dice_.below(2)), some, p.start(), p.rpc(), w);
        found = true;
      } else if (pending_[w].open && pending_[w].wait == 0) {
        found = true;
        decide(request, w, pending_[w].side);
        pending_[w].open = false;
      }
    }
  }

  /// Some warps split at every branch, some never, some now and then: each for a while, to reach its depths.
  void choose_length(Request& request) {
    request.threshold = dice_.below(3) == 0 ? 10 : dice_.below(255);
    const Habit habit = habits_[request.resolve.warp % Shape::Warps];
    const bool splits = habit == Habit::Both ? dice_.below(2) == 0 : habit == Habit::Always;
    const unsigned far = splits ? dice_.below(request.threshold + 1) : dice_.below(255 - request.threshold);
    const unsigned near = dice_.below(2) == 0 ? 0 : far;
    request.length = splits ? request.threshold - near : request.threshold + 1 + near;
  }

  void decide(Request& request, unsigned w, Side side) {
    const SplitModel& m = model_[w];
    const PlacedProgram& program = runs_[w];
    const FlowProgram::Instruction head = program.at(m.group(side).pc);
    const std::uint64_t own = m.mask(side);
    std::uint64_t some = 0;
    const unsigned how = dice_.below(8);
    if (program.is_comb())
      some = own & (own - 1);  // all but one
    else if (how < 3)
      some = own & dice_();
    else if (how == 3)
      some = own & (~own + 1);  // one
    else if (how == 4)
      some = own & (own - 1);
    else if (how == 5)
      some = own & (head.back ? dice_() & dice_() : ~std::uint64_t(0));
    request.resolve = Request::resolve_of(ResolveOp::Branch, side, some, head.target, head.rpc, w);
    choose_length(request);
    Resolve& resolve = request.resolve;
    switch (head.kind) {
      case FlowProgram::Kind::Jump:
        resolve.lanes = own;
        resolve.rpc = dice_();
        break;
      case FlowProgram::Kind::Exit:
        resolve.op = unsigned(ResolveOp::Exit);
        break;
      case FlowProgram::Kind::ExitAll:
        resolve.op = unsigned(ResolveOp::Exit);
        resolve.lanes = own;
        break;
      default:
        if (!fits_after_advance(request, side)) resolve.lanes = dice_.below(2) != 0 ? own : 0;
        break;
    }
  }

  /// The advance of the same cycle comes first, and may leave one split only: then the stack is used.
  bool fits_after_advance(const Request& request, Side side) const {
    const unsigned w = request.resolve.warp;
    SplitModel trial = model_[w];
    if (request.grant.valid != 0 && request.grant.warp == w) trial.advance(other(side));
    return trial.fits(side, to_lanes(request.resolve.lanes), request.resolve.target, request.resolve.rpc,
                      request.length <= request.threshold);
  }

  void choose_yield(Request& request) {
    const unsigned w = dice_.below(Shape::Warps);
    const Side side = Side(dice_.below(2));
    const bool issues = request.grant.valid != 0 && request.grant.warp == w && request.grant.right == unsigned(side);
    if (!issues && !model_[w].group(side).lanes.empty() && !model_[w].group(side).decides) {
      request.yield = Request::grant_of(side, w);
    }
  }

  bool there(const Grant& slot) const {
    return slot.warp < Shape::Warps && !model_[slot.warp].group(Side(unsigned(slot.right))).lanes.empty();
  }
  bool decides(const Grant& slot) const {
    return slot.warp < Shape::Warps && model_[slot.warp].group(Side(unsigned(slot.right))).decides;
  }

  const std::vector<SplitModel>& model_;
  Dice dice_;
  std::vector<FlowProgram> programs_;
  std::vector<PlacedProgram> runs_;
  const PcPlaces places_{Shape::PcBits};
  std::vector<std::uint64_t> bases_;  ///< of the PCs of any()
  std::vector<Pending> pending_;
  std::vector<Habit> habits_;
  unsigned crowd_ = Shape::Warps;  // warps that run
  unsigned spread_ = 7;            // of the PCs of any()
};

}  // namespace heddle::bench
