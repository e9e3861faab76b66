// SPDX-License-Identifier: Apache-2.0
// Bench of the stacks that programs push and pop (rtl/software_stack, rtl/single_software_stack): random requests that a
// program could make, then any at all, against the reference model. Worked examples stand with each block.
#pragma once

#include <fmt/format.h>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rtl/base/control_flow.h"
#include "tb/bench/bench.h"
#include "tb/bench/control_flow_requests.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/pc_places.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

inline std::set<unsigned> to_set(std::uint64_t mask) {
  std::set<unsigned> lanes;
  for (unsigned l = 0; l < 64; ++l)
    if ((mask >> l & 1) != 0) lanes.insert(l);
  return lanes;
}

inline std::uint64_t to_bits(const std::set<unsigned>& lanes) {
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

/// \tparam PathCount  of an entry; Stack: the block, by the four sizes; Warp: its reference model
template <unsigned WarpCount, unsigned LaneCount, unsigned PcWidth, unsigned Entries, unsigned PathCount,
          template <unsigned, unsigned, unsigned, unsigned> class Stack, class Warp>
struct SoftwareShape {
  static constexpr unsigned Warps = WarpCount, Lanes = LaneCount, PcBits = PcWidth, Depth = Entries, Paths = PathCount;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);
  using Flow = ControlFlow<Warps, Lanes, PcBits>;
  using Block = Stack<Warps, Lanes, PcBits, Depth>;
  using Model = Warp;
};

template <class S>
std::vector<std::string> software_covers() {
  std::vector<std::string> names{"launch",
                                 "all taken",
                                 "none taken",
                                 "push",
                                 "push to the last entry",
                                 "push beyond the last entry",
                                 "exit, none",
                                 "exit, all of the slot",
                                 "exit, all of the warp",
                                 "an entry is popped",
                                 "comes to rest",
                                 "held grant",
                                 "reset in the middle",
                                 "illegal grant",
                                 "illegal launch",
                                 "illegal branch",
                                 "illegal exit",
                                 "illegal push",
                                 "illegal pop",
                                 "grant and resolve of one slot",
                                 "no such operation",
                                 "push of a part",
                                 "pop of a part"};
  if (S::Paths == 2) names.insert(names.end(), {"pop of the only path", "pop of the lowest entry"});
  if (S::Paths == 1) names.insert(names.end(), {"pop", "pop without a push"});
  if (S::Lanes > 1)
    names.insert(names.end(), {"parts beyond the last entry", "exit, some", "popped through an empty entry"});
  if (S::Lanes > 1 && S::Paths == 1) names.push_back("parts");
  if (S::Lanes > 1 && S::Paths == 2)
    names.insert(names.end(),
                 {"parts, left", "parts, right", "parts beside a path", "first pop of two", "second pop of two",
                  "push beside a path", "comes back beside a path", "advance beside a resolve"});
  if (S::Warps > 1) names.push_back("several warps wait to be popped");
  if (S::Warps + S::Paths > 3) names.push_back("grant, resolve and pop in one cycle");
  if (S::Warps < 1U << S::Flow::WarpBits) names.push_back("no such warp");
  return names;
}

template <class S, class Core>
class SoftwareBench : public Bench, protected ControlFlowRequests<typename S::Flow> {
 public:
  /// \param name  of the block, with which its refusals begin
  SoftwareBench(const std::string& name, const Options& options)
      : Bench(software_covers<S>()), model(S::Warps, Model(S::Depth, Flow::NoPc)), block(name) {
    dut.clk_i(clk), dut.rst_ni(rst_n);
    dut.grant_i(grant_s), dut.held_i(held_s), dut.resolve_i(resolve_s);
    dut.left_o(left), dut.right_o(right), dut.depth_o(depth), dut.status_o(status), dut.idle_o(idle_s);
    shows("left_o", left), shows("right_o", right), shows("depth_o", depth);
    shows("status_o", status), shows("idle_o", idle_s);
    if (options.twin) {
      context = std::make_unique<VerilatedContext>();
      twin = std::make_unique<Core>(context.get(), "twin");
    }
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    restart();
    for (unsigned long c = 0; c < cycles; ++c) {
      if (c == cycles * 3 / 5) {
        tolerate();
        restart();
      }
      if (dice.below(2500) == 0) {
        covers.hit("reset in the middle");
        restart();
      }
      if (dice.below(200) == 0) rest();
      c < cycles * 3 / 5 ? program_step() : any_step(c % 2048 < 256);
    }
  }

