// SPDX-License-Identifier: Apache-2.0
// Bench of the line locks: the SystemC block and its Verilated twin in lockstep, and both against a plain model. The
// bench plays the address expansion unit, the warp queues and L1; in the last part of a random run takings and unlocks
// are anything at all.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <map>
#include <set>
#include <sstream>

#include "Vline_locks_isca17.h"
#include "Vline_locks_tiny.h"
#include "Vline_locks_two_ways.h"
#include "Vline_locks_wide.h"
#include "rtl/affine/line_locks/line_locks.h"
#include "rtl/config/design_points.h"
#include "tb/affine/set_in_l1.h"
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
using bench::set_in_l1;

constexpr const char* Illegal = "line_locks/illegal";

/// What the locks mean: how many records want a line kept. Knows no clock and no ways: lines of a set are counted.
class Model {
 public:
  using Line = std::uint64_t;
  Model(unsigned sets, unsigned ways, unsigned most, unsigned hash_from)
      : sets_(sets), ways_(ways), most_(most), hash_from_(hash_from) {}
  std::uint64_t set_of(Line line) const { return set_in_l1(line, sets_, hash_from_); }

  unsigned locks(Line line) const {
    const auto it = locks_.find(line);
    return it == locks_.end() ? 0 : it->second;
  }
  std::set<Line> locked_of_set(std::uint64_t set) const {
    std::set<Line> lines;
    for (const auto& [other, count] : locks_) {
      if (set_of(other) == set) lines.insert(other);
    }
    return lines;
  }
  /// The locked lines of the set in which this line is.
  std::set<Line> beside(Line line) const { return locked_of_set(set_of(line)); }
  bool set_full(Line line) const { return locks(line) == 0 && beside(line).size() + 1 >= ways_; }
  bool counter_full(Line line) const { return locks(line) == most_; }
  bool grants(Line line) const { return !set_full(line) && !counter_full(line); }

  void lock(Line line) { ++locks_[line]; }
  void unlock(Line line) {
    if (--locks_[line] == 0) locks_.erase(line);
  }
  const std::map<Line, unsigned>& all() const { return locks_; }

 private:
  unsigned sets_, ways_, most_;
  unsigned hash_from_;
  std::map<Line, unsigned> locks_;
};

/// The Verilated twin behind the ports of the block.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, taken_i{"taken_i"};
  sc_core::sc_in<typename Dut::AddressOffer> offer_i{"offer_i"};
  sc_core::sc_in<typename Dut::Unlock> unlock_i{"unlock_i"};
  sc_core::sc_in<typename Dut::SetIndex> set_i{"set_i"};
  sc_core::sc_out<bool> grant_o{"grant_o"};
  sc_core::sc_vector<sc_core::sc_out<typename Dut::Locked>> locked_o{"locked_o", Dut::Lockable};
  sc_core::sc_out<LockRefused> refused_o{"refused_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << offer_i << taken_i << unlock_i << set_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(offer_i.read(), core.offer_i);
    core.taken_i = taken_i.read();
    bench::to_port(unlock_i.read(), core.unlock_i);
    core.set_i = static_cast<unsigned>(set_i.read());
    core.eval();
    grant_o.write(core.grant_o != 0);
    bench::array_from_port<typename Dut::Locked>(core.locked_o, locked_o);
    refused_o.write(bench::from_port<LockRefused>(core.refused_o));
    idle_o.write(core.idle_o != 0);
  }
};

