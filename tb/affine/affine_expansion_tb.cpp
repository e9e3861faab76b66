// SPDX-License-Identifier: Apache-2.0
// Bench of the assembled unit of decoupled affine computation: the paper's loop, a barrier that stops one CTA, full
// queues and locks; and random kernels against the reference model.
#include "Vaffine_expansion_isca17.h"
#include "Vaffine_expansion_narrow.h"
#include "Vaffine_expansion_tiny.h"
#include "rtl/config/design_points.h"
#include "tb/affine/affine_expansion_bench.h"

namespace heddle::bench {

namespace {

template <class Unit, class Core>
class Cases : public ExpansionBench<Unit, Core> {
  using Base = ExpansionBench<Unit, Core>;
  using Base::add, Base::check, Base::ctas, Base::dut, Base::eager_, Base::entry_for_all, Base::finish, Base::Lanes,
      Base::open, Base::play, Base::seen_, Base::start, Base::Warps;
  using Kind = AffineEntry::Kind;

 public:
  explicit Cases(const Options& options) : Base(options) {}

  std::vector<Case> cases() override {
    std::vector<Case> all{
        {"dac_fig7", "DAC Fig. 7", "the loop of the example kernel: enq.data, enq.addr, enq.pred in each iteration",
         [this] { fig7(); }},
        {"rows", "DAC sec. 4.2", "a 2-D block whose rows do not go on linearly, with a partial last warp",
         [this] { rows(); }},
        {"locks", "DAC sec. 4.2; ours", "a stride of one set: all lockable ways are locked, and it goes on",
         [this] { locks(); }},
        {"deep", "ours", "warps that sleep fill every queue; the affine warp waits, and nothing is lost",
         [this] { deep(); }}};
    if (Base::Ctas > 1 && Warps > 1 && Unit::Ways > 2) {  // each CTA has a way to lock
      all.push_back({"barrier", "DAC sec. 4.2", "a barrier stops the expansion of one CTA and not of another",
                     [this] { barrier(); }});
    }
    return all;
  }

 private:
  static constexpr unsigned Threads = Warps >= 4 ? 2 * Lanes : Lanes;  // a CTA, in most cases
  static constexpr unsigned CtaCount = Base::Ctas > 1 && Warps > 1 ? 2 : 1;
  static constexpr unsigned WarpCount = CtaCount * Threads / Lanes;

  static AffineTuple linear(std::uint64_t base, std::uint64_t offset, std::uint64_t block) {
    AffineTuple tuple;
    tuple.base = base;
    tuple.offset[0] = offset;
    tuple.block[0] = block;
    return tuple;
  }

  /// tid = threadIdx.x + blockIdx.x blockDim.x; A[i num + tid] is loaded and B[i num + tid] stored while i != dim.
  void fig7() {
    constexpr unsigned dim = 3, num = CtaCount * Threads;
    start();
    open({Threads, 1, 1}, ctas({Threads, 1, 1}, CtaCount));
    for (unsigned i = 0; i < dim; ++i) {
      add(entry_for_all(Kind::Data, linear(0x1000 + 4 * i * num, 4, 4 * Threads)));
      add(entry_for_all(Kind::Address, linear(0x8000 + 4 * i * num, 4, 4 * Threads)));
      AffineEntry again = entry_for_all(Kind::Predicate, linear(dim, 0, 0));
      again.compare = unsigned(Compare::Ne);
      again.scalar = linear(i + 1, 0, 0);
      add(again);
    }
    finish();
    check.equal("address records: a line a warp", seen_.addresses, 2 * dim * WarpCount);
    check.equal("... all in closed form", seen_.regions, 2 * dim * WarpCount);
    check.equal("predicate records", seen_.predicates, dim * WarpCount);
    check.equal("comparisons: one a CTA", seen_.scalars, dim * CtaCount);
  }

