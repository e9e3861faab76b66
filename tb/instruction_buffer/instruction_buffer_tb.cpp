// SPDX-License-Identifier: Apache-2.0
// Bench of the instruction buffers: the SystemC block and its Verilated twin in lockstep, and both against a plain
// model. The bench plays fetch, scheduler and control flow unit; in the last part of a random run they ask for anything
// at all.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <deque>

#include "Vinstruction_buffer_cgo20_paths1.h"
#include "Vinstruction_buffer_cgo20_paths2.h"
#include "Vinstruction_buffer_hpca13_paths1.h"
#include "Vinstruction_buffer_hpca13_paths2.h"
#include "Vinstruction_buffer_odd.h"
#include "Vinstruction_buffer_one.h"
#include "Vinstruction_buffer_tiny_paths1.h"
#include "Vinstruction_buffer_tiny_paths2.h"
#include "Vinstruction_buffer_widest.h"
#include "rtl/config/design_points.h"
#include "rtl/instruction_buffer/instruction_buffer.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;

constexpr const char* Illegal = "instruction_buffer/illegal";

/// What the buffers mean: instructions in a row for each path. Knows no clock.
class Model {
 public:
  using Words = std::deque<std::uint64_t>;

  Model(unsigned warps, unsigned paths, unsigned depth) : paths_(paths), depth_(depth), rows_(warps * paths) {}

  bool exists(unsigned warp, unsigned side) const { return side < paths_ && warp * paths_ < rows_.size(); }
  const Words& row(unsigned warp, unsigned side) const { return rows_.at(warp * paths_ + side); }
  std::size_t length(unsigned warp, unsigned side) const { return exists(warp, side) ? row(warp, side).size() : 0; }
  std::size_t room(unsigned warp, unsigned side) const { return depth_ - length(warp, side); }

  void flush(unsigned warp, unsigned side) { rows_.at(warp * paths_ + side).clear(); }
  void pop(unsigned warp, unsigned side) { rows_.at(warp * paths_ + side).pop_front(); }
  void push(unsigned warp, unsigned side, std::uint64_t word) { rows_.at(warp * paths_ + side).push_back(word); }

  /// How many paths hold nothing, and how many can take nothing.
  std::pair<unsigned, unsigned> empty_and_full() const {
    unsigned empty = 0, full = 0;
    for (const Words& row : rows_) empty += row.empty(), full += row.size() == depth_;
    return {empty, full};
  }

 private:
  unsigned paths_, depth_;
  std::vector<Words> rows_;
};

/// The Verilated twin behind the ports of the block.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename Dut::Push> push_i{"push_i"};
  sc_core::sc_vector<sc_core::sc_in<typename Dut::Word>> word_i;
  sc_core::sc_in<typename Dut::Grant> pop_i{"pop_i"};
  sc_core::sc_in<typename Dut::Slots> flush_i{"flush_i"};
  sc_core::sc_vector<sc_core::sc_out<typename Dut::Head>> head_left_o{"head_left_o", Dut::Warps},
      head_right_o{"head_right_o", Dut::Warps};
  sc_core::sc_out<typename Dut::Slots> buffered_o{"buffered_o"};
  VerilatedContext context;
  Core core{&context};

  SC_HAS_PROCESS(twin);
  twin(const sc_core::sc_module_name& name, unsigned width) : sc_module(name), word_i("word_i", width) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << push_i << pop_i << flush_i;
    for (auto& word : word_i) sensitive << word;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::to_port(push_i.read(), core.push_i);
    bench::array_to_port<typename Dut::Word>(word_i, core.word_i);
    bench::to_port(pop_i.read(), core.pop_i);
    bench::to_port(flush_i.read(), core.flush_i);
    core.eval();
    bench::array_from_port<typename Dut::Head>(core.head_left_o, head_left_o);
    bench::array_from_port<typename Dut::Head>(core.head_right_o, head_right_o);
    buffered_o.write(bench::from_port<typename Dut::Slots>(core.buffered_o));
  }
};

/// A field that counts so many things can name one more.
constexpr bool beyond(unsigned things) {
  return things == 1 || (things & (things - 1)) != 0;
}

