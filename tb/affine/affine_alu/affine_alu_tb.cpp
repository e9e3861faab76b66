// SPDX-License-Identifier: Apache-2.0
// Bench of the affine ALU: block and twin in lockstep, and every result against the operation done thread by thread.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <array>
#include <sstream>

#include "Vaffine_alu_isca17.h"
#include "Vaffine_alu_narrow.h"
#include "Vaffine_alu_odd.h"
#include "Vaffine_alu_tiny.h"
#include "rtl/affine/affine_alu/affine_alu.h"
#include "rtl/config/design_points.h"
#include "tb/affine/affine_alu/affine_alu_model.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::AluModel;
using bench::Bench;
using bench::Case;
using bench::IdleCheck;
using bench::Options;

const char* const Names[] = {"",      "mov",   "neg",   "add",   "sub",   "mul",   "mad",   "shl",
                             "min.s", "max.s", "min.u", "max.u", "rem.s", "rem.u", "select"};
const char* const Outcomes[] = {"one tuple", "not affine", "division", "by zero"};

std::vector<std::string> cover_names() {
  std::vector<std::string> names{"reset with a result",
                                 "no operation",
                                 "no such operation",
                                 "new extents beside an operation",
                                 "constant because there is one index",
                                 "shift by the width or more",
                                 "division: not affine for the sign alone",
                                 "rem.u: itself",
                                 "rem.u: a constant",
                                 "rem.s: itself",
                                 "rem.s: a constant",
                                 "rem.s by a negative",
                                 "min or max: the same tuple twice",
                                 "min or max: ranges touch",
                                 "min or max: of negatives, signed",
                                 "min or max: apart but for a wrap",
                                 "select: of one tuple twice",
                                 "idle, and not asked"};
  for (unsigned op = 1; op < 15; ++op) {
    const std::string name = Names[op];
    names.push_back(name + ": one tuple");
    if (op >= 5) names.push_back(name + ": not affine");
    if (name.substr(0, 3) == "rem") {
      names.push_back(name + ": division");
      names.push_back(name + ": by zero");
    }
  }
  return names;
}

template <class A, class Core>
class AluBench : public Bench {
 public:
  using Dut = affine_alu<A>;
  using Op = typename Dut::Op;
  using Tuple = typename Dut::Tuple;
  using Extents = typename Dut::Extents;
  using Result = typename Dut::Result;
  static constexpr unsigned W = A::WordBits;
  static constexpr std::uint64_t Largest = ~std::uint64_t(0) >> (64 - W);

