// SPDX-License-Identifier: Apache-2.0
// Bench of the address expansion unit: the SystemC block and its Verilated twin in lockstep, and every record against
// the addresses that each thread evaluates on its own. The bench plays the tuple queue and the warp queues.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <deque>
#include <optional>
#include <sstream>

#include "Vaddress_expansion_unit_isca17.h"
#include "Vaddress_expansion_unit_one.h"
#include "Vaddress_expansion_unit_storm.h"
#include "Vaddress_expansion_unit_tiny.h"
#include "Vaddress_expansion_unit_widest.h"
#include "rtl/affine/address_expansion_unit/address_expansion_unit.h"
#include "rtl/config/design_points.h"
#include "tb/affine/address_expansion_unit/address_expansion_unit_model.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Access;
using bench::Accesses;
using bench::AddressModel;
using bench::AddressTuple;
using bench::Bench;
using bench::Case;
using bench::Expansion;
using bench::ExpectedRecord;
using bench::IdleCheck;
using bench::Options;
using bench::Three;

constexpr const char* Illegal = "address_expansion_unit/illegal";
constexpr unsigned long Million = 1000000, LongRun = 10000000;
constexpr int Strides[] = {0, 1, 2, 4, 8, 12, 128, 4096, -1, -2, -4, -8, -12, -128, -4096};

/// The Verilated twin behind the ports of the block.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename Dut::CtaMask> work_i{"work_i"};
  sc_core::sc_in<typename Dut::Enqueue> entry_i{"entry_i"};
  sc_core::sc_in<typename Dut::Cta> cta_i{"cta_i"};
  sc_core::sc_in<typename Dut::Shape> shape_i{"shape_i"};
  sc_core::sc_in<bool> accept_i{"accept_i"};
  sc_core::sc_out<typename Dut::CtaIndex> select_o{"select_o"};
  sc_core::sc_out<typename Dut::AddressOffer> offer_o{"offer_o"};
  sc_core::sc_out<typename Dut::Pop> pop_o{"pop_o"};
  sc_core::sc_out<typename Dut::AddressEvent> event_o{"event_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << work_i << entry_i << cta_i << shape_i << accept_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    core.accept_i = accept_i.read();
    bench::to_port(work_i.read(), core.work_i);
    bench::to_port(entry_i.read(), core.entry_i);
    bench::to_port(cta_i.read(), core.cta_i);
    bench::to_port(shape_i.read(), core.shape_i);
    core.eval();
    select_o.write(bench::from_port<typename Dut::CtaIndex>(core.select_o));
    offer_o.write(bench::from_port<typename Dut::AddressOffer>(core.offer_o));
    pop_o.write(bench::from_port<typename Dut::Pop>(core.pop_o));
    event_o.write(bench::from_port<typename Dut::AddressEvent>(core.event_o));
    idle_o.write(core.idle_o != 0);
  }
};

std::string stride_name(int stride) {
  return "offset " + std::to_string(stride);
}

bool stride_fits(int stride, unsigned bits) {
  return static_cast<unsigned>(stride < 0 ? -stride : stride) < 1U << (bits > 20 ? 20 : bits - 1);
}

std::vector<std::string> cover_names(unsigned warps, unsigned lanes, unsigned ctas, unsigned bits,
                                     const Options& options) {
  std::vector<std::string> names{"order up",
                                 "order same",
                                 "thread by thread",
                                 "data",
                                 "byte",
                                 "half-word",
                                 "word",
                                 "addresses wrap in a run",
                                 "partial last warp",
                                 "one-dimensional block",
                                 "two-dimensional block, rows go on",
                                 "two-dimensional block, rows break",
                                 "block offset counts",
                                 "lane mask",
                                 "no live thread at all",
                                 "several records for a warp",
                                 "refused, and alone",
                                 "a tuple in the cycle after the pop",
                                 "reset in the middle",
                                 "misaligned address",
                                 "illegal tuple",
                                 "accepted without an offer",
                                 "idle, and no work"};
  for (const int stride : Strides) {
    if (stride_fits(stride, bits)) names.push_back(stride_name(stride));
  }
  if (lanes > 2) names.insert(names.end(), {"order down", "three-dimensional block, planes break"});
  if (warps > 1) names.insert(names.end(), {"a warp is left out", "rows of whole warps"});
  if (ctas > 1) names.insert(names.end(), {"refused, and left", "popped, on to another CTA"});
  if (ctas > 1 && warps > 2) names.push_back("come back to a CTA in the middle of a row");
  if (options.random >= LongRun) names.push_back("a million expansions");
  return names;
}

