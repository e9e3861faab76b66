// SPDX-License-Identifier: Apache-2.0
// What an affine warp computes (DAC sec. 3, 4.1), instruction by instruction, and why not.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/compiler/code/virtual_listing.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/explanation.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
using compiler::AffineKind;
using compiler::Decoupled;

namespace {

compiler::AffineExplanation explained(const std::string& body, const compiler::CompileOptions& options = {}) {
  return compiler::explain_affine(
      heddle::ptx::parse(
          ".visible .entry k(.param .u64 A, .param .u64 B, .param .u32 dim, .param .u32 num) {\n"
          ".reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %t, %c, %i, %n, %x, %r<8>; .reg .b64 %a, %b, %d<8>;\n" +
              body + "\n}\n",
          "file.ptx"),
      "k", options);
}

/// Of an entry of tests/ptx/dac_streams.ptx.
compiler::AffineExplanation explained_entry(const std::string& name) {
  return compiler::explain_affine(heddle::ptx::parse_file(HEDDLE_PTX_SOURCES "/dac_streams.ptx"), name, {});
}

/// Registers that the cases begin with: the thread's index, the block's, a parameter, and two arrays.
const std::string Start =
    "mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; ld.param.u32 %n, [num]; ld.param.u64 %a, [A]; ld.param.u64 %b, [B];\n";

/// The last instruction of `body` that writes something.
compiler::Decoupling last_of(const std::string& body) {
  const compiler::AffineExplanation e = explained(Start + body + "\nst.global.u32 [%a], %x; ret;");
  compiler::Decoupling last;
  for (heddle::isa::Pc pc = 0; pc < e.code.code.size(); ++pc)
    if (e.code.code[pc].body.kind != heddle::isa::Kind::Store && e.decoupling.instructions[pc].kind != AffineKind::None)
      last = e.decoupling.instructions[pc];
  return last;
}

std::string value_of(const std::string& body) {
  const compiler::Decoupling last = last_of(body);
  return last.kind == AffineKind::Other ? last.why : to_string(last.kind);
}

/// The decoupling of the only load or store of `body`, which is not there in Start.
compiler::Decoupling access_of(const std::string& body, heddle::isa::Kind kind = heddle::isa::Kind::Load) {
  const compiler::AffineExplanation e = explained(Start + body + "\nret;");
  for (heddle::isa::Pc pc = 0; pc < e.code.code.size(); ++pc)
    if (e.code.code[pc].body.kind == kind) return e.decoupling.instructions[pc];
  BOOST_FAIL("no access");
  return {};
}

std::string why_not_split(const std::string& body) {
  return explained(Start + body + "\nret;").decoupling.why_not;
}

/// An address that is affine in the thread's index.
const std::string Address = "mul.wide.u32 %d0, %t, 4; add.u64 %d1, %a, %d0;\n";

}  // namespace

/// Fig. 4 (b): all but the sum of what was loaded is affine, and Fig. 7 decouples the load, the store and the branch.
BOOST_AUTO_TEST_CASE(fig_4_and_7) {
  const compiler::AffineExplanation e = explained_entry("fig_4");
  std::string found;
  for (heddle::isa::Pc pc = 0; pc < e.code.code.size(); ++pc) {
    const compiler::Decoupling& one = e.decoupling.instructions[pc];
    const char* const streams[] = {"", "", " enq.data", " enq.addr", " enq.pred"};
    if (one.kind != AffineKind::None) found += to_string(one.kind) + streams[static_cast<unsigned>(one.how)] + "; ";
  }
  BOOST_TEST(found ==
             "scalar; scalar; scalar; scalar; "  // parameters
             "block; scalar; affine; "           // blockIdx.x, blockDim.x, threadIdx.x
             "block; affine; affine; affine; affine; scalar; "
             "affine enq.data; other; affine enq.addr; "
             "scalar; scalar; affine; affine; scalar; scalar enq.pred; ");
  BOOST_TEST(e.decoupling.why_not == "");
}

