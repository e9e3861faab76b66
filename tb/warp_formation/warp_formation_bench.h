// SPDX-License-Identifier: Apache-2.0
// Bench of the assembled unit: block and twin in lockstep, and both against the reference model, on every output in
// every cycle; and now and then every entry of the pool and the LUT. Which warp is issued the block says. The bench plays the pipeline.
#pragma once

#include <fmt/format.h>
#include <verilated.h>

#include "rtl/warp_formation/warp_formation.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"
#include "tb/warp_formation/warp_formation_model.h"

namespace heddle::bench {

/// For a shape without a twin.
struct NoTwin {};

template <class Formation, Policy PolicyOf, unsigned SetCount, unsigned SlotCount, bool IsLaneAware, bool IsSwizzled>
struct UnitOf {
  using F = Formation;
  static constexpr Policy Order = PolicyOf;
  static constexpr unsigned Sets = SetCount, Slots = SlotCount;
  static constexpr bool LaneAware = IsLaneAware, Swizzle = IsSwizzled;
  using Block = warp_formation<F, Order, Sets, Slots, LaneAware, Swizzle>;
  static constexpr bool Tables = Order != Policy::TimeStamp;
  /// The table can be full. Least first keeps the counts of post-dominators together: there are never as many of them at
  /// once as the slots of micro07. The room of issue_logic, which makes its data up, covers that.
  static constexpr bool Overflows =
      Tables && SlotCount < F::Threads && (Order != Policy::PostDominatorPriority || SlotCount < 8);
};

template <class Unit, class Core>
class FormationBench : public Bench {
 public:
  using F = typename Unit::F;
  using Model = FormationModel;
  static constexpr unsigned Threads = F::Threads, Lanes = F::Lanes, Warps = F::Warps;
  static constexpr bool HasTwin = !std::is_same_v<Core, NoTwin>;

  explicit FormationBench(const Options& options) : Bench(cover_names()) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.commit_i(commit_s_);
    dut.launch_i(launch_s_);
    dut.release_i(release_s_);
    dut.issued_ready_i(ready_s_);
    dut.commit_ready_o(commit_ready_s_);
    dut.launch_ready_o(launch_ready_s_);
    dut.issued_o(issued_s_);
    dut.status_o(status_s_);
    dut.idle_o(idle_s_);
    for (unsigned l = 0; l < Lanes; ++l) {
      dut.commit_tid_i[l](tid_s_[l]);
      dut.commit_pc_i[l](pc_s_[l]);
      dut.issued_tid_o[l](issued_tid_s_[l]);
    }
    shows("commit_ready_o", commit_ready_s_), shows("launch_ready_o", launch_ready_s_), shows("issued_o", issued_s_);
    shows("issued_tid_o", issued_tid_s_), shows("status_o", status_s_), shows("idle_o", idle_s_);
    if constexpr (HasTwin) {
      if (options.twin) {
        context_ = std::make_unique<VerilatedContext>();
        twin_ = std::make_unique<Core>(context_.get(), "twin");
      }
    }
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice_.seed(seed);
    start();
    for (unsigned long c = 0; c < cycles; ++c) {
      if (c % 800 == 0) {
        if (c != 0 && dice_.below(2) == 0) {
          covers.hit("reset in the middle");
          start();
        }
        new_style();
      }
      play();
    }
    inspect();
  }

 protected:
  struct Launch {
    std::set<unsigned> threads;
    unsigned warp = 0, cta = 0;
    std::uint64_t pc = 0;
  };
  struct Flight {
    FormationWarp warp;
    unsigned long due;
  };

  static FormationShape shape() {
    return {Threads, Lanes, F::PcBits, F::DataBits, Unit::Sets, Unit::LaneAware, Unit::Swizzle};
  }

