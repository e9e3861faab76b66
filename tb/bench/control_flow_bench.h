// SPDX-License-Identifier: Apache-2.0
// Bench of a control flow unit (rtl/base/control_flow.h), whatever the mechanism: block and twin in lockstep, and both
// against the block's reference model, on every output in every cycle.
//
// A model holds one warp and knows no clock. It has Path {pc, lanes}, and
//   advance(side), launch(lanes, pc, rpc), branch(side, taken, target, rpc), leave(side, lanes), pop()
//   call(side, target)                all lanes of the path; calls(): how many are under way where the paths stand
//   path(side), depth(), waits()      a blank path has no lanes; waits() says that pop() is due
//   fits(side, taken, target, rpc)    whether branch() stays within the capacity; fits_call(side): call()
//   rpc(side)                         where the path of that side is done
//   redirected(side), lanes_moved(), forget()  what the operations since forget() did
//   entries()                         every entry from the lowest on, as text
// A model with Forwards = true has paths of lower entries in slots of the top (DPE sec. 7.1): pop() is whatever is due,
// and it is put off where the unit is asked something of that warp; see tb/forwarding_stack.
// A model with MemorySplits = true takes its lanes anew to its two paths (DPE sec. 7.2): may_split_by_memory(lanes),
// memory_split(side, lanes).
// Requests that a unit must refuse never reach the model.
#pragma once

#include <fmt/format.h>
#include <set>
#include <sstream>

#include "rtl/base/control_flow.h"
#include "tb/bench/bench.h"
#include "tb/bench/control_flow_program.h"
#include "tb/bench/control_flow_requests.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/pc_places.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

using LaneSet = std::set<unsigned>;

inline LaneSet to_lanes(std::uint64_t mask) {
  LaneSet lanes;
  for (unsigned l = 0; l < 64; ++l) {
    if ((mask >> l & 1) != 0) lanes.insert(l);
  }
  return lanes;
}

inline std::uint64_t to_mask(const LaneSet& lanes) {
  std::uint64_t mask = 0;
  for (const unsigned l : lanes) mask |= std::uint64_t(1) << l;
  return mask;
}

/// Lanes of a mask as the papers write it: lane 0 first.
inline std::uint64_t lanes(const std::string& digits) {
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < digits.size(); ++l) mask |= std::uint64_t(digits[l] == '1') << l;
  return mask;
}

inline std::string digits(std::uint64_t mask, unsigned count) {
  std::string text;
  for (unsigned l = 0; l < count; ++l) text += (mask >> l & 1) != 0 ? '1' : '0';
  return text;
}

inline std::string text_of_rpc(std::uint64_t rpc) {
  return rpc > 1000 ? "none" : fmt::format("{}", rpc);
}

/// An entry of two paths and one RPC as the worked examples write it, with masks of four lanes.
template <class Entry>
std::string text_of_pair(const Entry& entry) {
  const auto path = [](std::uint64_t pc, std::uint64_t mask) {
    return mask == 0 ? std::string("-") : fmt::format("{}:{}", pc, digits(mask, 4));
  };
  return fmt::format("{} | {} | {}", path(entry.pc_l, entry.mask_l), path(entry.pc_r, entry.mask_r),
                     text_of_rpc(entry.rpc));
}

/// Shape of a control flow unit.
template <unsigned WarpCount, unsigned LaneCount, unsigned PcWidth, unsigned Capacity, unsigned Paths>
struct UnitShape {
  static constexpr unsigned Warps = WarpCount, Lanes = LaneCount, PcBits = PcWidth, Depth = Capacity, Sides = Paths;
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  /// Entries that N lanes ever need (DESIGN sec. 6.1), calls aside.
  static constexpr unsigned Enough = Sides == 2 ? Lanes : 2 * Lanes - 1;
  static constexpr bool MayOverflow = Depth < Enough;  ///< without a call
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);
};

/// What a random run must reach, as far as the shape allows it.
template <class Shape>
std::vector<std::string> control_flow_covers() {
  std::vector<std::string> names{"launch",
                                 "launch with an RPC",
                                 "uniform, taken",
                                 "uniform, not taken",
                                 "advance to the RPC",
                                 "held grant",
                                 "exit, none",
                                 "exit, all of the slot",
                                 "exit, all of the warp",
                                 "done at the RPC",
                                 "reset in the middle",
                                 "illegal grant",
                                 "illegal launch",
                                 "illegal branch",
                                 "illegal exit",
                                 "grant and resolve of one slot",
                                 "call",
                                 "call to the last entry",
                                 "call beyond the last entry",
                                 "call by the last instruction of its entry",
                                 "illegal call",
                                 "call of a part",
                                 "call to nowhere",
                                 "no such operation",
                                 "return",
                                 "return without a call",
                                 "pop",
                                 "comes to rest with a pop",
                                 "exit, all of a called entry"};
  const auto also = [&names](bool possible, std::vector<std::string> more) {
    if (possible) names.insert(names.end(), more.begin(), more.end());
  };
  constexpr bool parts = Shape::Lanes > 1;
  also(parts, {"push, both sides live", "push, left side only", "push, right side only", "in place",
               "neither side live", "exit, some", "pop through exited entries", "branch down to one lane",
               "return of a part", "exit, some of a called entry", "push in a called entry",
               "in place in a called entry", "branch beyond the last entry"});
  also(Shape::Depth > 2, {"call in a called entry"});
  also(parts && Shape::Sides == 1, {"pop to another path of the same call"});
  also(parts && Shape::Depth <= Shape::Enough, {"full depth"});
  also(parts && Shape::Warps > 1, {"several warps wait to pop"});
  also(parts && Shape::Warps + Shape::Sides > 3, {"grant, resolve and pop in one cycle"});
  also(parts && Shape::Sides == 2,
       {"push beside a live sibling", "loop push beside a live sibling", "sibling advances in the cycle of a push",
        "sibling blanks in the cycle of a resolve", "call beside a live sibling", "return beside a live sibling",
        "sibling advances in the cycle of a call"});
  also((Shape::Warps & (Shape::Warps - 1)) != 0 || Shape::Warps == 1, {"no such warp"});
  return names;
}

