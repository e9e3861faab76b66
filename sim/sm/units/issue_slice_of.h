// SPDX-License-Identifier: Apache-2.0
// An issue slice (rtl/issue_slice) at one design point, behind the interface that the SM knows. Included by
// issue_slice_at_point.cpp, which is compiled for every point that a kernel runs at, and by what counts its storage.
#pragma once

#include <systemc>

#include <functional>
#include <memory>
#include <tuple>

#include "rtl/base/link.h"
#include "rtl/issue_slice/issue_slice.h"
#include "sim/sm/slice/issue_slice.h"
#include "sim/sm/slice/slice_words.h"
#include "sim/sm/unit_blocks.h"
#include "sim/sm/units/barriers_side.h"
#include "sim/sm/units/rotation_side.h"
#include "sim/sm/units/subdivision_side.h"

namespace heddle {

/// In place of a scoreboard where heads wait for nobody here: its ports, and never a hazard.
template <class Flow>
struct no_scoreboard : sc_core::sc_module {
  static constexpr unsigned Warps = bits_of<decltype(Flow::Slots::left)>;
  static constexpr bool HearsOfHeads = false;
  sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_in<ScoreboardHead>> head_left_i{"head_left_i", Warps}, head_right_i{"head_right_i", Warps};
  sc_in<typename Flow::Grant> grant_i{"grant_i"}, decode_i{"decode_i"};
  sc_in<typename Flow::Slots> flush_i{"flush_i"};
  sc_in<ScoreboardRelease<Flow::WarpBits>> release_i{"release_i"};
  sc_in<typename Flow::Status> status_i{"status_i"};
  sc_core::sc_vector<sc_out<ScoreboardHazard>> hazard_o{"hazard_o", Warps};
  template <class... Of>
  explicit no_scoreboard(const sc_core::sc_module_name& name, const Of&...) : sc_module(name) {}
};

/// The hardware: heads are compared when they are decoded. Storage is counted of it.
template <class Flow, unsigned Entries, bool Shadow>
using scoreboard_at_decode = scoreboard<Flow, Entries, Shadow, true>;

/// Heads are compared in every cycle, which has the same answers (proved) and costs a simulation less.
template <class Flow, unsigned Entries, bool Shadow>
using scoreboard_each_cycle = scoreboard<Flow, Entries, Shadow, false>;

/// What stands in a slice: the blocks.
struct just_blocks {
  /// Words are decoded instructions (rtl/issue_slice/decoded_word.h); else numbers of instructions, and the SM says what
  /// the slice would read of them.
  static constexpr bool OfWords = false;
  /// What is combinational between them can be called in order (rtl/base/block_steps.h).
  static constexpr bool InOrder = true;
  template <class Board>
  using Scoreboard = Board;
  template <class Unit, class Board, class Buffer, unsigned Paths, class Rotation>
  using Slice = issue_slice<Unit, Board, Buffer, Paths, Rotation>;
  static constexpr bool has(const DivergenceRow&) { return true; }
  /// What they are made of besides their names.
  static std::tuple<> of(const Mechanism&) { return {}; }
  /// What has the ports of the slice.
  template <class Slice>
  static Slice& ports(Slice& slice) {
    return slice;
  }
};

/// Parts: just_blocks, or what may stand in their place (issue_slice_twins_at_point.cpp, whole_twin_at_point.cpp).
template <class Point, class Mechanisms, template <class, unsigned, bool> class Board = scoreboard_each_cycle,
          class Parts = just_blocks>
class slice_at_point : public IssueSlice<2> {
  static constexpr unsigned Warps = Point::SlotWarps;
  using Flow = ControlFlow<Warps, Point::Lanes, Point::PcBits>;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Release = ScoreboardRelease<Flow::WarpBits>;
  /// The records of a buffer are the same for one path and for two.
  using Words = instruction_buffer<Flow, 2, Point::InstructionBuffer, Point::FetchWidth, Point::InstructionBits>;