std::vector<std::string> cover_names(unsigned sets, unsigned ways, unsigned most) {
  std::vector<std::string> names{"no offer",
                                 "taken, no data",
                                 "granted, not taken",
                                 "another line locked",
                                 "set full",
                                 "set full, and a line of it freed in the cycle",
                                 "freed place taken by another line in the next cycle",
                                 "locked lines told",
                                 "counter full",
                                 "counter full, and a lock of the line ends in the cycle",
                                 "last lock of a line ends",
                                 "reset with locks",
                                 "illegal unlock",
                                 "illegal unlock beside locked lines of the set",
                                 "illegal: taken without a lock, set full",
                                 "illegal: taken without a lock, counter full",
                                 "illegal: taken without an offer",
                                 "illegal unlock and a good lock of one line",
                                 "idle with locks, and not asked"};
  if (sets > 1) names.push_back("lock in one set, unlock in another");
  if (most > 1) {
    names.insert(names.end(), {"line locked again", "line stays locked", "lock and unlock of one line",
                               "lock and last unlock of one line"});
  }
  if (ways > 2) names.insert(names.end(), {"counter full in a set with room", "lock and unlock of two lines of a set"});
  return names;
}

template <class A, unsigned Sets, unsigned Ways, unsigned LineBytes, unsigned LockBits, unsigned HashFrom, class Core>
class LocksBench : public Bench {
 public:
  using Dut = line_locks<A, Sets, Ways, LineBytes, LockBits, HashFrom>;
  using AddressOffer = typename A::AddressOffer;
  using Unlock = typename Dut::Unlock;
  using Locked = typename Dut::Locked;
  using SetIndex = typename Dut::SetIndex;
  static constexpr unsigned Lockable = Ways - 1, Most = (1U << LockBits) - 1;
  static constexpr std::uint64_t RegionsPerLine = LineBytes / A::Lanes;
  static constexpr std::uint64_t LastLine = ~std::uint64_t(0) >> (64 - Dut::L::LineBits);

  explicit LocksBench(const Options& options) : Bench(cover_names(Sets, Ways, Most)) {
    connect(dut, grant, locked, refused, idle);
    shows("grant_o", grant), shows("locked_o", locked), shows("refused_o", refused), shows("idle_o", idle);
    if (options.twin) {
      sv = std::make_unique<twin<Dut, Core>>("sv");
      connect(*sv, twin_grant, twin_locked, twin_refused, twin_idle);
    }
  }