template <class A, class Core>
class ExpansionBench : public Bench {
 public:
  using Dut = address_expansion_unit<A>;
  using Enqueue = typename A::Enqueue;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using CtaMask = typename A::CtaMask;
  using AddressOffer = typename A::AddressOffer;
  using AddressEvent = typename A::AddressEvent;
  using Pop = typename A::Pop;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes, Ctas = A::Ctas, WordBits = A::WordBits;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes), AllWarps = ~std::uint64_t(0) >>
                                                                                          (64 - Warps);

  explicit ExpansionBench(const Options& options) : Bench(cover_names(Warps, Lanes, Ctas, WordBits, options)) {
    connect(dut, out);
    shows("select_o", out.select), shows("offer_o", out.offer), shows("pop_o", out.pop), shows("event_o", out.event);
    shows("idle_o", out.idle);
    if (options.twin) {
      sv = std::make_unique<twin<Dut, Core>>("sv");
      connect(*sv, twin_out);
    }
  }

  std::vector<Case> cases() override {
    const Case waits{"alone", "ours", "a refused record stays on offer as it is", [this] { alone(); }};
    const Case none{"nobody", "ours", "a tuple for no thread of the CTA is popped without a record",
                    [this] { nobody(); }};
    if (Warps < 2 || Lanes < 4 || WordBits < 32) return {waits, none};  // the others are of four lanes and more
    std::vector<Case> all{
        {"fig_5", "DAC Fig. 5", "(0x81000, 4) for three threads: 0x81000, 0x81004, 0x81008 in one record",
         [this] { fig_5(); }},
        {"fig_10", "DAC Fig. 10", "offset 4: consecutive warps access consecutive lines, one a cycle",
         [this] { fig_10(); }},
        {"masks", "DAC sec. 4.2", "offset 4 gives 1111..., 8 gives 1010..., 16 gives 1000...", [this] { masks(); }},
        {"half_and_byte", "DAC sec. 4.2", "the granularity: the same masks for half-words and bytes",
         [this] { half_and_byte(); }},
        {"between_lines", "ours", "a warp that starts in the middle of a region needs two records",
         [this] { between_lines(); }},
        {"down_and_same", "ours", "offset -4 counts the lanes down, offset 0 shares one unit",
         [this] { down_and_same(); }},
        {"no_closed_form", "DESIGN 6.7", "offsets of 12 bytes, a region and 4096 step per thread, and are counted",
         [this] { no_closed_form(); }},
        {"wrap", "ours", "addresses go round at the end of memory", [this] { wrap(); }},
        {"linear_rows", "ours", "rows whose pitch is their own length are not broken at", [this] { linear_rows(); }},
        {"rows", "DAC sec. 4.2", "threadIdx.y steps by another pitch: an adjustment at the end of each row",
         [this] { rows(); }},
        {"whole_rows", "DAC sec. 4.2", "rows and planes as long as a warp: the adjustment falls between two warps",
         [this] { whole_rows(); }},
        {"planes", "ours", "three dimensions: one adjustment at the end of a row, two at the end of a plane",
         [this] { planes(); }},
        {"partial_warp", "ours", "the last warp has a single thread", [this] { partial_warp(); }},
        {"left_out", "ours", "warps and lanes that the tuple is not for are walked past", [this] { left_out(); }},
        {"blocks", "DAC sec. 4.2", "the start is base + block offset x block index, zero terms cost no cycle",
         [this] { blocks(); }},
        waits,
        none,
        {"misaligned", "ours", "an address that is no multiple of its size is a named error, and cut",
         [this] { misaligned(); }},
        {"refused", "ours", "each illegal request is a named error", [this] { refused(); }}};
    if (Ctas > 1) {
      all.push_back({"switch", "DAC sec. 4.2", "the queue of one CTA's warp is full: the unit goes on with another CTA",
                     [this] { leaves(); }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    some_batch();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R8, R11: from here on
        tolerate();
        anything = true;
      }
      if (dice.below(4000) == 0) {
        covers.hit("reset in the middle", offer().valid != 0);
        start();
        some_batch();
      }
      if (batch_left != 0) --batch_left;
      if (batch_left == 0 && idle()) some_batch();
      if (mood_left-- == 0) {
        mood = dice.below(4);
        mood_left = 50 + dice.below(200);
        blocked = 0;
      }
      if (batch_left != 0 && dice.below(mood == 3 ? 16 : 2) == 0) some_job();
      if (mood == 2 && dice.below(16) == 0) blocked = dice() & dice();
      const bool open = mood == 0 || (mood == 1 ? dice.below(2) == 0 : (blocked >> unsigned(offer().warp) & 1) == 0);
      cycle(open, anything && dice.below(64) == 0);
    }
    if (cycles >= LongRun) covers.hit("a million expansions", expansions >= Million);
    std::cout << expansions << " expansions, " << records << " records\n";
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  struct Ports {
    sc_core::sc_signal<typename Dut::CtaIndex> select;
    sc_core::sc_signal<AddressOffer> offer;
    sc_core::sc_signal<Pop> pop;
    sc_core::sc_signal<AddressEvent> event;
    sc_core::sc_signal<bool> idle;
  };
  Ports out, twin_out;
  sc_core::sc_signal<CtaMask> work_s{"work"};
  sc_core::sc_signal<Enqueue> entry_s{"entry"};
  sc_core::sc_signal<Cta> cta_s{"cta"};
  sc_core::sc_signal<Shape> shape_s{"shape"};
  sc_core::sc_signal<bool> accept_s{"accept"};
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  /// A tuple for one CTA, and how far it is.
  struct Job {
    Enqueue entry;
    Expansion expected;
    bool legal = true;
    std::size_t done = 0;
    unsigned starts = 0, adjusts = 0, skips = 0;
    bool left = false;
  };
  AddressModel model{Lanes, WordBits};
  Three dim{1, 1, 1};
  Three index[Ctas];
  Cta cta[Ctas];
  unsigned running = 1;  // CTAs of the batch
  std::deque<Job> jobs[Ctas];

  IdleCheck idle_check{2};

  // What the last edge did, as far as it can be told from the ports
  enum class Step { Nothing, Taken, Refused };
  Step step_q = Step::Nothing;
  unsigned select_before = 0;
  bool closed_before = false;
  CtaMask others_before = 0;
  std::optional<unsigned> popped_before;
  bool worked_before = false;
  AddressOffer offer_before;
  unsigned waited = 0;  // cycles with work in which nothing happened

  /// The records of a case, with the cycle in which each was on offer and taken.
  struct Seen {
    AddressOffer record;
    unsigned long cycle;
  };
  std::vector<Seen> seen;
  bool shown = false;
  unsigned shown_cta = 0;
  unsigned long thread_events = 0, region_events = 0, adjust_events = 0, leave_events = 0, skip_events = 0,
                start_events = 0;

  bench::Dice dice;
  bool anything = false;
  unsigned mood = 0, mood_left = 100, batch_left = 0;
  std::uint64_t blocked = 0;
  unsigned long faults = 0, expansions = 0, records = 0;

  template <class Block>
  void connect(Block& block, Ports& ports) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.work_i(work_s);
    block.entry_i(entry_s);
    block.cta_i(cta_s);
    block.shape_i(shape_s);
    block.accept_i(accept_s);
    block.select_o(ports.select);
    block.offer_o(ports.offer);
    block.pop_o(ports.pop);
    block.event_o(ports.event);
    block.idle_o(ports.idle);
  }

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  /// A CTA has work before it is selected and the queue shows what: until then its job is a tuple of no kind.
  void replay_cycle(const RecordingReader& recorded) override {
    if (!recorded.get<bool>("rst_ni")) return start();
    const Inputs inputs{recorded.get<CtaMask>("work_i"), recorded.get<Enqueue>("entry_i"), recorded.get<Cta>("cta_i"),
                        recorded.get<bool>("accept_i")};
    const Shape shape = recorded.get<Shape>("shape_i");
    shape_s.write(shape);
    for (unsigned c = 0; c < Ctas; ++c) {
      if (inputs.work[c] && jobs[c].empty()) jobs[c].emplace_back();
    }
    if (shown && jobs[shown_cta].front().entry.kind == 0) {
      dim = {shape.row, shape.rows, unsigned(shape.threads) / unsigned(shape.plane)};
      cta[shown_cta] = inputs.cta;
      index[shown_cta] = {inputs.cta.index_x, inputs.cta.index_y, inputs.cta.index_z};
      learn(shown_cta, jobs[shown_cta].front(), inputs.entry);
      cover(inputs.entry, jobs[shown_cta].front().expected, shown_cta);
    }
    turn(inputs);
  }

  AddressOffer offer() const { return out.offer.read(); }

  std::string view() const {
    std::ostringstream text;
    text << out.select.read() << offer() << out.pop.read() << out.event.read();
    return text.str();
  }

  void start() {
    const Pop pop = out.pop.read();
    if (pop.valid != 0 && !jobs[pop.cta].empty() && !jobs[pop.cta].front().legal) ++faults;  // refused before the reset
    work_s.write(0);
    accept_s.write(false);
    reset();
    for (auto& its : jobs) its.clear();
    seen.clear();
    step_q = Step::Nothing;
    select_before = 0;
    others_before = 0;
    popped_before.reset();
    worked_before = false;
    shown = false;
    offer_before = AddressOffer();
    waited = 0;
    idle_check = IdleCheck(2);
    check.is_true("idle after a reset", out.idle.read());
    thread_events = region_events = adjust_events = leave_events = skip_events = start_events = 0;
  }

  bool idle() const {
    for (const auto& its : jobs) {
      if (!its.empty()) return false;
    }
    return true;
  }

  // ---- the tuple queue ----

  /// The batch: `count` CTAs of this shape, one after the other in the warps from `first` on.
  void batch(const Three& shape, unsigned count = 1, unsigned first = 0) {
    dim = shape;
    running = count;
    const unsigned warps = static_cast<unsigned>((dim.x * dim.y * dim.z + Lanes - 1) / Lanes);
    for (unsigned c = 0; c < count; ++c) {
      cta[c].first_warp = first + c * warps;
      set_index(c, {0, 0, 0});
    }
    Shape record;
    record.row = dim.x;
    record.rows = dim.y;
    record.plane = dim.x * dim.y;
    record.threads = dim.x * dim.y * dim.z;
    shape_s.write(record);
  }

  void set_index(unsigned c, const Three& at) {
    index[c] = at;
    cta[c].index_x = at.x;
    cta[c].index_y = at.y;
    cta[c].index_z = at.z;
  }

  static AddressTuple meaning(const Enqueue& entry) {
    return {entry.base,
            {entry.offset_x, entry.offset_y, entry.offset_z},
            {entry.block_x, entry.block_y, entry.block_z},
            unsigned(entry.size),
            entry.warps,
            entry.lanes};
  }

  void learn(unsigned c, Job& job, const Enqueue& entry) {
    job.entry = entry;
    job.expected = model.expand(meaning(entry), dim, index[c], cta[c].first_warp);
  }

  void give(unsigned c, const Enqueue& entry) {
    jobs[c].emplace_back();
    learn(c, jobs[c].back(), entry);
  }

  /// One that the unit refuses.
  void give_illegal(unsigned c, const Enqueue& entry) {
    Job job;
    job.entry = entry;
    job.expected.starts = 0;
    job.legal = false;
    jobs[c].push_back(job);
  }

  // ---- one cycle ----

  struct Inputs {
    CtaMask work;
    Enqueue entry;
    Cta cta;
    bool accepts;
  };

  /// `open`: the warp queues would take the record on offer. `anyway`: accept_i even without one.
  void cycle(bool open = true, bool anyway = false) {
    CtaMask work = 0;
    for (unsigned c = 0; c < Ctas; ++c) work[c] = jobs[c].empty() ? 0 : 1;
    // The queue answers in the cycle after the select, and has nothing to say of a tuple that it pops.
    turn({work, shown ? jobs[shown_cta].front().entry : Enqueue(), shown ? cta[shown_cta] : Cta(),
          (offer().valid != 0 && open) || anyway});
  }

  void turn(const Inputs& inputs) {
    const unsigned here = out.select.read();
    const Pop pop = out.pop.read();
    const AddressOffer offered = offer();
    CtaMask work = inputs.work;
    judge_event(here, pop);
    judge_offer(here, offered, inputs.accepts);
    judge_pop(pop);
    if (inputs.accepts && offered.valid == 0) {
      covers.hit("accepted without an offer");
      ++faults;
    }
    covers.hit("a tuple in the cycle after the pop", popped_before && work[*popped_before]);

    work_s.write(work);
    entry_s.write(inputs.entry);
    cta_s.write(inputs.cta);
    accept_s.write(inputs.accepts);
    settle();
    covers.hit("idle, and no work", out.idle.read() && work == 0);
    idle_check.before(out.idle.read(), work != 0 || inputs.accepts, [this] { return view(); });
    select_before = here;
    step_q = offered.valid == 0 ? Step::Nothing : inputs.accepts ? Step::Taken : Step::Refused;
    closed_before = !jobs[here].empty() && jobs[here].front().expected.closed;
    if (pop.valid != 0) work[pop.cta] = 0;
    worked_before = work[here] != 0;
    others_before = work;
    others_before[here] = 0;
    offer_before = offered;
    popped_before.reset();
    if (pop.valid != 0) finish(pop);
    shown = worked_before;
    shown_cta = here;
    edge();
    idle_check.after(check, out.idle.read(), [this] { return view(); });
    if (!sv) return;
    check.equal("idle of the twin, against the block", twin_out.idle.read(), out.idle.read());
    check.equal("CTA of the twin, against the block", twin_out.select.read(), out.select.read());
    check.equal("record of the twin, against the block", twin_out.offer.read(), out.offer.read());
    check.equal("pop of the twin, against the block", twin_out.pop.read(), out.pop.read());
    check.equal("event of the twin, against the block", twin_out.event.read(), out.event.read());
  }

  /// What the last edge says it did, and where it went.
  void judge_event(unsigned here, const Pop& pop) {
    const AddressEvent event = out.event.read();
    const bool leaves = step_q == Step::Refused && others_before != 0;
    check.equal("event: record with a closed form", event.region != 0, step_q == Step::Taken && closed_before);
    check.equal("event: record of one thread", event.thread != 0, step_q == Step::Taken && !closed_before);
    check.equal("event: refused", event.refuse != 0, step_q == Step::Refused);
    check.equal("event: left", event.leave != 0, leaves);
    // Round robin, where there is nothing more to do here
    unsigned expected = select_before;
    if (others_before != 0 && (leaves || pop.valid != 0 || !worked_before)) {
      do { expected = (expected + 1) % Ctas; } while (!others_before[expected]);
    }
    check.equal("CTA that is looked at", here, expected);
    if (!jobs[select_before].empty()) {
      Job& job = jobs[select_before].front();
      job.starts += event.start;
      job.adjusts += event.adjust;
      job.skips += event.skip;
      job.left |= leaves;
    }
    start_events += event.start;
    thread_events += event.thread;
    region_events += event.region;
    adjust_events += event.adjust;
    skip_events += event.skip;
    leave_events += event.leave;
    if (step_q == Step::Refused) covers.hit("refused, and alone", !leaves);
    if (leaves) covers.hit("refused, and left");
    // Where there is work, something happens.
    const bool something = event != AddressEvent() || pop.valid != 0 || offer().valid != 0;
    waited = something || (!worked_before && others_before == 0) ? 0 : waited + 1;
    check.is_true("it goes on", waited <= WordBits / 2 + 4);  // a product, and the stages
  }

  void judge_offer(unsigned here, const AddressOffer& offered, bool accepts) {
    if (step_q == Step::Refused && others_before == 0) {
      check.equal("refused record stays on offer", offered, offer_before);
    }
    if (offered.valid == 0) {
      check.equal("nothing on offer is blank", offered, AddressOffer());
      return;
    }
    if (jobs[here].empty() || jobs[here].front().done == jobs[here].front().expected.records.size()) {
      check.is_true("a record that is not expected", false);
      return;
    }
    Job& job = jobs[here].front();
    const ExpectedRecord& expected = job.expected.records[job.done];
    check.equal("accesses", read_back(offered), expected.accesses);
    check.equal("warp", unsigned(offered.warp), expected.warp);
    check.equal("last of its warp", offered.last != 0, expected.last);
    check.equal("data", offered.data != 0, job.entry.kind == unsigned(TupleKind::Data));
    check.equal("size", offered.size, job.entry.size);
    if (!accepts) return;
    ++job.done;
    ++records;
    if (expected.misaligned) ++faults;
    if (recording) seen.push_back({offered, check.cycle});
    if (job.left && unsigned(offered.lanes) != 0 && !offered.lanes[0] && Ctas > 1 && Warps > 2)
      covers.hit("come back to a CTA in the middle of a row");
  }

  void judge_pop(const Pop& pop) {
    if (pop.valid == 0) {
      check.equal("no pop is blank", pop, Pop());
      return;
    }
    if (jobs[pop.cta].empty()) {
      check.is_true("pop without a tuple", false);
      return;
    }
    const Job& job = jobs[pop.cta].front();
    check.equal("records before the pop", job.done, job.expected.records.size());
    check.equal("terms of the start", job.starts, job.expected.starts);
    // What was ahead of a refused record is done again.
    check.is_true("adjustments", job.adjusts >= job.expected.adjusts);
    check.is_true("steps past threads that are not live", job.skips >= job.expected.skips);
    if (!job.legal) ++faults;
    if (job.left) return;
    check.equal("cycles for adjustments", job.adjusts, job.expected.adjusts);
    check.equal("cycles past threads that are not live", job.skips, job.expected.skips);
  }

  /// The queue shows the next tuple from the next cycle on.
  void finish(const Pop& pop) {
    if (jobs[pop.cta].empty()) return;
    expansions += jobs[pop.cta].front().legal ? 1 : 0;
    jobs[pop.cta].pop_front();
    popped_before = pop.cta;
    if (others_before != 0) covers.hit("popped, on to another CTA");
  }

  /// A record, lane by lane.
  static Accesses read_back(const AddressOffer& offered) {
    std::vector<unsigned> units;
    for (unsigned u = 0; u < Lanes; ++u) {
      if (offered.mask[u]) units.push_back(u);
    }
    Accesses accesses;
    std::size_t next = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (!offered.lanes[l]) continue;
      std::size_t which = next++;
      if (offered.order == unsigned(LaneOrder::Down)) which = units.size() - 1 - which;
      if (offered.order == unsigned(LaneOrder::Same)) which = 0;
      if (which >= units.size()) return {};
      accesses.of.push_back({l, std::uint64_t(offered.region) * Lanes + (std::uint64_t(units[which]) << offered.size)});
    }
    const bool all_used = offered.order == unsigned(LaneOrder::Same) ? units.size() == 1 : units.size() == next;
    return all_used ? accesses : Accesses();
  }

  // ---- constrained random ----

  unsigned some_length() {
    const unsigned all = Warps * Lanes;
    switch (dice.below(6)) {
      case 0:
        return 1;
      case 1:
        return Lanes;
      case 2:
        return Lanes * (1 + dice.below(Warps));
      case 3:
        return 1 + dice.below(all);
      default:
        return 1 + dice.below(2 * Lanes);
    }
  }

  void some_batch() {
    const unsigned all = Warps * Lanes;
    Three shape{some_length(), 1, 1};
    if (shape.x > all) shape.x = all;
    const auto fits = [&](std::uint64_t n) { return n < 1 ? 1 : n; };
    if (dice.below(3) != 0) shape.y = 1 + dice.below(fits(all / shape.x > 4 && dice.below(8) != 0 ? 4 : all / shape.x));
    if (dice.below(2) != 0) shape.z = 1 + dice.below(fits(all / shape.x / shape.y > 3 ? 3 : all / shape.x / shape.y));
    const unsigned warps = static_cast<unsigned>((shape.x * shape.y * shape.z + Lanes - 1) / Lanes);
    const unsigned most = Warps / warps < Ctas ? Warps / warps : Ctas;
    const unsigned count = dice.below(2) == 0 ? most : 1 + dice.below(most);
    batch(shape, count, dice.below(Warps - count * warps + 1));
    batch_left = 20 + dice.below(60);
    for (unsigned c = 0; c < count; ++c) {
      const bool large = dice.below(4) == 0;
      const auto some = [&] { return dice.below(4) == 0 ? 0 : large ? model.word(dice()) : 1 + dice.below(5); };
      set_index(c, {some(), some(), some()});
    }
  }

  std::uint64_t some_stride() {
    if (dice.below(16) == 0) return model.word(dice());
    std::uint64_t stride =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(Strides[dice.below(std::size(Strides))]));
    if (dice.below(16) == 0) stride ^= std::uint64_t(1) << dice.below(WordBits);  // no power of two for one bit
    return model.word(stride);
  }

  /// Mostly aligned: what cannot be a multiple of the size makes the size smaller.
  Enqueue some_tuple(unsigned c) {
    Enqueue entry;
    entry.kind = unsigned(dice.below(2) == 0 ? TupleKind::Data : TupleKind::Address);
    const std::uint64_t stride = some_stride();
    unsigned size = dice.below(4) == 0 ? dice.below(3) : 2;
    while (!(anything && dice.below(4) == 0) && size != 0 && (stride & ((1U << size) - 1)) != 0) --size;
    entry.size = size;
    const std::uint64_t cut = anything && dice.below(8) == 0 ? ~std::uint64_t(0) : ~std::uint64_t(0) << size;
    entry.base = (dice.below(4) == 0 ? 0 - std::uint64_t(dice.below(4 * Lanes)) : dice()) & cut;
    if (dice.below(4) == 0) entry.base = std::uint64_t(Lanes) * dice.below(64) << size;
    entry.offset_x = stride;
    entry.offset_y = dice.below(3) == 0 ? dim.x * stride : dice.below(2) == 0 ? some_stride() & cut : 0;
    entry.offset_z = dice.below(3) == 0 ? dim.y * entry.offset_y : dice.below(2) == 0 ? dice() & cut : 0;
    if (dice.below(2) == 0) entry.block_x = dice() & cut;
    if (dice.below(4) == 0) entry.block_y = dice() & cut;
    if (dice.below(4) == 0) entry.block_z = dice() & cut;
    entry.warps = dice.below(4) == 0 ? dice() & AllWarps : AllWarps;
    entry.lanes = dice.below(4) != 0   ? AllLanes
                  : dice.below(2) == 0 ? dice() & AllLanes
                                       : std::uint64_t(1) << dice.below(Lanes);
    if (dice.below(16) == 0) entry.warps = std::uint64_t(1) << (unsigned(cta[c].first_warp) + dice.below(2)) % Warps;
    return entry;
  }

  void some_job() {
    const unsigned c = dice.below(running);
    if (jobs[c].size() >= 2) return;
    Enqueue entry = some_tuple(c);
    if (anything && dice.below(8) == 0) {
      if (dice.below(2) == 0)
        entry.size = 3;
      else
        entry.kind = unsigned(dice.below(2) == 0 ? TupleKind::None : TupleKind::Predicate);
      covers.hit("illegal tuple");
      give_illegal(c, entry);
      return;
    }
    give(c, entry);
    cover(entry, jobs[c].back().expected, c);
  }

  void cover(const Enqueue& entry, const Expansion& expected, unsigned c) {
    const bool down = entry.offset_x[WordBits - 1];
    const auto is = [&](AccessSize size) { return entry.size == unsigned(size); };
    for (const int stride : Strides) {
      if (stride_fits(stride, WordBits) &&
          entry.offset_x == model.word(static_cast<std::uint64_t>(static_cast<std::int64_t>(stride)))) {
        covers.hit(stride_name(stride), !expected.records.empty());
      }
    }
    bool several = false;
    for (std::size_t r = 0; r < expected.records.size(); ++r) {
      several |= !expected.records[r].last;
      if (expected.records[r].misaligned) covers.hit("misaligned address");
    }
    covers.hit("several records for a warp", several);
    covers.hit("order same", entry.offset_x == 0);
    covers.hit("order up", expected.closed && entry.offset_x != 0 && !down);
    if (Lanes > 2) covers.hit("order down", expected.closed && down && !expected.records.empty());
    covers.hit("thread by thread", !expected.closed);
    covers.hit("data", entry.kind == unsigned(TupleKind::Data));
    covers.hit("byte", is(AccessSize::Byte));
    covers.hit("half-word", is(AccessSize::Half));
    covers.hit("word", is(AccessSize::Word));
    covers.hit("addresses wrap in a run", expected.wraps);
    covers.hit("partial last warp", expected.partial);
    covers.hit("one-dimensional block", dim.y * dim.z == 1);
    if (dim.y > 1 && dim.z == 1) {
      covers.hit("two-dimensional block, rows go on", expected.adjusts == 0);
      covers.hit("two-dimensional block, rows break", expected.adjusts != 0);
    }
    if (dim.z > 1 && Lanes > 2) covers.hit("three-dimensional block, planes break", expected.adjusts != 0);
    if (Warps > 1) covers.hit("rows of whole warps", dim.y > 1 && dim.x % Lanes == 0);
    if (Warps > 1) covers.hit("a warp is left out", expected.dead_warp && !expected.records.empty());
    covers.hit("block offset counts", (entry.block_x * index[c].x + entry.block_y * index[c].y) % Lanes != 0);
    covers.hit("lane mask", entry.lanes != AllLanes && !expected.records.empty());
    covers.hit("no live thread at all", expected.records.empty());
  }

  // ---- worked examples ----
  bool recording = false;

  static Enqueue tuple(std::uint64_t base, std::uint64_t offset, AccessSize size = AccessSize::Word) {
    Enqueue entry;
    entry.kind = unsigned(TupleKind::Data);
    entry.size = unsigned(size);
    entry.base = base;
    entry.offset_x = offset;
    entry.warps = AllWarps;
    entry.lanes = AllLanes;
    return entry;
  }

  void begin(const Three& shape, unsigned count = 1) {
    start();
    recording = true;
    batch(shape, count);
  }

  /// Until all tuples are done and popped; cycles it took.
  unsigned long drain(unsigned long most = 100000) {
    const unsigned long from = check.cycle;
    while (!idle() && check.cycle - from < most) cycle();
    check.is_true("all tuples are done", idle());
    cycle(), cycle();
    return check.cycle - from;
  }

  static std::uint64_t address_of(const AddressOffer& record) { return std::uint64_t(record.region) * Lanes; }

  /// Record n is for this warp, in the region at this address, with these units and lanes.
  void is_record(unsigned n, unsigned warp, std::uint64_t address, std::uint64_t mask, std::uint64_t lanes, bool last) {
    check.is_true("there are as many records", n < seen.size());
    if (n >= seen.size()) return;
    const AddressOffer& record = seen[n].record;
    check.equal("warp", unsigned(record.warp), warp);
    check.equal("region", address_of(record), address);
    check.equal("units", std::uint64_t(record.mask), mask);
    check.equal("lanes", std::uint64_t(record.lanes), lanes);
    check.equal("last of its warp", record.last != 0, last);
  }

  /// The record of warp 0 with one word at `address`.
  void is_word(unsigned n, std::uint64_t address, std::uint64_t lanes, bool last) {
    is_record(n, 0, address / (4 * Lanes) * (4 * Lanes), std::uint64_t(1) << address / 4 % Lanes, lanes, last);
  }

  void count_of_records(std::size_t expected) { check.equal("records", seen.size(), expected); }

  /// Every `distance`-th of the units from `first` on.
  static std::uint64_t every(unsigned distance, unsigned first = 0) {
    std::uint64_t units = 0;
    for (unsigned u = first; u < Lanes; u += distance) units |= std::uint64_t(1) << u;
    return units;
  }
  static std::uint64_t low(unsigned count) { return every(1) >> (Lanes - count); }

  void fig_5() {
    begin({3, 1, 1});
    give(0, tuple(0x81000, 4));
    const unsigned long from = check.cycle;
    drain();
    count_of_records(1);
    is_record(0, 0, 0x81000, 0b111, 0b111, true);
    check.equal("cycles from work to offer", seen[0].cycle - from, 5UL);
    check.equal("one step for the start", start_events, 1UL);
  }

  void fig_10() {
    const unsigned warps = Warps < 8 ? Warps : 8;
    begin({warps * Lanes, 1, 1});
    give(0, tuple(0x81000, 4));
    drain();
    count_of_records(warps);
    for (unsigned w = 0; w < warps; ++w) {
      is_record(w, w, 0x81000 + w * 4 * Lanes, every(1), AllLanes, true);  // at 32 lanes: + 128
      check.equal("one a cycle", seen[w].cycle - seen[0].cycle, static_cast<unsigned long>(w));
    }
    check.equal("counted", region_events, static_cast<unsigned long>(warps));
  }

  void masks() {
    begin({Lanes, 1, 1});
    give(0, tuple(0x1000, 4)), give(0, tuple(0x1000, 8));
    if (Lanes > 4) give(0, tuple(0x1000, 16));
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 0, 0x1000, every(2), low(Lanes / 2), false);  // 0101...01 from the top: 1010... from the first unit
    is_record(2, 0, 0x1000 + 4 * Lanes, every(2), AllLanes & ~low(Lanes / 2), true);
    if (Lanes > 4) is_record(3, 0, 0x1000, every(4), low(Lanes / 4), false);
    count_of_records(Lanes > 4 ? 7 : 3);
  }

  void half_and_byte() {
    begin({Lanes, 1, 1});
    give(0, tuple(0x1000, 2, AccessSize::Half)), give(0, tuple(0x1000, 4, AccessSize::Half));
    give(0, tuple(0x1000, 1, AccessSize::Byte)), give(0, tuple(0x1001, 2, AccessSize::Byte));
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 0, 0x1000, every(2), low(Lanes / 2), false);
    is_record(2, 0, 0x1000 + 2 * Lanes, every(2), AllLanes & ~low(Lanes / 2), true);
    is_record(3, 0, 0x1000, every(1), AllLanes, true);
    is_record(4, 0, 0x1000, every(2, 1), low(Lanes / 2), false);
    is_record(5, 0, 0x1000 + Lanes, every(2, 1), AllLanes & ~low(Lanes / 2), true);
    count_of_records(6);
  }

  void between_lines() {
    begin({2 * Lanes, 1, 1});
    give(0, tuple(0x1000 + 4, 4));
    drain();
    is_record(0, 0, 0x1000, every(1, 1), low(Lanes - 1), false);
    is_record(1, 0, 0x1000 + 4 * Lanes, 1, AllLanes & ~low(Lanes - 1), true);
    is_record(2, 1, 0x1000 + 4 * Lanes, every(1, 1), low(Lanes - 1), false);
    is_record(3, 1, 0x1000 + 8 * Lanes, 1, AllLanes & ~low(Lanes - 1), true);
    count_of_records(4);
  }

  void down_and_same() {
    begin({Lanes, 1, 1});
    give(0, tuple(0x1000 + 4 * (Lanes - 1), model.word(std::uint64_t(0) - 4)));
    give(0, tuple(0x1000 + 4, 0));
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    check.equal("order", seen[0].record.order, unsigned(LaneOrder::Down));
    is_record(1, 0, 0x1000, 0b10, AllLanes, true);
    check.equal("order", seen[1].record.order, unsigned(LaneOrder::Same));
    count_of_records(2);
  }

  void no_closed_form() {
    begin({Lanes, 1, 1});
    const unsigned region = std::max(128U, 4 * Lanes);  // the next thread's word lies in another one
    for (const unsigned offset : {12U, region, 4096U}) give(0, tuple(0x10000, offset));
    drain();
    count_of_records(3 * Lanes);
    for (unsigned n = 0; n < Lanes; ++n) {
      is_word(n, 0x10000 + 12 * n, std::uint64_t(1) << n, n == Lanes - 1);
      is_word(Lanes + n, 0x10000 + region * n, std::uint64_t(1) << n, n == Lanes - 1);
      is_word(2 * Lanes + n, 0x10000 + 4096 * n, std::uint64_t(1) << n, n == Lanes - 1);
    }
    check.equal("counted", thread_events, 3UL * Lanes);
    check.equal("no closed form", region_events, 0UL);
  }

  void wrap() {
    begin({Lanes, 1, 1});
    const std::uint64_t top = model.word(std::uint64_t(0) - 4 * Lanes);
    give(0, tuple(top + 4 * (Lanes - 2), 4));
    give(0, tuple(4, model.word(std::uint64_t(0) - 4)));
    drain();
    is_record(0, 0, top, 3ULL << (Lanes - 2), 0b11, false);
    is_record(1, 0, 0, low(Lanes - 2), AllLanes & ~3ULL, true);
    is_record(2, 0, 0, 0b11, 0b11, false);
    is_record(3, 0, top, AllLanes & ~3ULL, AllLanes & ~3ULL, true);
    count_of_records(4);
  }

  /// Half a warp a row: two rows share a region where they go on linearly.
  void linear_rows() {
    begin({Lanes / 2, 4, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.offset_y = 4 * (Lanes / 2);
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 1, 0x1000 + 4 * Lanes, every(1), AllLanes, true);
    count_of_records(2);
    check.equal("adjustments", adjust_events, 0UL);
    check.equal("start and the adjustment, which is 0", start_events, 2UL);
  }

  void rows() {
    begin({Lanes / 2, 4, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.offset_y = 1024;
    give(0, entry);
    drain();
    const std::uint64_t half = low(Lanes / 2);
    is_record(0, 0, 0x1000, half, half, false);
    is_record(1, 0, 0x1400, half, AllLanes & ~half, true);
    is_record(2, 1, 0x1800, half, half, false);
    is_record(3, 1, 0x1c00, half, AllLanes & ~half, true);
    count_of_records(4);
    check.equal("adjustments", adjust_events, 3UL);
    for (unsigned n = 0; n < 4 && n < seen.size(); ++n) {
      check.equal("two cycles a row", seen[n].cycle - seen[0].cycle, 2UL * n);
    }
    seen.clear();  // a row that does not fill whole warps: the last of three threads are in the next warp
    begin({Lanes - 1, 2, 1});
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, low(Lanes - 1), low(Lanes - 1), false);
    is_record(1, 0, 0x1400, 1, std::uint64_t(1) << (Lanes - 1), true);
    is_record(2, 1, 0x1400, low(Lanes - 1) & ~1ULL, low(Lanes - 2), true);
    count_of_records(3);
  }

  void whole_rows() {
    begin({Lanes, 2, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.offset_y = 0x400;
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 1, 0x1400, every(1), AllLanes, true);
    count_of_records(2);
    check.equal("one adjustment", adjust_events, 1UL);
    seen.clear();  // three dimensions: a plane is one row
    begin({Lanes, 1, 2});
    entry.offset_z = 0x10000;
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 1, 0x11000, every(1), AllLanes, true);
    count_of_records(2);
    check.equal("of the row and of the plane", adjust_events, 2UL);
  }

  void planes() {
    begin({Lanes / 2, 2, 2});
    Enqueue entry = tuple(0x1000, 4);
    entry.offset_y = 0x400;
    entry.offset_z = 0x10000;
    give(0, entry);
    drain();
    const std::uint64_t half = low(Lanes / 2);
    is_record(0, 0, 0x1000, half, half, false);
    is_record(1, 0, 0x1400, half, AllLanes & ~half, true);
    is_record(2, 1, 0x11000, half, half, false);
    is_record(3, 1, 0x11400, half, AllLanes & ~half, true);
    count_of_records(4);
    check.equal("adjustments", adjust_events, 4UL);
    seen.clear();  // rows go on, planes do not
    entry.offset_y = 4 * (Lanes / 2);
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 1, 0x11000, every(1), AllLanes, true);
    count_of_records(2);
    check.equal("one more", adjust_events, 5UL);
  }

  void partial_warp() {
    begin({Lanes + 1, 1, 1});
    give(0, tuple(0x1000, 4));
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 1, 0x1000 + 4 * Lanes, 1, 1, true);
    count_of_records(2);
  }

  void left_out() {
    begin({2 * Lanes, 1, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.warps = 0b10;
    give(0, entry);
    drain();
    is_record(0, 1, 0x1000 + 4 * Lanes, every(1), AllLanes, true);
    count_of_records(1);
    check.equal("one cycle past the warp", skip_events, 1UL);
    seen.clear();
    entry.warps = AllWarps;
    entry.lanes = 0b1010;
    give(0, entry);
    drain();
    is_record(0, 0, 0x1000, 0b1010, 0b1010, true);
    is_record(1, 1, 0x1000 + 4 * Lanes, 0b1010, 0b1010, true);
    count_of_records(2);
    check.equal("a record, not a cycle past", skip_events, 1UL);
    seen.clear();
    entry.offset_x = 128;  // thread by thread: from one live lane to the next
    give(0, entry);
    drain();
    is_word(0, 0x1000 + 128, 0b10, false);
    is_word(1, 0x1000 + 384, 0b1000, true);
    count_of_records(4);
  }

  void blocks() {
    const unsigned count = Ctas < Warps ? Ctas : Warps;
    begin({Lanes, 1, 1}, count);
    Enqueue entry = tuple(0x1000, 4);
    entry.block_x = 0x1000;
    entry.block_y = 0x40000;
    entry.block_z = 0x1000000;
    for (unsigned c = 0; c < count; ++c) set_index(c, {c + 1, c, c});
    for (unsigned c = 0; c < count; ++c) give(c, entry);
    drain();
    count_of_records(count);
    for (unsigned c = 0; c < count; ++c) { is_record(c, c, 0x2000 + c * 0x1041000ULL, every(1), AllLanes, true); }
    check.equal("base and three terms, two of which CTA 0 has not", start_events, 4UL * count - 2);
  }

  /// The queue of warp 0, which is of CTA 0, has no room.
  void leaves() {
    begin({Lanes, 1, 1}, 2);
    give(0, tuple(0x1000, 4)), give(1, tuple(0x2000, 4)), give(1, tuple(0x3000, 4));
    for (unsigned n = 0; n < 40; ++n) cycle(offer().warp != 0);
    is_record(0, 1, 0x2000, every(1), AllLanes, true);
    is_record(1, 1, 0x3000, every(1), AllLanes, true);
    count_of_records(2);
    check.is_true("left CTA 0", leave_events >= 1);
    drain();
    is_record(2, 0, 0x1000, every(1), AllLanes, true);  // from where it stood
  }

  void alone() {
    begin({Lanes, 1, 1});
    give(0, tuple(0, 1, AccessSize::Byte)), give(0, tuple(0, 0, AccessSize::Byte));
    for (unsigned n = 0; n < 10; ++n) cycle(false);
    count_of_records(0);
    check.is_true("on offer", offer().valid != 0);
    cycle();
    for (unsigned n = 0; n < 10; ++n) cycle(false);
    count_of_records(1);
    drain();
    count_of_records(2);
    check.equal("left", leave_events, 0UL);
  }

  void nobody() {
    begin({Lanes, 1, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.warps = 0;
    give(0, entry);
    entry.warps = AllWarps;
    entry.lanes = 0;
    give(0, entry);
    drain();
    count_of_records(0);
    check.equal("expansions", skip_events, 2UL);
  }

  void misaligned() {
    tolerate();
    const unsigned long before = errors(Illegal);
    begin({Lanes, 1, 1});
    give(0, tuple(0x1002, 4));
    give(0, tuple(0x1001, 2, AccessSize::Half));
    drain();
    is_record(0, 0, 0x1000, every(1), AllLanes, true);
    is_record(1, 0, 0x1000, every(1), AllLanes, true);
    check.equal("named errors", errors(Illegal) - before, 2UL);
    if (sv) sv->context.assertOn(true);
  }

  void refused() {
    tolerate();
    unsigned long before = errors(Illegal);
    const auto named = [&](const char* what) {
      check.equal(what, errors(Illegal) - before, 1UL);
      before = errors(Illegal);
    };
    begin({Lanes, 1, 1});
    Enqueue entry = tuple(0x1000, 4);
    entry.kind = unsigned(TupleKind::Predicate);
    give_illegal(0, entry);
    drain();
    named("a tuple of another kind");
    entry = tuple(0x1000, 4);
    entry.size = 3;
    give_illegal(0, entry);
    drain();
    named("an unknown size");
    batch({Lanes, 0, 1});
    give_illegal(0, tuple(0x1000, 4));
    drain();
    named("a CTA without threads");
    batch({Warps * Lanes, 1, 1});
    cta[0].first_warp = 1;
    give_illegal(0, tuple(0x1000, 4));
    drain();
    named("a CTA with too many threads");
    batch({Lanes, 1, 1});
    cycle(false, true);
    named("accepted without an offer");
    give(0, tuple(0x1000, 4));
    for (unsigned n = 0; n < 5; ++n) cycle(false);
    jobs[0].clear();  // the tuple is taken away while its record is on offer
    recording = false;
    work_s.write(0);
    settle(), edge();
    named("a tuple that goes away");
    check.equal("nothing is on offer", offer(), AddressOffer());
    start();
    give(0, tuple(0x1000, 4));  // as if nothing had been
    recording = true;
    drain();
    count_of_records(1);
    if (sv) sv->context.assertOn(true);
  }
};

template <class Point>
using Of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class A, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<ExpansionBench<A, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  return bench::run_bench(argc, argv, "address_expansion_unit",
                          {{"tiny", at<Of<point::tiny>, Vaddress_expansion_unit_tiny, built("tiny")>()},
                           {"isca17", at<Of<point::isca17>, Vaddress_expansion_unit_isca17, built("isca17")>()},
                           {"one", at<Affine<1, 2, 1, 4>, Vaddress_expansion_unit_one, built("one")>()},
                           {"storm", at<Affine<6, 4, 3, 32>, Vaddress_expansion_unit_storm, built("storm")>()},
                           {"widest", at<Affine<3, 64, 2, 64>, Vaddress_expansion_unit_widest, built("widest")>()}});
}