 public:
  /// The slice is the module `name`, its links stand beside it in one of their own.
  slice_at_point(const std::string& name, const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                 const sc_core::sc_signal<bool>& rst_n)
      : name_(name), mechanism_(mechanism), clk_(clk), rst_n_(rst_n), links_((name + "_links").c_str()) {
    const DivergenceRow& divergence = divergence_named(mechanism.divergence);
    const ScoreboardRow& board = scoreboard_named(mechanism.scoreboard);
    std::apply([&](auto... rows) { (wire_if_named<decltype(rows)>(divergence, board), ...); }, Mechanisms());
  }

  /// What a block shows at the edge that resets it means nothing.
  SliceView<2> sample() const override {
    if (!rst_n_.read()) return {};
    const Grant& grant = links_.grant.read();
    const Status& status = shown_->read();
    return {grant.valid != 0,
            SliceWarp(static_cast<unsigned>(grant.warp)),
            grant.right != 0,
            {{status.valid_left, status.valid_right}},
            {{status.redirected_left, status.redirected_right}}};
  }

  Hazards<2> hazards(std::uint64_t warps) const override {
    Hazards<2> all;
    for_each_warp(warps, [&](SliceWarp warp) {
      const ScoreboardHazard& hazard = links_.hazard[warp.index()].read();
      all.own.set(warp, false, hazard.own_left != 0), all.own.set(warp, true, hazard.own_right != 0);
      all.shadow.set(warp, false, hazard.shadow_left != 0), all.shadow.set(warp, true, hazard.shadow_right != 0);
      all.full.set(warp, false, hazard.full_left != 0), all.full.set(warp, true, hazard.full_right != 0);
    });
    return all;
  }

  PathView path(SliceWarp warp, unsigned k) const override {
    const Path& path = (k != 0 ? links_.right : links_.left)[warp.index()].read();
    return {static_cast<isa::Pc>(path.pc), static_cast<isa::Lanes>(path.mask)};
  }

  unsigned depth(SliceWarp warp) const override { return depth_of_(warp.index()); }

  unsigned paths(SliceWarp warp) const override {
    const Status& status = links_.status.read();
    return side_->paths(warp, static_cast<unsigned>((status.valid_left >> warp.index() & 1) +
                                                    (status.valid_right >> warp.index() & 1)));
  }

  void load(const isa::Program& program) override {
    heads_.clear();
    for (const isa::Instruction& instruction : program.code) heads_.push_back(head_of(instruction));
    if constexpr (Parts::OfWords)
      words_.load(program, heads_, divergence_named(mechanism_.divergence).has(SmSide::Barriers));
  }

  void set_head(SliceWarp warp, unsigned k, isa::Pc pc) override {
    if constexpr (Parts::OfWords) return;
    changed_ |= std::uint64_t(1) << warp.index();
    (k != 0 ? links_.head_right : links_.head_left)[warp.index()].write(pc == isa::NoPc ? ScoreboardHead()
                                                                                        : heads_[pc]);
  }

  isa::Pc head(SliceWarp warp, unsigned k) const override {
    const auto& head = (k != 0 ? links_.buffer_right : links_.buffer_left)[warp.index()].read();
    return head.count == 0 ? isa::NoPc : words_.pc(head.word);
  }

  void drive(const SliceDrive<2>& drive) override {
    note_changes();
    // Most requests are as in the cycle before, or none: to make their records costs as much as a block.
    if (!(drive.eligible == driven_.eligible)) links_.eligible.write(slots_of<Slots>(drive.eligible));
    if (!(drive.held == driven_.held)) links_.held.write(slots_of<Slots>(drive.held));
    if (drive.push.count != 0 || driven_.push.count != 0) push(drive.push);
    if (drive.resolve.op != ResolveOp::None || driven_.resolve.op != ResolveOp::None) resolve(drive.resolve);
    if (drive.release.valid || driven_.release.valid) release(drive.release);
    side_->drive(drive);
    driven_ = drive;
  }

