// SPDX-License-Identifier: Apache-2.0
// Bench of the convergence barriers: block and twin in lockstep, and both against the reference model, on every output
// in every cycle; of the warps that an edge touched, the state too.
#pragma once

#include "rtl/convergence_barrier/convergence_barrier.h"
#include "tb/bench/control_flow_bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/pc_places.h"
#include "tb/bench/twin_state.h"
#include "tb/convergence_barrier/barrier_program.h"
#include "tb/convergence_barrier/convergence_barrier_model.h"

namespace heddle::bench {

template <unsigned WarpCount, unsigned LaneCount, unsigned PcWidth, unsigned BarrierCount, Picker Which>
struct BarrierShape {
  static constexpr unsigned Warps = WarpCount, Lanes = LaneCount, PcBits = PcWidth, Barriers = BarrierCount;
  static constexpr Picker Policy = Which;
  using Block = convergence_barrier<Warps, Lanes, PcBits, Barriers, Policy>;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);
  static constexpr bool Parts = Lanes > 1;
};

inline const char* name_of(BarrierOp op) {
  static const char* const names[] = {"none", "join", "wait",   "cancel", "yield", "sync", "save",  "restore",
                                      "copy", "take", "arrive", "jump",   "park",  "open", "switch"};
  return names[unsigned(op)];
}

constexpr unsigned long LongRun = 4'000'000, Million = 1'000'000;

/// What a random run of so many cycles must reach, as far as the shape allows it.
template <class Shape>
std::vector<std::string> barrier_covers(unsigned long cycles) {
  std::vector<std::string> names{"launch",
                                 "held grant",
                                 "uniform branch",
                                 "exit, all of the warp",
                                 "no such op",
                                 "illegal grant",
                                 "illegal launch",
                                 "illegal branch",
                                 "illegal exit",
                                 "call",
                                 "illegal barrier operation",
                                 "grant and operation of one path",
                                 "a resolve and a barrier operation",
                                 "reset in the middle",
                                 "a wait that passes",
                                 "a barrier clears",
                                 "a sync completes",
                                 "yielded, nobody else ready",
                                 "open, nobody picked",
                                 "open, the warp in hand",
                                 "comes to rest",
                                 "sync without an own lane"};
  for (unsigned op = 1; op <= unsigned(BarrierOp::Switch); ++op) names.push_back(name_of(BarrierOp(op)));
  const auto also = [&names](bool possible, std::vector<std::string> more) {
    if (possible) names.insert(names.end(), more.begin(), more.end());
  };
  also(Shape::Parts,
       {"restore with exited lanes", "divergent branch", "exit, some", "a barrier clears beside yielded lanes",
        "lanes meet at a PC", "yielded lanes come back after their patience", "a sync that finds the register in use",
        "exit completes a barrier", "a release", "stuck and busy", "open, somebody picked",
        "lanes of a group join later", "threshold passed", "threshold not passed"});
  also(Shape::Parts && Shape::Barriers > 1, {"two barriers clear at once"});
  also(Shape::Parts && Shape::Lanes < 16, {"one group of all lanes after a barrier"});
  also(Shape::Warps > 1, {"several warps wait to be settled", "grant, operation and settling in one cycle"});
  also((Shape::Warps & (Shape::Warps - 1)) != 0 || Shape::Warps == 1, {"no such warp"});
  also((Shape::Barriers & (Shape::Barriers - 1)) != 0 || Shape::Barriers == 1, {"no such register"});
  also(cycles >= LongRun, {"a million operations"});
  return names;
}

template <class Shape, class Core>
class ConvergenceBarrierBench : public Bench {
 public:
  using Block = typename Shape::Block;
  using Flow = typename Block::Flow;
  using Grant = typename Block::Grant;
  using Slots = typename Block::Slots;
  using Resolve = typename Block::Resolve;
  using Request = typename Block::Request;
  using Answer = typename Block::Answer;
  using Release = typename Block::Release;
  using Path = typename Block::Path;
  using Status = typename Block::Status;
  using Count = typename Block::Count;
  using Pc = typename Block::Pc;
  using Model = ConvergenceBarrierModel;
  using State = Model::State;