BOOST_AUTO_TEST_CASE(what_keeps_a_tuple) {
  BOOST_TEST(value_of("add.u32 %x, %n, 3;") == "scalar");
  BOOST_TEST(value_of("div.u32 %x, %n, 3;") == "scalar");  // on the base
  BOOST_TEST(value_of("add.u32 %x, %c, %n;") == "block");
  BOOST_TEST(value_of("sub.u32 %x, %n, %t;") == "affine");
  BOOST_TEST(value_of("mul.lo.u32 %x, %n, %t;") == "affine");
  BOOST_TEST(value_of("shl.b32 %x, %t, 2;") == "affine");
  BOOST_TEST(value_of("shl.b32 %x, %t, %n;") == "affine");
  BOOST_TEST(value_of("mad.lo.s32 %x, %c, 64, %t;") == "affine");
  BOOST_TEST(value_of("cvt.s64.s32 %d0, %t; cvt.u32.u64 %x, %d0;") == "affine");
  BOOST_TEST(value_of("setp.lt.s32 %p, %t, %n;") == "comparison");
  BOOST_TEST(value_of("setp.lt.s32 %p, %t, %c;") == "comparison");
  BOOST_TEST(value_of("setp.lt.s32 %p, %n, 5;") == "scalar");
}

BOOST_AUTO_TEST_CASE(what_keeps_none_and_why) {
  BOOST_TEST(value_of("and.b32 %x, %t, 31;") == "no operation on tuples");
  BOOST_TEST(value_of("mul.lo.u32 %x, %t, %c;") == "a product of values that both differ between threads");
  BOOST_TEST(value_of("shl.b32 %x, %n, %t;") == "a product of values that both differ between threads");
  BOOST_TEST(value_of("setp.lt.s32 %p, %t, %t;") == "a comparison of two values that both differ within a block");
  BOOST_TEST(value_of("cvt.u64.u32 %d0, %t; setp.lt.u64 %p, %d0, 7;") == "it takes 64 bits, and a tuple has 32");
  BOOST_TEST(value_of("cvt.u64.u32 %d0, %n; shr.u64 %d0, %d0, 3;") == "it takes 64 bits, and a tuple has 32");
  BOOST_TEST(value_of("cvt.u16.u32 %h0, %t; add.u16 %h1, %h0, 1;") == "computed from what is no tuple");
  BOOST_TEST(value_of("cvt.u16.u32 %h0, %t;") == "cut to 8 or 16 bits");
  BOOST_TEST(value_of("ld.global.u32 %i, [%a]; add.u32 %x, %i, 1;") == "computed from what is no tuple");
  BOOST_TEST(value_of("atom.global.add.u32 %x, [%a], 1;") == "given by an atomic");
  BOOST_TEST(value_of("mov.u32 %x, %laneid;") ==
             "a register that differs in another way, such as a lane's number or a clock");
  BOOST_TEST(value_of("setp.lt.s32 %p, %t, %n; selp.u32 %x, 1, 2, %p;") ==
             "computed from a predicate that differs between threads");
}

/// Tuples have no lane mask.
BOOST_AUTO_TEST_CASE(where_threads_part_tuples_end) {
  const std::string apart = "mov.u32 %x, 1; setp.lt.s32 %p, %t, %n;\n",
                    together = "mov.u32 %x, 1; setp.lt.s32 %p, %n, 7;\n";
  BOOST_TEST(value_of(apart + "@%p mov.u32 %x, 2;") == "written under a guard that differs between threads");
  BOOST_TEST(value_of(together + "@%p mov.u32 %x, 2;") == "scalar");
  const std::string side = "@%p bra L;\nmov.u32 %x, 2;\nL: add.u32 %x, %x, 1;";
  BOOST_TEST(value_of(apart + side) == "computed from what is no tuple");
  BOOST_TEST(value_of(together + side) == "scalar");
  BOOST_TEST(value_of(apart + "@%p bra L;\nmov.u32 %i, 2;\nL: add.u32 %x, %t, 1;") == "affine");  // another register
  // Left in different turns, i is another one for each thread; in the loop it is the same for all that are there.
  const std::string loop = "mov.u32 %i, 0;\nH: add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, ";
  BOOST_TEST(value_of(loop + "%t;\n@%p bra H;\nadd.u32 %x, %i, 1;") == "computed from what is no tuple");
  BOOST_TEST(value_of(loop + "%n;\n@%p bra H;\nadd.u32 %x, %i, 1;") == "scalar");
}