 protected:
  using Block = typename S::Block;
  using Model = typename S::Model;
  using Flow = typename S::Flow;
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Resolve = typename Flow::Resolve;
  using Path = typename Flow::Path;
  using Status = typename Flow::Status;
  using Count = typename Block::Count;
  using ControlFlowRequests<Flow>::grant_of, ControlFlowRequests<Flow>::resolve_of;
  static constexpr bool Both = S::Lanes > 1 && S::Paths == 2;
  static constexpr Side L = Side::Left, R = Side::Right;

  struct Pending {
    bool open = false;
    Side side = Side::Left;
    unsigned wait = 0;
  };

  Block dut{"dut"};
  sc_core::sc_signal<Grant> grant_s{"grant"};
  sc_core::sc_signal<Slots> held_s{"held"};
  sc_core::sc_signal<Resolve> resolve_s{"resolve"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left{"left", S::Warps}, right{"right", S::Warps};
  sc_core::sc_vector<sc_core::sc_signal<Count>> depth{"depth", S::Warps};
  sc_core::sc_signal<Status> status{"status"};
  sc_core::sc_signal<bool> idle_s{"idle"};
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Core> twin;
  std::vector<Model> model;
  const std::string block;
  std::vector<Pending> pending;
  Dice dice;
  const PcPlaces places{S::PcBits};
  std::uint64_t base = 0;  // of the PCs of any requests
  unsigned last_pop = 0;
  unsigned long faults = 0, overflows = 0;
  bool climbs = true;
  IdleCheck idle_check{S::Warps * S::Depth + 2};

  std::uint64_t mask_of(unsigned w, Side side) const { return to_bits(model[w].walker(side).lanes); }
  static constexpr Side other(Side side) { return side == L ? R : L; }

  void replay_cycle(const RecordingReader& edge) override {
    step(edge.get<Grant>("grant_i"), edge.get<Slots>("held_i"), edge.get<Resolve>("resolve_i"),
         !edge.get<bool>("rst_ni"));
  }

  // ---- one cycle ----
  void step(const Grant& grant, const Slots& held, const Resolve& resolve, bool resets = false) {
    rst_n.write(!resets);
    grant_s.write(grant), held_s.write(held), resolve_s.write(resolve);
    settle();
    if (twin) drive_twin(grant, held, resolve, resets);
    const Status expected = resets ? restarted() : after(grant, held, resolve);
    const auto see = [this] { return view(); };
    idle_check.before(idle_s.read(), resets || grant.valid != 0 || resolve.op != 0, see);
    edge();
    compare(expected);
    idle_check.after(check, idle_s.read(), see);
  }

  void drive_twin(const Grant& grant, const Slots& held, const Resolve& resolve, bool resets) {
    twin->clk_i = 0;
    twin->rst_ni = !resets;
    to_port(grant, twin->grant_i), to_port(held, twin->held_i), to_port(resolve, twin->resolve_i);
    twin->eval();
    twin->clk_i = 1;
    twin->eval();
  }

  Status restarted() {
    for (Model& warp : model) warp = Model(S::Depth, Flow::NoPc);
    last_pop = 0;
    return {};
  }

  /// The models do what is asked, in the order of one edge; the status that the block must show then.
  Status after(const Grant& grant, const Slots& held, const Resolve& resolve) {
    std::vector<unsigned> waiting;
    for (unsigned i = 1; i <= S::Warps; ++i)
      if (model[(last_pop + i) % S::Warps].waits()) waiting.push_back((last_pop + i) % S::Warps);
    covers_if(S::Warps > 1, "several warps wait to be popped", waiting.size() > 1);
    for (Model& warp : model) warp.forget();
    const Side side = Side(unsigned(grant.right));
    const bool issued = grant.valid != 0 && grant.warp < S::Warps && model[grant.warp].walks(side);
    if (issued) {
      const bool stays = ((side == R ? held.right : held.left) >> unsigned(grant.warp) & 1) != 0;
      covers.hit("held grant", stays);
      if (!stays) model[grant.warp].advance(side);
    } else if (grant.valid != 0) {
      ++faults;
      covers.hit("illegal grant");
    }
    const bool same = issued && grant.warp == resolve.warp;
    const bool resolved = resolve.op != 0 && answer(resolve, same, side);
    if (!waiting.empty()) {
      last_pop = waiting.front();
      Model& warp = model[last_pop];
      warp.close();
      covers.hit("an entry is popped");
      covers_if(Both, "comes back beside a path", warp.walks(L) && warp.walks(R));
      covers_if(S::Lanes > 1, "popped through an empty entry", warp.waits());
      covers_if(S::Warps + S::Paths > 3, "grant, resolve and pop in one cycle", issued && resolved);
    }
    Status expected;
    for (unsigned w = 0; w < S::Warps; ++w) {
      const std::uint64_t bit = std::uint64_t(1) << w;
      if (model[w].walks(L)) expected.valid_left = expected.valid_left | bit;
      if (model[w].walks(R)) expected.valid_right = expected.valid_right | bit;
      if (model[w].redirected(L)) expected.redirected_left = expected.redirected_left | bit;
      if (model[w].redirected(R)) expected.redirected_right = expected.redirected_right | bit;
      if (model[w].lanes_moved()) expected.lanes_moved = expected.lanes_moved | bit;
    }
    return expected;
  }

  void covers_if(bool possible, const char* name, bool happened) {
    if (possible) covers.hit(name, happened);
  }

  bool refuse(const char* name) {
    ++faults;
    covers.hit(name);
    return false;
  }

  /// A resolve, by the model; false: it is refused.
  bool answer(const Resolve& resolve, bool same_warp, Side granted) {
    const auto op = ResolveOp(unsigned(resolve.op));
    const Side side = Side(unsigned(resolve.right));
    if (resolve.warp >= S::Warps) return refuse("no such warp");
    Model& warp = model[resolve.warp];
    const std::set<unsigned> some = to_set(resolve.lanes);
    if (op == ResolveOp::Launch) {
      if (warp.depth() != 0 || some.empty()) return refuse("illegal launch");
      warp.launch(some, resolve.target);
      covers.hit("launch");
      return true;
    }
    const std::uint64_t own = mask_of(resolve.warp, side);
    const bool two = mask_of(resolve.warp, other(side)) != 0, all = resolve.lanes == own;
    const bool issues = same_warp && granted == side;
    const bool there = own != 0 && (resolve.lanes & ~own) == 0 && !issues;
    covers.hit("grant and resolve of one slot", issues && own != 0);
    covers_if(Both, "advance beside a resolve", same_warp && !issues && there);
    switch (op) {
      case ResolveOp::Branch: {
        if (!there) return refuse("illegal branch");
        if (all) {
          warp.jump(side, resolve.target);
          covers.hit("all taken");
        } else if (some.empty()) {
          warp.pass(side);
          covers.hit("none taken");
        } else if (warp.parts_in_new_entry(side) && warp.is_full()) {
          ++overflows;
          covers.hit("parts beyond the last entry");
          return false;
        } else {
          warp.part(side, some, resolve.target, resolve.rpc);
          covers.hit(S::Paths == 1 ? "parts"
                     : two         ? "parts beside a path"
                     : side == L   ? "parts, left"
                                   : "parts, right");
        }
        return true;
      }
      case ResolveOp::Exit:
        if (!there) return refuse("illegal exit");
        warp.leave(side, some);
        covers.hit(some.empty() ? "exit, none" : all ? "exit, all of the slot" : "exit, some");
        covers.hit("exit, all of the warp", warp.depth() == 0);
        return true;
      case ResolveOp::Push:
        if (!there) return refuse("illegal push");
        if (!all) return refuse("push of a part");
        if (warp.is_full()) {
          ++overflows;
          covers.hit("push beyond the last entry");
          return false;
        }
        warp.open(side, resolve.target, resolve.rpc);
        covers.hit("push");
        covers.hit("push to the last entry", warp.is_full());
        covers_if(Both, "push beside a path", two);
        return true;
      case ResolveOp::Pop:
        if (!there) return refuse("illegal pop");
        if (!all) return refuse("pop of a part");
        if (!warp.may_finish()) return refuse(S::Paths == 1 ? "pop without a push" : "pop of the lowest entry");
        warp.finish(side);
        covers_if(S::Paths == 1, "pop", true);
        covers_if(S::Paths == 2, "pop of the only path", !two);
        covers_if(Both, "first pop of two", two);
        covers_if(Both, "second pop of two", !two && side == R);
        return true;
      default:
        return refuse("no such operation");
    }
  }

  void compare(const Status& expected) {
    for (unsigned w = 0; w < S::Warps; ++w) {
      check.equal("left_o", left[w].read(), path_of(w, L));
      check.equal("right_o", right[w].read(), path_of(w, R));
      check.equal("depth_o", unsigned(depth[w].read()), model[w].depth());
    }
    check.equal("status_o", status.read(), expected);
    check.equal("illegal requests named", errors(block + "/illegal"), faults);
    check.equal("overflows named", errors(block + "/overflow"), overflows);
    if (!twin) return;
    const PortBits l = PortBits::of(twin->left_o), r = PortBits::of(twin->right_o), d = PortBits::of(twin->depth_o);
    for (unsigned w = 0; w < S::Warps; ++w) {
      check.equal("left_o of the twin", l.template get<Path>(w * bits_of<Path>), left[w].read());
      check.equal("right_o of the twin", r.template get<Path>(w * bits_of<Path>), right[w].read());
      check.equal("depth_o of the twin", d.template get<Count>(w * bits_of<Count>), depth[w].read());
    }
    check.equal("status_o of the twin", from_port<Status>(twin->status_o), status.read());
    check.equal("idle_o of the twin", twin->idle_o != 0, idle_s.read());
  }

  Path path_of(unsigned w, Side side) const {
    Path path;
    path.mask = mask_of(w, side);
    path.pc = path.mask == 0 ? 0 : model[w].walker(side).pc;
    return path;
  }

  std::string view() const {
    std::ostringstream text;
    for (unsigned w = 0; w < S::Warps; ++w) {
      text << left[w] << right[w] << depth[w];
      for (unsigned level = 0; level < depth[w].read(); ++level) text << ' ' << dut.entry_of(w, level);
    }
    text << status;
    return text.str();
  }

  // ---- stimulus ----
  void restart() {
    start();
    pending.assign(S::Warps, {});
    base = places.base(dice, 8);
  }
  void tolerate() override {
    expect_errors(block + "/illegal");
    expect_errors(block + "/overflow");
    if (context) context->assertOn(false);
  }
  void rest() {
    unsigned quiet = 0;
    for (; !idle_s.read() && quiet <= S::Warps * S::Depth + 2; ++quiet) idle();
    covers.hit("comes to rest", quiet > 1);
    idle();
  }

  /// What a program could ask for: an instruction issues, an earlier one is resolved.
  void program_step() {
    if (dice.below(300) == 0) climbs = dice.below(2) != 0;
    Grant grant;
    Slots held;
    Resolve resolve;
    held.left = dice(), held.right = dice();
    const unsigned w = dice.below(S::Warps);
    const Side side = Side(dice.below(2));
    if (dice.below(8) != 0 && model[w].walks(side) && !(pending[w].open && pending[w].side == side)) {
      const bool control = !pending[w].open && dice.below(3) != 0;
      grant = grant_of(side, w);
      const std::uint64_t bit = std::uint64_t(1) << w;
      auto& bits = side == L ? held.left : held.right;
      bits = control ? bits | bit : bits & ~bit;
      if (control) pending[w] = {true, side, 1 + dice.below(4)};
    }
    const unsigned from = dice.below(S::Warps);
    for (unsigned i = 0; i < S::Warps && resolve.op == 0; ++i) {
      const unsigned one = (from + i) % S::Warps;
      const bool issues = grant.valid != 0 && grant.warp == one;
      if (model[one].depth() == 0) {
        if (!issues && dice.below(4) == 0)
          resolve = resolve_of(ResolveOp::Launch, L, dice.below(3) != 0 ? S::AllLanes : (dice() & S::AllLanes) | 1,
                               dice(), 0, one);
      } else if (pending[one].open && pending[one].wait == 0) {
        resolve = outcome(one, pending[one].side);
        pending[one].open = false;
      }
    }
    for (Pending& p : pending) p.wait -= p.wait != 0;
    step(grant, held, resolve);
  }

  Resolve outcome(unsigned w, Side side) {
    const std::uint64_t own = mask_of(w, side);
    Resolve resolve = resolve_of(ResolveOp::Branch, side, own, dice(), dice(), w);
    const unsigned how = dice.below(16);
    const bool alone = mask_of(w, other(side)) == 0;
    if (how < (climbs ? 6U : 2U) && !model[w].is_full()) {
      resolve.op = unsigned(ResolveOp::Push);
    } else if (how < (climbs ? 8U : 10U) && model[w].may_finish()) {
      resolve.op = unsigned(ResolveOp::Pop);
    } else if (how == 15) {
      resolve.op = unsigned(ResolveOp::Exit);
      resolve.lanes = own & dice() & dice();
      if (dice.below(4) == 0) resolve.lanes = own;
    } else {
      resolve.lanes = how == 14 ? std::uint64_t(0) : own & dice();
      if (!alone && dice.below(2) == 0) resolve.lanes = own;
      if (model[w].parts_in_new_entry(side) && model[w].is_full() && resolve.lanes != own) resolve.lanes = 0;
    }
    return resolve;
  }

  /// `to_the_top`: mostly pushes of warp 0, and at the last entry branches that need one more.
  void any_step(bool to_the_top) {
    Grant grant;
    Slots held;
    Resolve resolve;
    held.left = dice() & dice(), held.right = dice() & dice();
    if (dice.below(2) == 0) {
      grant.valid = 1;
      grant.warp = dice();
      grant.right = dice.below(2);
      for (unsigned i = 0; i < 4 && dice.below(8) != 0 && !there(grant.warp, Side(unsigned(grant.right))); ++i)
        grant.warp = dice();
    }
    if (dice.below(4) != 0) {
      const unsigned w = dice.below(3) == 0 ? unsigned(grant.warp) : dice.below(1U << Flow::WarpBits);
      Side side = Side(dice.below(2));
      if (!there(w, side) && dice.below(8) != 0) side = other(side);
      const std::uint64_t own = w < S::Warps ? mask_of(w, side) : 0;
      constexpr ResolveOp Ops[] = {ResolveOp::Branch, ResolveOp::Branch, ResolveOp::Push, ResolveOp::Push,
                                   ResolveOp::Push,   ResolveOp::Pop,    ResolveOp::Exit, ResolveOp::MemorySplit};
      const ResolveOp op = own == 0 && dice.below(2) == 0 ? ResolveOp::Launch : Ops[dice.below(8)];
      resolve = resolve_of(op, side, own & dice(), places.near(dice, base, 6), places.near(dice, base, 6), w);
      if ((op == ResolveOp::Push || op == ResolveOp::Pop) && dice.below(8) != 0) resolve.lanes = own;
      if (op == ResolveOp::Launch || dice.below(16) == 0) resolve.lanes = dice();
    }
    if (to_the_top && dice.below(16) != 0) {
      const Side side = there(0, R) && dice.below(2) == 0 ? R : L;
      const std::uint64_t own = mask_of(0, side);
      const ResolveOp op = own == 0 ? ResolveOp::Launch : model[0].is_full() ? ResolveOp::Branch : ResolveOp::Push;
      resolve = resolve_of(op, side, op == ResolveOp::Branch ? own & dice() : own == 0 ? S::AllLanes : own, 2, 9);
      if (grant.warp == 0) grant.valid = 0;
    }
    step(grant, held, resolve);
  }

  bool there(unsigned w, Side side) const { return w < S::Warps && model[w].walks(side); }

  // ---- worked examples: warp 0 ----
  void start() {
    step({}, {}, {}, true);
    step({}, {}, {}, true);
  }
  void idle() { step({}, {}, {}); }
  void issue(Side side, unsigned n) {
    for (unsigned i = 0; i < n; ++i) step(grant_of(side), {}, {});
  }
  void hold(Side side) {
    Slots held;
    held.left = side == L, held.right = side == R;
    step(grant_of(side), held, {});
    idle();
  }
  void resolve(ResolveOp op, Side side, std::uint64_t some, std::uint64_t target, std::uint64_t rpc) {
    if (op != ResolveOp::Launch) hold(side);
    step({}, {}, resolve_of(op, side, some, target, rpc));
  }
  void launch(const char* some, std::uint64_t pc) { resolve(ResolveOp::Launch, L, lanes(some), pc, 0); }
  void branch(Side side, const char* some, std::uint64_t target) {
    resolve(ResolveOp::Branch, side, lanes(some), target, 0);
  }
  /// Goes on with the next instruction in an entry of its own.
  void push(Side side, std::uint64_t resume) {
    resolve(ResolveOp::Push, side, mask_of(0, side), model[0].walker(side).pc + 1, resume);
  }
  void pop(Side side) { resolve(ResolveOp::Pop, side, mask_of(0, side), 0, 0); }
  void leave(Side side, const char* some) { resolve(ResolveOp::Exit, side, lanes(some), 0, 0); }

  void expect_stack(const char* when, const std::vector<std::string>& entries) {
    std::vector<std::string> got;
    for (unsigned level = 0; level < depth[0].read(); ++level) { got.push_back(text_of(dut.entry_of(0, level))); }
    check.equal(when, fmt::format("{}", fmt::join(got, ", ")), fmt::format("{}", fmt::join(entries, ", ")));
    check.equal("the model's stack", fmt::format("{}", fmt::join(model[0].entries(), ", ")),
                fmt::format("{}", fmt::join(entries, ", ")));
  }
  /// As the model's entries().
  virtual std::string text_of(const typename Block::Entry& entry) const = 0;
  static std::string path_text(std::uint64_t pc, std::uint64_t mask) {
    std::string digits;
    for (unsigned l = 0; l < 4; ++l) digits += (mask >> l & 1) != 0 ? '1' : '0';
    return mask == 0 ? "-" : fmt::format("{}:{}", pc, digits);
  }
};

}  // namespace heddle::bench
