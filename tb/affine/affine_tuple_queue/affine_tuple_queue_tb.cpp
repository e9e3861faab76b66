// SPDX-License-Identifier: Apache-2.0
// Bench of the affine tuple queue: the SystemC block and its Verilated twin in lockstep, and both against a plain
// model. The bench plays the affine warp, the two expansion units and the barriers of the SM; in the last part of a
// random run every input is anything at all, for rule R7.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "Vaffine_tuple_queue_deep.h"
#include "Vaffine_tuple_queue_isca17.h"
#include "Vaffine_tuple_queue_many_ctas.h"
#include "Vaffine_tuple_queue_one_entry.h"
#include "Vaffine_tuple_queue_smallest.h"
#include "Vaffine_tuple_queue_tiny.h"
#include "rtl/affine/affine_tuple_queue/affine_tuple_queue.h"
#include "rtl/config/design_points.h"
#include "tb/affine/affine_tuple_queue/affine_tuple_queue_model.h"
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

constexpr const char* Illegal = "affine_tuple_queue/illegal";

using atq::AddressUnit;
using atq::Model;
using atq::PredicateUnit;
using atq::Unit;

/// What comes out of a block; the four combinational outputs last.
template <class A, class Dut>
struct Outputs {
  sc_core::sc_signal<bool> full, idle;
  sc_core::sc_signal<typename Dut::Used> used;
  sc_core::sc_signal<typename Dut::CtaMask> hold, work[2];
  sc_core::sc_signal<typename A::Shape> shape;
  sc_core::sc_signal<typename A::Enqueue> entry[2];
  sc_core::sc_signal<typename A::Cta> cta[2];
};

/// The Verilated twin behind the ports of the block.
template <class A, class Dut, class Core>
struct twin : sc_core::sc_module {
  using Enqueue = typename A::Enqueue;
  using CtaMask = typename A::CtaMask;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename A::Batch> batch_i{"batch_i"};
  sc_core::sc_in<Enqueue> enqueue_i{"enqueue_i"};
  sc_core::sc_in<CtaMask> passed_i{"passed_i"};
  sc_core::sc_in<typename Dut::Select> address_select_i{"address_select_i"}, predicate_select_i{"predicate_select_i"};
  sc_core::sc_in<typename A::Pop> address_pop_i{"address_pop_i"}, predicate_pop_i{"predicate_pop_i"};
  sc_core::sc_out<bool> full_o{"full_o"}, idle_o{"idle_o"};
  sc_core::sc_out<typename Dut::Used> used_o{"used_o"};
  sc_core::sc_out<CtaMask> hold_o{"hold_o"}, address_work_o{"address_work_o"}, predicate_work_o{"predicate_work_o"};
  sc_core::sc_out<typename A::Shape> shape_o{"shape_o"};
  sc_core::sc_out<Enqueue> address_entry_o{"address_entry_o"}, predicate_entry_o{"predicate_entry_o"};
  sc_core::sc_out<typename A::Cta> address_cta_o{"address_cta_o"}, predicate_cta_o{"predicate_cta_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << batch_i << enqueue_i << passed_i << address_select_i << predicate_select_i
              << address_pop_i << predicate_pop_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(batch_i.read(), core.batch_i);
    bench::to_port(enqueue_i.read(), core.enqueue_i);
    bench::to_port(passed_i.read(), core.passed_i);
    bench::to_port(address_select_i.read(), core.address_select_i);
    bench::to_port(predicate_select_i.read(), core.predicate_select_i);
    bench::to_port(address_pop_i.read(), core.address_pop_i);
    bench::to_port(predicate_pop_i.read(), core.predicate_pop_i);
    core.eval();
    full_o.write(core.full_o != 0);
    idle_o.write(core.idle_o != 0);
    used_o.write(bench::from_port<typename Dut::Used>(core.used_o));
    hold_o.write(bench::from_port<CtaMask>(core.hold_o));
    shape_o.write(bench::from_port<typename A::Shape>(core.shape_o));
    address_work_o.write(bench::from_port<CtaMask>(core.address_work_o));
    predicate_work_o.write(bench::from_port<CtaMask>(core.predicate_work_o));
    address_entry_o.write(bench::from_port<Enqueue>(core.address_entry_o));
    address_cta_o.write(bench::from_port<typename A::Cta>(core.address_cta_o));
    predicate_entry_o.write(bench::from_port<Enqueue>(core.predicate_entry_o));
    predicate_cta_o.write(bench::from_port<typename A::Cta>(core.predicate_cta_o));
  }
};

std::vector<std::string> cover_names(unsigned entries, unsigned ctas, unsigned warps) {
  std::vector<std::string> names{"data enqueued",
                                 "address enqueued",
                                 "predicate enqueued",
                                 "barrier enqueued",
                                 "into the last place",
                                 "full",
                                 "full, and an entry is freed",
                                 "entry freed",
                                 "barrier: passed before its entry came",
                                 "barrier: passed as the entry stands there",
                                 "barrier: a CTA stands there",
                                 "barrier: passed in the cycle of its enqueue",
                                 "hold",
                                 "hold ends",
                                 "address unit looks at a CTA without work for it",
                                 "predicate unit looks at a CTA without work for it",
                                 "round the queue twice in a batch",
                                 "batch opened after another",
                                 "opened again before anything was enqueued",
                                 "credits left when a batch is opened",
                                 "partial last warp",
                                 "more than one row",
                                 "more than one plane",
                                 "reset while in use",
                                 "illegal: open while in use",
                                 "illegal: open of a shape that is none",
                                 "illegal: open past the last warp",
                                 "illegal: unknown batch operation",
                                 "illegal: enqueue when full",
                                 "illegal: enqueue beside a batch operation",
                                 "illegal: enqueue for no CTA",
                                 "illegal: unknown kind",
                                 "illegal: unknown size",
                                 "illegal: unknown comparison",
                                 "illegal: address pop without work",
                                 "illegal: predicate pop without work",
                                 "illegal: pass of a held CTA",
                                 "idle with entries, and not asked",
                                 "idle, long after the last request"};
  if (entries > 1) {
    for (const char* more : {"enqueue beside an address pop", "enqueue beside a predicate pop",
                             "into a queue with one place taken", "barrier: stands there with entries behind it"}) {
      names.emplace_back(more);
    }
  }
  if (ctas > 1) {
    for (const char* more :
         {"for all CTAs of a batch of several", "for one CTA of several", "all CTAs in the batch",
          "pop of an entry that another CTA still needs", "barrier: two CTAs leave one entry together",
          "barrier: one CTA waits and another is past it", "illegal: join after an enqueue",
          "illegal: join of a CTA that is in the batch", "illegal: pass of a CTA outside the batch"}) {
      names.emplace_back(more);
    }
  }
  if (ctas > 1 && warps > 2) names.emplace_back("illegal: join onto slots of another CTA");
  if (entries > 1 && ctas > 2) names.emplace_back("both units pop and a CTA leaves a barrier");
  if (entries > 1 && ctas > 1) {
    for (const char* more :
         {"both units pop", "both units pop, beside an enqueue", "served to the end behind an entry that is not",
          "freed later than its last CTA was served", "a CTA is two entries behind another",
          "full, and one CTA is through"}) {
      names.emplace_back(more);
    }
  }
  return names;
}

