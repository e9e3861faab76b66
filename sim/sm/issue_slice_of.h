// The blocks of one issue scheduler at one design point, wired. Included by issue_slice_at_point.cpp, which is compiled
// for every point that a kernel runs at, and by what counts its storage.
#pragma once

#include <systemc>

#include <algorithm>

#include "rtl/convergence_barrier/convergence_barrier.h"
#include "rtl/dual_path_stack/dual_path_stack.h"
#include "rtl/scoreboard/scoreboard.h"
#include "rtl/single_path_stack/single_path_stack.h"
#include "rtl/warp_scheduler/warp_scheduler.h"
#include "rtl/warp_split_table/warp_split_table.h"
#include "sim/sm/issue_slice.h"

namespace heddle {

template <class Point, class Mechanisms>
class issue_slice : public sc_core::sc_module, public IssueSlice {
  static constexpr unsigned Warps = Point::SlotWarps;
  using Flow = ControlFlow<Warps, Point::Lanes, Point::PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Release = ScoreboardRelease<Flow::WarpBits>;

 public:
  SC_HAS_PROCESS(issue_slice);
  issue_slice(const sc_core::sc_module_name& name, const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
              const sc_core::sc_signal<bool>& rst_n)
      : sc_module(name) {
    std::apply([&](auto... rows) { (wire_if_named<decltype(rows)>(mechanism.divergence, clk, rst_n), ...); },
               Mechanisms());
    const ScoreboardRow& row = scoreboard_named(mechanism.scoreboard);
    if (row.shadow)
      wire_scoreboard<true>(clk, rst_n);
    else if (!row.is_reference)
      wire_scoreboard<false>(clk, rst_n);
    SC_METHOD(gate);
    sensitive << eligible_ << status_;
    for (auto& hazard : hazard_) sensitive << hazard;
  }

  SliceView sample() const override {
    const Grant& grant = grant_.read();
    const Status& status = status_.read();
    return {grant.valid != 0,
            static_cast<unsigned>(grant.warp),
            grant.right != 0,
            {{status.valid_left, status.valid_right}},
            {{status.fresh_left, status.fresh_right}}};
  }

  Hazards hazards() const override {
    Hazards all;
    for (unsigned w = 0; w < Warps; ++w) {
      const ScoreboardHazard& hazard = hazard_[w].read();
      all.own.set(w, false, hazard.own_left != 0), all.own.set(w, true, hazard.own_right != 0);
      all.shadow.set(w, false, hazard.shadow_left != 0), all.shadow.set(w, true, hazard.shadow_right != 0);
      all.full.set(w, false, hazard.full_left != 0), all.full.set(w, true, hazard.full_right != 0);
    }
    return all;
  }

  PathView path(unsigned warp, bool right) const override {
    const Path& path = (right ? right_ : left_)[warp].read();
    return {static_cast<isa::Pc>(path.pc), static_cast<isa::Lanes>(path.mask)};
  }

  unsigned depth(unsigned warp) const override { return depth_of_(warp); }

  unsigned paths(unsigned warp) const override {
    if (paths_of_) return paths_of_(warp);
    const Status& status = status_.read();
    return static_cast<unsigned>((status.valid_left >> warp & 1) + (status.valid_right >> warp & 1));
  }

  void load(const isa::Program& program) override {
    heads_.clear();
    for (const isa::Instruction& instruction : program.code) heads_.push_back(head_of(instruction));
  }

  void set_head(unsigned warp, bool right, isa::Pc pc) override {
    (right ? head_right_ : head_left_)[warp].write(pc == isa::NoPc ? ScoreboardHead() : heads_[pc]);
  }

  void drive(const SliceDrive& drive) override {
    eligible_.write(slots(drive.eligible));
    held_.write(slots(drive.held));
    Resolve resolve;
    resolve.op = static_cast<unsigned>(drive.resolve.op);
    resolve.warp = drive.resolve.warp;
    resolve.right = drive.resolve.right;
    resolve.lanes = drive.resolve.lanes;
    resolve.target = drive.resolve.target;
    resolve.rpc = reconverges_ ? drive.resolve.rpc : isa::NoPc;
    resolve_.write(resolve);
    Release release;
    release.valid = drive.release.valid;
    release.warp = drive.release.warp;
    release.right = drive.release.right;
    release.id = drive.release.valid ? RegisterId::of(drive.release.name.id) : RegisterId::None;
    release_.write(release);
    if (drive_more_) drive_more_(drive);
  }