std::vector<std::string> cover_names(unsigned warps, unsigned paths, unsigned depth, unsigned width) {
  std::vector<std::string> names{"push into an empty slot",
                                 "push that fills the slot",
                                 "pop of the last word",
                                 "full slot popped and pushed in one edge",
                                 "last word popped and the next ones pushed in one edge",
                                 "flush of words",
                                 "flush of an empty slot",
                                 "flushed and pushed in one edge",
                                 "every slot full",
                                 "every slot empty",
                                 "nothing is asked while words are held",
                                 "reset with words",
                                 "illegal pop of an empty slot",
                                 "illegal pop of a slot that is flushed",
                                 "illegal push of more words than fit",
                                 "illegal pop, legal push",
                                 "legal pop, illegal push"};
  if (width > 1) names.push_back("push of fewer words than could be");
  if (depth > 1) names.insert(names.end(), {"push behind a word", "pop of a word with another behind it"});
  if (warps * paths > 1) names.push_back("push to one slot and pop of another");
  if (warps * paths > 2) names.push_back("flush, pop and push of three slots");
  if (paths == 2) {
    names.insert(names.end(), {"both paths of a warp hold words", "one path flushed, the other one popped",
                               "one path popped, the other one pushed"});
  } else {
    names.insert(names.end(), {"illegal right path", "flush of right paths"});
  }
  if (beyond(warps)) names.push_back("illegal warp");
  if (beyond(width + 1)) names.push_back("illegal push of more words than there are");
  return names;
}

template <class Flow, unsigned Paths, unsigned Depth, unsigned Width, unsigned WordBits, class Core>
class BufferBench : public Bench {
 public:
  using Dut = instruction_buffer<Flow, Paths, Depth, Width, WordBits>;
  using Push = typename Dut::Push;
  using Grant = typename Dut::Grant;
  using Slots = typename Dut::Slots;
  using Head = typename Dut::Head;
  using Word = typename Dut::Word;
  static constexpr unsigned Warps = Dut::Warps, Count = Warps * Paths;
  static constexpr std::uint64_t All = ~std::uint64_t(0) >> (64 - Warps);
  static constexpr std::uint64_t AnyWord = ~std::uint64_t(0) >> (64 - WordBits);

  explicit BufferBench(const Options& options) : Bench(cover_names(Warps, Paths, Depth, Width)) {
    connect(dut, out);
    shows("head_left_o", out.left);
    shows("head_right_o", out.right);
    shows("buffered_o", out.buffered);
    if (options.twin) {
      twin_out = std::make_unique<Outputs>("twin_");
      sv = std::make_unique<twin<Dut, Core>>("sv", Width);
      connect(*sv, *twin_out);
    }
  }

