// SPDX-License-Identifier: Apache-2.0
// The worked examples of the convergence barriers: programs by hand on warp 0, whose conditions are given for each
// lane. PCs, block contents and conditions are ours; the barriers and where they stand are the text's.
#pragma once

#include <functional>

#include "tb/convergence_barrier/convergence_barrier_bench.h"

namespace heddle::bench {

/// What the threads do in a program: by lane and PC.
struct Behaviour {
  using Condition = std::function<bool(unsigned lane, std::uint64_t pc)>;
  Condition taken = [](unsigned, std::uint64_t) { return false; };  ///< of a branch or an exit
  Condition does = [](unsigned, std::uint64_t) { return true; };    ///< of a barrier operation
  std::function<std::uint64_t(unsigned lane)> target = [](unsigned) { return 0; };
  std::function<void(std::uint64_t pc, std::uint64_t lanes)> issued = [](std::uint64_t, std::uint64_t) {};
};

template <class Shape, class Core>
class ConvergenceBarrierCases : public ConvergenceBarrierBench<Shape, Core> {
  using Base = ConvergenceBarrierBench<Shape, Core>;
  using State = typename Base::State;
  using Inputs = typename Base::Inputs;
  using Base::answered, Base::check, Base::expect_refused, Base::grant_of, Base::idle, Base::model, Base::releases,
      Base::request_of, Base::resolve_of, Base::start, Base::step;
  static constexpr std::uint64_t Four = 15;
  static constexpr unsigned Limit = 3000;  // cycles: the watchdog

 public:
  explicit ConvergenceBarrierCases(const Options& options) : Base(options) {}

