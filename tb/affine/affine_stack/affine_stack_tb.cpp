// SPDX-License-Identifier: Apache-2.0
// Bench of the affine stack: block and twin in lockstep, and both against the plain stack of all threads. The bench
// plays the affine warp, which runs a program, and the predicate expansion unit, which tells the outcome of a branch.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <sstream>

#include "Vaffine_stack_isca17.h"
#include "Vaffine_stack_odd.h"
#include "Vaffine_stack_one.h"
#include "Vaffine_stack_tiny.h"
#include "Vaffine_stack_wide.h"
#include "rtl/affine/affine_stack/affine_stack.h"
#include "rtl/config/design_points.h"
#include "tb/affine/affine_stack/affine_stack_model.h"
#include "tb/bench/bench.h"
#include "tb/bench/control_flow_program.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/pc_places.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::AffineStackModel;
using bench::Bench;
using bench::Case;
using bench::FlowProgram;
using bench::IdleCheck;
using bench::Options;
using bench::PcPlaces;
using bench::PlacedProgram;
using bench::Threads;

template <unsigned Warps, unsigned Depth, unsigned LaneDepth>
std::vector<std::string> cover_names() {
  std::vector<std::string> names{"launch",
                                 "launch with partial warps",
                                 "the launch ends",
                                 "advance",
                                 "jump",
                                 "outcome of some lanes of a warp",
                                 "outcome with lanes that are not on the path",
                                 "branch: uniform, taken",
                                 "branch: uniform, not taken",
                                 "branch: lanes of a warp part",
                                 "branch: in place",
                                 "branch: one side is at the RPC",
                                 "branch: neither side is there",
                                 "exit of whole warps",
                                 "exit of some lanes",
                                 "exit of the rest of a warp",
                                 "a path is popped",
                                 "group of one warp whose lanes have exited",
                                 "group of one warp whose lanes have parted",
                                 "overflow of paths",
                                 "reset in the middle",
                                 "illegal request",
                                 "illegal outcome",
                                 "illegal next",
                                 "illegal launch",
                                 "idle beside an open branch, and not asked",
                                 "idle beside a path, and not asked"};
  const auto also = [&names](bool possible, std::vector<std::string> more) {
    if (possible) names.insert(names.end(), more.begin(), more.end());
  };
  also(Warps > 1, {"branch: warps part, no warp does", "outcome of several warps", "several groups",
                   "branch: between the lanes of one warp and whole others", "illegal outcome of several warps",
                   "illegal request before all groups"});
  also(Depth > 2, {"branch: both sides", "return to a path of which nobody is left"});
  also(LaneDepth < Depth, {"overflow of masks"});
  also(LaneDepth > 2, {"a warp parts again"});
  return names;
}

