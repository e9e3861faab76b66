// SPDX-License-Identifier: Apache-2.0
// Bench of the warp pool: the SystemC block and its Verilated twin in lockstep, and both against a plain model; then
// any requests at all, for rule R6.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <map>
#include <set>

#include "Vwarp_pool_micro07.h"
#include "Vwarp_pool_odd.h"
#include "Vwarp_pool_one_lane.h"
#include "Vwarp_pool_tiny.h"
#include "rtl/config/design_points.h"
#include "rtl/warp_formation/warp_pool/warp_pool.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

constexpr const char* Illegal = "warp_pool/illegal";

/// What the pool means: warps, each a few threads in their lanes, under the number of their entry. Knows no clock: a
/// round is at most one warp that leaves, then groups of threads that arrive. That a warp can take them is for the LUT.
class Model {
 public:
  struct Warp {
    std::uint64_t pc = 0, data = 0;
    unsigned cta = 0;
    std::map<unsigned, unsigned> threads;  ///< by lane
  };

  explicit Model(unsigned entries) : entries_(entries) {}

  const std::map<unsigned, Warp>& warps() const { return warps_; }
  const Warp& leaving() const { return leaving_; }  ///< no threads: none is on its way out

  void start_round() {
    opened_.clear();
    asked_ = entries_;
    freed_ = false;
  }

  /// A warp goes out; false: it cannot.
  bool leave(unsigned entry) {
    asked_ = entry;
    const auto it = warps_.find(entry);
    if (it == warps_.end() || !leaving_.threads.empty()) return false;
    leaving_ = it->second;
    freed_ = true;
    return true;
  }

  void taken() { leaving_ = Warp(); }

  /// Threads join a warp, or open one: each map is by lane. False: not all of them could.
  bool arrive(const Warp& group, unsigned joined, const std::map<unsigned, unsigned>& joining, unsigned opened,
              const std::map<unsigned, unsigned>& opening) {
    for (const auto& [lane, thread] : joining) {
      if (opening.count(lane) != 0) return false;
    }
    bool good = true;
    if (!joining.empty()) good = join(group, joined, joining);
    if (!opening.empty()) good = open(group, opened, opening) && good;
    return good;
  }

  void end_round() {
    if (freed_) warps_.erase(asked_);
  }

 private:
  unsigned entries_, asked_ = 0;
  bool freed_ = false;
  std::map<unsigned, Warp> warps_;
  std::set<unsigned> opened_;
  Warp leaving_;

  bool join(const Warp& group, unsigned entry, const std::map<unsigned, unsigned>& threads) {
    const auto it = warps_.find(entry);
    if (it == warps_.end() || (entry == asked_ && opened_.count(entry) == 0)) return false;
    Warp& warp = it->second;
    for (const auto& [lane, thread] : threads) warp.threads[lane] = thread;
    warp.data = std::max(warp.data, group.data);
    return true;
  }

  bool open(const Warp& group, unsigned entry, const std::map<unsigned, unsigned>& threads) {
    if (entry >= entries_ || warps_.count(entry) != 0) return false;
    warps_[entry] = group;
    warps_[entry].threads = threads;
    opened_.insert(entry);
    return true;
  }
};

/// The Verilated twin behind the ports of the block. Outputs follow registers alone: it is looked at with the clock.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  using Tid = typename Dut::Tid;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, taken_i{"taken_i"};
  sc_core::sc_vector<sc_core::sc_in<typename Dut::Update>> update_i{"update_i", 2};
  sc_core::sc_vector<sc_core::sc_in<Tid>> tid_i{"tid_i", 2 * Dut::Lanes};
  sc_core::sc_vector<sc_core::sc_in<typename Dut::Placement>> place_i{"place_i", 2};
  sc_core::sc_in<typename Dut::Issue> issue_i{"issue_i"};
  sc_core::sc_out<typename Dut::Issued> issued_o{"issued_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> issued_tid_o{"issued_tid_o", Dut::Lanes};
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
    if (!clk_i.read()) {  // the inputs of the edge to come
      bench::array_to_port<typename Dut::Update>(update_i, core.update_i);
      bench::array_to_port<Tid>(tid_i, core.tid_i);
      bench::array_to_port<typename Dut::Placement>(place_i, core.place_i);
      bench::to_port(issue_i.read(), core.issue_i);
      core.taken_i = taken_i.read();
    }
    core.eval();
    if (clk_i.read()) {
      issued_o.write(bench::from_port<typename Dut::Issued>(core.issued_o));
      bench::array_from_port<Tid>(core.issued_tid_o, issued_tid_o);
      idle_o.write(core.idle_o != 0);
    }
  }
};

