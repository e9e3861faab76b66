// SPDX-License-Identifier: Apache-2.0
// Bench of the issue slice: block and twin in lockstep on every output, and both against lanes that run alone
// (lane_model.h). The bench is what stands around the slice: fetch, whose words come after a random time, in order for each
// path; lanes and units, which resolve branches and write registers later; and the SM, which says who is eligible.
#pragma once

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <sstream>

#include "rtl/issue_slice/issue_slice.h"
#include "tb/bench/bench.h"
#include "tb/bench/control_flow_requests.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"
#include "tb/issue_slice/lane_model.h"
#include "tb/issue_slice/own_signals.h"

namespace heddle::bench {

/// What a slice is made of. Of StackDepth entries, a branch that parts lanes takes MostPushed more at most.
template <class UnitType, class BoardType, class Point, unsigned PathCount, unsigned StackDepth, unsigned MostPushed,
          bool HasCalls = true>
struct SliceShape {
  using Unit = UnitType;
  using Board = BoardType;
  using Flow = typename Unit::Flow;
  static constexpr unsigned Warps = Point::SlotWarps, Lanes = Point::Lanes, Paths = PathCount, Pushed = MostPushed,
                            Depth = StackDepth, Entries = Point::ScoreboardEntries, Room = Point::InstructionBuffer,
                            Width = Point::FetchWidth, WordBits = Point::InstructionBits;
  static constexpr bool Calls = HasCalls;
  using Buffer = instruction_buffer<Flow, Paths, Room, Width, WordBits>;
  using Block = issue_slice<Unit, Board, Buffer, Paths, no_rotation, true>;
};

/// A program as the slice meets it: words, and what they mean to lanes.
class SliceProgram {
 public:
  static constexpr unsigned General = 24, Predicates = 4;

  /// Random registers for the instructions of a flow program.
  /// Few registers: everything waits for everything; many: sets of entries are full.
  SliceProgram(const FlowProgram& flow, Dice& dice) : rpc(flow.rpc()), is_comb(flow.is_comb()) {
    is_ladder = flow.is_ladder();
    const bool few = dice() % 2 == 0;
    for (std::uint64_t pc = 0; pc < flow.size(); ++pc) add(flow.at(pc), random_head(flow.at(pc).kind, few, dice));
  }
  explicit SliceProgram(std::uint64_t nothing) : rpc(nothing) {}

  void add(const FlowProgram::Instruction& flow, const ScoreboardHead& head) {
    SliceInstruction instruction;
    instruction.flow = flow;
    instruction.reads =
        bits(head.a, head.a_wide) | bits(head.b, head.b_wide) | bits(head.c, head.c_wide) | bits(head.guard, 0);
    instruction.writes = bits(head.d, head.d_wide);
    code_.push_back(instruction);
    heads_.push_back(head);
  }

  /// Behind its end stands its last instruction: fetch runs on.
  const SliceInstruction& at(std::uint64_t pc) const { return code_[place(pc)]; }
  const ScoreboardHead& head(std::uint64_t pc) const { return heads_[place(pc)]; }

  /// The operation is the PC, so that a word says which instruction it is.
  template <unsigned WordBits>
  DecodedWord<WordBits> word(std::uint64_t pc) const {
    DecodedWord<WordBits> word;
    const ScoreboardHead& of = head(pc);
    word.operation = pc;
    word.control = at(pc).flow.kind != FlowProgram::Kind::Plain;
    word.a = of.a, word.a_wide = of.a_wide, word.b = of.b, word.b_wide = of.b_wide;
    word.c = of.c, word.c_wide = of.c_wide, word.guard = of.guard, word.d = of.d, word.d_wide = of.d_wide;
    return word;
  }

  std::uint64_t rpc;
  bool is_comb = false, is_ladder = false;

 private:
  std::size_t place(std::uint64_t pc) const { return pc < code_.size() ? pc : code_.size() - 1; }

  static Registers bits(unsigned id, unsigned wide) {
    if (id == RegisterId::None) return 0;
    if (id < RegisterId::FirstGeneral) return Registers(1) << (General + id - RegisterId::FirstPredicate);
    const unsigned number = id - RegisterId::FirstGeneral;
    return wide != 0 ? Registers(3) << number / 2 * 2 : Registers(1) << number;
  }

  static ScoreboardHead random_head(FlowProgram::Kind kind, bool few, Dice& dice) {
    const unsigned numbers = few ? 6 : General, predicates = few ? 2 : Predicates;
    ScoreboardHead head;
    if (dice.below(2) == 0) head.guard = RegisterId::predicate(dice.below(predicates));
    if (kind != FlowProgram::Kind::Plain) return head;
    head.a_wide = dice.below(4) == 0, head.a = general(head.a_wide != 0, dice.below(numbers));
    if (few && dice.below(2) == 0)
      head.b_wide = dice.below(4) == 0, head.b = general(head.b_wide != 0, dice.below(numbers));
    if (few && dice.below(3) == 0)
      head.c_wide = dice.below(4) == 0, head.c = general(head.c_wide != 0, dice.below(numbers));
    const unsigned writes = dice.below(8);
    if (writes == 0) return head;  // a store
    if (writes == 1) {
      head.d = RegisterId::predicate(dice.below(predicates));
    } else {
      head.d_wide = dice.below(4) == 0, head.d = general(head.d_wide != 0, dice.below(numbers));
    }
    return head;
  }
  static unsigned general(bool wide, unsigned number) { return RegisterId::general(wide ? number / 2 * 2 : number); }

