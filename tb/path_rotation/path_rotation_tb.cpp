// SPDX-License-Identifier: Apache-2.0
// Bench of the path rotation: the SystemC block and its Verilated twin in lockstep, and both against a plain model.
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include "Vpath_rotation_hpca13.h"
#include "Vpath_rotation_one_warp.h"
#include "Vpath_rotation_tiny.h"
#include "Vpath_rotation_widest.h"
#include "rtl/config/design_points.h"
#include "rtl/path_rotation/path_rotation.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::IdleCheck;
using bench::Options;

/// A path of a warp in one cycle, as its program sees it.
struct PathNow {
  enum { Gone, Runs, AtBarrier } state = Gone;
  bool meets_long_latency = false;
};

/// One warp under the constrained scheduler: one path is in its entry. Why it leaves it, in words.
class Model {
 public:
  enum class Why { Stays, OtherOneCannot, LongLatency, AtBarrier, Gone };

  bool shows_right() const { return shown_ == 1; }

  Why step(const PathNow (&paths)[2]) {
    const PathNow &in = paths[shown_], &out = paths[1 - shown_];
    Why why = Why::Stays;
    if (in.state == PathNow::Gone)
      why = Why::Gone;
    else if (in.state == PathNow::AtBarrier)
      why = Why::AtBarrier;
    else if (in.meets_long_latency)
      why = Why::LongLatency;
    if (why == Why::Stays) return why;
    if (out.state != PathNow::Runs) return Why::OtherOneCannot;
    shown_ = 1 - shown_;
    return why;
  }

 private:
  unsigned shown_ = 0;
};

/// The Verilated twin behind the ports of the block.
template <class Flow, class Core>
struct twin : sc_core::sc_module {
  using Slots = typename Flow::Slots;
  using WarpSet = typename path_rotation<Flow>::WarpSet;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename Flow::Status> status_i{"status_i"};
  sc_core::sc_in<Slots> waiting_i{"waiting_i"}, long_i{"long_i"};
  sc_core::sc_out<Slots> visible_o{"visible_o"};
  sc_core::sc_out<WarpSet> turned_o{"turned_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << status_i << waiting_i << long_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(status_i.read(), core.status_i);
    bench::to_port(waiting_i.read(), core.waiting_i);
    bench::to_port(long_i.read(), core.long_i);
    core.eval();
    visible_o.write(bench::from_port<Slots>(core.visible_o));
    turned_o.write(static_cast<std::uint64_t>(core.turned_o));
    idle_o.write(core.idle_o != 0);
  }
};

std::vector<std::string> cover_names(unsigned warps) {
  std::vector<std::string> names{"long latency, to the right",
                                 "long latency, to the left",
                                 "visible path gone, to the right",
                                 "visible path gone, to the left",
                                 "visible path at a barrier, to the right",
                                 "visible path at a barrier, to the left",
                                 "long latency, the other path gone",
                                 "long latency, the other path at a barrier",
                                 "both paths at a barrier",
                                 "both paths gone, right visible",
                                 "long latency of both",
                                 "long latency of the hidden path alone",
                                 "long latency of a path that is gone",
                                 "turned twice in a row",
                                 "turned while both paths are redirected",
                                 "turned to a path that a push made alone",
                                 "turned at the edge that replaced both paths",
                                 "everything stays",
                                 "idle, then a path goes",
                                 "idle with the right path visible",
                                 "reset with a right path visible"};
  if (warps > 1) {
    names.insert(names.end(), {"all warps turn at one edge", "one warp turns to the left, one to the right"});
  }
  return names;
}

template <class Flow, class Core>
class RotationBench : public Bench {
 public:
  using Dut = path_rotation<Flow>;
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  using WarpSet = typename Dut::WarpSet;
  using Why = Model::Why;
  static constexpr unsigned Warps = Dut::Warps;

  explicit RotationBench(const Options& options) : Bench(cover_names(Warps)) {
    connect(dut, visible, turned, idle);
    Bench::shows("visible_o", visible);
    Bench::shows("turned_o", turned);
    Bench::shows("idle_o", idle);
    if (options.twin) {
      sv = std::make_unique<twin<Flow, Core>>("sv");
      connect(*sv, twin_visible, twin_turned, twin_idle);
    }
  }