  void set_targets(const isa::LaneValues& targets) override { side_->set_targets(targets); }
  Arrived arrived() const override { return side_->arrived(); }
  std::uint64_t releases() const override { return side_->releases(); }

  bool idle() const override { return links_.idle.read() && side_->idle(); }

 private:
  struct Links : sc_core::sc_module {
    Wire<Grant> grant{"grant"};
    Link<Slots> eligible{"eligible"}, held{"held"};
    Link<Resolve> resolve{"resolve"};
    Link<Status> status{"status"};
    Link<bool> idle{"idle"};
    Link<Release> release{"release"};
    sc_core::sc_vector<Link<Path>> left{"left", Warps}, right{"right", Warps};
    sc_core::sc_vector<Link<ScoreboardHead>> head_left{"head_left", Warps}, head_right{"head_right", Warps};
    Link<typename Words::Push> push{"push"};
    sc_core::sc_vector<Link<typename Words::Word>> word{"word", Words::Words};
    sc_core::sc_vector<Link<typename Words::Head>> buffer_left{"buffer_left", Warps},
        buffer_right{"buffer_right", Warps};
    sc_core::sc_vector<Wire<ScoreboardHazard>> hazard{"hazard", Warps};
    explicit Links(const sc_core::sc_module_name& name) : sc_module(name) {}
  };

  void resolve(const Resolution& of) {
    Resolve record;
    record.op = static_cast<unsigned>(of.op);
    record.warp = of.warp.index();
    record.right = of.k;
    record.lanes = of.lanes;
    record.target = of.target;
    record.rpc = reconverges_ ? of.rpc : isa::NoPc;
    links_.resolve.write(record);
  }

  void release(const Released& of) {
    Release record;
    record.valid = of.valid;
    record.warp = of.warp.index();
    record.right = of.k;
    record.part = of.part;
    record.id = of.valid ? RegisterId::of(of.name.id) : RegisterId::None;
    links_.release.write(record);
  }