  std::vector<Case> cases() override {
    if (Shape::Lanes < 4 || Shape::Barriers < 3) return {};
    std::vector<Case> all{
        {"if_else", "SR sec. 2", "both sides meet at the BSYNC", [this] { if_else(); }},
        {"loop", "SR sec. 2", "lanes leave a loop one by one and go on together", [this] { loop(); }},
        {"break_two", "SR sec. 2", "BREAK out of two nested regions", [this] { break_two(); }},
        {"sr_fig4d", "SR Fig. 4(d)", "four iterations' Expensive runs once, with all lanes", [this] { fig4d(); }},
        {"sr_fig5b", "SR Fig. 5(b)", "static deconfliction: the barrier at the post-dominator is gone",
         [this] { fig5(Conflict::Deleted); }},
        {"sr_fig5c", "SR Fig. 5(c)", "dynamic deconfliction: who waits for b0 leaves b1",
         [this] { fig5(Conflict::Left); }},
        {"misplaced", "SR Fig. 5(a)", "the conflict as it is: costs releases, and does not hang",
         [this] { fig5(Conflict::Kept); }},
        {"spin_lock", "DESIGN 6.8", "YIELD on the back edge lets the lock's holder through", [this] { spin_lock(); },
         spin_lock_names()},
        {"spin_lock_release", "DESIGN 6.8", "without it, the losers wait for the holder: a release each time",
         [this] { spin_lock_release(); }},
        {"spin_lock_hot", "ours", "without it, and without a wait in the loop: the losers are always ready",
         [this] { spin_lock_hot(); }},
        {"call_depths", "ours", "one register at two call depths, saved and restored", [this] { call_depths(); }},
        {"returns", "DESIGN 6.8", "RET: each lane has its own target", [this] { returns(); }},
        {"sync", "DESIGN 6.8", "masks of .sync: exact, one after the other, never broken", [this] { sync(); }},
        {"cta_barrier", "DESIGN 6.8", "lanes at a CTA barrier wait as long as it takes", [this] { cta_barrier(); }},
        {"busy", "DESIGN 6.8", "no release while something of the warp is on its way", [this] { busy(); }},
        {"patience", "ours", "a yielded lane comes back although the others never stop", [this] { patience(); }},
        {"waiting", "ours", "how many picks a lane may wait, with all others against it", [this] { waiting(); }},
        {"restore", "DESIGN 6.8", "lanes that exited do not come back with a saved register", [this] { restore(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
    if (Shape::Lanes >= 16 && Shape::Barriers == 16) {
      all.push_back({"sr_fig6", "SR Fig. 6", "soft barrier: groups of more than the threshold", [this] { fig6(); }});
      all.push_back({"sixteen", "DESIGN 6.8", "sixteen live barriers, nested", [this] { sixteen(); }});
    }
    return all;
  }

 private:
  // ---- the machine: one warp, one instruction at a time ----
  void launch(std::uint64_t lanes, std::uint64_t pc = 0) {
    Inputs in;
    in.resolve = resolve_of(ResolveOp::Launch, lanes, pc);
    step(in);
  }
  /// The instruction at the head issues, and executes two cycles later.
  void hold() {
    Inputs in;
    in.grant = grant_of();
    in.held.left = 1;
    step(in);
    idle();
  }
  void operate(BarrierOp op, std::uint64_t lanes, unsigned index = 0, unsigned source = 0, std::uint64_t value = 0) {
    hold();
    Inputs in;
    in.request = request_of(op, lanes, index, source, value);
    step(in);
    if (op == BarrierOp::Save || op == BarrierOp::Arrive) idle();  // counted
  }
  /// Until somebody is picked, or nobody can be.
  void settled() {
    unsigned cycles = 0;
    do { idle(); } while (model().need() != Base::Model::Need::Nothing && ++cycles < Limit);
  }
  void branch(std::uint64_t taken, std::uint64_t target) {
    hold();
    Inputs in;
    in.resolve = resolve_of(ResolveOp::Branch, taken, target);
    step(in);
  }
  void leave(std::uint64_t lanes) {
    hold();
    Inputs in;
    in.resolve = resolve_of(ResolveOp::Exit, lanes, 0);
    step(in);
  }
  std::uint64_t picked() const { return to_mask(model().picked()); }
  std::uint64_t in(State state) const { return to_mask(model().lanes_in(state)); }
  void expect_picked(const char* when, std::uint64_t pc, std::uint64_t lanes) {
    check.equal(when, fmt::format("{}:{}", model().pc(), digits(picked(), 4)),
                fmt::format("{}:{}", pc, digits(lanes, 4)));
  }

  /// Runs warp 0 from PC 0 until it is done; false when the watchdog ends it.
  bool run(const BarrierProgram& program, const Behaviour& behaviour, std::uint64_t lanes = Four,
           unsigned limit = Limit) {
    start();
    launch(lanes);
    issues_.clear();
    cycles_ = 0;
    const unsigned long from = check.cycle;
    while (model().alive() && check.cycle < from + limit) advance(program, behaviour);
    cycles_ = check.cycle - from;
    return !model().alive();
  }

  void advance(const BarrierProgram& program, const Behaviour& behaviour) {
    using Kind = Instruction::Kind;
    const std::uint64_t own = picked(), pc = model().pc();
    if (own == 0) return idle();
    const Instruction& i = program.at(pc);
    issues_.push_back({pc, own});
    behaviour.issued(pc, own);
    if (i.kind == Kind::Plain) {
      Inputs in;
      in.grant = grant_of();
      return step(in);
    }
    const auto& condition = i.kind == Kind::Barrier ? behaviour.does : behaviour.taken;
    std::uint64_t some = 0;
    for (const unsigned l : model().picked()) {
      if (i.always || condition(l, pc)) some |= std::uint64_t(1) << l;
    }
    hold();
    Inputs in;
    if (i.kind == Kind::Branch) in.resolve = resolve_of(ResolveOp::Branch, some, i.target);
    if (i.kind == Kind::Exit) in.resolve = resolve_of(ResolveOp::Exit, some, 0);
    if (i.kind == Kind::Barrier) in.request = request_of(i.op, some, i.index, i.source, i.value);
    for (unsigned l = 0; l < Shape::Lanes; ++l) in.targets[l] = behaviour.target(l);
    step(in);
    if (i.op == BarrierOp::Arrive) {
      idle();  // counted
      for (const unsigned l : to_lanes(some)) passed_[l] = answered().passed != 0;
    }
  }

  /// The groups that issued this instruction, in their order.
  std::vector<std::uint64_t> groups(std::uint64_t pc) const {
    std::vector<std::uint64_t> masks;
    for (const auto& [at, lanes] : issues_) {
      if (at == pc) masks.push_back(lanes);
    }
    return masks;
  }
  static std::string text(std::vector<std::uint64_t> masks, unsigned count) {
    std::string all;
    for (const std::uint64_t mask : masks) all += digits(mask, count) + ' ';
    return all;
  }
  void expect_groups(const char* what, std::uint64_t pc, const std::string& expected, unsigned count = 4) {
    check.equal(what, text(groups(pc), count), expected);
  }
  void expect_done(const char* what, bool done, unsigned released) {
    check.is_true(what, done);
    check.equal("releases", releases(), released);
  }
  /// How often each lane has issued this instruction.
  unsigned times(std::uint64_t pc, unsigned lane) const {
    unsigned n = 0;
    for (const std::uint64_t mask : groups(pc)) n += unsigned(mask >> lane & 1);
    return n;
  }

  // ---- structured control flow ----
  void if_else() {
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, 0);
    const std::uint64_t split = p.branch("BB0", 0, 0);
    const std::uint64_t other = p.plain("BB1", 2);
    const std::uint64_t over = p.jump("BB1", 0);
    const std::uint64_t taken = p.plain("BB2");
    const std::uint64_t meet = p.barrier("BB3", BarrierOp::Wait, 0);
    const std::uint64_t after = p.plain("BB3");
    p.leave("BB3");
    p.at(split).target = taken;
    p.at(over).target = meet;
    Behaviour b;
    b.taken = [](unsigned lane, std::uint64_t) { return lane < 2; };
    expect_done("the warp ends", run(p, b), 0);
    expect_groups("not taken", other, "0011 ");
    expect_groups("taken", taken, "1100 ");
    expect_groups("together again", after, "1111 ");
  }

  void loop() {
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, 0);
    const std::uint64_t head = p.plain("BB1");
    p.branch("BB1", head, 0);
    p.barrier("BB2", BarrierOp::Wait, 0);
    const std::uint64_t after = p.plain("BB2");
    p.leave("BB2");
    std::map<unsigned, unsigned> trips;
    Behaviour b;
    b.taken = [&](unsigned lane, std::uint64_t) { return trips[lane]++ < lane; };
    expect_done("the warp ends", run(p, b), 0);
    expect_groups("lane l makes l+1 trips", head, "1111 0111 0011 0001 ");
    expect_groups("together again", after, "1111 ");
  }

  /// b2 around everything, b0 the outer region, b1 the inner one; lanes 2 and 3 leave both from inside.
  void break_two() {
    BarrierProgram p;
    for (const unsigned k : {2U, 0U, 1U}) p.barrier("BB0", BarrierOp::Join, k);
    const std::uint64_t split = p.branch("BB1", 0, 0);
    p.plain("BB2");
    p.barrier("BB3", BarrierOp::Wait, 1);
    const std::uint64_t inner = p.plain("BB3");
    p.barrier("BB4", BarrierOp::Wait, 0);
    const std::uint64_t outer = p.plain("BB4");
    const std::uint64_t over = p.jump("BB4", 0);
    const std::uint64_t out = p.barrier("BB5", BarrierOp::Cancel, 1);
    p.barrier("BB5", BarrierOp::Cancel, 0);
    const std::uint64_t last = p.barrier("BB6", BarrierOp::Wait, 2);
    const std::uint64_t after = p.plain("BB6");
    p.leave("BB6");
    p.at(split).target = out;
    p.at(over).target = last;
    Behaviour b;
    b.taken = [](unsigned lane, std::uint64_t) { return lane >= 2; };
    expect_done("the warp ends", run(p, b), 0);
    expect_groups("who stays meets without the others", inner, "1100 ");
    expect_groups("and again", outer, "1100 ");
    expect_groups("all meet at the end", after, "1111 ");
  }

  // ---- SR Listing 1: for (i = 0; i < 4; i++) { Prolog; if (cond) { L1: Expensive } Epilog } ----
  enum class Conflict { Deleted, Left, Kept };

  /// \param conflict  what becomes of the barrier that meets at the post-dominator, b2 here
  void fig5(Conflict conflict) {
    listing1(conflict);
    if (conflict == Conflict::Kept) {
      check.is_true("the warp ends", done_);
      check.is_true("somebody had to be released", releases() > 0);
      check.is_true("Expensive runs more than once", groups(expensive_).size() > 1);
    } else {
      expect_done("the warp ends", done_, 0);
      expect_groups("Expensive", expensive_, "1111 ");
    }
    for (unsigned l = 0; l < 4; ++l) check.equal("Expensive, each lane", times(expensive_, l), 1U);
    expect_groups("together at the region's end", after_, "1111 ");
  }

  void fig4d() {
    listing1(Conflict::Deleted);
    expect_done("the warp ends", done_, 0);
    expect_groups("Expensive runs convergently", expensive_, "1111 ");
    expect_groups("the region's own barrier, b1", after_, "1111 ");
    for (unsigned l = 0; l < 4; ++l) check.equal("Epilog, each lane", times(epilog_, l), 4U);
  }

  /// Lane l takes the branch in iteration l alone.
  void listing1(Conflict conflict) {
    constexpr unsigned B0 = 0, B1 = 1, B2 = 2;
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, B0);
    p.barrier("BB0", BarrierOp::Join, B1);
    const std::uint64_t head = p.branch("BB1", 0, 0);
    if (conflict != Conflict::Deleted) p.barrier("BB2", BarrierOp::Join, B2);
    p.plain("BB2");  // Prolog
    const std::uint64_t skip = p.branch("BB2", 0, 0);
    if (conflict == Conflict::Left) p.barrier("BB3", BarrierOp::Cancel, B2);
    p.barrier("BB3", BarrierOp::Wait, B0);
    p.barrier("BB3", BarrierOp::Join, B0);  // RejoinBarrier
    expensive_ = p.plain("BB3", 4);
    const std::uint64_t pdom = p.size();
    if (conflict != Conflict::Deleted) p.barrier("BB4", BarrierOp::Wait, B2);
    epilog_ = p.plain("BB4");
    p.jump("BB4", head);
    const std::uint64_t out = p.barrier("BB5", BarrierOp::Cancel, B0);
    p.barrier("BB5", BarrierOp::Wait, B1);
    after_ = p.plain("BB5");
    p.leave("BB5");
    p.at(head).target = out;
    p.at(skip).target = pdom;
    std::map<unsigned, unsigned> entered;
    Behaviour b;
    b.taken = [&](unsigned lane, std::uint64_t pc) {
      if (pc == head) return entered[lane]++ == 4;
      return entered[lane] - 1 != lane;
    };
    done_ = run(p, b);
  }

  // ---- SR Fig. 6: b0 bAll, b1 bTemp, b2 bCount, b3 bPdom; eight lanes ----
  /// The groups in which Expensive runs; lane l takes the branch in iteration l, when it does at all.
  std::vector<std::uint64_t> soft(unsigned threshold, const std::function<bool(unsigned)>& takes) {
    constexpr unsigned All = 0, Temp = 1, Counted = 2, Pdom = 3;
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, All);
    p.barrier("BB0", BarrierOp::Copy, Temp, All);
    const std::uint64_t head = p.branch("BB1", 0, 0);
    p.barrier("BB2", BarrierOp::Join, Pdom);
    const std::uint64_t skip = p.branch("BB2", 0, 0);
    p.barrier("BB3", BarrierOp::Arrive, Counted, 0, threshold);
    const std::uint64_t enough = p.branch("BB3", 0, 0);
    p.barrier("BB4", BarrierOp::Cancel, Pdom);  // wait for the threshold
    const std::uint64_t waits = p.jump("BB4", 0);
    const std::uint64_t clear = p.barrier("BB5", BarrierOp::Take, Temp, Counted);  // clear the soft barrier
    const std::uint64_t converge = p.barrier("BB6", BarrierOp::Wait, Temp);
    p.barrier("BB6", BarrierOp::Copy, Temp, All);
    expensive_ = p.plain("BB6");
    const std::uint64_t pdom = p.barrier("BB7", BarrierOp::Wait, Pdom);
    epilog_ = p.plain("BB7");
    p.jump("BB7", head);
    const std::uint64_t out = p.barrier("BB8", BarrierOp::Cancel, Temp);
    p.barrier("BB8", BarrierOp::Cancel, All);
    p.leave("BB8");
    p.at(head).target = out;
    p.at(skip).target = pdom;
    p.at(enough).target = clear;
    p.at(waits).target = converge;
    std::map<unsigned, unsigned> entered;
    Behaviour b;
    b.taken = [&](unsigned lane, std::uint64_t pc) {
      if (pc == head) return entered[lane]++ == 8;
      if (pc == skip) return entered[lane] - 1 != lane || !takes(lane);
      return pc == enough && passed_[lane];
    };
    expect_done("the warp ends", run(p, b, 255), 0);
    for (unsigned l = 0; l < 8; ++l) check.equal("Epilog, each lane", times(epilog_, l), 8U);
    return groups(expensive_);
  }