std::vector<std::string> cover_names(unsigned threads, unsigned lanes) {
  std::vector<std::string> names{"open",
                                 "both updates open",
                                 "issue",
                                 "issue and open",
                                 "issue held",
                                 "taken and issued again",
                                 "issued_o empties",
                                 "pool full",
                                 "pool empties",
                                 "reset with warps",
                                 "freed entry opens in the next cycle",
                                 "issue in the cycle after the opening",
                                 "illegal issue of a free entry",
                                 "illegal issue past a held one",
                                 "illegal open of an entry in use",
                                 "illegal open of the entry that is issued",
                                 "both open one entry",
                                 "illegal join of a free entry",
                                 "lane both joins and opens",
                                 "refused issue beside a good update",
                                 "rests with warps"};
  if (lanes > 1) {
    names.insert(names.end(),
                 {"join", "merge and open in one update", "two updates write two warps each",
                  "second joins what the first opened", "issue and merge in one cycle", "data raised by a join",
                  "data kept at a join", "warp fills up", "illegal join of an issued warp", "update refused in half"});
  }
  if (lanes > 2) names.push_back("both join one warp");
  if ((threads & (threads - 1)) != 0) names.push_back("illegal entry");
  return names;
}

template <class F, class Core>
class PoolBench : public Bench {
 public:
  using Dut = warp_pool<F>;
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using PoolPc = typename F::PoolPc;
  using PoolWarp = typename F::PoolWarp;
  using Issued = typename F::Issued;
  using Tid = typename F::Tid;
  static constexpr unsigned Threads = F::Threads, Lanes = F::Lanes;
  static constexpr std::uint64_t MostPc = ~std::uint64_t(0) >> (64 - F::PcBits), MostData = ~std::uint64_t(0) >>
                                                                                            (64 - F::DataBits);

  explicit PoolBench(const Options& options) : Bench(cover_names(Threads, Lanes)) {
    connect(dut, issued, issued_tid, idle);
    shows("issued_o", issued), shows("issued_tid_o", issued_tid), shows("idle_o", idle);
    if (options.twin) {
      sv = std::make_unique<twin<Dut, Core>>("sv");
      connect(*sv, twin_issued, twin_issued_tid, twin_idle);
    }
  }

  std::vector<Case> cases() override {
    std::vector<Case> all;
    if (Threads - 1 <= MostPc) {
      all.push_back({"every_thread", "DWF sec. 4.2",
                     "each thread has an entry of its own: the pool is full, and nothing is lost",
                     [this] { every_thread(); }});
    }
    if (Lanes < 4) return all;  // the others name lanes 0 to 3
    all.insert(
        all.begin(),
        {{"lane_conflict", "DWF sec. 4.2", "of four threads two join the warp at their PC, two find their lane taken",
          [this] { lane_conflict(); }},
         {"two_updates", "DWF sec. 4.1, Table 1",
          "two updates write two warps each in one cycle, then the second one "
          "joins what the first one opens",
          [this] { two_updates(); }},
         {"issue_and_merge", "DESIGN 6.6",
          "a warp leaves while threads join another; its entry opens in the next cycle", [this] { issue_and_merge(); }},
         {"held", "ours", "the issued warp stays until the pipeline takes it, then the next one follows at once",
          [this] { held(); }},
         {"refused", "ours", "each illegal request is a named error and has no effect", [this] { refused(); }}});
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R6: from here on anything
        tolerate();
        anything = true;
      }
      if (dice.below(5000) == 0) {
        covers.hit("reset with warps", !model.warps().empty());
        start();
      }
      if (style_left == 0) {
        style = static_cast<Style>(dice.below(5));
        style_left = 100 + dice.below(style == Style::Fill ? 2 * Threads : 4 * Threads);
      }
      --style_left;
      ask();
      say_what_becomes();
      turn();
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  sc_core::sc_vector<sc_core::sc_signal<Update>> update_s{"update", 2};
  sc_core::sc_vector<sc_core::sc_signal<Tid>> tid_s{"tid", 2 * Lanes};
  sc_core::sc_vector<sc_core::sc_signal<Placement>> place_s{"place", 2};
  sc_core::sc_signal<Issue> issue_s{"issue"};
  sc_core::sc_signal<bool> taken_s{"taken"};
  sc_core::sc_signal<bool> idle{"idle"}, twin_idle{"twin_idle"};
  sc_core::sc_signal<Issued> issued{"issued"}, twin_issued{"twin_issued"};
  sc_core::sc_vector<sc_core::sc_signal<Tid>> issued_tid{"issued_tid", Lanes},
      twin_issued_tid{"twin_issued_tid", Lanes};
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  enum class Style {
    Mixed,
    Fill,
    Drain,
    Join,
    Burst
  };  ///< Burst: two warps of a thread, then both updates join and open