BOOST_AUTO_TEST_CASE(which_accesses_are_decoupled) {
  BOOST_TEST((access_of(Address + "ld.global.u32 %x, [%d1+4];").how == Decoupled::Data));
  BOOST_TEST((access_of(Address + "ld.global.s8 %x, [%d1];").how == Decoupled::Data));
  BOOST_TEST((access_of(Address + "st.global.u32 [%d1], %x;", heddle::isa::Kind::Store).how == Decoupled::Address));
  const auto why = [](const std::string& body) { return access_of(Address + body).why; };
  BOOST_TEST(why("ld.global.u64 %d2, [%d1];") == "8 bytes");
  BOOST_TEST(why("ld.volatile.global.u32 %x, [%d1];") == "volatile");
  BOOST_TEST(why("ld.u32 %x, [%d1];") == "a generic address, which may be of any memory");
  BOOST_TEST(why("cvt.u32.u64 %i, %d1; ld.shared.u32 %x, [%i];") == "shared memory");
  BOOST_TEST(why("ld.global.u32 %x, [%d0];") == "its address: no pointer that is a parameter, plus a tuple");
  BOOST_TEST(why("add.u64 %d2, %a, %b; ld.global.u32 %x, [%d2];") ==
             "its address: no pointer that is a parameter, plus a tuple");
  BOOST_TEST(why("cvt.u32.u64 %i, %d1; cvt.u64.u32 %d2, %i; ld.global.u32 %x, [%d2];") ==  // half of a pointer
             "its address: no pointer that is a parameter, plus a tuple");
  BOOST_TEST(why("and.b64 %d2, %d1, 15; ld.global.u32 %x, [%d2];") ==
             "its address: it takes 64 bits, and a tuple has 32");
  BOOST_TEST(why("setp.lt.s32 %p, %t, %n; @%p ld.global.u32 %x, [%d1];") == "under a guard");
  BOOST_TEST(why("add.u64 %d1, %d1, 2; ld.global.u32 %x, [%d1];") == "its address may be no multiple of 4");
  BOOST_TEST(why("cvt.s64.s32 %d2, %n; add.u64 %d1, %d1, %d2; ld.global.u16 %h0, [%d1];") ==
             "its address may be no multiple of 2");
  BOOST_TEST(why("cvt.s64.s32 %d2, %n; add.u64 %d1, %d1, %d2; ld.global.u8 %h0, [%d1];") == "");
  BOOST_TEST(why("membar.gl; ld.global.u32 %x, [%d1];") == "behind a fence");
  BOOST_TEST(why("ld.global.u32 %x, [%d1]; membar.gl;") == "");
  BOOST_TEST(why("ld.global.u32 %x, [%d1];\nred.global.add.u32 [%b], 1;") ==
             "the atomic in line 6 may write what it reads");
}

BOOST_AUTO_TEST_CASE(which_kernels_are_not_split) {
  const std::string load = Address + "ld.global.u32 %x, [%d1]; st.global.u32 [%d1+64], %x;\n";
  BOOST_TEST(why_not_split(load) == "");
  BOOST_TEST(why_not_split(load + "bar.sync 0;") == "");
  BOOST_TEST(why_not_split(load + "bar.sync 1;") == "the barrier in line 6 is not bar.sync 0 of the whole block");
  BOOST_TEST(why_not_split("mov.u32 %x, 1;") == "it has no load and no store that is decoupled");
  BOOST_TEST(why_not_split(load + "H: ld.volatile.global.u32 %x, [%a];\nsetp.eq.u32 %p, %x, 0;\n@%p bra H;") ==
             "the loop in line 6 may wait for another thread: an atomic or a volatile load lets threads leave it");
}

// ---- both streams ----