  void fig6() {
    const auto all = [](unsigned) { return true; };
    check.equal("threshold 0 never waits", soft(0, all).size(), std::size_t(8));
    check.equal("threshold 3: four at a time", text(soft(3, all), 8), std::string("11110000 00001111 "));
    check.equal("threshold 31: a full barrier", text(soft(31, all), 8), std::string("11111111 "));
    check.equal("not satisfiable: they go when the others have left the loop",
                text(soft(3, [](unsigned lane) { return lane == 2 || lane == 5; }), 8), std::string("00100100 "));
  }

  // ---- a spin lock inside a warp ----
  struct Lock {
    int holder = -1;
    std::set<unsigned> got;
    unsigned entered = 0;
    bool exclusive = true;
  };

  /// One lane of the group gets the lock when it is free; who gets through the critical section lets it go.
  Behaviour spinning(Lock& lock, std::uint64_t attempt, std::uint64_t critical, std::uint64_t unlock) {
    Behaviour b;
    b.issued = [&lock, attempt, critical, unlock](std::uint64_t pc, std::uint64_t lanes) {
      if (pc == attempt && lock.holder < 0) {
        lock.holder = static_cast<int>(*to_lanes(lanes).begin());
        lock.got.insert(unsigned(lock.holder));
      }
      if (pc == critical) {
        ++lock.entered;
        lock.exclusive = lock.exclusive && lanes == std::uint64_t(1) << lock.holder;
      }
      if (pc == unlock) lock.holder = -1;
    };
    b.taken = [&lock](unsigned lane, std::uint64_t) { return lock.got.count(lane) != 0; };
    return b;
  }
  void expect_locked(const Lock& lock) {
    check.equal("critical sections", lock.entered, 4U);
    check.is_true("one lane at a time", lock.exclusive);
  }