  std::vector<SliceInstruction> code_;
  std::vector<ScoreboardHead> heads_;
};

template <class Shape, class Core>
class SliceBench : public Bench, protected ControlFlowRequests<typename Shape::Flow> {
 public:
  using Flow = typename Shape::Flow;
  using Block = typename Shape::Block;
  using Buffer = typename Shape::Buffer;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Count = typename Shape::Unit::Count;
  using Release = typename Block::Release;
  using Word = DecodedWord<Shape::WordBits>;
  using Kind = FlowProgram::Kind;
  using Own = OwnSignals<typename Shape::Unit>;
  using ControlFlowRequests<Flow>::resolve_of;
  static constexpr unsigned Warps = Shape::Warps, Paths = Shape::Paths, Lanes = Shape::Lanes;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes), All = ~std::uint64_t(0) >> (64 - Warps);

  SliceBench(const char* unit, const Options& options) : Bench(cover_names()), dut("dut", unit), lanes_(Warps * Lanes) {
    dut.clk_i(clk), dut.rst_ni(rst_n);
    dut.eligible_i(eligible_), dut.resolve_i(resolve_), dut.push_i(push_), dut.word_i(word_), dut.release_i(release_);
    dut.buffer_left_o(buffer_left_), dut.buffer_right_o(buffer_right_), dut.grant_o(grant_);
    dut.left_o(left_), dut.right_o(right_), dut.depth_o(depth_), dut.status_o(status_), dut.hazard_o(hazard_);
    dut.idle_o(idle_);
    own_.bind(dut);
    if (options.twin) {
      context_ = std::make_unique<VerilatedContext>();
      twin_ = std::make_unique<Core>(context_.get(), "twin");
    }
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice_.seed(seed);
    restart();
    for (unsigned long c = 0; c < cycles; ++c) {
      if (dice_.below(5000) == 0) {
        covers.hit("reset in the middle");
        restart();
      }
      if (c % 512 == 0) style_ = Style(dice_.below(4));
      launch_some();
      choose_eligible();
      turn();
    }
  }

 protected:
  // ---- worked examples: warp 0 alone, everybody eligible, everything takes the same time ----
  struct Example {
    SliceProgram program{Flow::NoPc};
    std::uint64_t taken = 0;  ///< lanes that take the one branch that may part
    unsigned fetch = 2, write = 6, resolve = 2;
    unsigned length = 0;  ///< of the block behind the branch
  };

  static FlowProgram::Instruction flow(Kind kind, std::uint64_t target = 0, std::uint64_t rpc = 0) {
    FlowProgram::Instruction instruction;
    instruction.kind = kind;
    instruction.target = target;
    instruction.rpc = rpc;
    return instruction;
  }
  /// d <- a; 0: none
  static ScoreboardHead registers(unsigned d, unsigned a) {
    ScoreboardHead head;
    if (d != 0) head.d = RegisterId::general(d);
    if (a != 0) head.a = RegisterId::general(a);
    return head;
  }

  /// From the launch on: `L0+3` is PC 0 on the left side, three cycles after the issue (or launch) before it.
  std::string issues_of(const Example& example) {
    example_ = &example;
    programs_ = {example.program};
    start();
    launch(0, 0, AllLanes);
    std::string text;
    unsigned since = 0;
    for (unsigned cycle = 0; cycle < 200 && (cycle < 4 || depth_[0].read() != 0); ++cycle) {
      allowed_ = Slots();
      allow_warp(0);
      turn();
      ++since;
      if (last_.valid != 0) {
        text += fmt::format("{}{}{}+{}", text.empty() ? "" : " ", last_.right != 0 ? 'R' : 'L', last_pc_, since);
        since = 0;
      }
    }
    for (unsigned n = 0; n < 12; ++n) turn();  // what was written last
    example_ = nullptr;
    return text;
  }

 private:
  /// Few: hardly anybody is eligible. Slow: fetch takes long. Stuck: writes take long.
  enum class Style { Mixed, Few, Slow, Stuck };

  /// An instruction that was issued and whose write, or whose branch, is to come.
  struct Flight {
    unsigned warp, right;
    std::uint64_t lanes, pc;
    unsigned long when;
  };

  /// Words that are under way to a slot.
  struct Fetched {
    std::vector<std::uint64_t> pcs;
    unsigned long when;
  };

  struct Slot {
    std::uint64_t next = 0;          ///< PC that is fetched next
    std::deque<std::uint64_t> held;  ///< PCs of the words that stand in the buffer
    std::deque<Fetched> coming;
  };

