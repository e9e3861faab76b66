// SPDX-License-Identifier: Apache-2.0
#include "tests/random/program.h"

#include <algorithm>
#include <fmt/format.h>

#include "tests/random/affine.h"
#include "tests/random/exits.h"
#include "tests/random/opcodes.h"
#include "tests/random/text.h"
#include "tests/random/traps.h"

namespace heddle::tests {

namespace {

constexpr unsigned Words = 5, Pairs = 2, Predicates = 3;  // that live throughout
constexpr unsigned LoopsInside = 2, MostTrips = 4;
/// The language flavour goes so many rows of the table on from seed to seed, so that 300 programs have them all.
constexpr std::uint64_t OpcodesAProgram = 24;
constexpr unsigned MostFunctions = 3;

/// A word that all threads share. Each has one operation, so that the order of the threads does not matter.
struct CommonWord {
  static constexpr unsigned Construct = 0, Lock = 24, Data = 26, Sum = 30, Least = 34, Most = 36, And = 38, Or = 40,
                            Xor = 42, Ticket = 44, TicketSum = 46, SharedSum = 48, WideSum = 50;
};
static_assert(CommonWord::Construct + Constructs <= CommonWord::Lock);
constexpr unsigned Locks = 2, SharedSums = 4, MostStairs = 12;

class Generator : private RandomText {
 public:
  Generator(std::uint64_t seed, const DesignPoint& point, Flavour flavour = Flavour::ControlFlow,
            Marks marks = Marks::None)
      : RandomText(seed), point_(point), flavour_(flavour), marks_(marks), next_opcode_(seed * OpcodesAProgram) {}

  RandomProgram random(std::uint64_t seed) {
    const bool limited = max_nesting(point_) < 4;
    nesting_ = limited ? max_nesting(point_) : 1 + below(6);
    jumps_ = exits_ = !limited;
    if (flavour_ == Flavour::Language) functions();
    if (flavour_ == Flavour::Synchronisation || marks_ != Marks::None) nesting_ = std::min(nesting_, 4U);
    prologue();
    if (flavour_ == Flavour::Synchronisation) {
      synchronised();
    } else if (!limited && marks_ == Marks::None && chance(6)) {
      peel(0, point_.lanes - 1, below(2) != 0);
    } else {
      const unsigned phases = chance(40) ? 2 + below(2) : 1;
      for (unsigned phase = 1; phase <= phases; ++phase) {
        statements_left_ = limited ? 10 : marks_ != Marks::None ? 5 + below(8) : 6 + below(18);
        block(0, 3 + below(5));
        if (chance(25)) guarded_exit();
        if (phase != phases) exchange();
      }
    }
    return finish(seed);
  }

  RandomProgram peeling(std::uint64_t seed, unsigned levels) {
    prologue();
    peel(0, levels, true);
    full_warps_ = true;
    return finish(seed);
  }

 private:
  std::string any_word() { return fmt::format("%v{}", below(Words)); }
  std::string any_pair() { return fmt::format("%w{}", below(Pairs)); }
  std::string any_predicate() { return fmt::format("%p{}", below(Predicates)); }
  /// What was computed slowly and lately is read soon.
  std::string read_word() { return !slow_.empty() && chance(45) ? slow_ : any_word(); }
  std::string write_slow_word() { return slow_ = any_word(); }

  // ---- statements ----

  void prologue() {
    line("ld.param.u64 %table, [random_param_0];");
    line("ld.param.u64 %input, [random_param_1];");
    line("ld.param.u64 %scratch, [random_param_2];");
    line("ld.param.u64 %output, [random_param_3];");
    line("ld.param.u32 %flags, [random_param_4];");
    if (flavour_ == Flavour::Synchronisation)
      line("add.u64 %common, %scratch, {};", 4 * RandomProgramWords::Scratch * RandomProgramWords::MaxThreads);
    line("mov.u32 %tid, %tid.x;");
    line("mov.u32 %ntid, %ntid.x;");
    line("mov.u32 %cta, %ctaid.x;");
    line("mad.lo.u32 %index, %cta, %ntid, %tid;");
    line("rem.u32 %lane, %tid, {};", point_.lanes);
    line("mul.wide.u32 %u0, %index, {};", RandomProgramWords::Input * 4);
    pairs_ = 1;
    line("add.u64 %input, %input, %u0;");
    line("add.u64 %scratch, %scratch, %u0;");  // as many words
    static_assert(RandomProgramWords::Input == RandomProgramWords::Scratch);
    line("mul.wide.u32 %u0, %index, {};", RandomProgramWords::Output * 4);
    line("add.u64 %output, %output, %u0;");
    for (unsigned v = 0; v < Words; ++v) line("ld.global.u32 %v{}, [%input+{}];", v, 4 * v);
    for (unsigned w = 0; w < Pairs; ++w) line("ld.global.u64 %w{}, [%input+{}];", w, 8 * w);
    for (unsigned p = 0; p < Predicates; ++p) line("setp.lt.u32 %p{}, %v{}, %v{};", p, p, p + 1);
    if (flavour_ == Flavour::Language) choose_own_memory();
    begin_marks();
  }

  // ---- the language flavour ----