  Model model{Threads};
  std::set<unsigned> outside;  ///< threads in the pipeline; thread t has lane t mod Lanes
  Update update[2];
  Placement place[2];
  Tid tid[2 * Lanes];
  Issue issue;
  bool taken = true;
  unsigned freed_entry = Threads;
  std::set<unsigned> just_opened;
  bench::Dice dice;
  Style style = Style::Mixed;
  unsigned style_left = 0;
  bool anything = false;
  unsigned long faults = 0;

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    for (unsigned k = 0; k < 2; ++k) {
      update[k] = edge.get<Update>("update_i", k);
      place[k] = edge.get<Placement>("place_i", k);
    }
    for (unsigned n = 0; n < 2 * Lanes; ++n) tid[n] = edge.get<Tid>("tid_i", n);
    issue = edge.get<Issue>("issue_i");
    taken = edge.get<bool>("taken_i");
    turn();
  }

  template <class Block, class Out, class Tids>
  void connect(Block& block, Out& out, Tids& tids, sc_core::sc_signal<bool>& rests) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    for (unsigned k = 0; k < 2; ++k) {
      block.update_i[k](update_s[k]);
      block.place_i[k](place_s[k]);
    }
    for (unsigned n = 0; n < 2 * Lanes; ++n) block.tid_i[n](tid_s[n]);
    block.issue_i(issue_s);
    block.taken_i(taken_s);
    block.issued_o(out);
    block.idle_o(rests);
    for (unsigned l = 0; l < Lanes; ++l) block.issued_tid_o[l](tids[l]);
  }

  void clear() {
    for (unsigned k = 0; k < 2; ++k) {
      update[k] = Update();
      place[k] = Placement();
    }
    for (unsigned n = 0; n < 2 * Lanes; ++n) tid[n] = 0;
    issue = Issue();
    taken = true;
  }

  void drive() {
    for (unsigned k = 0; k < 2; ++k) {
      update_s[k].write(update[k]);
      place_s[k].write(place[k]);
    }
    for (unsigned n = 0; n < 2 * Lanes; ++n) tid_s[n].write(tid[n]);
    issue_s.write(issue);
    taken_s.write(taken);
  }

  void start() {
    clear();
    drive();
    reset();
    model = Model(Threads);
    outside.clear();
    for (unsigned t = 0; t < Threads; ++t) outside.insert(t);
    freed_entry = Threads;
    check.is_true("idle after reset", idle.read());
    compare();
  }

  void compare() {
    auto its = model.warps().begin();
    for (unsigned i = 0; i < Threads; ++i) {
      PoolPc pc;
      PoolWarp expected;
      if (its != model.warps().end() && its->first == i) {
        pc.pc = its->second.pc;
        pc.cta = its->second.cta;
        expected.data = its->second.data;
        for (const auto& [lane, thread] : its->second.threads) {
          expected.lanes[lane] = 1;
          check.equal("thread of an entry, against the model", dut.tid_of(i, lane), thread);
        }
        ++its;
      }
      check.equal("PC and CTA of an entry, against the model", dut.pc_of(i), pc);
      check.equal("entry of the block, against the model", dut.warp_of(i), expected);
    }
    const Model::Warp& leaving = model.leaving();
    Issued expected;
    expected.pc = leaving.pc;
    expected.cta = leaving.cta;
    expected.data = leaving.data;
    for (unsigned l = 0; l < Lanes; ++l) {
      const auto it = leaving.threads.find(l);
      if (it != leaving.threads.end()) expected.lanes[l] = 1;
      const Tid thread = it != leaving.threads.end() ? it->second : 0;
      check.equal("issued thread of the block, against the model", issued_tid[l].read(), thread);
      if (sv) check.equal("issued thread of the twin, against the block", twin_issued_tid[l].read(), thread);
    }
    check.equal("issued warp of the block, against the model", issued.read(), expected);
    if (sv) {
      check.equal("issued warp of the twin, against the block", twin_issued.read(), issued.read());
      check.equal("idle of the twin, against the block", twin_idle.read(), idle.read());
    }
  }

  static bool has(std::uint64_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

  Model::Warp group(unsigned k) const {
    return {update[k].pc, update[k].data, static_cast<unsigned>(update[k].cta), {}};
  }

  std::map<unsigned, unsigned> threads(unsigned k, std::uint64_t mask) const {
    std::map<unsigned, unsigned> some;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has(mask, l)) some[l] = static_cast<unsigned>(tid[k * Lanes + l]);
    }
    return some;
  }

  /// One cycle with what has been asked for.
  void turn() {
    drive();
    settle();
    cover();
    // A round of the model: what the pipeline takes, what leaves, what arrives, what is released.
    const std::map<unsigned, Model::Warp> before = model.warps();
    model.start_round();
    if (taken) {
      for (const auto& [lane, thread] : model.leaving().threads) outside.insert(thread);
      model.taken();
    }
    bool left = true, good = true;
    if (issue.valid != 0) left = model.leave(static_cast<unsigned>(issue.idx));
    for (unsigned k = 0; k < 2; ++k) {
      good = model.arrive(group(k), static_cast<unsigned>(place[k].merge_idx), threads(k, place[k].merge),
                          static_cast<unsigned>(place[k].open_idx), threads(k, place[k].open)) &&
             good;
    }
    model.end_round();
    faults += (left ? 0 : 1) + (good ? 0 : 1);
    just_opened.clear();
    for (const auto& [entry, its] : model.warps()) {
      if (before.count(entry) == 0) just_opened.insert(entry);
    }
    if (anything)
      covers.hit("refused issue beside a good update", !left && good && (place[0].open | place[1].open) != 0);
    freed_entry = issue.valid != 0 && left ? static_cast<unsigned>(issue.idx) : Threads;
    for (const auto& [entry, its] : model.warps()) {
      for (const auto& [lane, thread] : its.threads) outside.erase(thread);
    }
    const bool asked =
        issue.valid != 0 || place[0].merge != 0 || place[0].open != 0 || place[1].merge != 0 || place[1].open != 0;
    Outputs were;
    if (!asked && idle.read()) were = outputs();
    edge();
    compare();
    if (!asked) rest(were);
  }

  struct Outputs {
    std::vector<PoolWarp> warps;
    std::vector<Tid> tids;
    Issued issued;
  };
  Outputs outputs() const {
    Outputs now;
    for (unsigned i = 0; i < Threads; ++i) now.warps.push_back(dut.warp_of(i));
    for (const auto& its : issued_tid) now.tids.push_back(its.read());
    now.issued = issued.read();
    return now;
  }

  /// After a cycle in which nothing was asked for; `were`: the outputs before it, where the block was idle.
  void rest(const Outputs& were) {
    if (taken) check.is_true("idle once its warp is taken", idle.read());
    if (were.warps.empty()) return;
    covers.hit("rests with warps", !model.warps().empty());
    const Outputs are = outputs();
    check.is_true("entries while idle", are.warps == were.warps);
    check.is_true("issued threads while idle", are.tids == were.tids);
    check.equal("issued warp while idle", are.issued, were.issued);
    check.is_true("idle while idle", idle.read());
  }

  // ---- what the cases ask for ----

  /// Update k: threads with this PC. Lanes by mask; `of` is the warp slot whose threads they are.
  void threads_go(unsigned k, std::uint64_t pc, unsigned of, std::uint64_t merge, unsigned merge_idx,
                  std::uint64_t open, unsigned open_idx, std::uint64_t data = 0, unsigned cta = 0) {
    update[k].pc = pc;
    update[k].req = merge | open;
    update[k].cta = cta;
    update[k].data = data;
    place[k].merge = merge;
    place[k].merge_idx = merge != 0 ? merge_idx : 0;
    place[k].open = open;
    place[k].open_idx = open != 0 ? open_idx : 0;
    for (unsigned l = 0; l < Lanes; ++l) tid[k * Lanes + l] = has(merge | open, l) ? of * Lanes + l : 0;
  }

  void issues(unsigned entry) {
    issue.valid = 1;
    issue.idx = entry;
  }

  /// As the LUT does: what a warp is when the threads have joined.
  void say_what_becomes() {
    std::map<unsigned, Model::Warp> warps = model.warps();
    for (unsigned k = 0; k < 2; ++k) {
      if ((place[k].merge & place[k].open) != 0) continue;
      if (place[k].merge != 0 && warps.count(static_cast<unsigned>(place[k].merge_idx)) != 0) {
        Model::Warp& its = warps[static_cast<unsigned>(place[k].merge_idx)];
        for (const auto& [lane, thread] : threads(k, place[k].merge)) its.threads[lane] = thread;
        its.data = std::max<std::uint64_t>(its.data, update[k].data);
        for (const auto& [lane, thread] : its.threads) place[k].lanes[lane] = 1;
        place[k].data = its.data;
      }
      if (place[k].open != 0 && warps.count(static_cast<unsigned>(place[k].open_idx)) == 0) {
        Model::Warp& its = warps[static_cast<unsigned>(place[k].open_idx)];
        its = group(k);
        its.threads = threads(k, place[k].open);
      }
    }
  }

  /// One cycle, after which nothing is asked for.
  void step() {
    say_what_becomes();
    turn();
    clear();
  }

  static constexpr std::uint64_t A = 10 & MostPc, B = 20 & MostPc;  // PCs

  void lane_conflict() {
    start();
    threads_go(0, A, 0, 0, 0, 0b0011, 0);
    step();
    threads_go(0, A, 1, 0b1100, 0, 0b0011, 1);
    step();
    check.equal("lanes of the first warp", dut.warp_of(0).lanes, 0b1111U);
    check.equal("lanes of the second warp", dut.warp_of(1).lanes, 0b0011U);
    issues(0);
    step();
    const unsigned expected[] = {0, 1, Lanes + 2, Lanes + 3};
    for (unsigned l = 0; l < 4; ++l) check.equal("thread of the full warp", issued_tid[l].read(), expected[l]);
    issues(1);
    step();
    check.equal("thread of the second warp", issued_tid[1].read(), Lanes + 1);
    check.equal("no thread where there is no lane", issued_tid[2].read(), 0U);
  }

  void two_updates() {
    start();
    threads_go(0, A, 0, 0, 0, 0b0001, 0);
    threads_go(1, B, 0, 0, 0, 0b0010, 1);
    step();
    threads_go(0, A, 1, 0b0100, 0, 0b0001, 2);  // four warps in one cycle
    threads_go(1, B, 1, 0b1000, 1, 0b0010, 3);
    step();
    const unsigned lanes[] = {0b0101, 0b1010, 0b0001, 0b0010};
    for (unsigned i = 0; i < 4; ++i) check.equal("lanes of a warp", dut.warp_of(i).lanes, lanes[i]);
    threads_go(0, 5 & MostPc, 0, 0, 0, 0b0100, 4, 1);
    threads_go(1, 5 & MostPc, 0, 0b1000, 4, 0, 0, 3);
    step();
    check.equal("lanes of the warp that opened and was joined", dut.warp_of(4).lanes, 0b1100U);
    check.equal("its data: the larger", dut.warp_of(4).data, 3U);
    for (unsigned i = 0; i < 5; ++i) {
      issues(i);
      step();
    }
  }

  void issue_and_merge() {
    start();
    threads_go(0, A, 0, 0, 0, 0b0011, 0);
    threads_go(1, B, 0, 0, 0, 0b1100, 1);
    step();
    issues(0);
    threads_go(0, B, 1, 0b0011, 1, 0, 0);
    step();
    check.equal("the warp that left", issued.read().pc, A);
    check.equal("its entry is free", dut.warp_of(0), PoolWarp());
    check.equal("the warp that was joined", dut.warp_of(1).lanes, 0b1111U);
    threads_go(1, A, 1, 0, 0, 0b1100, 0);
    step();
    check.equal("the entry has a new warp", dut.warp_of(0).lanes, 0b1100U);
  }

  void every_thread() {
    start();
    for (unsigned t = 0; t < Threads; t += 2) {
      for (unsigned k = 0; k < 2; ++k) {
        threads_go(k, t + k, (t + k) / Lanes, 0, 0, std::uint64_t(1) << (t + k) % Lanes, t + k);
      }
      step();
    }
    for (unsigned i = 0; i < Threads; ++i) check.equal("PC of an entry", dut.pc_of(i).pc, i);
    for (unsigned i = Threads; i-- != 0;) {
      issues(i);
      step();
      check.equal("issued PC", issued.read().pc, i);
      check.equal("issued thread", issued_tid[i % Lanes].read(), i);
    }
    step();
    check.equal("nothing is left", issued.read(), Issued());
  }

  void held() {
    start();
    threads_go(0, A, 0, 0, 0, 0b0011, 0);
    threads_go(1, B, 0, 0, 0, 0b1100, 1);
    step();
    issues(0);
    taken = false;
    step();
    for (unsigned n = 0; n < 3; ++n) {
      taken = false;
      if (n == 1) threads_go(0, A, 0, 0, 0, 0b0001, 0);  // the entry is used again meanwhile
      step();
      check.equal("the warp stays", issued.read().pc, A);
      check.equal("and its thread", issued_tid[1].read(), 1U);
    }
    issues(1);
    step();
    check.equal("the next warp at once", issued.read().pc, B);
    step();
    check.equal("taken, and nothing is issued", issued.read(), Issued());
  }

  void refused() {
    start();
    tolerate();
    const auto one = [&](const char* what) {
      const unsigned long was = errors(Illegal);
      step();
      check.equal(what, errors(Illegal), was + 1);
    };
    threads_go(0, A, 0, 0, 0, 0b0001, 0);
    threads_go(1, A, 0, 0, 0, 0b0010, 1);
    step();
    issues(3);
    one("issue of a free entry");
    threads_go(0, B, 0, 0, 0, 0b0100, 0);
    one("open of an entry in use");
    threads_go(0, A, 1, 0b0010, 3, 0, 0);
    one("join of a free entry");
    threads_go(0, A, 1, 0b0100, 0, 0b0100, 2);
    one("join and open with one lane");
    threads_go(0, A, 1, 0, 0, 0b0001, 2);
    threads_go(1, B, 1, 0, 0, 0b0010, 2);
    one("both open one entry");
    check.equal("the first has it", dut.warp_of(2).lanes, 0b0001U);
    issues(0);
    threads_go(0, A, 1, 0b0100, 0, 0b1000, 3);
    one("join of the warp that is issued; the rest of the update is done");
    check.equal("the warp left without them", issued.read().lanes, 0b0001U);
    check.equal("the rest", dut.warp_of(3).lanes, 0b1000U);
    taken = false;
    issues(2);
    one("issue past a warp that stays");
    check.equal("it stays", issued.read().lanes, 0b0001U);
  }

  // ---- constrained random ----

  /// Any thread of this lane that is outside and not yet on its way; Threads: none.
  unsigned some_thread(unsigned lane, const std::set<unsigned>& on_way) {
    const unsigned first = dice.below(Threads / Lanes);
    for (unsigned n = 0; n < Threads / Lanes; ++n) {
      const unsigned t = (first + n) % (Threads / Lanes) * Lanes + lane;
      if (outside.count(t) != 0 && on_way.count(t) == 0) return t;
    }
    return Threads;
  }

  unsigned some_free(const std::set<unsigned>& taken_entries) {
    if (freed_entry != Threads && model.warps().count(freed_entry) == 0 && taken_entries.count(freed_entry) == 0 &&
        dice.below(2) == 0) {
      return freed_entry;
    }
    const unsigned first = dice.below(Threads);
    for (unsigned n = 0; n < Threads; ++n) {
      const unsigned i = (first + n) % Threads;
      if (model.warps().count(i) == 0 && taken_entries.count(i) == 0) return i;
    }
    return Threads;
  }

  void ask() {
    clear();
    taken = style == Style::Fill || dice.below(4) != 0;
    const bool stays = !model.leaving().threads.empty() && !taken;

    std::vector<unsigned> ready;
    for (const auto& [entry, its] : model.warps()) {
      if (style != Style::Fill || its.threads.size() > 1) ready.push_back(entry);
    }
    const bool burst = style == Style::Burst && (model.warps().size() < 2 || (ready.size() == 2 && dice.below(3) == 0));
    const bool seeds = style == Style::Fill || (burst && model.warps().size() < 2);  // one thread opens
    const unsigned eager = style == Style::Drain || style == Style::Burst ? 7 : style == Style::Join ? 3 : 4;
    if (!stays && !burst && !ready.empty() && dice.below(8) < eager)
      issues(ready[dice.below(static_cast<unsigned>(ready.size()))]);

    std::set<unsigned> on_way, opened;
    std::map<unsigned, std::uint64_t> filled;  // lanes of warps after the first update
    for (unsigned k = 0; k < 2; ++k) {
      if (style == Style::Drain && dice.below(3) != 0) continue;
      if (style == Style::Burst && !burst) continue;
      if (!seeds && dice.below(5) == 0) continue;
      // A warp to join: half of the time the one that the first update has opened.
      unsigned target = Threads;
      std::uint64_t used = 0;
      if (burst && !seeds) {
        target = ready[k];
      } else if (!seeds && k == 1 && !opened.empty() && dice.below(2) == 0) {
        target = static_cast<unsigned>(place[0].open_idx);
        update[1] = update[0];
        used = place[0].open;
      } else if (!ready.empty() && !seeds && dice.below(4) != 0) {
        target = ready[dice.below(style == Style::Join ? std::min<unsigned>(3, static_cast<unsigned>(ready.size()))
                                                       : static_cast<unsigned>(ready.size()))];
        if (issue.valid != 0 && issue.idx == target) target = Threads;
      }
      if (target != Threads && model.warps().count(target) != 0) {
        const Model::Warp& its = model.warps().at(target);
        update[k].pc = its.pc;
        update[k].cta = its.cta;
        for (const auto& [lane, thread] : its.threads) used |= std::uint64_t(1) << lane;
        used |= filled[target];
      } else if (target == Threads) {
        update[k].pc = dice.below(4) != 0 ? dice.below(4) & MostPc : dice() & MostPc;
        update[k].cta = dice.below(F::Ctas);
      }
      update[k].data = dice.below(4) == 0 ? dice() & MostData : dice.below(4) & MostData;
      std::uint64_t lanes = dice();
      if (dice.below(3) == 0) lanes &= dice();
      if (seeds) {
        if (outside.empty()) continue;
        const auto from = outside.lower_bound(dice.below(Threads));
        lanes = std::uint64_t(1) << (from == outside.end() ? *outside.begin() : *from) % Lanes;
      }
      const unsigned fresh = some_free(opened);
      for (unsigned l = 0; l < Lanes; ++l) {
        const bool joins = target != Threads && !has(used, l);
        if (!has(lanes, l) || (!joins && fresh == Threads)) continue;
        const unsigned t = some_thread(l, on_way);
        if (t == Threads) continue;
        on_way.insert(t);
        tid[k * Lanes + l] = t;
        update[k].req[l] = 1;
        (joins ? place[k].merge : place[k].open)[l] = 1;
      }
      if (update[k].req == 0) {
        update[k] = Update();
        continue;
      }
      if (place[k].merge != 0) {
        place[k].merge_idx = target;
        filled[target] |= place[k].merge;
        place[k].hit = 1;
      }
      if (place[k].open != 0) {
        place[k].open_idx = fresh;
        opened.insert(fresh);
      }
      place[k].turn = dice.below(Lanes);  // not used
      place[k].evict = dice.below(2);
    }
    if (anything && dice.below(3) == 0) spoil();
  }

  /// One request becomes any request.
  void spoil() {
    const unsigned k = dice.below(2);
    const auto any_entry = [this] { return dice.below(1U << F::IdxBits); };
    const auto any_warp = [&] {
      if (model.warps().empty()) return any_entry();
      return std::next(model.warps().begin(), dice.below(static_cast<unsigned>(model.warps().size())))->first;
    };
    switch (dice.below(9)) {
      case 0:
        issues(any_entry());
        break;
      case 1:
        issues(any_warp());
        break;
      case 2:
        place[k].open_idx = any_warp();
        break;
      case 3:
        place[k].merge_idx = any_entry();
        break;
      case 4:
        place[k].merge_idx = any_warp();
        break;
      case 5:
        place[1].open_idx = place[0].open_idx;
        break;
      case 6:
        place[k].merge = place[k].merge | (dice() & ((std::uint64_t(2) << (Lanes - 1)) - 1));
        break;
      case 7:
        issues(static_cast<unsigned>(place[k].merge != 0 ? place[k].merge_idx : place[k].open_idx));
        break;
      case 8:
        if (issue.valid != 0) place[k].open_idx = issue.idx;
        break;
      default:
        break;
    }
    place[k].open = place[k].open & ((std::uint64_t(2) << (Lanes - 1)) - 1);
  }

  void cover() {
    const auto its = [this](unsigned entry) -> const Model::Warp* {
      const auto it = model.warps().find(entry);
      return it == model.warps().end() ? nullptr : &it->second;
    };
    const bool stays = !model.leaving().threads.empty() && !taken;
    const unsigned leaves = static_cast<unsigned>(issue.idx);
    bool merges[2], opens[2];
    for (unsigned k = 0; k < 2; ++k) {
      merges[k] = place[k].merge != 0;
      opens[k] = place[k].open != 0;
    }
    covers.hit("pool full", model.warps().size() == Threads);
    covers.hit("pool empties", model.warps().size() == 1 && issue.valid != 0 && !opens[0] && !opens[1]);
    covers.hit("issue held", stays);
    if (anything) {
      if (issue.valid != 0) {
        const Model::Warp* out = its(leaves);
        covers.hit("illegal issue of a free entry", out == nullptr);
        covers.hit("illegal issue past a held one", out != nullptr && stays);
        if ((Threads & (Threads - 1)) != 0) covers.hit("illegal entry", leaves >= Threads);
      }
      covers.hit("both open one entry", opens[0] && opens[1] && place[0].open_idx == place[1].open_idx &&
                                            its(static_cast<unsigned>(place[0].open_idx)) == nullptr);
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned to = static_cast<unsigned>(place[k].merge_idx), fresh = static_cast<unsigned>(place[k].open_idx);
        covers.hit("lane both joins and opens", (place[k].merge & place[k].open) != 0);
        const bool reissued = opens[k] && its(fresh) != nullptr && issue.valid != 0 && issue.idx == fresh;
        covers.hit("illegal open of an entry in use", opens[k] && its(fresh) != nullptr && !reissued);
        covers.hit("illegal open of the entry that is issued", reissued);
        if (!merges[k] || (k == 1 && (merges[0] || opens[0]))) continue;
        const Model::Warp* target = its(to);
        covers.hit("illegal join of a free entry", target == nullptr);
        if (Lanes == 1) continue;
        const bool gone = issue.valid != 0 && issue.idx == to;
        covers.hit("illegal join of an issued warp", target != nullptr && gone);
        covers.hit("update refused in half", (target == nullptr || gone) && opens[k] && its(fresh) == nullptr);
      }
      return;
    }
    covers.hit("open", opens[0] || opens[1]);
    covers.hit("both updates open", opens[0] && opens[1]);
    covers.hit("issue", issue.valid != 0);
    covers.hit("issue in the cycle after the opening", issue.valid != 0 && just_opened.count(leaves) != 0);
    covers.hit("issue and open", issue.valid != 0 && (opens[0] || opens[1]));
    covers.hit("taken and issued again", issue.valid != 0 && !model.leaving().threads.empty() && taken);
    covers.hit("issued_o empties", issue.valid == 0 && !model.leaving().threads.empty() && taken);
    for (unsigned k = 0; k < 2; ++k) {
      covers.hit("freed entry opens in the next cycle", opens[k] && place[k].open_idx == freed_entry);
      if (!merges[k]) continue;
      covers.hit("join");
      covers.hit("merge and open in one update", opens[k]);
      covers.hit("issue and merge in one cycle", issue.valid != 0);
      const Model::Warp* target = its(static_cast<unsigned>(place[k].merge_idx));
      if (target == nullptr) {
        covers.hit("second joins what the first opened");
        continue;
      }
      covers.hit("data raised by a join", update[k].data > target->data);
      covers.hit("data kept at a join", update[k].data < target->data);
      covers.hit("warp fills up", target->threads.size() + count_set(place[k].merge) == Lanes);
    }
    if (Lanes > 1) {
      covers.hit("two updates write two warps each",
                 merges[0] && merges[1] && opens[0] && opens[1] && place[0].merge_idx != place[1].merge_idx);
    }
    if (Lanes > 2) covers.hit("both join one warp", merges[0] && merges[1] && place[0].merge_idx == place[1].merge_idx);
  }
};

template <class Point, class Core>
using OfPoint =
    PoolBench<Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::bench_of;
  using bench::built;
  return bench::run_bench(
      argc, argv, "warp_pool",
      {{"tiny", bench_of<OfPoint<point::tiny, Vwarp_pool_tiny>, built("tiny")>()},
       {"micro07", bench_of<OfPoint<point::micro07, Vwarp_pool_micro07>, built("micro07")>()},
       {"one_lane", bench_of<PoolBench<Formation<2, 1, 1, 1, 1>, Vwarp_pool_one_lane>, built("one_lane")>()},
       {"odd", bench_of<PoolBench<Formation<6, 3, 2, 3, 2>, Vwarp_pool_odd>, built("odd")>()}});
}
