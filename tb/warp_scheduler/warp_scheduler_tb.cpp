// SPDX-License-Identifier: Apache-2.0
// Bench of the warp scheduler: the SystemC block and its Verilated twin in lockstep, and both against a plain model.
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <list>

#include "Vwarp_scheduler_hpca13_pairs.h"
#include "Vwarp_scheduler_hpca13_warps.h"
#include "Vwarp_scheduler_one_slot.h"
#include "Vwarp_scheduler_one_warp.h"
#include "Vwarp_scheduler_tiny_pairs.h"
#include "Vwarp_scheduler_tiny_warps.h"
#include "Vwarp_scheduler_widest.h"
#include "rtl/config/design_points.h"
#include "rtl/warp_scheduler/warp_scheduler.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

/// What loose round robin means: a queue of slots; the first that is ready goes, and it and all before it queue again.
class Model {
 public:
  Model(unsigned warps, unsigned paths) : paths_(paths) {
    for (unsigned slot = 0; slot < warps * paths; ++slot) queue_.push_back(slot);
  }

  struct Pick {
    bool valid;
    unsigned warp;
    bool right;
  };

  template <class Ready>
  Pick pick(Ready&& is_ready) const {
    for (const unsigned slot : queue_) {
      const unsigned warp = slot / paths_;
      const bool right = slot % paths_ != 0;
      if (is_ready(warp, right)) return {true, warp, right};
    }
    return {false, 0, false};
  }

  void issue(const Pick& pick) {
    const unsigned slot = pick.warp * paths_ + pick.right;
    const auto it = std::find(queue_.begin(), queue_.end(), slot);
    queue_.splice(queue_.end(), queue_, queue_.begin(), std::next(it));
  }

  /// The slot whose turn it is.
  Pick first() const { return {true, queue_.front() / paths_, queue_.front() % paths_ != 0}; }

 private:
  unsigned paths_;
  std::list<unsigned> queue_;
};

/// The Verilated twin behind the ports of the block.
template <class Flow, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename Flow::Slots> ready_i{"ready_i"};
  sc_core::sc_out<typename Flow::Grant> grant_o{"grant_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << ready_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(ready_i.read(), core.ready_i);
    core.eval();
    grant_o.write(bench::from_port<typename Flow::Grant>(core.grant_o));
  }
};

std::vector<std::string> cover_names(unsigned slots, unsigned paths) {
  std::vector<std::string> names{"nothing ready", "everything ready", "one slot ready", "the turn's slot granted",
                                 "reset"};
  if (slots > 1) {
    names.insert(names.end(),
                 {"the turn's slot not ready", "wrap-around", "a slot waits for all others", "same slot again"});
  }
  if (paths == 2) {
    names.insert(names.end(),
                 {"right granted", "both paths of the turn's warp ready", "turn at right, only left ready"});
  } else {
    names.push_back("right ready, left not");
  }
  return names;
}

template <class Flow, unsigned Paths, class Core>
class SchedulerBench : public Bench {
 public:
  using Dut = warp_scheduler<Flow, Paths>;
  using Slots = typename Flow::Slots;
  using Grant = typename Flow::Grant;
  static constexpr unsigned Warps = Dut::Warps, Count = Warps * Paths;
  static constexpr std::uint64_t All = ~std::uint64_t(0) >> (64 - Warps);

  explicit SchedulerBench(const Options& options) : Bench(cover_names(Count, Paths)) {
    connect(dut, grant);
    shows("grant_o", grant);
    if (options.twin) {
      sv = std::make_unique<twin<Flow, Core>>("sv");
      connect(*sv, twin_grant);
    }
  }