  static std::vector<std::string> cover_names() {
    std::vector<std::string> names{"a path issues in two cycles on end",
                                   "a head waits for a write",
                                   "a head waits for a free entry",
                                   "a slot is ready and another one issues",
                                   "ready, but not eligible",
                                   "words for a path that is gone are kept back",
                                   "a buffer is empty",
                                   "pushed and popped in one edge",
                                   "released as it would have issued",
                                   "launch",
                                   "ends with an exit",
                                   "branch parts lanes",
                                   "branch does not part lanes",
                                   "exit of some",
                                   "reset in the middle"};
    if (Shape::Calls) names.insert(names.end(), {"call", "return"});
    if (Own::Subdivides)
      names.insert(names.end(), {"a branch makes splits", "a branch uses the stack", "lanes join a split",
                                 "a split waits for a slot", "a split gives way to one that waits"});
    if (Own::HasBarriers)
      names.insert(names.end(), {"words of a group that is no longer picked are flushed", "a barrier operation",
                                 "each lane to a target of its own", "lanes wait for a CTA barrier",
                                 "a CTA barrier opens", "a release", "an answer"});
    else
      names.insert(names.end(), {"words of a jump's old path are flushed", "words for a redirected path are kept back",
                                 "ends at its RPC"});
    if (Paths == 2)
      names.insert(names.end(),
                   {"both paths of a warp in two cycles on end", "a head waits for a write of the other side",
                    "the sibling of a branch that is not resolved goes on", "one path waits and its sibling issues"});
    return names;
  }

  // ---- the state around the slice ----
  void restart() {
    programs_.clear();
    for (unsigned i = 0; i < 3; ++i) add_program(FlowProgram::random(dice_, Flow::NoPc));
    for (unsigned i = 0; Shape::Calls && i < 3; ++i) add_program(FlowProgram::with_calls(dice_, Flow::NoPc));
    add_program(FlowProgram::comb(dice_, Flow::NoPc, std::min(Lanes - 1, 6U)));
    if (Shape::Calls) add_program(FlowProgram::ladder(dice_, Flow::NoPc));
    start();
  }
  void add_program(const FlowProgram& flow) {
    programs_.emplace_back(flow, dice_);
    if (Own::HasBarriers) programs_.back().rpc = Flow::NoPc;  // nothing ends at an RPC: there is an exit behind it
  }

  void start() {
    requested_ = Resolve();
    allowed_ = Slots();
    if constexpr (Own::HasBarriers) own_.request = typename Own::Request();
    blank();
    rst_n.write(false);
    write();
    for (unsigned n = 0; n < 2; ++n) {
      settle();
      drive_twin(false);
      edge();
      rise();
    }
    rst_n.write(true);
    for (Lane& lane : lanes_) lane = Lane();
    slots_.assign(2 * Warps, {});
    flights_.clear();
    runs_.assign(Warps, 0);
    in_use_.assign(Warps, false);
    joined_.assign(Warps, 0);
    last_issue_.assign(Warps, cycle_);
    last_ = Grant();
  }

  /// The one of several that is looked at first; in an example always the same one.
  unsigned first_of(unsigned n) { return example_ != nullptr ? 0 : dice_.below(n); }
  Lane& lane(unsigned warp, unsigned l) { return lanes_[warp * Lanes + l]; }
  Slot& slot(unsigned warp, unsigned right) { return slots_[2 * warp + right]; }
  const SliceProgram& program(unsigned warp) const { return programs_[runs_[warp]]; }
  Path path(unsigned warp, unsigned right) const { return right != 0 ? right_[warp].read() : left_[warp].read(); }
  static bool has(std::uint64_t set, unsigned at) { return (set >> at & 1) != 0; }
  bool has_control(unsigned warp) const {
    return std::any_of(flights_.begin(), flights_.end(), [&](const Flight& f) {
      return f.warp == warp && program(warp).at(f.pc).flow.kind != Kind::Plain;
    });
  }
  bool has_flights(unsigned warp) const {
    return std::any_of(flights_.begin(), flights_.end(), [&](const Flight& f) { return f.warp == warp; });
  }

  // ---- the SM: who starts, who is eligible ----
  void launch(unsigned warp, unsigned program_index, std::uint64_t some) {
    runs_[warp] = program_index;
    requested_ = resolve_of(ResolveOp::Launch, Side::Left, some, 0, program(warp).rpc, warp);
  }

  /// A warp starts when the one before it is done, with its last write.
  void launch_some() {
    const unsigned warp = dice_.below(Warps);
    if (in_use_[warp] || has_flights(warp) || dice_.below(4) != 0) return;
    const unsigned index = dice_.below(static_cast<unsigned>(programs_.size()));
    launch(warp, index, dice_.below(4) != 0 || programs_[index].is_comb ? AllLanes : (dice_() & AllLanes) | 1);
    covers.hit("launch");
  }

  void choose_eligible() {
    allowed_ = Slots();
    allowed_.left = allowed_.right = 0;
    const bool all = dice_.below(3) == 0;
    const std::uint64_t some_left = all ? All : style_ == Style::Few ? dice_() & dice_() & dice_() : dice_();
    const std::uint64_t some_right = all ? All : style_ == Style::Few ? dice_() & dice_() & dice_() : dice_();
    for (unsigned w = 0; w < Warps; ++w) allow_warp(w);
    allowed_.left = allowed_.left & some_left;
    allowed_.right = allowed_.right & some_right;
  }