namespace {

/// "affine stream | warps", instructions separated by semicolons, as texts.
std::string streams_of(const compiler::AffineExplanation& e) {
  if (!e.streams) return e.decoupling.why_not;
  std::string text;
  for (const compiler::VirtualCode* stream : {&e.streams->affine, &e.streams->warps}) {
    if (!text.empty()) text += "| ";
    for (const std::string& one : compiler::texts_of(*stream)) text += one + "; ";
  }
  return text;
}

std::string streams_of(const std::string& body) {
  return streams_of(explained(body));
}

const std::string Thread = "mov.u32 %t, %tid.x; ld.param.u64 %a, [A];\nmul.wide.u32 %d0, %t, 4; add.u64 %a, %a, %d0;\n";
const std::string InStream =
    "mov.u32 %t <- %tid.x; ld %a <- param[0:8]; mul.wide.u32 %d0 <- %t, 4; add.u64 %a <- %a, %d0; ";

}  // namespace

/// Fig. 1: C = A + B is one addition of tuples, on the affine warp; a thread's lanes have none of the three.
BOOST_AUTO_TEST_CASE(fig_1) {
  BOOST_TEST(streams_of(R"(mov.u32 %t, %tid.x;
mad.lo.u32 %c, %t, 4, 0x100;
mov.u32 %n, 0x200;
add.u32 %x, %c, %n;
ld.param.u64 %a, [A]; cvt.u64.u32 %d0, %x; add.u64 %a, %a, %d0;
ld.global.u32 %r2, [%a];
add.u32 %r2, %r2, 1;
st.global.u32 [%a], %r2;
ret;)") == "mov.u32 %t <- %tid.x; mad.lo.u32 %c <- %t, 4, 256; mov.u32 %n <- 512; add.u32 %x <- %c, %n; "
           "ld %a <- param[0:8]; cvt.u64.u32 %d0 <- %x; add.u64 %a <- %a, %d0; enq.data [%a+0]; enq.addr [%a+0]; ret; "
           "| ld.global.u32 %r2 <- [deq.data]; add.u32 %r2 <- %r2, 1; st.global.u32 [deq.addr], %r2; ret; ");
}

/// Fig. 7, up to the names of registers.
BOOST_AUTO_TEST_CASE(fig_7) {
  BOOST_TEST(streams_of(explained_entry("fig_7")) ==
             "mul.lo.u32 %r0 <- %ctaid.x, %ntid.x; add.u32 %r1 <- %tid.x, %r0; mul.wide.u32 %d0 <- %r1, 4; "
             "ld %a <- param[0:8]; add.u64 %a <- %a, %d0; ld %b <- param[8:8]; add.u64 %b <- %b, %d0; "
             "mov.u32 %i <- 0; enq.data [%a+0]; enq.addr [%b+0]; add.u32 %i <- %i, 1; ld %n <- param[20:4]; "
             "mul.wide.u32 %d1 <- %n, 4; add.u64 %a <- %d1, %a; add.u64 %b <- %d1, %b; ld %x <- param[16:4]; "
             "setp.ne.u32 %p <- %x, %i; enq.pred %p; @%p bra -> 8 (rpc 19); ret; "
             "| ld.global.u32 %r2 <- [deq.data]; add.u32 %r2 <- %r2, 1; st.global.u32 [deq.addr], %r2; "
             "@deq.pred bra -> 0 (rpc none); ret; ");
}

/// What has no enq, barrier or exit is not in the affine stream: neither the branch nor what it is computed from.
BOOST_AUTO_TEST_CASE(regions_without_an_enq_are_cut_out) {
  const std::string found = streams_of(Thread + R"(ld.global.u32 %x, [%a];
setp.lt.u32 %p, %t, 7;
@%p bra L;
add.u32 %x, %x, 1;
L: st.global.u32 [%a], %x; ret;)");
  BOOST_TEST(found ==
             InStream + "enq.data [%a+0]; enq.addr [%a+0]; ret; " +
                 "| mov.u32 %t <- %tid.x; ld.global.u32 %x <- [deq.data]; setp.lt.u32 %p <- %t, 7; @%p bra -> 5 "
                 "(rpc none); add.u32 %x <- %x, 1; st.global.u32 [deq.addr], %x; ret; ");
}

