// SPDX-License-Identifier: Apache-2.0
// Bench of the warp-split table: block and twin in lockstep on every output in every cycle, both against SplitModel,
// and the splits that wait and the entries beneath against the model's.
//
// A bench of its own and not ControlFlowBench: this unit has inputs that the stacks have not, and is strict about the
// order of requests (a resolve belongs to a held grant).
#pragma once

#include <sstream>

#include "rtl/warp_split_table/warp_split_table.h"
#include "tb/bench/bench.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"
#include "tb/warp_split_table/split_storm.h"

namespace heddle::bench {

/// From so many cycles on a random run must have changed the splits or the stack a million times: launches, branches,
/// exits, yields and pops, without plain issues and refused requests.
constexpr unsigned long LongRun = 4'000'000, Million = 1'000'000;

/// What a random run must reach, as far as the shape allows it.
template <class Shape>
std::vector<std::string> split_covers(unsigned long cycles) {
  std::vector<std::string> names{"launch",
                                 "launch with an RPC",
                                 "uniform, taken",
                                 "uniform, not taken",
                                 "advance to the RPC",
                                 "held grant",
                                 "exit, none",
                                 "exit, all of the split",
                                 "exit, all of the warp",
                                 "done at the RPC",
                                 "yield, nobody waits",
                                 "reset in the middle",
                                 "illegal grant",
                                 "grant of a control instruction in flight",
                                 "illegal launch",
                                 "illegal branch",
                                 "illegal exit",
                                 "call",
                                 "illegal yield",
                                 "yield beside a resolve",
                                 "resolve without a held grant"};
  const auto also = [&names](bool possible, std::vector<std::string> more) {
    if (possible) names.insert(names.end(), more.begin(), more.end());
  };
  constexpr bool parts = Shape::Lanes > 1;
  also(parts, {"stack, both sides", "stack, left side only", "stack, right side only", "stack, in place",
               "block at the threshold", "block just above the threshold", "divided", "both sides at one PC",
               "one side at the RPC", "joins the other slot", "may not join: in flight", "back to one split",
               "exit, some", "pop", "pop through exited entries", "comes to rest with a pop",
               "advance beside a resolve in one warp", "branch down to one lane"});
  also(Shape::Lanes > 2, {"divided again", "a split waits", "joins a split that waits", "slot filled after an advance",
                          "slot filled after a resolve", "gives way to one that waits", "both sides join"});
  // 32 splits: the case all_lanes
  also(Shape::Lanes > 2 && Shape::Entries <= 16, {"all places taken"});
  also(parts && Shape::Warps > 1,
       {"several warps wait to pop", "grant, resolve and pop in one cycle", "grant and yield in two warps"});
  also(Shape::MaySpill, {"spilled"});
  also(parts && Shape::Depth <= 2 * Shape::Lanes - 1, {"full depth"});
  also(Shape::MayOverflow, {"overflow"});
  also((Shape::Warps & (Shape::Warps - 1)) != 0 || Shape::Warps == 1, {"no such warp"});
  also(parts && cycles >= LongRun, {"a million operations"});
  return names;
}

template <class Shape, class Core>
class SplitBench : public Bench {
 public:
  using Flow = typename Shape::Flow;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Block = warp_split_table<Shape::Warps, Shape::Lanes, Shape::PcBits, Shape::Depth, Shape::Entries>;
  using Count = typename Block::Count;
  using SplitCount = typename Block::SplitCount;
  using Events = typename Block::Events;

  explicit SplitBench(const Options& options)
      : Bench(split_covers<Shape>(options.random)),
        model_(Shape::Warps, Model(Shape::Depth, Shape::Entries, Flow::NoPc)) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.grant_i(grant_);
    dut.held_i(held_);
    dut.resolve_i(resolve_);
    dut.block_i(length_);
    dut.threshold_i(threshold_);
    dut.yield_i(yield_);
    dut.left_o(left_);
    dut.right_o(right_);
    dut.depth_o(depth_);
    dut.splits_o(splits_);
    dut.status_o(status_);
    dut.events_o(events_);
    dut.idle_o(idle_);
    shows("left_o", left_), shows("right_o", right_), shows("depth_o", depth_), shows("splits_o", splits_);
    shows("status_o", status_), shows("events_o", events_), shows("idle_o", idle_);
    if (options.twin) {
      context_ = std::make_unique<VerilatedContext>();
      twin_ = std::make_unique<Core>(context_.get(), "twin");
    }
  }

