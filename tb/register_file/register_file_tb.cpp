// SPDX-License-Identifier: Apache-2.0
// Bench of the register file in its four organisations: the SystemC block and its Verilated twin in lockstep, and both
// against a plain model. In the last part of a random run requests are anything at all, for rule R7.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <numeric>
#include <set>
#include <sstream>

#include "Vregister_file_micro07_aware.h"
#include "Vregister_file_micro07_ideal.h"
#include "Vregister_file_micro07_naive.h"
#include "Vregister_file_micro07_static.h"
#include "Vregister_file_odd.h"
#include "Vregister_file_odd_aware.h"
#include "Vregister_file_odd_ideal.h"
#include "Vregister_file_odd_static.h"
#include "Vregister_file_one_lane.h"
#include "Vregister_file_tiny_aware.h"
#include "Vregister_file_tiny_ideal.h"
#include "Vregister_file_tiny_naive.h"
#include "Vregister_file_tiny_static.h"
#include "rtl/config/design_points.h"
#include "rtl/register_file/register_file.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"
#include "tb/register_file/register_file_model.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::IdleCheck;
using bench::Options;
using Model = bench::RegisterModel;

constexpr const char* Illegal = "register_file/illegal";

/// The Verilated twin behind the ports of the block. Outputs follow from the state: it is looked at with the clock.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<typename Dut::Read>> read_i{"read_i", Dut::Lanes};
  sc_core::sc_vector<sc_core::sc_in<typename Dut::Write>> write_i{"write_i", Dut::Lanes};
  sc_core::sc_vector<sc_core::sc_out<typename Dut::Words>> data_o{"data_o", Dut::Lanes};
  sc_core::sc_out<bool> valid_o{"valid_o"}, read_busy_o{"read_busy_o"}, write_busy_o{"write_busy_o"};
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
      bench::array_to_port<typename Dut::Read>(read_i, core.read_i);
      bench::array_to_port<typename Dut::Write>(write_i, core.write_i);
    }
    core.eval();
    if (clk_i.read()) {
      bench::array_from_port<typename Dut::Words>(core.data_o, data_o);
      valid_o.write(core.valid_o != 0);
      read_busy_o.write(core.read_busy_o != 0);
      write_busy_o.write(core.write_busy_o != 0);
      idle_o.write(core.idle_o != 0);
    }
  }
};

constexpr bool is_power_of_two(unsigned n) {
  return (n & (n - 1)) == 0;
}

std::vector<std::string> cover_names(unsigned lanes, unsigned rows, RegisterAccess access) {
  const bool naive = access == RegisterAccess::Naive, any_bank = naive || access == RegisterAccess::Ideal;
  std::vector<std::string> names{"read",
                                 "write",
                                 "all lanes read and write",
                                 "word that was written is read",
                                 "word is read in the cycle of its write",
                                 "word is read in the cycle after its write",
                                 "requests in two cycles, one after the other",
                                 "reset with words",
                                 "rests with words"};
  if (lanes > 1) names.insert(names.end(), {"some lanes read", "some lanes write", "two lanes write in one cycle"});
  if (any_bank && lanes > 1)
    names.insert(names.end(), {"threads of one home lane read", "thread of another lane's home",
                               "illegal: two lanes write one word"});
  if (naive && lanes > 1) {
    names.insert(names.end(), {"two turns to read", "two turns to write", "as many turns as lanes to read",
                               "as many turns as lanes to write", "request while busy", "write while reads wait",
                               "words change between the turns of a request", "reset while lanes wait",
                               "next request in the cycle of the answer"});
  }
  if (!is_power_of_two(rows)) names.insert(names.end(), {"illegal row to read", "illegal row to write"});
  if (!is_power_of_two(lanes)) names.insert(names.end(), {"illegal bank to read", "illegal bank to write"});
  if (!any_bank && lanes > 1) names.push_back("illegal: another lane's bank");
  if (access == RegisterAccess::Static && lanes > 1) names.push_back("illegal: rows differ");
  if (access != RegisterAccess::Static && lanes > 1 && rows > 1) names.push_back("rows differ");
  return names;
}