template <class Model, class = void>
constexpr bool forwards = false;
template <class Model>
constexpr bool forwards<Model, std::enable_if_t<Model::Forwards>> = true;

template <class Model, class = void>
constexpr bool memory_splits = false;
template <class Model>
constexpr bool memory_splits<Model, std::enable_if_t<Model::MemorySplits>> = true;

/// And where lanes are split by memory.
template <class Shape>
std::vector<std::string> memory_split_covers() {
  std::vector<std::string> names{"memory split: all to the other side", "memory split: to where they are",
                                 "illegal memory split: issues in the same cycle",
                                 "illegal memory split: lanes of others", "illegal memory split: of nobody"};
  if (Shape::Lanes > 1)
    names.insert(names.end(), {"memory split: they part", "memory split: they meet", "memory split: they change places",
                               "memory split: in a called entry", "memory split: beside entries beneath",
                               "illegal memory split: two PCs", "illegal memory split: two sides at one PC"});
  if (Shape::Lanes > 3) names.insert(names.end(), {"a part pushes beside the other"});
  return names;
}

/// And with path forwarding.
template <class Shape>
std::vector<std::string> forwarding_covers() {
  std::vector<std::string> names;
  if (Shape::Lanes > 1)
    names = {"a path comes up on the left",
             "a path comes up on the right",
             "forwarded: at its RPC",
             "forwarded: advances beside its host",
             "forwarded: exit, some",
             "forwarded: exit, all",
             "forwarded: uniform branch",
             "forwarded: calls",
             "forwarded: returns",
             "forwarded: advance and resolve in one cycle",
             "goes down: in place",
             "goes down: a call",
             "stays: one side in place",
             "at home",
             "at home, alone",
             "deferred: a call",
             "put off: asked of the warp",
             "put off: a branch of another one",
             "cut off by a call"};
  // A path that came up diverges only if it has two lanes, beside two others that diverged.
  if (Shape::Lanes > 3)
    names.insert(names.end(),
                 {"forwarded: diverges", "forwarded: parts at its RPC", "deferred: both sides", "deferred: one side",
                  "deferred: with a path beside", "deferred: none beside", "deferred: loop"});
  if (Shape::Lanes > 1 && Shape::Depth > 3)
    names.insert(names.end(), {"a path comes up from afar", "goes down: both sides of a push",
                               "stays: one side of a push", "pop below a forwarded path"});
  return names;
}

template <class Shape, class Block, class Core, class Model>
class ControlFlowBench : public Bench, protected ControlFlowRequests<typename Shape::Flow> {
 public:
  using Flow = typename Shape::Flow;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Count = typename Block::Count;
  using ControlFlowRequests<Flow>::grant_of, ControlFlowRequests<Flow>::resolve_of;