  void set_targets(const isa::LaneValues& targets) override {
    for (unsigned lane = 0; lane < targets_.size(); ++lane) targets_[lane].write(targets[lane]);
  }

  std::uint64_t releases() const override { return releases_of_ ? releases_of_() : 0; }

  bool idle() const override { return control_flow_idle_.read(); }

 private:
  static Slots slots(const SlotSet& set) {
    Slots record;
    record.left = set.side[0];
    record.right = set.side[1];
    return record;
  }

  static ScoreboardHead head_of(const isa::Instruction& instruction) {
    const auto id_of = [](const isa::Source& source) -> unsigned {
      if (source.kind == isa::Source::Kind::Register) return RegisterId::general(source.index);
      if (source.kind == isa::Source::Kind::Predicate) return RegisterId::predicate(source.index);
      return RegisterId::None;
    };
    ScoreboardHead head;
    head.a = id_of(instruction.sources[0]);
    head.a_wide = instruction.sources[0].wide;
    head.b = id_of(instruction.sources[1]);
    head.b_wide = instruction.sources[1].wide;
    head.c = id_of(instruction.sources[2]);
    head.c_wide = instruction.sources[2].wide;
    head.guard = id_of(instruction.guard);
    head.d = RegisterId::of(instruction.destination.id);
    head.d_wide = instruction.destination.wide;
    return head;
  }

  template <class Candidate>
  void wire_if_named(const std::string& name, const sc_core::sc_signal<bool>& clk,
                     const sc_core::sc_signal<bool>& rst_n) {
    constexpr DivergenceRow Row = Candidate::Row;
    if (name != Row.name) return;
    auto& unit = wire_control_flow<typename Candidate::template Unit<Point>>(Row.block, clk, rst_n);
    if constexpr (Row.subdivides != 0) wire_subdivision(unit, Row.subdivides);
    if constexpr (Row.barriers) wire_barriers(unit);
    wire_scheduler<Row.paths>(clk, rst_n);
    reconverges_ = Row.reconverges;
  }

  template <class Unit>
  Unit& wire_control_flow(const char* name, const sc_core::sc_signal<bool>& clk,
                          const sc_core::sc_signal<bool>& rst_n) {
    auto unit = std::make_unique<Unit>(name);
    unit->clk_i(clk), unit->rst_ni(rst_n);
    unit->grant_i(grant_), unit->held_i(held_), unit->resolve_i(resolve_);
    unit->left_o(left_), unit->right_o(right_);
    unit->status_o(status_), unit->idle_o(control_flow_idle_);
    auto depth = std::make_shared<sc_core::sc_vector<sc_core::sc_signal<typename Unit::Count>>>("depth", Warps);
    unit->depth_o(*depth);
    depth_of_ = [depth](unsigned warp) { return static_cast<unsigned>((*depth)[warp].read()); };
    Unit& wired = *unit;
    control_flow_ = std::move(unit);
    return wired;
  }

  /// What subdivision has beside the ports of every control flow unit.
  template <class Unit>
  void wire_subdivision(Unit& unit, unsigned threshold) {
    struct Links {
      sc_core::sc_signal<BlockLength> block{"block"}, threshold{"threshold"};
      sc_core::sc_signal<Grant> yield{"yield"};
      sc_core::sc_vector<sc_core::sc_signal<typename Unit::SplitCount>> splits{"splits", Warps};
      sc_core::sc_signal<typename Unit::Events> events{"events"};
    };
    auto links = std::make_shared<Links>();
    links->threshold.write(threshold);
    unit.block_i(links->block), unit.threshold_i(links->threshold), unit.yield_i(links->yield);
    unit.splits_o(links->splits), unit.events_o(links->events);
    paths_of_ = [links](unsigned warp) { return static_cast<unsigned>(links->splits[warp].read()); };
    drive_more_ = [links](const SliceDrive& drive) {
      links->block.write(std::min(drive.resolve.block, 255U));
      Grant yield;
      yield.valid = drive.yield.valid;
      yield.warp = drive.yield.warp;
      yield.right = drive.yield.right;
      links->yield.write(yield);
    };
  }