template <class A, unsigned PcBits, unsigned Depth, unsigned LaneDepth, class Core>
class StackBench : public Bench {
 public:
  using Dut = affine_stack<A, PcBits, Depth, LaneDepth>;
  using Request = typename Dut::Request;
  using Outcome = typename Dut::Outcome;
  using Path = typename Dut::Path;
  using Group = typename Dut::Group;
  using Event = typename Dut::Event;
  using Count = typename Dut::Count;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes),
                                 AllWarps = ~std::uint64_t(0) >> (64 - Warps), None = Dut::NoPc;
  /// Cycles until the next path runs: an exit of every warp, each path popped and looked through, and slack.
  static constexpr unsigned Patience = (Depth + 1) * (Warps + 3) + 4;

  explicit StackBench(const Options& options) : Bench(cover_names<Warps, Depth, LaneDepth>()) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.request_i(request_s);
    dut.outcome_i(outcome_s);
    dut.next_i(next_s);
    dut.path_o(path);
    dut.group_o(group);
    dut.depth_o(depth);
    dut.event_o(event);
    dut.idle_o(rests);
    shows("path_o", path), shows("group_o", group), shows("depth_o", depth), shows("event_o", event);
    shows("idle_o", rests);
    if (options.twin) {
      context = std::make_unique<VerilatedContext>();
      twin = std::make_unique<Core>(context.get(), "twin");
    }
  }

  std::vector<Case> cases() override {
    if (Warps < 2) return {};
    if (Warps != 2 || Lanes != 4) {
      return {{"batch", "DAC sec. 4.4", "48 warps in lock-step: only at the edges of an array do lanes part",
               [this] { big_batch(); }}};
    }
    return {{"scalar_loop", "DAC sec. 4.4", "a loop with the same count for all threads never asks for lanes",
             [this] { scalar_loop(); }},
            {"guard", "DAC sec. 4.4, ours", "if (tid >= 6) return: lanes 2 and 3 of the second warp leave",
             [this] { guard(); }},
            {"edge_in_a_warp", "DAC sec. 4.4, ours", "if (tid < 6): the first warp is on one side, the second on both",
             [this] { edge_in_a_warp(); }},
            {"edge_of_a_warp", "DAC sec. 4.4", "if (tid < 4): two sides at warp level, nobody asks for lanes",
             [this] { edge_of_a_warp(); }},
            {"nested", "DAC sec. 4.4, ours", "one warp parts twice, then exits on one side", [this] { nested(); }},
            {"lane_loop", "DESIGN 6.1, ours", "a loop that lanes leave one by one runs in place at both levels",
             [this] { lane_loop(); }},
            {"batch", "DAC sec. 4.1, 4.4", "two CTAs of three threads: both warps are partial, and whole",
             [this] { small_batch(); }},
            {"overflow", "ours", "past the last path, past the last mask of lanes: refused, nothing changes",
             [this] { overflow(); }},
            {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
  }

  /// Programs under random outcomes, legal; then any requests at all.
  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    tolerate();
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      anything = n >= cycles * 3 / 5;
      if (dice.below(3000) == 0) {
        covers.hit("reset in the middle", !model.done());
        start();
      }
      random_cycle();
    }
    fmt::print("branches: {}; at {} of them lanes of a warp part\n", branches, partings);
  }

 private:
  sc_core::sc_signal<Request> request_s{"request"};
  sc_core::sc_signal<Outcome> outcome_s{"outcome"};
  sc_core::sc_signal<bool> next_s{"next"};
  sc_core::sc_signal<Path> path{"path"};
  sc_core::sc_signal<Group> group{"group"};
  sc_core::sc_signal<Count> depth{"depth"};
  sc_core::sc_signal<Event> event{"event"};
  sc_core::sc_signal<bool> rests{"rests"};
  Dut dut{"dut"};
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Core> twin;

  using Model = AffineStackModel;
  Model model{Warps, Depth, LaneDepth, AllLanes, None};
  // The branch that is open
  std::uint64_t target = 0, meet = 0, left = 0, right = 0;
  Threads taken{Warps};
  bool open = false;
  unsigned popped = 0, waited = 0, named = 0;  // pops since the last request; cycles without a path; groups enqueued
  unsigned unnamed = 0;                        // cycles of the path without a group
  Outcome heard;                               // of the last cycle, judged in this one
  bool in_time = false;                        // ... while the branch was open
  IdleCheck idle_check{Patience};
  unsigned long refusals = 0, overflows = 0, branches = 0, partings = 0;

  bench::Dice dice;
  std::vector<FlowProgram> programs;
  PlacedProgram placed;
  const PlacedProgram* program = nullptr;
  const PcPlaces places{PcBits};
  std::uint64_t base = 0;  // of the PCs of any requests
  bool anything = false;
  bool by_warps = false;  // the comb loses a warp at a branch, not a lane of each
  Threads wish{Warps};    // of the random outcome of the open branch

  static std::uint64_t bit(unsigned warp) { return std::uint64_t(1) << warp; }

  void tolerate() override {
    expect_errors("affine_stack/illegal");
    expect_errors("affine_stack/overflow");
    if (context) context->assertOn(false);
  }

  void start() {
    for (unsigned i = 0; i < 2; ++i) cycle(Request(), Outcome(), false, true);
    programs.clear();
    for (unsigned i = 0; i < 6; ++i) {
      programs.push_back(i < 5 ? FlowProgram::random(dice, None)
                               : FlowProgram::comb(dice, None, std::max(Depth, LaneDepth) + 2));
    }
  }

  // ---- one cycle ----

  void replay_cycle(const RecordingReader& recorded) override {
    cycle(recorded.get<Request>("request_i"), recorded.get<Outcome>("outcome_i"), recorded.get<bool>("next_i"),
          !recorded.get<bool>("rst_ni"));
  }

  void cycle(const Request& request, const Outcome& outcome, bool next, bool resets = false) {
    rst_n.write(!resets);
    request_s.write(request);
    outcome_s.write(outcome);
    next_s.write(next);
    settle();
    if (twin) {
      twin->clk_i = 0;
      twin->rst_ni = !resets;
      bench::to_port(request, twin->request_i);
      bench::to_port(outcome, twin->outcome_i);
      twin->next_i = next;
      twin->eval();
      twin->clk_i = 1;
      twin->eval();
    }
    if (resets) {
      model = Model(Warps, Depth, LaneDepth, AllLanes, None);
      open = in_time = false;
      popped = waited = named = unnamed = 0;
      heard = Outcome();
    } else {
      const bool deciding = open && !model.done() && (left | right) != model.running().warp_mask();
      ask(request, next);
      heard = outcome;
      in_time = deciding;
    }
    const bool asked = resets || request.op != 0 || outcome.valid != 0 || next;
    covers.hit("idle beside an open branch, and not asked", rests.read() && open && !asked);
    covers.hit("idle beside a path, and not asked", rests.read() && path.read().valid != 0 && !asked);
    idle_check.before(rests.read(), asked, [this] { return view(); });
    const bool ran = depth.read() != 0;
    edge();
    covers.hit("the launch ends", ran && depth.read() == 0 && !resets);
    idle_check.after(check, rests.read(), [this] { return view(); });
    compare(resets);
  }

  /// The model's answer to what is asked in this cycle, or was told in the last one, and which of it is to be refused.
  void ask(const Request& request, bool next) {
    const Path now = path.read();
    const bool valid = now.valid != 0, idle = depth.read() == 0, committing = open && (left | right) == now.warps;
    const bool names = group.read().valid != 0;
    if (valid && model.done()) return;  // a difference, and reported
    if (next && !names) refuse("illegal next");
    const unsigned many = valid ? static_cast<unsigned>(model.groups().size()) : 0;
    const unsigned then = next && names ? (named + 1) % many : named;
    if (valid) named = then;

    if (committing) {
      covers.hit("branch: uniform, taken", right == 0);
      covers.hit("branch: uniform, not taken", left == 0);
      note_branch();
      model.branch(taken, target, meet);
      popped = 0;
      open = false;
    }
    if (heard.valid != 0) {
      if (committing || !open || !in_time)
        refuse("illegal outcome");
      else
        hear(heard);
    }
    const auto op = PathOp(unsigned(request.op));
    if (op == PathOp::None) return;
    if (idle && op == PathOp::Launch) {
      const bool bad = request.warps == 0 || (request.tail_warps & ~request.warps) != 0 ||
                       (request.tail_warps != 0 && request.tail_lanes == 0);
      if (bad) return refuse("illegal launch");
      Threads threads(Warps);
      for (unsigned w = 0; w < Warps; ++w) {
        if ((request.warps >> w & 1) == 0) continue;
        threads[w] = (request.tail_warps >> w & 1) != 0 ? std::uint64_t(request.tail_lanes) : AllLanes;
      }
      model.launch(threads, request.target, request.rpc);
      popped = 0;
      covers.hit("launch");
      covers.hit("launch with partial warps", request.tail_warps != 0 && request.tail_lanes != AllLanes);
      return;
    }
    if (!valid || op == PathOp::Launch || unsigned(request.op) > 5) return refuse("illegal request");
    if (then != 0) return refuse("illegal request before all groups");
    popped = 0;
    switch (op) {
      case PathOp::Advance:
        covers.hit("advance");
        model.go(model.fall());
        break;
      case PathOp::Jump:
        covers.hit("jump");
        model.go(request.target);
        break;
      case PathOp::Branch:
        open = true;
        target = request.target;
        meet = request.rpc;
        left = right = 0;
        taken = Threads(Warps);
        break;
      default:
        note_exit();
        model.exit();
        break;
    }
  }

  void refuse(const char* why) {
    ++refusals;
    covers.hit(why);
  }

  /// An outcome while the branch is open.
  void hear(const Outcome& outcome) {
    const std::uint64_t warps = outcome.warps, running = model.running().warp_mask();
    const bool several = (warps & (warps - 1)) != 0;
    const bool mixes = outcome.lanes != 0 && outcome.lanes != AllLanes;
    if (several && mixes) return refuse("illegal outcome of several warps");
    if (warps == 0 || (warps & ~(running & ~(left | right))) != 0) return refuse("illegal outcome");
    std::uint64_t then_left = left, then_right = right;
    bool lane_room = true;
    for (unsigned w = 0; w < Warps; ++w) {
      if ((warps >> w & 1) == 0) continue;
      const std::uint64_t own = model.running()[w], take = outcome.lanes & own;
      if (take != 0) then_left |= bit(w);
      if (take != own) then_right |= bit(w);
      if (take != 0 && take != own && !model.has_lane_room(w, target, meet)) lane_room = false;
    }
    if (then_left != 0 && then_right != 0 && !model.has_room(target, meet)) {
      covers.hit("overflow of paths");
      ++overflows;
    } else if (!lane_room) {
      covers.hit("overflow of masks");
      ++overflows;
    } else {
      left = then_left;
      right = then_right;
      for (unsigned w = 0; w < Warps; ++w) {
        if ((warps >> w & 1) != 0) taken[w] = outcome.lanes & model.running()[w];
      }
      covers.hit("outcome of several warps", several);
      if (!several) {
        const std::uint64_t own = model.running()[lowest_set(warps)], take = outcome.lanes & own;
        covers.hit("outcome of some lanes of a warp", take != 0 && take != own);
        covers.hit("outcome with lanes that are not on the path", (outcome.lanes & ~own) != 0);
      }
    }
  }

  void note_branch() {
    const unsigned sides = (target != meet) + (model.fall() != meet);
    const std::uint64_t parted = left & right;
    if (left == 0 || right == 0) return;
    covers.hit("branch: lanes of a warp part", parted != 0);
    covers.hit("branch: warps part, no warp does", parted == 0);
    covers.hit("branch: between the lanes of one warp and whole others", parted != 0 && parted != (left | right));
    covers.hit("branch: in place", meet == model.meet() && sides != 0);
    covers.hit("branch: both sides", sides == 2);
    covers.hit("branch: one side is at the RPC", sides == 1);
    covers.hit("branch: neither side is there", sides == 0);
    for (unsigned w = 0; w < Warps; ++w) {
      covers.hit("a warp parts again", (parted >> w & 1) != 0 && model.masks(w) != 0);
    }
  }

  void note_exit() {
    for (unsigned w = 0; w < Warps; ++w) {
      const std::uint64_t own = model.running()[w];
      if (own == 0) continue;
      covers.hit("exit of whole warps", model.whole(w));
      covers.hit("exit of some lanes", own != model.live()[w]);
      covers.hit("exit of the rest of a warp", own == model.live()[w] && !model.whole(w));
    }
  }

  std::string view() const {
    std::ostringstream text;
    text << path.read() << group.read() << depth.read() << event.read() << dut.live_warps();
    for (unsigned w = 0; w < Warps; ++w) text << ' ' << dut.lane_depth(w);
    return text.str();
  }

  void compare(bool resets) {
    if (twin) {
      check.equal("path_o of the twin", bench::from_port<Path>(twin->path_o), path.read());
      check.equal("group_o of the twin", bench::from_port<Group>(twin->group_o), group.read());
      check.equal("depth_o of the twin", bench::from_port<Count>(twin->depth_o), depth.read());
      check.equal("event_o of the twin", bench::from_port<Event>(twin->event_o), event.read());
      check.equal("idle_o of the twin", twin->idle_o != 0, rests.read());
    }
    const Path now = path.read();
    const Event did = event.read();
    const Group names = group.read();
    check.equal("requests refused by name", errors("affine_stack/illegal"), refusals);
    check.equal("overflows named", errors("affine_stack/overflow"), overflows);
    check.equal("a branch waits", now.open != 0, open);
    if (resets) {
      check.equal("nothing runs after a reset", now, Path());
      check.equal("no path after a reset", depth.read().to_uint(), 0U);
      check.is_true("idle after a reset", rests.read());
    }
    const bool committed = !open && now.open == 0 && did.branch != 0;
    if (committed) {
      check.equal("two sides", did.divergent != 0, left != 0 && right != 0);
      check.equal("lanes part", did.parted != 0, (left & right) != 0);
      ++branches;
      partings += (left & right) != 0;
    }
    popped += did.pop != 0;
    covers.hit("a path is popped", did.pop != 0);
    covers.hit("return to a path of which nobody is left", did.pop != 0 && now.valid == 0 && now.warps == 0);

    // A path runs as soon as the work on the one before is done, and it is the one of the plain stack.
    if (now.valid != 0) {
      waited = 0;
      check.is_true("somebody is left to run", !model.done());
      if (!model.done()) {
        check.equal("PC", now.pc.to_uint64(), model.pc());
        check.equal("warps", now.warps.to_uint64(), model.running().warp_mask());
        check.equal("paths", depth.read().to_uint(), model.depth());
        check.equal("pops", popped, model.pops());
      }
    } else if (open && !model.done()) {
      waited = 0;
      check.equal("PC of the branch", now.pc.to_uint64(), model.pc());
      check.equal("warps of the branch", now.warps.to_uint64(), model.running().warp_mask());
    } else if (depth.read() == 0) {
      waited = 0;
      check.is_true("nobody is left", model.done());
    } else {
      check.is_true("a path runs at last", ++waited < Patience);
    }

    // The groups name every thread of the path once, the whole warps together.
    if (now.valid == 0) {
      check.equal("no group", names, Group());
      named = 0;
    } else if (names.valid != 0 && !model.done()) {
      const auto groups = model.groups();
      check.is_true("no more groups than there are", named < groups.size());
      if (named >= groups.size()) named = 0;
      Group expected;
      expected.valid = 1;
      expected.warps = groups[named].warps;
      expected.lanes = groups[named].lanes;
      expected.last = groups[named].last;
      check.equal("group", names, expected);
      covers.hit("several groups", groups.size() > 1);
      const unsigned first = lowest_set(std::uint64_t(names.warps));
      const bool whole = names.lanes == AllLanes, alone = model.running()[first] == model.live()[first];
      covers.hit("group of one warp whose lanes have exited", alone && !whole);
      covers.hit("group of one warp whose lanes have parted", !alone);
    }
    // Whole warps are named at once, lanes of one warp must be read first.
    unnamed = now.valid == 0 || names.valid != 0 || model.done() ? 0 : unnamed + 1;
    check.is_true("a group is named in the second cycle of a path, or the third",
                  unnamed <= 1 || (unnamed == 2 && !model.whole(lowest_set(model.groups().front().warps))));
  }

  // ---- constrained random ----

  std::uint64_t some_pc() { return dice.below(24) == 0 ? None : places.near(dice, base, 6); }

  Request request_of(PathOp op, std::uint64_t to = 0, std::uint64_t meet_at = 0) {
    Request request;
    request.op = unsigned(op);
    request.target = to;
    request.rpc = meet_at;
    return request;
  }

  Request some_launch() {
    by_warps = dice.below(2) == 0;
    base = places.base(dice, 8);
    placed = PlacedProgram(programs[dice.below(static_cast<unsigned>(programs.size()))], places, dice);
    program = anything ? nullptr : &placed;
    Request request = request_of(PathOp::Launch, program == nullptr ? some_pc() : program->start(),
                                 program == nullptr ? (dice.below(4) == 0 ? some_pc() : None) : program->rpc());
    request.warps = dice.below(3) != 0 ? AllWarps : dice.below(16) == 0 ? 0 : dice() & AllWarps;
    if (dice.below(2) == 0) {
      request.tail_warps = dice.below(2) == 0 ? dice() : std::uint64_t(1) << dice.below(Warps);
      request.tail_lanes = AllLanes >> dice.below(Lanes);
      if (dice.below(8) != 0) request.tail_warps = request.tail_warps & request.warps;
    }
    return request;
  }

  Request some_request() {
    if (anything) {
      const unsigned how = dice.below(32);
      const PathOp op = how < 8    ? PathOp::Advance
                        : how < 12 ? PathOp::Jump
                        : how < 28 ? PathOp::Branch
                        : how < 31 ? PathOp::Exit
                                   : PathOp::Launch;
      Request request = request_of(op, some_pc(), some_pc());
      if (!model.done() && dice.below(3) == 0) request.rpc = model.meet();
      if (how == 31) request.op = dice.below(8);
      return request;
    }
    const FlowProgram::Instruction head = program->at(model.pc());
    switch (head.kind) {
      case FlowProgram::Kind::Branch:
        return request_of(PathOp::Branch, head.target, head.rpc);
      case FlowProgram::Kind::Jump:
        return request_of(PathOp::Jump, head.target);
      case FlowProgram::Kind::Exit:  // of some lanes: those branch to where all leave
        return request_of(PathOp::Branch, None - 1, None);
      case FlowProgram::Kind::ExitAll:
        return request_of(PathOp::Exit);
      default:
        return request_of(PathOp::Advance);
    }
  }

  /// What the threads of the open branch do: mostly all the same, or each warp as one.
  Threads some_outcome() {
    Threads some(Warps);
    if (program != nullptr && program->is_comb()) {  // a lane or a warp at a time, to the full depth
      const unsigned first = lowest_set(model.running().warp_mask());
      for (unsigned w = 0; w < Warps; ++w) {
        some[w] = by_warps ? (w == first ? 0 : AllLanes) : model.running()[w] & (model.running()[w] - 1);
      }
      return some;
    }
    const unsigned how = dice.below(16);
    const bool all = dice.below(2) != 0;
    const unsigned edge_warp = dice.below(Warps);
    for (unsigned w = 0; w < Warps; ++w) {
      if (how < 4)
        some[w] = all ? AllLanes : 0;
      else if (how < 8)
        some[w] = dice.below(2) != 0 ? AllLanes : 0;
      else if (how < 13)
        some[w] = w == edge_warp ? dice() : (w < edge_warp) == all ? AllLanes : 0;
      else
        some[w] = dice();
    }
    return some;
  }

  Outcome next_outcome() {
    Outcome outcome;
    const std::uint64_t told = heard.valid != 0 ? std::uint64_t(heard.warps) : 0;
    const std::uint64_t asked = model.running().warp_mask() & ~(left | right | told);
    if (asked == 0) return outcome;
    outcome.valid = 1;
    const unsigned warp = first_from(asked, dice.below(Warps));
    outcome.warps = bit(warp);
    const std::uint64_t own = model.running()[warp];
    outcome.lanes = (wish[warp] & own) | (dice() & ~own);
    const bool all = (wish[warp] & own) == own, none = (wish[warp] & own) == 0;
    if ((all || none) && dice.below(2) == 0) {  // and others with it
      std::uint64_t warps = 0;
      for (unsigned w = 0; w < Warps; ++w) {
        const std::uint64_t its = model.running()[w];
        if ((asked >> w & 1) != 0 && (wish[w] & its) == (all ? its : 0)) warps |= bit(w);
      }
      if (dice.below(2) == 0) warps &= dice() | bit(warp);
      outcome.warps = warps;
      outcome.lanes = all ? AllLanes : 0;
    }
    return outcome;
  }

  void random_cycle() {
    Request request;
    Outcome outcome;
    bool next = false;
    const Path now = path.read();
    const Group names = group.read();
    if (dice.below(8) != 0) {
      if (depth.read() == 0) {
        if (dice.below(4) != 0) request = some_launch();
      } else if (now.valid != 0 && !model.done()) {
        next = names.valid != 0 && (named != 0 || dice.below(3) == 0);
        const bool midway = names.valid != 0 && next ? names.last == 0 : named != 0;
        if (!midway && dice.below(4) != 0) request = some_request();
      } else if (open && !model.done()) {
        outcome = next_outcome();
      }
    }
    if (anything && dice.below(24) == 0) request = some_request();
    if (anything && dice.below(24) == 0) next = !next;
    if (anything && dice.below(16) == 0) {
      outcome.valid = 1;
      if (dice.below(2) == 0) outcome.warps = dice() & AllWarps;
      if (dice.below(2) == 0) outcome.lanes = dice() & AllLanes;
    }
    const unsigned long before = overflows;
    const bool was_open = open;
    const std::uint64_t judged = heard.warps;
    cycle(request, outcome, next);
    if (open && !was_open && !model.done()) wish = some_outcome();
    if (overflows != before) {  // no room: these warps go where the others do
      for (unsigned w = 0; w < Warps; ++w) {
        if ((judged >> w & 1) != 0) wish[w] = right != 0 ? 0 : AllLanes;
      }
    }
  }

  // ---- worked examples, at tiny: warp 0 is threads 0 to 3, warp 1 threads 4 to 7 ----

  void idle() { cycle(Request(), Outcome(), false); }
  /// Until an instruction may act on the path.
  void run_on() {
    for (unsigned i = 0; path.read().valid == 0 && depth.read() != 0 && i < Patience; ++i) idle();
  }
  void act(PathOp op, std::uint64_t to = 0, std::uint64_t meet_at = 0) {
    cycle(request_of(op, to, meet_at), Outcome(), false);
    if (op != PathOp::Branch) run_on();
  }
  void advance(unsigned n) {
    for (unsigned i = 0; i < n; ++i) act(PathOp::Advance);
  }
  void launch(std::uint64_t warps = AllWarps, std::uint64_t tails = 0, std::uint64_t lanes = 0) {
    Request request = request_of(PathOp::Launch, 0, None);
    request.warps = warps;
    request.tail_warps = tails;
    request.tail_lanes = lanes;
    cycle(request, Outcome(), false);
    run_on();
  }
  void say(std::uint64_t warps, std::uint64_t lanes) {
    Outcome outcome;
    outcome.valid = 1;
    outcome.warps = warps;
    outcome.lanes = lanes;
    cycle(Request(), outcome, false);
  }
  /// The branch at the path's PC is taken by all, or by none.
  void branch_all(bool takes, std::uint64_t to, std::uint64_t meet_at) {
    const std::uint64_t warps = path.read().warps;
    act(PathOp::Branch, to, meet_at);
    say(warps, takes ? AllLanes : 0);
    run_on();
  }
  /// Each warp of the path tells its lanes.
  void branch(const std::vector<std::uint64_t>& lanes, std::uint64_t to, std::uint64_t meet_at) {
    const std::uint64_t warps = path.read().warps;
    act(PathOp::Branch, to, meet_at);
    for (unsigned w = 0; w < Warps; ++w) {
      if ((warps >> w & 1) != 0) say(bit(w), lanes[w]);
    }
    run_on();
  }

  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n    " + line;
    return text;
  }
  /// The plain stack, lanes of warp 0, a dot, lanes of warp 1; what the block shows of it is compared in every cycle.
  void expect_stack(const char* when, const std::vector<std::string>& entries) {
    check.equal(when, joined(model.entries()), joined(entries));
    check.equal("paths", depth.read().to_uint(), static_cast<unsigned>(entries.size()));
  }
  void expect_masks(const char* when, unsigned first, unsigned second) {
    check.equal(when, dut.lane_depth(0), first);
    check.equal(when, dut.lane_depth(1), second);
  }
  /// An enq: every group, as "warps:lanes".
  void enqueue(const char* what, const std::vector<std::string>& groups) {
    for (unsigned i = 0; i < 2 && group.read().valid == 0; ++i) idle();
    std::vector<std::string> got;
    bool last = false;
    while (!last && got.size() < 8) {
      const Group names = group.read();
      last = names.last != 0;
      got.push_back(fmt::format("{:b}:{:04b}", names.warps.to_uint(), names.lanes.to_uint()));
      cycle(Request(), Outcome(), true);
    }
    check.equal(what, joined(got), joined(groups));
  }
  void expect_refused(const char* what, const char* error, const Request& request, const Outcome& outcome, bool next) {
    tolerate();
    const unsigned long before = errors(error);
    const std::string stack = joined(model.entries());
    cycle(request, outcome, next);
    if (outcome.valid != 0) idle();  // it is judged one cycle later
    check.equal(what, errors(error), before + 1);
    check.equal("nothing has changed", joined(model.entries()), stack);
  }

  // 0 body, 1 branch to 0, meets at 2
  void scalar_loop() {
    start();
    launch();
    const unsigned long before = partings;
    for (unsigned i = 0; i < 5; ++i) {
      enqueue("one group for both warps", {"11:1111"});
      advance(1);
      branch_all(i < 4, 0, 2);
    }
    check.equal("the loop is left", model.pc(), std::uint64_t(2));
    check.equal("branches that asked for lanes", partings, before);
    expect_masks("no mask of lanes", 0, 0);
    act(PathOp::Exit);
    expect_stack("done", {});
  }

  // 0 branch to 9 (exit), meets nowhere; 1.. the rest
  void guard() {
    start();
    launch();
    branch({0b0000, 0b1100}, 9, None);
    expect_stack("in place, for the lowest path meets nowhere too", {"1:1111.1100 | none", "9:0000.0011 | none"});
    enqueue("only the lanes that leave", {"10:1100"});
    act(PathOp::Exit);
    expect_stack("the others go on", {"1:1111.1100 | none"});
    enqueue("a whole warp, and one that has lost lanes", {"1:1111", "10:0011"});
    advance(1);
    branch_all(true, 20, 30);
    check.equal("together", model.pc(), std::uint64_t(20));
    act(PathOp::Exit);
    expect_stack("done", {});
  }

  void edge_in_a_warp() {
    start();
    launch();
    branch({0b1111, 0b0011}, 5, 8);
    expect_stack("the first warp is on one side only", {"8:1111.1111 | none", "1:0000.0011 | 8", "5:1111.1100 | 8"});
    expect_masks("two masks of the warp that parts", 0, 2);
    enqueue("then side", {"1:1111", "10:0011"});
    advance(3);
    expect_stack("else side", {"8:1111.1111 | none", "1:0000.0011 | 8"});
    enqueue("else side", {"10:1100"});
    act(PathOp::Jump, 8);
    expect_stack("met", {"8:1111.1111 | none"});
    expect_masks("no mask is left", 0, 0);
    enqueue("both are whole again", {"11:1111"});
  }

  void edge_of_a_warp() {
    start();
    launch();
    const unsigned long before = partings;
    branch({0b1111, 0b0000}, 5, 8);
    expect_stack("a warp a side", {"8:1111.1111 | none", "1:0000.1111 | 8", "5:1111.0000 | 8"});
    check.equal("nobody asked for lanes", partings, before);
    enqueue("then side", {"1:1111"});
    act(PathOp::Jump, 8);
    enqueue("else side", {"10:1111"});
    act(PathOp::Jump, 8);
    enqueue("both", {"11:1111"});
    expect_masks("no mask of lanes", 0, 0);
  }

  void nested() {
    start();
    launch();
    branch({0b0111, 0b0000}, 5, 20);
    expect_stack("parted", {"20:1111.1111 | none", "1:0001.1111 | 20", "5:1110.0000 | 20"});
    branch({0b0001, 0b0000}, 12, 12);
    expect_stack("parted again, one side is at the RPC",
                 {"20:1111.1111 | none", "1:0001.1111 | 20", "12:1110.0000 | 20", "6:0110.0000 | 12"});
    expect_masks("masks of the first warp", 3, 0);
    enqueue("the innermost lanes", {"1:0110"});
    act(PathOp::Exit);
    expect_stack("they are gone at every level", {"20:1111.1111 | none", "1:0001.1111 | 20", "12:1000.0000 | 20"});
    enqueue("one lane is left on this side", {"1:0001"});
    act(PathOp::Exit);
    expect_stack("the else side", {"20:1111.1111 | none", "1:0001.1111 | 20"});
    enqueue("a whole warp first, then what is left of the other", {"10:1111", "1:1000"});
    act(PathOp::Jump, 20);
    enqueue("and so after they have met", {"10:1111", "1:1000"});
    expect_masks("no mask of lanes is left", 0, 0);
  }

  // 0 body, 1 branch to 0, meets at 2: lane by lane
  void lane_loop() {
    start();
    launch();
    advance(1);
    branch({0b1111, 0b0111}, 0, 2);
    expect_stack("a lane is out", {"2:1111.1111 | none", "0:1111.1110 | 2"});
    for (const std::uint64_t stay : {0b0011, 0b0001}) {
      advance(1);
      branch({0b1111, stay}, 0, 2);
      check.equal("in place", depth.read().to_uint(), 2U);
      expect_masks("one mask, replaced", 0, 1);
    }
    advance(1);
    branch({0b1111, 0}, 0, 2);
    expect_stack("the second warp is out", {"2:1111.1111 | none", "0:1111.0000 | 2"});
    expect_masks("and so is its mask", 0, 0);
    advance(1);
    branch_all(false, 0, 2);
    expect_stack("met", {"2:1111.1111 | none"});
  }

  void small_batch() {
    start();
    launch(0b11, 0b11, 0b0111);  // two CTAs of three threads, a warp each
    enqueue("partial warps are whole while no lane has parted or left", {"11:1111"});
    branch({0b0111, 0b0000}, 5, 8);
    expect_stack("blockIdx.x == 0 of its three threads", {"8:1110.1110 | none", "1:0000.1110 | 8", "5:1110.0000 | 8"});
    expect_masks("no lanes", 0, 0);
    branch({0b0001, 0b0000}, 8, 8);
    expect_stack("thread 0 skips the side", {"8:1110.1110 | none", "1:0000.1110 | 8", "6:0110.0000 | 8"});
    enqueue("lanes that there are", {"1:0110"});
    act(PathOp::Jump, 8);
    act(PathOp::Jump, 8);
    enqueue("whole again", {"11:1111"});
  }

  /// Threads beyond the end of an array leave; then a loop of all the others.
  void big_batch() {
    start();
    launch();
    const unsigned long before = partings;
    std::vector<std::uint64_t> lanes(Warps, 0);
    for (unsigned w = Warps / 2; w < Warps; ++w) lanes[w] = AllLanes;
    lanes[(Warps - 1) / 2] = AllLanes << 1 & AllLanes;  // the edge of an array lies in it
    branch(lanes, 900, None);
    act(PathOp::Exit);
    check.equal("one branch asked for lanes", partings, before + 1);
    for (unsigned i = 0; i < 20; ++i) {
      advance(2);
      branch_all(i < 19, 1, 4);
    }
    check.equal("the loop did not", partings, before + 1);
    check.equal("groups of an enq", static_cast<unsigned>(model.groups().size()), 2U);
    act(PathOp::Exit);
    expect_stack("done", {});
  }

  void overflow() {
    start();
    launch();
    branch({0b0111, 0b0000}, 5, 20);
    branch({0b0001, 0b0000}, 9, 20);  // in place: a third mask
    expect_stack("four paths", {"20:1111.1111 | none", "1:0001.1111 | 20", "6:0110.0000 | 20", "9:1000.0000 | 20"});
    act(PathOp::Jump, 20);
    expect_masks("two masks", 2, 0);
    act(PathOp::Branch, 9, 20);
    say(1, 0b0010);
    run_on();
    expect_masks("three masks are all", 3, 0);
    act(PathOp::Jump, 20);
    act(PathOp::Jump, 20);
    expect_stack("the else side", {"20:1111.1111 | none", "1:0001.1111 | 20"});
    branch({0, 0b0111}, 5, 12);
    expect_stack("four paths", {"20:1111.1111 | none", "12:0001.1111 | 20", "2:0001.0001 | 12", "5:0000.1110 | 12"});
    act(PathOp::Branch, 7, 10);
    Outcome outcome;
    outcome.valid = 1;
    outcome.warps = 2;
    outcome.lanes = 0b0011;
    expect_refused("a fifth path", "affine_stack/overflow", Request(), outcome, false);
    outcome.lanes = 0b0111;
    cycle(Request(), outcome, false);
    run_on();
    check.equal("the branch can still go one way", model.pc(), std::uint64_t(7));

    start();
    launch();
    branch({0b0111, 0b0000}, 5, None);
    expect_stack("in place", {"1:0001.1111 | none", "5:1110.0000 | none"});
    expect_masks("two masks", 2, 0);
    act(PathOp::Branch, 9, 20);  // two sides more: four paths there are, a fourth mask there is not
    outcome.warps = 1;
    outcome.lanes = 0b0100;
    expect_refused("a fourth mask", "affine_stack/overflow", Request(), outcome, false);
    expect_masks("two masks", 2, 0);
    outcome.lanes = 0;
    cycle(Request(), outcome, false);
    run_on();
    expect_stack("the branch can still go one way", {"1:0001.1111 | none", "6:1110.0000 | none"});
  }

  void refused(const char* what, const Request& request) { refused(what, request, Outcome(), false); }
  void refused(const char* what, const Request& request, const Outcome& outcome, bool next) {
    expect_refused(what, "affine_stack/illegal", request, outcome, next);
  }

  void illegal() {
    start();
    Request launch_of = request_of(PathOp::Launch, 0, None);
    refused("launch of no warp", launch_of);
    launch_of.warps = 1;
    launch_of.tail_warps = 2;
    launch_of.tail_lanes = 1;
    refused("partial warps that are not launched", launch_of);
    launch_of.tail_warps = 1;
    launch_of.tail_lanes = 0;
    refused("a partial warp without lanes", launch_of);
    refused("an instruction of nobody", request_of(PathOp::Advance));
    refused("next of nobody", Request(), Outcome(), true);
    launch();
    refused("launch of a running batch", request_of(PathOp::Launch, 0, None));
    refused("no such request", request_of(PathOp(7)));
    Outcome outcome;
    outcome.valid = 1;
    outcome.warps = 1;
    refused("outcome without a branch", Request(), outcome, false);
    branch({0b1111, 0b0011}, 5, 8);
    idle();
    cycle(Request(), Outcome(), true);
    refused("an instruction before all groups are named", request_of(PathOp::Advance));
    cycle(Request(), Outcome(), true);
    act(PathOp::Branch, 6, 8);
    refused("an instruction while the branch is open", request_of(PathOp::Advance));
    outcome.warps = 3;
    outcome.lanes = 1;
    refused("several warps, lanes that differ", Request(), outcome, false);
    outcome.warps = 0;
    refused("nobody speaks", Request(), outcome, false);
    say(1, AllLanes);
    outcome.warps = 1;
    refused("a warp speaks twice", Request(), outcome, false);
    say(2, AllLanes);
    run_on();
    check.equal("taken by all", model.pc(), std::uint64_t(6));
  }
};

template <class Point>
using Of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class Point, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<StackBench<Of<Point>, Point::PcBits, Point::AffineDepth, Point::AffineLaneDepth, Core>,
                         Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  using One = StackBench<Affine<1, 2, 1, 8>, 8, 2, 1, Vaffine_stack_one>;
  using Wide = StackBench<Affine<64, 64, 3, 16>, 64, 5, 4, Vaffine_stack_wide>;
  using Odd = StackBench<Affine<3, 8, 3, 16>, 12, 6, 3, Vaffine_stack_odd>;
  return bench::run_bench(argc, argv, "affine_stack",
                          {{"tiny", at<point::tiny, Vaffine_stack_tiny, built("tiny")>()},
                           {"isca17", at<point::isca17, Vaffine_stack_isca17, built("isca17")>()},
                           {"one", bench::bench_of<One, built("one")>()},
                           {"wide", bench::bench_of<Wide, built("wide")>()},
                           {"odd", bench::bench_of<Odd, built("odd")>()}});
}