  /// Behind a branch nothing of its path issues before it is resolved; its sibling does, but no second branch (the SM
  /// holds that back too).
  void allow_warp(unsigned w) {
    const bool unresolved = has_control(w);
    for (unsigned right = 0; right < 2; ++right) {
      bool may = true;
      if (unresolved) {
        const auto& held = slot(w, right).held;
        may = !waits(w, right) && !held.empty() && program(w).at(held.front()).flow.kind == Kind::Plain;
      }
      auto& side = right != 0 ? allowed_.right : allowed_.left;
      if (may) side = side | std::uint64_t(1) << w;
    }
  }
  /// The path of this slot has its branch under way.
  bool waits(unsigned w, unsigned right) {
    const std::uint64_t mask = path(w, right).mask;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has(mask, l) && lane(w, l).waits()) return true;
    }
    return false;
  }

  /// A split gives way: never beside a resolve, nor while its branch is under way, and it does not issue in that cycle.
  void give_way() {
    if constexpr (Own::Subdivides) {
      own_.yield = gave_way_ = Grant();
      const unsigned w = dice_.below(Warps), right = dice_.below(2);
      if (requested_.op != 0 || example_ != nullptr || dice_.below(8) != 0 || path(w, right).mask == 0 ||
          waits(w, right))
        return;
      own_.yield = ControlFlowRequests<Flow>::grant_of(Side(right), w);
      auto& side = right != 0 ? allowed_.right : allowed_.left;
      side = side & ~(std::uint64_t(1) << w);
      if (own_.splits(w) <= 2) return;
      covers.hit("a split gives way to one that waits");
      gave_way_ = own_.yield;
    }
  }

  // ---- fetch: words of a slot in order, one slot's at a time ----
  void deliver() {
    const unsigned from = first_of(2 * Warps);
    pushed_.clear();
    push_record_ = typename Buffer::Push();
    for (unsigned n = 0; n < 2 * Warps && pushed_.empty(); ++n) {
      const unsigned s = (from + n) % (2 * Warps);
      Slot& its = slots_[s];
      if (its.coming.empty() || its.coming.front().when > cycle_) continue;
      pushed_ = its.coming.front().pcs;
      its.coming.pop_front();
      push_record_.count = pushed_.size();
      push_record_.warp = s / 2;
      push_record_.right = s % 2;
    }
  }

  /// It hears of a path that is redirected or gone in the cycle in which the slice does: what is delivered then is stale.
  void hear() {
    const Status status = status_.read();
    for (unsigned s = 0; s < Paths * Warps; ++s) {
      const unsigned w = s / Paths, right = s % Paths;
      const bool redirected = has(right != 0 ? status.redirected_right : status.redirected_left, w);
      const bool valid = has(right != 0 ? status.valid_right : status.valid_left, w);
      if (valid && !redirected) continue;
      Slot& its = slot(w, right);
      if (Own::HasBarriers)
        covers.hit("words of a group that is no longer picked are flushed", !valid && !its.held.empty());
      else
        covers.hit("words of a jump's old path are flushed", redirected && !its.held.empty());
      if (push_record_.count != 0 && push_record_.warp == w && push_record_.right == right) {
        covers.hit(redirected ? "words for a redirected path are kept back"
                              : "words for a path that is gone are kept back");
        pushed_.clear();
      }
      its.held.clear();
      its.coming.clear();
      its.next = path(w, right).pc;
    }
  }

  void fetch() {
    const Status status = status_.read();
    const unsigned from = first_of(Paths * Warps);
    for (unsigned n = 0; n < Paths * Warps; ++n) {
      const unsigned w = (from + n) % (Paths * Warps) / Paths, right = (from + n) % Paths;
      if (!has(right != 0 ? status.valid_right : status.valid_left, w)) continue;
      Slot& its = slot(w, right);
      std::size_t words = its.held.size();
      if (push_record_.warp == w && push_record_.right == right) words += pushed_.size();
      for (const Fetched& one : its.coming) words += one.pcs.size();
      if (words >= Shape::Room) continue;
      Fetched one;
      const std::size_t count = std::min<std::size_t>(Shape::Width, Shape::Room - words);
      for (std::size_t k = 0; k < (example_ != nullptr ? count : 1 + dice_.below(unsigned(count))); ++k)
        one.pcs.push_back(its.next++ & Flow::NoPc);
      one.when = cycle_ + (example_ != nullptr ? example_->fetch : 1 + dice_.below(style_ == Style::Slow ? 40 : 4));
      if (!its.coming.empty()) one.when = std::max(one.when, its.coming.back().when);
      its.coming.push_back(one);
      return;  // one a cycle
    }
  }

  // ---- lanes and units: what was issued comes back ----
  void come_back() {
    released_ = Release();
    if constexpr (Own::HasBarriers) own_.request = typename Own::Request();
    returned_ = flights_.end();
    resolved_ = flights_.end();
    const unsigned from = flights_.empty() ? 0 : first_of(unsigned(flights_.size()));
    for (std::size_t n = 0; n < flights_.size(); ++n) {
      const auto it = flights_.begin() + std::ptrdiff_t((from + n) % flights_.size());
      if (it->when > cycle_) continue;
      const SliceProgram& its = program(it->warp);
      if (its.at(it->pc).flow.kind == Kind::Plain) {
        if (returned_ != flights_.end()) continue;
        returned_ = it;
        released_.valid = 1;
        released_.warp = it->warp;
        released_.right = it->right;
        released_.id = its.head(it->pc).d;
      } else if (requested_.op == 0 && resolved_ == flights_.end()) {
        resolved_ = it;
        requested_ = outcome(*it);
        if (example_ == nullptr) ask_barriers(*it);
      }
    }
    open_a_barrier();
  }

  // ---- what barriers are asked ----
  /// Where all lanes go to the next PC they may do something on the way; where some go elsewhere, to targets of their own.
  void ask_barriers(const Flight& of) {
    if constexpr (Own::HasBarriers) {
      static constexpr BarrierOp OnTheWay[] = {BarrierOp::Join, BarrierOp::Join,   BarrierOp::Join, BarrierOp::Wait,
                                               BarrierOp::Wait, BarrierOp::Wait,   BarrierOp::Join, BarrierOp::Wait,
                                               BarrierOp::Copy, BarrierOp::Cancel, BarrierOp::Take, BarrierOp::Save,
                                               BarrierOp::Park, BarrierOp::Arrive, BarrierOp::Yield};
      const bool branches = requested_.op == unsigned(ResolveOp::Branch);
      const bool on = requested_.lanes == 0 ||
                      (branches && program(of.warp).at(of.pc).flow.kind == Kind::Branch && dice_.below(3) == 0);
      const bool elsewhere = branches && !on;
      if (dice_.below(4) == 0 || (!on && !elsewhere)) return;
      own_.request.op = unsigned(elsewhere ? BarrierOp::Jump : OnTheWay[dice_.below(std::size(OnTheWay))]);
      own_.request.warp = of.warp;
      own_.request.lanes =
          elsewhere ? std::uint64_t(requested_.lanes) : of.lanes & (dice_.below(3) != 0 ? AllLanes : dice_());
      own_.request.index = dice_.below(std::min(Own::Barriers, 2U));
      // All join two first, so that groups that wait at one each wait for each other.
      if (!elsewhere && joined_[of.warp] < std::min(Own::Barriers, 2U)) {
        own_.request.op = unsigned(BarrierOp::Join);
        own_.request.lanes = of.lanes;
        own_.request.index = joined_[of.warp]++;
      } else if (own_.op() == BarrierOp::Wait) {
        if (has(of.lanes, 0)) own_.request.index = 0;
      }
      own_.request.source = dice_.below(Own::Barriers);
      own_.request.value = dice_() & AllLanes;
      for (unsigned l = 0; l < Lanes; ++l)
        own_.targets[l] = has(own_.request.lanes, l) ? std::uint64_t(requested_.target) : dice_() & Flow::NoPc;
      requested_ = Resolve();
    }
  }

  /// Now and then a CTA barrier opens, beside no other operation: no path's.
  void open_a_barrier() {
    if constexpr (Own::HasBarriers) {
      own_.busy = example_ != nullptr ? 0 : dice_() & All;
      if (example_ != nullptr || requested_.op != 0 || own_.request.op != 0 || dice_.below(8) != 0) return;
      own_.request.op = unsigned(BarrierOp::Open);
      own_.request.warp = dice_.below(Warps);
    }
  }

  /// Lane by lane: on, or to the target.
  void carry_out_barriers() {
    if constexpr (Own::HasBarriers) {
      const auto op = own_.op();
      if (op == BarrierOp::None) return;
      covers.hit("a CTA barrier opens", op == BarrierOp::Open);
      if (op == BarrierOp::Open) return;
      covers.hit(op == BarrierOp::Jump ? "each lane to a target of its own" : "a barrier operation");
      covers.hit("lanes wait for a CTA barrier", op == BarrierOp::Park);
      for (unsigned l = 0; l < Lanes; ++l) {
        if (has(resolved_->lanes, l))
          lane(resolved_->warp, l).branch(op == BarrierOp::Jump && has(own_.request.lanes, l), own_.targets[l]);
      }
    }
  }

  /// After the edge, what the unit did beside: own_.busy is of the cycle before.
  void look_at_barriers() {
    if constexpr (Own::HasBarriers) {
      const auto release = own_.release();
      covers.hit("a release", release.valid != 0);
      covers.hit("an answer", own_.answers());
      check.is_true("nobody is released while busy", release.valid == 0 || !has(own_.busy, release.warp));
    }
  }

  Resolve outcome(const Flight& of) {
    const SliceProgram& its = program(of.warp);
    const FlowProgram::Instruction& head = its.at(of.pc).flow;
    const unsigned depth = depth_[of.warp].read();
    const std::uint64_t own = of.lanes;
    Resolve resolve = resolve_of(ResolveOp::Branch, Side(of.right), 0, head.target, head.rpc, of.warp);
    if constexpr (Own::Subdivides)
      own_.length = example_ != nullptr ? example_->length : dice_.below(2 * Own::Threshold);
    switch (head.kind) {
      case Kind::Jump:
        resolve.lanes = own;
        break;
      case Kind::Exit:
      case Kind::ExitAll:
        resolve.op = unsigned(ResolveOp::Exit);
        resolve.lanes = head.kind == Kind::ExitAll ? own : own & dice_();
        break;
      case Kind::Call:
        if (depth + 1 <= Shape::Depth && (its.is_ladder || dice_.below(2 + depth) == 0)) {
          resolve.op = unsigned(ResolveOp::Call);
          resolve.lanes = own;
        }
        break;
      case Kind::Return:
        resolve.lanes = own;
        resolve.target = Flow::NoPc;
        break;
      default:
        resolve.lanes = example_ != nullptr ? example_->taken : some_of(own, its.is_comb, head.back);
        if (depth + Shape::Pushed > Shape::Depth && resolve.lanes != own) part_in_last_entries(resolve, head.back);
        break;
    }
    return resolve;
  }
  /// Nobody parts there; or as splits, which need no entry, and have a place a lane.
  void part_in_last_entries(Resolve& resolve, bool back) {
    const Flight& of = *resolved_;
    if constexpr (Own::Subdivides)
      own_.length = 0;
    else
      resolve.lanes = back || dice_.below(2) != 0 ? 0 : of.lanes;
  }
  std::uint64_t some_of(std::uint64_t own, bool is_comb, bool back) {
    const unsigned how = dice_.below(8);
    if (is_comb || how == 4) return own & (own - 1);
    if (how < 3) return own & dice_() & (back ? dice_() : ~std::uint64_t(0));
    if (how == 3) return own & (~own + 1);
    return how == 5 && !back ? own : 0;
  }

  void carry_out(const Resolve& resolve) {
    const unsigned w = resolve.warp;
    if (resolve.op == unsigned(ResolveOp::Launch)) {
      in_use_[w] = true;
      joined_[w] = 0;
      last_issue_[w] = cycle_;
      for (unsigned l = 0; l < Lanes; ++l) {
        lane(w, l) = Lane();
        if (has(resolve.lanes, l)) lane(w, l).start(0, resolve.rpc);
      }
      return;
    }
    const Flight of = *resolved_;
    const Kind kind = program(w).at(of.pc).flow.kind;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (!has(of.lanes, l)) continue;
      const bool chosen = has(resolve.lanes, l);
      if (resolve.op == unsigned(ResolveOp::Exit))
        lane(w, l).leave(chosen);
      else if (resolve.op == unsigned(ResolveOp::Call))
        lane(w, l).call(resolve.target);
      else if (chosen && resolve.target == Flow::NoPc)
        lane(w, l).come_back();
      else
        lane(w, l).branch(chosen, resolve.target);
    }
    const bool parts = resolve.lanes != 0 && resolve.lanes != of.lanes;
    covers.hit("branch parts lanes", kind == Kind::Branch && parts);
    covers.hit("branch does not part lanes", kind == Kind::Branch && !parts);
    covers.hit("exit of some", kind == Kind::Exit && parts);
    if (Shape::Calls) {
      covers.hit("call", resolve.op == unsigned(ResolveOp::Call));
      covers.hit("return", kind == Kind::Return);
    }
  }

  // ---- one cycle ----
  void blank() {
    push_record_ = typename Buffer::Push();
    pushed_.clear();
    released_ = Release();
  }

  void write() {
    eligible_.write(allowed_);
    resolve_.write(requested_);
    push_.write(push_record_);
    release_.write(released_);
    own_.write();
    for (unsigned k = 0; k < Shape::Width; ++k) {
      PortBits bits(Shape::WordBits);
      if (k < push_words_.size()) bits.put(0, push_words_[k]);
      word_[k].write(bits.template get<sc_uint<Shape::WordBits>>(0));
    }
  }

  void turn() {
    deliver();
    push_words_.clear();
    for (const std::uint64_t pc : pushed_)
      push_words_.push_back(program(push_record_.warp).template word<Shape::WordBits>(pc));
    come_back();
    give_way();
    write();
    settle();
    drive_twin(true);
    hear();
    fetch();
    look();
    issue();
    if (check.differences() != 0)
      throw std::runtime_error("what issues may not: the blocks need not bear what follows");
    if (requested_.op != 0) carry_out(requested_);
    carry_out_barriers();
    end_flights();
    for (const std::uint64_t pc : pushed_) slot(push_record_.warp, push_record_.right).held.push_back(pc);
    requested_ = Resolve();
    edge();
    rise();
    ++cycle_;
    look_at_splits();
    look_at_barriers();
    for (unsigned w = 0; w < Warps; ++w) look_at_end(w);
  }

  /// What issues, lane by lane.
  void issue() {
    const Grant grant = grant_.read();
    if (grant.valid != 0) {
      const unsigned w = grant.warp, right = grant.right;
      const Path path = this->path(w, right);
      const auto head = right != 0 ? buffer_right_[w].read() : buffer_left_[w].read();
      Slot& its = slot(w, right);
      check.is_true("the slot that issues is eligible", has(right != 0 ? allowed_.right : allowed_.left, w));
      check.is_true("it has lanes", path.mask != 0);
      check.equal("words in its buffer", unsigned(head.count), unsigned(its.held.size()));
      const SliceProgram& its_program = program(w);
      const std::uint64_t pc = path.pc;
      PortBits word(Shape::WordBits);
      word.put(0, head.word);
      check.equal("the word that issues", word.template get<Word>(0), its_program.template word<Shape::WordBits>(pc));
      const SliceInstruction& instruction = its_program.at(pc);
      for (unsigned l = 0; l < Lanes; ++l) {
        if (!has(path.mask, l)) continue;
        check.equal("why the instruction may not issue for a lane", lane(w, l).refuses(pc, instruction), std::string());
        lane(w, l).issue(instruction);
      }
      const auto writes = std::count_if(flights_.begin(), flights_.end(), [&](const Flight& f) {
        return f.warp == w && (Paths == 1 || f.right == right) && program(w).at(f.pc).flow.kind == Kind::Plain;
      });
      check.is_true("there is a place for its write", instruction.writes == 0 || writes < Shape::Entries);
      covers.hit("a path issues in two cycles on end", last_.valid != 0 && last_.warp == w && last_.right == right);
      if (Paths == 2) {
        covers.hit("both paths of a warp in two cycles on end",
                   last_.valid != 0 && last_.warp == w && last_.right != right);
        covers.hit("the sibling of a branch that is not resolved goes on", has_control(w));
      }
      covers.hit("pushed and popped in one edge",
                 !pushed_.empty() && push_record_.warp == w && push_record_.right == right);
      if (!its.held.empty()) its.held.pop_front();
      last_pc_ = pc;
      last_issue_[w] = cycle_;
      if (instruction.flow.kind != Kind::Plain || instruction.writes != 0)
        started_.push_back({w, right, path.mask, pc, cycle_ + time_of(instruction.flow.kind)});
    }
    last_ = grant;
  }

  unsigned time_of(Kind kind) {
    if (example_ != nullptr) return kind == Kind::Plain ? example_->write : example_->resolve;
    return kind == Kind::Plain && style_ == Style::Stuck ? 50 + dice_.below(800) : 1 + dice_.below(20);
  }

  void end_flights() {
    if (returned_ != flights_.end()) {
      for (unsigned l = 0; l < Lanes; ++l) {
        if (has(returned_->lanes, l))
          lane(returned_->warp, l).written(program(returned_->warp).at(returned_->pc).writes);
      }
      returned_->when = Done;
    }
    if (resolved_ != flights_.end()) resolved_->when = Done;
    flights_.erase(std::remove_if(flights_.begin(), flights_.end(), [](const Flight& f) { return f.when == Done; }),
                   flights_.end());
    flights_.insert(flights_.end(), started_.begin(), started_.end());
    started_.clear();
  }

  /// Before the edge: a slot for which nothing is under way issues, or another one does; and what waits for what.
  void look() {
    const Status status = status_.read();
    const Grant grant = grant_.read();
    for (unsigned s = 0; s < Paths * Warps; ++s) {
      const unsigned w = s / Paths, right = s % Paths;
      const bool valid = has(right != 0 ? status.valid_right : status.valid_left, w);
      const bool redirected = has(right != 0 ? status.redirected_right : status.redirected_left, w);
      check.is_true("who has no word waits for nothing", has_head(w, right) || !waits_for(w, right));
      if (!valid || redirected) continue;
      const bool has_word = !slot(w, right).held.empty(),
                 eligible = has(right != 0 ? allowed_.right : allowed_.left, w);
      const auto hazard = hazard_[w].read();
      const unsigned own = right != 0 ? hazard.own_right : hazard.own_left;
      const unsigned shadow = right != 0 ? hazard.shadow_right : hazard.shadow_left;
      const unsigned full = right != 0 ? hazard.full_right : hazard.full_left;
      const bool issues = grant.valid != 0 && grant.warp == w && grant.right == right;
      covers.hit("a buffer is empty", !has_word && eligible);
      if (!has_word) continue;
      if (eligible && !has_flights(w)) check.is_true("a head for which nothing is under way issues", grant.valid != 0);
      const bool waits = (own | shadow | full) != 0;
      covers.hit("a head waits for a write", own != 0);
      covers.hit("a head waits for a free entry", full != 0 && (own | shadow) == 0);
      covers.hit("a slot is ready and another one issues", eligible && !waits && !issues && grant.valid != 0);
      covers.hit("ready, but not eligible", !eligible && !waits);
      covers.hit("released as it would have issued",
                 eligible && own != 0 && released_.valid != 0 && released_.warp == w);
      if (Paths == 2) {
        covers.hit("a head waits for a write of the other side", shadow != 0 && own == 0);
        covers.hit("one path waits and its sibling issues",
                   eligible && waits && grant.valid != 0 && grant.warp == w && !issues);
      }
      check.is_true("everybody comes on", cycle_ - last_issue_[w] < Patience);
    }
  }

  bool has_head(unsigned w, unsigned right) const {
    return (right != 0 ? buffer_right_[w].read().count : buffer_left_[w].read().count) != 0;
  }
  bool waits_for(unsigned w, unsigned right) const {
    const auto hazard = hazard_[w].read();
    return (right != 0 ? hazard.own_right | hazard.shadow_right | hazard.full_right
                       : hazard.own_left | hazard.shadow_left | hazard.full_left) != 0;
  }

  /// After the edge, what it did to the splits.
  void look_at_splits() {
    if constexpr (Own::Subdivides) {
      covers.hit("a branch makes splits", own_.events().divided != 0);
      covers.hit("lanes join a split", own_.events().joined != 0);
      const std::uint64_t redirected =
          gave_way_.right != 0 ? status_.read().redirected_right : status_.read().redirected_left;
      check.is_true("who gives way loses its slot", gave_way_.valid == 0 || has(redirected, gave_way_.warp));
      for (unsigned w = 0; w < Warps; ++w) {
        covers.hit("a branch uses the stack", depth_[w].read() > 1);
        covers.hit("a split waits for a slot", own_.splits(w) > 2);
      }
    }
  }

  /// After the edge: a warp that has no entry left has no lane left.
  void look_at_end(unsigned w) {
    if (!in_use_[w] || depth_[w].read() != 0) return;
    in_use_[w] = false;
    unsigned living = 0;
    for (unsigned l = 0; l < Lanes; ++l) living += lane(w, l).lives();
    check.equal("lanes of a warp that is done and have not come to their end", living, 0U);
    covers.hit(program(w).rpc == Flow::NoPc ? "ends with an exit" : "ends at its RPC");
  }

  // ---- the twin ----
  void drive_twin(bool compares) {
    if (!twin_) return;
    twin_->clk_i = 0;
    twin_->rst_ni = rst_n.read();
    to_port(eligible_.read(), twin_->eligible_i);
    to_port(resolve_.read(), twin_->resolve_i);
    to_port(push_.read(), twin_->push_i);
    to_port(release_.read(), twin_->release_i);
    array_to_port<sc_uint<Shape::WordBits>>(word_, twin_->word_i);
    own_.drive(*twin_);
    twin_->eval();
    if (!compares) return;
    check.equal("grant_o of the twin", from_port<Grant>(twin_->grant_o), grant_.read());
    check.equal("status_o of the twin", from_port<Status>(twin_->status_o), status_.read());
    check.equal("idle_o of the twin", twin_->idle_o != 0, idle_.read());
    same("buffer_left_o of the twin", twin_->buffer_left_o, buffer_left_);
    same("buffer_right_o of the twin", twin_->buffer_right_o, buffer_right_);
    same("left_o of the twin", twin_->left_o, left_);
    same("right_o of the twin", twin_->right_o, right_);
    same("depth_o of the twin", twin_->depth_o, depth_);
    same("hazard_o of the twin", twin_->hazard_o, hazard_);
    own_.compare(check, *twin_);
  }
  template <class Port, class Signals>
  void same(const char* what, const Port& port, const Signals& signals) {
    using Value = std::decay_t<decltype(signals[0].read())>;
    const PortBits bits = PortBits::of(port);
    for (unsigned w = 0; w < Warps; ++w)
      check.equal(what, bits.template get<Value>(w * bits_of<Value>), signals[w].read());
  }
  void rise() {
    if (!twin_) return;
    twin_->clk_i = 1;
    twin_->eval();
  }

  static constexpr unsigned long Done = ~0UL, Patience = 6000;

  sc_core::sc_signal<Slots> eligible_{"eligible"};
  sc_core::sc_signal<Resolve> resolve_{"resolve"};
  sc_core::sc_signal<typename Buffer::Push> push_{"push"};
  sc_core::sc_vector<sc_core::sc_signal<typename Buffer::Word>> word_{"word", Shape::Width};
  sc_core::sc_signal<Release> release_{"release"};
  sc_core::sc_vector<sc_core::sc_signal<typename Buffer::Head>> buffer_left_{"buffer_left", Warps},
      buffer_right_{"buffer_right", Warps};
  sc_core::sc_signal<Grant> grant_{"grant"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Warps}, right_{"right", Warps};
  sc_core::sc_vector<sc_core::sc_signal<Count>> depth_{"depth", Warps};
  sc_core::sc_signal<Status> status_{"status"};
  sc_core::sc_vector<sc_core::sc_signal<ScoreboardHazard>> hazard_{"hazard", Warps};
  sc_core::sc_signal<bool> idle_{"idle"};
  Own own_;

 protected:
  Block dut;

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;

  Dice dice_;
  Style style_ = Style::Mixed;
  const Example* example_ = nullptr;
  std::vector<SliceProgram> programs_;
  std::vector<unsigned> runs_;
  std::vector<bool> in_use_;
  std::vector<unsigned> joined_;  ///< barriers, of those that all of a warp join first
  std::vector<Lane> lanes_;
  std::vector<Slot> slots_;
  std::vector<Flight> flights_, started_;
  typename std::vector<Flight>::iterator returned_, resolved_;
  std::vector<unsigned long> last_issue_;
  unsigned long cycle_ = 0;

  // The requests of a cycle
  Slots allowed_;
  Resolve requested_;
  Release released_;
  typename Buffer::Push push_record_;
  std::vector<std::uint64_t> pushed_;  ///< PCs of the words that are not kept back
  std::vector<Word> push_words_;
  Grant last_, gave_way_;
  std::uint64_t last_pc_ = 0;
};

}  // namespace heddle::bench