  static std::vector<std::string> cover_names() {
    std::vector<std::string> names{"update of the pool",
                                   "miss",
                                   "one next PC",
                                   "launch",
                                   "waits at the barrier",
                                   "release of waiting warps",
                                   "release as it commits",
                                   "release as it enters the pool",
                                   "release as it is looked for",
                                   "issued warp stays",
                                   "the pipeline takes nothing",
                                   "threads exit",
                                   "reset in the middle",
                                   "all lanes of a warp issue",
                                   "issue of the warp that would be joined",
                                   "allocate and free in one cycle",
                                   "two updates open two warps",
                                   "data stays at its largest",
                                   "a warp with a miss returns whole",
                                   "rests",
                                   "rests with warps at a barrier",
                                   "a rest ends"};
    const auto also = [&names](bool possible, std::vector<std::string> more) {
      if (possible) names.insert(names.end(), more.begin(), more.end());
    };
    also(Warps > 1, {"lane conflict", "two CTAs at one PC"});
    also(Lanes > 1, {"hit, all join", "two next PCs", "more than two next PCs", "launch waits",
                     "a merge takes the larger data", "lane conflict of some threads", "two updates to one warp",
                     "two updates to one warp, with a conflict", "eviction"});
    also(Unit::Overflows, {"a warp finds no slot"});
    return names;
  }

  // ---- by hand, for the worked examples ----
  void start() {
    rst_n.write(false);
    drive(FormationCommit(), {}, std::nullopt, false);
    for (unsigned i = 0; i < 2; ++i) settle(), eval_twin(false), clock_twin(), edge();
    rst_n.write(true);
    model_ = Model(shape());
    registers_.assign(2, FormationGroup());
    placed_.assign(2, FormationGroup());
    issued_ = FormationWarp();
    held_ = left_ = FormationCommit();
    flights_.clear();
    launching_.reset();
    live_.clear();
    launched_ = false;
    quiet_ = stalled_ = 0;
    check.is_true("idle after reset", idle_s_.read());
  }