  /// From a reset on, random structured programs under random outcomes, legal; then any requests at all.
  void random(unsigned long cycles, std::uint64_t seed) override {
    storm_.seed(seed);
    restart();
    for (unsigned long c = 0; c < cycles * 3 / 5; ++c) {
      if (storm_.one_in(2500)) {
        covers.hit("reset in the middle");
        restart();
      }
      if (storm_.one_in(200)) rest();
      step(storm_.legal());
    }
    tolerate();
    restart();
    for (unsigned long c = cycles * 3 / 5; c < cycles; ++c) {
      if (storm_.one_in(200)) rest();
      if (const std::optional<Request> request = storm_.any()) {
        step(*request);
      } else {
        cycle({}, true);
      }
    }
    if (Shape::Lanes > 1 && cycles >= LongRun) covers.hit("a million operations", operations_ >= Million);
  }

 protected:
  using Model = SplitModel;
  using Request = SplitRequest<Shape>;

  // ---- worked examples: one warp by hand, with N as set ----
  unsigned n = 0;  ///< N, the longest block for which a warp is subdivided

  Request branch_of(Side side, std::uint64_t taken, std::uint64_t target, std::uint64_t rpc, unsigned length) const {
    Request request;
    request.resolve = Request::resolve_of(ResolveOp::Branch, side, taken, target, rpc);
    request.length = length;
    request.threshold = n;
    return request;
  }

  void launch(std::uint64_t lanes, std::uint64_t pc, std::uint64_t rpc) {
    Request request;
    request.resolve = Request::resolve_of(ResolveOp::Launch, Side::Left, lanes, pc, rpc);
    step(request);
  }
  /// `count` plain instructions of a slot.
  void issue(Side side, unsigned count) {
    for (unsigned i = 0; i < count; ++i) step(Request::issue_of(side));
  }
  void hold(Side side) { step(Request::held_of(side)); }
  /// The branch at the slot's head issues, and is resolved two cycles later; `length`: of the block at its
  /// post-dominator.
  void branch(Side side, std::uint64_t taken, std::uint64_t target, std::uint64_t rpc, unsigned length) {
    hold(side);
    idle();
    step(branch_of(side, taken, target, rpc, length));
  }
  void leave(Side side, std::uint64_t lanes) {
    hold(side);
    idle();
    Request request;
    request.resolve = Request::resolve_of(ResolveOp::Exit, side, lanes, 0, 0);
    step(request);
  }
  void yield(Side side) { step(Request::yield_of(side)); }
  void idle() { step({}); }

  /// Every entry of warp 0 from the lowest on, the last with its splits (left, right, those that wait), as the example
  /// says it.
  void expect_entries(const char* when, const std::vector<std::string>& entries) {
    check.equal(when, joined(entries_of(0)), joined(entries));
    check.equal("the model's entries", joined(model_[0].entries()), joined(entries));
  }
  void expect_refused(const char* what, const std::string& error, const Request& request) {
    tolerate();
    const unsigned long before = errors("warp_split_table" + error);
    step(request);
    check.equal(what, errors("warp_split_table" + error), before + 1);
  }

  void start() {
    cycle({}, true);
    cycle({}, true);
  }
  /// Drives both, asks the models, compares everything.
  void step(const Request& request) { cycle(request, false); }

  const Model& model(unsigned warp) const { return model_[warp]; }
  const Status& status() const { return status_.read(); }

  Block dut{"dut"};

