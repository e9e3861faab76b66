// SPDX-License-Identifier: Apache-2.0
// Bench of the warp update register: the SystemC block and its Verilated twin in lockstep, and both against a plain
// model.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <set>

#include "Vwarp_update_register_micro07_aware.h"
#include "Vwarp_update_register_micro07_naive.h"
#include "Vwarp_update_register_one_lane.h"
#include "Vwarp_update_register_tiny_aware.h"
#include "Vwarp_update_register_tiny_naive.h"
#include "Vwarp_update_register_widest.h"
#include "rtl/config/design_points.h"
#include "rtl/warp_formation/warp_update_register/warp_update_register.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

/// A thread of a warp that commits.
struct Thread {
  unsigned lane, tid;
  std::uint64_t pc;
};

/// What a register does with the threads of a warp: those that go where the first goes, and the others. Knows no clock.
struct Model {
  std::vector<Thread> taken, rest;

  explicit Model(const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) (thread.pc == threads.front().pc ? taken : rest).push_back(thread);
  }
};

std::uint64_t lanes_of(const std::vector<Thread>& threads) {
  std::uint64_t lanes = 0;
  for (const Thread& thread : threads) lanes |= std::uint64_t(1) << thread.lane;
  return lanes;
}

/// The Verilated twin behind the ports of the block.
template <class F, class Core>
struct twin : sc_core::sc_module {
  static constexpr unsigned Lanes = F::Lanes;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename F::Commit> warp_i{"warp_i"};
  sc_core::sc_vector<sc_core::sc_in<typename F::Tid>> tid_i{"tid_i", Lanes};
  sc_core::sc_vector<sc_core::sc_in<typename F::Pc>> pc_i{"pc_i", Lanes};
  sc_core::sc_in<typename F::Release> release_i{"release_i"};
  sc_core::sc_out<typename F::Mask> rest_o{"rest_o"};
  sc_core::sc_out<typename F::Update> update_o{"update_o"};
  sc_core::sc_vector<sc_core::sc_out<typename F::Tid>> tid_o{"tid_o", Lanes};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << warp_i << release_i;
    for (unsigned l = 0; l < Lanes; ++l) sensitive << tid_i[l] << pc_i[l];
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(warp_i.read(), core.warp_i);
    bench::array_to_port<typename F::Tid>(tid_i, core.tid_i);
    bench::array_to_port<typename F::Pc>(pc_i, core.pc_i);
    bench::to_port(release_i.read(), core.release_i);
    core.eval();
    rest_o.write(bench::from_port<typename F::Mask>(core.rest_o));
    update_o.write(bench::from_port<typename F::Update>(core.update_o));
    bench::array_from_port<typename F::Tid>(core.tid_o, tid_o);
    idle_o.write(core.idle_o != 0);
  }
};

std::vector<std::string> cover_names(unsigned lanes, unsigned ctas, bool aware) {
  std::vector<std::string> names{"no warp",
                                 "one next PC",
                                 "post-dominator passed",
                                 "post-dominator, data at its largest",
                                 "waits at the barrier",
                                 "barrier opens as they commit",
                                 "blank after a warp",
                                 "a warp after a warp",
                                 "reset with a warp",
                                 "rests",
                                 "a warp ends a rest"};
  if (lanes > 1) names.insert(names.end(), {"two next PCs", "lowest lane is not 0", "some lanes without thread"});
  if (lanes > 2) names.insert(names.end(), {"more than two next PCs", "every thread its own next PC"});
  if (lanes > 1 && !aware) names.push_back("naive: threads move down");
  if (ctas > 1) names.push_back("another barrier opens as they commit");
  return names;
}

template <class F, bool LaneAware, class Core>
class UpdateBench : public Bench {
 public:
  using Dut = warp_update_register<F, LaneAware>;
  using Commit = typename F::Commit;
  using Release = typename F::Release;
  using Update = typename F::Update;
  using Mask = typename F::Mask;
  using Tid = typename F::Tid;
  using Pc = typename F::Pc;
  static constexpr unsigned Lanes = F::Lanes;
  static constexpr std::uint64_t LargestData = ~std::uint64_t(0) >> (64 - F::DataBits), LargestPc = ~std::uint64_t(0) >>
                                                                                                    (64 - F::PcBits);