  /// One cycle. A commit that is held goes on: `commit` is then not looked at.
  void step(const FormationCommit& commit = {}, const std::optional<Launch>& launch = {},
            const std::optional<unsigned>& release = {}, bool ready = true) {
    if (left_.lanes.empty()) held_ = left_ = commit;
    drive(held_, launch, release, ready);
    settle();
    eval_twin(true);

    // What the model says about this cycle
    typename F::Status status;
    status.used = model_.pool().size();
    status.drain = status_s_.read().drain;  // the table's business
    if constexpr (Unit::Overflows)
      covers.hit("a warp finds no slot", status.drain != 0);
    else if constexpr (!Unit::Tables || Unit::Slots >= Threads)
      check.equal("drain", status.drain, 0U);
    const bool room = ready || issued_.threads.empty();
    covers.hit("issued warp stays", !room);
    covers.hit("the pipeline takes nothing", !ready);
    std::optional<unsigned> chosen;
    const typename F::Issue& issue = dut.issuer.issue_o.read();
    if (issue.valid != 0) {
      const bool can = room && model_.can_go(static_cast<unsigned>(issue.idx));
      check.is_true("the warp that is issued is there, does not wait, and there is room", can);
      if (can) chosen = static_cast<unsigned>(issue.idx);
    }
    // Second stage of the table, current PC, pick: then a warp that can go goes.
    stalled_ = !room || chosen || !model_.any_can_go() ? 0 : stalled_ + 1;
    check.is_true("a warp that can go goes", stalled_ <= 3);
    note_issue(chosen);
    FormationWarp leaving;
    if (chosen) leaving = model_.issue(*chosen);
    std::vector<Model::Entered> entered(2);
    for (unsigned k = 0; k < 2; ++k) {
      if (placed_[k].threads.empty()) continue;
      const std::optional<unsigned> target = model_.target(placed_[k].pc, placed_[k].cta);
      const std::uint64_t data = target ? model_.pool().at(*target).data : 0;
      if constexpr (Warps > 1)
        covers.hit("two CTAs at one PC", k == 1 && placed_[0].threads.size() != 0 && placed_[0].pc == placed_[1].pc &&
                                             placed_[0].cta != placed_[1].cta);
      entered[k] = model_.enter(placed_[k]);
      status.hit[k] = entered[k].hit;
      status.conflict[k] = entered[k].conflict;
      status.evict[k] = entered[k].evict;
      if constexpr (Lanes > 1)
        covers.hit("a merge takes the larger data", entered[k].merged != 0 && placed_[k].data != data);
    }
    note_entered(entered, chosen);
    model_.close();

    // ... about the last stage
    const std::size_t before = left_.lanes.size();
    std::vector<FormationGroup> groups = model_.split(left_);
    const bool launches = groups.size() < 2;
    covers.hit("one next PC", groups.size() == 1);
    if constexpr (Lanes > 1) {
      covers.hit("two next PCs", groups.size() == 2 && left_.lanes.empty());
      covers.hit("more than two next PCs", before != 0 && !left_.lanes.empty());
      covers.hit("launch waits", launch && !launches);
    }
    covers.hit("data stays at its largest", before != 0 && held_.passed && held_.data == limit());
    status.stall = !left_.lanes.empty();
    check.equal("commit_ready_o", commit_ready_s_.read(), left_.lanes.empty());
    check.equal("launch_ready_o", launch_ready_s_.read(), launches);
    check.equal("status_o", status_s_.read(), status);
    compare_twin();
    clock_twin();

    // ... and about the next one
    if (release) note_release(*release, groups, entered);
    groups.resize(2);
    if (launches && launch) {
      covers.hit("launch");
      std::set<unsigned> tids;
      for (const unsigned t : launch->threads) tids.insert(launch->warp * Lanes + t);
      groups[1] = model_.start(tids, launch->cta, launch->pc);
      live_.insert(tids.begin(), tids.end());
    }
    launched_ = launches && launch;
    if (release) {
      model_.release(*release);
      for (std::vector<FormationGroup>* those : {&groups, &registers_}) {
        for (FormationGroup& group : *those) {
          if (group.cta == *release) group.waits = false;
        }
      }
    }
    placed_ = registers_;
    registers_ = groups;
    if (room) issued_ = leaving;

    const bool asked = before != 0 || launch || release;
    const bool rested = idle_s_.read();
    covers.hit("a rest ends", rested && asked);
    Seen were;
    if (rested && !asked) were = seen();
    edge();
    compare_issued();
    compare_twin_issued();
    quiet_ = asked || !ready ? 0 : quiet_ + 1;
    // All warps that can go have gone, what was on its way is in the pool, and the table is in order.
    if (quiet_ > Threads + 2 * Unit::Slots + 13) check.is_true("idle after so long without a request", idle_s_.read());
    if (!were.pool.empty()) {
      covers.hit("rests");
      covers.hit("rests with warps at a barrier", !model_.pool().empty());
      check.is_true("outputs, pool and LUT while idle", seen() == were);
      check.is_true("idle while idle", idle_s_.read());
    }
  }

  /// What can be seen of the unit, for a cycle in which it is idle.
  struct Seen {
    typename F::Issued issued;
    typename F::Status status;
    std::vector<std::uint64_t> tids, pool;
    bool operator==(const Seen& other) const {
      return issued == other.issued && status == other.status && tids == other.tids && pool == other.pool;
    }
  };
  Seen seen() const {
    Seen now{issued_s_.read(), status_s_.read(), {}, {}};
    for (const auto& tid : issued_tid_s_) now.tids.push_back(tid.read());
    for (unsigned i = 0; i < Threads; ++i) {
      const typename F::PoolWarp its = dut.pool.warp_of(i);
      now.pool.insert(now.pool.end(), {dut.pool.pc_of(i).pc, its.lanes, its.data, dut.issuer.entry_of(i).waits});
    }
    for (unsigned e = 0; e < 2 * Unit::Sets; ++e) {
      const auto entry = dut.lut.entry_of(e);
      now.pool.insert(now.pool.end(), {entry.pc, entry.occ, entry.idx});
    }
    return now;
  }
  bool idle_now() const { return idle_s_.read(); }