  void rows() {
    const Dim dim{Lanes / 2 + 1, 3, 1};
    start();
    if ((dim[0] * dim[1] + Lanes - 1) / Lanes > Warps) return;
    open(dim, ctas(dim, 1));
    AffineTuple pitch = linear(0x1000, 4, 0);
    pitch.offset[1] = 0x100;
    add(entry_for_all(Kind::Data, pitch));
    AffineEntry inside = entry_for_all(Kind::Predicate, linear(0, 1, 0));
    inside.compare = unsigned(Compare::Lt);
    inside.scalar = linear(Lanes / 2, 0, 0);
    add(inside);
    finish();
    check.is_true("rows part a warp: the SIMT lanes compare", seen_.lanes > 0 && seen_.pairs == 0);
  }

  void locks() {
    start();
    open({Lanes, 1, 1}, ctas({Lanes, 1, 1}, 1));
    eager_.asleep = {0};
    add(entry_for_all(Kind::Data, linear(0, stride_of_one_set(Unit::Sets, Unit::HashFrom) * Unit::LineBytes, 0)));
    play(40 + 4 * Lanes);
    const std::size_t most = std::min<std::size_t>({Unit::Ways - 1, Unit::Depth, Lanes});
    check.equal("lines of one set are locked", Base::locked_lines(), most);
    eager_.asleep.clear();
    finish();
    check.equal("every thread has its own line", seen_.addresses, Lanes);
  }

  void deep() {
    constexpr unsigned tuples = 2 * Unit::Depth + 2 * Unit::Entries + 2;
    start();
    open({Lanes, 1, 1}, ctas({Lanes, 1, 1}, 1));
    eager_.asleep = {0};
    eager_.l1_latency = 1;
    for (unsigned n = 0; n < tuples; ++n) add(entry_for_all(Kind::Address, linear(0x1000 + 128 * n, 4, 0)));
    play(20 * tuples);
    check.equal("the tuple queue is full", Base::queued(), Unit::Entries);
    eager_.asleep.clear();
    finish();
    check.equal("nothing is lost", seen_.addresses, tuples);
  }

  /// CTA 0 sleeps at the barrier; CTA 1 passes it and has all its data.
  void barrier() {
    start();
    open({Lanes, 1, 1}, ctas({Lanes, 1, 1}, 2));
    eager_.pass = eager_.warps = 100;
    eager_.l1_latency = 4;
    add(entry_for_all(Kind::Data, linear(0x1000, 4, 4 * Lanes)));
    if (Unit::Entries > 1) {
      add(entry_for_all(Kind::Barrier));
      add(entry_for_all(Kind::Data, linear(0x2000, 4, 4 * Lanes)));
    }
    eager_.asleep = {0};
    play(48);
    check.equal("records dequeued, all by CTA 1", seen_.addresses, Unit::Entries > 2 ? 2U : 1U);
    check.is_true("CTA 0 has the record before the barrier", Base::address_ready(0));
    if (Unit::Entries > 2) check.equal("CTA 0 is what the queue waits for", Base::queued(), 2U);
    eager_.asleep.clear();
    finish();
  }
};

template <class Point>
using UnitAt = ExpansionShape<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits, Point::AtqEntries,
                              Point::WarpQueueEntries, Point::L1Sets, Point::L1Ways, Point::LineBytes, Point::LockBits,
                              Point::L1HashFrom>;

/// Every queue holds one, one way can be locked, and one lock a line is counted.
using Narrow = ExpansionShape<2, 4, 2, 16, 1, 1, 1, 2, 16, 1, 1>;

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char* argv[]) {
  using namespace heddle;
  using namespace heddle::bench;
  std::vector<std::pair<std::string, Factory>> points{
      {"tiny", bench_of<Cases<UnitAt<point::tiny>, Vaffine_expansion_tiny>, built("tiny")>()},
      {"isca17", bench_of<Cases<UnitAt<point::isca17>, Vaffine_expansion_isca17>, built("isca17")>()},
      {"narrow", bench_of<Cases<Narrow, Vaffine_expansion_narrow>, built("narrow")>()}};
  return run_bench(argc, argv, "affine_expansion", points);
}