  /// What convergence barriers have beside them. Save and Arrive, whose answers go to registers, no program asks for
  /// yet.
  template <class Unit>
  void wire_barriers(Unit& unit) {
    struct Links {
      sc_core::sc_signal<typename Unit::Request> request{"request"};
      sc_core::sc_signal<sc_dt::sc_uint<Warps>> busy{"busy"};
      sc_core::sc_signal<typename Unit::Answer> answer{"answer"};
      sc_core::sc_signal<typename Unit::Release> release{"barrier_release"};
    };
    auto links = std::make_shared<Links>();
    targets_.init(Point::Lanes);
    unit.barrier_i(links->request), unit.busy_i(links->busy), unit.targets_i(targets_);
    unit.answer_o(links->answer), unit.release_o(links->release);
    releases_of_ = [links] { return std::uint64_t(links->release.read().count); };
    drive_more_ = [links](const SliceDrive& drive) {
      typename Unit::Request request;
      request.op = unsigned(drive.convergence.op);
      request.warp = drive.convergence.warp;
      request.index = drive.convergence.index;
      request.lanes = drive.convergence.lanes;
      request.value = drive.convergence.value;
      links->request.write(request);
      links->busy.write(drive.busy);
    };
  }

  template <unsigned Paths>
  void wire_scheduler(const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
    auto scheduler = std::make_unique<warp_scheduler<Flow, Paths>>("warp_scheduler");
    scheduler->clk_i(clk), scheduler->rst_ni(rst_n);
    scheduler->ready_i(ready_), scheduler->grant_o(grant_);
    scheduler_ = std::move(scheduler);
  }

  template <bool Shadow>
  void wire_scoreboard(const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
    auto board = std::make_unique<scoreboard<Flow, Point::ScoreboardEntries, Shadow>>("scoreboard");
    board->clk_i(clk), board->rst_ni(rst_n);
    board->head_left_i(head_left_), board->head_right_i(head_right_);
    board->grant_i(grant_), board->release_i(release_), board->status_i(status_);
    board->hazard_o(hazard_);
    scoreboard_ = std::move(board);
  }

  /// Combinational: what may issue in this cycle, for the scheduler to pick from.
  void gate() {
    const Slots& eligible = eligible_.read();
    const Status& status = status_.read();
    std::uint64_t left = eligible.left & status.valid_left & ~std::uint64_t(status.fresh_left);
    std::uint64_t right = eligible.right & status.valid_right & ~std::uint64_t(status.fresh_right);
    for (std::uint64_t rest = left | right; rest != 0; rest &= rest - 1) {
      const unsigned w = static_cast<unsigned>(__builtin_ctzll(rest));
      const ScoreboardHazard& hazard = hazard_[w].read();
      const std::uint64_t bit = std::uint64_t(1) << w;
      if ((hazard.own_left | hazard.shadow_left | hazard.full_left) != 0) left &= ~bit;
      if ((hazard.own_right | hazard.shadow_right | hazard.full_right) != 0) right &= ~bit;
    }
    Slots ready;
    ready.left = left;
    ready.right = right;
    ready_.write(ready);
  }

  sc_core::sc_signal<Grant> grant_{"grant"};
  sc_core::sc_signal<Slots> eligible_{"eligible"}, held_{"held"}, ready_{"ready"};
  sc_core::sc_signal<Resolve> resolve_{"resolve"};
  sc_core::sc_signal<Status> status_{"status"};
  sc_core::sc_signal<bool> control_flow_idle_{"control_flow_idle"};
  sc_core::sc_signal<Release> release_{"release"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Warps}, right_{"right", Warps};
  sc_core::sc_vector<sc_core::sc_signal<ScoreboardHead>> head_left_{"head_left", Warps},
      head_right_{"head_right", Warps};
  sc_core::sc_vector<sc_core::sc_signal<ScoreboardHazard>> hazard_{"hazard", Warps};

  sc_core::sc_vector<sc_core::sc_signal<typename Flow::Pc>> targets_{"targets"};

  std::unique_ptr<sc_core::sc_module> control_flow_, scheduler_, scoreboard_;
  bool reconverges_ = true;
  std::function<unsigned(unsigned)> depth_of_;
  std::function<unsigned(unsigned)> paths_of_;         // of a unit that subdivides
  std::function<std::uint64_t()> releases_of_;         // of convergence barriers
  std::function<void(const SliceDrive&)> drive_more_;  // what not every unit has
  std::vector<ScoreboardHead> heads_;                  // by PC
};

}  // namespace heddle