  FormationCommit commit_of(const FormationWarp& warp, const std::vector<std::uint64_t>& pcs) const {
    FormationCommit commit;
    unsigned n = 0;
    for (const auto& [lane, thread] : warp.threads) commit.lanes[lane] = {thread, pcs[n++ % pcs.size()]};
    commit.cta = warp.cta;
    commit.data = warp.data;
    return commit;
  }

  /// Every entry of the pool and the LUT, and every thread.
  void inspect() {
    const auto& pool = model_.pool();
    std::size_t lut = 0;
    for (unsigned i = 0; i < Threads; ++i) {
      const auto it = pool.find(i);
      typename F::PoolWarp expected;
      typename F::PoolPc pc;
      if (it != pool.end()) {
        pc.pc = it->second.pc;
        pc.cta = it->second.cta;
        expected.data = it->second.data;
        expected.lanes = mask_of(it->second.threads);
        for (const auto& [lane, thread] : it->second.threads)
          check.equal("thread of a pool entry", dut.pool.tid_of(i, lane), thread);
      }
      check.equal("pool entry", dut.pool.warp_of(i), expected);
      check.equal("its PC and CTA", dut.pool.pc_of(i), pc);
    }
    for (unsigned e = 0; e < 2 * Unit::Sets; ++e) {
      const auto entry = dut.lut.entry_of(e);
      if (entry.occ == 0) continue;
      ++lut;
      const std::optional<unsigned> target = model_.target(entry.pc, entry.cta);
      check.is_true("a LUT entry points at a warp", target.has_value());
      if (!target) continue;
      check.equal("IDX", unsigned(entry.idx), *target);
      check.equal("OCC are the lanes of the warp", std::uint64_t(entry.occ), mask_of(pool.at(*target).threads));
      check.equal("data are those of the warp", std::uint64_t(entry.data), pool.at(*target).data);
    }
    check.equal("LUT entries", lut, model_.targets());
    // A thread is in one place.
    std::vector<unsigned> places(Threads);
    const auto here = [&places](const Seats& seats) {
      for (const auto& seat : seats) ++places[seat.second];
    };
    for (const auto& warp : pool) here(warp.second.threads);
    for (const auto& group : registers_) here(group.threads);
    for (const auto& group : placed_) here(group.threads);
    here(issued_.threads);
    for (const Flight& flight : flights_) here(flight.warp.threads);
    for (const auto& lane : left_.lanes) ++places[lane.second.first];
    for (unsigned t = 0; t < Threads; ++t) { check.equal("places of a thread", places[t], unsigned(live_.count(t))); }
  }

  static std::uint64_t mask_of(const Seats& seats) {
    std::uint64_t mask = 0;
    for (const auto& seat : seats) mask |= std::uint64_t(1) << seat.first;
    return mask;
  }