  std::vector<Case> cases() override {
    return {{"misses", "DPE sec. 3.3, 6.4", "two paths of loads: each miss gives the other path its turn",
             [this] { misses(); }},
            {"no_miss", "DPE sec. 3.3", "while it meets no long latency a path keeps its warp: no turn every cycle",
             [this] { no_miss(); }},
            {"reconvergence", "DPE sec. 3.1, 3.3", "a path at its RPC is not there any more: the other one runs on",
             [this] { reconvergence(); }},
            {"barrier", "DESIGN 5, 6.4", "a path that waits at a CTA barrier is not shown while its sibling can run",
             [this] { barrier(); }},
            {"alone", "DPE sec. 3.3", "a path whose sibling is gone keeps the entry, whatever it misses",
             [this] { alone(); }},
            {"forgotten", "ours", "a miss while the other path waits is not remembered when that one is released",
             [this] { forgotten(); }},
            {"push", "ours", "a divergent branch replaces both paths: the side that was visible stays so",
             [this] { push(); }},
            {"turn_into_a_push", "ours", "the warp turns at the edge at which the other path diverges, or ends",
             [this] { turn_into_a_push(); }}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    bench::Dice random(seed);
    start();
    unsigned style = 0;
    for (unsigned long n = 0; n < cycles; ++n) {
      if (random() % 100 == 0) style = static_cast<unsigned>(random() % 5);
      if (random() % 1000 == 0) {
        covers.hit("reset with a right path visible", any_right());
        start();
      }
      for (Warp& warp : warps) {
        warp.redirected = false;
        const unsigned change = style == 0 ? 2 : style == 1 ? 16 : style == 2 ? 64 : 4;
        for (PathNow& path : warp.paths) {
          path.meets_long_latency = style != 4 && random() % (style == 3 ? 2 : 8) == 0;
          if (style != 4 && random() % change == 0) path.state = some_state(random());
        }
        if (random() % 32 == 0 && style != 4) {  // a push or a pop
          warp.redirected = true;
          for (PathNow& path : warp.paths) path.state = random() % 4 == 0 ? some_state(random()) : PathNow::Runs;
        }
      }
      if (style == 3 && random() % 16 == 0) {
        for (Warp& warp : warps) {
          for (PathNow& path : warp.paths) path = {PathNow::Runs, true};
        }
      }
      turn();
    }
  }

 private:
  struct Warp {
    PathNow paths[2];
    bool redirected = false;  // a push or pop has made its paths
    Model model;
  };

  struct Inputs {
    Status status;
    Slots waiting, latency;
  };

  sc_core::sc_signal<Status> status{"status"};
  sc_core::sc_signal<Slots> waiting{"waiting"}, latency{"long"}, visible{"visible"}, twin_visible{"twin_visible"};
  sc_core::sc_signal<WarpSet> turned{"turned"}, twin_turned{"twin_turned"};
  sc_core::sc_signal<bool> idle{"idle"}, twin_idle{"twin_idle"};
  Dut dut{"dut"};
  std::unique_ptr<twin<Flow, Core>> sv;
  std::vector<Warp> warps = std::vector<Warp>(Warps);
  WarpSet last_turned;
  bool was_idle = false;
  IdleCheck idle_check{3};

  template <class Block>
  void connect(Block& block, sc_core::sc_signal<Slots>& its_visible, sc_core::sc_signal<WarpSet>& its_turned,
               sc_core::sc_signal<bool>& its_idle) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.status_i(status);
    block.waiting_i(waiting);
    block.long_i(latency);
    block.visible_o(its_visible);
    block.turned_o(its_turned);
    block.idle_o(its_idle);
  }

  static decltype(PathNow::state) some_state(std::uint64_t random) {
    return random >> 32 & 1 ? PathNow::Runs : random >> 33 & 1 ? PathNow::AtBarrier : PathNow::Gone;
  }