/// What decides the outcome that a branch of the affine stream takes.
BOOST_AUTO_TEST_CASE(who_decides_a_branch) {
  const auto outcome_of = [](const std::string& predicate) {
    const compiler::AffineExplanation e = explained(Thread + "ld.param.u32 %n, [num]; ld.global.u32 %x, [%a];\n" +
                                                    predicate + "\n@%p bra L;\nst.global.u32 [%a+64], %x;\nL: ret;");
    BOOST_REQUIRE(e.streams.has_value());
    for (const auto& one : e.streams->affine.code)
      if (one.body.outcome != heddle::isa::OutcomeFrom::None) return static_cast<int>(one.body.outcome);
    return 0;
  };
  BOOST_TEST(outcome_of("setp.eq.u32 %p, %n, 1;") == static_cast<int>(heddle::isa::OutcomeFrom::Itself));
  BOOST_TEST(outcome_of("setp.lt.u32 %p, %t, %n;") == static_cast<int>(heddle::isa::OutcomeFrom::Predicates));
  BOOST_TEST(outcome_of("setp.lt.u32 %p, %x, %n;") == static_cast<int>(heddle::isa::OutcomeFrom::Warps));
}

/// Behind a branch that the warps decide an access may stay with them; what does not depend on it is split as ever, and a
/// barrier that does keeps the kernel whole.
BOOST_AUTO_TEST_CASE(branches_that_the_warps_decide_may_be_left_out) {
  compiler::CompileOptions own;
  own.machine.affine_outcomes = false;
  const std::string told = Thread + Address +
                           "ld.global.u32 %x, [%d1]; setp.lt.u32 %p, %x, 7;\n@%p bra L;\n"
                           "ld.global.u32 %r1, [%d1+512]; st.global.u32 [%d1+1024], %r1;\nL: ";
  const compiler::AffineExplanation both = explained(told + "ret;"), left = explained(told + "ret;", own);
  const auto accesses = [](const compiler::AffineExplanation& e) {
    std::string how;
    for (heddle::isa::Pc pc = 0; pc < e.code.code.size(); ++pc) {
      const heddle::isa::Instruction& body = e.code.code[pc].body;
      if (body.space != heddle::isa::Space::Global) continue;
      if (body.kind != heddle::isa::Kind::Load && body.kind != heddle::isa::Kind::Store) continue;
      const compiler::Decoupling& one = e.decoupling.instructions[pc];
      how += one.how == Decoupled::No ? "no: " + one.why + ", " : one.how == Decoupled::Data ? "data, " : "address, ";
    }
    return how;
  };
  BOOST_TEST(accesses(both) == "data, data, address, ");
  const std::string why = "no: the warps decide the branch in line 7, ";
  BOOST_TEST(accesses(left) == "data, " + why + why);
  BOOST_REQUIRE(left.streams.has_value());
  for (const auto& one : left.streams->affine.code) BOOST_TEST(!one.is_guarded());
  BOOST_TEST(explained(told + "bar.sync 0; ret;", own).decoupling.why_not == "");
  const std::string barrier =
      Thread + Address + "ld.global.u32 %x, [%d1]; setp.lt.u32 %p, %x, 7;\n@%p bra L;\nbar.sync 0;\nL: ret;";
  BOOST_TEST(explained(barrier).decoupling.why_not == "");
  BOOST_TEST(explained(barrier, own).decoupling.why_not ==
             "a barrier or an exit depends on the branch in line 7, which the warps decide");
}

/// Tuples have no lane mask, so the two sides of a branch may not share what one of them writes.
BOOST_AUTO_TEST_CASE(what_cannot_be_split) {
  const std::string part = Thread + "ld.global.u32 %x, [%a];\nsetp.eq.u32 %p, %x, 0;\n@%p bra L;\n";
  BOOST_TEST(streams_of(part + "ld.global.u32 %i, [%a+8];\nbra.uni M;\nL: add.u64 %a, %a, 4; ld.global.u32 %i, "
                               "[%a];\nM: st.shared.u32 [%i], %i; ret;") ==
             "one side of a branch writes %a, which line 8 reads on the other in line 7");
  BOOST_TEST(
      streams_of(part + "bar.sync 0;\nbra.uni M;\nL: bar.sync 0;\nM: ret;") ==
      "a part of a block may come to the barrier in line 10, and what its other threads want in line 8 stands behind "
      "it: they part at the branch in line 7");
  BOOST_TEST(streams_of(part + "L: setp.eq.u32 %q, %x, 1;\n@%q exit;\nst.global.u32 [%a], %x; ret;") ==
             "an exit under a guard in line 9");
}