  static Launch launch_of(unsigned warp, const std::set<unsigned>& threads, std::uint64_t pc, unsigned cta = 0) {
    Launch launch;
    launch.threads = threads;
    launch.warp = warp;
    launch.cta = cta;
    launch.pc = pc;
    return launch;
  }
  /// Starts threads of a warp slot by hand.
  void start_warp(unsigned warp, const std::set<unsigned>& threads, std::uint64_t pc = 0, unsigned cta = 0) {
    const Launch launch = launch_of(warp, threads, pc, cta);
    step({}, launch, {}, false);
    check.is_true("the launch is taken", launched_);
  }
  /// Takes the warp out of issued_o, into the hands of the case.
  FormationWarp take() {
    const FormationWarp warp = issued_;
    idle(1, true);
    return warp;
  }
  /// A warp that the case had taken commits.
  void commit(const FormationCommit& commit, const std::optional<Launch>& launch = {}, bool ready = false) {
    for (const auto& lane : commit.lanes) forget(lane.second.first);
    if (ready) hold(issued_);
    step(commit, launch, {}, ready);
  }
  void idle(unsigned n = 1, bool ready = false) {
    for (unsigned i = 0; i < n; ++i) {
      if (ready) hold(issued_);
      step({}, {}, {}, ready);
    }
  }
  /// A warp that the pipeline takes stays in the hands of the case.
  void hold(const FormationWarp& warp) {
    if (!warp.threads.empty()) flights_.push_back({warp, 0});
  }
  /// Threads of these lanes exit.
  void leave(const FormationWarp& warp, const std::set<unsigned>& lanes) {
    for (const auto& [lane, thread] : warp.threads) {
      if (lanes.count(lane) == 0) continue;
      forget(thread);
      live_.erase(thread);
    }
  }
  /// In the cycle after a stall the held warp is gone; returns how often that was refused. Then the unit must be reset.
  unsigned long break_held() {
    tolerate("warp_formation/illegal");
    const unsigned long before = errors("warp_formation/illegal");
    drive({}, {}, {}, true);
    cycle();
    return errors("warp_formation/illegal") - before;
  }
  void forget(unsigned thread) {
    for (Flight& flight : flights_) {
      for (auto it = flight.warp.threads.begin(); it != flight.warp.threads.end(); ++it) {
        if (it->second == thread) {
          flight.warp.threads.erase(it);
          break;
        }
      }
    }
  }

  typename Unit::Block dut{"dut"};

  Model& model() { return model_; }
  const FormationWarp& issued() const { return issued_; }
  const std::vector<FormationGroup>& registers() const { return registers_; }
  static std::uint64_t limit() { return ~std::uint64_t(0) >> (64 - F::DataBits); }
  static std::uint64_t last_pc() { return ~std::uint64_t(0) >> (64 - F::PcBits); }
  bool stalls() const { return !left_.lanes.empty(); }

  void tolerate(const std::string& error) {
    expect_errors(error);
    if constexpr (HasTwin) {
      if (context_) context_->assertOn(false);
    }
  }

  // ---- random traffic ----
  /// One cycle of the pipeline that the bench plays: what is issued commits some cycles later, warps with a miss much
  /// later.
  void play() {
    ++now_;
    FormationCommit commit;
    if (left_.lanes.empty() && !style_.rests) commit = next_commit();
    if (!launching_ && !style_.rests) launching_ = next_launch();
    std::optional<unsigned> release;
    if (!style_.rests && dice_.below(style_.release) == 0) release = dice_.below(style_.ctas);
    const bool ready = style_.rests || dice_.below(100) < style_.ready;
    const FormationWarp out = issued_;
    step(commit, launching_, release, ready);
    if (launched_) launching_.reset();
    if (ready && !out.threads.empty()) {
      const bool miss = dice_.below(20) == 0;
      flights_.push_back({out, now_ + 1 + dice_.below(style_.latency) + (miss ? 30 : 0)});
      covers.hit("a warp with a miss returns whole", miss);
    }
    if (now_ % 16 == 0) inspect();
  }

 private:
  struct Style {
    unsigned kind = 0, latency = 4, ctas = 1, ready = 90, release = 40, barrier = 30, exit = 300;
    std::uint64_t span = 16;
    bool rests = false;  ///< nothing commits, starts or is released
  };

  void new_style() {
    style_ = Style();
    style_.kind = dice_.below(6);
    style_.rests = dice_.below(6) == 0;
    style_.latency = 1 + dice_.below(8);
    style_.ctas = 1 + dice_.below(std::min(F::Ctas, 3U));
    style_.ready = dice_.below(4) != 0 ? 25 + dice_.below(60) : 97;
    style_.barrier = dice_.below(4) == 0 ? 3 : 40;
    style_.exit = dice_.below(2) == 0 ? 8 + dice_.below(20) : 400;
    style_.span = std::min<std::uint64_t>(last_pc(), style_.kind == 1 ? 200 : 7 + dice_.below(20));
  }