  /// %own: a generic address of as many words as in %scratch, in local, shared or global memory; lanes differ.
  void choose_own_memory() {
    const std::string choice = word(), shared = pair(), is_local = flag(), is_shared = flag();
    line("rem.u32 {}, %v0, 3;", choice);
    line("setp.eq.u32 {}, {}, 0;", is_local, choice);
    line("setp.eq.u32 {}, {}, 1;", is_shared, choice);
    line("cvta.shared.u64 {}, ours;", shared);
    line("mad.wide.u32 {0}, %tid, {1}, {0};", shared, 4 * RandomProgramWords::Scratch);
    line("cvta.local.u64 %own, mine;");
    line("selp.b64 %own, %own, {}, {};", shared, is_local);
    line("@!{} selp.b64 %own, %own, %scratch, {};", is_shared, is_local);
  }

  struct Own {
    const char *space, *address;
  };
  /// The thread's own words. A function gets a generic address of them, and finds it in its %scratch.
  Own own() {
    if (in_function_) return {"", "%scratch"};
    if (flavour_ == Flavour::Language && chance(60)) return {"", "%own"};
    return {".global", "%scratch"};
  }

  /// Functions that call each other, the later ones the earlier ones.
  void functions() {
    const unsigned count = 1 + below(MostFunctions);
    for (unsigned index = 0; index < count; ++index) function(index);
    exits_ = max_nesting(point_) >= 4;
  }

  void function(unsigned index) {
    in_function_ = true;
    statements_left_ = 4 + below(8);
    const unsigned nesting = nesting_;
    nesting_ = std::min(nesting_, 2U);
    line("ld.param.u64 %table, [table];");
    line("ld.param.u64 %scratch, [scratch];");
    line("ld.param.u32 %flags, [flags];");
    line("mov.u32 %tid, %tid.x;");
    line("rem.u32 %lane, %tid, {};", point_.lanes);
    line("ld.param.u32 %v0, [a];");
    line("ld.param.u32 %v1, [b];");
    line("ld.param.u64 %w0, [w];");
    line("xor.b32 %v2, %v0, %v1;");
    line("add.u32 %v3, %v0, {};", below(1000));
    line("mul.lo.u32 %v4, %v1, 2654435761;");
    line("shl.b64 %w1, %w0, {};", below(40));
    for (unsigned p = 0; p < Predicates; ++p) line("setp.lt.u32 %p{}, %v{}, %v{};", p, p, p + 1);
    begin_marks();
    block(0, 2 + below(3));
    if (chance(40)) {
      const std::string flag_name = condition(), met = new_label("MET");
      line("@{} bra {};", flag_name, met);
      give_back();
      line("ret;");
      label(met);
      block(0, 1 + below(3));
    }
    give_back();
    line("ret;");
    end_marks();
    functions_ += fmt::format(
        ".func (.param .b32 r, .param .b64 s) f{}(.param .b64 table, .param .b64 scratch, .param .b32 flags,\n"
        "    .param .b32 a, .param .b32 b, .param .b64 w)\n{{\n{}{}}}\n\n",
        index, registers(false), text_);
    text_.clear();
    nesting_ = nesting;
    words_ = pairs_ = flags_ = loops_used_ = 0;
    slow_.clear();
    ++functions_known_;
    in_function_ = false;
  }

  void give_back() {
    const std::string sum = word();
    line("xor.b32 {}, {}, {};", sum, any_word(), read_word());
    line("st.param.b32 [r], {};", sum);
    line("st.param.b64 [s], {};", any_pair());
  }

  /// The registers of a function or of the entry, which all of them name.
  std::string registers(bool entry) const {
    return fmt::format(
        "  .reg .b32 %v<{}>, %t<{}>, %c<{}>, %flags, %tid, %lane{};\n  .reg .b64 %w<{}>, %u<{}>, %table, %scratch{};\n"
        "  .reg .pred %p<{}>, %q<{}>;\n\n",
        Words, words_ + 1, loops_used_ + 1, entry ? ", %ntid, %cta, %index" : "", Pairs, pairs_ + 1,
        !entry                                 ? ""
        : flavour_ == Flavour::Language        ? ", %input, %output, %own"
        : flavour_ == Flavour::Synchronisation ? ", %input, %output, %common"
                                               : ", %input, %output",
        Predicates, flags_ + 1);
  }

  void call() {
    const bool indirect = functions_known_ > 1 && chance(30);
    const std::string guard = chance(20) ? fmt::format("@{}{} ", chance(50) ? "!" : "", any_predicate()) : "";
    std::string callee = fmt::format("f{}", below(functions_known_)), prototype;
    line("{{");
    ++indent_;
    line(".param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b32 p3; .param .b32 p4; .param .b64 p5;");
    line(".param .b32 r0; .param .b64 r1;");
    if (indirect) {
      const std::string one = pair(), other = pair();
      line("mov.u64 {}, {};", one, callee);
      line("mov.u64 {}, f{};", other, below(functions_known_));
      line("selp.b64 {0}, {0}, {1}, {2};", one, other, any_predicate());
      callee = one;
      line(
          "proto: .callprototype (.param .b32 _, .param .b64 _) _ (.param .b64 _, .param .b64 _, .param .b32 _,"
          " .param .b32 _, .param .b32 _, .param .b64 _);");
      prototype = ", proto";
    }
    line("st.param.b64 [p0], %table;");
    line("st.param.b64 [p1], {};", in_function_ ? "%scratch" : "%own");
    line("st.param.b32 [p2], %flags;");
    line("st.param.b32 [p3], {};", read_word());
    line("st.param.b32 [p4], {};", any_word());
    line("st.param.b64 [p5], {};", any_pair());
    line("{}call (r0, r1), {}, (p0, p1, p2, p3, p4, p5){};", guard, callee, prototype);
    line("{}ld.param.b32 {}, [r0];", guard, any_word());
    line("{}ld.param.b64 {}, [r1];", guard, any_pair());
    --indent_;
    line("}}");
  }