  std::vector<Case> cases() override {
    return {{"fairness", "DPE sec. 3.3", "all slots stay ready: one round grants each once, in order",
             [this] { fairness(); }},
            {"single_slot", "ours", "one ready slot issues in every cycle", [this] { single_slot(); }},
            {"wrap_around", "ours", "after the last slot comes the first", [this] { wrap_around(); }},
            {"siblings", "DPE sec. 3.3", "the two paths of a warp take turns; one path: right is not looked at",
             [this] { siblings(); }},
            {"patience", "ours", "a slot that stays ready waits for each other slot once, whatever they do",
             [this] { patience(); }}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    bench::Dice random(seed);
    start();
    unsigned style = 0;
    Slots ready;
    for (unsigned long n = 0; n < cycles; ++n) {
      if (random() % 200 == 0) style = static_cast<unsigned>(random() % 5);
      if (random() % 1000 == 0) {
        covers.hit("reset");
        start();
      }
      const auto some = [&] {
        const std::uint64_t bits = random() & All;
        return style == 0 ? bits : style == 1 ? bits & random() & random() & random() : style == 2 ? All : 0;
      };
      if (style == 3) {  // slots stay ready until granted
        const Model::Pick was = last;
        if (was.valid && was.right) ready.right = ready.right & ~(std::uint64_t(1) << was.warp);
        if (was.valid && !was.right) ready.left = ready.left & ~(std::uint64_t(1) << was.warp);
        ready.left = ready.left | (random() & random() & random() & All);
        ready.right = ready.right | (random() & random() & random() & All);
      } else if (style == 4) {  // one slot
        ready = Slots();
        (random() % 2 != 0 ? ready.right : ready.left) = std::uint64_t(1) << random() % Warps;
      } else {
        ready.left = some();
        ready.right = some();
      }
      if (style != 2 && random() % 16 == 0) ready = Slots();
      turn(ready);
    }
  }

 private:
  sc_core::sc_signal<Slots> ready_s{"ready"};
  sc_core::sc_signal<Grant> grant{"grant"}, twin_grant{"twin_grant"};
  Dut dut{"dut"};
  std::unique_ptr<twin<Flow, Core>> sv;
  Model model{Warps, Paths};
  std::vector<unsigned> waited = std::vector<unsigned>(Count);
  Model::Pick last{false, 0, false};

  template <class Block>
  void connect(Block& block, sc_core::sc_signal<Grant>& its_grant) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.ready_i(ready_s);
    block.grant_o(its_grant);
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (edge.get<bool>("rst_ni"))
      turn(edge.get<Slots>("ready_i"));
    else
      start();
  }

  void start() {
    ready_s.write(Slots());
    reset();
    model = Model(Warps, Paths);
    waited.assign(Count, 0);
    last = {false, 0, false};
  }

  static bool is_ready(const Slots& ready, unsigned warp, bool right) {
    const std::uint64_t mask = right ? ready.right : ready.left;
    return (mask >> warp & 1) != 0;
  }

  Model::Pick expected(const Slots& ready) {
    const Model::Pick pick = model.pick([&](unsigned warp, bool right) { return is_ready(ready, warp, right); });
    Grant is;
    is.valid = pick.valid;
    is.warp = pick.warp;
    is.right = pick.right;
    check.equal("grant of the block, against the model", grant.read(), is);
    if (sv) check.equal("grant of the twin, against the block", twin_grant.read(), grant.read());
    return pick;
  }

  /// One cycle; returns what was granted in it.
  Model::Pick turn(const Slots& ready) {
    ready_s.write(ready);
    settle();
    const Model::Pick pick = expected(ready);
    cover(ready, pick);
    if (pick.valid) {
      model.issue(pick);
      for (unsigned slot = 0; slot < Count; ++slot) {
        const bool waits = is_ready(ready, slot / Paths, slot % Paths != 0) && slot != pick.warp * Paths + pick.right;
        waited[slot] = waits ? waited[slot] + 1 : 0;
        if (waited[slot] >= Count) check.equal("picks that a ready slot waits", waited[slot], Count - 1);
        if (Count > 1) covers.hit("a slot waits for all others", waited[slot] == Count - 1);
      }
    } else {
      waited.assign(Count, 0);
    }
    edge();
    expected(ready);
    last = pick;
    return pick;
  }

  void cover(const Slots& ready, const Model::Pick& pick) {
    const Model::Pick first = model.first();
    const bool first_ready = is_ready(ready, first.warp, first.right);
    unsigned count = 0;
    for (unsigned slot = 0; slot < Count; ++slot) count += is_ready(ready, slot / Paths, slot % Paths != 0);
    covers.hit("nothing ready", count == 0);
    covers.hit("everything ready", count == Count);
    covers.hit("one slot ready", count == 1);
    covers.hit("the turn's slot granted", first_ready);
    if constexpr (Count > 1) {
      covers.hit("the turn's slot not ready", pick.valid && !first_ready);
      covers.hit("wrap-around", pick.valid && pick.warp * Paths + pick.right < first.warp * Paths + first.right);
      covers.hit("same slot again", pick.valid && last.valid && pick.warp == last.warp && pick.right == last.right);
    }
    if constexpr (Paths == 2) {
      covers.hit("right granted", pick.valid && pick.right);
      covers.hit("both paths of the turn's warp ready",
                 is_ready(ready, first.warp, false) && is_ready(ready, first.warp, true));
      covers.hit("turn at right, only left ready", first.right && !first_ready && is_ready(ready, first.warp, false));
    } else {
      covers.hit("right ready, left not", ready.left == 0 && ready.right != 0);
    }
  }