  void spin_lock() {
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, 0);
    const std::uint64_t attempt = p.plain("BB1");
    const std::uint64_t test = p.branch("BB1", 0, 0);
    p.barrier("BB2", BarrierOp::Yield, 0);
    p.jump("BB2", attempt);
    const std::uint64_t through = p.barrier("BB3", BarrierOp::Wait, 0);
    const std::uint64_t critical = p.plain("BB3");
    const std::uint64_t unlock = p.plain("BB3");
    p.leave("BB3");
    p.at(test).target = through;
    Lock lock;
    expect_done("the warp ends", run(p, spinning(lock, attempt, critical, unlock)), 0);
    expect_locked(lock);
  }

  /// The losers wait for each other in every round, on a barrier that the holder has joined and not left.
  void spin_lock_release() {
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, 0);
    const std::uint64_t head = p.barrier("BB1", BarrierOp::Join, 1);
    const std::uint64_t attempt = p.plain("BB1");
    const std::uint64_t test = p.branch("BB1", 0, 0);
    p.barrier("BB2", BarrierOp::Wait, 1);
    p.jump("BB2", head);
    const std::uint64_t through = p.barrier("BB3", BarrierOp::Wait, 0);
    const std::uint64_t critical = p.plain("BB3");
    const std::uint64_t unlock = p.plain("BB3");
    p.leave("BB3");
    p.at(test).target = through;
    Lock lock;
    check.is_true("the warp ends", run(p, spinning(lock, attempt, critical, unlock)));
    check.is_true("by releases", releases() > 0);
    expect_locked(lock);
  }

  void spin_lock_hot() {
    BarrierProgram p;
    p.barrier("BB0", BarrierOp::Join, 0);
    const std::uint64_t attempt = p.plain("BB1");
    const std::uint64_t test = p.branch("BB1", 0, 0);
    p.jump("BB2", attempt);
    const std::uint64_t through = p.barrier("BB3", BarrierOp::Wait, 0);
    const std::uint64_t critical = p.plain("BB3");
    const std::uint64_t unlock = p.plain("BB3");
    p.leave("BB3");
    p.at(test).target = through;
    Lock lock;
    check.is_true("only the watchdog ends it", !run(p, spinning(lock, attempt, critical, unlock), Four, 500));
    check.equal("somebody is always ready: nobody is released", releases(), 0U);
    check.equal("the holder waits for all", in(State::Blocked), std::uint64_t(1));
    check.equal("critical sections", lock.entered, 0U);
  }

  // ---- the rest ----
  /// Lanes 2 and 3 call once more while 0 and 1 wait at depth 1: the deeper wait completes both, so the lanes of
  /// depth 1 go on early; the restored register makes the others wait for them once more.
  void call_depths() {
    start();
    launch(Four);
    operate(BarrierOp::Join, Four, 0);
    branch(12, 10);  // lanes 2 and 3 call
    settled();
    while (picked() != 3) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Wait, 3, 0);  // depth 1
    settled();
    expect_picked("the callers", 10, 12);
    operate(BarrierOp::Save, 12, 0);
    const std::uint64_t saved = answered().value;
    check.equal("saved", saved, Four);
    operate(BarrierOp::Join, 12, 0);
    operate(BarrierOp::Wait, 12, 0);  // depth 2
    settled();
    check.equal("both depths go on", in(State::Ready), Four);
    while (picked() != 12) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Restore, 12, 0, 0, saved);
    settled();
    check.equal("all are participants again", std::uint64_t(this->dut.participants(0, 0)), Four);
    while (picked() != 12) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Wait, 12, 0);  // depth 1
    settled();
    check.equal("they wait for the early ones", in(State::Blocked), std::uint64_t(12));
    leave(3);
    settled();
    check.equal("whose exit lets them through", in(State::Ready), std::uint64_t(12));
    check.equal("releases", releases(), 0U);
  }

  void returns() {
    BarrierProgram p;
    p.plain("callee");
    const std::uint64_t ret = p.barrier("callee", BarrierOp::Jump, 0);
    const std::uint64_t first = p.plain("caller 1");
    p.leave("caller 1");
    const std::uint64_t second = p.plain("caller 2");
    p.leave("caller 2");
    Behaviour b;
    b.target = [&](unsigned lane) { return lane % 2 == 0 ? second : first; };
    b.does = [&](unsigned lane, std::uint64_t pc) { return pc != ret || lane != 3; };  // its return is predicated off
    expect_done("the warp ends", run(p, b), 0);
    expect_groups("return", ret, "1111 ");
    expect_groups("to the first caller, lane 3 by falling through", first, "0101 ");
    expect_groups("to the second caller", second, "1010 ");
  }

  void sync() {
    start();
    launch(Four);
    branch(10, 0);  // lanes 1 and 3 are at 0, lanes 0 and 2 at 1
    settled();
    while (picked() != 5) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Sync, 1, 0, 0, 3);  // lane 0 waits for lane 1; lane 2 passes
    settled();
    check.equal("lane 0 waits", in(State::Synced), std::uint64_t(1));
    while (picked() != 4) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Sync, 4, 0, 0, 12);
    settled();
    check.equal("another mask in the same register: later, and at the same PC", model().pc_of(2), std::uint64_t(2));
    check.equal("lane 0 alone waits", in(State::Synced), std::uint64_t(1));
    while (picked() != 10) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Sync, 2, 0, 0, 3);
    settled();
    check.equal("lane 1 completes it", in(State::Synced), std::uint64_t(0));
    while ((picked() & 4) == 0) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Sync, 4, 0, 0, 12);
    settled();
    check.equal("now lane 2 has the register", in(State::Synced), std::uint64_t(4));
    // The rest leaves, but lane 3, which waits on a barrier that lane 2 has joined: released; the .sync is not.
    while ((picked() & 8) == 0) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Restore, picked(), 1, 0, 12);
    settled();
    while ((picked() & 8) == 0) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Wait, 8, 1);
    settled();
    while ((picked() & 3) != 0) leave(picked() & 3), settled();
    check.equal("released", releases(), 1U);
    check.equal("the .sync is not broken", in(State::Synced), std::uint64_t(4));
    check.equal("lane 3 goes on", picked(), std::uint64_t(8));
    leave(8);
    settled();
    check.equal("its exit completes the .sync", picked(), std::uint64_t(4));
  }

  void cta_barrier() {
    start();
    launch(Four);
    branch(12, 20);
    settled();
    while (picked() != 3) operate(BarrierOp::Switch, picked()), settled();
    operate(BarrierOp::Park, 3);
    settled();
    check.equal("the others run", picked(), std::uint64_t(12));
    operate(BarrierOp::Park, 12);
    for (unsigned i = 0; i < 40; ++i) idle();
    check.equal("nobody is picked", picked(), std::uint64_t(0));
    check.equal("nobody is released", releases(), 0U);
    Inputs in;
    in.request = request_of(BarrierOp::Open, 0);
    step(in);
    settled();
    check.equal("all are ready", this->in(State::Ready), Four);
    check.is_true("a group is picked", picked() != 0);
  }

  void busy() {
    start();
    launch(Four);
    operate(BarrierOp::Join, Four, 0);
    operate(BarrierOp::Join, Four, 1);
    branch(12, 20);
    settled();
    const std::uint64_t early = picked();
    operate(BarrierOp::Wait, early, early == 3 ? 0 : 1);
    settled();
    const std::uint64_t late = picked();
    hold();
    Inputs in;
    in.request = request_of(BarrierOp::Wait, late, late == 3 ? 0 : 1);
    in.busy = 1;
    step(in);
    Inputs still;
    still.busy = 1;
    for (unsigned i = 0; i < 20; ++i) step(still);
    check.equal("each half waits for the other", this->in(State::Blocked), Four);
    check.equal("but the warp is busy", releases(), 0U);
    settled();
    check.equal("released at once", releases(), 1U);
    check.equal("the half that has waited longer", picked(), early);
    check.equal("the other half waits on", this->in(State::Blocked), late);
  }

  void patience() {
    start();
    launch(Four);
    branch(12, 20);
    settled();
    operate(BarrierOp::Yield, picked());
    settled();
    const std::uint64_t busy = picked(), yielded = in(State::Yielded);
    check.equal("half yields", busy | yielded, Four);
    unsigned picks = 1;
    while (in(State::Yielded) != 0 && picks < 1000) {
      branch(busy, 5);  // round and round
      settled();
      ++picks;
    }
    check.equal("picks until they are back", picks, Shape::Block::Patience + 1);
  }

  /// Lane 3 stands at a high PC, the others go round at lower ones, together: all that a policy may hold against it.
  void waiting() {
    const unsigned bound = Shape::Block::Ages ? Shape::Block::Fair * Shape::Lanes : Shape::Lanes;
    start();
    launch(Shape::AllLanes);
    unsigned most = 0, waited = 0;
    std::uint64_t others = 0;
    branch(8, 100);
    settled();
    for (unsigned i = 0; i < 40 * Shape::Lanes; ++i) {
      const std::uint64_t own = picked();
      waited = (own & 8) != 0 ? 0 : waited + 1;
      most = std::max(most, waited);
      // Lane 3 stays where it is; each of the others to a PC of its own, or all to one.
      if ((own & 8) != 0) {
        operate(BarrierOp::Switch, own);
      } else {
        hold();
        Inputs in;
        in.request = request_of(BarrierOp::Jump, own);
        const bool apart = Shape::Policy != Picker::Largest;
        for (unsigned l = 0; l < Shape::Lanes; ++l) in.targets[l] = apart ? l : 1;
        step(in);
        others |= own;
      }
      settled();
    }
    check.is_true("the others ran", others != 0);
    check.is_true("within the bound", most < bound);
    if (Shape::Policy == Picker::Oldest || Shape::Policy == Picker::RoundRobin || Shape::Policy == Picker::LowestPc) {
      check.is_true("and near it", 2 * most > bound / (Shape::Block::Ages ? Shape::Block::Fair : 1));
    }
  }

  void restore() {
    start();
    launch(Four);
    operate(BarrierOp::Join, Four, 1);
    operate(BarrierOp::Save, Four, 1);
    check.equal("saved", std::uint64_t(answered().value), Four);
    leave(1);
    settled();
    check.equal("exit leaves all", std::uint64_t(this->dut.participants(0, 1)), std::uint64_t(14));
    operate(BarrierOp::Restore, 14, 0, 0, Four);
    settled();
    check.equal("restored", std::uint64_t(this->dut.participants(0, 0)), std::uint64_t(14));
    operate(BarrierOp::Take, 14, 2, 1);
    settled();
    check.equal("taken", std::uint64_t(this->dut.participants(0, 2)), std::uint64_t(14));
    check.equal("emptied", std::uint64_t(this->dut.participants(0, 1)), std::uint64_t(0));
  }

  /// Lane k leaves at level k; when the others are inside, all sixteen registers have participants.
  void sixteen() {
    BarrierProgram p;
    std::uint64_t split[16];
    for (unsigned k = 0; k < 16; ++k) {
      p.barrier("", BarrierOp::Join, k);
      split[k] = p.branch("", 0, 0);
    }
    const std::uint64_t inside = p.plain("");
    for (unsigned k = 16; k-- > 0;) p.at(split[k]).target = p.barrier("", BarrierOp::Wait, k);
    const std::uint64_t after = p.plain("");
    p.leave("");
    unsigned most = 0;
    Behaviour b;
    b.taken = [&](unsigned lane, std::uint64_t pc) { return pc == split[lane % 16] && lane < 16; };
    b.issued = [&](std::uint64_t pc, std::uint64_t) {
      unsigned used = 0;
      for (unsigned k = 0; k < 16; ++k) used += model().participants(k).empty() ? 0 : 1;
      if (pc == inside) most = used;
    };
    expect_done("the warp ends", run(p, b, Shape::AllLanes), 0);
    check.equal("live barriers", most, 16U);
    check.equal("together at the end", text(groups(after), Shape::Lanes), text({Shape::AllLanes}, Shape::Lanes));
  }

  void illegal() {
    start();
    launch(7);
    operate(BarrierOp::Join, 7, 0);
    const auto refused = [&](const char* what, const Grant& grant, const Resolve& resolve, const Request& request) {
      Inputs in;
      in.grant = grant;
      in.resolve = resolve;
      in.request = request;
      expect_refused(what, in);
      expect_picked("refused", 1, 7);
    };
    using Op = BarrierOp;
    refused("launch of a running warp", {}, resolve_of(ResolveOp::Launch, 1, 0), {});
    refused("launch without lanes", {}, resolve_of(ResolveOp::Launch, 0, 0, Shape::Warps - 1), {});
    refused("grant of no path", grant_of(Shape::Warps - 1), {}, {});
    Grant right = grant_of();
    right.right = 1;
    refused("grant of a right path", right, {}, {});
    refused("taken lanes of others", {}, resolve_of(ResolveOp::Branch, 8, 5), {});
    refused("leaving lanes of others", {}, resolve_of(ResolveOp::Exit, 9, 0), {});
    refused("call", {}, resolve_of(ResolveOp::Call, 7, 5), {});
    refused("operation of others", {}, {}, request_of(Op::Wait, 8));
    refused("operation of no path", {}, {}, request_of(Op::Join, 0, 0, 0, 0, Shape::Warps - 1));
    refused("no such operation", {}, {}, request_of(BarrierOp(15), 7));
    refused("a .sync that does not name its own lane", {}, {}, request_of(Op::Sync, 7, 0, 0, 3));
    if (Shape::Barriers < 16) {
      refused("no such register", {}, {}, request_of(Op::Join, 7, Shape::Barriers));
      refused("no such source", {}, {}, request_of(Op::Copy, 7, 0, Shape::Barriers));
    }
    Inputs both;
    both.grant = grant_of();
    both.request = request_of(Op::Wait, 7);
    expect_refused("grant and operation of one path", both);
    expect_picked("the grant is carried out", 2, 7);
    Inputs two;
    two.resolve = resolve_of(ResolveOp::Branch, 7, 9);
    two.request = request_of(Op::Wait, 7);
    expect_refused("a resolve and an operation", two);
    settled();
    expect_picked("the resolve is carried out", 9, 7);
  }

  using Grant = typename Base::Grant;
  using Resolve = typename Base::Resolve;
  using Request = typename Base::Request;

  std::vector<std::pair<std::uint64_t, std::uint64_t>> issues_;  ///< PC and lanes, in their order
  std::map<unsigned, bool> passed_;                              ///< what the last Arrive told a lane
  unsigned long cycles_ = 0;
  bool done_ = false;
  std::uint64_t expensive_ = 0, epilog_ = 0, after_ = 0;
};

}  // namespace heddle::bench