  bool any_right() const {
    bool any = false;
    for (const Warp& warp : warps) any |= warp.model.shows_right();
    return any;
  }

  void start() {
    warps.assign(Warps, Warp());
    last_turned = 0;
    was_idle = false;
    drive(of_warps());
    reset();
    compare();
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    const Inputs inputs{edge.get<Status>("status_i"), edge.get<Slots>("waiting_i"), edge.get<Slots>("long_i")};
    const auto& [is, waits, meets] = inputs;
    for (unsigned w = 0; w < Warps; ++w) {
      warps[w].paths[0] = path_of(is.valid_left[w], waits.left[w], meets.left[w]);
      warps[w].paths[1] = path_of(is.valid_right[w], waits.right[w], meets.right[w]);
      warps[w].redirected = is.lanes_moved[w];
    }
    turn(inputs);
  }

  static PathNow path_of(bool valid, bool waits, bool meets_long_latency) {
    return {!valid ? PathNow::Gone : waits ? PathNow::AtBarrier : PathNow::Runs, meets_long_latency};
  }

  /// What the ports say of the warps as they are.
  Inputs of_warps() const {
    Inputs inputs;
    auto& [is, waits, meets] = inputs;
    for (unsigned w = 0; w < Warps; ++w) {
      const auto& [left, right] = warps[w].paths;
      is.valid_left[w] = left.state != PathNow::Gone;
      is.valid_right[w] = right.state != PathNow::Gone;
      is.lanes_moved[w] = warps[w].redirected;
      is.redirected_left[w] = warps[w].redirected && left.state != PathNow::Gone;
      is.redirected_right[w] = warps[w].redirected && right.state != PathNow::Gone;
      waits.left[w] = left.state == PathNow::AtBarrier;
      waits.right[w] = right.state == PathNow::AtBarrier;
      meets.left[w] = left.meets_long_latency;
      meets.right[w] = right.meets_long_latency;
    }
    return inputs;
  }

  void drive(const Inputs& inputs) {
    status.write(inputs.status);
    waiting.write(inputs.waiting);
    latency.write(inputs.latency);
  }

  void compare() {
    Slots expected;
    for (unsigned w = 0; w < Warps; ++w) {
      expected.left[w] = !warps[w].model.shows_right();
      expected.right[w] = warps[w].model.shows_right();
    }
    check.equal("visible slots of the block, against the model", visible.read(), expected);
    check.equal("turned warps of the block, against the model", turned.read(), last_turned);
    if (!sv) return;
    check.equal("visible slots of the twin, against the block", twin_visible.read(), visible.read());
    check.equal("turned warps of the twin, against the block", twin_turned.read(), turned.read());
    check.equal("idle_o of the twin, against the block", twin_idle.read(), idle.read());
  }

  std::string seen() const {
    std::ostringstream text;
    text << visible.read() << turned.read();
    return text.str();
  }

  /// One cycle of the warps as they are; what happened to each.
  std::vector<Why> turn() { return turn(of_warps()); }

  /// \param inputs  of the warps as they are
  std::vector<Why> turn(const Inputs& inputs) {
    const Status before = status.read();
    const Slots waited = waiting.read();
    drive(inputs);
    settle();
    compare();
    const bool levels_stay = before == status.read() && waited == waiting.read();
    const bool requested = latency.read() != Slots();
    const WarpSet had_turned = last_turned;
    covers.hit("idle, then a path goes", was_idle && !levels_stay && !idle.read());
    covers.hit("idle with the right path visible", idle.read() && any_right());
    idle_check.before(idle.read(), requested || !levels_stay, [this] { return seen(); });
    // What idle_o says of this edge holds whatever the inputs were before.
    const std::string then = seen();
    const bool rests = idle.read() && !requested;
    last_turned = 0;
    std::vector<Why> whys;
    for (unsigned w = 0; w < Warps; ++w) {
      const bool was_right = warps[w].model.shows_right();
      const Why why = warps[w].model.step(warps[w].paths);
      const bool turns = warps[w].model.shows_right() != was_right;
      last_turned[w] = turns;
      cover(warps[w], why, was_right, turns);
      covers.hit("turned twice in a row", turns && had_turned[w]);
      covers.hit("turned at the edge that replaced both paths", warps[w].redirected && had_turned[w]);
      whys.push_back(why);
    }
    if (Warps > 1) {
      covers.hit("all warps turn at one edge", last_turned == ~std::uint64_t(0) >> (64 - Warps));
      bool to_left = false, to_right = false;
      for (unsigned w = 0; w < Warps; ++w) (warps[w].model.shows_right() ? to_right : to_left) |= last_turned[w] != 0;
      covers.hit("one warp turns to the left, one to the right", to_left && to_right);
    }
    covers.hit("everything stays", last_turned == 0);
    was_idle = idle.read();
    edge();
    compare();
    idle_check.after(check, idle.read(), [this] { return seen(); });
    if (rests) check.equal("idle_o: this edge changes nothing", seen(), then);
    return whys;
  }

