// SPDX-License-Identifier: Apache-2.0
// Bench of the issue gate: the SystemC block and its Verilated twin in lockstep, and both against a plain model.
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <set>

#include "Vissue_gate_cgo20.h"
#include "Vissue_gate_hpca13.h"
#include "Vissue_gate_one_warp.h"
#include "Vissue_gate_tiny.h"
#include "Vissue_gate_widest.h"
#include "rtl/config/design_points.h"
#include "rtl/issue_gate/issue_gate.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

/// Why a slot must wait. The model is that a slot without a reason may issue; what the ports say follows from reasons.
enum class Reason { NotEligible, NotValid, Redirected, Own, Shadow, Full };
constexpr unsigned Reasons = 6;
constexpr const char* reason_names[Reasons] = {"not eligible", "not valid",     "redirected",
                                               "own hazard",   "shadow hazard", "full"};

using Slot = std::set<Reason>;

struct Warp {
  Slot side[2];
  bool lanes_moved = false;
};

/// The Verilated twin behind the ports of the block.
template <class Flow, class Core>
struct twin : sc_core::sc_module {
  static constexpr unsigned Warps = issue_gate<Flow>::Warps;
  sc_core::sc_in<typename Flow::Slots> eligible_i{"eligible_i"};
  sc_core::sc_in<typename Flow::Status> status_i{"status_i"};
  sc_core::sc_vector<sc_core::sc_in<ScoreboardHazard>> hazard_i{"hazard_i", Warps};
  sc_core::sc_out<typename Flow::Slots> ready_o{"ready_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << eligible_i << status_i;
    for (auto& hazard : hazard_i) sensitive << hazard;
  }

  void eval() {
    bench::to_port(eligible_i.read(), core.eligible_i);
    bench::to_port(status_i.read(), core.status_i);
    bench::array_to_port<ScoreboardHazard>(hazard_i, core.hazard_i);
    core.eval();
    ready_o.write(bench::from_port<typename Flow::Slots>(core.ready_o));
  }
};

std::vector<std::string> cover_names(unsigned warps) {
  std::vector<std::string> names{"nothing ready",           "everything ready", "left ready, right waits",
                                 "right ready, left waits", "several reasons",  "a hazard of a slot that is not there",
                                 "moved, both redirected"};
  for (const char* reason : reason_names) {
    names.push_back(std::string("only this one on the left: ") + reason);
    names.push_back(std::string("only this one on the right: ") + reason);
  }
  if (warps > 1) names.push_back("one slot ready");
  return names;
}

template <class Flow, class Core>
class GateBench : public Bench {
 public:
  using Dut = issue_gate<Flow>;
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  static constexpr unsigned Warps = Dut::Warps;

  explicit GateBench(const Options& options) : Bench(cover_names(Warps)) {
    connect(dut, ready);
    shows("ready_o", ready);
    if (options.twin) {
      sv = std::make_unique<twin<Flow, Core>>("sv");
      connect(*sv, twin_ready);
    }
  }

