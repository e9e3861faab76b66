// SPDX-License-Identifier: Apache-2.0
#include "tests/random/exits.h"

#include <algorithm>
#include <vector>

#include "tests/random/text.h"

namespace heddle::tests {

namespace {

using Words = RandomProgramWords;

constexpr unsigned DataWords = 5, MostNesting = 4, LoopsInside = 3, MostTrips = 4;

class ExitGenerator : private RandomText {
 public:
  explicit ExitGenerator(std::uint64_t seed) : RandomText(seed ^ 0xe817), point_(point::isca17::Values) {
    program_.seed = seed;
    program_.flavour = Flavour::Exits;
    program_.point = &point_;
    program_.flags = static_cast<std::uint32_t>(random_.next());
    const unsigned warps = 1 + below(3);
    program_.grid = {1 + below(std::min(3U, Words::MaxThreads / (warps * point_.lanes))), 1, 1};
    program_.block = {warps * point_.lanes - (chance(30) ? below(point_.lanes) : 0), 1, 1};
  }

  RandomProgram random() {
    has_warp_wide_ = chance(35);
    prologue();
    const unsigned phases = 1 + below(3);
    for (unsigned phase = 0; phase < phases; ++phase) {
      statements_left_ = 4 + below(8);
      if (chance(25)) {
        tiles();
      } else {
        if (chance(70)) loop();
        block(2 + below(3));
      }
      if (has_warp_wide_) meet();
      if (phase + 1 != phases) exchange();
    }
    return finish();
  }

 private:
  std::string any_word() { return fmt::format("%v{}", below(DataWords)); }

  void prologue() {
    line("ld.param.u64 %table, [random_param_0];");
    line("ld.param.u64 %input, [random_param_1];");
    line("ld.param.u64 %scratch, [random_param_2];");
    line("ld.param.u64 %output, [random_param_3];");
    line("ld.param.u32 %flags, [random_param_4];");
    line("mov.u32 %tid, %tid.x;");
    line("mov.u32 %ntid, %ntid.x;");
    line("mov.u32 %cta, %ctaid.x;");
    line("mad.lo.u32 %index, %cta, %ntid, %tid;");
    line("div.u32 %warp, %tid, {};", point_.lanes);
    line("rem.u32 %lane, %tid, {};", point_.lanes);
    static_assert(Words::Input == Words::Scratch);
    line("mul.wide.u32 %u0, %index, {};", 4 * Words::Input);
    line("mul.wide.u32 %u1, %index, {};", 4 * Words::Output);
    pairs_ = 2;
    line("add.u64 %input, %input, %u0;");
    line("add.u64 %scratch, %scratch, %u0;");
    line("add.u64 %output, %output, %u1;");
    for (unsigned v = 0; v < DataWords; ++v) line("ld.global.u32 %v{}, [%input+{}];", v, 4 * v);
    line("mov.u32 %tile, tile;");
    line("mad.lo.u32 %mine, %tid, 4, %tile;");
    line("mov.u32 %seen, %index;");
  }

  // ---- statements ----

  void block(unsigned count) {
    for (unsigned i = 0; i < count && statements_left_ != 0; ++i) {
      --statements_left_;
      const unsigned which = below(100);
      if (which < 25)
        loop();
      else if (which < 45)
        choose();
      else if (which < 60)
        leave_early();
      else if (which < 75 && !loops_.empty())
        jump();
      else if (which < 80)
        trap_side();
      else
        for (unsigned n = 1 + below(3); n-- != 0;) simple();
    }
  }

  void simple() {
    switch (below(7)) {
      case 0: {
        const std::string entry = word(), address = pair();
        line("and.b32 {}, {}, {};", entry, any_word(), Words::Table - 1);
        line("mad.wide.u32 {}, {}, 4, %table;", address, entry);
        return line("ld.global.u32 {}, [{}];", any_word(), address);
      }
      case 1:
        return line("ld.global.u32 {}, [%scratch+{}];", any_word(), 4 * below(Words::Scratch));
      case 2:
        return line("st.global.u32 [%scratch+{}], {};", 4 * below(Words::Scratch), any_word());
      case 3:
        return line("rem.u32 {}, {}, {};", any_word(), any_word(), 2 + below(1000));
      default:
        return arithmetic();
    }
  }