  std::vector<Case> cases() override {
    std::vector<Case> all{
        {"in_order", "ours", "words leave in the order in which they came, also while others come",
         [this] { in_order(); }},
        {"redirected", "DESIGN 5, ours", "a new PC empties the slot; what comes in that edge is of the new PC",
         [this] { redirected(); }},
        {"full", "ours", "a full slot takes in an edge as many words as leave it", [this] { full(); }},
        {"refused", "ours", "an illegal pop or push is a named error and has no effect", [this] { refused(); }}};
    if (Paths == 2) {
      all.push_back({"both_paths", "DPE sec. 3.3, 6.5",
                     "decoded instructions of both paths of a warp, each in its order", [this] { both_paths(); }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) allow_errors();  // R5: from here on anything
      if (dice.below(3000) == 0) {
        covers.hit("reset with words", model.empty_and_full().first != Count);
        start();
      }
      if (style_left == 0) {
        style = static_cast<Style>(dice.below(4));
        style_left = 50 + dice.below(4 * Count * Depth + 100);
        home = dice.below(Count);
      }
      --style_left;
      blank();
      if (dice.below(16) != 0) ask();
      if (anything && dice.below(4) == 0) spoil();
      turn();
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  /// Fill: hardly any pops. Drain: hardly any pushes. Home: a slot or two alone.
  enum class Style { Mixed, Fill, Drain, Home };

  struct Outputs {
    explicit Outputs(const std::string& prefix)
        : left((prefix + "head_left").c_str(), Warps),
          right((prefix + "head_right").c_str(), Warps),
          buffered((prefix + "buffered").c_str()) {}
    sc_core::sc_vector<sc_core::sc_signal<Head>> left, right;
    sc_core::sc_signal<Slots> buffered;
  };

  sc_core::sc_signal<Push> push_s{"push"};
  sc_core::sc_vector<sc_core::sc_signal<Word>> word_s{"word", Width};
  sc_core::sc_signal<Grant> pop_s{"pop"};
  sc_core::sc_signal<Slots> flush_s{"flush"};
  Outputs out{""};
  std::unique_ptr<Outputs> twin_out;
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  Model model{Warps, Paths, Depth};
  bench::Dice dice;
  Style style = Style::Mixed;
  unsigned style_left = 0, home = 0;
  bool anything = false;
  unsigned long faults = 0;

  // The requests of a cycle
  Push push;
  Word word[Width];
  Grant pop;
  Slots flush;

  template <class Block>
  void connect(Block& block, Outputs& its) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.push_i(push_s);
    block.pop_i(pop_s);
    block.flush_i(flush_s);
    for (unsigned k = 0; k < Width; ++k) block.word_i[k](word_s[k]);
    for (unsigned w = 0; w < Warps; ++w) {
      block.head_left_o[w](its.left[w]);
      block.head_right_o[w](its.right[w]);
    }
    block.buffered_o(its.buffered);
  }

  void tolerate() override { allow_errors(); }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    push = edge.get<Push>("push_i");
    for (unsigned k = 0; k < Width; ++k) word[k] = edge.get<Word>("word_i", k);
    pop = edge.get<Grant>("pop_i");
    flush = edge.get<Slots>("flush_i");
    turn();
    check.equal("named errors", errors(Illegal), faults);
  }

  void start() {
    blank();
    write();
    reset();
    model = Model(Warps, Paths, Depth);
    compare();
  }

  void allow_errors() {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
    anything = true;
  }

  // ---- what is asked ----
  void blank() {
    push = Push();
    pop = Grant();
    flush = Slots();
    for (unsigned k = 0; k < Width; ++k) word[k] = 0;
  }
  void pushes(unsigned warp, unsigned side, std::initializer_list<std::uint64_t> words) {
    push.count = words.size();
    push.warp = warp;
    push.right = side;
    unsigned k = 0;
    for (const std::uint64_t one : words) word[k++] = one & AnyWord;
  }
  void pops(unsigned warp, unsigned side) {
    pop.valid = 1;
    pop.warp = warp;
    pop.right = side;
  }
  void flushes(unsigned warp, unsigned side) { (side != 0 ? flush.right : flush.left) |= std::uint64_t(1) << warp; }
  bool is_flushed(unsigned warp, unsigned side) const {
    return ((side != 0 ? flush.right : flush.left) >> warp & 1) != 0;
  }

  /// A slot that this cycle may use: of those that are wanted now, the first that serves at or after a random one.
  template <class Serves>
  unsigned some_slot(Serves&& serves) {
    const unsigned first = style == Style::Home ? (home + dice.below(2)) % Count : dice.below(Count);
    for (unsigned n = 0; n < (style == Style::Home ? 1 : Count); ++n) {
      const unsigned slot = (first + n) % Count;
      if (serves(slot / Paths, slot % Paths)) return slot;
    }
    return Count;
  }

  /// Legal requests.
  void ask() {
    if (dice.below(style == Style::Fill ? 60 : 6) == 0) {
      const unsigned slot = some_slot([](unsigned, unsigned) { return true; });
      flushes(slot / Paths, slot % Paths);
      if (dice.below(8) == 0) flush.left = flush.left | (dice() & dice() & All);
      if (Paths == 1 || dice.below(8) == 0) flush.right = flush.right | (dice() & dice() & All);
    }
    if (dice.below(style == Style::Fill ? 8 : 2) == 0) {
      const unsigned slot =
          some_slot([&](unsigned w, unsigned s) { return !is_flushed(w, s) && model.length(w, s) != 0; });
      if (slot != Count) pops(slot / Paths, slot % Paths);
    }
    if (dice.below(style == Style::Drain ? 8 : style == Style::Fill ? 1 : 2) == 0) {
      const auto room = [&](unsigned w, unsigned s) {
        return is_flushed(w, s) ? Depth : model.room(w, s) + (is_popped(w, s) ? 1 : 0);
      };
      const unsigned slot = some_slot([&](unsigned w, unsigned s) { return room(w, s) != 0; });
      if (slot != Count) {
        push.warp = slot / Paths;
        push.right = slot % Paths;
        push.count = 1 + dice.below(std::min<unsigned>(Width, static_cast<unsigned>(room(slot / Paths, slot % Paths))));
        for (unsigned k = 0; k < Width; ++k) word[k] = dice() & AnyWord;  // also those that do not count
      }
    }
  }

  /// Makes of it any request, legal or not.
  void spoil() {
    switch (dice.below(5)) {
      case 0:
        pops(dice.below(1U << Flow::WarpBits), dice.below(2));
        break;
      case 1:
        if (pop.valid != 0) flushes(pop.warp % Warps, pop.right);
        break;
      case 2:
        push.count = dice.below(1U << bits_of<decltype(push.count)>);
        break;
      case 3:
        push.warp = dice.below(1U << Flow::WarpBits);
        push.right = dice.below(2);
        if (push.count == 0) push.count = 1;
        break;
      default:
        push.count = Width;
        break;
    }
  }

  bool is_popped(unsigned warp, unsigned side) const { return pop.valid != 0 && pop.warp == warp && pop.right == side; }

  // ---- one cycle ----
  void write() {
    push_s.write(push);
    pop_s.write(pop);
    flush_s.write(flush);
    for (unsigned k = 0; k < Width; ++k) word_s[k].write(word[k]);
  }

  void turn() {
    write();
    settle();
    cover();
    for (unsigned slot = 0; slot < Count; ++slot) {
      if (is_flushed(slot / Paths, slot % Paths)) model.flush(slot / Paths, slot % Paths);
    }
    if (pop.valid != 0) {
      const bool may = model.length(pop.warp, pop.right) != 0;
      if (may) model.pop(pop.warp, pop.right);
      faults += !may;
    }
    if (push.count != 0) {
      const bool may = may_push();
      for (unsigned k = 0; may && k < push.count; ++k) model.push(push.warp, push.right, word[k]);
      faults += !may;
    }
    edge();
    compare();
  }

  bool may_push() const {
    return model.exists(push.warp, push.right) && push.count <= Width &&
           push.count <= model.room(push.warp, push.right);
  }

  void compare() {
    Slots buffered;
    for (unsigned w = 0; w < Warps; ++w) {
      for (unsigned side = 0; side < 2; ++side) {
        Head head;
        if (const std::size_t length = model.length(w, side); length != 0) {
          head.count = length;
          head.word = model.row(w, side).front();
          (side != 0 ? buffered.right : buffered.left) |= std::uint64_t(1) << w;
        }
        check.equal("head of the block, against the model", (side != 0 ? out.right : out.left)[w].read(), head);
        if (sv) {
          check.equal("head of the twin, against the block", (side != 0 ? twin_out->right : twin_out->left)[w].read(),
                      (side != 0 ? out.right : out.left)[w].read());
        }
      }
    }
    check.equal("slots that hold words, against the model", out.buffered.read(), buffered);
    if (sv) check.equal("slots of the twin, against the block", twin_out->buffered.read(), out.buffered.read());
  }

  /// Before the edge, and before the model has taken it.
  void cover() {
    const unsigned pw = pop.warp, ps = pop.right, uw = push.warp, us = push.right;
    const bool popping = pop.valid != 0, pushing = push.count != 0, pop_there = model.exists(pw, ps);
    const bool pop_flushed = popping && pop_there && is_flushed(pw, ps);
    const std::size_t before = model.length(pw, ps), held = pop_flushed ? 0 : before;
    const bool may_pop = popping && held != 0;
    const bool push_there = model.exists(uw, us), push_flushed = pushing && push_there && is_flushed(uw, us);
    const bool same = may_pop && pushing && pw == uw && ps == us;
    const std::size_t kept = push_flushed ? 0 : model.length(uw, us) - (same ? 1 : 0);
    const bool may_push = pushing && push_there && push.count <= Width && kept + push.count <= Depth;
    const auto [empty, full] = model.empty_and_full();
    covers.hit("every slot empty", empty == Count);
    covers.hit("every slot full", full == Count);
    covers.hit("nothing is asked while words are held",
               empty != Count && !popping && !pushing && flush.left == 0 && flush.right == 0);
    bool flushes_others = false;
    for (unsigned slot = 0; slot < Count; ++slot) {
      const unsigned w = slot / Paths, s = slot % Paths;
      if (!is_flushed(w, s)) continue;
      covers.hit(model.length(w, s) != 0 ? "flush of words" : "flush of an empty slot");
      flushes_others = flushes_others || ((pw != w || ps != s) && (uw != w || us != s) && model.length(w, s) != 0);
    }
    if (may_pop) {
      covers.hit("pop of the last word", held == 1);
      if (Depth > 1) covers.hit("pop of a word with another behind it", held > 1);
      if (Paths == 2) {
        covers.hit("one path flushed, the other one popped", is_flushed(pw, 1 - ps) && model.length(pw, 1 - ps) != 0);
        covers.hit("one path popped, the other one pushed", may_push && uw == pw && us != ps);
        covers.hit("both paths of a warp hold words", model.length(pw, 1 - ps) != 0);
      }
    }
    if (may_push) {
      covers.hit("push into an empty slot", !push_flushed && model.length(uw, us) == 0);
      covers.hit("push that fills the slot", kept + push.count == Depth);
      covers.hit("flushed and pushed in one edge", push_flushed && model.length(uw, us) != 0);
      if (Width > 1) covers.hit("push of fewer words than could be", push.count < Width);
      if (Depth > 1) covers.hit("push behind a word", kept != 0);
    }
    if (may_pop && may_push) {
      covers.hit("full slot popped and pushed in one edge", same && held == Depth);
      covers.hit("last word popped and the next ones pushed in one edge", same && held == 1);
      if (Count > 1) covers.hit("push to one slot and pop of another", !same);
      if (Count > 2) covers.hit("flush, pop and push of three slots", !same && flushes_others);
    }
    if (Paths == 1) covers.hit("flush of right paths", flush.right != 0);
    if (!anything) return;
    covers.hit("illegal pop of an empty slot", popping && pop_there && before == 0);
    covers.hit("illegal pop of a slot that is flushed", pop_flushed && before != 0);
    covers.hit("illegal push of more words than fit", pushing && push_there && push.count <= Width && !may_push);
    covers.hit("illegal pop, legal push", popping && !may_pop && may_push);
    covers.hit("legal pop, illegal push", may_pop && pushing && !may_push);
    if (Paths == 1) covers.hit("illegal right path", (popping && ps != 0) || (pushing && us != 0));
    if (beyond(Warps)) covers.hit("illegal warp", (popping && pw >= Warps) || (pushing && uw >= Warps));
    if (beyond(Width + 1)) covers.hit("illegal push of more words than there are", pushing && push.count > Width);
  }

  // ---- worked examples ----
  const Head& shown(unsigned warp, unsigned side) const { return (side != 0 ? out.right : out.left)[warp].read(); }

  void expect(unsigned warp, unsigned side, unsigned count, std::uint64_t oldest) {
    check.equal("words of the slot", unsigned(shown(warp, side).count), count);
    check.equal("its head", shown(warp, side).word.to_uint64(), oldest & AnyWord);
  }

  /// Fills the slot with first, first + 1, ...
  void fill(unsigned warp, unsigned side, std::uint64_t first) {
    for (unsigned n = 0; n < Depth; ++n) {
      blank();
      pushes(warp, side, {first + n});
      turn();
    }
    blank();
  }

  void in_order() {
    start();
    const unsigned last = Warps - 1;
    fill(last, 0, 10);
    expect(last, 0, Depth, 10);
    for (unsigned n = 1; n < 3 * Depth; ++n) {  // one leaves, one comes
      blank();
      pops(last, 0);
      pushes(last, 0, {9 + n + Depth});
      turn();
      expect(last, 0, Depth, 10 + n);
    }
    for (unsigned n = 0; n < Depth; ++n) {
      expect(last, 0, Depth - n, 9 + 3 * Depth + n);
      blank();
      pops(last, 0);
      turn();
    }
    expect(last, 0, 0, 0);
    blank();
    turn();
    expect(last, 0, 0, 0);
  }

  void redirected() {
    start();
    fill(0, 0, 20);
    flushes(0, 0);
    turn();
    expect(0, 0, 0, 0);
    fill(0, 0, 30);
    flushes(0, 0);
    pushes(0, 0, {41});
    turn();
    expect(0, 0, 1, 41);
    blank();
    pops(0, 0);
    turn();
    expect(0, 0, 0, 0);
  }

  void full() {
    start();
    fill(0, 0, 50);
    blank();
    turn();
    expect(0, 0, Depth, 50);
    pops(0, 0);
    pushes(0, 0, {77});
    turn();
    expect(0, 0, Depth, Depth > 1 ? 51 : 77);
    if constexpr (Width > 1) {  // two come where one was
      start();
      pushes(0, 0, {60});
      turn();
      blank();
      pops(0, 0);
      pushes(0, 0, {61, 62});
      turn();
      expect(0, 0, 2, 61);
      blank();
      pops(0, 0);
      turn();
      expect(0, 0, 1, 62);
    }
  }

  /// The paths of warp 0 after a divergent branch; then one meets its RPC and is gone, the other one goes on.
  void both_paths() {
    if constexpr (Paths == 2) {
      start();
      fill(0, 0, 100);
      fill(0, 1, 200);
      expect(0, 0, Depth, 100);
      expect(0, 1, Depth, 200);
      pops(0, 1);
      pushes(0, 1, {200 + Depth});
      turn();
      expect(0, 0, Depth, 100);
      expect(0, 1, Depth, 201);
      blank();
      pops(0, 0);
      turn();
      blank();
      flushes(0, 0);
      pops(0, 1);
      turn();
      expect(0, 0, 0, 0);
      expect(0, 1, Depth - 1, Depth > 1 ? 202 : 0);
    }
  }

  void refused() {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
    anything = true;
    const unsigned long before = errors(Illegal);
    start();
    unsigned long asked = 0;
    const auto refuse = [&] {
      turn();
      blank();
      check.equal("named errors", errors(Illegal) - before, ++asked);
    };
    pops(0, 0);
    refuse();
    pops(0, 0), pushes(0, 0, {5});  // nothing to pop yet
    refuse();
    expect(0, 0, 1, 5);
    flushes(0, 0), pops(0, 0);
    refuse();
    expect(0, 0, 0, 0);
    fill(0, 0, 70);
    pushes(0, 0, {80});
    refuse();
    expect(0, 0, Depth, 70);
    if constexpr (Width > 1) {
      pops(0, 0), pushes(0, 0, {81, 82});
      refuse();
      expect(0, 0, Depth - 1, 71);
    }
    if (beyond(Width + 1)) {
      flushes(0, 0), push.count = Width + 1;
      refuse();
      expect(0, 0, 0, 0);
    }
    if (Paths == 1) {
      pushes(0, 1, {90});
      refuse();
      expect(0, 1, 0, 0);
      pops(0, 1);
      refuse();
    }
    if (beyond(Warps)) {
      pushes(Warps, 0, {91});
      refuse();
      pops(Warps, 0);
      refuse();
    }
  }
};

template <class Point, unsigned Paths, class Core>
using At = BufferBench<ControlFlow<Point::SlotWarps, Point::Lanes, Point::PcBits>, Paths, Point::InstructionBuffer,
                       Point::FetchWidth, Point::InstructionBits, Core>;
template <unsigned Warps, unsigned Paths, unsigned Depth, unsigned Width, unsigned WordBits, class Core>
using Corner = BufferBench<ControlFlow<Warps, 1, 3>, Paths, Depth, Width, WordBits, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using TinyPaths2 = At<point::tiny, 2, Vinstruction_buffer_tiny_paths2>;
  using TinyPaths1 = At<point::tiny, 1, Vinstruction_buffer_tiny_paths1>;
  using Hpca13Paths2 = At<point::hpca13, 2, Vinstruction_buffer_hpca13_paths2>;
  using Hpca13Paths1 = At<point::hpca13, 1, Vinstruction_buffer_hpca13_paths1>;
  using Cgo20Paths2 = At<point::cgo20, 2, Vinstruction_buffer_cgo20_paths2>;
  using Cgo20Paths1 = At<point::cgo20, 1, Vinstruction_buffer_cgo20_paths1>;
  using One = Corner<1, 1, 1, 1, 1, Vinstruction_buffer_one>;
  using Odd = Corner<3, 2, 5, 2, 7, Vinstruction_buffer_odd>;
  using Widest = Corner<64, 2, 4, 4, 16, Vinstruction_buffer_widest>;
  return bench::run_bench(argc, argv, "instruction_buffer",
                          {{"tiny_paths2", bench::bench_of<TinyPaths2, bench::built("tiny_paths2")>()},
                           {"tiny_paths1", bench::bench_of<TinyPaths1, bench::built("tiny_paths1")>()},
                           {"hpca13_paths2", bench::bench_of<Hpca13Paths2, bench::built("hpca13_paths2")>()},
                           {"hpca13_paths1", bench::bench_of<Hpca13Paths1, bench::built("hpca13_paths1")>()},
                           {"cgo20_paths2", bench::bench_of<Cgo20Paths2, bench::built("cgo20_paths2")>()},
                           {"cgo20_paths1", bench::bench_of<Cgo20Paths1, bench::built("cgo20_paths1")>()},
                           {"one", bench::bench_of<One, bench::built("one")>()},
                           {"odd", bench::bench_of<Odd, bench::built("odd")>()},
                           {"widest", bench::bench_of<Widest, bench::built("widest")>()}});
}