/// A register of the affine stream is not given to two values of which one side of a branch needs one while the other
/// writes the other.
BOOST_AUTO_TEST_CASE(both_sides_keep_their_registers) {
  const auto program = compiler::compile(
      heddle::ptx::parse(
          ".visible .entry k(.param .u64 A) {\n.reg .pred %p; .reg .b32 %t, %x; .reg .b64 %a, %b, %d<4>;\n" + Thread +
              R"(ld.global.u32 %x, [%a];
add.u64 %b, %a, %d0;
setp.eq.u32 %p, %x, 0;
@%p bra L;
st.global.u32 [%b], %x;
bra.uni M;
L: add.u64 %d1, %a, 4; add.u64 %d2, %d1, %d0; st.global.u32 [%d1], %x; st.global.u32 [%d2], %x;
M: ret;
})",
          "file.ptx"),
      "k", nullptr, [] {
        compiler::CompileOptions options;
        options.machine.affine = true;
        return options;
      }());
  BOOST_REQUIRE(program.split != nullptr);
  const auto& code = program.split->affine->code;
  // In the last side's stream: the address that the first one (L) must not have overwritten.
  unsigned b = ~0U;
  std::vector<unsigned> written;
  bool in_l = false;
  for (const auto& one : code) {
    if (one.line == 5 + 1 && one.destination.id != heddle::isa::NoRegister) b = one.destination.id;
    in_l = in_l || one.line >= 11;
    if (in_l && !one.destination.is_none()) written.push_back(one.destination.id);
  }
  BOOST_REQUIRE(b != ~0U);
  BOOST_TEST(written.size() == 2U);
  for (const unsigned id : written) BOOST_TEST(id != b);
}

/// A kernel runs whole on an affine warp that has too few registers for it, or too few predicates.
BOOST_AUTO_TEST_CASE(an_affine_warp_has_so_many_registers) {
  const auto module = heddle::ptx::parse(
      ".visible .entry k(.param .u64 A, .param .u32 num) {\n.reg .pred %p, %q; .reg .b32 %t, %n, %x; .reg .b64 %a, "
      "%d<4>;\n"
      "mov.u32 %t, %tid.x; ld.param.u32 %n, [num]; ld.param.u64 %a, [A]; mul.wide.u32 %d0, %t, 4; add.u64 %a, %a, "
      "%d0;\n"
      "setp.lt.u32 %p, %t, %n; setp.lt.u32 %q, %t, 5;\n@%p bra L;\nst.global.u32 [%a+4], 1;\nL: @%q bra M;\n"
      "st.global.u32 [%a], 1;\nM: ret; }",
      "file.ptx");
  compiler::CompileOptions options;
  options.machine.affine = true;
  const auto program = compiler::compile(module, "k", nullptr, options);
  BOOST_REQUIRE(program.split != nullptr);
  const auto& needed = *program.split->affine;
  BOOST_TEST(needed.predicates == 2U);
  const auto why_not = [&](unsigned registers, unsigned predicates) {
    options.machine.affine_registers = registers;
    options.machine.affine_predicates = predicates;
    const auto limited = compiler::compile(module, "k", nullptr, options);
    BOOST_TEST((limited.split == nullptr) == !limited.why_not_split.empty());
    return limited.why_not_split;
  };
  BOOST_TEST(why_not(needed.registers, needed.predicates) == "");
  BOOST_TEST(why_not(needed.registers - 1, needed.predicates) ==
             "it needs more than " + std::to_string(needed.registers - 1) + " tuples at once");
  BOOST_TEST(why_not(needed.registers, 1) == "it needs more than 1 predicates of tuples at once");
}