  void arithmetic() {
    constexpr const char* Names[] = {"add.u32", "sub.u32", "xor.b32", "mul.lo.u32", "min.u32", "max.s32"};
    line("{} {}, {}, {};", Names[below(6)], any_word(), any_word(), any_word());
  }

  /// A trace of where the thread came by.
  void note() { line("mad.lo.u32 %seen, %seen, 31, {};", 1 + below(1000)); }

  // ---- conditions ----

  /// So that the threads for which it holds are few, at least of those that a data word says.
  std::string few() {
    std::string holds = flag();
    switch (below(5)) {
      case 0:
        line("setp.eq.u32 {}, %lane, {};", holds, below(point_.lanes));
        break;
      case 1:  // whole warps
        line("setp.eq.u32 {}, %warp, {};", holds, below(4));
        break;
      default: {
        const std::string bits = word();
        line("and.b32 {}, {}, {};", bits, any_word(), 7U << below(8));
        line("setp.eq.u32 {}, {}, 0;", holds, bits);
      }
    }
    return holds;
  }

  std::string any_condition() {
    if (chance(40)) return few();
    std::string holds = flag();
    if (chance(15)) {  // the same for all threads
      const std::string bit = word();
      line("and.b32 {}, %flags, {};", bit, 1U << below(8));
      line("setp.ne.u32 {}, {}, 0;", holds, bit);
    } else if (chance(25)) {
      line("setp.lt.u32 {}, %lane, {};", holds, 1 + below(point_.lanes - 1));
    } else {
      line("setp.lt.u32 {}, {}, {};", holds, any_word(), any_word());
    }
    return holds;
  }

  // ---- control flow ----

  void choose() {
    if (level_ == MostNesting) return simple();
    const std::string holds = any_condition(), met = new_label("MET");
    const bool is_two_sided = chance(60);
    const std::string other = is_two_sided ? new_label("ELSE") : met;
    line("@{}{} bra {};", chance(50) ? "!" : "", holds, other);
    side();
    if (is_two_sided) {
      line("bra {};", met);
      label(other);
      side();
    }
    label(met);
    note();
  }

  void side() {
    ++indent_, ++level_;
    note();
    block(1 + below(3));
    --indent_, --level_;
  }

  struct Loop {
    std::string next, out;
  };

  void loop() {
    if (level_ == MostNesting || loops_.size() == LoopsInside) return simple();
    const std::string counter = fmt::format("%c{}", loops_used_++), head = new_label("LOOP"), turns = flag();
    line("and.b32 {}, {}, {};", counter, any_word(), MostTrips - 1);
    line("add.u32 {0}, {0}, 1;", counter);
    loops_.push_back({new_label("NEXT"), new_label("OUT")});
    label(head);
    ++indent_, ++level_;
    note();
    block(1 + below(3));
    if (chance(50)) jump();
    if (chance(30)) leave_early();
    --indent_, --level_;
    label(loops_.back().next);
    line("sub.u32 {0}, {0}, 1;", counter);
    line("setp.ne.u32 {}, {}, 0;", turns, counter);
    line("@{} bra {};", turns, head);
    label(loops_.back().out);
    loops_.pop_back();
    note();
  }

  /// Break or continue of any loop around, at once or with code on the way.
  void jump() {
    const Loop& loop = loops_[below(static_cast<unsigned>(loops_.size()))];
    const std::string to = chance(70) ? loop.out : loop.next, holds = few();
    if (chance(50)) return line("@{} bra {};", holds, to);
    const std::string past = new_label("PAST");
    line("@!{} bra {};", holds, past);
    ++indent_;
    note();
    for (unsigned n = 1 + below(2); n-- != 0;) simple();
    line("bra {};", to);
    --indent_;
    label(past);
  }

  /// Single lanes or whole warps.
  void leave_early() {
    const std::string leaves = few();
    if (chance(25)) {  // by a side that is only the end
      line("st.global.u32 [%output+{}], %seen;", 4 * (Words::Output - 1));
      constexpr const char* Ways[] = {"ret", "exit", "bra DONE"};
      return line("@{} {};", leaves, Ways[below(3)]);
    }
    const std::string past = new_label("PAST");
    line("@!{} bra {};", leaves, past);
    ++indent_;
    note();
    for (unsigned n = below(3); n-- != 0;) simple();
    line("st.global.u32 [%output+{}], %seen;", 4 * (Words::Output - 1));
    line("st.global.u32 [%output+{}], {};", 4 * (Words::Output - 2), any_word());
    constexpr const char* Ways[] = {"ret", "exit", "bra DONE"};
    line("{};", Ways[below(3)]);
    --indent_;
    label(past);
  }