  explicit UpdateBench(const Options& options) : Bench(cover_names(Lanes, F::Ctas, LaneAware)) {
    connect(dut, out);
    shows("rest_o", out.rest), shows("update_o", out.update), shows("tid_o", out.tid), shows("idle_o", out.idle);
    if (options.twin) {
      sv = std::make_unique<twin<F, Core>>("sv");
      connect(*sv, twin_out);
    }
  }

  std::vector<Case> cases() override {
    const Case is_blank{"blank", "ours", "without threads, and after reset, the register is blank",
                        [this] { blank(); }};
    if (Lanes < 4) return {is_blank};  // the others need more lanes
    std::vector<Case> all{
        {"branch", "DWF sec. 4.2", "a branch diverges: its two next PCs leave in two takes", [this] { branch(); }},
        {"three_pcs", "DWF sec. 4.2, note 4", "three next PCs: what is not taken is in rest_o and is offered again",
         [this] { three_pcs(); }},
        {"barrier", "DESIGN 6.6", "threads at the barrier wait, but not when it opens as they commit",
         [this] { barrier(); }},
        {"post_dominator", "DWF sec. 4.3", "the count of passed post-dominators goes up and stays at its largest",
         [this] { post_dominator(); }},
        is_blank};
    if (!LaneAware) {
      all.push_back(
          {"naive", "DWF sec. 4.1, Fig. 10b", "without home lanes the threads move down", [this] { naive(); }});
    }
    if (F::Threads == 256 && Lanes == 16) {
      all.push_back({"table_1", "DWF Table 1", "two registers of 16 TIDs, PC and 8 of 16 REQ bits: 336 bits", [this] {
                       unsigned long paper = 0;
                       for (const Structure& row : inventory()) paper += row.paper_bits();
                       check.equal("paper bits of two registers", 2 * paper, 336UL);
                     }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (dice.below(1000) == 0) {
        covers.hit("reset with a warp", warp_s.read().lanes != 0);
        start(false);
      }
      Commit warp;
      warp.cta = dice.below(F::Ctas);
      warp.data = dice.below(3) == 0 ? LargestData - dice.below(2) : dice() & LargestData;
      warp.passed = dice.below(2);
      warp.waits = dice.below(3) == 0;
      warp.lanes = dice.below(8) == 0   ? 0
                   : dice.below(3) == 0 ? ~std::uint64_t(0)
                   : dice.below(2) == 0 ? dice() & dice()
                                        : dice();
      const unsigned kinds = dice.below(8) == 0 ? 1000 : 1 + dice.below(4);
      const std::uint64_t base = dice(), bits = dice();
      std::vector<std::uint64_t> pcs;
      std::vector<unsigned> tids;
      for (unsigned l = 0; l < Lanes; ++l) {
        // PCs that differ in one bit only, and some that are near
        const unsigned kind = kinds == 1000 ? l : dice.below(kinds);
        pcs.push_back((kind == 0    ? base
                       : kinds == 4 ? base ^ std::uint64_t(1) << (bits >> 8 * kind) % F::PcBits
                                    : base + kind) &
                      LargestPc);
        tids.push_back(dice.below(F::Threads));
      }
      Release release;
      release.valid = dice.below(2);
      release.cta = dice.below(F::Ctas);
      cycle(warp, tids, pcs, release);
    }
  }

 private:
  struct Outputs {
    explicit Outputs(const char* name) : tid(name, Lanes) {}
    sc_core::sc_signal<Mask> rest;
    sc_core::sc_signal<Update> update;
    sc_core::sc_vector<sc_core::sc_signal<Tid>> tid;
    sc_core::sc_signal<bool> idle;
  };

  sc_core::sc_signal<Commit> warp_s{"warp"};
  sc_core::sc_vector<sc_core::sc_signal<Tid>> tid_s{"tid", Lanes};
  sc_core::sc_vector<sc_core::sc_signal<Pc>> pc_s{"pc", Lanes};
  sc_core::sc_signal<Release> release_s{"release"};
  Outputs out{"tid_of_block"}, twin_out{"tid_of_twin"};
  Dut dut{"dut"};
  std::unique_ptr<twin<F, Core>> sv;

  Update expected;
  std::vector<unsigned> expected_tids = std::vector<unsigned>(Lanes);
  bench::Dice dice;

  template <class Block>
  void connect(Block& block, Outputs& its) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.warp_i(warp_s);
    block.release_i(release_s);
    block.rest_o(its.rest);
    block.update_o(its.update);
    block.idle_o(its.idle);
    for (unsigned l = 0; l < Lanes; ++l) {
      block.tid_i[l](tid_s[l]);
      block.pc_i[l](pc_s[l]);
      block.tid_o[l](its.tid[l]);
    }
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    std::vector<unsigned> tids;
    std::vector<std::uint64_t> pcs;
    for (unsigned l = 0; l < Lanes; ++l) {
      tids.push_back(edge.get<Tid>("tid_i", l).to_uint());
      pcs.push_back(edge.get<Pc>("pc_i", l).to_uint64());
    }
    cycle(edge.get<Commit>("warp_i"), tids, pcs, edge.get<Release>("release_i"));
  }

  void start(bool without_warp = true) {
    if (without_warp) warp_s.write(Commit());
    reset();
    expected = Update();
    expected_tids.assign(Lanes, 0);
    check.is_true("idle after reset", out.idle.read());
    compare();
  }

  void compare() {
    check.equal("update of the block, against the model", out.update.read(), expected);
    for (unsigned l = 0; l < Lanes; ++l) {
      check.equal("TID of the block, against the model", out.tid[l].read().to_uint(), expected_tids[l]);
    }
    if (!sv) return;
    check.equal("rest of the twin, against the block", twin_out.rest.read(), out.rest.read());
    check.equal("update of the twin, against the block", twin_out.update.read(), out.update.read());
    check.equal("idle of the twin, against the block", twin_out.idle.read(), out.idle.read());
    for (unsigned l = 0; l < Lanes; ++l) {
      check.equal("TID of the twin, against the block", twin_out.tid[l].read(), out.tid[l].read());
    }
  }

  /// One cycle; TIDs and PCs of all lanes, also of those without thread. Answers with the lanes left.
  std::uint64_t cycle(const Commit& warp, const std::vector<unsigned>& tids, const std::vector<std::uint64_t>& pcs,
                      const Release& release = Release()) {
    warp_s.write(warp);
    release_s.write(release);
    std::vector<Thread> threads;
    for (unsigned l = 0; l < Lanes; ++l) {
      tid_s[l].write(tids[l]);
      pc_s[l].write(pcs[l]);
      if (warp.lanes[l]) threads.push_back({l, tids[l], pcs[l]});
    }
    settle();
    const Model model(threads);
    check.equal("rest of the block, against the model", out.rest.read().to_uint64(), lanes_of(model.rest));
    compare();
    cover(warp, threads, release);
    expected = Update();
    expected_tids.assign(Lanes, 0);
    if (!threads.empty()) {
      expected.pc = threads.front().pc;
      expected.cta = warp.cta;
      expected.data =
          std::min<std::uint64_t>(LargestData, warp.data == LargestData ? LargestData : warp.data + warp.passed);
      expected.waits = warp.waits != 0 && !(release.valid != 0 && release.cta == warp.cta);
      unsigned place = 0;
      for (const Thread& thread : model.taken) {
        const unsigned at = LaneAware ? thread.lane : place++;
        expected.req[at] = 1;
        expected_tids[at] = thread.tid;
      }
    }
    const bool rested = out.idle.read();
    const Update was = out.update.read();
    std::vector<Tid> tids_were;
    for (const auto& its : out.tid) tids_were.push_back(its.read());
    edge();
    compare();
    covers.hit("rests", rested && threads.empty());
    covers.hit("a warp ends a rest", rested && !threads.empty());
    if (threads.empty()) {
      check.is_true("idle a cycle after the last warp", out.idle.read());
      if (rested) {
        check.equal("update while idle", out.update.read(), was);
        for (unsigned l = 0; l < Lanes; ++l) check.equal("TID while idle", out.tid[l].read(), tids_were[l]);
      }
    }
    return lanes_of(model.rest);
  }

  void cover(const Commit& warp, const std::vector<Thread>& threads, const Release& release) {
    covers.hit("no warp", threads.empty());
    covers.hit("blank after a warp", threads.empty() && expected.req != 0);
    if (threads.empty()) return;
    std::set<std::uint64_t> pcs;
    for (const Thread& thread : threads) pcs.insert(thread.pc);
    const bool opens = release.valid != 0 && release.cta == warp.cta;
    covers.hit("a warp after a warp", expected.req != 0);
    covers.hit("one next PC", pcs.size() == 1 && threads.size() == Lanes);
    covers.hit("post-dominator passed", warp.passed != 0 && warp.data != LargestData);
    covers.hit("post-dominator, data at its largest", warp.passed != 0 && warp.data == LargestData);
    covers.hit("waits at the barrier", warp.waits != 0 && !opens);
    covers.hit("barrier opens as they commit", warp.waits != 0 && opens);
    if (F::Ctas > 1)
      covers.hit("another barrier opens as they commit", warp.waits != 0 && release.valid != 0 && !opens);
    if constexpr (Lanes > 1) {
      covers.hit("two next PCs", pcs.size() == 2);
      covers.hit("lowest lane is not 0", !warp.lanes[0]);
      covers.hit("some lanes without thread", threads.size() < Lanes && warp.lanes[0]);
      if (!LaneAware)
        covers.hit("naive: threads move down", Model(threads).taken.back().lane >= Model(threads).taken.size());
    }
    if constexpr (Lanes > 2) {
      covers.hit("more than two next PCs", pcs.size() > 2);
      covers.hit("every thread its own next PC", pcs.size() == threads.size() && threads.size() > 2);
    }
  }

  // ---- worked examples, of four lanes or more ----
  const std::vector<unsigned> threads_here = some_tids();

  static std::vector<unsigned> some_tids() {
    std::vector<unsigned> tids;
    for (unsigned l = 0; l < Lanes; ++l) tids.push_back(F::Threads - 1 - l);
    return tids;
  }

  static Commit commit(std::uint64_t lanes) {
    Commit warp;
    warp.lanes = lanes;
    warp.cta = F::Ctas - 1;
    return warp;
  }

  static std::vector<std::uint64_t> to(const std::vector<std::uint64_t>& pcs) {
    std::vector<std::uint64_t> all(Lanes);
    for (unsigned l = 0; l < Lanes; ++l) all[l] = pcs[l % pcs.size()];
    return all;
  }

  /// Lanes l % modulus == which.
  static std::uint64_t every(unsigned modulus, unsigned which) {
    std::uint64_t lanes = 0;
    for (unsigned l = which; l < Lanes; l += modulus) lanes |= std::uint64_t(1) << l;
    return lanes;
  }

  void took(std::uint64_t lanes, std::uint64_t pc) {
    const Update update = out.update.read();
    const unsigned count = count_set(lanes);
    check.equal("lanes taken", update.req.to_uint64(), LaneAware ? lanes : ~std::uint64_t(0) >> (64 - count));
    check.equal("their PC", update.pc.to_uint64(), pc);
    unsigned place = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if ((lanes >> l & 1) == 0) continue;
      check.equal("thread", out.tid[LaneAware ? l : place++].read().to_uint(), threads_here[l]);
    }
  }

