// SPDX-License-Identifier: Apache-2.0
// Bench of the predicate expansion unit: the SystemC block and its Verilated twin in lockstep, and both against an
// evaluation of every thread. The bench plays the affine tuple queue, the predicate queues of the warps and the SIMT
// lanes, any of which may be slow.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <deque>
#include <map>
#include <sstream>

#include "Vpredicate_expansion_unit_isca17.h"
#include "Vpredicate_expansion_unit_one.h"
#include "Vpredicate_expansion_unit_small.h"
#include "Vpredicate_expansion_unit_tiny.h"
#include "Vpredicate_expansion_unit_wide.h"
#include "rtl/affine/predicate_expansion_unit/predicate_expansion_unit.h"
#include "rtl/config/design_points.h"
#include "tb/affine/predicate_expansion_unit/predicate_model.h"
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
using bench::PredicateModel;
using bench::PredicateTask;
using bench::PredicateWork;
using bench::Seen;

constexpr const char* Illegal = "predicate_expansion_unit/illegal";
/// From so many cycles on a random run must have expanded a million tuples.
constexpr unsigned long MillionCycles = 15'000'000;

/// The Verilated twin behind the ports of the block.
template <class A, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, accept_i{"accept_i"};
  sc_core::sc_in<typename A::CtaMask> work_i{"work_i"};
  sc_core::sc_in<typename A::Enqueue> entry_i{"entry_i"};
  sc_core::sc_in<typename A::Cta> cta_i{"cta_i"};
  sc_core::sc_in<typename A::Shape> shape_i{"shape_i"};
  sc_core::sc_in<typename A::LaneReply> lanes_i{"lanes_i"};
  sc_core::sc_out<sc_uint<A::CtaBits>> select_o{"select_o"};
  sc_core::sc_out<typename A::PredicateOffer> offer_o{"offer_o"};
  sc_core::sc_out<typename A::Pop> pop_o{"pop_o"};
  sc_core::sc_out<typename A::LaneCompare> lanes_o{"lanes_o"};
  sc_core::sc_out<typename A::PredicateEvent> event_o{"event_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    core.accept_i = accept_i.read();
    bench::to_port(work_i.read(), core.work_i);
    bench::to_port(entry_i.read(), core.entry_i);
    bench::to_port(cta_i.read(), core.cta_i);
    bench::to_port(shape_i.read(), core.shape_i);
    bench::to_port(lanes_i.read(), core.lanes_i);
    core.eval();
    select_o.write(bench::from_port<sc_uint<A::CtaBits>>(core.select_o));
    offer_o.write(bench::from_port<typename A::PredicateOffer>(core.offer_o));
    pop_o.write(bench::from_port<typename A::Pop>(core.pop_o));
    lanes_o.write(bench::from_port<typename A::LaneCompare>(core.lanes_o));
    event_o.write(bench::from_port<typename A::PredicateEvent>(core.event_o));
    idle_o.write(core.idle_o != 0);
  }
};

/// Whether random tuples at this shape can reach it.
template <class A>
bool can_see(Seen what) {
  switch (what) {
    case Seen::ScalarWarps:
      return A::Warps > 2;
    case Seen::WalkedPast:
      return A::Warps > 1;
    case Seen::Far:
      return A::Lanes > 2;  // two threads are never too far apart
    case Seen::TrapSigned:
    case Seen::TrapUnsigned:
    case Seen::TrapEqual:
    case Seen::TrapStep:
      return A::Lanes > 2;
    default:
      return true;
  }
}

template <class A>
std::vector<std::string> cover_names(unsigned long cycles) {
  std::vector<std::string> names{"accepted at once",
                                 "refused, alone",
                                 "answer in the next cycle",
                                 "answer later",
                                 "answer that sets other lanes too",
                                 "illegal: kind",
                                 "illegal: comparison",
                                 "illegal: answer",
                                 "illegal: early answer",
                                 "reset under way",
                                 "a CTA's tuple expanded",
                                 "idle, and no work"};
  if (A::Ctas > 1 && A::Warps > 1) {
    names.insert(names.end(), {"refused, to another CTA", "back to a refused record", "several CTAs under way"});
  }
  for (unsigned s = 0; s < unsigned(Seen::Count); ++s) {
    if (can_see<A>(Seen(s))) names.push_back(bench::SeenNames[s]);
  }
  if (cycles >= MillionCycles) names.push_back("a million expanded");
  return names;
}