  void push(const Fetched& of) {
    typename Words::Push record;
    record.count = of.count;
    record.warp = of.warp.index();
    record.right = of.k;
    links_.push.write(record);
    for (unsigned k = 0; k < of.count; ++k) links_.word[k].write(words_.word(of.pc + k));
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

  /// N of subdivision is an input, so that the first of its rows stands for all.
  template <class Candidate>
  void wire_if_named(const DivergenceRow& wanted, const ScoreboardRow& board) {
    constexpr DivergenceRow Row = Candidate::Row;
    using Unit = typename Candidate::template Unit<Point>;
    const bool subdivides = Row.has(SmSide::Subdivision) && wanted.has(SmSide::Subdivision);
    if (slice_ || (!subdivides && std::string(wanted.name) != Row.name)) return;
    if constexpr (Parts::has(Row)) {
      using Without = std::conditional_t<Parts::OfWords, BoardOf<false>, no_scoreboard<Flow>>;  // never of words
      if (board.shadow)
        wire<Candidate, Unit, BoardOf<true>>(wanted);
      else if (board.has_block())
        wire<Candidate, Unit, BoardOf<false>>(wanted);
      else
        wire<Candidate, Unit, Without>(wanted);
      reconverges_ = Row.reconverges;
    }
  }

  template <bool Shadow>
  using BoardOf = typename Parts::template Scoreboard<Board<Flow, Point::ScoreboardEntries, Shadow>>;

  template <class Candidate, class Unit, class Scoreboard>
  void wire(const DivergenceRow& wanted) {
    constexpr DivergenceRow Row = Candidate::Row;
    using UnitSide = slice_side<Row.sm_side, Unit>;
    using Rotation = typename UnitSide::template Rotation<Flow>;
    using Buffer =
        instruction_buffer<Flow, Row.paths, Point::InstructionBuffer, Point::FetchWidth, Point::InstructionBits>;
    using Slice = typename Parts::template Slice<Unit, Scoreboard, Buffer, Row.paths, Rotation>;
    constexpr bool CanBeInOrder = Parts::InOrder && std::is_same_v<Rotation, no_rotation>;
    BlockSteps* const owner = CanBeInOrder ? BlockSteps::collects() : nullptr;
    const BlockSteps::InOrder in_order(owner != nullptr);
    auto made = std::apply(
        [this](const auto&... of) { return std::make_unique<Slice>(name_.c_str(), Candidate::Row.block, of...); },
        Parts::of(mechanism_));
    auto& slice = Parts::ports(*made);
    slice.clk_i(clk_), slice.rst_ni(rst_n_);
    slice.eligible_i(links_.eligible), slice.resolve_i(links_.resolve), slice.release_i(links_.release);
    if constexpr (!Parts::OfWords) {
      slice.held_i(links_.held);
      slice.head_left_i(links_.head_left), slice.head_right_i(links_.head_right);
    }
    slice.push_i(links_.push), slice.word_i(links_.word);
    slice.buffer_left_o(links_.buffer_left), slice.buffer_right_o(links_.buffer_right);
    slice.grant_o(links_.grant), slice.left_o(links_.left), slice.right_o(links_.right);
    slice.status_o(links_.status), slice.hazard_o(links_.hazard), slice.idle_o(links_.idle);
    auto depth = std::make_shared<sc_core::sc_vector<sc_core::sc_signal<typename Unit::Count>>>(
        (name_ + "_depth").c_str(), Warps);
    slice.depth_o(*depth);
    depth_of_ = [depth](unsigned warp) { return static_cast<unsigned>((*depth)[warp].read()); };
    side_ = std::make_unique<UnitSide>(name_, slice, wanted);
    shown_ = &UnitSide::shown(slice, links_.status);
    if constexpr (CanBeInOrder) {
      if (owner != nullptr) {
        links_.grant.shows_at_once(true);
        for (auto& hazard : links_.hazard) hazard.shows_at_once(true);
        owner->add_settling([this, &slice] { settle(slice); });
      }
    }
    slice_ = std::move(made);
  }

  /// At an edge, before anything is written: the warps whose answer of the scoreboard may be another behind it.
  void note_changes() {
    if (!rst_n_.read()) changed_ = (std::uint64_t(2) << (Warps - 1)) - 1;
    const Grant& grant = links_.grant.read();
    if (grant.valid != 0) changed_ |= std::uint64_t(1) << unsigned(grant.warp);
    if (driven_.release.valid) changed_ |= std::uint64_t(1) << driven_.release.warp.index();
    changed_ |= std::uint64_t(links_.status.read().lanes_moved);
  }

  /// In order: what is combinational in the slice, once, as its inputs stand behind an edge.
  template <class Slice>
  void settle(Slice& slice) {
    const std::uint64_t changed = std::exchange(changed_, 0);
    if constexpr (!std::is_same_v<decltype(slice.scoreboard), no_scoreboard<Flow>>)
      for_each_warp(changed, [&](SliceWarp warp) { slice.scoreboard.query[warp.index()].look(); });
    slice.gate.pass();
    slice.scheduler.pick();
    slice.keep_back();
  }

  const std::string name_;
  const Mechanism mechanism_;
  const sc_core::sc_signal<bool>& clk_;
  const sc_core::sc_signal<bool>& rst_n_;
  Links links_;

  std::unique_ptr<sc_core::sc_module> slice_;
  std::unique_ptr<SliceSide> side_;
  const sc_core::sc_signal_in_if<Status>* shown_ = &links_.status;  // of the slots that the SM sees
  bool reconverges_ = true;
  std::function<unsigned(unsigned)> depth_of_;
  std::vector<ScoreboardHead> heads_;  // by PC
  std::conditional_t<Parts::OfWords, DecodedWords<Point::InstructionBits>, NumberedWords> words_;
  SliceDrive<2> driven_;       // what the links show
  std::uint64_t changed_ = 0;  // warps that the scoreboard is to be asked about
};

}  // namespace heddle