  std::uint64_t next_pc(std::uint64_t pc) {
    const std::uint64_t step = (pc + 1) % (style_.span + 1);
    switch (style_.kind) {
      case 0:
        return pc % 4 == 3 && dice_.below(2) == 0 ? (pc * 5 + 3) % (style_.span + 1) : step;  // branches
      case 1:
        return dice_.below(static_cast<unsigned>(style_.span) + 1);  // anywhere
      case 2:
        return step;  // straight
      case 3:
        return dice_.below(8) == 0 ? dice_.below(4) : step;  // indirect
      case 4:
        return dice_.below(30) == 0 ? last_pc() - dice_.below(3) : step;  // rarely, far away
      default:
        return pc % 2 == 0 && dice_.below(4) == 0 ? pc : step;  // loops of one
    }
  }

  FormationCommit next_commit() {
    FormationCommit commit;
    const auto due = std::min_element(flights_.begin(), flights_.end(),
                                      [](const Flight& a, const Flight& b) { return a.due < b.due; });
    if (due == flights_.end() || due->due > now_) return commit;
    const FormationWarp warp = due->warp;
    flights_.erase(due);
    commit.cta = warp.cta;
    commit.data = warp.data;
    commit.passed = dice_.below(8) == 0;
    commit.waits = dice_.below(style_.barrier) == 0;
    const bool together = dice_.below(3) != 0;  // mostly two ways at most
    const std::uint64_t one = next_pc(warp.pc), other = next_pc(warp.pc);
    last_one_ = one;
    if (dice_.below(100) == 0) commit.data = limit();
    for (const auto& [lane, thread] : warp.threads) {
      if (dice_.below(style_.exit) == 0) {
        covers.hit("threads exit");
        live_.erase(thread);
      } else {
        commit.lanes[lane] = {thread, together ? (dice_.below(2) == 0 ? one : other) : next_pc(warp.pc)};
      }
    }
    covers.hit("waits at the barrier", commit.waits && !commit.lanes.empty());
    return commit;
  }

  std::optional<Launch> next_launch() {
    const unsigned warp = dice_.below(Warps);
    if (dice_.below(4) != 0) return std::nullopt;
    Launch launch;
    launch.warp = warp;
    launch.cta = dice_.below(style_.ctas);
    launch.pc = dice_.below(3) == 0                          ? 0
                : dice_.below(2) == 0 || left_.lanes.empty() ? last_one_
                                                             : left_.lanes.begin()->second.second;
    const bool whole = dice_.below(2) == 0;  // all that are not alive
    for (unsigned l = 0; l < Lanes; ++l) {
      if (live_.count(warp * Lanes + l) == 0 && (whole || dice_.below(2) == 0)) launch.threads.insert(l);
    }
    if (launch.threads.empty()) return std::nullopt;
    return launch;
  }

  // ---- covers ----
  void note_issue(const std::optional<unsigned>& chosen) {
    if (!chosen) return;
    const FormationWarp& warp = model_.pool().at(*chosen);
    covers.hit("all lanes of a warp issue", warp.threads.size() == Lanes);
    for (const FormationGroup& group : placed_) {
      covers.hit("issue of the warp that would be joined",
                 !group.threads.empty() && !group.waits && model_.target(group.pc, group.cta) == chosen);
    }
  }