template <class A, class Core>
class PredicateBench : public Bench {
 public:
  using Enqueue = typename A::Enqueue;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using Offer = typename A::PredicateOffer;
  using Pop = typename A::Pop;
  using Request = typename A::LaneCompare;
  using Reply = typename A::LaneReply;
  using Event = typename A::PredicateEvent;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes, Ctas = A::Ctas, WordBits = A::WordBits;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);
  static constexpr std::uint64_t AllWarps = ~std::uint64_t(0) >> (64 - Warps);
  static constexpr std::uint64_t AllOnes = ~std::uint64_t(0) >> (64 - WordBits);
  static constexpr std::uint64_t Largest = AllOnes >> 1, Smallest = Largest + 1;  // as signed words

  explicit PredicateBench(const Options& options) : Bench(cover_names<A>(options.random)) {
    connect(dut, out);
    shows("select_o", out.select), shows("offer_o", out.offer), shows("pop_o", out.pop), shows("lanes_o", out.lanes);
    shows("event_o", out.event), shows("idle_o", out.idle);
    if (options.twin) {
      sv = std::make_unique<twin<A, Core>>("sv");
      connect(*sv, twin_out);
    }
  }

  std::vector<Case> cases() override {
    if (Warps < 2 || Lanes < 4 || Ctas < 2 || WordBits < 16) return {};  // no room for them
    return {
        {"bounds", "DAC sec. 4.3",
         "tid < n for n = 0, inside a warp, at its edge, beyond: two comparisons or the lanes", [this] { bounds(); }},
        {"two_ctas", "DAC sec. 4.2, 4.3", "blockIdx blockDim + tid < n; a full queue, and the other CTA goes on",
         [this] { two_ctas(); }},
        {"scalar", "DAC sec. 4.3", "a tuple that is a scalar: one comparison for all warps of a CTA",
         [this] { scalar(); }},
        {"scalar_terms", "ours", "the other operand depends on blockIdx", [this] { scalar_terms(); }},
        {"signed_wrap", "DESIGN 6.7", "past the largest signed word: the ends agree, a thread between does not",
         [this] { wrap(Largest, Compare::Lt, Compare::Lo); }},
        {"unsigned_wrap", "DESIGN 6.7", "past the largest unsigned word: the ends agree, a thread between does not",
         [this] { wrap(AllOnes, Compare::Lo, Compare::Lt); }},
        {"falling", "ours", "a negative offset, past zero as unsigned words and not as signed ones",
         [this] { falling(); }},
        {"far", "ours", "an offset so large that the values wrap more than once", [this] { far(); }},
        {"equal", "DESIGN 6.7", "equal and not equal go to the lanes", [this] { equal(); }},
        {"rows", "DESIGN 6.7", "rows of half a warp: a step in each warp, run by run on the lanes", [this] { rows(); }},
        {"whole_rows", "DESIGN 6.7", "rows and planes as long as a warp: no step within one, so two comparisons do",
         [this] { whole_rows(); }},
        {"linear_rows", "ours", "rows that go on linearly are one run: two comparisons", [this] { linear_rows(); }},
        {"planes", "ours", "a 3-D block whose planes and rows end inside warps", [this] { planes(); }},
        {"partial", "ours", "the last warp has one thread, then three", [this] { partial(); }},
        {"parted", "ours", "for one warp and some of its lanes; the other warps are walked past", [this] { parted(); }},
        {"alone", "ours", "a record that is not taken, and no other CTA: it stays on offer", [this] { alone(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
  }

  /// Batches of random shape; a tuple after the other; queues and lanes that are slow for a while.
  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    tolerate();
    restart();
    unsigned long left = 0;  // tuples that this batch still gets
    while (check.cycle < cycles) {
      if (left == 0 && waiting() == 0) {
        if (dice.below(50) == 0) restart();
        some_batch();
        left = 1 + dice.below(12);
      }
      if (left != 0 && waiting() < 2 * ctas) {
        const Enqueue entry = some_entry();
        enqueue(
            entry, [this] { return dice.below(3) == 0 ? dice.below(12) : 0; }, dice.below(16) == 0);
        --left;
      }
      if (dice.below(32) == 0) {
        full_warps = dice.below(3) != 0 ? 0 : dice.below(4) == 0 ? AllWarps : dice() & dice() & AllWarps;
        reply_delay = dice.below(2) == 0 ? 1 : 1 + dice.below(5);
      }
      junk = dice.below(64) == 0;
      if (dice.below(5000) == 0) {
        covers.hit("reset under way", started(select_of()));
        restart();
        left = 0;
        continue;
      }
      cycle();
    }
    covers.hit("a million expanded", expanded >= 1'000'000 && cycles >= MillionCycles);
  }

 private:
  struct Outputs {
    sc_core::sc_signal<sc_uint<A::CtaBits>> select;
    sc_core::sc_signal<Offer> offer;
    sc_core::sc_signal<Pop> pop;
    sc_core::sc_signal<Request> lanes;
    sc_core::sc_signal<Event> event;
    sc_core::sc_signal<bool> idle;
  };
  static constexpr unsigned Events = 13, Refuse = 11;  // flags of Event; those before Refuse are the model's to know
  using Counts = std::array<unsigned, Events>;

  /// An entry of the queue, as one CTA sees it.
  struct Job {
    Enqueue entry;
    PredicateWork work;
    unsigned served = 0, asked = 0, delay = 0, spoiled = 0;
    bool refused = false;
    Counts counts{};
  };

  predicate_expansion_unit<A> dut{"dut"};
  std::unique_ptr<twin<A, Core>> sv;
  Outputs out, twin_out;
  sc_core::sc_signal<typename A::CtaMask> work_s{"work_s"};
  sc_core::sc_signal<Enqueue> entry_s{"entry_s"};
  sc_core::sc_signal<Cta> cta_s{"cta_s"};
  sc_core::sc_signal<Shape> shape_s{"shape_s"};
  sc_core::sc_signal<bool> accept_s{"accept_s"};
  sc_core::sc_signal<Reply> reply_s{"reply_s"};

  PredicateModel model{WordBits, Lanes};
  IdleCheck idle_check{2};
  bench::Dice dice;
  unsigned dim[3] = {1, 1, 1}, ctas = 0;
  Cta resident[Ctas];
  std::deque<Job> queue[Ctas];
  std::uint64_t full_warps = 0;
  unsigned reply_delay = 1, due = 0, open_for = 0, quiet = 0;
  bool pending = false, junk = false;
  bool shown = false, begins = false;  // the entry of this CTA is shown; it is one that the unit refuses
  unsigned shown_cta = 0;
  Request question;
  unsigned long refusals = 0, expanded = 0;
  std::map<unsigned, std::vector<std::uint64_t>> records;  // of a case: taken, by warp
  Counts total{};

  unsigned select_of() const { return out.select.read(); }

  template <class Block>
  void connect(Block& block, Outputs& outputs) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.work_i(work_s);
    block.entry_i(entry_s);
    block.cta_i(cta_s);
    block.shape_i(shape_s);
    block.accept_i(accept_s);
    block.lanes_i(reply_s);
    block.select_o(outputs.select);
    block.offer_o(outputs.offer);
    block.pop_o(outputs.pop);
    block.lanes_o(outputs.lanes);
    block.event_o(outputs.event);
    block.idle_o(outputs.idle);
  }

  void tolerate() override {
    expect_errors(Illegal);
    if (sv) sv->context.assertOn(false);
  }

  /// A CTA has work before it is selected and the queue shows what: until then its job is an entry of no kind.
  void replay_cycle(const RecordingReader& recorded) override {
    if (!recorded.get<bool>("rst_ni")) return restart();
    const Inputs inputs{recorded.get<typename A::CtaMask>("work_i"), recorded.get<Enqueue>("entry_i"),
                        recorded.get<Cta>("cta_i"), recorded.get<bool>("accept_i"), recorded.get<Reply>("lanes_i")};
    const Shape shape = recorded.get<Shape>("shape_i");
    shape_s.write(shape);
    ctas = Ctas;
    for (unsigned c = 0; c < ctas; ++c) {
      if (inputs.work[c] && queue[c].empty()) queue[c].emplace_back();
    }
    if (shown && queue[shown_cta].front().entry.kind == 0) {
      dim[0] = shape.row;
      dim[1] = shape.rows;
      dim[2] = unsigned(shape.threads) / unsigned(shape.plane);
      learn(queue[shown_cta].front(), inputs.entry, inputs.cta);
    }
    turn(inputs);
  }

  // ---- the queue's side ----

  void restart() {
    for (auto& jobs : queue) jobs.clear();
    work_s.write(0);
    entry_s.write(Enqueue());
    accept_s.write(false);
    reply_s.write(Reply());
    reset();
    pending = false;
    shown = begins = false;
    shown_cta = 0;
    full_warps = 0;
    reply_delay = 1;
    quiet = 0;
    idle_check = IdleCheck(2);
    check.is_true("idle after a reset", out.idle.read());
  }

  std::string view() const {
    std::ostringstream text;
    text << out.select.read() << out.offer.read() << out.pop.read() << out.lanes.read() << out.event.read();
    return text.str();
  }

  unsigned warps_of_cta() const { return (dim[0] * dim[1] * dim[2] + Lanes - 1) / Lanes; }

  /// A batch of CTAs 0 to count - 1; CTA c from warp `first_warp` + c x its warps on, blockIdx (c, 2c, 3c).
  void batch(unsigned x, unsigned y, unsigned z, unsigned count, unsigned first_warp = 0) {
    dim[0] = x;
    dim[1] = y;
    dim[2] = z;
    ctas = count;
    Shape shape;
    shape.row = x;
    shape.rows = y;
    shape.plane = x * y;
    shape.threads = x * y * z;
    shape_s.write(shape);
    for (unsigned c = 0; c < count; ++c) {
      resident[c].first_warp = first_warp + c * warps_of_cta();
      resident[c].index_x = c;
      resident[c].index_y = 2 * c;
      resident[c].index_z = 3 * c;
    }
  }

  template <class Delay>
  void enqueue(const Enqueue& entry, Delay&& delay, bool spoil) {
    for (unsigned c = 0; c < ctas; ++c) {
      const unsigned first = resident[c].first_warp;
      const std::uint64_t its = (AllWarps >> (Warps - warps_of_cta())) << first;
      if ((entry.warps & its) == 0) continue;
      Job job;
      learn(job, entry, resident[c]);
      job.delay = delay();
      job.spoiled = spoil ? 1 + dice.below(3) : 0;
      queue[c].push_back(std::move(job));
    }
  }
  void enqueue(const Enqueue& entry) {
    enqueue(
        entry, [] { return 0U; }, false);
  }

  void learn(Job& job, const Enqueue& entry, const Cta& cta) const {
    job.entry = entry;
    job.work = model.work(task_of(entry, cta));
  }

  PredicateTask task_of(const Enqueue& e, const Cta& cta) const {
    return {e.compare.to_uint(),
            e.base,
            {e.offset_x, e.offset_y, e.offset_z},
            {e.block_x, e.block_y, e.block_z},
            e.scalar,
            {e.scalar_block_x, e.scalar_block_y, e.scalar_block_z},
            e.warps,
            e.lanes,
            cta.first_warp.to_uint(),
            {dim[0], dim[1], dim[2]},
            {cta.index_x, cta.index_y, cta.index_z}};
  }

  unsigned long waiting() const {
    unsigned long jobs = 0;
    for (const auto& of_cta : queue) jobs += of_cta.size();
    return jobs;
  }
  bool visible(unsigned c) const { return !queue[c].empty() && queue[c].front().delay == 0; }
  /// The unit is somewhere within the oldest entry of this CTA, as far as one can see.
  bool started(unsigned c) const {
    return !queue[c].empty() && (queue[c].front().served != 0 || queue[c].front().counts != Counts{});
  }

  // ---- one cycle ----

  struct Inputs {
    typename A::CtaMask work;
    Enqueue entry;
    Cta cta;
    bool accepts;
    Reply reply;
  };

  /// The queue popped this CTA's entry, and has nothing to say of it.
  static bool is_stale(unsigned at, const Pop& popped) { return popped.valid != 0 && popped.cta == at; }

  void cycle() {
    const unsigned at = select_of();
    typename A::CtaMask work = 0;
    for (unsigned c = 0; c < ctas; ++c) work[c] = visible(c);
    Job* job = queue[at].empty() ? nullptr : &queue[at].front();
    Enqueue entry;  // in the cycle after the select
    if (shown && !queue[shown_cta].empty()) entry = queue[shown_cta].front().entry;
    if (begins) {
      const bool kind = job->spoiled % 2 == 0;
      if (kind) entry.kind = unsigned(TupleKind::Data);
      if (!kind) entry.compare = 10 + dice.below(6);
      covers.hit(kind ? "illegal: kind" : "illegal: comparison");
      ++refusals;
      --job->spoiled;
    }
    const bool then_shown = visible(at) && !is_stale(at, out.pop.read());
    begins = then_shown && !begins && job->spoiled != 0;  // the unit looks at it in the next cycle
    const bool room = (full_warps >> out.offer.read().warp & 1) == 0;
    turn({work, entry, resident[shown_cta], room, answer(out.lanes.read())});
  }

  void turn(const Inputs& inputs) {
    const unsigned at = select_of();
    const Offer offered = out.offer.read();
    const Pop popped = out.pop.read();
    const bool stale = is_stale(at, popped), room = inputs.accepts;
    typename A::CtaMask work = inputs.work;
    Job* job = queue[at].empty() ? nullptr : &queue[at].front();
    shown = work[at] && !stale;
    shown_cta = at;
    work_s.write(work);
    entry_s.write(inputs.entry);
    cta_s.write(inputs.cta);
    accept_s.write(room);
    reply_s.write(inputs.reply);
    follow(out.lanes.read(), inputs.reply);

    settle();
    covers.hit("idle, and no work", out.idle.read() && work == 0);
    idle_check.before(out.idle.read(), work != 0 || inputs.reply.valid != 0, [this] { return view(); });
    edge();
    idle_check.after(check, out.idle.read(), [this] { return view(); });

    const Event event = out.event.read();
    check.is_true("nothing happens in the cycle of a pop", !stale || event == Event());
    if (job != nullptr && !stale) {
      unsigned i = 0;
      event.fields([&](const auto&... flag) { return ((job->counts[i] += flag, total[i++] += flag), ..., 0); });
    } else {
      check.is_true("nothing happens without work", event == Event());
    }
    const bool taken = offered.valid != 0 && room, refused = offered.valid != 0 && !room;
    check.equal("a record was taken", event.taken != 0, taken);
    check.equal("a record was not taken", event.refuse != 0, refused);
    covers.hit("accepted at once", taken);
    if (taken) {
      ++job->served;
      records[offered.warp].push_back(offered.mask);
    }
    if (refused) {
      work[at] = false;
      if (popped.valid != 0) work[popped.cta] = false;
      check.equal("leaves a full queue when another CTA has work", select_of() != at, work != 0);
      covers.hit(work != 0 ? "refused, to another CTA" : "refused, alone");
      job->refused = true;
    }
    if (popped.valid != 0) queue[popped.cta].pop_front();
    for (unsigned c = 0; c < ctas; ++c) {
      if (!queue[c].empty() && queue[c].front().delay != 0) --queue[c].front().delay;
    }
    look(at, offered);
    compare_twin();
  }

  /// What the SIMT lanes answer in this cycle.
  Reply answer(const Request& asked) {
    Reply reply;
    const std::uint64_t other = junk ? dice() & AllLanes : 0;
    if (asked.valid != 0) {
      due = reply_delay;
      if (junk) {
        covers.hit("illegal: early answer");
        ++refusals;
        reply.valid = 1;
        reply.mask = other;
      }
    } else if (pending && --due == 0) {
      reply.valid = 1;
      std::uint64_t mask = 0, asked_lanes = 0;
      for (unsigned i = 0; i < question.count; ++i) {
        const std::uint64_t value = question.base + question.offset * std::uint64_t(i);
        mask |= std::uint64_t(model.holds(question.compare, value, question.scalar)) << (question.first + i);
        asked_lanes |= std::uint64_t(1) << (question.first + i);
      }
      reply.mask = mask | (other & ~asked_lanes);
      covers.hit("answer that sets other lanes too", (other & ~asked_lanes) != 0);
    } else if (!pending && junk) {
      covers.hit("illegal: answer");
      ++refusals;
      reply.valid = 1;
      reply.mask = other;
    }
    return reply;
  }

  /// A question is open until it is answered.
  void follow(const Request& asked, const Reply& reply) {
    if (asked.valid != 0) {
      check.is_true("one question at a time", !pending);
      pending = true;
      question = asked;
      open_for = 0;
    } else if (pending && ++open_for != 0 && reply.valid != 0) {
      pending = false;
      covers.hit(open_for == 1 ? "answer in the next cycle" : "answer later");
    }
  }

  /// The outputs after the edge of a cycle in which CTA `before` was selected and `offered` was on offer.
  void look(unsigned before, const Offer& offered) {
    const unsigned at = select_of();
    check.is_true("a CTA there is", at < Ctas);
    Job* job = queue[at].empty() ? nullptr : &queue[at].front();
    const Offer offer = out.offer.read();
    if (offer.valid != 0) {
      Offer expected;
      if (job != nullptr && job->served < job->work.records.size()) {
        expected.valid = 1;
        expected.warp = job->work.records[job->served].warp;
        expected.mask = job->work.records[job->served].mask;
        covers.hit("back to a refused record", job->refused && offered.valid == 0 && before == at);
        job->refused = false;
      }
      check.equal("record on offer, against every thread's outcome", offer, expected);
    } else {
      check.equal("no record on offer", offer, Offer());
    }
    const Request request = out.lanes.read();
    if (request.valid != 0) {
      Request expected;
      if (job != nullptr && job->asked < job->work.asked.size()) {
        const PredicateWork::Run& run = job->work.asked[job->asked++];
        expected.valid = 1;
        expected.compare = job->entry.compare;
        expected.base = run.base;
        expected.offset = job->entry.offset_x;
        expected.scalar = job->work.scalar;
        expected.first = run.first;
        expected.count = run.count;
      }
      check.equal("question to the lanes, against the threads' values", request, expected);
    } else {
      check.equal("no question to the lanes", request, Request());
    }
    const Pop pop = out.pop.read();
    if (pop.valid != 0) {
      check.equal("pop of the CTA that was selected", pop.cta.to_uint(), before);
      finish(queue[before].front());
    } else {
      check.equal("no pop", pop, Pop());
    }
    check.equal("errors named", errors(Illegal), refusals);

    // Terms, a walk and comparisons are named by events; at most so many cycles go by between them.
    bool work = false;
    unsigned under_way = 0;
    for (unsigned c = 0; c < ctas; ++c) {
      work = work || (visible(c) && queue[c].front().spoiled == 0);
      under_way += started(c);
    }
    quiet = !work || pending || offer.valid != 0 || request.valid != 0 || out.event.read() != Event() ? 0 : quiet + 1;
    check.is_true("something happens while there is work", quiet <= 8 + WordBits / 2 + 2 * ctas);
    covers.hit("several CTAs under way", under_way > 1);
  }

  void finish(const Job& job) {
    const PredicateWork& work = job.work;
    check.equal("records of a tuple", job.served, work.records.size());
    check.equal("questions of a tuple", job.asked, work.asked.size());
    const Counts expected{work.start,
                          work.adjust,
                          work.skip,
                          work.same,
                          work.pair,
                          unsigned(work.asked.size()),
                          work.unordered,
                          work.steps,
                          work.wraps,
                          work.differs,
                          unsigned(work.records.size())};
    for (unsigned i = 0; i < Refuse; ++i) check.equal("events of a tuple", job.counts[i], expected[i]);
    for (unsigned s = 0; s < unsigned(Seen::Count); ++s) {
      if ((work.seen >> s & 1) != 0) covers.hit(bench::SeenNames[s]);
    }
    covers.hit("a CTA's tuple expanded");
    ++expanded;
  }

  void compare_twin() {
    if (!sv) return;
    check.equal("select_o of the twin", twin_out.select.read(), out.select.read());
    check.equal("offer_o of the twin", twin_out.offer.read(), out.offer.read());
    check.equal("pop_o of the twin", twin_out.pop.read(), out.pop.read());
    check.equal("lanes_o of the twin", twin_out.lanes.read(), out.lanes.read());
    check.equal("event_o of the twin", twin_out.event.read(), out.event.read());
  }

  // ---- constrained random ----

  std::uint64_t near(std::uint64_t word) { return (word + dice.below(2 * Lanes + 1) - Lanes) & AllOnes; }

  std::uint64_t some_word() {
    switch (dice.below(6)) {
      case 0:
        return 0;
      case 1:
        return near(0);
      case 2:
        return near(Largest);
      case 3:
        return near(AllOnes);
      default:
        return dice() & AllOnes;
    }
  }

  std::uint64_t some_offset() {
    static constexpr unsigned Strides[] = {1, 1, 1, 2, 4, 4, 8, 12, 128, 4096};
    const std::uint64_t far = Smallest / (Lanes / 2);  // the least offset that R4 finds too large
    std::uint64_t offset = 0;
    switch (dice.below(8)) {
      case 0:
        offset = 0;
        break;
      case 1:
        offset = dice();
        break;
      case 2:
        offset = dice.below(2) == 0 ? far - 1 - dice.below(3) : far + dice.below(3);
        break;
      case 3:
        offset = dice() % far;
        break;
      default:
        offset = Strides[dice.below(10)];
        break;
    }
    return (dice.below(3) == 0 ? ~offset + 1 : offset) & AllOnes;
  }

  void some_batch() {
    const unsigned room = std::min(Ctas, Warps);
    const unsigned count = 1 + dice.below(dice.below(4) != 0 ? std::min(3U, room) : room),
                   warps = 1 + dice.below(std::min(Warps / count, 4U));
    const unsigned most = warps * Lanes;
    unsigned x = 1 + dice.below(most);
    if (dice.below(2) == 0) x = std::min(most, std::max(1U, Lanes / 2 * (1 + dice.below(4))));
    if (dice.below(8) == 0) x = std::min(most, 1 + Lanes * dice.below(warps));  // one thread in the last warp
    unsigned y = dice.below(2) == 0 ? 1 : 1 + dice.below(most / x),
             z = dice.below(2) == 0 ? 1 : 1 + dice.below(most / (x * y));
    if (dice.below(4) == 0) {  // small rows
      x = 1 + dice.below(std::min(most, 3U));
      y = 1 + dice.below(std::min(most / x, 4U));
      z = 1 + dice.below(most / (x * y));
    }
    batch(x, y, z, count);
    unsigned spare = Warps - count * warps_of_cta();
    unsigned first = 0;
    for (unsigned c = 0; c < count; ++c) {
      const unsigned gap = dice.below(spare + 1);
      spare -= gap;
      first += gap;
      resident[c].first_warp = first;
      first += warps_of_cta();
      resident[c].index_x = dice.below(2) == 0 ? dice.below(4) : dice() & AllOnes;
      resident[c].index_y = dice.below(2) == 0 ? dice.below(2) : dice() & AllOnes;
      resident[c].index_z = dice.below(2) == 0 ? dice.below(2) : dice() & AllOnes;
    }
  }

  Enqueue some_entry() {
    Enqueue e;
    e.kind = unsigned(TupleKind::Predicate);
    e.size = dice.below(4);
    e.compare = dice.below(10);
    e.base = some_word();
    if (dice.below(5) != 0) {
      e.offset_x = some_offset();
      e.offset_y = dice.below(3) == 0 ? std::uint64_t(e.offset_x) * dim[0] : some_offset();
      e.offset_z = dice.below(3) == 0 ? std::uint64_t(e.offset_y) * dim[1] : some_offset();
    } else if (dice.below(3) == 0) {
      e.offset_y = some_offset();
    }
    if (dice.below(2) == 0) e.block_x = dice.below(2) == 0 ? std::uint64_t(e.offset_x) * dim[0] : dice();
    if (dice.below(4) == 0) e.block_y = dice();
    if (dice.below(4) == 0) e.block_z = dice();
    if (dice.below(4) == 0) e.scalar_block_x = dice();
    if (dice.below(8) == 0) e.scalar_block_y = dice();
    if (dice.below(8) == 0) e.scalar_block_z = dice();
    e.warps = AllWarps;
    if (dice.below(3) == 0) {
      const unsigned warp = resident[dice.below(ctas)].first_warp + dice.below(warps_of_cta());
      e.warps = (dice.below(2) == 0 ? dice() & AllWarps : 0) | std::uint64_t(1) << warp;
    }
    e.lanes = dice.below(3) != 0 ? AllLanes : dice.below(8) == 0 ? 0 : dice() & AllLanes;
    // The scalar near the value of a thread of some CTA, or anything.
    const Cta& cta = resident[dice.below(ctas)];
    std::uint64_t value = std::uint64_t(e.base) + std::uint64_t(e.block_x) * std::uint64_t(cta.index_x) +
                          std::uint64_t(e.block_y) * std::uint64_t(cta.index_y) +
                          std::uint64_t(e.block_z) * std::uint64_t(cta.index_z);
    value += std::uint64_t(e.offset_x) * dice.below(dim[0]) + std::uint64_t(e.offset_y) * dice.below(dim[1]) +
             std::uint64_t(e.offset_z) * dice.below(dim[2]);
    value -= std::uint64_t(e.scalar_block_x) * std::uint64_t(cta.index_x) +
             std::uint64_t(e.scalar_block_y) * std::uint64_t(cta.index_y) +
             std::uint64_t(e.scalar_block_z) * std::uint64_t(cta.index_z);
    e.scalar = dice.below(3) == 0 ? some_word() : dice.below(2) == 0 ? value : value + dice.below(3) - 1;
    if (dice.below(8) == 0) e.scalar = value ^ std::uint64_t(1) << dice.below(WordBits);  // each bit is compared
    return e;
  }

  // ---- worked examples: masks and counts are written by hand ----

  static Enqueue compare(std::uint64_t base, std::uint64_t offset, Compare how, std::uint64_t scalar) {
    Enqueue e;
    e.kind = unsigned(TupleKind::Predicate);
    e.compare = unsigned(how);
    e.base = base;
    e.offset_x = offset;
    e.scalar = scalar;
    e.warps = AllWarps;
    e.lanes = AllLanes;
    return e;
  }
  static std::uint64_t low(unsigned lanes) { return lanes == 0 ? 0 : AllLanes >> (Lanes - lanes); }

  void begin(unsigned x, unsigned y = 1, unsigned z = 1, unsigned count = 1) {
    restart();
    batch(x, y, z, count);
    total = {};
    records.clear();
  }

  void drain() {
    for (unsigned i = 0; i < 1000 && waiting() != 0; ++i) cycle();
    check.equal("entries left", waiting(), 0UL);
  }

  /// Enqueues, and lets the unit finish.
  void expand(const Enqueue& entry) {
    records.clear();
    total = {};
    enqueue(entry);
    drain();
  }

  void expect_records(unsigned warp, const std::vector<std::uint64_t>& masks) {
    check.equal("records of a warp", records[warp].size(), masks.size());
    for (std::size_t i = 0; i < std::min(masks.size(), records[warp].size()); ++i) {
      check.equal("outcomes", records[warp][i], masks[i]);
    }
  }
  void expect_counts(unsigned scalars, unsigned pairs, unsigned questions) {
    check.equal("CTAs told by one comparison", total[3], scalars);
    check.equal("warps told by two comparisons", total[4], pairs);
    check.equal("questions to the lanes", total[5], questions);
  }

  void bounds() {
    begin(2 * Lanes);
    const auto expect = [this](unsigned n, std::uint64_t first, std::uint64_t second, unsigned pairs) {
      expand(compare(0, 1, Compare::Lt, n));
      expect_records(0, {first});
      expect_records(1, {second});
      expect_counts(0, pairs, 2 - pairs);
    };
    expect(0, 0, 0, 2);
    expect(1, low(1), 0, 1);
    expect(Lanes - 1, low(Lanes - 1), 0, 1);
    expect(Lanes, AllLanes, 0, 2);  // at the edge between the warps
    expect(Lanes + 2, AllLanes, low(2), 1);
    expect(2 * Lanes, AllLanes, AllLanes, 2);
    expect(1000, AllLanes, AllLanes, 2);
  }

  void two_ctas() {
    begin(Lanes, 1, 1, 2);
    Enqueue entry = compare(0, 1, Compare::Lt, Lanes + 2);
    entry.block_x = Lanes;
    enqueue(entry);
    enqueue(compare(5, 1, Compare::Gt, 4));
    full_warps = 1;  // CTA 0's
    for (unsigned i = 0; i < 100 && !queue[1].empty(); ++i) cycle();
    check.equal("CTA 0 waits with its first record", queue[0].size(), std::size_t(2));
    expect_records(0, {});
    expect_records(1, {low(2), AllLanes});
    full_warps = 0;
    drain();
    expect_records(0, {AllLanes, AllLanes});
    expect_counts(0, 3, 1);
    cycle();
  }

  void scalar() {
    begin(2 * Lanes);
    expand(compare(7, 0, Compare::Ls, 7));
    expect_records(0, {AllLanes});
    expect_records(1, {AllLanes});
    expect_counts(1, 0, 0);
    expand(compare(7, 0, Compare::Eq, 8));
    expect_records(0, {0});
    expect_records(1, {0});
    expect_counts(1, 0, 0);
    begin(Lanes, 1, 1, 2);
    Enqueue entry = compare(0, 0, Compare::Ge, 1);  // blockIdx.x >= 1
    entry.block_x = 1;
    entry.offset_y = 99;  // of a block with one row
    expand(entry);
    expect_records(0, {0});
    expect_records(1, {AllLanes});
    expect_counts(2, 0, 0);
  }

  void scalar_terms() {
    begin(Lanes, 1, 1, 2);
    Enqueue entry = compare(0, 1, Compare::Lt, 1);  // tid < 1 + blockIdx.x + 2 blockIdx.y - 2 blockIdx.z
    entry.scalar_block_x = 1;
    entry.scalar_block_y = 2;
    entry.scalar_block_z = AllOnes - 1;
    expand(entry);
    expect_records(0, {low(1)});
    expect_records(1, {0});  // CTA 1: 1 + 1 + 4 - 6 = 0
    expect_counts(0, 1, 1);
    check.equal("terms found", total[0], 3U);
  }

  /// Values from `largest` - 1 on, compared with `largest`; in the other signedness they do not wrap.
  void wrap(std::uint64_t largest, Compare wraps, Compare other) {
    begin(Lanes);
    expand(compare(largest - 1, 1, wraps, largest));
    expect_records(0, {AllLanes & ~std::uint64_t(2)});  // all but the second are below
    expect_counts(0, 0, 1);
    check.equal("wraps", total[8], 1U);
    expand(compare(largest - 1, 1, other, largest + 1));
    expect_records(0, {low(2)});
    expect_counts(0, 0, 1);
    check.equal("ends differ", total[9], 1U);
    expand(compare(largest - Lanes + 1, 1, wraps, largest));  // its last thread is at the largest word
    expect_records(0, {low(Lanes - 1)});
    check.equal("ends differ", total[9], 1U);
    expand(compare(largest - Lanes, 1, wraps, largest));
    expect_records(0, {AllLanes});
    expect_counts(0, 1, 0);
  }

  void falling() {
    begin(Lanes);
    expand(compare(1, AllOnes, Compare::Le, 1));  // 1 0 -1 -2 ...
    expect_records(0, {AllLanes});
    expect_counts(0, 1, 0);
    expand(compare(1, AllOnes, Compare::Hs, 1));
    expect_records(0, {AllLanes & ~std::uint64_t(2)});
    expect_counts(0, 0, 1);
    check.equal("wraps", total[8], 1U);
  }

  void far() {
    begin(Lanes);
    const std::uint64_t least = Smallest / (Lanes / 2);  // Lanes x least is one turn
    expand(compare(0, least, Compare::Lo, least));
    expect_records(0, {low(1)});
    expect_counts(0, 0, 1);
    check.equal("wraps", total[8], 1U);
    expand(compare(0, least - 1, Compare::Hs, 0));
    expect_records(0, {AllLanes});
    expect_counts(0, 1, 0);
    // A turn and one more from the second lane on: the ends and their order would agree.
    expand(compare(0, Smallest, Compare::Lo, 1));
    std::uint64_t even = 0;
    for (unsigned l = 0; l < Lanes; l += 2) even |= std::uint64_t(1) << l;
    expect_records(0, {even});
    expect_counts(0, 0, 1);
  }

  void equal() {
    begin(Lanes);
    expand(compare(0, 1, Compare::Eq, 2));
    expect_records(0, {4});
    expand(compare(0, 1, Compare::Ne, 2));
    expect_records(0, {AllLanes & ~std::uint64_t(4)});
    expand(compare(0, 1, Compare::Eq, 1000));
    expect_records(0, {0});
    expect_counts(0, 0, 1);
    check.equal("not ordered", total[7 - 1], 1U);
  }

  void rows() {
    begin(Lanes / 2, 4);  // x + 100 y: 0 1 .. | 100 101 .. || 200 201 .. | 300 301 ..
    Enqueue entry = compare(0, 1, Compare::Lt, 101);
    entry.offset_y = 100;
    expand(entry);
    expect_records(0, {low(Lanes / 2 + 1)});
    expect_records(1, {0});
    expect_counts(0, 0, 4);
    check.equal("steps", total[7], 2U);
    check.equal("row ends with a cycle of their own", total[1], 3U);
  }

  void whole_rows() {
    begin(Lanes, 2);  // x + 100 y
    Enqueue entry = compare(0, 1, Compare::Lt, 100);
    entry.offset_y = 100;
    expand(entry);
    expect_records(0, {AllLanes});
    expect_records(1, {0});
    expect_counts(0, 2, 0);
    check.equal("row ends with a cycle of their own", total[1], 1U);
    begin(Lanes, 1, 2);  // x - 100 z, a row a plane
    entry = compare(0, 1, Compare::Lt, 0);
    entry.offset_z = AllOnes - 99;
    expand(entry);
    expect_records(0, {0});
    expect_records(1, {AllLanes});
    expect_counts(0, 2, 0);
  }

  void linear_rows() {
    begin(Lanes / 2, 4);
    Enqueue entry = compare(0, 3, Compare::Lt, 3 * Lanes);
    entry.offset_y = 3 * Lanes / 2;
    expand(entry);
    expect_records(0, {AllLanes});
    expect_records(1, {0});
    expect_counts(0, 2, 0);
    check.equal("row ends with a cycle of their own", total[1], 0U);
  }

  void planes() {
    begin(1, 3, 2);  // 10 y - 100 z: 0 10 20 -100 -90 -80
    Enqueue entry = compare(0, 1, Compare::Lt, 0);
    entry.offset_y = 10;
    entry.offset_z = AllOnes - 99;
    expand(entry);
    expect_records(0, {0b111000 & AllLanes});
    if (Lanes == 4) expect_records(1, {0b11});
    expect_counts(0, 0, 6);  // rows of one thread
    check.equal("rows 5, planes 1", total[1], 6U);
    // The rows linear, the planes not: two runs.
    entry.offset_y = 1;
    expand(entry);
    expect_records(0, {0b111000 & AllLanes});
    expect_counts(0, Lanes == 4 ? 1 : 0, 2);
    check.equal("planes 1", total[1], 1U);
  }

  void partial() {
    begin(Lanes + 1);
    expand(compare(0, 1, Compare::Le, 1000));
    expect_records(0, {AllLanes});
    expect_records(1, {1});
    expect_counts(0, 2, 0);
    begin(Lanes + 3);
    expand(compare(0, 1, Compare::Ne, Lanes + 1));
    expect_records(0, {AllLanes});
    expect_records(1, {0b101});
    expect_counts(0, 0, 2);
    expand(compare(3, 0, Compare::Ne, 4));
    expect_records(1, {0b111});
    expect_counts(1, 0, 0);
  }

  void parted() {
    begin(2 * Lanes);
    Enqueue entry = compare(0, 1, Compare::Lt, Lanes + 3);
    entry.warps = 2;
    entry.lanes = 0b1010;
    expand(entry);
    expect_records(0, {});
    expect_records(1, {0b0010});  // lanes 0 to 2 hold, of them the tuple is for lane 1
    expect_counts(0, 0, 1);
    check.equal("runs walked past", total[2], 1U);
    entry.scalar = 1000;
    expand(entry);
    expect_records(1, {0b1010});
    expect_counts(0, 1, 0);
    entry.warps = 1;
    entry.lanes = 0;
    expand(entry);
    expect_records(0, {0});
    expect_records(1, {});
  }

  void alone() {
    begin(2 * Lanes);
    full_warps = 1;
    enqueue(compare(0, 1, Compare::Lt, 2));
    for (unsigned i = 0; i < 12; ++i) cycle();
    expect_records(0, {});
    check.is_true("it stays on offer", out.offer.read().valid != 0 && out.offer.read().mask == 0b11);
    full_warps = 0;
    drain();
    expect_records(0, {0b11});
    expect_records(1, {0});
  }

  void illegal() {
    begin(Lanes);
    tolerate();
    enqueue(
        compare(0, 1, Compare::Lt, 2), [] { return 0U; }, false);
    queue[0].front().spoiled = 4;  // of another kind, then with an unknown comparison
    const unsigned long before = refusals;
    for (unsigned i = 0; i < 8; ++i) cycle();  // it is looked at in every other cycle
    check.equal("refused four times", refusals - before, 4UL);
    const Shape shape = shape_s.read();
    shape_s.write(Shape());  // a CTA without threads
    for (unsigned i = 0; i < 2; ++i) {
      cycle();
      ++refusals;
      cycle();
    }
    shape_s.write(shape);
    check.is_true("and not begun", !started(0));
    drain();
    expect_records(0, {0b11});
    junk = true;  // answers that nobody waits for, also with the question itself
    expand(compare(0, 1, Compare::Eq, 2));
    junk = false;
    expect_records(0, {4});
    if (sv) sv->context.assertOn(true);
  }
};

template <class Point>
using Of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class A, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<PredicateBench<A, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  using point::isca17;
  using point::tiny;
  return bench::run_bench(argc, argv, "predicate_expansion_unit",
                          {{"tiny", at<Of<tiny>, Vpredicate_expansion_unit_tiny, built("tiny")>()},
                           {"isca17", at<Of<isca17>, Vpredicate_expansion_unit_isca17, built("isca17")>()},
                           {"small", at<Affine<6, 4, 3, 16>, Vpredicate_expansion_unit_small, built("small")>()},
                           {"one", at<Affine<1, 2, 1, 4>, Vpredicate_expansion_unit_one, built("one")>()},
                           {"wide", at<Affine<64, 64, 64, 64>, Vpredicate_expansion_unit_wide, built("wide")>()}});
}