  explicit ConvergenceBarrierBench(const Options& options) : Bench(barrier_covers<Shape>(options.random)) {
    forget();
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.grant_i(grant_);
    dut.held_i(held_);
    dut.resolve_i(resolve_);
    dut.barrier_i(request_);
    dut.targets_i(targets_);
    dut.busy_i(busy_);
    dut.left_o(left_);
    dut.right_o(right_);
    dut.depth_o(depth_);
    dut.status_o(status_);
    dut.answer_o(answer_);
    dut.release_o(release_);
    dut.idle_o(idle_);
    shows("left_o", left_), shows("right_o", right_), shows("depth_o", depth_);
    shows("status_o", status_), shows("answer_o", answer_), shows("release_o", release_), shows("idle_o", idle_);
    if (options.twin) {
      context_ = std::make_unique<VerilatedContext>();
      twin_ = std::make_unique<Core>(context_.get(), "twin");
    }
  }

  /// From a reset on, any legal operations; then any requests at all.
  void random(unsigned long cycles, std::uint64_t seed) override {
    dice_.seed(seed);
    restart();
    for (unsigned long c = 0; c < cycles * 7 / 10; ++c) {
      if (tired()) {
        covers.hit("reset in the middle");
        restart();
      }
      if (dice_.below(200) == 0) rest();
      legal_step();
    }
    tolerate();
    restart();
    for (unsigned long c = cycles * 7 / 10; c < cycles; ++c) {
      if (tired()) restart();
      if (dice_.below(200) == 0) rest();
      any_step();
    }
    if (cycles >= LongRun) covers.hit("a million operations", operations_ >= Million);
  }

 protected:
  /// What is asked of the block in a cycle.
  struct Inputs {
    Grant grant;
    Slots held;
    Resolve resolve;
    Request request;
    std::vector<std::uint64_t> targets = std::vector<std::uint64_t>(Shape::Lanes);
    std::uint64_t busy = 0;
  };

  static Grant grant_of(unsigned warp = 0) {
    Grant grant;
    grant.valid = 1;
    grant.warp = warp;
    return grant;
  }
  static Resolve resolve_of(ResolveOp op, std::uint64_t lanes, std::uint64_t target, unsigned warp = 0) {
    Resolve resolve;
    resolve.op = unsigned(op);
    resolve.warp = warp;
    resolve.lanes = lanes;
    resolve.target = target;
    return resolve;
  }
  static Request request_of(BarrierOp op, std::uint64_t lanes, unsigned index = 0, unsigned source = 0,
                            std::uint64_t value = 0, unsigned warp = 0) {
    Request request;
    request.op = unsigned(op);
    request.warp = warp;
    request.lanes = lanes;
    request.index = index;
    request.source = source;
    request.value = value;
    return request;
  }

  void start() {
    Inputs nothing;
    cycle(nothing, true);
    cycle(nothing, true);
    pending_.assign(Shape::Warps, 0);
    busy_now_ = 0;
  }
  void step(const Inputs& inputs) { cycle(inputs, false); }
  void idle() { step({}); }
  /// The named error and nothing else.
  void expect_refused(const char* what, const Inputs& inputs) {
    tolerate();
    const unsigned long before = errors("convergence_barrier/illegal");
    step(inputs);
    check.equal(what, errors("convergence_barrier/illegal"), before + 1);
  }

  const Model& model(unsigned warp = 0) const { return model_[warp]; }
  unsigned releases() const { return unsigned(release_.read().count); }
  const Answer& answered() const { return answer_.read(); }
  void tolerate() override {
    expect_errors("convergence_barrier/illegal");
    if (context_) context_->assertOn(false);
  }

  Block dut{"dut"};

 private:
  void forget() {
    model_.assign(Shape::Warps, Model(Shape::Lanes, Shape::Barriers, Shape::Policy, Flow::NoPc));
    expected_left_.assign(Shape::Warps, Path());
    expected_depth_ = 0;
    valid_ = 0;
    last_ = 0;
    hand_ = -1;
    expected_answer_ = {};
    counted_ = {};
    expected_release_ = {};
  }

  void replay_cycle(const RecordingReader& edge) override {
    Inputs in;
    in.grant = edge.get<Grant>("grant_i");
    in.held = edge.get<Slots>("held_i");
    in.resolve = edge.get<Resolve>("resolve_i");
    in.request = edge.get<Request>("barrier_i");
    for (unsigned l = 0; l < Shape::Lanes; ++l) in.targets[l] = edge.get<Pc>("targets_i", l);
    in.busy = edge.get<sc_dt::sc_uint<Shape::Warps>>("busy_i");
    cycle(in, !edge.get<bool>("rst_ni"));
  }