  static Slots slots(std::uint64_t left, std::uint64_t right) {
    Slots ready;
    ready.left = left;
    ready.right = right;
    return ready;
  }

  void granted(const Model::Pick& pick, unsigned warp, bool right) {
    check.is_true("a grant", pick.valid);
    check.equal("granted warp", pick.warp, warp);
    check.equal("granted side", pick.right, right);
  }

  void fairness() {
    start();
    for (unsigned round = 0; round < 3; ++round) {
      for (unsigned slot = 0; slot < Count; ++slot) granted(turn(slots(All, All)), slot / Paths, slot % Paths != 0);
    }
  }

  void single_slot() {
    start();
    for (unsigned n = 0; n < 4; ++n) granted(turn(slots(std::uint64_t(1) << (Warps - 1), 0)), Warps - 1, false);
    check.is_true("no grant when nothing is ready", !turn(slots(0, 0)).valid);
    granted(turn(slots(std::uint64_t(1) << (Warps - 1), 0)), Warps - 1, false);
  }

  void wrap_around() {
    start();
    const std::uint64_t ends = 1 | std::uint64_t(1) << (Warps - 1);
    granted(turn(slots(1, 0)), 0, false);
    granted(turn(slots(ends, 0)), Warps - 1, false);
    granted(turn(slots(ends, 0)), 0, false);
    granted(turn(slots(ends, 0)), Warps - 1, false);
  }

  void siblings() {
    start();
    granted(turn(slots(1, 1)), 0, false);
    granted(turn(slots(1, 1)), 0, Paths == 2);
    granted(turn(slots(1, 1)), 0, false);
    const Model::Pick right = turn(slots(0, 1));
    check.equal("the right path alone", right.valid, Paths == 2);
  }

  void patience() {
    start();
    const unsigned waiting = Count / 2;  // ready throughout; every other slot too, except after its own grant
    Slots ready = slots(All, All);
    turn(slots(std::uint64_t(1) << waiting / Paths, std::uint64_t(1) << waiting / Paths));
    unsigned picks = 0;
    for (bool found = false; !found; ++picks) {
      const Model::Pick pick = turn(ready);
      found = pick.valid && pick.warp == waiting / Paths && pick.right == (waiting % Paths != 0);
      check.is_true("granted within as many picks as there are slots", picks < Count);
      if (picks > Count) return;
    }
  }
};

template <class Point, unsigned Paths, class Core>
using At = SchedulerBench<ControlFlow<Point::SlotWarps, Point::Lanes, Point::PcBits>, Paths, Core>;
template <unsigned Warps, unsigned Paths, class Core>
using Corner = SchedulerBench<ControlFlow<Warps, 1, 2>, Paths, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using TinyPairs = At<point::tiny, 2, Vwarp_scheduler_tiny_pairs>;
  using TinyWarps = At<point::tiny, 1, Vwarp_scheduler_tiny_warps>;
  using Hpca13Pairs = At<point::hpca13, 2, Vwarp_scheduler_hpca13_pairs>;
  using Hpca13Warps = At<point::hpca13, 1, Vwarp_scheduler_hpca13_warps>;
  using OneWarp = Corner<1, 2, Vwarp_scheduler_one_warp>;
  using OneSlot = Corner<1, 1, Vwarp_scheduler_one_slot>;
  using Widest = Corner<64, 2, Vwarp_scheduler_widest>;
  return bench::run_bench(argc, argv, "warp_scheduler",
                          {{"tiny_pairs", bench::bench_of<TinyPairs, bench::built("tiny_pairs")>()},
                           {"tiny_warps", bench::bench_of<TinyWarps, bench::built("tiny_warps")>()},
                           {"hpca13_pairs", bench::bench_of<Hpca13Pairs, bench::built("hpca13_pairs")>()},
                           {"hpca13_warps", bench::bench_of<Hpca13Warps, bench::built("hpca13_warps")>()},
                           {"one_warp", bench::bench_of<OneWarp, bench::built("one_warp")>()},
                           {"one_slot", bench::bench_of<OneSlot, bench::built("one_slot")>()},
                           {"widest", bench::bench_of<Widest, bench::built("widest")>()}});
}