  std::vector<Case> cases() override {
    return {{"hazards", "DPE sec. 3.2, Fig. 5", "a path that waits for a register does not hold back its sibling",
             [this] { hazards(); }},
            {"each_reason", "DESIGN 5", "every reason by itself holds back its slot, and no other one",
             [this] { each_reason(); }},
            {"moved", "DESIGN 6.3", "lanes changed side: both paths wait a cycle, while the scoreboard copies",
             [this] { lanes_moved(); }},
            {"single_path", "DPE sec. 2.1", "without right paths only left ones issue", [this] { single_path(); }}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    bench::Dice random(seed);
    start();
    unsigned style = 0;
    for (unsigned long n = 0; n < cycles; ++n) {
      if (random() % 100 == 0) style = static_cast<unsigned>(random() % 5);
      for (Warp& warp : warps) {
        if (style == 4 && random() % 4 != 0) continue;  // few warps change
        for (Slot& slot : warp.side) {
          slot.clear();
          // 0: nothing, 1: rarely a reason, 2: one reason, 3 and 4: some, 2 of 16 none
          const unsigned some = style == 0 ? 0 : style == 1 ? random() % 20 == 0 : style == 2 ? 1 : random() % 3;
          for (unsigned i = 0; i < some; ++i) slot.insert(Reason(random() % Reasons));
        }
        warp.lanes_moved = random() % 8 == 0;
        if (warp.lanes_moved) {
          for (Slot& slot : warp.side) {
            if (slot.count(Reason::NotValid) == 0) slot.insert(Reason::Redirected);
          }
        }
      }
      if (style == 3 && random() % 8 == 0) {  // all but one slot wait
        for (Warp& warp : warps) {
          for (Slot& slot : warp.side) slot.insert(Reason(random() % Reasons));
        }
        warps[random() % Warps].side[random() % 2].clear();
      }
      turn();
    }
  }

 private:
  sc_core::sc_signal<Slots> eligible{"eligible"}, ready{"ready"}, twin_ready{"twin_ready"};
  sc_core::sc_signal<Status> status{"status"};
  sc_core::sc_vector<sc_core::sc_signal<ScoreboardHazard>> hazard{"hazard", Warps};
  Dut dut{"dut"};
  std::unique_ptr<twin<Flow, Core>> sv;
  std::vector<Warp> warps = std::vector<Warp>(Warps);

  template <class Block>
  void connect(Block& block, sc_core::sc_signal<Slots>& its_ready) {
    block.eligible_i(eligible);
    block.status_i(status);
    block.hazard_i(hazard);
    block.ready_o(its_ready);
  }

  void start() {
    warps.assign(Warps, Warp());
    reset();
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    const auto may = edge.get<Slots>("eligible_i");
    const auto is = edge.get<Status>("status_i");
    for (unsigned w = 0; w < Warps; ++w) {
      const auto why = edge.get<ScoreboardHazard>("hazard_i", w);
      warps[w].side[0] =
          reasons(may.left[w], is.valid_left[w], is.redirected_left[w], why.own_left, why.shadow_left, why.full_left);
      warps[w].side[1] = reasons(may.right[w], is.valid_right[w], is.redirected_right[w], why.own_right,
                                 why.shadow_right, why.full_right);
      warps[w].lanes_moved = is.lanes_moved[w];
    }
    turn();
  }

  /// What drive() makes these bits of.
  static Slot reasons(bool eligible, bool valid, bool redirected, bool own, bool shadow, bool full) {
    const bool holds[Reasons] = {!eligible, !valid, redirected, own, shadow, full};
    Slot slot;
    for (unsigned r = 0; r < Reasons; ++r) {
      if (holds[r]) slot.insert(Reason(r));
    }
    return slot;
  }

  static bool has(const Slot& slot, Reason reason) { return slot.count(reason) != 0; }

  /// A slot that is there.
  static bool waits(const Slot& slot) { return !slot.empty() && !has(slot, Reason::NotValid); }

  void drive() {
    Slots may;
    Status is;
    for (unsigned w = 0; w < Warps; ++w) {
      const Slot &left = warps[w].side[0], &right = warps[w].side[1];
      may.left[w] = !has(left, Reason::NotEligible);
      may.right[w] = !has(right, Reason::NotEligible);
      is.valid_left[w] = !has(left, Reason::NotValid);
      is.valid_right[w] = !has(right, Reason::NotValid);
      is.redirected_left[w] = has(left, Reason::Redirected);
      is.redirected_right[w] = has(right, Reason::Redirected);
      is.lanes_moved[w] = warps[w].lanes_moved;
      ScoreboardHazard why;
      why.own_left = has(left, Reason::Own), why.own_right = has(right, Reason::Own);
      why.shadow_left = has(left, Reason::Shadow), why.shadow_right = has(right, Reason::Shadow);
      why.full_left = has(left, Reason::Full), why.full_right = has(right, Reason::Full);
      hazard[w].write(why);
    }
    eligible.write(may);
    status.write(is);
  }

  void compare() {
    Slots expected;
    for (unsigned w = 0; w < Warps; ++w) {
      expected.left[w] = warps[w].side[0].empty();
      expected.right[w] = warps[w].side[1].empty();
    }
    check.equal("ready slots of the block, against the model", ready.read(), expected);
    if (sv) check.equal("ready slots of the twin, against the block", twin_ready.read(), ready.read());
  }

  /// One cycle of the warps as they are.
  void turn() {
    drive();
    settle();
    compare();
    cover();
    edge();
    compare();
  }

  void cover() {
    unsigned count = 0;
    for (const Warp& warp : warps) {
      const Slot &left = warp.side[0], &right = warp.side[1];
      count += left.empty() + right.empty();
      covers.hit("left ready, right waits", left.empty() && waits(right));
      covers.hit("right ready, left waits", right.empty() && waits(left));
      covers.hit("several reasons", left.size() > 1 || right.size() > 1);
      covers.hit("a hazard of a slot that is not there", has(left, Reason::NotValid) && has(left, Reason::Own));
      covers.hit("moved, both redirected",
                 warp.lanes_moved && has(left, Reason::Redirected) && has(right, Reason::Redirected));
      for (unsigned r = 0; r < Reasons; ++r) {
        const Slot only{Reason(r)};
        if (left == only) covers.hit(std::string("only this one on the left: ") + reason_names[r]);
        if (right == only) covers.hit(std::string("only this one on the right: ") + reason_names[r]);
      }
    }
    covers.hit("nothing ready", count == 0);
    covers.hit("everything ready", count == 2 * Warps);
    if (Warps > 1) covers.hit("one slot ready", count == 1);
  }

  void is_ready(const char* what, unsigned w, bool right, bool expected) {
    const Slots slots = ready.read();
    check.equal(what, ((right ? slots.right : slots.left) >> w & 1) != 0, expected);
  }

  void hazards() {
    start();
    const unsigned w = Warps - 1;
    turn();
    is_ready("left, no hazard", w, false, true);
    is_ready("right, no hazard", w, true, true);
    warps[w].side[0] = {Reason::Own};  // the left head reads what its own side writes
    turn();
    is_ready("left with a pending source", w, false, false);
    is_ready("right beside it", w, true, true);
    warps[w].side[0] = {};
    warps[w].side[1] = {Reason::Shadow};  // the right one what was issued on the left before lanes changed side
    turn();
    is_ready("left", w, false, true);
    is_ready("right with a shadowed source", w, true, false);
    warps[w].side[0] = {Reason::Full};
    turn();
    is_ready("left without a free entry", w, false, false);
    warps[w].side[0] = warps[w].side[1] = {};
    turn();
    is_ready("left, released", w, false, true);
    is_ready("right, released", w, true, true);
  }

  void each_reason() {
    start();
    for (unsigned w = 0; w < Warps; ++w) {
      for (unsigned side = 0; side < 2; ++side) {
        for (unsigned r = 0; r < Reasons; ++r) {
          warps[w].side[side] = {Reason(r)};
          turn();
          is_ready(reason_names[r], w, side != 0, false);
          is_ready("its sibling", w, side == 0, true);
        }
        warps[w].side[side].clear();
      }
    }
  }

  void lanes_moved() {
    start();
    turn();
    warps[0].lanes_moved = true;
    warps[0].side[0] = warps[0].side[1] = {Reason::Redirected};
    turn();
    is_ready("left of the warp whose lanes moved", 0, false, false);
    is_ready("right of it", 0, true, false);
    warps[0].lanes_moved = false;
    warps[0].side[0] = {};
    warps[0].side[1] = {Reason::Shadow};  // as the copy has it
    turn();
    is_ready("left in the cycle after", 0, false, true);
    is_ready("right in the cycle after", 0, true, false);
  }

  void single_path() {
    start();
    for (Warp& warp : warps) warp.side[1] = {Reason::NotValid};
    turn();
    check.equal("left paths", ready.read().left.to_uint64(), ~std::uint64_t(0) >> (64 - Warps));
    check.equal("right paths", ready.read().right.to_uint64(), std::uint64_t(0));
  }
};

template <class Point, class Core>
using At = GateBench<ControlFlow<Point::SlotWarps, Point::Lanes, Point::PcBits>, Core>;
template <unsigned Warps, class Core>
using Corner = GateBench<ControlFlow<Warps, 1, 2>, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using Tiny = At<point::tiny, Vissue_gate_tiny>;
  using Hpca13 = At<point::hpca13, Vissue_gate_hpca13>;
  using Cgo20 = At<point::cgo20, Vissue_gate_cgo20>;
  using OneWarp = Corner<1, Vissue_gate_one_warp>;
  using Widest = Corner<64, Vissue_gate_widest>;
  return bench::run_bench(argc, argv, "issue_gate",
                          {{"tiny", bench::bench_of<Tiny, bench::built("tiny")>()},
                           {"hpca13", bench::bench_of<Hpca13, bench::built("hpca13")>()},
                           {"cgo20", bench::bench_of<Cgo20, bench::built("cgo20")>()},
                           {"one_warp", bench::bench_of<OneWarp, bench::built("one_warp")>()},
                           {"widest", bench::bench_of<Widest, bench::built("widest")>()}});
}