  void note_entered(const std::vector<Model::Entered>& entered, const std::optional<unsigned>& chosen) {
    for (unsigned k = 0; k < 2; ++k) {
      const Model::Entered& e = entered[k];
      if (placed_[k].threads.empty()) continue;
      covers.hit("update of the pool");
      covers.hit("miss", !e.hit);
      covers.hit("allocate and free in one cycle", e.open != 0 && chosen);
      if constexpr (Warps > 1) covers.hit("lane conflict", e.conflict);
      if constexpr (Lanes > 1) {
        covers.hit("hit, all join", e.hit && !e.conflict);
        covers.hit("lane conflict of some threads", e.conflict && e.merged != 0);
        covers.hit("eviction", e.evict);
      }
    }
    const Model::Entered &a = entered[0], &b = entered[1];
    const bool both = a.open + a.merged != 0 && b.open + b.merged != 0;
    covers.hit("two updates open two warps", a.open != 0 && b.open != 0);
    if constexpr (Lanes > 1) {
      covers.hit("two updates to one warp",
                 b.merged != 0 && both && b.merged_into == (a.open != 0 ? a.opened : a.merged_into));
      covers.hit("two updates to one warp, with a conflict",
                 b.conflict && both && placed_[0].pc == placed_[1].pc && placed_[0].cta == placed_[1].cta);
    }
  }

  void note_release(unsigned cta, const std::vector<FormationGroup>& groups,
                    const std::vector<Model::Entered>& entered) {
    for (const auto& warp : model_.pool())
      covers.hit("release of waiting warps", warp.second.waits && warp.second.cta == cta);
    for (const FormationGroup& group : groups) covers.hit("release as it commits", group.waits && group.cta == cta);
    for (unsigned k = 0; k < 2; ++k) {
      const bool opens = entered[k].open != 0 && placed_[k].waits && placed_[k].cta == cta;
      covers.hit("release as it enters the pool", opens);
      covers.hit("release as it is looked for", registers_[k].waits && registers_[k].cta == cta);
    }
  }

  // ---- signals ----
  void drive(const FormationCommit& commit, const std::optional<Launch>& launch, const std::optional<unsigned>& release,
             bool ready) {
    commit_ = {};
    for (unsigned l = 0; l < Lanes; ++l) {
      const auto it = commit.lanes.find(l);
      if (it != commit.lanes.end()) commit_.lanes[l] = 1;
      tid_s_[l].write(it != commit.lanes.end() ? it->second.first : 0);
      pc_s_[l].write(it != commit.lanes.end() ? it->second.second : 0);
    }
    commit_.cta = commit.cta;
    commit_.data = commit.data;
    commit_.passed = commit.passed;
    commit_.waits = commit.waits;
    launch_ = {};
    if (launch) {
      for (const unsigned t : launch->threads) launch_.threads[t] = 1;
      launch_.warp = launch->warp;
      launch_.cta = launch->cta;
      launch_.pc = launch->pc;
    }
    release_ = {};
    if (release) {
      release_.valid = 1;
      release_.cta = *release;
    }
    ready_ = ready;
    commit_s_.write(commit_);
    launch_s_.write(launch_);
    release_s_.write(release_);
    ready_s_.write(ready);
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    const auto asked = edge.get<typename F::Commit>("commit_i");
    FormationCommit commit;
    for (unsigned l = 0; l < Lanes; ++l)
      if ((asked.lanes >> l & 1) != 0)
        commit.lanes[l] = {unsigned(edge.get<typename F::Tid>("commit_tid_i", l)),
                           edge.get<typename F::Pc>("commit_pc_i", l)};
    commit.cta = asked.cta;
    commit.data = asked.data;
    commit.passed = asked.passed != 0;
    commit.waits = asked.waits != 0;
    const auto starts = edge.get<typename F::Launch>("launch_i");
    std::optional<Launch> launch;
    if (starts.threads != 0) launch = {{}, unsigned(starts.warp), unsigned(starts.cta), starts.pc};
    for (unsigned t = 0; t < Lanes; ++t)
      if ((starts.threads >> t & 1) != 0) launch->threads.insert(t);
    const auto opens = edge.get<typename F::Release>("release_i");
    step(commit, launch, opens.valid != 0 ? std::optional<unsigned>(opens.cta) : std::nullopt,
         edge.get<bool>("issued_ready_i"));
  }