template <class A, unsigned Entries, class Core>
class QueueBench : public Bench {
 public:
  using Dut = affine_tuple_queue<A, Entries>;
  using Enqueue = typename A::Enqueue;
  using Batch = typename A::Batch;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using Pop = typename A::Pop;
  using Wish = typename Model<A>::Wish;
  using Refused = typename Model<A>::Refused;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes, Ctas = A::Ctas;
  /// Cycles until nothing moves: entries are freed one by one, credits are used up one by one.
  static constexpr unsigned Settled = Entries + 5;
  static constexpr std::uint64_t AllWarps = ~std::uint64_t(0) >> (64 - Warps);
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);

  explicit QueueBench(const Options& options) : Bench(cover_names(Entries, Ctas, Warps)) {
    connect(dut, out);
    shows("full_o", out.full), shows("used_o", out.used), shows("hold_o", out.hold), shows("shape_o", out.shape);
    shows("address_work_o", out.work[AddressUnit]), shows("predicate_work_o", out.work[PredicateUnit]);
    shows("address_entry_o", out.entry[AddressUnit]), shows("predicate_entry_o", out.entry[PredicateUnit]);
    shows("address_cta_o", out.cta[AddressUnit]), shows("predicate_cta_o", out.cta[PredicateUnit]);
    shows("idle_o", out.idle);
    if (options.twin) {
      sv = std::make_unique<twin<A, Dut, Core>>("sv");
      connect(*sv, twin_out);
    }
  }

  std::vector<Case> cases() override {
    const Case alone{"one_cta", "DAC sec. 4.1", "one CTA, one entry at a time: a tuple, a barrier, a predicate",
                     [this] { one_cta(); }};
    if (Ctas < 2 || Entries < 3 || A::WordBits < 16) return {alone};  // the others need more room
    return {
        alone,
        {"shapes", "DAC sec. 4.2, ours", "blocks of one, two and three dimensions, with a partial last warp",
         [this] { shapes(); }},
        {"order", "DAC sec. 4.1", "address and predicate tuples keep one order; each unit sees what is for it",
         [this] { order(); }},
        {"barrier", "DAC sec. 4.2", "a barrier stops the expansion of one CTA and not of another",
         [this] { barrier(); }},
        {"slow_cta", "DAC sec. 4.2", "a slow CTA does not stop a fast one until the queue is full",
         [this] { slow_cta(); }},
        {"credits", "ours", "barriers passed before their entries come, until the CTA is held", [this] { credits(); }},
        {"one_cycle", "ours", "both units pop, a CTA passes a barrier and the affine warp enqueues, in one cycle",
         [this] { one_cycle(); }},
        {"batches", "DAC sec. 4.1", "once for each batch: the next opens when the queue is empty",
         [this] { batches(); }},
        {"refused", "ours", "illegal requests change nothing and are named errors", [this] { refused(); }}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 4) {  // R7: from here on anything
        tolerate();
        anything = true;
      }
      if (dice.below(anything ? 100 : 4000) == 0) {
        covers.hit("reset while in use", model.used() != 0);
        start();
      }
      if (dice.below(40) == 0) new_mood();
      cycle(some_wish());
      if (dice.below(2000) == 0) {
        for (unsigned i = 0; i <= Settled; ++i) cycle(Wish());
      }
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  sc_core::sc_signal<Batch> batch_s{"batch"};
  sc_core::sc_signal<Enqueue> enqueue_s{"enqueue"};
  sc_core::sc_signal<typename A::CtaMask> passed_s{"passed"};
  sc_core::sc_vector<sc_core::sc_signal<typename Dut::Select>> select_s{"select", 2};
  sc_core::sc_vector<sc_core::sc_signal<Pop>> pop_s{"pop", 2};
  Outputs<A, Dut> out, twin_out;
  Dut dut{"dut"};
  std::unique_ptr<twin<A, Dut, Core>> sv;

  Model<A> model{Entries};
  IdleCheck idle_check{Settled};
  bench::Dice dice;
  unsigned long faults = 0, enqueued = 0, opened = 0;
  unsigned selected[2] = {0, 0};
  bool sees[2] = {false, false};  // the entry and the CTA that were looked at in the last cycle
  Enqueue seen[2];
  Cta seen_cta[2];
  bool anything = false, ended_late = false;
  unsigned quiet = 0;  ///< cycles since the last request

  // Moods of a random run: how often (of 16 cycles) something happens, and which CTA is slow.
  unsigned eager = 8, pops = 8, passes = 8, barriers = 4, narrow = 5, slow = 0;
  bool drains = false, gathers = false;  // no more enqueues; none yet

  bool chance(unsigned of_16) { return dice.below(16) < of_16; }

  template <class Block>
  void connect(Block& block, Outputs<A, Dut>& outputs) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.batch_i(batch_s);
    block.enqueue_i(enqueue_s);
    block.passed_i(passed_s);
    block.address_select_i(select_s[AddressUnit]);
    block.predicate_select_i(select_s[PredicateUnit]);
    block.address_pop_i(pop_s[AddressUnit]);
    block.predicate_pop_i(pop_s[PredicateUnit]);
    block.full_o(outputs.full);
    block.idle_o(outputs.idle);
    block.used_o(outputs.used);
    block.hold_o(outputs.hold);
    block.shape_o(outputs.shape);
    block.address_work_o(outputs.work[AddressUnit]);
    block.predicate_work_o(outputs.work[PredicateUnit]);
    block.address_entry_o(outputs.entry[AddressUnit]);
    block.address_cta_o(outputs.cta[AddressUnit]);
    block.predicate_entry_o(outputs.entry[PredicateUnit]);
    block.predicate_cta_o(outputs.cta[PredicateUnit]);
  }

  void start() {
    drive(Wish());
    reset();
    model = Model<A>(Entries);
    sees[AddressUnit] = sees[PredicateUnit] = false;
    enqueued = opened = 0;
    drains = false;
    idle_check = IdleCheck(Settled);
    check.is_true("idle after a reset", out.idle.read());
    registered();
  }

  // ---- one cycle, with the model ----

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  void replay_cycle(const RecordingReader& recorded) override {
    if (!recorded.get<bool>("rst_ni")) return start();
    Wish wish;
    wish.batch = recorded.get<Batch>("batch_i");
    wish.enqueue = recorded.get<Enqueue>("enqueue_i");
    wish.passed = recorded.get<typename A::CtaMask>("passed_i");
    selected[AddressUnit] = recorded.get<typename Dut::Select>("address_select_i");
    selected[PredicateUnit] = recorded.get<typename Dut::Select>("predicate_select_i");
    wish.pop[AddressUnit] = whose(recorded.get<Pop>("address_pop_i"));
    wish.pop[PredicateUnit] = whose(recorded.get<Pop>("predicate_pop_i"));
    cycle(wish);
  }

  static std::optional<unsigned> whose(const Pop& pop) {
    return pop.valid != 0 ? std::optional<unsigned>(pop.cta) : std::nullopt;
  }

  void drive(const Wish& wish) {
    batch_s.write(wish.batch);
    enqueue_s.write(wish.enqueue);
    passed_s.write(wish.passed);
    for (unsigned u = 0; u < 2; ++u) {
      Pop pop;
      pop.valid = wish.pop[u] ? 1 : 0;
      if (wish.pop[u]) pop.cta = *wish.pop[u];
      pop_s[u].write(pop);
      select_s[u].write(selected[u]);
    }
  }

  Refused cycle(const Wish& wish) {
    drive(wish);
    settle();
    shown();
    foresee();
    const Model<A> before = model;
    const Refused refused = model.step(wish);
    faults += refused.count();
    cover_refused(before, wish, refused);
    cover(before, wish, refused);
    const bool asked = wish.batch.op != 0 || wish.enqueue.kind != 0 || wish.passed != 0 || wish.pop[0] || wish.pop[1];
    covers.hit("idle with entries, and not asked", out.idle.read() && !asked && before.used() != 0);
    covers.hit("idle, long after the last request", quiet == Settled);
    quiet = asked ? 0 : quiet + 1;
    idle_check.before(out.idle.read(), asked, [this] { return view(); });
    edge();
    idle_check.after(check, out.idle.read(), [this] { return view(); });
    registered();
    return refused;
  }

  /// What each unit will see in the next cycle: the oldest entry, as it stands, of the CTA that it looks at now.
  void foresee() {
    for (const Unit unit : {AddressUnit, PredicateUnit}) {
      sees[unit] = model.has_work(unit, selected[unit]);
      if (!sees[unit]) continue;
      seen[unit] = model.resident(selected[unit]).tuples.front()->record;
      seen_cta[unit] = model.resident(selected[unit]).cta;
    }
  }

  void shown() {
    for (const Unit unit : {AddressUnit, PredicateUnit}) {
      if (sees[unit]) {
        check.equal("entry of the block, against the model", out.entry[unit].read(), seen[unit]);
        check.equal("CTA of the block, against the model", out.cta[unit].read(), seen_cta[unit]);
      } else {
        check.equal("no entry", out.entry[unit].read().kind.to_uint(), 0U);
      }
      if (sv) {
        check.equal("entry of the twin, against the block", twin_out.entry[unit].read(), out.entry[unit].read());
        check.equal("CTA of the twin, against the block", twin_out.cta[unit].read(), out.cta[unit].read());
      }
    }
  }

  std::string view() const {
    std::ostringstream text;
    text << out.full.read() << out.used.read() << out.hold.read() << out.shape.read();
    for (unsigned u = 0; u < 2; ++u) text << out.work[u].read();  // entries and CTAs follow the selects
    return text.str();
  }

  void registered() {
    check.equal("full of the block, against the model", out.full.read(), model.full());
    check.equal("entries in use of the block, against the model", out.used.read().to_uint64(), model.used());
    check.equal("shape of the block, against the model", out.shape.read(), model.shape());
    std::uint64_t hold = 0, work[2] = {0, 0};
    for (unsigned c = 0; c < Ctas; ++c) {
      hold |= std::uint64_t(model.held(c)) << c;
      for (const Unit unit : {AddressUnit, PredicateUnit}) work[unit] |= std::uint64_t(model.has_work(unit, c)) << c;
    }
    check.equal("hold of the block, against the model", out.hold.read().to_uint64(), hold);
    for (unsigned u = 0; u < 2; ++u) {
      check.equal("work of the block, against the model", out.work[u].read().to_uint64(), work[u]);
    }
    if (!sv) return;
    check.equal("full of the twin, against the block", twin_out.full.read(), out.full.read());
    check.equal("idle of the twin, against the block", twin_out.idle.read(), out.idle.read());
    check.equal("entries in use of the twin, against the block", twin_out.used.read(), out.used.read());
    check.equal("shape of the twin, against the block", twin_out.shape.read(), out.shape.read());
    check.equal("hold of the twin, against the block", twin_out.hold.read(), out.hold.read());
    for (unsigned u = 0; u < 2; ++u) {
      check.equal("work of the twin, against the block", twin_out.work[u].read(), out.work[u].read());
    }
  }

  // ---- constrained random ----

  void new_mood() {
    eager = dice.below(3) == 0 ? 15 : 2 + dice.below(12);
    pops = dice.below(4) == 0 ? 1 : 2 + dice.below(14);
    passes = dice.below(2) == 0 ? 0 : 1 + dice.below(6);
    barriers = dice.below(4);
    narrow = dice.below(3) == 0 ? 15 : 4;
    slow = dice.below(2 * Ctas);
    drains = drains || dice.below(12) == 0;
  }

  Enqueue some_enqueue() {
    Enqueue e;
    const unsigned kind = chance(barriers) ? unsigned(TupleKind::Barrier) : 1 + dice.below(3);
    e.kind = anything && dice.below(4) == 0 ? dice.below(8) : kind;
    e.size = dice.below(anything ? 4 : 3);
    e.compare = dice.below(anything ? 16 : 10);
    for (auto* word : {&e.base, &e.offset_x, &e.offset_y, &e.offset_z, &e.block_x, &e.block_y, &e.block_z, &e.scalar,
                       &e.scalar_block_x, &e.scalar_block_y, &e.scalar_block_z}) {
      *word = dice();
    }
    e.warps = AllWarps;
    if (dice.below(3) == 0) e.warps = dice();
    if (chance(narrow)) e.warps = std::uint64_t(1) << dice.below(Warps);
    if (!anything && model.ctas_of(e.warps).empty()) e.warps = AllWarps;
    e.lanes = dice.below(2) == 0 ? AllLanes : dice();
    return e;
  }

  /// A shape, and a CTA somewhere.
  Batch some_open() {
    Batch batch;
    batch.op = unsigned(BatchOp::Open);
    batch.cta = dice.below(Ctas);
    const unsigned most = dice.below(3) == 0 ? Warps : std::max(1U, Warps / Ctas),
                   threads = 1 + dice.below(most * Lanes);
    batch.row = 1 + dice.below(threads);
    batch.rows = 1 + dice.below(threads / batch.row);
    batch.plane = batch.row * batch.rows;
    batch.threads = batch.plane * (1 + dice.below(threads / batch.plane));
    batch.first_warp = dice.below(Warps);
    while (!model.fits(batch, batch.threads)) batch.first_warp = batch.first_warp - 1;
    return batch;
  }

  /// Another CTA where there is room for it, if there is.
  Batch some_join() {
    Batch batch;
    batch.op = unsigned(BatchOp::Join);
    const unsigned cta = dice.below(Ctas), warp = dice.below(2) == 0 ? dice.below(Warps) : 0;
    const std::set<unsigned> taken = model.taken();
    bool found = false;
    for (unsigned c = 0; c < Ctas && !found; ++c) {
      batch.cta = (cta + c) % Ctas;
      for (unsigned w = 0; w < Warps && !found && !model.resident(batch.cta).in_batch; ++w) {
        batch.first_warp = (warp + w) % Warps;
        found = taken.count(batch.first_warp) == 0 && model.is_legal(batch);
      }
    }
    return found ? batch : Batch();
  }

  /// Something that is mostly refused.
  Batch some_fault() {
    Batch batch = some_open();
    batch.op = dice.below(4);
    if (batch.op == unsigned(BatchOp::Join)) {
      batch.cta = dice.below(1UL << A::CtaBits);
      batch.first_warp = dice.below(1UL << A::WarpBits);
    }
    switch (dice.below(8)) {
      case 0:
        batch.row = 0;
        break;
      case 1:
        batch.rows = 0;
        break;
      case 2:
        batch.plane = batch.row - 1;
        break;
      case 3:
        batch.threads = batch.plane - 1;
        break;
      case 4:
        batch.threads = dice.below(1UL << A::ThreadBits);
        break;
      case 5:
        batch.cta = dice.below(1UL << A::CtaBits);
        break;
      case 6:
        batch.first_warp = dice.below(1UL << A::WarpBits);
        break;
      default:
        break;
    }
    return batch;
  }

  Batch some_batch() {
    Batch batch;
    if (anything && dice.below(model.used() == 0 || !model.started() ? 4 : 16) == 0) {
      batch = some_fault();
    } else if (model.shape().threads == 0 || (model.used() == 0 && (drains || anything) && dice.below(8) == 0) ||
               (model.used() == 0 && dice.below(200) == 0)) {
      batch = some_open();
      drains = false;
      gathers = dice.below(2) != 0;
    } else if (!model.started() && dice.below(8) != 0) {
      batch = some_join();
      if (batch.op == 0) gathers = false;
    }
    if (batch.op != 0) {
      batch.index_x = dice();
      batch.index_y = dice();
      batch.index_z = dice();
    }
    return batch;
  }

  Wish some_wish() {
    Wish wish;
    wish.batch = some_batch();
    const bool may = model.shape().threads != 0 && !gathers && !drains && !model.full() && wish.batch.op == 0;
    const bool enqueues = may && chance(eager);
    if (enqueues || (anything && dice.below(drains || gathers ? 32 : 4) == 0)) wish.enqueue = some_enqueue();
    const bool with_pass = wish.enqueue.kind == unsigned(TupleKind::Barrier) && dice.below(4) == 0;
    for (unsigned c = 0; c < Ctas; ++c) {
      const bool may_pass = model.resident(c).in_batch && !model.held(c);
      if (with_pass || (chance(drains ? 4 : passes) && (Ctas < 9 || dice.below(4) == 0)))
        wish.passed |= std::uint64_t(may_pass) << c;
      if (anything && dice.below(4 * Ctas) == 0) wish.passed |= std::uint64_t(1) << c;
    }
    for (const Unit unit : {AddressUnit, PredicateUnit}) {
      selected[unit] = dice.below(Ctas);
      for (unsigned n = 0; n < Ctas && dice.below(4) != 0 && !model.has_work(unit, selected[unit]); ++n) {
        selected[unit] = (selected[unit] + 1) % Ctas;
      }
      const bool may_pop = model.has_work(unit, selected[unit]) && (selected[unit] != slow || drains || chance(1));
      if (chance(drains ? 14 : pops) && may_pop) wish.pop[unit] = selected[unit];
      if (anything && dice.below(4) == 0) wish.pop[unit] = dice.below(1UL << A::CtaBits);
      if (dice.below(4) == 0) selected[unit] = dice.below(1UL << A::CtaBits);
    }
    return wish;
  }

  // ---- covers ----

  void cover(const Model<A>& before, const Wish& wish, const Refused& refused) {
    const auto kind = TupleKind(unsigned(wish.enqueue.kind));
    const bool enqueues = kind != TupleKind::None && !refused.enqueue;
    const bool address = wish.pop[AddressUnit] && !refused.pop[AddressUnit];
    const bool predicate = wish.pop[PredicateUnit] && !refused.pop[PredicateUnit];
    const bool freed = before.used() + enqueues != model.used();
    if (enqueues) {
      covers.hit("data enqueued", kind == TupleKind::Data);
      covers.hit("address enqueued", kind == TupleKind::Address);
      covers.hit("predicate enqueued", kind == TupleKind::Predicate);
      covers.hit("barrier enqueued", kind == TupleKind::Barrier);
      covers.hit("into the last place", before.used() == Entries - 1);
      covers.hit("round the queue twice in a batch", ++enqueued == 2 * Entries + 1);
      if constexpr (Entries > 1) {
        covers.hit("enqueue beside an address pop", address);
        covers.hit("enqueue beside a predicate pop", predicate);
        covers.hit("into a queue with one place taken", before.used() == 1);
      }
      if constexpr (Ctas > 1) {
        unsigned long in_batch = 0;
        for (unsigned c = 0; c < Ctas; ++c) in_batch += before.resident(c).in_batch;
        const unsigned long its = before.ctas_of(wish.enqueue.warps).size();
        covers.hit("for all CTAs of a batch of several", in_batch > 1 && its == in_batch);
        covers.hit("for one CTA of several", in_batch > 1 && its == 1);
        covers.hit("all CTAs in the batch", in_batch == Ctas);
      }
    }
    covers.hit("full", before.full());
    covers.hit("full, and an entry is freed", before.full() && freed);
    covers.hit("entry freed", freed);
    for (const Unit unit : {AddressUnit, PredicateUnit}) {
      const bool idle = before.kind_at(selected[unit]) != TupleKind::None && !before.has_work(unit, selected[unit]);
      covers.hit(unit == AddressUnit ? "address unit looks at a CTA without work for it"
                                     : "predicate unit looks at a CTA without work for it",
                 idle);
    }
    cover_barriers(before, wish, enqueues, address && predicate);
    cover_batch(before, wish, refused);
    if constexpr (Ctas > 1) cover_several(before, wish, address, predicate, enqueues, freed);
  }

  void cover_barriers(const Model<A>& before, const Wish& wish, bool enqueues, bool both_pop) {
    unsigned leave = 0, leave_oldest = 0, waits = 0;
    const std::set<unsigned> takers = enqueues ? before.ctas_of(wish.enqueue.warps) : std::set<unsigned>();
    for (unsigned c = 0; c < Ctas; ++c) {
      const bool stands = before.kind_at(c) == TupleKind::Barrier, passing = (wish.passed >> c & 1) != 0;
      const auto& tuples = before.resident(c).tuples;
      const bool leaves = stands && (before.resident(c).credits != 0 || passing);
      covers.hit("barrier: passed before its entry came", leaves && before.resident(c).credits != 0);
      covers.hit("barrier: passed as the entry stands there", leaves && before.resident(c).credits == 0);
      covers.hit("barrier: a CTA stands there", stands && !leaves);
      if constexpr (Entries > 1)
        covers.hit("barrier: stands there with entries behind it", stands && tuples.size() > 1);
      covers.hit("barrier: passed in the cycle of its enqueue", passing && before.resident(c).in_batch &&
                                                                    tuples.empty() && takers.count(c) != 0 &&
                                                                    wish.enqueue.kind == unsigned(TupleKind::Barrier));
      leave += leaves;
      covers.hit("hold", before.held(c));
      covers.hit("hold ends", before.held(c) && stands);
      if (before.oldest() != nullptr && before.oldest()->record.kind == unsigned(TupleKind::Barrier)) {
        const bool at_oldest = !tuples.empty() && tuples.front().get() == before.oldest();
        leave_oldest += at_oldest && leaves;
        waits += at_oldest && !leaves;
      }
    }
    if constexpr (Ctas > 1) {
      covers.hit("barrier: two CTAs leave one entry together", leave_oldest >= 2);
      covers.hit("barrier: one CTA waits and another is past it",
                 waits != 0 && before.oldest()->needed_by < before.oldest()->for_ctas);
    }
    if constexpr (Ctas > 2 && Entries > 1) {
      covers.hit("both units pop and a CTA leaves a barrier", both_pop && leave != 0);
    }
  }

  void cover_batch(const Model<A>& before, const Wish& wish, const Refused& refused) {
    if (wish.batch.op != unsigned(BatchOp::Open) || refused.batch) return;
    covers.hit("batch opened after another", ++opened > 1);
    covers.hit("opened again before anything was enqueued", opened > 1 && !before.started());
    for (unsigned c = 0; c < Ctas; ++c) {
      covers.hit("credits left when a batch is opened", before.resident(c).credits != 0);
    }
    covers.hit("partial last warp", wish.batch.threads % Lanes != 0);
    covers.hit("more than one row", wish.batch.rows > 1);
    covers.hit("more than one plane", wish.batch.threads > wish.batch.plane);
    enqueued = 0;
  }

  void cover_several(const Model<A>& before, const Wish& wish, bool address, bool predicate, bool enqueues,
                     bool freed) {
    for (unsigned u = 0; u < 2; ++u) {
      if (!(u == AddressUnit ? address : predicate)) continue;
      // The model has popped already: what the CTA left is still needed by others.
      const auto& tuple = before.resident(*wish.pop[u]).tuples.front();
      covers.hit("pop of an entry that another CTA still needs", tuple->needed_by != 0);
      if constexpr (Entries > 1) {
        covers.hit("served to the end behind an entry that is not",
                   tuple->needed_by == 0 && tuple.get() != before.oldest() && before.oldest()->needed_by != 0);
      }
    }
    if constexpr (Entries > 1) {
      covers.hit("both units pop", address && predicate);
      covers.hit("both units pop, beside an enqueue", address && predicate && enqueues);
      covers.hit("freed later than its last CTA was served", freed && ended_late);
      ended_late = model.oldest() != nullptr && model.oldest()->needed_by == 0;
      for (unsigned c = 0; c < Ctas; ++c) {
        if (!before.resident(c).in_batch) continue;
        covers.hit("a CTA is two entries behind another",
                   before.resident(c).tuples.size() + 2 <= before.resident((c + 1) % Ctas).tuples.size());
        covers.hit("full, and one CTA is through", before.full() && before.resident(c).tuples.empty());
      }
    }
  }

  void cover_refused(const Model<A>& before, const Wish& wish, const Refused& refused) {
    const Batch& batch = wish.batch;
    const Enqueue& e = wish.enqueue;
    const auto kind = TupleKind(unsigned(e.kind));
    if (refused.batch && batch.op == unsigned(BatchOp::Open)) {
      const bool fits = before.fits(batch, batch.threads);
      covers.hit("illegal: open while in use", before.used() != 0);
      covers.hit("illegal: open of a shape that is none", before.used() == 0 && fits);
      covers.hit("illegal: open past the last warp", before.used() == 0 && !fits && batch.threads != 0);
    } else if (refused.batch && batch.op == unsigned(BatchOp::Join)) {
      const bool fits = before.fits(batch, before.shape().threads),
                 in_batch = fits && before.resident(batch.cta).in_batch;
      if constexpr (Ctas > 1) {
        covers.hit("illegal: join after an enqueue", before.started() && fits && !in_batch);
        covers.hit("illegal: join of a CTA that is in the batch", !before.started() && fits && in_batch);
        if constexpr (Warps > 2) {
          covers.hit("illegal: join onto slots of another CTA", !before.started() && fits && !in_batch);
        }
      }
    } else {
      covers.hit("illegal: unknown batch operation", refused.batch);
    }
    const bool nobody = before.ctas_of(e.warps).empty(), alone = batch.op == 0;
    covers.hit("illegal: enqueue when full", refused.enqueue && before.full() && alone && !nobody);
    covers.hit("illegal: enqueue beside a batch operation", refused.enqueue && !before.full() && !alone && !nobody);
    covers.hit("illegal: enqueue for no CTA", refused.enqueue && !before.full() && alone && nobody);
    if (refused.enqueue && !before.full() && alone && !nobody) {
      covers.hit("illegal: unknown kind", kind > TupleKind::Barrier);
      covers.hit("illegal: unknown size", kind == TupleKind::Data || kind == TupleKind::Address);
      covers.hit("illegal: unknown comparison", kind == TupleKind::Predicate);
    }
    covers.hit("illegal: address pop without work", refused.pop[AddressUnit]);
    covers.hit("illegal: predicate pop without work", refused.pop[PredicateUnit]);
    for (unsigned c = 0; c < Ctas; ++c) {
      if ((wish.passed >> c & 1) == 0) continue;
      covers.hit("illegal: pass of a held CTA", before.held(c));
      if constexpr (Ctas > 1) covers.hit("illegal: pass of a CTA outside the batch", !before.resident(c).in_batch);
    }
  }

  // ---- worked examples ----
  static constexpr TupleKind Data = TupleKind::Data, Address = TupleKind::Address, Predicate = TupleKind::Predicate,
                             Barrier = TupleKind::Barrier;

  /// blockDim, and the first CTA of a batch.
  static Batch open(unsigned x, unsigned y, unsigned z, unsigned cta = 0, unsigned first_warp = 0) {
    Batch batch = join(cta, first_warp);
    batch.op = unsigned(BatchOp::Open);
    batch.row = x;
    batch.rows = y;
    batch.plane = x * y;
    batch.threads = x * y * z;
    return batch;
  }
  static Batch join(unsigned cta, unsigned first_warp) {
    Batch batch;
    batch.op = unsigned(BatchOp::Join);
    batch.cta = cta;
    batch.first_warp = first_warp;
    batch.index_x = 16 + cta;  // blockIdx
    return batch;
  }

  /// A tuple of Fig. 5's kind: base, and offset 4.
  static Enqueue tuple(TupleKind kind, std::uint64_t base = 0, std::uint64_t warps = AllWarps) {
    Enqueue e;
    e.kind = unsigned(kind);
    if (kind != TupleKind::Barrier) {
      e.size = unsigned(AccessSize::Word);
      e.base = base;
      e.offset_x = 4;
    }
    e.warps = warps;
    e.lanes = AllLanes;
    return e;
  }

  Refused enter(const Batch& batch) {
    Wish wish;
    wish.batch = batch;
    return cycle(wish);
  }
  Refused enqueue(const Enqueue& e) {
    Wish wish;
    wish.enqueue = e;
    return cycle(wish);
  }
  Refused pop(Unit unit, unsigned cta) {
    Wish wish;
    wish.pop[unit] = cta;
    return cycle(wish);
  }
  Refused pass(std::uint64_t ctas) {
    Wish wish;
    wish.passed = ctas;
    return cycle(wish);
  }
  void idle() { cycle(Wish()); }

  /// Two CTAs of a warp each.
  void two_ctas() {
    start();
    selected[AddressUnit] = selected[PredicateUnit] = 0;
    enter(open(Lanes, 1, 1));
    enter(join(1, 1));
  }

  void works(std::uint64_t address, std::uint64_t predicate) {
    check.equal("CTAs with work for the address unit", out.work[AddressUnit].read().to_uint64(), address);
    check.equal("CTAs with work for the predicate unit", out.work[PredicateUnit].read().to_uint64(), predicate);
  }
  void uses(unsigned entries) { check.equal("entries in use", out.used.read().to_uint(), entries); }

  /// The base that a unit sees for a CTA; ~0 when there is nothing for it.
  std::uint64_t base_of(Unit unit, unsigned cta) {
    selected[unit] = cta;
    idle();
    return out.entry[unit].read().kind == 0 ? ~std::uint64_t(0) : out.entry[unit].read().base.to_uint64();
  }

  /// An entry for `warps` is for exactly these CTAs.
  void is_for(std::uint64_t warps, std::uint64_t ctas) {
    check.is_true("enqueued", !enqueue(tuple(Data, 0x81000, warps)).enqueue);
    works(ctas, 0);
    for (unsigned c = 0; c < Ctas; ++c) {
      if ((ctas >> c & 1) != 0) pop(AddressUnit, c);
    }
    uses(0);
  }

  void shape_is(unsigned row, unsigned rows, unsigned plane, unsigned threads) {
    const Shape shape = out.shape.read();
    check.is_true("shape", shape.row == row && shape.rows == rows && shape.plane == plane && shape.threads == threads);
  }

  void one_cta() {
    start();
    enter(open(Lanes, 1, 1));
    enqueue(tuple(Data, 1));
    works(0b1, 0);
    check.equal("data", base_of(AddressUnit, 0), std::uint64_t(1));
    pop(AddressUnit, 0);
    uses(0);
    enqueue(tuple(Barrier));
    works(0, 0);
    idle();
    uses(1);
    pass(0b1);
    uses(0);
    enqueue(tuple(Predicate, 2));
    works(0, 0b1);
    check.equal("predicate", base_of(PredicateUnit, 0), std::uint64_t(2));
    pop(PredicateUnit, 0);
    uses(0);
  }

  void shapes() {
    start();
    enter(open(Lanes - 1, 1, 1, 0, 1));  // one dimension, one warp that lacks a thread, in slot 1
    enter(join(1, 0));
    shape_is(Lanes - 1, 1, Lanes - 1, Lanes - 1);
    is_for(AllWarps, 0b11);
    is_for(0b01, 0b10);
    is_for(0b10, 0b01);
    selected[AddressUnit] = 1;
    enqueue(tuple(Data, 0x81000));
    idle();
    check.equal("blockIdx", out.cta[AddressUnit].read().index_x.to_uint64(), std::uint64_t(17));
    check.equal("first warp", out.cta[AddressUnit].read().first_warp.to_uint(), 0U);
    pop(AddressUnit, 0), pop(AddressUnit, 1);

    enter(open(Lanes - 1, 2, 1, 1, 0));  // two dimensions: all but two threads of two warps
    shape_is(Lanes - 1, 2, 2 * Lanes - 2, 2 * Lanes - 2);
    is_for(0b01, 0b10);
    is_for(0b10, 0b10);
    enter(open(Lanes / 2, 2, 2));  // three dimensions: two whole warps
    shape_is(Lanes / 2, 2, Lanes, 2 * Lanes);
    is_for(0b10, 0b01);
    enter(open(Lanes / 2, 1, 3));  // one and a half
    shape_is(Lanes / 2, 1, Lanes / 2, 3 * Lanes / 2);
    is_for(0b10, 0b01);
    if (Warps >= 8) {  // beside them, from slot 4 on: two whole and a half warp, where the last slot is nobody's
      enter(open(Lanes / 2, 5, 1));
      enter(join(1, 4));
      is_for(0b11110000, 0b10);
      is_for(0b01000100, 0b11);
      check.is_true("slot 3 has no CTA", out.full.read() == false);
    }
  }

  void order() {
    two_ctas();
    enqueue(tuple(Data, 0x100));
    works(0b11, 0);
    enqueue(tuple(Predicate, 0x200));
    enqueue(tuple(Address, 0x300));
    uses(3);
    works(0b11, 0);  // the predicate waits for the address before it
    check.equal("address", base_of(AddressUnit, 0), std::uint64_t(0x100));
    check.equal("nothing for the predicate unit", base_of(PredicateUnit, 0), ~std::uint64_t(0));
    pop(AddressUnit, 0);
    works(0b10, 0b01);
    check.equal("predicate", base_of(PredicateUnit, 0), std::uint64_t(0x200));
    check.equal("nothing for the address unit", base_of(AddressUnit, 0), ~std::uint64_t(0));
    check.equal("the other CTA is where it was", base_of(AddressUnit, 1), std::uint64_t(0x100));
    pop(PredicateUnit, 0);
    check.equal("address", base_of(AddressUnit, 0), std::uint64_t(0x300));
    pop(AddressUnit, 0);
    works(0b10, 0);
    uses(3);  // the other CTA needs them
    pop(AddressUnit, 1);
    uses(2);
    pop(PredicateUnit, 1), pop(AddressUnit, 1);
    uses(0);
  }

  void barrier() {
    two_ctas();
    enqueue(tuple(Data, 0x100));
    enqueue(tuple(Barrier));
    enqueue(tuple(Predicate, 0x200));
    pop(AddressUnit, 0);
    pop(AddressUnit, 1);
    works(0, 0);  // both stand at the barrier
    idle(), idle();
    works(0, 0);
    pass(0b10);
    works(0, 0b10);
    check.equal("past it", base_of(PredicateUnit, 1), std::uint64_t(0x200));
    pop(PredicateUnit, 1);
    works(0, 0);
    uses(2);  // the other has not passed: the barrier and what is behind it stay
    idle(), idle();
    pass(0b01);
    works(0, 0b01);
    uses(1);
    pop(PredicateUnit, 0);
    uses(0);
  }

  void slow_cta() {
    two_ctas();
    for (unsigned n = 0; n < Entries; ++n) {
      check.is_true("not full", !out.full.read());
      enqueue(tuple(Data, 0x100 + n));
      check.equal("the fast one", base_of(AddressUnit, 1), std::uint64_t(0x100 + n));
      pop(AddressUnit, 1);
      check.equal("the slow one", base_of(AddressUnit, 0), std::uint64_t(0x100));
    }
    check.is_true("full", out.full.read());
    works(0b01, 0);  // now the fast one has to wait
    for (unsigned n = 0; n < 2; ++n) {
      pop(AddressUnit, 0);
      uses(Entries - 1);
      enqueue(tuple(Data, 0x900 + n));
      check.is_true("full again", out.full.read());
      check.equal("the fast one", base_of(AddressUnit, 1), std::uint64_t(0x900 + n));
      pop(AddressUnit, 1);
    }
    for (unsigned n = 0; n < Entries; ++n) pop(AddressUnit, 0);
    uses(0);
  }

  void credits() {
    two_ctas();
    pass(0b11);
    enqueue(tuple(Barrier));
    enqueue(tuple(Data, 0x100));
    works(0b11, 0);  // nobody waited
    pop(AddressUnit, 0), pop(AddressUnit, 1);
    uses(0);
    for (unsigned n = 0; n < 3; ++n) {
      check.equal("hold", out.hold.read().to_uint64(), std::uint64_t(0));
      pass(0b01);
    }
    check.equal("hold", out.hold.read().to_uint64(), std::uint64_t(0b01));
    enqueue(tuple(Barrier, 0, 0b01));
    check.equal("hold", out.hold.read().to_uint64(), std::uint64_t(0b01));
    idle();
    check.equal("hold", out.hold.read().to_uint64(), std::uint64_t(0));
    enqueue(tuple(Barrier));
    idle();
    uses(1);  // the other CTA has passed none
    pass(0b10);
    uses(0);
  }

  void one_cycle() {
    two_ctas();
    enqueue(tuple(Data, 0x100));
    enqueue(tuple(Predicate, 0x200));
    pop(AddressUnit, 0);
    works(0b10, 0b01);
    Wish wish;
    wish.pop[AddressUnit] = 1;
    wish.pop[PredicateUnit] = 0;
    wish.enqueue = tuple(Barrier);
    cycle(wish);  // the first entry ends, the third comes
    uses(2);
    works(0, 0b10);
    wish = Wish();
    wish.pop[PredicateUnit] = 1;
    wish.passed = 0b01;
    wish.enqueue = tuple(Address, 0x300);
    cycle(wish);  // one CTA leaves the barrier as the other comes to it; the second entry ends
    uses(2);
    works(0b01, 0);
    wish = Wish();
    wish.pop[AddressUnit] = 0;
    wish.passed = 0b10;
    wish.enqueue = tuple(Predicate, 0x400);
    cycle(wish);
    uses(2);
    works(0b10, 0b01);
    wish = Wish();
    wish.pop[AddressUnit] = 1;
    wish.pop[PredicateUnit] = 0;
    cycle(wish);
    uses(1);
    works(0, 0b10);
    check.equal("last", base_of(PredicateUnit, 1), std::uint64_t(0x400));
    pop(PredicateUnit, 1);
    uses(0);
  }

  void batches() {
    two_ctas();
    enqueue(tuple(Data, 0x100));
    pop(AddressUnit, 0);
    pass(0b11);  // barriers that were never enqueued are forgotten with their batch
    pop(AddressUnit, 1);
    uses(0);
    enter(open(1, 1, 1, 1, 0));  // the next batch: one CTA, in another slot
    shape_is(1, 1, 1, 1);
    enqueue(tuple(Barrier));
    enqueue(tuple(Data, 0x200));
    idle();
    works(0, 0);
    pass(0b10);
    works(0b10, 0);
    check.equal("only the CTA of this batch", base_of(AddressUnit, 1), std::uint64_t(0x200));
    pop(AddressUnit, 1);
    uses(0);
  }

  void refused() {
    tolerate();
    const unsigned long before = errors(Illegal);
    start();
    check.is_true("no batch", enqueue(tuple(Data)).enqueue);
    check.is_true("join of nothing", enter(join(0, 0)).batch);
    check.is_true("no thread", enter(open(0, 1, 1)).batch);
    check.is_true("too many", enter(open(Lanes, Warps + 1, 1)).batch);
    check.is_true("past the last warp", enter(open(Lanes, 2, 1, 0, Warps - 1)).batch);
    enter(open(Lanes, 1, 1));
    check.is_true("joined twice", enter(join(0, 1)).batch);
    check.is_true("slot of another", enter(join(1, 0)).batch);
    check.is_true("pass outside the batch", pass(0b10).pass);
    enter(join(1, 1));
    Wish wish;
    wish.batch = open(Lanes, 1, 1);
    wish.enqueue = tuple(Data);
    check.is_true("beside a batch operation", cycle(wish).enqueue);
    enter(join(1, 1));
    Enqueue odd = tuple(Data);
    odd.size = 3;
    check.is_true("unknown size", enqueue(odd).enqueue);
    odd = tuple(Predicate);
    odd.compare = 10;
    check.is_true("unknown comparison", enqueue(odd).enqueue);
    odd = tuple(Data);
    odd.kind = 5;
    check.is_true("unknown kind", enqueue(odd).enqueue);
    check.is_true("no warps", enqueue(tuple(Data, 0, 0)).enqueue);
    uses(0);
    check.is_true("nothing to pop", pop(AddressUnit, 0).pop[AddressUnit]);
    enqueue(tuple(Data, 0x100));
    check.is_true("for the other unit", pop(PredicateUnit, 0).pop[PredicateUnit]);
    check.is_true("join too late", enter(join(1, 1)).batch);
    check.is_true("open while in use", enter(open(Lanes, 1, 1)).batch);
    for (unsigned n = 1; n < Entries; ++n) enqueue(tuple(Data, 0x100 + n));
    check.is_true("full", enqueue(tuple(Data, 0x900)).enqueue);
    for (unsigned n = 0; n < 3; ++n) pass(0b01);
    check.is_true("held", pass(0b01).pass);
    for (unsigned n = 0; n < Entries; ++n) {
      check.equal("nothing is lost", base_of(AddressUnit, 0), std::uint64_t(0x100 + n));
      pop(AddressUnit, 0), pop(AddressUnit, 1);
    }
    uses(0);
    check.equal("named errors", errors(Illegal) - before, 19UL);
    if (sv) sv->context.assertOn(true);
  }
};

template <class Point>
using Of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class A, unsigned Entries, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<QueueBench<A, Entries, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  using point::isca17;
  using point::tiny;
  return bench::run_bench(
      argc, argv, "affine_tuple_queue",
      {{"tiny", at<Of<tiny>, tiny::AtqEntries, Vaffine_tuple_queue_tiny, built("tiny")>()},
       {"isca17", at<Of<isca17>, isca17::AtqEntries, Vaffine_tuple_queue_isca17, built("isca17")>()},
       {"smallest", at<Affine<1, 2, 1, 4>, 1, Vaffine_tuple_queue_smallest, built("smallest")>()},
       {"one_entry", at<Affine<5, 2, 3, 6>, 1, Vaffine_tuple_queue_one_entry, built("one_entry")>()},
       {"many_ctas", at<Affine<33, 2, 33, 5>, 3, Vaffine_tuple_queue_many_ctas, built("many_ctas")>()},
       {"deep", at<Affine<3, 64, 3, 64>, 64, Vaffine_tuple_queue_deep, built("deep")>()}});
}