  void any_opcode() {
    const auto& rows = integer_opcodes();
    const compiler::Opcode& row = *rows[next_opcode_++ % rows.size()];
    line("{}", random_statement(row, {Words, Pairs, Predicates}, random_));
  }

  // ---- predictions ----

  void begin_marks() {
    marks_begin_ = text_.size();
    predictions_ = 0;
  }
  void end_marks() {
    if (marks_ == Marks::Misplaced && (!in_function_ || chance(40)))
      text_ = with_misplaced_marks(text_, marks_begin_, random_);
  }

  /// Writes a point of a legal prediction, if one is open: its first one soon, another now and then.
  void point() {
    if (!is_predicted_ || !chance(has_point_ ? 15 : 50)) return;
    line("{}", reconverge_mark(predictions_));
    has_point_ = true;
  }

  void predicted_compound(unsigned level) {
    if (marks_ != Marks::Legal || is_predicted_ || !chance(60)) return compound(level);
    line("{}", predict_mark(predictions_));
    is_predicted_ = true;
    has_point_ = false;
    compound(level);
    if (!has_point_) line("{}", reconverge_mark(predictions_));
    is_predicted_ = false;
    ++predictions_;
  }

  void block(unsigned level, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if (statements_left_ == 0) return;
      --statements_left_;
      level_ = level;
      point();
      if (level < nesting_ && chance(level == 0 ? 60 : 40))
        compound_with_meetings(level);
      else if (flavour_ == Flavour::Synchronisation && chance(70))
        synchronise();
      else
        simple();
    }
  }

  void compound(unsigned level) {
    if (chance(70)) slow();  // pending when the branch issues
    if (loops_ < LoopsInside && chance(35))
      loop(level);
    else
      choose(level);
    if (chance(60)) line("add.u32 {0}, {0}, {1};", any_word(), read_word());
  }

  void simple() {
    if (flavour_ == Flavour::Language) {
      for (unsigned i = 1 + below(4); i-- != 0;) any_opcode();
      if (functions_known_ != 0 && chance(25)) call();
    }
    switch (below(14)) {
      case 0:
      case 1:
        arithmetic();
        break;
      case 2:
      case 3:
      case 4:
        slow();
        break;
      case 5:
      case 6:
        wide();
        break;
      case 7:
      case 8:
        store();
        break;
      case 9:
        line("setp.{}.u32 {}, {}, {};", comparison(), any_predicate(), read_word(), any_word());
        break;
      case 10:
        slow_predicate(any_predicate());
        break;
      case 11:
        guarded();
        break;
      case 12:
        line("selp.b32 {}, {}, {}, {};", any_word(), read_word(), any_word(), any_predicate());
        break;
      default:
        shift_and_mix();
        break;
    }
  }