  ControlFlowBench(const std::string& name, const Options& options)
      : Bench(all_covers()), block_(name), model_(Shape::Warps, Model(Shape::Depth, Flow::NoPc)) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.grant_i(grant_);
    dut.held_i(held_);
    dut.resolve_i(resolve_);
    dut.left_o(left_);
    dut.right_o(right_);
    dut.depth_o(depth_);
    dut.status_o(status_);
    dut.idle_o(idle_);
    shows("left_o", left_), shows("right_o", right_), shows("depth_o", depth_);
    shows("status_o", status_), shows("idle_o", idle_);
    if (options.twin) {
      context_ = std::make_unique<VerilatedContext>();
      twin_ = std::make_unique<Core>(context_.get(), "twin");
    }
  }

  /// From a reset on, random structured programs under random outcomes, legal; then any requests at all.
  void random(unsigned long cycles, std::uint64_t seed) override {
    dice_.seed(seed);
    restart();
    for (unsigned long c = 0; c < cycles * 3 / 5; ++c) {
      if (dice_.below(2500) == 0) {
        covers.hit("reset in the middle");
        restart();
      }
      if (dice_.below(200) == 0) rest();
      program_step();
    }
    tolerate();
    restart();
    for (unsigned long c = cycles * 3 / 5; c < cycles; ++c) {
      if (dice_.below(200) == 0) rest();
      if (forwards<Model> && c % 2048 >= 1024)
        parting_step();
      else
        any_step(c % 2048 < 256);
    }
  }

 protected:
  // ---- worked examples: one warp by hand ----
  void launch(std::uint64_t lanes, std::uint64_t pc, std::uint64_t rpc) {
    step({}, {}, resolve_of(ResolveOp::Launch, Side::Left, lanes, pc, rpc));
  }
  /// `n` plain instructions of a slot.
  void issue(Side side, unsigned n) {
    for (unsigned i = 0; i < n; ++i) step(grant_of(side), {}, {});
  }
  /// The control instruction at the slot's head issues, and is resolved two cycles later.
  void branch(Side side, std::uint64_t taken, std::uint64_t target, std::uint64_t rpc) {
    hold(side);
    step({}, {}, resolve_of(ResolveOp::Branch, side, taken, target, rpc));
  }
  void leave(Side side, std::uint64_t lanes) {
    hold(side);
    step({}, {}, resolve_of(ResolveOp::Exit, side, lanes, 0, 0));
  }
  void call(Side side, std::uint64_t lanes, std::uint64_t target) {
    hold(side);
    step({}, {}, resolve_of(ResolveOp::Call, side, lanes, target, 0));
  }
  void memory_split(Side side, std::uint64_t lanes) {
    step({}, {}, resolve_of(ResolveOp::MemorySplit, side, lanes, 0, 0));
  }
  void return_from(Side side, std::uint64_t lanes) { branch(side, lanes, Flow::NoPc, 0); }
  void hold(Side side) {
    Slots held;
    held.left = side == Side::Left;
    held.right = side == Side::Right;
    step(grant_of(side), held, {});
    step({}, {}, {});
  }
  void idle() { step({}, {}, {}); }

  /// Every field of every entry of warp 0, from the lowest entry on, as the example says it.
  void expect_stack(const char* when, const std::vector<std::string>& entries) {
    std::vector<std::string> got;
    for (unsigned level = 0; level < depth_[0].read(); ++level) got.push_back(text_of(dut.entry_of(0, level)));
    check.equal(when, joined(got), joined(entries));
    check.equal("the model's stack", joined(model_[0].entries()), joined(entries));
  }
  /// The named error and nothing else: `request` is refused and the stack stays.
  void expect_refused(const char* what, const std::string& error, const Grant& grant, const Resolve& resolve) {
    tolerate();
    const unsigned long before = errors(block_ + error);
    step(grant, {}, resolve);
    check.equal(what, errors(block_ + error), before + 1);
  }
  /// How this block writes an entry.
  virtual std::string text_of(const typename Block::Entry& entry) const = 0;

  void start() {
    step_reset();
    step_reset();
  }

  // ---- one cycle ----
  /// Drives both, asks the models, compares everything.
  void step(const Grant& grant, const Slots& held, const Resolve& resolve) { cycle(grant, held, resolve, false); }
  void step_reset() { cycle({}, {}, {}, true); }

  void replay_cycle(const RecordingReader& edge) override {
    cycle(edge.get<Grant>("grant_i"), edge.get<Slots>("held_i"), edge.get<Resolve>("resolve_i"),
          !edge.get<bool>("rst_ni"));
  }

  const Model& model(unsigned warp) const { return model_[warp]; }

  Block dut{"dut"};

 private:
  struct Pending {
    bool open = false;
    Side side = Side::Left;
    unsigned wait = 0;
  };

  static std::vector<std::string> all_covers() {
    std::vector<std::string> names = control_flow_covers<Shape>();
    if constexpr (forwards<Model>) {
      for (const std::string& name : forwarding_covers<Shape>()) names.push_back(name);
    }
    if constexpr (memory_splits<Model>) {
      for (const std::string& name : memory_split_covers<Shape>()) names.push_back(name);
    }
    return names;
  }

  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n    " + line;
    return text;
  }

  static std::uint64_t mask_of(const Model& m, Side side) { return to_mask(m.path(side).lanes); }
  static constexpr Side other(Side side) { return side == Side::Left ? Side::Right : Side::Left; }

  void tolerate() override {
    expect_errors(block_ + "/illegal");
    expect_errors(block_ + "/overflow");
    if (context_) context_->assertOn(false);
  }

  void restart() {
    start();
    programs_.clear();
    for (unsigned i = 0; i < 3; ++i) programs_.push_back(FlowProgram::random(dice_, Flow::NoPc));
    for (unsigned i = 0; i < 3; ++i) programs_.push_back(FlowProgram::with_calls(dice_, Flow::NoPc));
    for (unsigned i = 0; i < 2; ++i) programs_.push_back(FlowProgram::comb(dice_, Flow::NoPc, Shape::Lanes - 1));
    programs_.push_back(FlowProgram::ladder(dice_, Flow::NoPc));
    runs_.assign(Shape::Warps, {});
    bases_.assign(1U << Flow::WarpBits, 0);
    pending_.assign(Shape::Warps, {});
  }

  void cycle(const Grant& grant, const Slots& held, const Resolve& resolve, bool reset) {
    rst_n.write(!reset);
    grant_.write(grant);
    held_.write(held);
    resolve_.write(resolve);
    settle();
    if (twin_) drive_twin(grant, held, resolve, reset);
    expect(grant, held, resolve, reset);
    idle_check_.before(idle_.read(), reset || grant.valid != 0 || resolve.op != 0, [this] { return view(); });
    edge();
    compare();
    idle_check_.after(check, idle_.read(), [this] { return view(); });
  }

  /// Everything that one sees of the block: outputs and entries.
  std::string view() const {
    std::ostringstream text;
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      text << left_[w] << right_[w] << depth_[w];
      for (unsigned level = 0; level < depth_[w].read(); ++level) text << ' ' << dut.entry_of(w, level);
      text << '\n';
    }
    text << status_;
    return text.str();
  }

  /// Nothing is asked until the block is idle, and a little longer.
  void rest() {
    unsigned quiet = 0;
    for (; !idle_.read() && quiet <= Quiet; ++quiet) idle();
    covers.hit("comes to rest with a pop", quiet > 1);
    idle();
    idle();
  }

  void drive_twin(const Grant& grant, const Slots& held, const Resolve& resolve, bool reset) {
    twin_->clk_i = 0;
    twin_->rst_ni = !reset;
    to_port(grant, twin_->grant_i);
    to_port(held, twin_->held_i);
    to_port(resolve, twin_->resolve_i);
    twin_->eval();
    twin_->clk_i = 1;
    twin_->eval();
  }

  // ---- what the models say about the next edge ----
  void expect(const Grant& grant, const Slots& held, const Resolve& resolve, bool reset) {
    expected_status_ = {};
    if (reset) {
      for (unsigned w = 0; w < Shape::Warps; ++w) {
        model_[w] = Model(Shape::Depth, Flow::NoPc);
        refresh(w);
      }
      last_pop_ = 0;
      ready_ = 0;
      return;
    }
    std::vector<unsigned> waiting;
    for (unsigned i = 1; i <= Shape::Warps; ++i) {
      const unsigned w = (last_pop_ + i) % Shape::Warps;
      if ((ready_ >> w & 1) != 0) waiting.push_back(w);
    }
    const std::uint64_t visits_due = warps_with([](const Model& m) { return visit_is_due(m); });
    const std::uint64_t deferred = warps_with([](const Model& m) { return deferred_waits(m); });
    covers.hit("several warps wait to pop", waiting.size() > 1);
    const std::set<unsigned> touched = [&] {
      std::set<unsigned> some(waiting.begin(), waiting.end());
      if (grant.warp < Shape::Warps) some.insert(grant.warp);
      if (resolve.warp < Shape::Warps) some.insert(resolve.warp);
      return some;
    }();
    for (const unsigned w : touched) model_[w].forget();

    const Side granted = Side(unsigned(grant.right));
    const bool issued = grant.valid != 0 && grant.warp < Shape::Warps && mask_of(model_[grant.warp], granted) != 0;
    if (issued) {
      const bool stays = ((grant.right != 0 ? held.right : held.left) >> unsigned(grant.warp) & 1) != 0;
      covers.hit("held grant", stays);
      if (!stays) {
        if constexpr (forwards<Model>) {
          const bool forwarded = model_[grant.warp].visits(granted);
          if (Shape::Lanes > 1) covers.hit("forwarded: advances beside its host", forwarded);
          model_[grant.warp].advance(granted);
          if (Shape::Lanes > 1)
            covers.hit("forwarded: at its RPC", forwarded && mask_of(model_[grant.warp], granted) == 0);
        } else {
          model_[grant.warp].advance(granted);
        }
        covers.hit("advance to the RPC", mask_of(model_[grant.warp], granted) == 0);
        covers.hit("done at the RPC", model_[grant.warp].depth() == 0);
      }
    } else if (grant.valid != 0) {
      ++illegal_;
      covers.hit("illegal grant");
    }
    const bool advanced = issued && resolve.warp == grant.warp && model_[grant.warp].depth() != 0 &&
                          ((grant.right != 0 ? held.right : held.left) >> unsigned(grant.warp) & 1) == 0;
    const bool resolved = resolve.op != 0 && answer(resolve, issued && grant.warp == resolve.warp, granted, advanced);
    if (!waiting.empty()) last_pop_ = waiting.front();
    if (!waiting.empty() && !is_put_off(waiting.front(), grant, resolve)) {
      Model& m = model_[waiting.front()];
      const unsigned calls = m.calls();
      if constexpr (forwards<Model>) {
        take_turn(m);
      } else {
        m.pop();
      }
      covers.hit("pop");
      if (Shape::Lanes > 1) covers.hit("pop through exited entries", m.waits());
      covers.hit("pop to another path of the same call",
                 Shape::Sides == 1 && calls != 0 && m.calls() == calls && m.rpc() == Flow::NoPc && !m.waits());
      covers.hit("grant, resolve and pop in one cycle", issued && resolved);
    }
    for (const unsigned w : touched) {
      const std::uint64_t bit = std::uint64_t(1) << w;
      if (model_[w].redirected(Side::Left)) expected_status_.redirected_left = expected_status_.redirected_left | bit;
      if (model_[w].redirected(Side::Right))
        expected_status_.redirected_right = expected_status_.redirected_right | bit;
      if constexpr (forwards<Model>) {
        if (Shape::Lanes > 1) covers.hit("cut off by a call", model_[w].is_cut_off());
      }
      if (model_[w].lanes_moved()) expected_status_.lanes_moved = expected_status_.lanes_moved | bit;
      refresh(w);
    }
    expected_status_.valid_left = valid_[0];
    expected_status_.valid_right = valid_[1];

    // The warps whose turn may be next: all that wait; a path that comes up, and what follows one that went down to wait
    // with its branch, one cycle later.
    ready_ = warps_with([](const Model& m) { return m.waits() && !visit_is_due(m); });
    ready_ &= ~(~deferred & warps_with([](const Model& m) { return deferred_waits(m); }));
    std::uint64_t visits = visits_due & warps_with([](const Model& m) { return visit_is_due(m); });
    if (resolve.op != 0 && resolve.warp < Shape::Warps) visits &= ~(std::uint64_t(1) << resolve.warp);
    ready_ |= visits;
  }

  template <class Question>
  std::uint64_t warps_with(const Question& question) const {
    std::uint64_t warps = 0;
    for (unsigned w = 0; w < Shape::Warps; ++w) warps |= std::uint64_t(question(model_[w])) << w;
    return warps;
  }
  static bool visit_is_due(const Model& m) {
    if constexpr (forwards<Model>) return m.waits() && !m.is_over();
    return false;
  }
  static bool deferred_waits(const Model& m) {
    if constexpr (forwards<Model>) return m.has_deferred();
    return false;
  }

  // ---- path forwarding ----
  /// What is due of this warp waits: something is asked of it, or its branch would be carried out beside another one.
  bool is_put_off(unsigned w, const Grant& grant, const Resolve& resolve) {
    bool put_off = false;
    if constexpr (forwards<Model>) {
      const bool resolves = resolve.op != 0;
      const bool asked = (grant.valid != 0 && grant.warp == w) || (resolves && resolve.warp == w);
      const bool branches = resolves && model_[w].deferred_is_next();
      put_off = asked || branches;
      if (Shape::Lanes > 1) {
        covers.hit("put off: asked of the warp", asked);
        covers.hit("put off: a branch of another one", branches && !asked);
      }
    }
    return put_off;
  }

  void take_turn(Model& m) {
    if constexpr (forwards<Model>) {
      const bool left = m.visits(Side::Left), right = m.visits(Side::Right), deferred = m.deferred_is_next();
      const unsigned depth = m.depth();
      m.pop();
      if (Shape::Lanes == 1) return;
      const bool pops = m.depth() < depth;
      const bool comes = !left && !right && (m.visits(Side::Left) || m.visits(Side::Right));
      covers.hit("a path comes up on the left", comes && m.visits(Side::Left));
      covers.hit("a path comes up on the right", comes && m.visits(Side::Right));
      if (Shape::Depth > 3) covers.hit("a path comes up from afar", comes && m.visits_from_afar());
      if (Shape::Depth > 3)
        covers.hit("pop below a forwarded path",
                   pops && (left || right) && (m.visits(Side::Left) || m.visits(Side::Right)));
      const bool home = pops && (left || right) && !m.visits(Side::Left) && !m.visits(Side::Right);
      const bool beside = mask_of(m, left ? Side::Right : Side::Left) != 0;
      covers.hit("at home", home && beside);
      covers.hit("at home, alone", home && !beside);
      covers.hit("deferred: a call", deferred && m.calls() > m.around_calls());
      if (Shape::Lanes > 3 && deferred && m.calls() == m.around_calls()) {
        const bool both = mask_of(m, Side::Left) != 0 && mask_of(m, Side::Right) != 0;
        covers.hit("deferred: both sides", both);
        covers.hit("deferred: one side", !both);
        covers.hit("deferred: with a path beside", m.has_left_alone());
        covers.hit("deferred: none beside", !m.has_left_alone());
        covers.hit("deferred: loop", m.is_loop());
      }
    }
  }

  /// A request to one of two paths that run, one of them forwarded.
  void note_forwarded(const Model& was, const Model& m, ResolveOp op, Side side, const Resolve& resolve,
                      bool advanced) {
    if constexpr (forwards<Model>) {
      const std::uint64_t own = mask_of(was, side);
      const bool some = resolve.lanes != 0 && resolve.lanes != own;
      if (Shape::Lanes == 1) return;
      if (was.visits(side)) {
        covers.hit("forwarded: advance and resolve in one cycle", advanced && mask_of(was, other(side)) != 0);
        const bool returns = op == ResolveOp::Branch && resolve.lanes == own && resolve.target == Flow::NoPc;
        covers.hit("forwarded: returns", returns);
        covers.hit("forwarded: uniform branch", op == ResolveOp::Branch && !some && !returns);
        covers.hit("forwarded: exit, some", op == ResolveOp::Exit && some);
        covers.hit("forwarded: exit, all", op == ResolveOp::Exit && resolve.lanes == own);
        covers.hit("forwarded: calls", op == ResolveOp::Call);
        if (Shape::Lanes > 3) {
          covers.hit("forwarded: diverges", op == ResolveOp::Branch && some && m.has_deferred());
          covers.hit("forwarded: parts at its RPC", op == ResolveOp::Branch && some && !m.has_deferred());
        }
      } else if (was.visits(other(side))) {
        const bool stays = m.visits(other(side)), pushed = m.depth() > was.depth();
        const bool parted = op == ResolveOp::Branch && some;
        if (Shape::Depth > 3) covers.hit("goes down: both sides of a push", parted && !stays && pushed);
        covers.hit("goes down: in place", parted && !stays && !pushed);
        covers.hit("goes down: a call", op == ResolveOp::Call);
        if (Shape::Depth > 3) covers.hit("stays: one side of a push", parted && stays && pushed);
        covers.hit("stays: one side in place", parted && stays && !pushed && mask_of(m, side) != 0);
      }
    }
  }

  // ---- memory divergence ----
  bool answer_memory_split(Model& m, Side side, const LaneSet& chosen, bool issued) {
    bool good = false;
    if constexpr (memory_splits<Model>) {
      const std::uint64_t left = mask_of(m, Side::Left), right = mask_of(m, Side::Right), to = to_mask(chosen);
      good = m.may_split_by_memory(chosen) && !issued;
      covers.hit("illegal memory split: issues in the same cycle", issued && m.may_split_by_memory(chosen));
      covers.hit("illegal memory split: lanes of others", (to & ~(left | right)) != 0);
      covers.hit("illegal memory split: of nobody", chosen.empty() && m.depth() != 0);
      const bool two_in = (to & ~(left | right)) == 0 && !chosen.empty() && left != 0 && right != 0 && !issued;
      const bool one_pc = m.path(Side::Left).pc == m.path(Side::Right).pc;
      covers.hit("illegal memory split: two PCs", two_in && !one_pc);
      covers.hit("illegal memory split: two sides at one PC", two_in && one_pc && !good);
      if (!good) return false;
      const std::uint64_t mine = side == Side::Left ? left : right;
      m.memory_split(side, chosen);
      const bool two = left != 0 && right != 0, all = to == (left | right);
      covers.hit("memory split: they part", !two && !all);
      covers.hit("memory split: they meet", two && all);
      covers.hit("memory split: they change places", two && !all && to != mine);
      covers.hit("memory split: all to the other side", !two && all && mine == 0);
      covers.hit("memory split: to where they are", to == mine);
      covers.hit("memory split: in a called entry", m.calls() != 0 && !all);
      covers.hit("memory split: beside entries beneath", m.depth() > 1 && !all);
    }
    return good;
  }

  /// Lanes of a warp of which nothing is asked, and whose paths stand at one PC, part or meet.
  void choose_memory_split(Resolve& resolve, const Grant& grant) {
    if constexpr (memory_splits<Model>) {
      const unsigned w = dice_.below(Shape::Warps);
      if (resolve.op != 0 || pending_[w].open || (grant.valid != 0 && grant.warp == w)) return;
      const std::uint64_t all = mask_of(model_[w], Side::Left) | mask_of(model_[w], Side::Right);
      const std::uint64_t chosen = dice_.below(3) == 0 ? all : all & dice_();
      if (model_[w].may_split_by_memory(to_lanes(chosen)))
        resolve = resolve_of(ResolveOp::MemorySplit, Side(dice_.below(2)), chosen, 0, 0, w);
    }
  }

  /// A resolve, by the model; false when it must be refused.
  bool answer(const Resolve& resolve, bool same_warp, Side granted, bool advanced) {
    const auto op = ResolveOp(unsigned(resolve.op));
    const Side side = Side(unsigned(resolve.right));
    bool good = resolve.warp < Shape::Warps;
    if (!good) {
      ++illegal_;
      covers.hit("no such warp");
      return false;
    }
    Model& m = model_[resolve.warp];
    const LaneSet some = to_lanes(resolve.lanes);
    if (op == ResolveOp::MemorySplit && memory_splits<Model>) {
      good = answer_memory_split(m, side, some, same_warp);
    } else if (op == ResolveOp::Launch) {
      good = m.depth() == 0 && !same_warp && !some.empty();  // not in the cycle of the advance that ends it
      if (good) m.launch(some, resolve.target, resolve.rpc);
      covers.hit(good ? "launch" : "illegal launch");
      covers.hit("launch with an RPC", good && resolve.rpc != Flow::NoPc);
    } else {
      const std::uint64_t own = mask_of(m, side);
      good = own != 0 && (resolve.lanes & ~own) == 0 && !(same_warp && granted == side);
      covers.hit("grant and resolve of one slot", same_warp && granted == side && own != 0);
      if (!good) {
        covers.hit(op == ResolveOp::Branch ? "illegal branch"
                   : op == ResolveOp::Exit ? "illegal exit"
                   : op == ResolveOp::Call ? "illegal call"
                                           : "no such operation");
      }
      good = good && may(m, op, side, own, resolve);
      if (good && (op == ResolveOp::Branch ? !m.fits(side, some, resolve.target, resolve.rpc)
                                           : op == ResolveOp::Call && !m.fits_call(side))) {
        ++overflows_;
        covers.hit(op == ResolveOp::Call ? "call beyond the last entry" : "branch beyond the last entry");
        return false;
      }
      if (good) {
        if constexpr (forwards<Model>) {
          const Model was = m;
          apply(m, op, side, some, resolve, advanced);
          note_forwarded(was, m, op, side, resolve, advanced);
        } else {
          apply(m, op, side, some, resolve, advanced);
        }
      }
    }
    illegal_ += !good;
    return good;
  }

  /// Whether a slot with the lanes `own`, which is there, may do that.
  bool may(const Model& m, ResolveOp op, Side side, std::uint64_t own, const Resolve& resolve) {
    if (op == ResolveOp::Branch && resolve.lanes != 0 && resolve.target == Flow::NoPc) {
      const bool called = m.rpc(side) == Flow::NoPc && (resolve.lanes == own || resolve.rpc == Flow::NoPc);
      covers.hit(called ? "return" : "return without a call");
      return called;
    }
    const bool nowhere = resolve.target == Flow::NoPc;
    covers.hit("call of a part", op == ResolveOp::Call && resolve.lanes != own);
    covers.hit("call to nowhere", op == ResolveOp::Call && resolve.lanes == own && nowhere);
    covers.hit("no such operation", op > ResolveOp::Call);
    return op < ResolveOp::Call || (op == ResolveOp::Call && resolve.lanes == own && !nowhere);
  }

  void apply(Model& m, ResolveOp op, Side side, const LaneSet& some, const Resolve& resolve, bool advanced) {
    const std::uint64_t own = mask_of(m, side), beside = mask_of(m, other(side));
    const unsigned depth = m.depth();
    const std::uint64_t fall = (m.path(side).pc + 1) & Flow::NoPc;
    const unsigned calls = m.calls();
    const bool at_one_pc = m.path(Side::Left).pc == m.path(Side::Right).pc;
    if (op == ResolveOp::Call) {
      covers.hit("call by the last instruction of its entry", fall == m.rpc(side));
      m.call(side, resolve.target);
      covers.hit("call");
      covers.hit("call to the last entry", m.depth() == Shape::Depth);
      covers.hit("call in a called entry", calls != 0);
      if (Shape::Sides == 2) {
        covers.hit("call beside a live sibling", beside != 0);
        covers.hit("sibling advances in the cycle of a call", beside != 0 && advanced);
      }
      return;
    }
    if (op == ResolveOp::Exit) {
      m.leave(side, some);
      covers.hit("exit, some of a called entry", calls != 0 && !some.empty() && resolve.lanes != own);
      covers.hit("exit, all of a called entry", calls != 0 && resolve.lanes == own);
      covers.hit(some.empty() ? "exit, none" : resolve.lanes == own ? "exit, all of the slot" : "exit, some");
      covers.hit("exit, all of the warp", m.depth() == 0);
      return;
    }
    const bool loop = resolve.rpc == m.rpc(side);
    const bool returns = !some.empty() && resolve.target == Flow::NoPc;
    covers.hit("return of a part", returns && resolve.lanes != own);
    covers.hit("return beside a live sibling", Shape::Sides == 2 && returns && beside != 0);
    m.branch(side, some, resolve.target, resolve.rpc);
    if (some.empty() || resolve.lanes == own) {
      covers.hit(some.empty() ? "uniform, not taken" : "uniform, taken");
    } else if (resolve.target == resolve.rpc && fall == resolve.rpc) {
      covers.hit("neither side live");
    } else if (m.depth() > depth) {
      covers.hit(resolve.target == resolve.rpc ? "push, right side only"
                 : fall == resolve.rpc         ? "push, left side only"
                                               : "push, both sides live");
      covers.hit("push in a called entry", calls != 0);
      covers.hit("full depth", m.depth() == Shape::Depth && Shape::Depth <= Shape::Enough);
      if (Shape::Sides == 2) {
        covers.hit("push beside a live sibling", beside != 0);
        covers.hit("loop push beside a live sibling", beside != 0 && loop);
        covers.hit("sibling advances in the cycle of a push", beside != 0 && advanced);
        if (memory_splits<Model> && Shape::Lanes > 3)
          covers.hit("a part pushes beside the other", beside != 0 && at_one_pc);
      }
    } else {
      covers.hit("in place");
      covers.hit("in place in a called entry", calls != 0 && resolve.rpc == Flow::NoPc);
    }
    if (Shape::Sides == 2) covers.hit("sibling blanks in the cycle of a resolve", advanced && beside == 0);
    covers.hit("branch down to one lane", some.size() == 1 && resolve.lanes != own);
  }

  /// Expected outputs of a warp, from its model.
  void refresh(unsigned w) {
    for (const Side side : {Side::Left, Side::Right}) {
      const auto path = model_[w].path(side);
      Path& out = side == Side::Left ? expected_left_[w] : expected_right_[w];
      out.pc = path.pc;
      out.mask = to_mask(path.lanes);
      const std::uint64_t bit = std::uint64_t(1) << w;
      std::uint64_t& valid = valid_[unsigned(side)];
      valid = path.lanes.empty() ? valid & ~bit : valid | bit;
    }
    expected_depth_[w] = model_[w].depth();
  }

  void compare() {
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o", left_[w].read(), expected_left_[w]);
      check.equal("right_o", right_[w].read(), expected_right_[w]);
      check.equal("depth_o", depth_[w].read(), expected_depth_[w]);
    }
    check.equal("status_o", status_.read(), expected_status_);
    check.equal("illegal requests named", errors(block_ + "/illegal"), illegal_);
    check.equal("overflows named", errors(block_ + "/overflow"), overflows_);
    if (!twin_) return;
    const PortBits left = PortBits::of(twin_->left_o), right = PortBits::of(twin_->right_o);
    const PortBits depth = PortBits::of(twin_->depth_o);
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o of the twin", left.template get<Path>(w * bits_of<Path>), left_[w].read());
      check.equal("right_o of the twin", right.template get<Path>(w * bits_of<Path>), right_[w].read());
      check.equal("depth_o of the twin", depth.template get<Count>(w * bits_of<Count>), depth_[w].read());
    }
    check.equal("status_o of the twin", from_port<Status>(twin_->status_o), status_.read());
    check.equal("idle_o of the twin", twin_->idle_o != 0, idle_.read());
  }

  // ---- stimulus ----
  /// A cycle of the programs: the issue of one instruction, the resolve of an earlier one.
  void program_step() {
    Grant grant;
    Slots held;
    Resolve resolve;
    held.left = dice_();
    held.right = dice_();
    if (dice_.below(10) != 0) choose_grant(grant, held);
    choose_resolve(resolve, grant);
    if (dice_.below(4) == 0) choose_memory_split(resolve, grant);
    for (Pending& p : pending_) p.wait -= p.wait != 0;
    step(grant, held, resolve);
  }

  void choose_grant(Grant& grant, Slots& held) {
    const unsigned from = dice_.below(2 * Shape::Warps);
    bool found = false;
    for (unsigned i = 0; i < 2 * Shape::Warps && !found; ++i) {
      const unsigned w = (from + i) / 2 % Shape::Warps;
      const Side side = Side((from + i) % 2);
      if (mask_of(model_[w], side) == 0 || (pending_[w].open && pending_[w].side == side)) continue;
      const bool control = runs_[w].at(model_[w].path(side).pc).kind != FlowProgram::Kind::Plain;
      if (control && pending_[w].open) continue;
      found = true;
      grant = grant_of(side, w);
      const std::uint64_t bit = std::uint64_t(1) << w;
      const bool stays = control || dice_.below(50) == 0;
      auto& bits = side == Side::Left ? held.left : held.right;
      bits = stays ? bits | bit : bits & ~bit;
      if (control) pending_[w] = {true, side, 1 + dice_.below(6)};
    }
  }

  void choose_resolve(Resolve& resolve, const Grant& grant) {
    const unsigned from = dice_.below(Shape::Warps);
    bool found = false;
    for (unsigned i = 0; i < Shape::Warps && !found; ++i) {
      const unsigned w = (from + i) % Shape::Warps;
      const bool issues = grant.valid != 0 && grant.warp == w;
      if (model_[w].depth() == 0) {
        if (issues || dice_.below(4) != 0) continue;
        runs_[w] = PlacedProgram(programs_[dice_.below(static_cast<unsigned>(programs_.size()))], places_, dice_);
        const PlacedProgram& p = runs_[w];
        const std::uint64_t some =
            dice_.below(4) != 0 || p.is_comb() ? Shape::AllLanes : (dice_() & Shape::AllLanes) | 1;
        resolve = resolve_of(ResolveOp::Launch, Side(dice_.below(2)), some, p.start(), p.rpc(), w);
        found = true;
      } else if (pending_[w].open && pending_[w].wait == 0) {
        found = true;
        resolve = outcome(w, pending_[w].side);
        pending_[w].open = false;
      }
    }
  }

  Resolve outcome(unsigned w, Side side) {
    const Model& m = model_[w];
    const PlacedProgram& program = runs_[w];
    const FlowProgram::Instruction head = program.at(m.path(side).pc);
    const std::uint64_t own = mask_of(m, side);
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
    Resolve resolve = resolve_of(ResolveOp::Branch, side, some, head.target, head.rpc, w);
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
      case FlowProgram::Kind::Call:
        // Taken or not, all lanes alike; the deeper, the less.
        resolve.op = unsigned(ResolveOp::Call);
        resolve.lanes = own;
        resolve.rpc = dice_();
        if (m.fits_call(side) && (program.is_ladder() || dice_.below(2 + m.calls()) == 0)) break;
        resolve.op = unsigned(ResolveOp::Branch);
        resolve.lanes = 0;
        break;
      case FlowProgram::Kind::Return:
        resolve.lanes = own;
        resolve.target = Flow::NoPc;
        resolve.rpc = dice_();
        break;
      default:
        if (!m.fits(side, to_lanes(some), head.target, head.rpc)) resolve.lanes = dice_.below(2) != 0 ? own : 0;
        break;
    }
    return resolve;
  }

  /// Any requests: mostly of slots that are there, with PCs that often meet. `climbs`: mostly calls of one warp, to the
  /// last entry and beyond.
  void any_step(bool climbs) {
    const auto pc = [&](unsigned w) { return dice_.below(16) == 0 ? Flow::NoPc : places_.near(dice_, bases_[w], 6); };
    Grant grant;
    Resolve resolve;
    Slots held;
    held.left = dice_() & dice_();
    held.right = dice_() & dice_();
    if (dice_.below(2500) == 0) return step_reset();
    if (dice_.below(4) != 0) {
      grant.valid = 1;
      grant.warp = dice_();
      grant.right = dice_.below(2);
      if (dice_.below(16) != 0) {
        for (unsigned i = 0; i < 8 && !there(grant.warp, grant.right); ++i) grant.warp = dice_(), grant.right = dice_();
        if (!there(grant.warp, grant.right)) grant.valid = 0;
      }
    }
    if (dice_.below(4) != 0) {
      const unsigned w = dice_.below(3) == 0 ? unsigned(grant.warp) : dice_.below(1U << Flow::WarpBits);
      Side side = Side(dice_.below(2));
      if (!there(w, unsigned(side)) && dice_.below(8) != 0) side = other(side);
      const std::uint64_t own = w < Shape::Warps ? mask_of(model_[w], side) : 0;
      const unsigned how = dice_.below(8);
      const auto op = how == 0 ? ResolveOp::Exit : how == 1 ? ResolveOp::Call : ResolveOp::Branch;
      if (w < Shape::Warps && model_[w].depth() == 0) bases_[w] = places_.base(dice_, 8);
      resolve = resolve_of(op, side, own & dice_(), pc(w), pc(w), w);
      if (op == ResolveOp::Call && dice_.below(8) != 0) resolve.lanes = own;
      if (memory_splits<Model> && how == 2) {
        resolve.op = unsigned(ResolveOp::MemorySplit);
        if (w < Shape::Warps && dice_.below(4) != 0)
          resolve.lanes = (mask_of(model_[w], Side::Left) | mask_of(model_[w], Side::Right)) & dice_();
      }
      if (dice_.below(16) == 0) resolve.target = resolve.rpc = Flow::NoPc;
      if (own == 0 && dice_.below(2) == 0) resolve.op = unsigned(ResolveOp::Launch);
      if (resolve.op == unsigned(ResolveOp::Launch)) resolve.lanes = dice_();
      if (dice_.below(4) == 0 && w < Shape::Warps && model_[w].depth() != 0) resolve.rpc = model_[w].rpc();
      if (dice_.below(16) == 0) resolve.lanes = dice_();
      if (dice_.below(64) == 0) resolve.op = dice_.below(8);
      if (dice_.below(2) == 0 && w < Shape::Warps && grant.valid != 0 && grant.warp == w &&
          grant.right == unsigned(side)) {
        grant.valid = 0;
      }
    }
    if (climbs && dice_.below(32) != 0) {
      const Side side = there(0, 1) && dice_.below(2) == 0 ? Side::Right : Side::Left;
      const std::uint64_t own = mask_of(model_[0], side);
      resolve = resolve_of(own == 0 ? ResolveOp::Launch : ResolveOp::Call, side, own == 0 ? Shape::AllLanes : own,
                           bases_[0] + 2, bases_[0] + 7);
      if (own != 0 && !model_[0].fits_call(side) && dice_.below(2) == 0) {
        resolve.op = unsigned(ResolveOp::Branch);
        resolve.lanes = own & dice_();
      }
      if (grant.warp == 0) grant.valid = 0;
    }
    step(grant, held, resolve);
  }

  /// Paths that part, come to their RPC and part again, with pauses: so that there are free slots, and paths for them.
  void parting_step() {
    if (dice_.below(3) == 0) return idle();
    const unsigned w = dice_.below(Shape::Warps);
    const Model& m = model_[w];
    Side side = Side(dice_.below(2));
    if (!there(w, unsigned(side))) side = other(side);
    const std::uint64_t own = mask_of(m, side);
    std::uint64_t& base = bases_[w];
    if (m.depth() == 0) {
      base = places_.base(dice_, 18);
      return step({}, {}, resolve_of(ResolveOp::Launch, Side::Left, Shape::AllLanes, base, Flow::NoPc, w));
    }
    if (own == 0) return idle();
    const std::uint64_t rpc = m.rpc(side), fall = (m.path(side).pc + 1) & Flow::NoPc,
                        meets[] = {rpc, fall, places_.near(dice_, base + 8, 8)};
    Resolve resolve = resolve_of(ResolveOp::Branch, side, own, rpc, rpc, w);
    switch (dice_.below(8)) {
      case 0:
        resolve.op = unsigned(ResolveOp::Call);
        resolve.target = base + 3;
        break;
      case 1:
        resolve.op = unsigned(ResolveOp::Exit);
        resolve.lanes = dice_.below(4) == 0 ? own : own & dice_() & dice_() & dice_();
        break;
      case 2:
      case 3:
        break;  // there
      default:
        resolve.lanes = own & dice_();
        resolve.rpc = meets[dice_.below(3)];
        resolve.target = dice_.below(3) == 0 && resolve.rpc != Flow::NoPc ? std::uint64_t(resolve.rpc)
                                                                          : places_.near(dice_, base, 8);
        break;
    }
    Grant grant;
    if (dice_.below(2) == 0 && there(w, unsigned(other(side)))) grant = grant_of(other(side), w);
    step(grant, {}, resolve);
  }

  bool there(unsigned w, unsigned side) const { return w < Shape::Warps && mask_of(model_[w], Side(side)) != 0; }

  const std::string block_;
  sc_core::sc_signal<Grant> grant_{"grant"};
  sc_core::sc_signal<Slots> held_{"held"};
  sc_core::sc_signal<Resolve> resolve_{"resolve"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Shape::Warps}, right_{"right", Shape::Warps};
  sc_core::sc_vector<sc_core::sc_signal<Count>> depth_{"depth", Shape::Warps};
  sc_core::sc_signal<Status> status_{"status"};
  sc_core::sc_signal<bool> idle_{"idle"};
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;

  std::vector<Model> model_;
  Path expected_left_[Shape::Warps], expected_right_[Shape::Warps];
  Count expected_depth_[Shape::Warps];
  Status expected_status_;
  std::uint64_t valid_[2] = {0, 0};
  unsigned last_pop_ = 0;
  std::uint64_t ready_ = 0;  ///< warps of which one takes the next turn
  unsigned long illegal_ = 0, overflows_ = 0;

  /// Every entry popped, a path up a cycle after it was due, the last one's status.
  static constexpr unsigned Quiet = Shape::Warps * (Shape::Depth + forwards<Model>)+2 + forwards<Model>;
  IdleCheck idle_check_{Quiet};

  Dice dice_;
  std::vector<FlowProgram> programs_;
  std::vector<PlacedProgram> runs_;
  const PcPlaces places_{Shape::PcBits};
  std::vector<std::uint64_t> bases_;  ///< of the PCs of any requests to a warp
  std::vector<Pending> pending_;
};

}  // namespace heddle::bench