template <class R, RegisterAccess Access, class Core>
class RegisterBench : public Bench {
 public:
  using Dut = register_file<R, Access>;
  using Read = typename Dut::Read;
  using Write = typename Dut::Write;
  using Words = typename Dut::Words;
  static constexpr unsigned Lanes = R::Lanes, Rows = R::Rows;
  static constexpr bool Naive = Access == RegisterAccess::Naive, Static = Access == RegisterAccess::Static;
  static constexpr bool AnyBank = Naive || Access == RegisterAccess::Ideal;
  static constexpr std::uint64_t MostWord = ~std::uint64_t(0) >> (64 - bits_of<typename R::Word>);

  explicit RegisterBench(const Options& options) : Bench(cover_names(Lanes, Rows, Access)) {
    connect(dut, data, flags);
    if (options.twin) {
      sv = std::make_unique<twin<Dut, Core>>("sv");
      connect(*sv, twin_data, twin_flags);
    }
  }

  std::vector<Case> cases() override {
    std::vector<Case> all{
        {"home_lanes", "DWF sec. 4.1", "each thread in its home lane writes two registers and reads them, at once",
         [this] { home_lanes(); }},
        {"read_first", "ours", "a word is read as it was before the write of the cycle, and new in the next",
         [this] { read_first(); }},
        {"reset", "ours", "a reset keeps the registers", [this] { keeps(); }},
        {"refused", "ours", "each illegal request is a named error, with the effect that the rule gives",
         [this] { refused(); }}};
    if (Lanes < 2 || Rows < 4) return all;
    all.push_back({"two_threads", "DWF sec. 4.1, Fig. 10",
                   "threads of two warps in one: their rows differ; one decoder reads one warp's after the other's",
                   [this] { two_threads(); }});
    if (Lanes % 2 == 0) {
      all.push_back({"even_odd", "DWF sec. 4.1, thread swizzling",
                     "threads in even lanes take a branch, in two warps: cycles of eight instructions",
                     [this] { even_odd(); }});
    }
    if (AnyBank) {
      all.push_back({"bank_conflict", "DWF sec. 4.1, Fig. 10 (a), (b)",
                     "two threads of one home lane in a warp, then all: a cycle each in (b), one for all in (a)",
                     [this] { bank_conflict(); }});
    }
    if (Naive) {
      all.push_back({"turns", "ours",
                     "a request that comes while lanes wait is not taken; a write between two turns shows",
                     [this] { turns(); }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R7: from here on anything
        allow_errors();
        anything = true;
      }
      if (dice.below(2000) == 0) {
        covers.hit("reset with words", !model.words().empty());
        if (Naive && Lanes > 1) covers.hit("reset while lanes wait", model.reading() && model.writing());
        restart();
      }
      if (style_left == 0) {
        style = static_cast<Style>(dice.below(6));
        style_left = 30 + dice.below(60);
        home = dice.below(Lanes);
      }
      --style_left;
      ask();
      turn();
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  /// The registers that lanes access: their own, another order of homes, all of one home, of two, any; or hardly any.
  enum class Style { Own, Order, One, Two, Any, Rest };

  struct Flags {
    sc_core::sc_signal<bool> valid, read_busy, write_busy, idle;
  };

  sc_core::sc_vector<sc_core::sc_signal<Read>> read_s{"read", Lanes};
  sc_core::sc_vector<sc_core::sc_signal<Write>> write_s{"write", Lanes};
  sc_core::sc_vector<sc_core::sc_signal<Words>> data{"data", Lanes}, twin_data{"twin_data", Lanes};
  Flags flags, twin_flags;
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  Model model{Naive};
  IdleCheck idle_check{Lanes + 1};
  bench::Dice dice;
  Style style = Style::Any;
  unsigned style_left = 0, home = 0;
  bool anything = false;
  unsigned long faults = 0;
  bool answered = false, asked_before = false;
  std::set<std::pair<unsigned, std::uint64_t>> written_before;  ///< words of the last cycle's request
  Read read[Lanes];
  Write write[Lanes];

  void allow_errors() {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  template <class Block, class Data>
  void connect(Block& block, Data& its_data, Flags& its) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    for (unsigned l = 0; l < Lanes; ++l) {
      block.read_i[l](read_s[l]);
      block.write_i[l](write_s[l]);
      block.data_o[l](its_data[l]);
    }
    block.valid_o(its.valid);
    block.read_busy_o(its.read_busy);
    block.write_busy_o(its.write_busy);
    block.idle_o(its.idle);
  }

  void clear() {
    for (unsigned l = 0; l < Lanes; ++l) {
      read[l] = Read();
      write[l] = Write();
    }
  }

  void drive() {
    for (unsigned l = 0; l < Lanes; ++l) {
      read_s[l].write(read[l]);
      write_s[l].write(write[l]);
    }
  }

  /// A reset; the registers stay.
  void restart() {
    clear();
    drive();
    reset();
    model.forget_requests();
    idle_check = IdleCheck(Lanes + 1);
    answered = false;
    compare();
  }
  void start() {
    restart();
    check.is_true("idle after a reset", flags.idle.read());
    check.is_true("nothing is answered after a reset", !flags.valid.read());
  }

  // ---- what a request means, in the words of R7 ----
  template <class Lane>
  unsigned lowest(const Lane (&lanes)[Lanes]) const {
    for (unsigned l = 0; l < Lanes; ++l) {
      if (lanes[l].valid != 0) return l;
    }
    return 0;
  }

  Model::Request meant_reads() const {
    Model::Request request;
    for (unsigned l = 0; l < Lanes; ++l) {
      const Read& its = Static ? read[lowest(read)] : read[l];
      const unsigned at = AnyBank ? static_cast<unsigned>(read[l].bank) : l;
      if (read[l].valid != 0 && at < Lanes && its.row_a < Rows && its.row_b < Rows)
        request.push_back({l, at, its.row_a, its.row_b});
    }
    return request;
  }
  Model::Request meant_writes() const {
    Model::Request request;
    for (unsigned l = 0; l < Lanes; ++l) {
      const Write& its = Static ? write[lowest(write)] : write[l];
      const unsigned at = AnyBank ? static_cast<unsigned>(write[l].bank) : l;
      if (write[l].valid != 0 && at < Lanes && its.row < Rows) request.push_back({l, at, its.row, write[l].word});
    }
    return request;
  }

  bool faulty_reads() {
    bool no_bank = false, no_row = false, not_own = false;
    std::set<std::pair<unsigned, unsigned>> rows;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (read[l].valid == 0) continue;
      no_bank = no_bank || read[l].bank >= Lanes;
      no_row = no_row || read[l].row_a >= Rows || read[l].row_b >= Rows;
      not_own = not_own || (!AnyBank && read[l].bank != l);
      rows.insert({read[l].row_a, read[l].row_b});
    }
    const bool differ = Static && rows.size() > 1;
    if (!is_power_of_two(Lanes)) covers.hit("illegal bank to read", no_bank);
    if (!is_power_of_two(Rows)) covers.hit("illegal row to read", no_row && !no_bank && !not_own && !differ);
    if (!AnyBank && Lanes > 1) covers.hit("illegal: another lane's bank", not_own && !no_bank && !no_row && !differ);
    if (Static && Lanes > 1) covers.hit("illegal: rows differ", differ && !no_bank && !no_row && !not_own);
    return no_bank || no_row || not_own || differ;
  }
  bool faulty_writes() {
    bool no_bank = false, no_row = false, not_own = false, twice = false;
    std::set<unsigned> rows;
    std::set<std::pair<unsigned, unsigned>> words;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (write[l].valid == 0) continue;
      no_bank = no_bank || write[l].bank >= Lanes;
      no_row = no_row || write[l].row >= Rows;
      not_own = not_own || (!AnyBank && write[l].bank != l);
      rows.insert(static_cast<unsigned>(write[l].row));
      twice = !words.insert({write[l].bank, write[l].row}).second || twice;
    }
    twice = twice && AnyBank;
    if (!is_power_of_two(Lanes)) covers.hit("illegal bank to write", no_bank);
    if (!is_power_of_two(Rows)) covers.hit("illegal row to write", no_row && !no_bank && !not_own);
    if (AnyBank && Lanes > 1) covers.hit("illegal: two lanes write one word", twice && !no_bank && !no_row);
    return no_bank || no_row || not_own || twice || (Static && rows.size() > 1);
  }

  // ---- one cycle ----
  void turn() {
    drive();
    settle();
    const bool reads_taken = !model.reading(), writes_taken = !model.writing();
    const Model::Request reads = meant_reads(), writes = meant_writes();
    cover(reads, writes, reads_taken, writes_taken);
    if (reads_taken) {
      faults += faulty_reads();
      model.read(reads);
    }
    if (writes_taken) {
      faults += faulty_writes();
      model.write(writes);
    }
    const bool asked = !reads.empty() || !writes.empty();
    idle_check.before(flags.idle.read(), asked, [this] { return view(); });
    answered = model.round();
    edge();
    idle_check.after(check, flags.idle.read(), [this] { return view(); });
    compare();
    written_before.clear();
    for (const Model::Asked& its : writes) {
      if (writes_taken) written_before.insert({its.home, its.first});
    }
    asked_before = reads_taken && !reads.empty();
    clear();
  }

  std::string view() const {
    std::ostringstream text;
    text << flags.valid.read() << flags.read_busy.read() << flags.write_busy.read();
    for (unsigned l = 0; l < Lanes; ++l) text << data[l].read();
    return text.str();
  }

  void compare() {
    check.equal("answer of the block, against the model", flags.valid.read(), answered);
    check.equal("reads that wait, against the model", flags.read_busy.read(), model.reading());
    check.equal("writes that wait, against the model", flags.write_busy.read(), model.writing());
    check.equal("idle of the block, against the model", flags.idle.read(),
                !answered && !model.reading() && !model.writing());
    if (answered) {
      for (const auto& [lane, words] : model.answer()) {
        const Words got = data[lane].read();
        if (words.first) check.equal("first word of a lane, against the model", sc_dt::uint64(got.a), *words.first);
        if (words.second) check.equal("second word of a lane, against the model", sc_dt::uint64(got.b), *words.second);
      }
    }
    if (!sv) return;
    for (unsigned l = 0; l < Lanes; ++l) {
      check.equal("data of the twin, against the block", twin_data[l].read(), data[l].read());
    }
    check.equal("answer of the twin, against the block", twin_flags.valid.read(), flags.valid.read());
    check.equal("read_busy_o of the twin, against the block", twin_flags.read_busy.read(), flags.read_busy.read());
    check.equal("write_busy_o of the twin, against the block", twin_flags.write_busy.read(), flags.write_busy.read());
    check.equal("idle of the twin, against the block", twin_flags.idle.read(), flags.idle.read());
  }

  void cover(const Model::Request& reads, const Model::Request& writes, bool reads_taken, bool writes_taken) {
    if (anything) return;
    const bool read_now = !reads.empty() && reads_taken, write_now = !writes.empty() && writes_taken;
    covers.hit("read", read_now);
    covers.hit("write", write_now);
    covers.hit("all lanes read and write", read_now && write_now && reads.size() == Lanes && writes.size() == Lanes);
    covers.hit("requests in two cycles, one after the other", asked_before && read_now);
    covers.hit("rests with words", flags.idle.read() && reads.empty() && writes.empty() && !model.words().empty());
    std::set<std::pair<unsigned, std::uint64_t>> writing;
    for (const Model::Asked& its : writes) writing.insert({its.home, its.first});
    std::set<unsigned> homes;
    std::set<std::uint64_t> rows;
    for (const Model::Asked& its : reads) {
      covers.hit("word that was written is read", read_now && model.word(its.home, its.first));
      covers.hit("word is read in the cycle of its write",
                 read_now && write_now && writing.count({its.home, its.first}) != 0);
      covers.hit("word is read in the cycle after its write",
                 read_now && written_before.count({its.home, its.second}) != 0);
      if (AnyBank && Lanes > 1) covers.hit("thread of another lane's home", read_now && its.home != its.lane);
      homes.insert(its.home);
      rows.insert(its.first);
    }
    if (Lanes == 1) return;
    covers.hit("some lanes read", read_now && reads.size() < Lanes);
    covers.hit("some lanes write", write_now && writes.size() < Lanes);
    covers.hit("two lanes write in one cycle", write_now && writes.size() > 1);
    if (AnyBank) covers.hit("threads of one home lane read", read_now && homes.size() < reads.size());
    if (!Static && Rows > 1) covers.hit("rows differ", read_now && rows.size() > 1);
    if (!Naive) return;
    covers.hit("two turns to read", read_now && model.rounds(reads) == 2);
    covers.hit("two turns to write", write_now && model.rounds(writes) == 2);
    covers.hit("as many turns as lanes to read", read_now && model.rounds(reads) == Lanes);
    covers.hit("as many turns as lanes to write", write_now && model.rounds(writes) == Lanes);
    covers.hit("request while busy", !reads.empty() && !reads_taken && !writes.empty() && !writes_taken);
    covers.hit("write while reads wait", write_now && !reads_taken);
    covers.hit("words change between the turns of a request", !reads_taken && write_now && model.rounds(writes) == 1);
    covers.hit("next request in the cycle of the answer", read_now && flags.valid.read() && model.rounds(reads) > 1);
  }

  // ---- what the cases ask for ----
  static std::uint64_t value(unsigned of, std::uint64_t row) {
    return (0x5a5a0000 + of * 0x101 + row * 7 + 1) & MostWord;
  }

  void reads_of(unsigned lane, unsigned of, std::uint64_t a, std::uint64_t b) {
    read[lane].valid = 1;
    read[lane].bank = of;
    read[lane].row_a = a;
    read[lane].row_b = b;
  }
  void writes_of(unsigned lane, unsigned of, std::uint64_t row, std::uint64_t word) {
    write[lane].valid = 1;
    write[lane].bank = of;
    write[lane].row = row;
    write[lane].word = word;
  }
  /// All lanes write this row of their own.
  void fill(std::uint64_t row) {
    for (unsigned l = 0; l < Lanes; ++l) writes_of(l, l, row, value(l, row));
    turn();
  }

  /// The request that stands in read[], alone: how many cycles later it is answered.
  unsigned cycles_to_answer() {
    unsigned cycles = 1;
    turn();
    while (!flags.valid.read() && cycles <= 2 * Lanes) {
      turn();
      ++cycles;
    }
    return cycles;
  }
  /// So many cycles until the next request can be taken.
  unsigned cycles_busy() {
    unsigned cycles = 1;
    turn();
    while (flags.read_busy.read() && cycles <= 2 * Lanes) {
      turn();
      ++cycles;
    }
    return cycles;
  }

  void home_lanes() {
    start();
    const std::uint64_t a = 0, b = Rows > 1 ? 1 : 0;
    fill(a);
    fill(b);
    for (unsigned l = 0; l < Lanes; ++l) reads_of(l, l, a, b);
    check.equal("cycles to the answer", cycles_to_answer(), 1U);
    for (unsigned l = 0; l < Lanes; ++l) {
      check.equal("first source", sc_dt::uint64(data[l].read().a), value(l, a));
      check.equal("second source", sc_dt::uint64(data[l].read().b), value(l, b));
    }
    turn();
    check.is_true("no second answer", !flags.valid.read());
  }

  void read_first() {
    start();
    fill(0);
    const unsigned last = Lanes - 1;
    writes_of(last, last, 0, value(last, 9));
    reads_of(last, last, 0, 0);
    turn();
    check.equal("as it was", sc_dt::uint64(data[last].read().a), value(last, 0));
    reads_of(last, last, 0, 0);
    turn();
    check.equal("as it is", sc_dt::uint64(data[last].read().b), value(last, 9));
  }

  void keeps() {
    start();
    fill(0);
    restart();
    check.is_true("idle", flags.idle.read());
    reads_of(0, 0, 0, 0);
    turn();
    check.equal("the register", sc_dt::uint64(data[0].read().a), value(0, 0));
  }

  /// Warp 0 has row 1 in every home lane, warp 1 row 3. Lane 0 carries a thread of warp 0, the last lane one of warp 1.
  void two_threads() {
    start();
    fill(1);
    fill(3);
    const unsigned last = Lanes - 1;
    unsigned cycles = 0;
    reads_of(0, 0, 1, 1);
    if (Static) cycles += cycles_busy();  // one row a cycle
    reads_of(last, last, 3, 3);
    cycles += cycles_busy();
    check.equal("cycles", cycles, Static ? 2U : 1U);
    check.equal("of warp 0", sc_dt::uint64(data[0].read().a), value(0, 1));
    check.equal("of warp 1", sc_dt::uint64(data[last].read().a), value(last, 3));
  }

  /// Two warps of threads 0 to Lanes-1; thread t of warp 0 has row 1 of home lane t, of warp 1 row 3. In both the
  /// threads in even lanes take the branch. What the lanes carry through eight instructions of the taken side:
  /// (a), (b): one full warp of them, in lanes as they come; (c), (d): none of them can meet, two half warps;
  /// (d) with the home lanes of warp 1 swapped in pairs (thread swizzling): one full warp.
  void even_odd() {
    start();
    fill(1);
    fill(3);
    unsigned cycles = 0, swizzled = 0;
    for (unsigned n = 0; n < 8; ++n) {
      if (AnyBank) {
        for (unsigned l = 0; l < Lanes; ++l) {
          const unsigned row = l < Lanes / 2 ? 1 : 3;
          reads_of(l, 2 * l % Lanes, row, row);
        }
        cycles += cycles_busy();
        continue;
      }
      for (const unsigned row : {1U, 3U}) {
        for (unsigned l = 0; l < Lanes; l += 2) reads_of(l, l, row, row);
        cycles += cycles_busy();
      }
      if (Static) continue;
      for (unsigned l = 0; l < Lanes; ++l) reads_of(l, l, l % 2 == 0 ? 1 : 3, l % 2 == 0 ? 1 : 3);
      swizzled += cycles_busy();
    }
    check.equal("cycles of eight instructions", cycles, Access == RegisterAccess::Ideal ? 8U : 16U);
    if (Access == RegisterAccess::LaneAware) check.equal("with thread swizzling", swizzled, 8U);
  }

  void bank_conflict() {
    start();
    for (std::uint64_t row = 0; row < 4; ++row) fill(row);
    const unsigned last = Lanes - 1;
    for (unsigned l = 0; l < Lanes; ++l) reads_of(l, l, 0, 1);
    reads_of(last, 0, 2, 3);  // a second thread of home lane 0
    check.equal("cycles, two of one home", cycles_to_answer(), Naive ? 2U : 1U);
    check.equal("of the first", sc_dt::uint64(data[0].read().a), value(0, 0));
    check.equal("of the second", sc_dt::uint64(data[last].read().a), value(0, 2));
    for (unsigned l = 0; l < Lanes; ++l) reads_of(l, 1, l % 4, (l + 1) % 4);
    check.equal("cycles, all of one home", cycles_to_answer(), Naive ? Lanes : 1U);
    for (unsigned l = 0; l < Lanes; ++l) check.equal("of each", sc_dt::uint64(data[l].read().b), value(1, (l + 1) % 4));
    // and to write
    for (unsigned l = 0; l < std::min(Lanes, Rows); ++l) writes_of(l, 1, l, value(l, 20));
    turn();
    unsigned cycles = 1;
    for (; flags.write_busy.read() && cycles < 2 * Lanes; ++cycles) turn();
    check.equal("cycles to write", cycles, Naive ? std::min(Lanes, Rows) : 1U);
    reads_of(0, 1, 0, 1);
    turn();
    check.equal("first word", sc_dt::uint64(data[0].read().a), value(0, 20));
    check.equal("second word", sc_dt::uint64(data[0].read().b), value(1, 20));
  }

  void turns() {
    start();
    fill(0);
    fill(1);
    reads_of(0, 0, 0, 0);
    reads_of(1, 0, 1, 1);
    writes_of(0, 0, 0, value(0, 30));
    turn();  // lane 0 has its turn, and reads the old word
    check.is_true("lane 1 waits", flags.read_busy.read());
    reads_of(0, 1, 1, 1);  // not taken
    turn();
    check.is_true("answered", flags.valid.read());
    check.equal("lane 0", sc_dt::uint64(data[0].read().a), value(0, 0));
    check.equal("lane 1", sc_dt::uint64(data[1].read().a), value(0, 1));
    reads_of(0, 0, 0, 0);
    reads_of(1, 0, 1, 1);
    turn();
    writes_of(0, 0, 1, value(0, 31));
    turn();  // in the cycle of lane 1's turn
    check.equal("lane 1, the old word", sc_dt::uint64(data[1].read().a), value(0, 1));
    reads_of(0, 0, 0, 0);
    reads_of(1, 0, 1, 1);
    writes_of(0, 0, 1, value(0, 32));
    turn();  // before it
    turn();
    check.equal("lane 1, the new word", sc_dt::uint64(data[1].read().a), value(0, 32));
  }

  void refused() {
    start();
    allow_errors();
    fill(0);
    const auto one = [this](const char* what) {
      const unsigned long before = errors(Illegal);
      turn();
      check.equal(what, errors(Illegal) - before, 1UL);
    };
    const unsigned last = Lanes - 1;
    if (!is_power_of_two(Rows)) {
      reads_of(0, 0, 0, Rows);
      one("a row that does not exist");
      check.is_true("nothing is read", !flags.valid.read());
      writes_of(0, 0, Rows, 1);
      one("a row to write that does not exist");
    }
    if (!is_power_of_two(Lanes)) {
      reads_of(0, Lanes, 0, 0);
      one("a bank that does not exist");
      writes_of(last, Lanes, 0, 1);
      one("a bank to write that does not exist");
    }
    if (Lanes == 1) return;
    if (!AnyBank) {
      reads_of(0, last, 0, 0);
      one("another lane's bank");
      check.equal("it reaches its own", sc_dt::uint64(data[0].read().a), value(0, 0));
      writes_of(last, 0, 0, value(last, 0));
      one("another lane's bank to write");
    }
    if (Static && Rows > 1) {
      fill(1);
      reads_of(0, 0, 0, 1);
      reads_of(last, last, 1, 1);
      one("rows differ");
      check.equal("the lowest lane's count", sc_dt::uint64(data[last].read().a), value(last, 0));
      writes_of(0, 0, 0, value(0, 0));
      writes_of(last, last, 1, value(last, 0));
      one("rows to write differ");
    }
    if (AnyBank) {
      writes_of(0, last, 0, 1);
      writes_of(last, last, 0, 0);
      one("two lanes write one word");
      for (unsigned n = 0; n < Lanes; ++n) turn();
      reads_of(0, last, 0, 0);
      turn();
      check.equal("the higher lane's stays", sc_dt::uint64(data[0].read().a), 0UL);
    }
    for (unsigned n = 0; n < Lanes; ++n) turn();
  }

  // ---- constrained random ----
  unsigned some_row() { return dice.below(4) != 0 ? dice.below(std::min(Rows, 3U)) : dice.below(Rows); }
  unsigned home_of(unsigned lane, const std::vector<unsigned>& order) {
    if (!AnyBank) return lane;
    switch (style) {
      case Style::Own:
        return lane;
      case Style::Order:
        return order[lane];
      case Style::One:
        return home;
      case Style::Two:
        return dice.below(2) == 0 ? home : (home + 1) % Lanes;
      default:
        return dice.below(Lanes);
    }
  }
  bool active(unsigned among) { return style != Style::Rest ? dice.below(8) < among : dice.below(4 * Lanes) == 0; }

  void ask() {
    clear();
    std::vector<unsigned> order(Lanes);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), dice);
    const unsigned read_share = dice.below(4) == 0 ? 8 : dice.below(9),
                   write_share = dice.below(4) == 0 ? 8 : dice.below(9);
    const unsigned row_a = some_row(), row_b = some_row(), row = some_row();
    std::set<std::pair<unsigned, unsigned>> words;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (active(read_share)) {
        reads_of(l, home_of(l, order), Static ? row_a : some_row(), Static ? row_b : some_row());
      }
      if (active(write_share)) {
        const unsigned at = home_of(l, order);
        const unsigned to = Static ? row : style == Style::One ? dice.below(Rows) : some_row();
        if (!AnyBank || words.insert({at, to}).second) writes_of(l, at, to, dice() & MostWord);
      }
    }
    // As many turns as lanes: every lane of one home, to write each a row of its own.
    if (style == Style::One && AnyBank && Rows >= Lanes && dice.below(4) == 0) {
      for (unsigned l = 0; l < Lanes; ++l) writes_of(l, home, (row + l) % Rows, dice() & MostWord);
    }
    if (!anything) return;
    const unsigned lane = dice.below(Lanes);  // one lane asks for something odd
    if (dice.below(4) == 0) read[lane].bank = dice();
    if (dice.below(4) == 0) read[lane].row_a = dice();
    if (dice.below(4) == 0) write[lane].bank = dice();
    if (dice.below(4) == 0) write[lane].row = dice();
    if (Lanes > 1 && dice.below(4) == 0) {
      write[lane].row = write[(lane + 1) % Lanes].row;
      if (AnyBank) write[lane].bank = write[(lane + 1) % Lanes].bank;
    }
  }
};