  void cover(const Warp& warp, Why why, bool was_right, bool turns) {
    const PathNow &in = warp.paths[was_right], &out = warp.paths[!was_right];
    const std::string to = was_right ? ", to the left" : ", to the right";
    if (turns && why == Why::LongLatency) covers.hit("long latency" + to);
    if (turns && why == Why::Gone) covers.hit("visible path gone" + to);
    if (turns && why == Why::AtBarrier) covers.hit("visible path at a barrier" + to);
    const bool stalls = in.state == PathNow::Runs && in.meets_long_latency && !turns;
    covers.hit("long latency, the other path gone", stalls && out.state == PathNow::Gone);
    covers.hit("long latency, the other path at a barrier", stalls && out.state == PathNow::AtBarrier);
    covers.hit("both paths at a barrier", in.state == PathNow::AtBarrier && out.state == PathNow::AtBarrier);
    covers.hit("both paths gone, right visible", was_right && in.state == PathNow::Gone && out.state == PathNow::Gone);
    covers.hit("long latency of both", turns && in.meets_long_latency && out.meets_long_latency);
    covers.hit("long latency of the hidden path alone",
               in.state == PathNow::Runs && out.state == PathNow::Runs && out.meets_long_latency && !turns);
    covers.hit("long latency of a path that is gone", in.state == PathNow::Gone && in.meets_long_latency);
    covers.hit("turned while both paths are redirected", turns && warp.redirected && in.state == PathNow::Runs);
    covers.hit("turned to a path that a push made alone", turns && warp.redirected && in.state == PathNow::Gone);
  }

  void shows(const char* what, bool right, bool has_turned) {
    check.equal(what, (visible.read().right >> last & 1) != 0, right);
    check.equal("turned", (turned.read() >> last & 1) != 0, has_turned);
  }

  // The cases are about the last warp; the others have no paths.
  static constexpr unsigned last = Warps - 1;
  PathNow& left() { return warps[last].paths[0]; }
  PathNow& right() { return warps[last].paths[1]; }

  /// One cycle in which these paths meet a long latency.
  void cycle_with(bool of_left, bool of_right) {
    left().meets_long_latency = of_left;
    right().meets_long_latency = of_right;
    turn();
    left().meets_long_latency = right().meets_long_latency = false;
  }

  void two_paths() {
    start();
    left().state = right().state = PathNow::Runs;
    cycle_with(false, false);
    shows("the left path first", false, false);
  }

  void misses() {
    two_paths();
    for (unsigned n = 0; n < 3; ++n) {
      cycle_with(true, false);
      shows("the right path after a miss of the left one", true, true);
      cycle_with(false, false);
      shows("it stays", true, false);
      cycle_with(false, true);
      shows("the left path after a miss of the right one", false, true);
      cycle_with(false, false);
      shows("it stays", false, false);
    }
    cycle_with(false, true);  // known late, of a path that is hidden already
    shows("a miss of the hidden path", false, false);
    cycle_with(true, true);
    shows("both in one cycle", true, true);
    cycle_with(false, true);
    shows("turned back at once", false, true);
  }