  void branch() {
    start();
    const std::uint64_t all = every(1, 0);
    std::uint64_t rest = cycle(commit(all), threads_here, to({5, 9}));
    took(every(2, 0), 5);
    check.equal("the other side", rest, every(2, 1));
    rest = cycle(commit(rest), threads_here, to({5, 9}));
    took(every(2, 1), 9);
    check.equal("nothing is left", rest, 0UL);
    rest = cycle(commit(all), threads_here, to({6}));
    took(all, 6);
    check.equal("nothing is left", rest, 0UL);
  }

  void three_pcs() {
    start();
    const auto pcs = to({7, 3, 7, 12});
    std::uint64_t rest = cycle(commit(every(1, 0)), threads_here, pcs);
    took(every(2, 0), 7);
    check.equal("two PCs are left", rest, every(2, 1));
    rest = cycle(commit(rest), threads_here, pcs);
    took(every(4, 1), 3);
    check.equal("one PC is left", rest, every(4, 3));
    rest = cycle(commit(rest), threads_here, pcs);
    took(every(4, 3), 12);
    check.equal("nothing is left", rest, 0UL);
  }

  void barrier() {
    start();
    Commit warp = commit(3);
    warp.waits = 1;
    Release release;
    release.valid = 1;
    release.cta = 0;
    cycle(warp, threads_here, to({4}));
    check.equal("waits", out.update.read().waits.to_uint(), 1U);
    cycle(warp, threads_here, to({4}), release);
    check.equal("waits: another CTA's barrier opens", out.update.read().waits.to_uint(), F::Ctas > 1 ? 1U : 0U);
    release.cta = warp.cta;
    cycle(warp, threads_here, to({4}), release);
    check.equal("its own opens", out.update.read().waits.to_uint(), 0U);
  }

