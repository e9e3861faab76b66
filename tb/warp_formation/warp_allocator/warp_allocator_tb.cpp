// SPDX-License-Identifier: Apache-2.0
// Bench of the warp allocator: the SystemC block and its Verilated twin in lockstep, and both against a plain queue;
// then any placements and frees at all, for rule R5.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <deque>

#include "Vwarp_allocator_fewest.h"
#include "Vwarp_allocator_micro07.h"
#include "Vwarp_allocator_odd.h"
#include "Vwarp_allocator_tiny.h"
#include "rtl/config/design_points.h"
#include "rtl/warp_formation/warp_allocator/warp_allocator.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

constexpr const char* Illegal = "warp_allocator/illegal";

/// What the allocator means: a queue of the free entries. Knows no clock.
class Model {
 public:
  explicit Model(unsigned entries) : entries_(entries) {
    for (unsigned i = 0; i < entries; ++i) free_.push_back(i);
  }

  unsigned free() const { return static_cast<unsigned>(free_.size()); }
  unsigned next(unsigned n) const { return n < free_.size() ? free_[n] : 0; }

  /// False: refused.
  bool step(unsigned take, bool frees, unsigned freed) {
    if (take > free_.size() || (frees && free_.size() == entries_)) return false;
    free_.erase(free_.begin(), free_.begin() + take);
    if (frees) free_.push_back(freed);
    return true;
  }

 private:
  unsigned entries_;
  std::deque<unsigned> free_;
};

/// The Verilated twin behind the ports of the block.
template <class F, class Core>
struct twin : sc_core::sc_module {
  using Placement = typename F::Placement;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<typename F::Issue> free_i{"free_i"};
  sc_core::sc_out<typename F::Offer> offer_o{"offer_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << place_i[0] << place_i[1] << free_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::array_to_port<Placement>(place_i, core.place_i);
    bench::to_port(free_i.read(), core.free_i);
    core.eval();
    offer_o.write(bench::from_port<typename F::Offer>(core.offer_o));
  }
};

std::vector<std::string> cover_names(unsigned entries) {
  std::vector<std::string> names{"nothing taken",
                                 "one taken, first update",
                                 "one taken, second update",
                                 "two taken",
                                 "the last one taken",
                                 "the last two taken",
                                 "nothing free",
                                 "one free",
                                 "all free again",
                                 "taken and freed in one cycle",
                                 "freed with nothing free",
                                 "freed and offered first, beside a take",
                                 "freed and offered second",
                                 "the last fresh entry beside the oldest freed one",
                                 "round the list twice",
                                 "reset while in use",
                                 "illegal: one too many",
                                 "illegal: two too many",
                                 "illegal: free of nothing",
                                 "illegal: taken and freed when all are free"};
  if (entries > 2) names.push_back("two taken and one freed");
  return names;
}

template <class F, class Core>
class AllocatorBench : public Bench {
 public:
  using Dut = warp_allocator<F>;
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using Offer = typename F::Offer;
  static constexpr unsigned Threads = F::Threads;

  explicit AllocatorBench(const Options& options) : Bench(cover_names(Threads)) {
    connect(dut, offer);
    shows("offer_o", offer);
    if (options.twin) {
      sv = std::make_unique<twin<F, Core>>("sv");
      connect(*sv, twin_offer);
    }
  }