  void no_miss() {
    two_paths();
    for (unsigned n = 0; n < 10; ++n) {
      cycle_with(false, false);
      shows("no turn without a cause", false, false);
      check.equal("idle", idle.read(), true);
    }
  }

  void reconvergence() {
    two_paths();
    left().state = PathNow::Gone;
    cycle_with(false, false);
    shows("the right path runs on", true, true);
    right().state = PathNow::Gone;
    cycle_with(false, false);
    shows("nobody is there until the pop", true, false);
    left().state = PathNow::Runs;  // the entry beneath: its path had diverged on the left
    warps[last].redirected = true;
    cycle_with(false, false);
    warps[last].redirected = false;
    shows("the path that they met in", false, true);
    cycle_with(false, false);
    shows("it stays", false, false);
  }

  void barrier() {
    two_paths();
    left().state = PathNow::AtBarrier;
    cycle_with(false, false);
    shows("the right path, while the left one waits", true, true);
    cycle_with(false, true);
    shows("nobody to turn to", true, false);
    right().state = PathNow::AtBarrier;
    cycle_with(false, false);
    shows("both wait", true, false);
    left().state = PathNow::Runs;
    cycle_with(false, false);
    shows("the left one is released first", false, true);
    right().state = PathNow::Runs;
    cycle_with(false, false);
    shows("released too, it waits for its turn", false, false);
  }

  void alone() {
    start();
    left().state = PathNow::Runs;
    for (unsigned n = 0; n < 4; ++n) {
      cycle_with(true, n % 2 != 0);
      shows("the only path", false, false);
    }
    left().state = PathNow::Gone;
    right().state = PathNow::Runs;
    cycle_with(true, true);
    shows("the other path, then the only one", true, true);
    cycle_with(true, true);
    shows("the only path", true, false);
  }

  void forgotten() {
    two_paths();
    right().state = PathNow::AtBarrier;
    cycle_with(true, false);
    shows("the right path waits", false, false);
    right().state = PathNow::Runs;
    for (unsigned n = 0; n < 3; ++n) {
      cycle_with(false, false);
      shows("the miss is forgotten", false, false);
    }
    cycle_with(true, false);
    shows("the next one counts", true, true);
  }

  void push() {
    two_paths();
    cycle_with(true, false);
    shows("right", true, true);
    warps[last].redirected = true;  // the right path has diverged: new paths on both sides
    cycle_with(false, false);
    shows("its side stays visible", true, false);
    cycle_with(false, true);
    shows("a miss that is known now is of the lanes that are here", false, true);
  }

  void turn_into_a_push() {
    two_paths();
    cycle_with(true, false);  // at this edge the right path, whose branch was under way, diverges
    warps[last].redirected = true;
    shows("turned by what was known before the edge", true, true);
    cycle_with(false, false);
    shows("redirected and turned: fetched once", true, false);
    warps[last].redirected = false;
    cycle_with(false, true);  // at this edge the left path ends
    left().state = PathNow::Gone;
    shows("turned to a path that has gone", false, true);
    cycle_with(false, false);
    shows("and back: one cycle is lost", true, true);
  }
};

template <class Point, class Core>
using At = RotationBench<ControlFlow<Point::SlotWarps, Point::Lanes, Point::PcBits>, Core>;
template <unsigned Warps, class Core>
using Corner = RotationBench<ControlFlow<Warps, 1, 2>, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using Tiny = At<point::tiny, Vpath_rotation_tiny>;
  using Hpca13 = At<point::hpca13, Vpath_rotation_hpca13>;
  using OneWarp = Corner<1, Vpath_rotation_one_warp>;
  using Widest = Corner<64, Vpath_rotation_widest>;
  return bench::run_bench(argc, argv, "path_rotation",
                          {{"tiny", bench::bench_of<Tiny, bench::built("tiny")>()},
                           {"hpca13", bench::bench_of<Hpca13, bench::built("hpca13")>()},
                           {"one_warp", bench::bench_of<OneWarp, bench::built("one_warp")>()},
                           {"widest", bench::bench_of<Widest, bench::built("widest")>()}});
}