  void cycle(const Inputs& in, bool reset) {
    rst_n.write(!reset);
    grant_.write(in.grant);
    held_.write(in.held);
    resolve_.write(in.resolve);
    request_.write(in.request);
    for (unsigned l = 0; l < Shape::Lanes; ++l) targets_[l].write(in.targets[l]);
    busy_.write(in.busy);
    settle();
    if (twin_) drive_twin(in, reset);
    expect(in, reset);
    const bool asked = reset || in.grant.valid != 0 || in.resolve.op != 0 || in.request.op != 0;
    idle_check_.before(
        idle_.read(), asked, [this] { return view(); }, in.busy != 0);
    edge();
    compare();
    idle_check_.after(check, idle_.read(), [this] { return view(); });
  }

  /// Everything that one sees of the block: outputs, threads and barriers.
  std::string view() const {
    std::ostringstream text;
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      text << left_[w] << depth_[w] << dut.threads(w);
      for (unsigned k = 0; k < Shape::Barriers; ++k) text << ' ' << dut.participants(w, k);
      for (unsigned l = 0; l < Shape::Lanes; ++l) text << ' ' << dut.pc_of(w, l);
      text << '\n';
    }
    text << status_ << answer_ << release_;
    return text.str();
  }

  /// Nothing is asked and no warp is busy until the block is idle, and a little longer.
  void rest() {
    unsigned quiet = 0;
    const std::uint64_t alive = expected_depth_;
    for (; !idle_.read() && quiet <= Quiet; ++quiet) step({});
    covers.hit("comes to rest", quiet > 1 && alive != 0);
    step({});
    step({});
  }

  void drive_twin(const Inputs& in, bool reset) {
    twin_->clk_i = 0;
    twin_->rst_ni = !reset;
    to_port(in.grant, twin_->grant_i);
    to_port(in.held, twin_->held_i);
    to_port(in.resolve, twin_->resolve_i);
    to_port(in.request, twin_->barrier_i);
    array_to_port<Pc>(targets_, twin_->targets_i);
    twin_->busy_i = in.busy;
    twin_->eval();
    twin_->clk_i = 1;
    twin_->eval();
  }

  // ---- what the models say about the next edge ----
  void expect(const Inputs& in, bool reset) {
    expected_status_ = {};
    expected_answer_ = counted_;
    counted_ = {};
    touched_.clear();
    if (reset) return forget();
    expected_release_.valid = 0;
    expected_release_.warp = 0;
    expected_release_.index = 0;

    const bool finishes = hand_ >= 0 && cycles_in_hand_ == 1;
    const bool opens = in.resolve.op == 0 && in.request.op == unsigned(BarrierOp::Open) && known_registers(in.request);
    const bool put_back = hand_ >= 0 && opens && in.request.warp == unsigned(hand_);
    std::vector<unsigned> waiting;
    for (unsigned i = 1; i <= Shape::Warps; ++i) {
      const unsigned w = (last_ + i) % Shape::Warps;
      const bool may = model_[w].need() == Model::Need::Turn ||
                       (model_[w].need() == Model::Need::NotBusy && (in.busy >> w & 1) == 0);
      if (may && hand_ != int(w)) waiting.push_back(w);
    }
    covers.hit("several warps wait to be settled", waiting.size() > 1);

    const unsigned granted = in.grant.warp;
    const bool issued =
        in.grant.valid != 0 && in.grant.right == 0 && granted < Shape::Warps && !model_[granted].picked().empty();
    if (issued) {
      const bool stays = (in.held.left >> granted & 1) != 0;
      covers.hit("held grant", stays);
      if (!stays) model_[granted].advance();
      touched_.insert(granted);
    } else if (in.grant.valid != 0) {
      ++illegal_;
      covers.hit("illegal grant");
    }
    bool operated = false;
    if (in.resolve.op != 0) {
      operated = resolve(in.resolve, issued && granted == in.resolve.warp);
      if (in.request.op != 0) {
        ++illegal_;
        covers.hit("a resolve and a barrier operation");
      }
    } else if (in.request.op != 0) {
      operated = operate(in, issued && granted == in.request.warp);
    }
    operations_ += operated;
    if (finishes && !put_back) {
      covers.hit("grant, operation and settling in one cycle", issued && operated);
      settle_warp(unsigned(hand_), (in.busy >> hand_ & 1) != 0);
    }
    covers.hit("open, the warp in hand", put_back);
    take_in_hand(finishes, put_back, waiting, opens ? int(in.request.warp) : -1);
    for (const unsigned w : touched_) refresh(w);
    expected_status_.valid_left = valid_;
  }

  /// The warp that is settled next, and for how long: barriers, leader, group; or two cycles for each group that is
  /// compared, and the last.
  void take_in_hand(bool finishes, bool put_back, const std::vector<unsigned>& waiting, int opened) {
    if (hand_ >= 0) --cycles_in_hand_;
    const bool free = hand_ < 0 || finishes;
    if (finishes || put_back) hand_ = -1;
    if (!free || put_back || waiting.empty() || opened == int(waiting.front())) return;
    hand_ = int(waiting.front());
    last_ = waiting.front();
    cycles_in_hand_ = Compares ? 2 + 2 * model_[last_].looks() : 3;
  }

  bool known_registers(const Request& request) const {
    return request.warp < Shape::Warps && request.index < Shape::Barriers && request.source < Shape::Barriers;
  }
  /// Whether these lanes of the path may do something now.
  bool picked(unsigned warp, std::uint64_t lanes, bool issues) {
    const std::uint64_t own = to_mask(model_[warp].picked());
    covers.hit("grant and operation of one path", issues && own != 0);
    return own != 0 && (lanes & ~own) == 0 && !issues;
  }
  void redirected(unsigned warp) {
    expected_status_.redirected_left = expected_status_.redirected_left | std::uint64_t(1) << warp;
  }

  bool resolve(const Resolve& r, bool issues) {
    const auto op = ResolveOp(unsigned(r.op));
    bool good = r.warp < Shape::Warps;
    covers.hit("no such warp", !good);
    if (good && op == ResolveOp::Launch) {
      Model& m = model_[r.warp];
      good = !m.alive() && r.lanes != 0;
      covers.hit(good ? "launch" : "illegal launch");
      if (good) m.launch(to_lanes(r.lanes), r.target), redirected(r.warp);
    } else if (good) {
      Model& m = model_[r.warp];
      const bool known = op == ResolveOp::Branch || op == ResolveOp::Exit;
      good = known && picked(r.warp, r.lanes, issues);
      if (!good) covers.hit(op == ResolveOp::Branch ? "illegal branch" : known ? "illegal exit" : "call");
      const std::uint64_t own = to_mask(m.picked());
      if (good && op == ResolveOp::Branch) {
        m.branch(to_lanes(r.lanes), r.target);
        covers.hit(r.lanes == 0 || r.lanes == own ? "uniform branch" : "divergent branch");
      } else if (good) {
        const bool others = !m.lanes_in(State::Blocked).empty();
        m.leave(to_lanes(r.lanes));
        if (!m.alive())
          covers.hit("exit, all of the warp");
        else if (r.lanes != own && r.lanes != 0)
          covers.hit("exit, some");
        exited_ = others && r.lanes != 0 ? int(r.warp) : -1;
      }
    }
    illegal_ += !good;
    if (good) touched_.insert(r.warp);
    return good;
  }

  bool operate(const Inputs& in, bool issues) {
    const Request& r = in.request;
    const auto op = BarrierOp(unsigned(r.op));
    bool good = known_registers(r);
    covers.hit("no such register", r.warp < Shape::Warps && !good);
    if (good && op != BarrierOp::Open) good = picked(r.warp, r.lanes, issues);
    if (good && unsigned(op) > unsigned(BarrierOp::Switch)) {
      good = false;
      covers.hit("no such op");
    }
    if (good && op == BarrierOp::Sync && (r.lanes & ~r.value) != 0) {
      good = false;
      covers.hit("sync without an own lane");
    }
    if (!good) {
      ++illegal_;
      covers.hit("illegal barrier operation");
      return false;
    }
    Model& m = model_[r.warp];
    covers.hit(name_of(op));
    const LaneSet lanes = to_lanes(r.lanes), before = m.lanes_in(State::Parked);
    if (op == BarrierOp::Wait) {
      for (const unsigned l : lanes) covers.hit("a wait that passes", m.participants(r.index).count(l) == 0);
    }
    covers.hit("restore with exited lanes",
               Shape::Parts && op == BarrierOp::Restore && (r.value & Shape::AllLanes) != to_mask(m.living(r.value)));
    if (op == BarrierOp::Open && !before.empty()) {
      if (Shape::Parts) covers.hit("open, somebody picked", !m.picked().empty());
      covers.hit("open, nobody picked", m.picked().empty());
    }
    const auto answer = m.operate({op, lanes, unsigned(r.index), unsigned(r.source), r.value, in.targets});
    if (answer) {
      counted_.valid = 1;
      counted_.warp = r.warp;
      counted_.value = answer->value;
      counted_.passed = answer->passed;
      if (Shape::Parts && op == BarrierOp::Arrive) {
        covers.hit(answer->passed ? "threshold passed" : "threshold not passed");
      }
    }
    if (Shape::Parts && op == BarrierOp::Sync) {
      covers.hit("a sync that finds the register in use", !lanes.empty() && m.state(*lanes.begin()) == State::Yielded);
    }
    touched_.insert(r.warp);
    return true;
  }

  void settle_warp(unsigned w, bool busy) {
    Model& m = model_[w];
    const LaneSet ready = m.lanes_in(State::Ready), blocked = m.lanes_in(State::Blocked),
                  yielded = m.lanes_in(State::Yielded), synced = m.lanes_in(State::Synced);
    const auto released = m.settle(busy);
    touched_.insert(w);
    if (!m.picked().empty()) redirected(w);
    if (released) {
      expected_release_.valid = 1;
      expected_release_.warp = w;
      expected_release_.index = *released;
      expected_release_.count = expected_release_.count + 1;
    }
    std::set<unsigned> cleared;
    for (const unsigned l : blocked) {
      if (m.state(l) == State::Ready) cleared.insert(m.waits_on(l));
    }
    if (released) {
      covers.hit("a release");
    } else {
      covers.hit("a barrier clears", !cleared.empty());
      if (Shape::Parts && Shape::Barriers > 1) covers.hit("two barriers clear at once", cleared.size() > 1);
      if (Shape::Parts) {
        covers.hit("a barrier clears beside yielded lanes", !cleared.empty() && !yielded.empty());
        covers.hit("exit completes a barrier", !cleared.empty() && exited_ == int(w));
      }
      if (Shape::Parts && Shape::Lanes < 16) {
        covers.hit("one group of all lanes after a barrier", !cleared.empty() && m.picked().size() == Shape::Lanes);
      }
    }
    if (exited_ == int(w)) exited_ = -1;
    for (const unsigned l : synced) covers.hit("a sync completes", m.state(l) == State::Ready);
    const bool back = !yielded.empty() && m.lanes_in(State::Yielded).empty();
    covers.hit("yielded, nobody else ready", back && ready.empty() && cleared.empty());
    if (Shape::Parts) {
      covers.hit("yielded lanes come back after their patience", back && !ready.empty());
      covers.hit("stuck and busy", m.picked().empty() && busy && !blocked.empty());
      std::set<std::uint64_t> places;
      const LaneSet able = m.lanes_in(State::Ready);
      for (const unsigned l : able) places.insert(m.pc_of(l));
      covers.hit("lanes meet at a PC", places.size() < able.size() && places.size() > 1);
      covers.hit("lanes of a group join later", m.picked().size() > 1 && m.picked() != able);
    }
  }

  /// Expected outputs of a warp, from its model.
  void refresh(unsigned w) {
    const std::uint64_t bit = std::uint64_t(1) << w;
    expected_left_[w].pc = model_[w].pc();
    expected_left_[w].mask = to_mask(model_[w].picked());
    valid_ = model_[w].picked().empty() ? valid_ & ~bit : valid_ | bit;
    expected_depth_ = model_[w].alive() ? expected_depth_ | bit : expected_depth_ & ~bit;
  }

  void compare() {
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o", left_[w].read(), expected_left_[w]);
      check.equal("right_o", right_[w].read(), Path());
      check.equal("depth_o", unsigned(depth_[w].read()), unsigned(expected_depth_ >> w & 1));
    }
    check.equal("status_o", status_.read(), expected_status_);
    check.equal("answer_o", answer_.read(), expected_answer_);
    check.equal("release_o", release_.read(), expected_release_);
    check.equal("errors", errors("convergence_barrier/illegal"), illegal_);
    for (const unsigned w : touched_) compare_state(w);
    if (!twin_) return;
    const PortBits left = PortBits::of(twin_->left_o), right = PortBits::of(twin_->right_o);
    const PortBits depth = PortBits::of(twin_->depth_o);
    for (unsigned w = 0; w < Shape::Warps; ++w) {
      check.equal("left_o of the twin", left.template get<Path>(w * bits_of<Path>), left_[w].read());
      check.equal("right_o of the twin", right.template get<Path>(w * bits_of<Path>), right_[w].read());
      check.equal("depth_o of the twin", depth.template get<Count>(w * bits_of<Count>), depth_[w].read());
    }
    check.equal("status_o of the twin", from_port<Status>(twin_->status_o), status_.read());
    check.equal("answer_o of the twin", from_port<Answer>(twin_->answer_o), answer_.read());
    check.equal("release_o of the twin", from_port<Release>(twin_->release_o), release_.read());
    check.equal("idle_o of the twin", twin_->idle_o != 0, idle_.read());
  }

  /// Threads and barriers of a warp that was touched.
  void compare_state(unsigned w) {
    const auto& threads = dut.threads(w);
    const Model& m = model_[w];
    check.equal("ready", std::uint64_t(threads.ready), to_mask(m.lanes_in(State::Ready)));
    check.equal("blocked", std::uint64_t(threads.blocked), to_mask(m.lanes_in(State::Blocked)));
    check.equal("yielded", std::uint64_t(threads.yielded), to_mask(m.lanes_in(State::Yielded)));
    check.equal("synced", std::uint64_t(threads.synced), to_mask(m.lanes_in(State::Synced)));
    check.equal("parked", std::uint64_t(threads.parked), to_mask(m.lanes_in(State::Parked)));
    for (unsigned k = 0; k < Shape::Barriers; ++k) {
      check.equal("participants", std::uint64_t(dut.participants(w, k)), to_mask(m.participants(k)));
    }
    for (unsigned l = 0; l < Shape::Lanes; ++l) {
      if (m.state(l) == State::Exited) continue;
      check.equal("PC of a thread", std::uint64_t(dut.pc_of(w, l)), m.pc_of(l));
      if (m.state(l) == State::Blocked || m.state(l) == State::Synced) {
        check.equal("barrier of a thread", dut.waits_on(w, l), m.waits_on(l));
      }
    }
  }

  // ---- stimulus ----
  enum class Mood { Anything, Barriers, Wandering };  // Wandering: one warp, that it is picked often

  void restart() {
    start();
    mood_ = Mood(dice_.below(3));
    base_ = places_.base(dice_, 64);
    preset_releases();
  }
  /// Releases are counted on from a little before a power of two, in block, twin and model; not in a netlist, whose
  /// registers have no names.
  void preset_releases() {
    const std::uint64_t count = PcPlaces(32).base(dice_, 8);
    if (twin_ && !preset(*context_, "release_q", 0xffffffff, count)) return;
    expected_release_.count = count;
    release_.write(expected_release_);
  }
  bool tired() { return dice_.below(500 + 200 * Shape::Warps) == 0 || stranded() > Shape::Warps / 2; }

  /// Warps whose threads all wait at .syncs for each other, as no legal program lets them.
  unsigned stranded() const {
    unsigned n = 0;
    for (const Model& m : model_) {
      const bool moves = !m.alive() || !m.picked().empty() || m.need() != Model::Need::Nothing;
      n += moves || !m.lanes_in(State::Parked).empty() ? 0 : 1;
    }
    return n;
  }
  std::uint64_t any_pc() { return dice_.below(24) == 0 ? Flow::NoPc : places_.near(dice_, base_, 5); }
  std::uint64_t some_of(std::uint64_t own) {
    const unsigned how = dice_.below(6);
    return how < 2 ? own : how == 2 ? own & (own - 1) : how == 3 ? own & (~own + 1) : own & dice_();
  }
  unsigned any_register() { return dice_.below(dice_.below(4) == 0 ? Shape::Barriers : std::min(Shape::Barriers, 2U)); }

  /// One instruction issues, an earlier control instruction executes: what an SM may ask.
  void legal_step() {
    Inputs in;
    if (dice_.below(8) == 0) busy_now_ ^= std::uint64_t(1) << dice_.below(Shape::Warps);
    in.busy = busy_now_;
    in.held.left = dice_();
    in.held.right = dice_();
    for (std::uint64_t& target : in.targets) target = any_pc();
    const unsigned from = dice_.below(Shape::Warps);
    bool grants = dice_.below(10) == 0, operates = false;
    for (unsigned i = 0; i < Shape::Warps; ++i) {
      const unsigned w = (from + i) % Shape::Warps;
      const Model& m = model_[w];
      if (!grants && !m.picked().empty() && pending_[w] == 0) {
        grants = true;
        in.grant = grant_of(w);
        const bool control = dice_.below(5) < 3;
        const std::uint64_t bit = std::uint64_t(1) << w;
        in.held.left = control ? std::uint64_t(in.held.left) | bit : std::uint64_t(in.held.left) & ~bit;
        if (control) pending_[w] = 2 + dice_.below(3);
      } else if (!operates && !m.alive() && (mood_ != Mood::Wandering || w == 0) && dice_.below(3) == 0) {
        operates = true;
        const std::uint64_t some = dice_.below(3) != 0 ? Shape::AllLanes : (dice_() & Shape::AllLanes) | 1;
        in.resolve = resolve_of(ResolveOp::Launch, some, any_pc(), w);
      } else if (!operates && pending_[w] == 1) {
        operates = true;
        pending_[w] = 0;
        execute(in, w);
      } else if (!operates && !m.lanes_in(State::Parked).empty() && dice_.below(12) == 0) {
        operates = true;
        in.request = request_of(BarrierOp::Open, dice_(), 0, 0, 0, w);
      }
      if (pending_[w] > 1) --pending_[w];
    }
    step(in);
  }

  void execute(Inputs& in, unsigned w) {
    const Model& m = model_[w];
    const std::uint64_t own = to_mask(m.picked()), some = some_of(own);
    const unsigned k = any_register();
    const auto request = [&](BarrierOp op, std::uint64_t lanes, std::uint64_t value = 0) {
      in.request = request_of(op, lanes, k, any_register(), value, w);
    };
    // Hardly ever anything but branches, and once somebody has yielded nothing else: its patience is long.
    if (mood_ == Mood::Wandering && (!m.lanes_in(State::Yielded).empty() || dice_.below(40) != 0)) {
      in.resolve = resolve_of(ResolveOp::Branch, some, any_pc(), w);
      in.resolve.rpc = dice_();
      return;
    }
    if (mood_ == Mood::Barriers && dice_.below(8) != 0) return towards_two_barriers(in, w, own);
    const unsigned how = dice_.below(100);
    if (how < 22) {
      in.resolve = resolve_of(ResolveOp::Branch, some, any_pc(), w);
      in.resolve.rpc = dice_();
    } else if (how < 26) {
      in.resolve = resolve_of(ResolveOp::Exit, dice_.below(2) == 0 ? some : own & (~own + 1) & dice_(), 0, w);
    } else if (how < 38) {
      request(BarrierOp::Join, some);
    } else if (how < 58) {
      request(BarrierOp::Wait, dice_.below(4) == 0 ? some : own);
    } else if (how < 62) {
      request(BarrierOp::Cancel, some);
    } else if (how < 75) {
      request(BarrierOp::Yield, some);
    } else if (how < 79) {
      const std::uint64_t named = dice_.below(3) == 0 ? dice_() & Shape::AllLanes : dice_.below(2) == 0 ? own : some;
      request(BarrierOp::Sync, some, some | named);
    } else if (how < 81) {
      request(BarrierOp::Save, some);
    } else if (how < 83) {
      request(BarrierOp::Restore, some, dice_() & Shape::AllLanes);
    } else if (how < 86) {
      request(BarrierOp::Copy, some);
    } else if (how < 88) {
      request(BarrierOp::Take, some);
    } else if (how < 91) {
      request(BarrierOp::Arrive, some, dice_.below(Shape::Lanes) & Shape::AllLanes);
    } else if (how < 94) {
      request(BarrierOp::Jump, some);
    } else if (how < 96) {
      request(BarrierOp::Park, some);
    } else {
      request(BarrierOp::Switch, some);
    }
  }

  /// Even lanes join one barrier, odd ones another, lane 0 both; all wait but lane 0, which leaves or yields.
  void towards_two_barriers(Inputs& in, unsigned w, std::uint64_t own) {
    const Model& m = model_[w];
    const std::uint64_t side[] = {0x5555555555555555ULL, 0xAAAAAAAAAAAAAAAAULL};
    for (unsigned k = 0; k < std::min(Shape::Barriers, 2U); ++k) {
      const std::uint64_t missing = own & (side[k] | 1) & ~to_mask(m.participants(k));
      if (missing != 0) {
        in.request = request_of(BarrierOp::Join, missing, k, 0, 0, w);
        return;
      }
    }
    if (own != 1) {
      const std::uint64_t apart = (own & 1) != 0 ? 1 : own & side[1];
      if (apart != 0 && apart != own) {
        in.resolve = resolve_of(ResolveOp::Branch, apart, any_pc(), w);
      } else {
        in.request = request_of(BarrierOp::Wait, own, apart == 0 || Shape::Barriers == 1 ? 0 : 1, 0, 0, w);
      }
    } else if (to_mask(m.lanes_in(State::Ready)) != own) {
      in.request = request_of(BarrierOp::Switch, own, 0, 0, 0, w);
    } else if (dice_.below(4) == 0) {
      in.resolve = resolve_of(ResolveOp::Exit, own, 0, w);
    } else {
      in.request = request_of(BarrierOp::Yield, own, 0, 0, 0, w);
    }
  }

  /// Any requests: mostly of paths that are there.
  void any_step() {
    Inputs in;
    in.held.left = dice_() & dice_();
    in.held.right = dice_();
    in.busy = busy_now_ = dice_.below(8) == 0 ? dice_() & ((std::uint64_t(2) << (Shape::Warps - 1)) - 1) : busy_now_;
    for (std::uint64_t& target : in.targets) target = any_pc();
    const auto any_warp = [&] {
      unsigned w = dice_.below(1U << Flow::WarpBits);
      for (unsigned i = 0; i < 6 && dice_.below(16) != 0 && (w >= Shape::Warps || model_[w].picked().empty()); ++i) {
        w = dice_.below(1U << Flow::WarpBits);
      }
      return w;
    };
    if (dice_.below(2) == 0) {
      in.grant = grant_of(any_warp());
      in.grant.right = dice_.below(32) == 0;
    }
    if (dice_.below(3) != 0) {
      const unsigned w = any_warp();
      if (dice_.below(2) == 0 && in.grant.warp == w) in.grant.valid = 0;
      const std::uint64_t own = w < Shape::Warps ? to_mask(model_[w].picked()) : 0;
      if (own == 0 && dice_.below(2) == 0) {
        in.resolve = resolve_of(ResolveOp::Launch, dice_(), any_pc(), w);
      } else if (w < Shape::Warps) {
        execute(in, w);
      } else {
        in.request = request_of(BarrierOp(dice_.below(16)), dice_(), dice_(), dice_(), dice_(), w);
      }
      if (dice_.below(12) == 0)
        in.request = request_of(BarrierOp(dice_.below(16)), dice_() & own, dice_(), dice_(), dice_(), w);
      if (dice_.below(24) == 0) in.resolve = resolve_of(ResolveOp(dice_.below(8)), dice_() & own, any_pc(), w);
      if (dice_.below(32) == 0) in.request.lanes = dice_();
      if (dice_.below(8) == 0) in.request.value = dice_();
      if (dice_.below(32) == 0) in.resolve.lanes = dice_();
      if (dice_.below(16) == 0 && w < Shape::Warps) in.request = request_of(BarrierOp::Open, 0, 0, 0, 0, w);
    }
    step(in);
  }

  sc_core::sc_signal<Grant> grant_{"grant"};
  sc_core::sc_signal<Slots> held_{"held"};
  sc_core::sc_signal<Resolve> resolve_{"resolve"};
  sc_core::sc_signal<Request> request_{"request"};
  sc_core::sc_vector<sc_core::sc_signal<Pc>> targets_{"targets", Shape::Lanes};
  sc_core::sc_signal<sc_uint<Shape::Warps>> busy_{"busy"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Shape::Warps}, right_{"right", Shape::Warps};
  sc_core::sc_vector<sc_core::sc_signal<Count>> depth_{"depth", Shape::Warps};
  sc_core::sc_signal<Status> status_{"status"};
  sc_core::sc_signal<Answer> answer_{"answer"};
  sc_core::sc_signal<Release> release_{"release"};
  sc_core::sc_signal<bool> idle_{"idle"};
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;

  std::vector<Model> model_;
  std::vector<Path> expected_left_;
  std::uint64_t expected_depth_ = 0, valid_ = 0;
  Status expected_status_;
  Answer expected_answer_, counted_;  ///< counted_: of the cycle after the next edge
  Release expected_release_;
  std::set<unsigned> touched_;  ///< warps that the edge touched
  unsigned last_ = 0;
  int hand_ = -1;  ///< the warp that is being settled, -1: none; and how many edges it still takes
  unsigned cycles_in_hand_ = 0;
  unsigned long illegal_ = 0, operations_ = 0;  ///< operations: legal ones that change the state of a warp
  int exited_ = -1;                             ///< warp of the last exit beside blocked threads

  static constexpr bool Compares = Shape::Policy == Picker::Largest || Shape::Policy == Picker::LowestPc;
  /// Every warp settled, stuck, released, and settled again.
  static constexpr unsigned Quiet = 3 * Shape::Warps * (Compares ? 2 + 2 * Shape::Lanes : 3) + 4;
  IdleCheck idle_check_{Quiet};

  Dice dice_;
  std::vector<unsigned> pending_;  ///< cycles until the control instruction of the warp executes, plus one; 0: none
  std::uint64_t busy_now_ = 0;
  Mood mood_ = Mood::Anything;
  const PcPlaces places_{Shape::PcBits};
  std::uint64_t base_ = 0;  ///< of the PCs of a run
};

}  // namespace heddle::bench