  std::vector<Case> cases() override {
    const Case numbers{"first_numbers", "ours", "entries that never held a warp go first, in order, one or two a cycle",
                       [this] { first_numbers(); }};
    if (Threads < 5) return {numbers};  // the others need more entries
    std::vector<Case> all{
        numbers,
        {"returned", "DWF sec. 4.2", "an issued warp's entry returns: behind all others, in the order of issue",
         [this] { returned(); }},
        {"one_cycle", "DESIGN 6.6", "allocate against free in one cycle: the freed entry is allocatable the next",
         [this] { one_cycle(); }},
        {"nothing_free", "DWF sec. 4.2", "every thread has a warp of its own; the first issue frees the only entry",
         [this] { nothing_free(); }},
        {"round", "ours", "two warps take turns in the same entries until the list has gone round twice",
         [this] { round(); }},
        {"refused", "ours", "more than there are, or a free of nothing, changes nothing and is a named error",
         [this] { refused(); }}};
    if (Threads == 256) {
      all.push_back({"table_1", "DWF Table 1", "256 IDX of 8 bits: 2048 bits", [this] {
                       unsigned long paper = 0;
                       for (const Structure& row : inventory()) paper += row.paper_bits();
                       check.equal("paper bits", paper, 2048UL);
                     }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R5: from here on anything
        tolerate();
        anything = true;
      }
      if (dice.below(20 * Threads) == 0) {
        covers.hit("reset while in use", model.free() != Threads);
        start();
      }
      if (dice.below(2 * Threads) == 0) mood = dice.below(4);
      const unsigned wish = mood == 0 ? dice.below(16) == 0 : mood == 1 ? 1 + dice.below(2) : dice.below(3);
      unsigned take = anything ? wish : std::min(wish, model.free());
      const bool frees = dice.below(mood == 1 ? 8 : mood == 0 ? 1 : 2) == 0;
      if (anything && frees)
        cycle(take, true, dice.below(Threads));
      else if (frees && !used.empty())
        cycle(take, true, used[dice.below(static_cast<unsigned>(used.size()))]);
      else
        cycle(take);
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  sc_core::sc_vector<sc_core::sc_signal<Placement>> place{"place", 2};
  sc_core::sc_signal<Issue> free_s{"free"};
  sc_core::sc_signal<Offer> offer{"offer"}, twin_offer{"twin_offer"};
  Dut dut{"dut"};
  std::unique_ptr<twin<F, Core>> sv;

  Model model{Threads};
  std::vector<unsigned> used;  // entries that hold a warp
  bench::Dice dice;
  bool anything = false;
  unsigned mood = 1;
  unsigned long faults = 0, taken = 0, freed = 0;

  template <class Block>
  void connect(Block& block, sc_core::sc_signal<Offer>& its_offer) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.place_i[0](place[0]);
    block.place_i[1](place[1]);
    block.free_i(free_s);
    block.offer_o(its_offer);
  }

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    cycle(edge.get<Placement>("place_i", 0), edge.get<Placement>("place_i", 1), edge.get<Issue>("free_i"));
  }

  void start() {
    for (auto& p : place) p.write(Placement());
    free_s.write(Issue());
    reset();
    model = Model(Threads);
    used.clear();
    taken = freed = 0;
    compare();
  }

  void compare() {
    Offer expected;
    expected.first = model.next(0);
    expected.second = model.next(1);
    expected.free = model.free();
    check.equal("offer of the block, against the model", offer.read(), expected);
    if (sv) check.equal("offer of the twin, against the block", twin_offer.read(), offer.read());
  }

  /// A placement as the LUT makes them; all but whether it opens a warp is noise here.
  Placement some_place(bool opens, unsigned idx) {
    Placement p;
    p.merge = dice();
    p.merge_idx = dice();
    p.hit = p.merge != 0;
    if (opens) {
      p.open = std::uint64_t(1) << dice.below(F::Lanes);
      p.open_idx = idx;
    }
    return p;
  }

  void cycle(unsigned take, bool frees = false, unsigned idx = 0) {
    const bool by_second = take == 1 && dice.below(2) != 0;
    const Placement one = some_place(take == 2 || (take == 1 && !by_second), model.next(0));
    const Placement two = some_place(take == 2 || by_second, model.next(take == 2 ? 1 : 0));
    Issue issue;
    issue.valid = frees ? 1 : 0;
    issue.idx = idx;
    cycle(one, two, issue);
  }

  void cycle(const Placement& one, const Placement& two, const Issue& issue) {
    const unsigned take = (one.open != 0) + (two.open != 0), idx = issue.idx.to_uint();
    const bool by_second = take == 1 && two.open != 0, frees = issue.valid != 0;
    place[0].write(one);
    place[1].write(two);
    free_s.write(issue);
    settle();
    cover(take, by_second, frees, idx);
    const unsigned first = model.next(0), second = model.next(1);
    if (model.step(take, frees, idx)) {
      if (take >= 1) used.push_back(first);
      if (take == 2) used.push_back(second);
      const auto it = std::find(used.begin(), used.end(), idx);
      if (frees && it != used.end()) used.erase(it);
      taken += take;
      freed += frees;
    } else {
      ++faults;
    }
    const Offer was = offer.read();
    edge();
    compare();
    if (take == 0 && !frees) check.equal("offer while nothing is asked for", offer.read(), was);
  }

  void cover(unsigned take, bool by_second, bool frees, unsigned idx) {
    const unsigned free = model.free();
    covers.hit("illegal: one too many", take > free && take - free == 1);
    covers.hit("illegal: two too many", take > free && take - free == 2);
    covers.hit("illegal: free of nothing", frees && free == Threads && take == 0);
    covers.hit("illegal: taken and freed when all are free", frees && free == Threads && take != 0);
    if (take > free || (frees && free == Threads)) return;
    covers.hit("nothing taken", take == 0);
    covers.hit("one taken, first update", take == 1 && !by_second);
    covers.hit("one taken, second update", by_second);
    covers.hit("two taken", take == 2);
    covers.hit("the last one taken", take == 1 && free == 1);
    covers.hit("the last two taken", take == 2 && free == 2);
    covers.hit("nothing free", free == 0);
    covers.hit("one free", free == 1);
    covers.hit("all free again", free == Threads && taken != 0);
    covers.hit("taken and freed in one cycle", take == 1 && frees);
    covers.hit("two taken and one freed", take == 2 && frees);
    covers.hit("freed with nothing free", frees && free == 0);
    covers.hit("freed and offered first, beside a take", frees && take != 0 && free == take && idx != 0);
    covers.hit("freed and offered second", frees && free == take + 1 && idx != 0);
    covers.hit("the last fresh entry beside the oldest freed one", taken == Threads - 1 && free >= 2);
    covers.hit("round the list twice", freed == 2 * Threads);
  }

  void offers(unsigned first, unsigned second, unsigned free) {
    check.equal("offered first", offer.read().first.to_uint(), first);
    check.equal("offered second", offer.read().second.to_uint(), second);
    check.equal("free", offer.read().free.to_uint(), free);
  }

  void first_numbers() {
    start();
    offers(0, 1, Threads);
    cycle(1);
    offers(1, Threads > 2 ? 2 : 0, Threads - 1);
    cycle(0);
    offers(1, Threads > 2 ? 2 : 0, Threads - 1);
    for (unsigned n = 1; n + 2 <= Threads; n += 2) {
      offers(n, n + 1, Threads - n);
      cycle(2);
    }
  }

  void returned() {
    start();
    for (unsigned n = 0; n < Threads; ++n) cycle(1);
    offers(0, 0, 0);
    cycle(0, true, 2);
    offers(2, 0, 1);
    cycle(0, true, 0);
    offers(2, 0, 2);
    cycle(0, true, Threads - 1);
    offers(2, 0, 3);
    cycle(2);
    offers(Threads - 1, 0, 1);
  }

  void one_cycle() {
    start();
    for (unsigned n = 0; n + 1 < Threads; ++n) cycle(1);
    offers(Threads - 1, 0, 1);
    cycle(1, true, 1);  // the last one is taken as the first one is freed
    offers(1, 0, 1);
    cycle(1, true, 2);
    offers(2, 0, 1);
    cycle(0, true, 0);
    cycle(2, true, 1);
    offers(1, 0, 1);
  }

  void nothing_free() {
    start();
    for (unsigned n = 0; n + 2 <= Threads; n += 2) cycle(2);
    if (Threads % 2 != 0) cycle(1);
    offers(0, 0, 0);
    cycle(0);
    offers(0, 0, 0);
    cycle(0, true, Threads - 1);
    offers(Threads - 1, 0, 1);
    cycle(1);
    offers(0, 0, 0);
    for (unsigned n = 0; n < Threads; ++n) cycle(0, true, n);
    offers(0, 1, Threads);
  }

  void round() {
    start();
    for (unsigned n = 0; n < Threads; ++n) cycle(1);
    cycle(0, true, 0);
    for (unsigned n = 0; n < 2 * Threads; ++n) {
      offers(n % 2, 0, 1);
      cycle(1, true, n % 2 == 0 ? 1 : 0);
    }
  }

  void refused() {
    tolerate();
    const unsigned long before = errors(Illegal);
    start();
    cycle(0, true, 3 % Threads);
    offers(0, 1, Threads);
    cycle(2, true, 1);  // nothing of it happens
    offers(0, 1, Threads);
    for (unsigned n = 0; n + 1 < Threads; ++n) cycle(1);
    cycle(2, true, 0);
    offers(Threads - 1, 0, 1);
    cycle(1);
    cycle(1);
    offers(0, 0, 0);
    cycle(1, true, 1);  // what is freed now can only be taken in the next cycle
    offers(0, 0, 0);
    check.equal("named errors", errors(Illegal) - before, 5UL);
    if (sv) sv->context.assertOn(true);
  }
};

template <class Point>
using Of = Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;

template <class F, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<AllocatorBench<F, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  return bench::run_bench(argc, argv, "warp_allocator",
                          {{"tiny", at<Of<point::tiny>, Vwarp_allocator_tiny, bench::built("tiny")>()},
                           {"micro07", at<Of<point::micro07>, Vwarp_allocator_micro07, bench::built("micro07")>()},
                           {"fewest", at<Formation<2, 1, 1, 1, 1>, Vwarp_allocator_fewest, bench::built("fewest")>()},
                           {"odd", at<Formation<5, 5, 2, 2, 1>, Vwarp_allocator_odd, bench::built("odd")>()}});
}