  explicit AluBench(const Options& options) : Bench(cover_names()) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.op_i(op);
    dut.a_i(a);
    dut.b_i(b);
    dut.c_i(c);
    dut.extents_i(extents);
    dut.result_o(result);
    dut.idle_o(idle);
    if (options.twin) {
      context = std::make_unique<VerilatedContext>();
      twin = std::make_unique<Core>(context.get(), "twin");
    }
  }

  std::vector<Case> cases() override {
    if (W < 32) return {};  // the examples are of 32-bit words
    return {
        {"fig1", "DAC Fig. 1", "(0x100, 4) + (0x200, 0) = (0x300, 4): two additions instead of one a thread",
         [this] { fig1(); }},
        {"fig5", "DAC Fig. 4, Fig. 5", "mul, add, mul, add: addrA = (0x81000, 4), with blockIdx.x * blockDim.x",
         [this] { fig5(); }},
        {"shifts", "DAC sec. 3", "shifts to the width and beyond, and by what is not constant", [this] { shifts(); }},
        {"products", "DAC sec. 3, eq. 3", "an affine operand times a scalar; two affine ones are an error",
         [this] { products(); }},
        {"limits", "DAC sec. 3, ours", "min(tid, 1024) = tid; max at a bound; a wrap; the sign", [this] { limits(); }},
        {"remainders", "DAC sec. 3, ours", "itself, a constant, or an error", [this] { remainders(); }},
        {"selects", "DAC sec. 3, ours", "one operand for all threads, or an error", [this] { selects(); }},
        {"extents", "ours", "before a launch any index is possible; one index makes a constant",
         [this] { launches(); }},
        {"illegal", "ours", "an operation that there is not has no result", [this] { illegal(); }}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    tolerate();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (dice.below(3000) == 0) {
        covers.hit("reset with a result", result.read().valid != 0);
        start();
      }
      Extents news;
      if (dice.below(8) == 0) {
        news.valid = 1;
        news.last_x = some_last();
        news.last_y = some_last();
        news.last_z = some_last();
        news.last_block_x = some_last();
        news.last_block_y = some_last();
        news.last_block_z = some_last();
      }
      const unsigned which = dice.below(40) == 0 ? 0 : dice.below(200) == 0 ? 15 : 1 + dice.below(14);
      Tuple one = some_tuple(false), two = some_tuple(which >= 5 && dice.below(3) != 0);
      if (dice.below(8) == 0) one.base = edge_of(one);
      if (dice.below(8) == 0) two.base = edge_of(two);
      if (const unsigned how = dice.below(12); how < 2) two = how == 0 ? one : aliased(one);
      step(which, one, two, some_tuple(dice.below(2) == 0), news);
      covers.hit("new extents beside an operation", news.valid != 0 && which != 0);
    }
  }

 private:
  sc_core::sc_signal<Op> op{"op"};
  sc_core::sc_signal<Tuple> a{"a"}, b{"b"}, c{"c"};
  sc_core::sc_signal<Extents> extents{"extents"};
  sc_core::sc_signal<Result> result{"result"};
  sc_core::sc_signal<bool> idle{"idle"};
  Dut dut{"dut"};
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<Core> twin;
  AluModel model{W};
  IdleCheck idle_check{1};
  bench::Dice dice;
  unsigned long refused = 0;

  void tolerate() {
    expect_errors("affine_alu/illegal");
    if (context) context->assertOn(false);
  }

  void start() {
    for (unsigned i = 0; i < 2; ++i) cycle(0, Tuple(), Tuple(), Tuple(), Extents(), true);
    model = AluModel(W);
  }

  // ---- one cycle ----

  void cycle(unsigned which, const Tuple& x, const Tuple& y, const Tuple& z, const Extents& news, bool resets) {
    rst_n.write(!resets);
    op.write(which);
    a.write(x);
    b.write(y);
    c.write(z);
    extents.write(news);
    settle();
    if (twin) {
      twin->clk_i = 0;
      twin->rst_ni = !resets;
      twin->op_i = static_cast<unsigned char>(which);
      bench::to_port(x, twin->a_i);
      bench::to_port(y, twin->b_i);
      bench::to_port(z, twin->c_i);
      bench::to_port(news, twin->extents_i);
      twin->eval();
      twin->clk_i = 1;
      twin->eval();
    }
    const auto view = [this] {
      std::ostringstream text;
      text << result.read();
      return text.str();
    };
    idle_check.before(idle.read(), resets || which != 0 || news.valid != 0, view);
    covers.hit("idle, and not asked", idle.read() && which == 0 && news.valid == 0);
    edge();
    idle_check.after(check, idle.read(), view);
    if (twin) {
      check.equal("idle_o of the twin, against the block", twin->idle_o != 0, idle.read());
      check.equal("result_o of the twin, against the block", bench::from_port<Result>(twin->result_o), result.read());
    }
    if (resets) check.equal("result_o after reset", result.read(), Result());
    if (resets) check.is_true("idle after reset", idle.read());
  }

  void step(unsigned which, const Tuple& x, const Tuple& y = Tuple(), const Tuple& z = Tuple(),
            const Extents& news = Extents()) {
    cycle(which, x, y, z, news, false);
    verify(which, of(x), of(y), of(z));
    if (news.valid != 0) {
      model.last = {news.last_x, news.last_y, news.last_z, news.last_block_x, news.last_block_y, news.last_block_z};
    }
  }

  template <class Record>
  static AluModel::Tuple of(const Record& r) {
    return {r.base, {r.offset_x, r.offset_y, r.offset_z, r.block_x, r.block_y, r.block_z}};
  }

  void verify(unsigned which, const AluModel::Tuple& x, const AluModel::Tuple& y, const AluModel::Tuple& z) {
    const Result got = result.read();
    if (which == 0 || which > 14) {
      refused += which > 14;
      covers.hit(which == 0 ? "no operation" : "no such operation");
      check.equal("no result", got, Result());
      check.equal("operations refused by name", errors("affine_alu/illegal"), refused);
      return;
    }
    const std::string name = Names[which];
    const AluModel::Outcome expected = model.outcome(name, x, y, z);
    check.is_true("a result", got.valid != 0);
    check.equal("whether there is a tuple, and why not", got.error.to_uint(), unsigned(expected));
    covers.hit(name + ": " + Outcomes[expected]);
    note(name, expected, x, y, got);
    if (got.error != 0) {
      Result none;
      none.valid = 1;
      none.error = got.error;
      check.equal("no tuple beside an error", got, none);
      return;
    }
    for (unsigned t = 0; t < 24; ++t) {
      AluModel::Index index{};
      for (unsigned d = 0; d < 6; ++d) {
        const std::uint64_t last = model.last[d];
        index[d] = t < 7 ? (t == d + 1 ? last : 0) : t < 14 ? (t == d + 8 && last != 0) : t == 14 ? last : pick(last);
      }
      check.equal("value in a thread", model.value(of(got), index),
                  model.per_thread(name, model.value(x, index), model.value(y, index), model.value(z, index)));
    }
  }

  std::uint64_t pick(std::uint64_t last) { return last == ~std::uint64_t(0) ? dice() : dice() % (last + 1); }

  void note(const std::string& name, AluModel::Outcome expected, const AluModel::Tuple& x, const AluModel::Tuple& y,
            const Result& got) {
    const bool is_signed = name.back() == 's', fine = expected == AluModel::Fine;
    const auto xs = model.corners(x, is_signed), ys = model.corners(y, is_signed);
    const auto moves = [](const AluModel::Tuple& tuple) {
      return std::any_of(tuple.offset.begin(), tuple.offset.end(), [](auto o) { return o != 0; });
    };
    covers.hit("shift by the width or more", name == "shl" && fine && y.base >= W);
    covers.hit("constant because there is one index", name == "mul" && fine && moves(x) && moves(y));
    if (name.substr(0, 3) == "rem" && fine) {
      covers.hit(name + (of(got).base == x.base ? ": itself" : ": a constant"));
      covers.hit("rem.s by a negative", is_signed && ys[0] < 0);
    }
    covers.hit("division: not affine for the sign alone",
               name == "rem.s" && expected == AluModel::Division && xs[0] < 0);
    if (name[0] == 'm' && name[3] == '.') {
      using M = AluModel;
      const bool touch = M::largest(xs) == M::smallest(ys) || M::largest(ys) == M::smallest(xs);
      const bool apart = M::largest(xs) <= M::smallest(ys) || M::largest(ys) <= M::smallest(xs);
      covers.hit("min or max: the same tuple twice", xs == ys && !M::constant(xs));
      covers.hit("min or max: ranges touch", fine && touch && !M::constant(xs));
      covers.hit("min or max: of negatives, signed", fine && is_signed && M::largest(xs) < 0 && M::largest(ys) < 0);
      covers.hit("min or max: apart but for a wrap", !fine && apart);
    }
    covers.hit("select: of one tuple twice", name == "select" && fine && xs == ys && !AluModel::constant(xs));
  }

  // ---- constrained random ----

  std::uint64_t some_word() {
    const unsigned how = dice.below(12);
    std::uint64_t word = how < 2   ? dice.below(17)
                         : how < 4 ? std::uint64_t(1) << dice.below(W)
                         : how < 5 ? (std::uint64_t(1) << (W - 1)) - dice.below(5)
                         : how < 6 ? (std::uint64_t(1) << dice.below(W)) - 1
                         : how < 8 ? dice() >> dice.below(64)
                                   : 0;
    if (dice.below(4) == 0) word = 0 - word;
    return word & Largest;
  }

  std::uint64_t some_last() {
    const unsigned how = dice.below(8);
    return (how < 3   ? 0
            : how < 6 ? dice.below(8)
            : how < 7 ? (1U << dice.below(11)) - 1
                      : dice() >> dice.below(64)) &
           Largest;
  }

  /// Near a constant: offsets are few and small.
  Tuple some_tuple(bool constant) {
    Tuple tuple;
    tuple.base = some_word();
    const unsigned many = constant ? 0 : dice.below(3);
    const auto offset = [&] {
      return dice.below(6) < 2 * many ? (dice.below(2) == 0 ? dice.below(5) : some_word()) : 0;
    };
    tuple.offset_x = offset();
    tuple.offset_y = offset();
    tuple.offset_z = offset();
    tuple.block_x = offset();
    tuple.block_y = offset();
    tuple.block_z = offset();
    return tuple;
  }

  /// With one bit of one word changed, so that each bit is compared.
  Tuple aliased(Tuple tuple) {
    constexpr std::array Words{&Tuple::base,    &Tuple::offset_x, &Tuple::offset_y, &Tuple::offset_z,
                               &Tuple::block_x, &Tuple::block_y,  &Tuple::block_z};
    auto& word = tuple.*Words[dice.below(Words.size())];
    word = std::uint64_t(word) ^ std::uint64_t(1) << dice.below(W);
    return tuple;
  }
  /// A base with which the smallest or the largest value of the tuple is just in range, or one out of it: unsigned, or
  /// signed.
  std::uint64_t edge_of(const Tuple& tuple) {
    const AluModel::Tuple words = of(tuple);
    std::uint64_t down = 0, up = 0;
    for (unsigned d = 0; d < 6; ++d) {
      const std::uint64_t offset = words.offset[d];
      const bool falls = (offset >> (W - 1) & 1) != 0;
      (falls ? down : up) += (falls ? (0 - offset) & Largest : offset) * model.last[d];
    }
    const std::uint64_t edge = dice.below(2) == 0 ? down - dice.below(2) : Largest - up + dice.below(2);
    return (dice.below(2) == 0 ? edge : edge ^ std::uint64_t(1) << (W - 1)) & Largest;
  }

  // ---- worked examples ----
  static constexpr unsigned Mov = 1, Neg = 2, Add = 3, Sub = 4, Mul = 5, Mad = 6, Shl = 7, MinS = 8, MaxS = 9,
                            MinU = 10, MaxU = 11, RemS = 12, RemU = 13, Select = 14;

  /// (base, offset) of the paper: a base and what each further thread adds; ours: and what each further block adds.
  static Tuple tuple(std::uint64_t base, std::uint64_t offset = 0, std::uint64_t block = 0) {
    Tuple t;
    t.base = base & Largest;
    t.offset_x = offset & Largest;
    t.block_x = block & Largest;
    return t;
  }

  void launch(unsigned threads, unsigned blocks) {
    Extents news;
    news.valid = 1;
    news.last_x = threads - 1;
    news.last_block_x = blocks - 1;
    step(0, Tuple(), Tuple(), Tuple(), news);
  }

  Tuple run(unsigned which, const Tuple& x, const Tuple& y = Tuple(), const Tuple& z = Tuple()) {
    step(which, x, y, z);
    const Result got = result.read();
    check.equal("no error", got.error.to_uint(), 0U);
    Tuple t;
    t.base = got.base;
    t.offset_x = got.offset_x;
    t.offset_y = got.offset_y;
    t.offset_z = got.offset_z;
    t.block_x = got.block_x;
    t.block_y = got.block_y;
    t.block_z = got.block_z;
    return t;
  }
  void expect(const char* what, const Tuple& got, const Tuple& expected) { check.equal(what, got, expected); }
  void expect_error(const char* what, AluModel::Outcome expected, unsigned which, const Tuple& x, const Tuple& y,
                    const Tuple& z = Tuple()) {
    step(which, x, y, z);
    check.equal(what, result.read().error.to_uint(), unsigned(expected));
  }

  void fig1() {
    start();
    launch(256, 16);
    expect("C = A + B", run(Add, tuple(0x100, 4), tuple(0x200, 0)), tuple(0x300, 4));
    expect("and back", run(Sub, tuple(0x300, 4), tuple(0x100, 4)), tuple(0x200, 0));
    expect("minus C", run(Neg, tuple(0x300, 4)), tuple(0 - 0x300UL, 0 - 4UL));
  }

  /// Line 1 to 5 of Fig. 4 and line 12 and 13. blockDim.x = 256, A[] = 0x80000 and num = 0x400 are ours: with them the
  /// address of the second iteration is the (0x81000, 4) of Fig. 5.
  void fig5() {
    start();
    launch(256, 16);
    const Tuple thread = tuple(0, 1), block = tuple(0, 0, 1);
    const Tuple r0 = run(Mul, block, tuple(256));
    expect("r0 = blockIdx.x * blockDim.x", r0, tuple(0, 0, 256));
    const Tuple tid = run(Add, thread, r0);
    expect("tid", tid, tuple(0, 1, 256));
    const Tuple r1 = run(Mul, tid, tuple(4));
    expect("r1 = tid * 4", r1, tuple(0, 4, 1024));
    const Tuple address = run(Add, tuple(0x80000), r1);
    expect("addrA", address, tuple(0x80000, 4, 1024));
    const Tuple r3 = run(Mul, tuple(0x400), tuple(4));
    expect("r3 = num * 4", r3, tuple(0x1000));
    expect("addrA of the next iteration", run(Add, r3, address), tuple(0x81000, 4, 1024));
    expect("the same in one", run(Mad, tid, tuple(4), tuple(0x81000)), tuple(0x81000, 4, 1024));
  }

  void shifts() {
    start();
    launch(256, 16);
    expect("by 2", run(Shl, tuple(3, 1, 256), tuple(2)), tuple(12, 4, 1024));
    expect("by 0", run(Shl, tuple(3, 1), tuple(0)), tuple(3, 1));
    expect("by the width less one", run(Shl, tuple(3, 2), tuple(W - 1)), tuple(std::uint64_t(1) << (W - 1)));
    expect("by the width", run(Shl, tuple(3, 1), tuple(W)), tuple(0));
    expect("by more than it, as PTX has it", run(Shl, tuple(3, 1), tuple(Largest)), tuple(0));
    expect_error("by what differs a thread", AluModel::NotAffine, Shl, tuple(1), tuple(0, 1));
    expect_error("by what differs a block", AluModel::NotAffine, Shl, tuple(1), tuple(0, 0, 1));
  }

  void products() {
    start();
    launch(256, 16);
    expect("affine times scalar", run(Mul, tuple(10, 3, 7), tuple(5)), tuple(50, 15, 35));
    expect("scalar times affine", run(Mul, tuple(5), tuple(10, 3, 7)), tuple(50, 15, 35));
    expect("times -1", run(Mul, tuple(10, 3), tuple(Largest)), tuple(0 - 10UL, 0 - 3UL));
    expect("multiply and add", run(Mad, tuple(5), tuple(10, 3), tuple(1, 1, 1)), tuple(51, 16, 1));
    expect_error("affine times affine", AluModel::NotAffine, Mul, tuple(10, 3), tuple(5, 1));
    expect_error("threads times blocks", AluModel::NotAffine, Mul, tuple(0, 1), tuple(0, 0, 1));
    expect_error("the same, and add", AluModel::NotAffine, Mad, tuple(0, 1), tuple(0, 0, 1), tuple(1));
  }

  void limits() {
    start();
    launch(256, 4);
    const Tuple tid = tuple(0, 1, 256);  // 0 .. 1023
    expect("min(tid, 1024) = tid", run(MinU, tid, tuple(1024)), tid);
    expect("signed too", run(MinS, tid, tuple(1024)), tid);
    expect("min(tid, 1023) = tid: they touch", run(MinU, tuple(1023), tid), tid);
    expect_error("min(tid, 1022)", AluModel::NotAffine, MinU, tid, tuple(1022));
    expect("max(tid, 1023) = 1023", run(MaxU, tid, tuple(1023)), tuple(1023));
    expect("max(tid - 1, -1) = tid - 1, signed", run(MaxS, tuple(Largest, 1, 256), tuple(Largest)),
           tuple(Largest, 1, 256));
    expect_error("unsigned, tid - 1 wraps", AluModel::NotAffine, MaxU, tuple(Largest, 1, 256), tuple(5));
    expect("max(-tid, 0) = 0, signed", run(MaxS, tuple(0, 0 - 1UL, 0 - 256UL), tuple(0)), tuple(0));
    expect_error("the products of index and offset may wrap", AluModel::NotAffine, MinU,
                 tuple(0, std::uint64_t(1) << (W - 2)), tuple(Largest));
    expect("constants", run(MinS, tuple(3), tuple(Largest)), tuple(Largest));
    expect("constants, unsigned", run(MinU, tuple(3), tuple(Largest)), tuple(3));
    expect("of a tuple with itself", run(MaxU, tuple(Largest, 1), tuple(Largest, 1)), tuple(Largest, 1));
  }

  void remainders() {
    start();
    launch(256, 4);
    const Tuple tid = tuple(0, 1, 256);
    expect("tid % 1024 = tid", run(RemU, tid, tuple(1024)), tid);
    expect("tid % 1025 = tid, signed", run(RemS, tid, tuple(1025)), tid);
    expect_error("tid % 1023", AluModel::NotAffine, RemU, tid, tuple(1023));
    expect_error("tid % 512", AluModel::NotAffine, RemU, tid, tuple(512));
    expect("(8 tid + 5) % 8 = 5", run(RemU, tuple(5, 8, 2048), tuple(8)), tuple(5));
    expect("unsigned wrap does no harm", run(RemU, tuple(5, Largest - 7), tuple(8)), tuple(5));
    expect_error("signed it would", AluModel::NotAffine, RemS, tuple(5, Largest - 7), tuple(8));
    expect("by -8, signed", run(RemS, tuple(5, 8), tuple(0 - 8UL)), tuple(5));
    expect("13 % 8, both constant", run(RemU, tuple(13), tuple(8)), tuple(5));
    expect_error("13 % 7: the lanes divide", AluModel::Division, RemU, tuple(13), tuple(7));
    expect_error("-13 % 8", AluModel::Division, RemS, tuple(0 - 13UL), tuple(8));
    expect_error("by zero", AluModel::ByZero, RemU, tid, tuple(0));
    expect_error("of a scalar by tid", AluModel::NotAffine, RemU, tuple(7), tid);
  }

  void selects() {
    start();
    launch(256, 4);
    const Tuple one = tuple(1, 2, 3), two = tuple(4, 5, 6);
    expect("true", run(Select, one, two, tuple(7)), one);
    expect("false", run(Select, one, two, tuple(0)), two);
    expect("true in every thread", run(Select, one, two, tuple(1, 1)), one);
    expect("of one tuple twice", run(Select, one, one, tuple(0, 1)), one);
    expect_error("false in thread 0", AluModel::NotAffine, Select, one, two, tuple(0, 1));
    expect_error("may be 0 after a wrap", AluModel::NotAffine, Select, one, two, tuple(Largest, 1));
  }

  void launches() {
    start();
    expect_error("before a launch", AluModel::NotAffine, MinU, tuple(0, 1), tuple(1024));
    launch(1, 1);
    expect("one thread: a product", run(Mul, tuple(3, 9), tuple(5, 9)), tuple(15, 45));
    expect("one thread: the minimum", run(MinU, tuple(3, 9), tuple(5, 9)), tuple(3, 9));
    Extents news;
    news.valid = 1;
    news.last_x = 31;
    step(MinU, tuple(0, 1), tuple(16), Tuple(), news);
    check.equal("new extents hold from the next cycle on", result.read().error.to_uint(), 0U);
    expect_error("now there are 32", AluModel::NotAffine, MinU, tuple(0, 1), tuple(16));
  }

  void illegal() {
    start();
    tolerate();
    const unsigned long before = errors("affine_alu/illegal");
    step(15, tuple(1), tuple(2));
    check.equal("refused by name", errors("affine_alu/illegal"), before + 1);
    step(Mov, tuple(3, 4));
  }
};

template <class Point>
using Of = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;

template <class A, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<AluBench<A, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  return bench::run_bench(argc, argv, "affine_alu",
                          {{"tiny", at<Of<point::tiny>, Vaffine_alu_tiny, built("tiny")>()},
                           {"isca17", at<Of<point::isca17>, Vaffine_alu_isca17, built("isca17")>()},
                           {"narrow", at<Affine<1, 2, 1, 5>, Vaffine_alu_narrow, built("narrow")>()},
                           {"odd", at<Affine<3, 4, 3, 17>, Vaffine_alu_odd, built("odd")>()}});
}