  void eval_twin(bool out_of_reset) {
    if constexpr (HasTwin) {
      if (!twin_) return;
      twin_->clk_i = 0;
      twin_->rst_ni = out_of_reset;
      to_port(commit_, twin_->commit_i);
      to_port(launch_, twin_->launch_i);
      to_port(release_, twin_->release_i);
      array_to_port<typename F::Tid>(tid_s_, twin_->commit_tid_i);
      array_to_port<typename F::Pc>(pc_s_, twin_->commit_pc_i);
      twin_->issued_ready_i = ready_;
      twin_->eval();
    }
  }

  void clock_twin() {
    if constexpr (HasTwin) {
      if (!twin_) return;
      twin_->clk_i = 1;
      twin_->eval();
    }
  }

  void compare_twin() {
    if constexpr (HasTwin) {
      if (!twin_) return;
      check.equal("commit_ready_o of the twin", twin_->commit_ready_o != 0, commit_ready_s_.read());
      check.equal("launch_ready_o of the twin", twin_->launch_ready_o != 0, launch_ready_s_.read());
      check.equal("status_o of the twin", from_port<typename F::Status>(twin_->status_o), status_s_.read());
    }
  }

  void compare_twin_issued() {
    if constexpr (HasTwin) {
      if (!twin_) return;
      check.equal("idle_o of the twin", twin_->idle_o != 0, idle_s_.read());
      check.equal("issued_o of the twin", from_port<typename F::Issued>(twin_->issued_o), issued_s_.read());
      const PortBits tids = PortBits::of(twin_->issued_tid_o);
      for (unsigned l = 0; l < Lanes; ++l) {
        check.equal("issued_tid_o of the twin", tids.get<typename F::Tid>(l * F::TidBits), issued_tid_s_[l].read());
      }
    }
  }

  void compare_issued() {
    typename F::Issued expected;
    expected.lanes = mask_of(issued_.threads);
    if (!issued_.threads.empty()) {
      expected.pc = issued_.pc;
      expected.cta = issued_.cta;
      expected.data = issued_.data;
    }
    check.equal("issued_o", issued_s_.read(), expected);
    for (unsigned l = 0; l < Lanes; ++l) {
      const auto it = issued_.threads.find(l);
      check.equal("issued_tid_o", unsigned(issued_tid_s_[l].read()), it != issued_.threads.end() ? it->second : 0U);
    }
  }

  sc_core::sc_signal<typename F::Commit> commit_s_{"commit"};
  sc_core::sc_vector<sc_core::sc_signal<typename F::Tid>> tid_s_{"tid", Lanes}, issued_tid_s_{"issued_tid", Lanes};
  sc_core::sc_vector<sc_core::sc_signal<typename F::Pc>> pc_s_{"pc", Lanes};
  sc_core::sc_signal<typename F::Launch> launch_s_{"launch"};
  sc_core::sc_signal<typename F::Release> release_s_{"release"};
  sc_core::sc_signal<bool> idle_s_{"idle"};
  sc_core::sc_signal<bool> ready_s_{"ready"}, commit_ready_s_{"commit_ready"}, launch_ready_s_{"launch_ready"};
  sc_core::sc_signal<typename F::Issued> issued_s_{"issued"};
  sc_core::sc_signal<typename F::Status> status_s_{"status"};
  typename F::Commit commit_;
  typename F::Launch launch_;
  typename F::Release release_;
  bool ready_ = false;

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;
  Dice dice_{1};
  Model model_{shape()};
  std::vector<FormationGroup> registers_{2}, placed_{2};
  FormationWarp issued_;
  FormationCommit held_, left_;
  std::vector<Flight> flights_;
  std::set<unsigned> live_;
  std::optional<Launch> launching_;
  Style style_;
  unsigned long now_ = 0;
  std::uint64_t last_one_ = 0;
  unsigned quiet_ = 0;    ///< cycles without a request in which the pipeline takes what there is
  unsigned stalled_ = 0;  ///< cycles in which a warp can go, there is room, and none goes
  bool launched_ = false;
};

}  // namespace heddle::bench