  const char* comparison() {
    constexpr const char* Names[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    return Names[below(4 + 2 * (below(4) == 0))];
  }

  void arithmetic() {
    constexpr const char* Names[] = {"add.u32", "sub.u32", "xor.b32", "mul.lo.u32", "min.u32", "max.s32"};
    if (chance(25))
      line("mad.lo.u32 {}, {}, {}, {};", any_word(), read_word(), any_word(), any_word());
    else
      line("{} {}, {}, {};", Names[below(6)], any_word(), read_word(), any_word());
  }

  void shift_and_mix() {
    const std::string shifted = word();
    line("shr.u32 {}, {}, {};", shifted, read_word(), 1 + below(30));
    line("xor.b32 {}, {}, {};", any_word(), shifted, any_word());
  }

  /// Its result comes late: a load, an atomic, a division.
  void slow() {
    switch (below(9)) {
      case 0:
      case 1:
        load_own();
        break;
      case 2:
        if (in_function_) return load_own();  // there are no atomics on local memory
        line("atom.global.add.u32 {0}, [%scratch+{1}], {2};", write_slow_word(), own_slot(4), any_word());
        break;
      case 3:
      case 4:
        divide();
        break;
      default:
        look_up("");
        break;
    }
  }

  void load_own() {
    const Own from = own();
    line("ld{}.u32 {}, [{}+{}];", from.space, write_slow_word(), from.address, stored_slot());
  }

  void look_up(const std::string& guard) {
    const std::string entry = word(), address = pair();
    line("and.b32 {}, {}, {};", entry, read_word(), RandomProgramWords::Table - 1);
    line("mad.wide.u32 {}, {}, 4, %table;", address, entry);
    if (chance(20))
      line("{}ld.global.s8 {}, [{}+{}];", guard, write_slow_word(), address, below(4));
    else
      line("{}ld.global.u32 {}, [{}];", guard, write_slow_word(), address);
  }

  void divide() {
    const std::string divisor = word(), from = read_word();
    line("or.b32 {}, {}, {};", divisor, any_word(), 1 + below(1000));
    line("{}.u32 {}, {}, {};", chance(50) ? "div" : "rem", write_slow_word(), from, divisor);
  }

  void slow_predicate(const std::string& predicate) {
    const std::string rest = word();
    const unsigned modulus = 2 + below(5);
    line("rem.u32 {}, {}, {};", rest, read_word(), modulus);
    line("setp.lt.u32 {}, {}, {};", predicate, rest, modulus / 2 + below(2));
  }

  void wide() {
    switch (below(6)) {
      case 0:
        line("mul.wide.u32 {}, {}, {};", any_pair(), read_word(), any_word());
        break;
      case 1:
        line("mad.wide.u32 {}, {}, {}, {};", any_pair(), read_word(), any_word(), any_pair());
        break;
      case 2:
        line("add.u64 {}, {}, {};", any_pair(), any_pair(), any_pair());
        break;
      case 3: {
        const std::string low = word(), high = word();
        line("mov.b64 {{{}, {}}}, {};", low, high, any_pair());
        line("sub.u32 {}, {}, {};", any_word(), high, low);
        break;
      }
      case 4:
        line("mov.b64 {}, {{{}, {}}};", any_pair(), read_word(), any_word());
        break;
      default:
        if (chance(50)) {
          const Own from = own();
          line("ld{}.u64 {}, [{}+{}];", from.space, any_pair(), from.address, own_slot(8));
        } else {
          const std::string divisor = pair();
          line("or.b64 {}, {}, {};", divisor, any_pair(), 1 + below(1000));
          line("rem.u64 {}, {}, {};", any_pair(), any_pair(), divisor);
        }
    }
  }

  unsigned own_slot(unsigned bytes) { return below(RandomProgramWords::Scratch * 4 / bytes) * bytes; }
  /// What was stored lately is loaded soon.
  unsigned stored_slot() { return chance(60) ? stored_ : own_slot(4); }
  unsigned store_slot(unsigned bytes) {
    const unsigned slot = own_slot(bytes);
    stored_ = slot / 4 * 4;
    return slot;
  }

  void store() {
    const Own to = own();
    switch (below(4)) {
      case 0:
        line("st{}.u8 [{}+{}], {};", to.space, to.address, store_slot(1), read_word());
        break;
      case 1:
        line("st{}.u64 [{}+{}], {};", to.space, to.address, store_slot(8), any_pair());
        break;
      default:
        line("st{}.u32 [{}+{}], {};", to.space, to.address, store_slot(4), read_word());
    }
  }

  void guarded() {
    const std::string guard = fmt::format("@{}{} ", chance(50) ? "!" : "", any_predicate());
    switch (below(3)) {
      case 0:
        line("{}add.u32 {}, {}, {};", guard, any_word(), read_word(), any_word());
        break;
      case 1:
        look_up(guard);
        break;
      default: {
        const Own to = own();
        line("{}st{}.u32 [{}+{}], {};", guard, to.space, to.address, store_slot(4), read_word());
      }
    }
  }

  // ---- the flavour of meetings ----

  void compound_with_meetings(unsigned level) {
    if (flavour_ != Flavour::Meetings || level != 0) return predicted_compound(level);
    if (chance(30))
      sides_that_meet();
    else
      compound(level);
    for (unsigned i = below(3); i-- != 0;) meet();
    if (chance(15)) line("bar.warp.sync -1;");
  }

  /// A branch, and behind what each side does its own lanes meet, which registers name.
  void sides_that_meet() {
    const std::string flag_name = condition(), mask = word(), met = new_label("MET"), other = new_label("ELSE");
    line("vote.sync.ballot.b32 {}, {}, -1;", mask, flag_name);
    line("@!{} bra {};", flag_name, other);
    side(0);
    meet_with(mask);
    line("bra {};", met);
    label(other);
    const std::string others = word();
    line("not.b32 {}, {};", others, mask);
    side(0);
    meet_with(others);
    label(met);
    arithmetic();
  }

  void meet_with(const std::string& mask) {
    if (chance(50))
      line("shfl.sync.bfly.b32 {}, {}, {}, 31, {};", write_slow_word(), any_word(), below(32), mask);
    else
      line("redux.sync.xor.b32 {}, {}, {};", write_slow_word(), read_word(), mask);
  }

  // ---- the synchronisation flavour ----

  void synchronised() {
    counts_ = chance(25);
    line("mov.u32 %pot, pot;");
    line("setp.eq.u32 %first, %tid, 0;");
    for (unsigned i = 0; i < SharedSums; ++i) line("@%first st.shared.u32 [%pot+{}], {};", 4 * i, 0);
    line("bar.sync 0;");
    const unsigned phases = chance(25) ? 2 : 1;
    for (unsigned phase = 1; phase <= phases; ++phase) {
      if (chance(20)) stairs();
      statements_left_ = 3 + below(8);
      block(0, 3 + below(3));
      if (phase != phases) exchange();
    }
    // What the block summed up in shared memory joins the rest.
    line("bar.sync 0;");
    const std::string flag_name = flag(), address = word(), sum = word();
    line("setp.lt.u32 {}, %tid, {};", flag_name, SharedSums);
    line("mad.lo.u32 {}, %tid, 4, %pot;", address);
    line("@{} ld.shared.u32 {}, [{}];", flag_name, sum, address);
    line("@{} red.global.add.u32 {}, {};", flag_name, common(CommonWord::SharedSum), sum);
  }

  std::string common(unsigned index) { return fmt::format("[%common+{}]", 4 * index); }
  std::string own_word(const char* base = "%scratch") { return fmt::format("[{}+{}]", base, own_slot(4)); }

  void count(Construct construct, const std::string& guard = "") {
    if (counts_)
      line("{}red.global.add.u32 {}, 1;", guard, common(CommonWord::Construct + static_cast<unsigned>(construct)));
  }

  void synchronise() {
    switch (below(12)) {
      case 0:
      case 1:
        return fence();
      case 2:
        count(Construct::VolatileLoad);
        return line("ld.volatile.global.u32 {}, {};", write_slow_word(), own_word());
      case 3:
        count(Construct::VolatileStore);
        line("st.volatile.global.u32 {}, {};", own_word(), read_word());
        if (chance(40)) fence();
        return;
      case 4:
        return own_atomic();
      case 5:
      case 6:
        return reduce();
      case 7:
        return reduce_shared();
      case 8:
        return draw_ticket();
      case 9:
      case 10:
        return guarded_exit_here();
      default:
        return may_lock() ? lock() : fence();
    }
  }

  bool may_branch() const { return level_ < max_nesting(point_); }

  void fence() {
    constexpr const char* Fences[] = {"membar.cta",   "membar.gl",         "membar.sys",
                                      "fence.sc.gpu", "fence.acq_rel.gpu", "fence.acq_rel.cta"};
    count(Construct::Fence);
    if (level_ != 0) count(Construct::FenceInBranch);
    line("{};", Fences[below(6)]);
  }

  /// On words of the thread alone: the result is its own business.
  void own_atomic() {
    constexpr const char* Operations[] = {"add.u32", "exch.b32", "xor.b32", "max.s32", "min.u32", "and.b32", "or.b32"};
    if (loops_ != 0) count(Construct::AtomicInLoop);
    const bool is_used = chance(60);
    count(is_used ? Construct::AtomicUsed : Construct::AtomicUnused);
    const std::string result = is_used ? write_slow_word() : word();
    if (chance(25))
      line("atom.global.cas.b32 {}, {}, {}, {};", result, own_word(), any_word(), read_word());
    else
      line("atom.global.{} {}, {}, {};", Operations[below(7)], result, own_word(), read_word());
  }

  /// To words of all threads, without a result.
  void reduce() {
    struct Way {
      const char* name;
      unsigned index, count;
    };
    constexpr Way Ways[] = {{"add.u32", CommonWord::Sum, 4},  {"min.u32", CommonWord::Least, 2},
                            {"max.u32", CommonWord::Most, 2}, {"and.b32", CommonWord::And, 2},
                            {"or.b32", CommonWord::Or, 2},    {"xor.b32", CommonWord::Xor, 2}};
    if (loops_ != 0) count(Construct::AtomicInLoop);
    const std::string guard = chance(25) ? fmt::format("@{} ", any_predicate()) : "";
    if (chance(15)) {
      count(Construct::Reduction, guard);
      return line("{}red.global.add.u64 {}, {};", guard, common(CommonWord::WideSum), any_pair());
    }
    const Way way = Ways[below(6)];
    const std::string at = common(way.index + below(way.count));
    if (chance(60)) {
      count(Construct::Reduction, guard);
      return line("{}red.global.{} {}, {};", guard, way.name, at, read_word());
    }
    count(Construct::AtomicUnused, guard);
    line("{}atom.global.{} {}, {}, {};", guard, way.name, word(), at, read_word());
  }

  void reduce_shared() {
    count(Construct::AtomicShared);
    const std::string at = fmt::format("[%pot+{}]", 4 * below(SharedSums));
    if (chance(50))
      line("red.shared.add.u32 {}, {};", at, read_word());
    else
      line("atom.shared.add.u32 {}, {}, {};", word(), at, read_word());
  }

  /// The ticket that a thread draws depends on order, all tickets together do not.
  void draw_ticket() {
    const unsigned which = may_branch() ? below(2) : 0;
    const std::string ticket = word(), mixed = word();
    count(Construct::Ticket);
    line("atom.global.add.u32 {}, {}, {};", ticket, common(CommonWord::Ticket + which), 1 + 2 * which);
    // The same is done with every ticket of a word, wherever it was drawn.
    line("xor.b32 {}, {}, {};", mixed, ticket, 23130);
    line("mul.lo.u32 {0}, {0}, {0};", mixed);
    if (which == 1) {
      follows_order_ = true;
      const std::string flag_name = flag(), bit = word(), past = new_label("PAST");
      line("and.b32 {}, {}, 1;", bit, ticket);
      line("setp.ne.u32 {}, {}, 0;", flag_name, bit);
      line("@{} bra {};", flag_name, past);
      ++indent_;
      count(Construct::TicketBranch);
      line("red.global.xor.b32 {}, {};", common(CommonWord::Xor), mixed);
      --indent_;
      label(past);
    }
    line("red.global.add.u32 {}, {};", common(CommonWord::TicketSum + which), mixed);
  }

  /// A dual-path stack interleaves the sides of a branch: one may take a lock and be laid aside, because the other
  /// parts again, and for ever if that one waits for a lock (tests/ptx/lock_on_both_sides.ptx). So a program has its
  /// locks outside all branches and loops, or a single one anywhere.
  bool may_lock() {
    if (!may_branch()) return false;
    if (locks_ == 0) lock_may_be_anywhere_ = chance(60);
    return lock_may_be_anywhere_ ? locks_ == 0 : level_ == 0;
  }

  /// One thread of the block: a second one of its warp would wait for lanes that wait for it. Fences on both sides, or
  /// an addition under it is lost. The data is volatile, as L1s need not agree.
  void lock() {
    follows_order_ = true;
    ++locks_;
    const unsigned which = below(Locks);
    const std::string mine = flag(), taken = flag(), old = word(), data = word(), gone = word();
    const std::string take = new_label("TAKE"), past = new_label("PAST"), at = common(CommonWord::Lock + which);
    line("setp.ne.u32 {}, %tid, {};", mine, below(point_.lanes));
    line("@{} bra {};", mine, past);
    ++indent_;
    label(take);
    line("atom.global.cas.b32 {}, {}, 0, 1;", old, at);
    line("setp.ne.u32 {}, {}, 0;", taken, old);
    line("@{} bra {};", taken, take);
    line("membar.gl;");
    for (unsigned i = 1 + below(2); i-- != 0;) {
      const bool adds = i == 0;
      const std::string from = common(CommonWord::Data + 2 * which + i);
      line("ld.volatile.global.u32 {}, {};", data, from);
      if (chance(30)) divide();
      line("{} {}, {}, {};", adds ? "add.u32" : "xor.b32", data, data, read_word());
      line("st.volatile.global.u32 {}, {};", from, data);
    }
    line("membar.gl;");
    if (chance(70))
      line("atom.global.exch.b32 {}, {}, 0;", gone, at);
    else
      line("st.volatile.global.u32 {}, 0;", at);
    count(Construct::Lock);
    if (loops_ != 0) count(Construct::LockInLoop);
    if (level_ != 0) count(Construct::LockInBranch);
    --indent_;
    label(past);
  }

  void guarded_exit_here() {
    const std::string guard = '@' + condition() + ' ';
    count(static_cast<Construct>(std::min(level_, 3U)), guard);
    if (loops_ != 0) count(Construct::ExitInLoop, guard);
    leave(guard);
  }

  /// Nested ifs that one lane skips, and whose every side ends all others: paths without lanes lie upon each other.
  void stairs() {
    const unsigned most = std::min(max_nesting(point_) - 1, MostStairs);
    const unsigned survivor = below(point_.lanes);
    const std::string others = flag(), past = new_label("PAST");
    line("setp.ne.u32 {}, %lane, {};", others, survivor);
    line("@!{} bra {};", others, past);
    stair(0, 1 + below(most), survivor, '@' + others + ' ');
    label(past);
  }

  void stair(unsigned level, unsigned levels, unsigned survivor, const std::string& others) {
    if (level == levels) {
      count(Construct::ExitStairs, others);
      return leave(others);
    }
    const std::string flag_name = flag(), met = new_label("MET"), other = new_label("ELSE");
    line("setp.eq.u32 {}, %lane, {};", flag_name, (survivor + 1 + level) % point_.lanes);
    line("@{} bra {};", flag_name, other);
    ++indent_;
    stair(level + 1, levels, survivor, others);
    if (chance(50)) arithmetic();
    line("bra {};", met);
    --indent_;
    label(other);
    ++indent_;
    count(Construct::ExitStairs, others);
    leave(others);
    if (chance(50)) slow();
    --indent_;
    label(met);
    arithmetic();
  }

  // ---- control flow ----

  /// A new predicate: uniform, one lane, some lanes, data, slow data.
  std::string condition() {
    std::string flag_name = flag();
    switch (below(10)) {
      case 0: {  // uniform
        const std::string bit = word();
        line("and.b32 {}, %flags, {};", bit, 1U << below(8));
        line("setp.ne.u32 {}, {}, 0;", flag_name, bit);
        break;
      }
      case 1:
        line("setp.{}.u32 {}, %lane, {};", chance(50) ? "eq" : "ne", flag_name, below(point_.lanes));
        break;
      case 2:
        line("setp.lt.u32 {}, %lane, {};", flag_name, 1 + below(point_.lanes - 1));
        break;
      case 3:
      case 4:
        slow_predicate(flag_name);
        break;
      case 5:
        line("setp.{}.u32 {}, {}, {};", comparison(), flag_name, read_word(), any_word());
        break;
      case 6:
        line("and.pred {}, {}, {};", flag_name, any_predicate(), any_predicate());
        break;
      default: {
        const std::string bit = word();
        line("and.b32 {}, {}, {};", bit, read_word(), 1U << below(24));
        line("setp.ne.u32 {}, {}, 0;", flag_name, bit);
      }
    }
    return flag_name;
  }

  void side(unsigned level) {
    ++indent_;
    if (chance(50)) arithmetic();
    block(level + 1, 1 + below(4));
    if (chance(40)) slow();  // pending when the paths meet
    --indent_;
  }

  void choose(unsigned level) {
    const std::string flag_name = condition(), met = new_label("MET");
    const bool ends = exits_ && chance(6), two_sided = chance(70);
    const std::string other = two_sided ? new_label("ELSE") : met;
    // Results that come in while the branch resolves.
    if (chance(40))
      for (unsigned i = below(6); i-- != 0;) arithmetic();
    line("@{}{} bra {};", chance(50) ? "!" : "", flag_name, other);
    side(level);
    if (ends) leave("");
    if (two_sided) {
      if (!ends) line("bra{} {};", chance(50) ? ".uni" : "", met);
      label(other);
      side(level);
      if (exits_ && chance(3)) leave("");
    }
    label(met);
    if (chance(15)) return;  // another label may follow at once
    arithmetic();
  }

  struct Loop {
    std::string next, out;
  };

  void loop(unsigned level) {
    const unsigned number = loops_used_++;
    const std::string counter = fmt::format("%c{}", number), head = new_label("LOOP"), flag_name = flag();
    const Loop here{new_label("NEXT"), new_label("OUT")};
    const bool test_first = chance(40);
    line("and.b32 {}, {}, {};", counter, read_word(), MostTrips - 1);
    if (!test_first) line("add.u32 {0}, {0}, 1;", counter);
    ++loops_;
    label(head);
    ++indent_;
    if (test_first) {
      line("setp.eq.u32 {}, {}, 0;", flag_name, counter);
      line("@{} bra {};", flag_name, here.out);
    }
    line("sub.u32 {0}, {0}, 1;", counter);
    block(level + 1, 1 + below(4));
    if (jumps_ && chance(30)) jump(level, here);
    if (chance(40)) slow();
    --indent_;
    label(here.next);
    ++indent_;
    if (test_first) {
      line("bra {};", head);
    } else {
      line("setp.ne.u32 {}, {}, 0;", flag_name, counter);
      line("@{} bra {};", flag_name, head);
    }
    --indent_;
    label(here.out);
    --loops_;
  }

  /// Break or continue, from the loop's body or from inside an if.
  void jump(unsigned level, const Loop& here) {
    const std::string to = chance(60) ? here.out : here.next;
    if (chance(50)) {
      const std::string flag_name = condition();
      line("@{} bra {};", flag_name, to);
    } else {
      const std::string outer = condition(), past = new_label("PAST");
      line("@{} bra {};", outer, past);
      ++indent_;
      block(level + 1, 1 + below(2));
      const std::string inner = condition();
      line("@{} bra {};", inner, to);
      simple();
      --indent_;
      label(past);
    }
    block(level + 1, 1 + below(2));
  }

  /// One lane stays behind on each level, the others go deeper: on the taken side if `deep_first`.
  void peel(unsigned level, unsigned levels, bool deep_first) {
    peels_ = true;
    if (level == levels) return simple();
    const std::string flag_name = flag(), met = new_label("MET"), other = new_label("ELSE");
    if (chance(30)) slow();
    line("setp.{}.u32 {}, %lane, {};", deep_first ? "ne" : "eq", flag_name, level);
    line("@{} bra {};", flag_name, other);
    const auto shallow = [&] {
      arithmetic();
      if (chance(50)) slow();
    };
    ++indent_;
    if (deep_first)
      shallow();
    else
      peel(level + 1, levels, deep_first);
    line("bra {};", met);
    --indent_;
    label(other);
    ++indent_;
    if (deep_first)
      peel(level + 1, levels, deep_first);
    else
      shallow();
    --indent_;
    label(met);
    arithmetic();
  }

  // ---- ends ----

  void leave(const std::string& guard) {
    if (in_function_) return;  // functions return early in ways of their own
    line("{}st.global.u32 [%output+{}], {};", guard, 4 * (RandomProgramWords::Output - 1), read_word());
    constexpr const char* Ways[] = {"ret", "exit", "bra DONE"};
    line("{}{};", guard, Ways[below(flavour_ == Flavour::Synchronisation ? 2 : 3)]);
  }

  void guarded_exit() {
    const std::string flag_name = condition();
    leave("@" + flag_name + ' ');
  }

  /// Lanes show words to each other: all of a warp that are left meet here.
  void meet() {
    constexpr const char *Modes[] = {"up", "down", "bfly", "idx"}, *Votes[] = {"all", "any", "uni"};
    constexpr const char* Reductions[] = {"add.u32", "min.s32", "max.u32", "xor.b32"};
    switch (below(6)) {
      case 0:
      case 1: {
        const unsigned mode = below(4), width = 1U << below(6), limits = (32 - width) << 8 | (mode == 0 ? 0 : 31);
        line("shfl.sync.{}.b32 {}|{}, {}, {}, {}, -1;", Modes[mode], write_slow_word(), any_predicate(), any_word(),
             chance(50) ? any_word() : std::to_string(below(32)), limits);
        break;
      }
      case 2:
        line("vote.sync.{}.pred {}, {}, -1;", Votes[below(3)], any_predicate(), any_predicate());
        break;
      case 3:
        line("vote.sync.ballot.b32 {}, !{}, -1;", write_slow_word(), any_predicate());
        break;
      case 4:
        line("match.any.sync.b32 {}, {}, -1;", write_slow_word(), any_word());
        break;
      case 5:
        line("redux.sync.{} {}, {}, -1;", Reductions[below(4)], write_slow_word(), read_word());
        break;
    }
  }

  /// Each thread shows a word to its neighbours in the block.
  void exchange() {
    for (unsigned i = below(4); i-- != 0;) meet();
    if (chance(30)) line("bar.red.popc.u32 {}, 0, {};", write_slow_word(), any_predicate());
    const std::string own = word(), neighbour = word(), tile = word();
    line("mov.u32 {}, tile;", tile);
    line("mad.lo.u32 {}, %tid, 4, {};", own, tile);
    line("st.shared.u32 [{}], {};", own, read_word());
    line("bar.sync 0;");
    line("add.u32 {}, %tid, {};", neighbour, 1 + below(40));
    line("rem.u32 {0}, {0}, %ntid;", neighbour);
    line("mad.lo.u32 {0}, {0}, 4, {1};", neighbour, tile);
    line("ld.shared.u32 {}, [{}];", write_slow_word(), neighbour);
    line("bar.sync 0;");
  }

  RandomProgram finish(std::uint64_t seed) {
    for (unsigned v = 0; v < Words; ++v) line("st.global.u32 [%output+{}], %v{};", 4 * v, v);
    for (unsigned w = 0; w < Pairs; ++w) line("st.global.u64 [%output+{}], %w{};", 24 + 8 * w, w);
    for (unsigned p = 0; p < Predicates; ++p) {
      line("selp.u32 %v0, {}, {}, %p{};", p + 1, p + 100, p);
      line("st.global.u32 [%output+{}], %v0;", 40 + 4 * p);
    }
    label("DONE");
    line("ret;");
    end_marks();

    RandomProgram program;
    program.seed = seed;
    program.point = &point_;
    program.flavour = marks_ == Marks::None ? flavour_ : Flavour::Predictions;
    program.marks = marks_;
    program.flags = static_cast<std::uint32_t>(random_.next());
    program.lanes_follow_order = follows_order_;
    program.counts_constructs = counts_;
    program.uses_full_stack = peels_;
    const bool is_small = flavour_ == Flavour::Synchronisation || marks_ != Marks::None;
    const unsigned most = std::min(is_small ? 3U : 8U, point_.warps), warps = 1 + below(most);
    program.grid.x = 1 + below((marks_ == Marks::None ? 8 : 3) / warps);
    const unsigned idle =
        !full_warps_ && chance(30) ? below(point_.lanes) : 0;  // lanes of the last warp that have no thread
    program.block.x = warps * point_.lanes - idle;
    program.ptx = fmt::format(
        "// seed {}, {}: {} blocks of {} threads\n"
        ".version 7.0\n.target sm_60\n.address_size 64\n\n{}"
        ".visible .entry random(.param .u64 random_param_0, .param .u64 random_param_1, .param .u64 random_param_2,\n"
        "                       .param .u64 random_param_3, .param .u32 random_param_4)\n{{\n"
        "  .shared .align 4 .b8 tile[{}];\n",
        seed, point_.name, program.grid.x, program.block.x, functions_, 4 * RandomProgramWords::MaxThreads);
    if (flavour_ == Flavour::Language) {
      program.ptx += fmt::format("  .shared .align 8 .b8 ours[{}];\n  .local .align 8 .b8 mine[{}];\n",
                                 4 * RandomProgramWords::Scratch * RandomProgramWords::MaxThreads,
                                 4 * RandomProgramWords::Scratch);
    }
    if (flavour_ == Flavour::Synchronisation) {
      program.ptx +=
          fmt::format("  .shared .align 4 .b8 pot[{}];\n  .reg .b32 %pot;\n  .reg .pred %first;\n", 4 * SharedSums);
    }
    program.ptx += registers(true) + text_ + "}\n";
    return program;
  }

  const DesignPoint& point_;
  const Flavour flavour_;
  const Marks marks_;
  std::uint64_t next_opcode_;
  std::string functions_, slow_;
  unsigned functions_known_ = 0;
  bool in_function_ = false;
  unsigned stored_ = 0;
  unsigned nesting_ = 1, statements_left_ = 0, loops_ = 0, loops_used_ = 0;
  unsigned level_ = 0;  // of the statement
  unsigned locks_ = 0;  // sections under a lock so far
  bool lock_may_be_anywhere_ = false;
  std::size_t marks_begin_ = 0;  // in the text: behind the prologue
  unsigned predictions_ = 0;     // of this function
  bool is_predicted_ = false, has_point_ = false;
  bool peels_ = false;
  bool jumps_ = false, exits_ = false, full_warps_ = false, counts_ = false, follows_order_ = false;
};

}  // namespace

const char* name_of(Construct construct) {
  constexpr const char* Names[] = {"guarded exit, top level",
                                   "guarded exit, depth 1",
                                   "guarded exit, depth 2",
                                   "guarded exit, depth 3 or more",
                                   "guarded exit in a loop",
                                   "guarded exits in all nested paths",
                                   "fence",
                                   "fence in divergent code",
                                   "volatile load",
                                   "volatile store",
                                   "atomic, result used",
                                   "atomic, result unused",
                                   "reduction",
                                   "atomic in shared memory",
                                   "atomic in a loop",
                                   "ticket",
                                   "branch on a ticket",
                                   "lock taken by one lane",
                                   "lock in a loop",
                                   "lock in divergent code"};
  static_assert(std::size(Names) == Constructs);
  return Names[static_cast<unsigned>(construct)];
}

unsigned max_nesting(const DesignPoint& point) {
  return std::min((point.spe_depth - 1) / 2, point.dpe_depth - 1);
}

namespace {

RandomProgram without_trap_sides(std::uint64_t seed, Flavour flavour) {
  if (flavour == Flavour::Affine) return random_affine_program(seed);
  if (flavour == Flavour::Exits) return random_exit_program(seed);
  if (flavour == Flavour::Predictions) {
    constexpr Flavour Of[] = {Flavour::ControlFlow, Flavour::ControlFlow,     Flavour::ControlFlow,
                              Flavour::ControlFlow, Flavour::Synchronisation, Flavour::Synchronisation,
                              Flavour::Language,    Flavour::Language};
    const std::uint64_t which = seed / 2 % std::size(Of);
    const DesignPoint& point = which == 3 ? point::tiny::Values : point::hpca13::Values;
    return Generator(seed, point, Of[which], seed % 2 == 0 ? Marks::Legal : Marks::Misplaced).random(seed);
  }
  const DesignPoint& point =
      seed % 4 == 3 && flavour != Flavour::Language ? point::tiny::Values : point::hpca13::Values;
  return Generator(seed, point, flavour).random(seed);
}

}  // namespace

RandomProgram random_program(std::uint64_t seed, Flavour flavour) {
  RandomProgram program = without_trap_sides(seed, flavour);
  return seed % 4 == 2 && program.marks == Marks::None ? with_trap_sides(std::move(program)) : program;
}

RandomProgram peeling_program(std::uint64_t seed, const DesignPoint& point, unsigned levels) {
  return Generator(seed, point).peeling(seed, levels);
}

}  // namespace heddle::tests