 private:
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n    " + line;
    return text;
  }

  std::vector<std::string> entries_of(unsigned w) const {
    std::vector<std::string> lines;
    const unsigned depth = depth_[w].read();
    for (unsigned level = 0; level + 1 < depth; ++level) {
      const auto entry = dut.entry_of(w, level);
      lines.push_back(Model::text(entry.pc, to_lanes(entry.mask)) + " | " + Model::name_of(entry.rpc));
    }
    if (depth == 0) return lines;
    std::string splits;
    for (unsigned s = 0; s < Shape::Entries; ++s) {
      const Path path = dut.split_of(w, s);
      if (s < 2 || path.mask != 0) splits += (s == 0 ? "" : "  ") + Model::text(path.pc, to_lanes(path.mask));
    }
    lines.push_back(splits + " | " + Model::name_of(dut.rpc_of(w)));
    return lines;
  }

  void tolerate() override {
    expect_errors("warp_split_table/illegal");
    expect_errors("warp_split_table/overflow");
    if (context_) context_->assertOn(false);
  }

  void restart() {
    start();
    storm_.restart();
  }

  void replay_cycle(const RecordingReader& edge) override {
    Request request;
    request.grant = edge.get<Grant>("grant_i");
    request.held = edge.get<Slots>("held_i");
    request.resolve = edge.get<Resolve>("resolve_i");
    request.yield = edge.get<Grant>("yield_i");
    request.length = edge.get<BlockLength>("block_i");
    request.threshold = edge.get<BlockLength>("threshold_i");
    cycle(request, !edge.get<bool>("rst_ni"));
  }

  void cycle(const Request& request, bool reset) {
    rst_n.write(!reset);
    grant_.write(request.grant);
    held_.write(request.held);
    resolve_.write(request.resolve);
    length_.write(request.length);
    threshold_.write(request.threshold);
    yield_.write(request.yield);
    settle();
    if (twin_) drive_twin(request, reset);
    expect(request, reset);
    const bool asked = reset || request.grant.valid != 0 || request.resolve.op != 0 || request.yield.valid != 0;
    idle_check_.before(idle_.read(), asked, [this] { return view(); });
    edge();
    compare();
    idle_check_.after(check, idle_.read(), [this] { return view(); });
  }

  /// Everything that one sees of the block: outputs, splits and entries.
  std::string view() const {
    std::ostringstream text;
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      text << left_[w] << right_[w] << depth_[w] << splits_[w] << joined(entries_of(w)) << '\n';
    }
    text << status_ << events_;
    return text.str();
  }

  /// Nothing is asked until the block is idle, and a little longer.
  void rest() {
    unsigned quiet = 0;
    for (; !idle_.read() && quiet <= Quiet; ++quiet) idle();
    if (Shape::Lanes > 1) covers.hit("comes to rest with a pop", quiet > 1);
    idle();
    idle();
  }

  void drive_twin(const Request& request, bool reset) {
    twin_->clk_i = 0;
    twin_->rst_ni = !reset;
    to_port(request.grant, twin_->grant_i);
    to_port(request.held, twin_->held_i);
    to_port(request.resolve, twin_->resolve_i);
    twin_->block_i = request.length;
    twin_->threshold_i = request.threshold;
    to_port(request.yield, twin_->yield_i);
    twin_->eval();
    twin_->clk_i = 1;
    twin_->eval();
  }

  // ---- what the models say about the next edge ----
  void expect(const Request& request, bool reset) {
    expected_status_ = {};
    expected_events_ = {};
    touched_.clear();
    if (reset) {
      for (unsigned w = 0; w < Shape::Warps; ++w) {
        model_[w] = Model(Shape::Depth, Shape::Entries, Flow::NoPc);
        refresh(w);
      }
      last_pop_ = 0;
      return;
    }
    std::vector<unsigned> waiting;
    for (unsigned i = 1; i <= Shape::Warps; ++i) {
      const unsigned w = (last_pop_ + i) % Shape::Warps;
      if (model_[w].waits()) waiting.push_back(w);
    }
    covers.hit("several warps wait to pop", waiting.size() > 1);
    for (const unsigned w :
         {unsigned(request.grant.warp), unsigned(request.resolve.warp), unsigned(request.yield.warp)}) {
      if (w < Shape::Warps) touched_.insert(w);
    }
    if (!waiting.empty()) touched_.insert(waiting.front());
    for (const unsigned w : touched_) model_[w].forget();

    const bool issued = hear_grant(request);
    const bool resolved = request.resolve.op != 0 && hear_resolve(request, issued);
    operations_ += resolved;
    if (request.yield.valid != 0) hear_yield(request, issued);
    if (!waiting.empty()) {
      Model& m = model_[waiting.front()];
      m.pop();
      ++operations_;
      last_pop_ = waiting.front();
      covers.hit("pop");
      covers.hit("pop through exited entries", m.waits());
      covers.hit("grant, resolve and pop in one cycle", issued && resolved);
    }
    for (const unsigned w : touched_) tell_status(w);
    expected_status_.valid_left = valid_[0];
    expected_status_.valid_right = valid_[1];
  }

  bool hear_grant(const Request& request) {
    const unsigned w = request.grant.warp;
    if (request.grant.valid == 0) return false;
    const Side side = Side(unsigned(request.grant.right));
    if (w >= Shape::Warps || model_[w].group(side).lanes.empty() || model_[w].group(side).decides) {
      ++illegal_;
      covers.hit("illegal grant");
      covers.hit("grant of a control instruction in flight", w < Shape::Warps && model_[w].group(side).decides);
      return false;
    }
    Model& m = model_[w];
    if (((side == Side::Left ? request.held.left : request.held.right) >> w & 1) != 0) {
      m.hold(side);
      covers.hit("held grant");
      return true;
    }
    const std::uint64_t own = m.mask(side);
    const unsigned running = m.running();
    m.advance(side);
    covers.hit("advance to the RPC", m.running() < running && !m.joined());
    covers.hit("done at the RPC", m.depth() == 0);
    covers.hit("slot filled after an advance", m.refilled());
    note_joins(m, running, own);
    return true;
  }

  void note_joins(const Model& m, unsigned running, std::uint64_t lanes) {
    const std::uint64_t shown = m.mask(Side::Left) | m.mask(Side::Right);
    covers.hit("joins the other slot", m.joined() && (lanes & shown) != 0);
    covers.hit("joins a split that waits", m.joined() && (lanes & ~shown) != 0 && m.waiting() != 0);
    covers.hit("may not join: in flight", m.refused_to_join());
    covers.hit("back to one split", running > 1 && m.running() == 1);
  }

  /// A resolve, by the model; false when it must be refused.
  bool hear_resolve(const Request& request, bool issued) {
    const Resolve& resolve = request.resolve;
    const auto op = ResolveOp(unsigned(resolve.op));
    const Side side = Side(unsigned(resolve.right));
    if (resolve.warp >= Shape::Warps) {
      ++illegal_;
      covers.hit("no such warp");
      return false;
    }
    Model& m = model_[resolve.warp];
    const LaneSet some = to_lanes(resolve.lanes);
    if (op == ResolveOp::Launch) {
      const bool good = touched_depth(resolve.warp) == 0 && !some.empty();
      if (good) m.launch(some, resolve.target, resolve.rpc);
      covers.hit(good ? "launch" : "illegal launch");
      covers.hit("launch with an RPC", good && resolve.rpc != Flow::NoPc);
      illegal_ += !good;
      return good;
    }
    const auto& group = m.group(side);
    const std::uint64_t own = to_mask(group.lanes);
    const bool same_slot = issued && request.grant.warp == resolve.warp && request.grant.right == resolve.right;
    const bool known = op == ResolveOp::Branch || op == ResolveOp::Exit;
    if (!known || !group.decides || same_slot || (resolve.lanes & ~own) != 0) {
      ++illegal_;
      covers.hit(op == ResolveOp::Branch ? "illegal branch" : known ? "illegal exit" : "call");
      covers.hit("resolve without a held grant", !group.decides && own != 0 && !same_slot);
      return false;
    }
    const bool short_block = request.length <= request.threshold;
    if (op == ResolveOp::Branch && !m.fits(side, some, resolve.target, resolve.rpc, short_block)) {
      ++overflows_;
      covers.hit("overflow");
      return false;
    }
    covers.hit("advance beside a resolve in one warp", issued && request.grant.warp == resolve.warp);
    const unsigned running = m.running();
    if (op == ResolveOp::Exit) {
      m.leave(side, some);
      covers.hit(some.empty() ? "exit, none" : resolve.lanes == own ? "exit, all of the split" : "exit, some");
      covers.hit("exit, all of the warp", m.depth() == 0);
    } else {
      apply_branch(m, side, some, request, short_block);
    }
    covers.hit("slot filled after a resolve", m.refilled());
    note_joins(m, running, own);
    return true;
  }

  void apply_branch(Model& m, Side side, const LaneSet& some, const Request& request, bool short_block) {
    const Resolve& resolve = request.resolve;
    const std::uint64_t own = m.mask(side), fall = m.fall(side), meet = m.rpc();
    const unsigned depth = m.depth(), running = m.running();
    m.branch(side, some, resolve.target, resolve.rpc, short_block);
    covers.hit("spilled", m.spilled());
    covers.hit("full depth", m.depth() == Shape::Depth);
    if (Shape::Entries <= 16) {
      covers.hit("all places taken", running > 1 && m.running() == std::min(Shape::Entries, Shape::Lanes));
    }
    covers.hit("branch down to one lane", some.size() == 1 && resolve.lanes != own);
    if (some.empty() || resolve.lanes == own) {
      covers.hit(some.empty() ? "uniform, not taken" : "uniform, taken");
    } else if (resolve.target == fall) {
      covers.hit("both sides at one PC");
    } else if (running == 1 && !short_block) {
      covers.hit("block just above the threshold", request.length == request.threshold + 1);
      covers.hit(m.depth() == depth              ? "stack, in place"
                 : resolve.target == resolve.rpc ? "stack, right side only"
                 : fall == resolve.rpc           ? "stack, left side only"
                                                 : "stack, both sides");
    } else {
      covers.hit("block at the threshold", running == 1 && request.length == request.threshold);
      covers.hit("divided", running == 1 && m.divided());
      covers.hit("divided again", running > 1 && m.divided());
      covers.hit("a split waits", m.waiting() != 0);
      covers.hit("one side at the RPC", resolve.target == meet || fall == meet);
      covers.hit("both sides join", m.joined() && m.running() < running);
    }
  }

  void hear_yield(const Request& request, bool issued) {
    const unsigned w = request.yield.warp;
    const Side side = Side(unsigned(request.yield.right));
    const bool same_slot = issued && request.grant.warp == w && request.grant.right == request.yield.right;
    if (request.resolve.op != 0 || w >= Shape::Warps || same_slot || model_[w].group(side).lanes.empty() ||
        model_[w].group(side).decides) {
      ++illegal_;
      covers.hit("illegal yield");
      covers.hit("yield beside a resolve", request.resolve.op != 0);
      return;
    }
    covers.hit("grant and yield in two warps", issued && request.grant.warp != w);
    covers.hit(model_[w].waiting() != 0 ? "gives way to one that waits" : "yield, nobody waits");
    model_[w].yield(side);
    ++operations_;
  }

  /// Depth before this edge: a launch in the cycle that ends the warp is refused.
  unsigned touched_depth(unsigned w) const { return unsigned(expected_depth_[w]); }

  void tell_status(unsigned w) {
    const Model& m = model_[w];
    const std::uint64_t bit = std::uint64_t(1) << w;
    if (m.redirected(Side::Left)) expected_status_.redirected_left = expected_status_.redirected_left | bit;
    if (m.redirected(Side::Right)) expected_status_.redirected_right = expected_status_.redirected_right | bit;
    if (m.lanes_moved()) expected_status_.lanes_moved = expected_status_.lanes_moved | bit;
    if (m.divided()) expected_events_.divided = expected_events_.divided | bit;
    if (m.joined()) expected_events_.joined = expected_events_.joined | bit;
    if (m.spilled()) expected_events_.spilled = expected_events_.spilled | bit;
    refresh(w);
  }

  /// Expected outputs of a warp, from its model.
  void refresh(unsigned w) {
    for (const Side side : {Side::Left, Side::Right}) {
      const auto& group = model_[w].group(side);
      Path& out = side == Side::Left ? expected_left_[w] : expected_right_[w];
      out.pc = group.pc;
      out.mask = to_mask(group.lanes);
      const std::uint64_t bit = std::uint64_t(1) << w;
      std::uint64_t& valid = valid_[unsigned(side)];
      valid = group.lanes.empty() ? valid & ~bit : valid | bit;
    }
    expected_depth_[w] = model_[w].depth();
    expected_splits_[w] = model_[w].running();
  }

  void compare() {
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o", left_[w].read(), expected_left_[w]);
      check.equal("right_o", right_[w].read(), expected_right_[w]);
      check.equal("depth_o", depth_[w].read(), expected_depth_[w]);
      check.equal("splits_o", splits_[w].read(), expected_splits_[w]);
    }
    check.equal("status_o", status_.read(), expected_status_);
    check.equal("events_o", events_.read(), expected_events_);
    check.equal("illegal requests named", errors("warp_split_table/illegal"), illegal_);
    check.equal("overflows named", errors("warp_split_table/overflow"), overflows_);
    if (check.cycle % 4 == 0) {
      for (const unsigned w : touched_) check.equal("entries", joined(entries_of(w)), joined(model_[w].entries()));
    }
    if (!twin_) return;
    const PortBits left = PortBits::of(twin_->left_o), right = PortBits::of(twin_->right_o);
    const PortBits depth = PortBits::of(twin_->depth_o), splits = PortBits::of(twin_->splits_o);
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o of the twin", left.template get<Path>(w * bits_of<Path>), left_[w].read());
      check.equal("right_o of the twin", right.template get<Path>(w * bits_of<Path>), right_[w].read());
      check.equal("depth_o of the twin", depth.template get<Count>(w * bits_of<Count>), depth_[w].read());
      check.equal("splits_o of the twin", splits.template get<SplitCount>(w * bits_of<SplitCount>), splits_[w].read());
    }
    check.equal("status_o of the twin", from_port<Status>(twin_->status_o), status_.read());
    check.equal("events_o of the twin", from_port<Events>(twin_->events_o), events_.read());
    check.equal("idle_o of the twin", twin_->idle_o != 0, idle_.read());
  }

  sc_core::sc_signal<Grant> grant_{"grant"}, yield_{"yield"};
  sc_core::sc_signal<Slots> held_{"held"};
  sc_core::sc_signal<Resolve> resolve_{"resolve"};
  sc_core::sc_signal<BlockLength> length_{"length"}, threshold_{"threshold"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Shape::Warps}, right_{"right", Shape::Warps};
  sc_core::sc_vector<sc_core::sc_signal<Count>> depth_{"depth", Shape::Warps};
  sc_core::sc_vector<sc_core::sc_signal<SplitCount>> splits_{"splits", Shape::Warps};
  sc_core::sc_signal<Status> status_{"status"};
  sc_core::sc_signal<Events> events_{"events"};
  sc_core::sc_signal<bool> idle_{"idle"};
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;

  static constexpr unsigned Quiet = Shape::Warps * Shape::Depth + 2;  ///< every entry popped, and the last one's status
  IdleCheck idle_check_{Quiet};

  std::vector<Model> model_;
  SplitStorm<Shape> storm_{model_};
  std::set<unsigned> touched_;  // warps that this edge may change
  Path expected_left_[Shape::Warps], expected_right_[Shape::Warps];
  Count expected_depth_[Shape::Warps];
  SplitCount expected_splits_[Shape::Warps];
  Status expected_status_;
  Events expected_events_;
  std::uint64_t valid_[2] = {0, 0};
  unsigned last_pop_ = 0;
  unsigned long illegal_ = 0, overflows_ = 0, operations_ = 0;
};

}  // namespace heddle::bench