template <class Point, RegisterAccess Access, class Core>
using OfPoint = RegisterBench<Registers<Point::Lanes, Point::RegisterRows, 32>, Access, Core>;
template <RegisterAccess Access, class Core>
using Odd = RegisterBench<Registers<3, 5, 4>, Access, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::bench_of;
  using bench::built;
  constexpr auto Ideal = RegisterAccess::Ideal, Naive = RegisterAccess::Naive, Static = RegisterAccess::Static,
                 LaneAware = RegisterAccess::LaneAware;
  using point::micro07;
  using point::tiny;
  return bench::run_bench(
      argc, argv, "register_file",
      {{"tiny_naive", bench_of<OfPoint<tiny, Naive, Vregister_file_tiny_naive>, built("tiny_naive")>()},
       {"tiny_ideal", bench_of<OfPoint<tiny, Ideal, Vregister_file_tiny_ideal>, built("tiny_ideal")>()},
       {"tiny_static", bench_of<OfPoint<tiny, Static, Vregister_file_tiny_static>, built("tiny_static")>()},
       {"tiny_aware", bench_of<OfPoint<tiny, LaneAware, Vregister_file_tiny_aware>, built("tiny_aware")>()},
       {"micro07_naive", bench_of<OfPoint<micro07, Naive, Vregister_file_micro07_naive>, built("micro07_naive")>()},
       {"micro07_ideal", bench_of<OfPoint<micro07, Ideal, Vregister_file_micro07_ideal>, built("micro07_ideal")>()},
       {"micro07_static", bench_of<OfPoint<micro07, Static, Vregister_file_micro07_static>, built("micro07_static")>()},
       {"micro07_aware", bench_of<OfPoint<micro07, LaneAware, Vregister_file_micro07_aware>, built("micro07_aware")>()},
       {"odd", bench_of<Odd<Naive, Vregister_file_odd>, built("odd")>()},
       {"odd_ideal", bench_of<Odd<Ideal, Vregister_file_odd_ideal>, built("odd_ideal")>()},
       {"odd_static", bench_of<Odd<Static, Vregister_file_odd_static>, built("odd_static")>()},
       {"odd_aware", bench_of<Odd<LaneAware, Vregister_file_odd_aware>, built("odd_aware")>()},
       {"one_lane", bench_of<RegisterBench<Registers<1, 1, 1>, Naive, Vregister_file_one_lane>, built("one_lane")>()}});
}