  void post_dominator() {
    start();
    Commit warp = commit(1);
    warp.data = LargestData - 1;
    cycle(warp, threads_here, to({4}));
    check.equal("count", out.update.read().data.to_uint64(), LargestData - 1);
    warp.passed = 1;
    cycle(warp, threads_here, to({4}));
    check.equal("one more", out.update.read().data.to_uint64(), LargestData);
    warp.data = LargestData;
    cycle(warp, threads_here, to({4}));
    check.equal("stays", out.update.read().data.to_uint64(), LargestData);
  }

  void blank() {
    start();
    Commit warp = commit(0);
    warp.data = LargestData;
    warp.waits = 1;
    cycle(warp, threads_here, to({4}));
    check.equal("blank", out.update.read(), Update());
    cycle(commit(every(1, 0)), threads_here, to({4}));
    start(false);
    check.equal("blank", out.update.read(), Update());
  }

  void naive() {
    start();
    const std::uint64_t rest = cycle(commit(every(2, 1)), threads_here, to({4, 8}));
    check.equal("nothing is left", rest, 0UL);
    check.equal("positions", out.update.read().req.to_uint64(), (std::uint64_t(1) << Lanes / 2) - 1);
    check.equal("first", out.tid[0].read().to_uint(), threads_here[1]);
    check.equal("second", out.tid[1].read().to_uint(), threads_here[3]);
  }
};

template <class Point>
using Of = Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;

template <class F, bool LaneAware, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<UpdateBench<F, LaneAware, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  using Tiny = Of<point::tiny>;
  using Micro07 = Of<point::micro07>;
  return bench::run_bench(
      argc, argv, "warp_update_register",
      {{"tiny_aware", at<Tiny, true, Vwarp_update_register_tiny_aware, built("tiny_aware")>()},
       {"tiny_naive", at<Tiny, false, Vwarp_update_register_tiny_naive, built("tiny_naive")>()},
       {"micro07_aware", at<Micro07, true, Vwarp_update_register_micro07_aware, built("micro07_aware")>()},
       {"micro07_naive", at<Micro07, false, Vwarp_update_register_micro07_naive, built("micro07_naive")>()},
       {"one_lane", at<Formation<2, 1, 1, 1, 1>, false, Vwarp_update_register_one_lane, built("one_lane")>()},
       {"widest", at<Formation<128, 64, 64, 5, 64>, false, Vwarp_update_register_widest, built("widest")>()}});
}