  std::vector<Case> cases() override {
    const Case whole_cache{"whole_l1", "DAC sec. 4.2", "every set is locked but for one way, then freed line by line",
                           [this] { whole_l1(); }};
    if (Sets == 1 || Ways == 2 || Most == 1) return {whole_cache};  // the others need more room
    std::vector<Case> all{
        {"two_records", "DAC sec. 4.2", "two records of one line: it is locked until both have left",
         [this] { two_records(); }},
        {"all_but_one_way", "DAC sec. 4.2, DESIGN 6.7",
         "N-1 lines of a set are locked; the next must wait until one of them is free, other sets do not wait",
         [this] { all_but_one_way(); }},
        {"counter_full", "DESIGN 6.7", "a line with all locks that can be counted takes no more until one ends",
         [this] { counter_full(); }},
        {"in_one_cycle", "ours", "the last lock of a line ends as a new one begins: the line stays locked",
         [this] { in_one_cycle(); }},
        whole_cache,
        {"refused", "ours", "each illegal request is a named error and has no effect", [this] { illegal_requests(); }}};
    if (Sets == 32 && Ways == 4 && LockBits == 4) {
      all.push_back(
          {"counters", "DAC sec. 4.2, ours", "the paper's part: a counter of 4 bits for 3 ways of 32 sets", [this] {
             unsigned long paper = 0;
             for (const Structure& row : inventory()) paper += row.paper_bits();
             check.equal("paper bits", paper, 384UL);
           }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R7: from here on anything
        tolerate();
        anything = true;
      }
      if (dice.below(3000) == 0) {
        covers.hit("reset with locks", !model.all().empty());
        start();
      }
      if (style_left == 0) {
        style = static_cast<Style>(dice.below(4));
        style_left = 50 + dice.below(200);
        home = any_line();
      }
      --style_left;
      ask();
      turn();
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  /// Hot: nearly all of one line. Fill: hardly any unlocks. Drain: hardly any locks.
  enum class Style { Mixed, Hot, Fill, Drain };

  sc_core::sc_signal<AddressOffer> offer_s{"offer"};
  sc_core::sc_signal<bool> taken_s{"taken"};
  sc_core::sc_signal<Unlock> unlock_s{"unlock"};
  sc_core::sc_signal<SetIndex> set_s{"set"};
  sc_core::sc_signal<bool> grant{"grant"}, twin_grant{"twin_grant"};
  sc_core::sc_vector<sc_core::sc_signal<Locked>> locked{"locked", Lockable}, twin_locked{"twin_locked", Lockable};
  sc_core::sc_signal<LockRefused> refused{"refused"}, twin_refused{"twin_refused"};
  sc_core::sc_signal<bool> idle{"idle"}, twin_idle{"twin_idle"};
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  Model model{Sets, Ways, Most, HashFrom};
  IdleCheck idle_check{1};
  bench::Dice dice;
  Style style = Style::Mixed;
  unsigned style_left = 0;
  std::uint64_t home = 0;   ///< lines near it are asked for
  std::uint64_t freed = 0;  ///< a line freed in the last cycle
  bool was_freed = false, anything = false;
  unsigned long faults = 0;

  // The requests of a cycle
  AddressOffer offer;
  Unlock unlock;
  unsigned set = 0;
  bool taken = false;

  std::uint64_t any_line() { return dice() & LastLine; }
  /// One that is locked, where there is one: near those that are asked for.
  std::uint64_t locked_line() {
    auto it = model.all().lower_bound(some_line());
    if (it == model.all().end()) it = model.all().begin();
    return it->first;
  }
  /// With one bit changed, so that each bit of a tag is compared.
  std::uint64_t alias(std::uint64_t line) { return line ^ std::uint64_t(1) << dice.below(Dut::L::LineBits); }

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  template <class Block, class Grant, class LockedLines, class Refused>
  void connect(Block& block, Grant& its_grant, LockedLines& its_locked, Refused& its_refused, Grant& its_idle) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.offer_i(offer_s);
    block.taken_i(taken_s);
    block.unlock_i(unlock_s);
    block.set_i(set_s);
    block.grant_o(its_grant);
    for (unsigned k = 0; k < Lockable; ++k) block.locked_o[k](its_locked[k]);
    block.refused_o(its_refused);
    block.idle_o(its_idle);
  }

  void replay_cycle(const RecordingReader& recorded) override {
    if (!recorded.get<bool>("rst_ni")) return start();
    offer = recorded.get<AddressOffer>("offer_i");
    taken = recorded.get<bool>("taken_i");
    unlock = recorded.get<Unlock>("unlock_i");
    set = recorded.get<SetIndex>("set_i");
    turn();
  }

  void clear() {
    offer = AddressOffer();
    unlock = Unlock();
    set = 0;
    taken = false;
  }

  void start() {
    clear();
    drive();
    reset();
    model = Model(Sets, Ways, Most, HashFrom);
    idle_check = IdleCheck(1);
    check.is_true("idle after a reset", idle.read());
    was_freed = false;
  }

  void drive() {
    offer_s.write(offer);
    taken_s.write(taken);
    unlock_s.write(unlock);
    set_s.write(set);
  }

  std::uint64_t line_of(const AddressOffer& record) const {
    return sc_dt::uint64(record.region) / RegionsPerLine;  // a region is Lanes bytes
  }

  void offers(std::uint64_t line, bool data = true) {
    offer.valid = 1;
    offer.data = data ? 1 : 0;
    offer.region = line * RegionsPerLine;
  }
  void unlocks(std::uint64_t line) {
    unlock.valid = 1;
    unlock.line = line;
  }

  /// One cycle, with the model.
  void turn() {
    drive();
    settle();
    const std::uint64_t line = line_of(offer), ended = unlock.line;
    const bool wants = offer.valid != 0 && offer.data != 0, granted = wants && model.grants(line);
    check.equal("grant of the block, against the model", grant.read(), granted);
    if (sv) check.equal("grant of the twin, against the block", twin_grant.read(), grant.read());
    compare_locked();
    const bool ends = unlock.valid != 0 && model.locks(ended) != 0;
    const bool locks = taken && granted;
    cover(line, wants, locks, ended, ends);
    LockRefused expected;
    expected.set_full = wants && model.set_full(line) ? 1 : 0;
    expected.counter_full = wants && model.counter_full(line) ? 1 : 0;
    faults += (unlock.valid != 0 && !ends) + (taken && wants && !granted) + (taken && offer.valid == 0);
    if (locks) model.lock(line);
    if (ends) model.unlock(ended);
    was_freed = ends && model.locks(ended) == 0;
    freed = ended;
    const bool asked = offer.valid != 0 || taken || unlock.valid != 0;
    covers.hit("idle with locks, and not asked", !model.all().empty() && !asked && idle.read());
    idle_check.before(idle.read(), asked, [this] { return view(); });
    edge();
    idle_check.after(check, idle.read(), [this] { return view(); });
    if (sv) check.equal("idle of the twin, against the block", twin_idle.read(), idle.read());
    check.equal("refusal of the block, against the model", refused.read(), expected);
    if (sv) check.equal("refusal of the twin, against the block", twin_refused.read(), refused.read());
    clear();
  }

  /// The outputs that do not follow what is asked; locks are seen in the locked lines of the set.
  std::string view() const {
    std::ostringstream text;
    text << refused.read();
    for (unsigned k = 0; k < Lockable; ++k) text << locked[k].read();
    return text.str();
  }

  void compare_locked() {
    std::multiset<std::uint64_t> told;
    for (unsigned k = 0; k < Lockable; ++k) {
      const Locked its = locked[k].read();
      if (its.valid != 0) told.insert(sc_dt::uint64(its.line));
      if (its.valid == 0) check.equal("no line is blank", its, Locked());
      if (sv) check.equal("locked line of the twin, against the block", twin_locked[k].read(), its);
    }
    const std::set<std::uint64_t> expected = model.locked_of_set(set % Sets);
    covers.hit("locked lines told", !expected.empty());
    check.is_true("locked lines of the block, against the model",
                  told == std::multiset<std::uint64_t>(expected.begin(), expected.end()));
  }

  // ---- worked examples ----

  /// A data record of this line comes, and is taken if it can be; true: it is.
  bool lock(std::uint64_t line) {
    offers(line);
    const bool granted = model.grants(line);
    taken = granted;
    turn();
    return granted;
  }
  void release(std::uint64_t line) {
    unlocks(line);
    turn();
  }
  static std::uint64_t in_set(std::uint64_t its_set, unsigned n) {
    const std::uint64_t line = std::uint64_t(Sets) * (5 + n);
    return line ^ set_in_l1(line, Sets, HashFrom) ^ its_set;
  }

  void two_records() {
    start();
    const std::uint64_t line = in_set(3, 0);
    check.is_true("first lock", lock(line));
    check.is_true("second lock", lock(line));
    release(line);
    check.equal("locks that are left", model.locks(line), 1U);
    set = 3;
    turn();
    release(line);
    set = 3;
    turn();
    check.is_true("nothing is locked", model.all().empty());
  }

  void all_but_one_way() {
    start();
    for (unsigned n = 0; n < Lockable; ++n) check.is_true("line of the set", lock(in_set(3, n)));
    check.is_true("one line too many", !lock(in_set(3, Lockable)));
    check.equal("told why", refused.read().set_full.to_uint(), 1U);
    check.is_true("a locked one again", lock(in_set(3, 0)));
    check.is_true("another set", lock(in_set(4, 0)));
    offers(in_set(3, Lockable));
    unlocks(in_set(3, 1));
    turn();  // the place is free at the end of this cycle
    check.is_true("the line that had to wait", lock(in_set(3, Lockable)));
    for (unsigned n = 0; n < 3; ++n) {
      set = 3;
      turn();
    }
  }

  void counter_full() {
    start();
    const std::uint64_t line = in_set(1, 0);
    for (unsigned n = 0; n < Most; ++n) check.is_true("as many as can be counted", lock(line));
    check.is_true("one more", !lock(line));
    check.equal("told why", refused.read().counter_full.to_uint(), 1U);
    check.is_true("another line of the set", lock(in_set(1, 1)));
    offers(line);
    unlocks(line);
    turn();
    check.is_true("as one has ended", lock(line));
    for (unsigned n = 0; n < Most; ++n) release(line);
    set = 1;
    turn();
    check.equal("locks that are left", model.locks(line), 0U);
  }

  void in_one_cycle() {
    start();
    const std::uint64_t line = in_set(2, 0);
    lock(line);
    offers(line);
    taken = true;
    unlocks(line);
    turn();
    check.equal("locks", model.locks(line), 1U);
    set = 2;
    turn();
    release(line);
    set = 2;
    turn();
  }

  void whole_l1() {
    start();
    for (unsigned s = 0; s < Sets; ++s) {
      for (unsigned n = 0; n < Ways; ++n) check.equal("lockable", lock(in_set(s, n)), n < Lockable);
    }
    for (unsigned s = 0; s < Sets; ++s) {
      set = s;
      turn();
      for (unsigned n = 0; n < Lockable; ++n) release(in_set(s, n));
      check.is_true("the line that had to wait", lock(in_set(s, Lockable)));
    }
  }

  void illegal_requests() {
    start();
    tolerate();
    const auto one = [this](const char* what) {
      const unsigned long before = errors(Illegal);
      set = 3;
      turn();
      check.equal(what, errors(Illegal) - before, 1UL);
    };
    unlocks(in_set(3, 0));
    one("unlock of a line that is not locked");
    for (unsigned n = 0; n < Lockable; ++n) lock(in_set(3, n));
    unlocks(in_set(3, Lockable));
    one("unlock of another line of the set");
    offers(in_set(3, Lockable));
    taken = true;
    one("taken without a lock");
    taken = true;
    one("taken without an offer");
    set = 3;
    turn();
    check.equal("the locks that were there", model.all().size(), std::size_t(Lockable));
  }

  // ---- constrained random ----

  /// A few lines of a few sets, near `home`; now and then any line.
  std::uint64_t some_line() {
    if (dice.below(50) == 0) return any_line();
    if (style == Style::Hot && dice.below(8) != 0) return home;
    const std::uint64_t line = (home + dice.below(2)) & LastLine;
    const std::uint64_t other = (line + std::uint64_t(Sets) * dice.below(Ways + 1)) & LastLine;
    return dice.below(8) == 0 ? other : other ^ model.set_of(other) ^ model.set_of(line);
  }

  /// The line that came free in the last cycle, or another one of its set.
  std::uint64_t beside_freed() {
    if (dice.below(4) == 0) return freed;
    const std::uint64_t other = (freed ^ Sets) & LastLine;
    return other ^ model.set_of(other) ^ model.set_of(freed);
  }

  void ask() {
    clear();
    const bool locks = style == Style::Drain ? dice.below(8) == 0 : dice.below(4) != 0;
    if (locks) {
      offer.valid = 1;
      offer.data = dice.below(8) != 0;
      offer.warp = dice.below(A::Warps);
      offer.size = dice.below(3);
      offer.region = some_line() * RegionsPerLine + dice.below(static_cast<unsigned>(RegionsPerLine));
      offer.mask = dice();
      offer.lanes = dice();
      if (was_freed && dice.below(2) == 0) offer.region = beside_freed() * RegionsPerLine;
    }
    if (offer.valid != 0 && !model.all().empty() && dice.below(8) == 0)
      offer.region = alias(locked_line()) * RegionsPerLine;
    const unsigned lazy = style == Style::Hot || style == Style::Fill ? 12 : style == Style::Drain ? 1 : 2;
    if (!model.all().empty() && dice.below(lazy) == 0) { unlocks(locked_line()); }
    const std::uint64_t line = line_of(offer);
    const bool wants = offer.valid != 0 && offer.data != 0;
    if (wants && model.locks(line) != 0 && dice.below(4) == 0) unlocks(line);
    taken = offer.valid != 0 && (!wants || model.grants(line)) && dice.below(8) != 0;
    set = static_cast<unsigned>(model.set_of(wants && dice.below(2) == 0 ? line : some_line()));
    if (!anything) return;
    const unsigned seldom = style == Style::Hot ? 24 : 4;  // a counter must have time to become full
    if (dice.below(4) == 0) taken = dice.below(2) != 0;
    if (dice.below(seldom) == 0) unlocks(some_line());
    if (wants && dice.below(seldom) == 0) unlocks(line);
  }

  void cover(std::uint64_t line, bool wants, bool locks, std::uint64_t ended, bool ends) {
    const bool same = locks && ends && line == ended,
               in_set = wants && ends && model.set_of(line) == model.set_of(ended);
    const bool last = ends && model.locks(ended) == 1;
    const bool set_full = wants && model.set_full(line), counter_full = wants && model.counter_full(line);
    covers.hit("no offer", offer.valid == 0);
    covers.hit("taken, no data", taken && offer.valid != 0 && !wants);
    covers.hit("granted, not taken", wants && model.grants(line) && !taken);
    covers.hit("another line locked", locks && model.locks(line) == 0);
    covers.hit("set full", set_full);
    covers.hit("set full, and a line of it freed in the cycle", set_full && in_set && last);
    covers.hit("freed place taken by another line in the next cycle", locks && model.locks(line) == 0 && was_freed &&
                                                                          freed != line &&
                                                                          model.set_of(freed) == model.set_of(line));
    covers.hit("counter full", counter_full);
    covers.hit("counter full, and a lock of the line ends in the cycle", counter_full && ends && line == ended);
    covers.hit("last lock of a line ends", last && !same);
    if (Sets > 1) covers.hit("lock in one set, unlock in another", locks && ends && !in_set);
    if (Most > 1) {
      covers.hit("line locked again", locks && model.locks(line) != 0 && !same);
      covers.hit("line stays locked", ends && !last && !same);
      covers.hit("lock and unlock of one line", same);
      covers.hit("lock and last unlock of one line", same && last);
    }
    if (Ways > 2) {
      covers.hit("counter full in a set with room", counter_full && model.beside(line).size() < Lockable);
      covers.hit("lock and unlock of two lines of a set", locks && in_set && !same);
    }
    const bool bad = unlock.valid != 0 && !ends;
    covers.hit("illegal unlock", bad);
    covers.hit("illegal unlock beside locked lines of the set", bad && !model.beside(ended).empty());
    covers.hit("illegal: taken without a lock, set full", taken && set_full);
    covers.hit("illegal: taken without a lock, counter full", taken && counter_full);
    covers.hit("illegal: taken without an offer", taken && offer.valid == 0);
    covers.hit("illegal unlock and a good lock of one line", bad && locks && line == ended);
  }
};

template <class Point, class Core>
using OfPoint = LocksBench<Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>, Point::L1Sets,
                           Point::L1Ways, Point::LineBytes, Point::LockBits, Point::L1HashFrom, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::bench_of;
  using bench::built;
  return bench::run_bench(
      argc, argv, "line_locks",
      {{"tiny", bench_of<OfPoint<point::tiny, Vline_locks_tiny>, built("tiny")>()},
       {"isca17", bench_of<OfPoint<point::isca17, Vline_locks_isca17>, built("isca17")>()},
       {"two_ways",
        bench_of<LocksBench<Affine<1, 2, 1, 8>, 1, 2, 8, 1, true, Vline_locks_two_ways>, built("two_ways")>()},
       {"wide", bench_of<LocksBench<Affine<64, 64, 8, 64>, 4, 8, 512, 4, false, Vline_locks_wide>, built("wide")>()}});
}