  /// No thread takes it, and the compiler does not know.
  void trap_side() {
    const std::string odd = word(), never = flag(), past = new_label("PAST");
    line("and.b32 {}, {}, 2;", odd, any_word());
    line("setp.eq.u32 {}, {}, 1;", never, odd);
    line("@!{} bra {};", never, past);
    ++indent_;
    simple();
    line("trap;");
    --indent_;
    label(past);
  }

  // ---- where threads meet ----

  /// A loop that all threads turn equally often, unless they leave for good: each turn ends with barriers.
  void tiles() {
    const std::string counter = fmt::format("%c{}", loops_used_++), head = new_label("TILE"), turns = flag();
    line("and.b32 {}, %flags, 1;", counter);
    line("add.u32 {0}, {0}, {1};", counter, 1 + below(2));
    label(head);
    ++indent_, ++level_;
    block(1 + below(3));
    exchange();
    --indent_, --level_;
    line("sub.u32 {0}, {0}, 1;", counter);
    line("setp.ne.u32 {}, {}, 0;", turns, counter);
    line("@{} bra {};", turns, head);
  }

  void exchange() {
    line("st.shared.u32 [%mine], {};", any_word());
    line("bar.sync 0;");
    const std::string neighbour = word();
    line("add.u32 {}, %tid, {};", neighbour, 1 + below(40));
    line("rem.u32 {0}, {0}, %ntid;", neighbour);
    line("mad.lo.u32 {0}, {0}, 4, %tile;", neighbour);
    line("ld.shared.u32 {}, [{}];", any_word(), neighbour);
    line("bar.sync 0;");
  }

  /// All lanes of a warp that are left.
  void meet() {
    const std::string holds = flag();
    switch (below(3)) {
      case 0:
        return line("shfl.sync.idx.b32 {}, {}, {}, 31, -1;", any_word(), any_word(), below(point_.lanes));
      case 1:
        line("setp.lt.u32 {}, {}, {};", holds, any_word(), any_word());
        return line("vote.sync.ballot.b32 {}, {}, -1;", any_word(), holds);
      default:
        return line("redux.sync.xor.b32 {}, {}, -1;", any_word(), any_word());
    }
  }

  RandomProgram finish() {
    for (unsigned v = 0; v < DataWords; ++v) line("st.global.u32 [%output+{}], %v{};", 4 * v, v);
    line("st.global.u32 [%output+{}], %seen;", 4 * DataWords);
    label("DONE");
    line("ret;");
    program_.ptx = fmt::format(
        "// seed {}, {}: {} blocks of {} threads\n"
        ".version 7.0\n.target sm_80\n.address_size 64\n\n"
        ".visible .entry random(.param .u64 random_param_0, .param .u64 random_param_1, .param .u64 random_param_2,\n"
        "                       .param .u64 random_param_3, .param .u32 random_param_4)\n{{\n"
        "  .shared .align 4 .b8 tile[{}];\n"
        "  .reg .b32 %v<{}>, %t<{}>, %c<{}>, %flags, %tid, %ntid, %cta, %index, %warp, %lane, %tile, %mine, %seen;\n"
        "  .reg .b64 %u<{}>, %table, %input, %scratch, %output;\n"
        "  .reg .pred %q<{}>;\n\n{}}}\n",
        program_.seed, point_.name, program_.grid.x, program_.block.x, 4 * Words::MaxThreads, DataWords, words_ + 1,
        loops_used_ + 1, pairs_ + 1, flags_ + 1, text_);
    return program_;
  }

  const DesignPoint& point_;
  RandomProgram program_;
  bool has_warp_wide_ = false;
  unsigned statements_left_ = 0, level_ = 0, loops_used_ = 0;
  std::vector<Loop> loops_;  // around, the outermost first
};

}  // namespace

RandomProgram random_exit_program(std::uint64_t seed) {
  return ExitGenerator(seed).random();
}

}  // namespace heddle::tests
