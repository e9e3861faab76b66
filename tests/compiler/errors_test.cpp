// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses, and that it says where and why.
#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace ptx = heddle::ptx;

namespace {

std::string error_of(const std::string& statement) {
  const std::string text =
      ".extern .shared .align 4 .b8 dynamic[];\n.global .u32 counter; .extern .global .u32 elsewhere; .global .texref "
      "image;\n.visible .entry "
      "k(.param .u64 p)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" +
      statement + "\n}\n";
  try {
    compiler::compile(ptx::parse(text, "file.ptx"), "k");
  } catch (const ptx::Error& error) { return error.what(); }
  return "no error";
}

void expect_error(const std::string& statement, unsigned column, const std::string& message) {
  const std::string found = error_of(statement);
  const std::string expected = "file.ptx:8:" + std::to_string(column) + ": " + message;
  BOOST_TEST(found.substr(0, expected.size()) == expected, found);
  BOOST_TEST(found.find("\n" + statement + "\n") != std::string::npos, found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(opcodes_and_suffixes) {
  expect_error("add.sat.u32 %r1, %r1, %r2;", 1, "opcode add.sat.u32 is not supported");
  expect_error("fma.f32 %r1, %r1, %r2, %r3;", 1, "opcode fma.f32 is not supported");
  expect_error("add.rn.ftz.f64 %rd1, %rd1, %rd2;", 1, "opcode add.rn.ftz.f64 is not supported");
  expect_error("add.f16 %r1, %r1, %r2;", 1, "opcode add.f16 is not supported");
  expect_error("call f;", 6, "function f is not declared");
  expect_error("bra.far L;", 1, "opcode bra.far is not supported");
  expect_error("st.const.u32 [%rd1], %r1;", 1, "opcode st.const.u32 is not supported: .const memory is not written");
  expect_error("atom.const.add.u32 %r1, [%rd1], 1;", 1, "opcode atom.const.add.u32 is not supported: .const memory");
  expect_error("ld.shared::cluster.u32 %r1, [%rd1];", 1,
               "opcode ld.shared::cluster.u32 is not supported: suffix .shared::cluster");
  expect_error("ld.global.L2::cache_hint.u32 %r1, [%rd1];", 1,
               "opcode ld.global.L2::cache_hint.u32 is not supported: suffix .L2::cache_hint");
  expect_error("cvta.shared.u32 %r1, %r2;", 1, "opcode cvta.shared.u32 is not supported");
  expect_error("brkpt;", 1, "opcode brkpt is not supported");
  expect_error("ld.global %r1, [%rd1];", 1, "opcode ld.global: expected a type");
  expect_error("atom.global.max.f32 %r1, [%rd1], %r2;", 1,
               "opcode atom.global.max.f32 is not supported: only 32- and 64-bit integers, .add of f32 and f64");
  expect_error("atom.global.add.noftz.f16 %r1, [%rd1], %r2;", 1,
               "opcode atom.global.add.noftz.f16 is not supported: suffix .noftz");
  expect_error("red.global.add.f16x2 [%rd1], %r2;", 1, "opcode red.global.add.f16x2 is not supported: suffix .f16x2");
  expect_error("atom.global.add.u16 %r1, [%rd1], %r2;", 1, "opcode atom.global.add.u16 is not supported");
  expect_error("atom.cas.b128 %rd1, [%rd1], %rd2, %rd3;", 1, "opcode atom.cas.b128 is not supported: suffix .b128");
  expect_error("atom.global.v2.add.f32 %r1, [%rd1], %r2;", 1, "opcode atom.global.v2.add.f32 is not supported");
  expect_error("red.async.add.u32 [%rd1], %r2, [%rd2];", 1, "opcode red.async.add.u32 is not supported: suffix .async");
  expect_error("multimem.red.add.u32 [%rd1], %r2;", 1, "opcode multimem.red.add.u32 is not supported");
  expect_error("atom.global.u32 %r1, [%rd1], %r2;", 1, "opcode atom.global.u32: expected an operation");
}

BOOST_AUTO_TEST_CASE(operands) {
  expect_error("add.s32 %r1, %r2;", 1, "add.s32: expected 3 operands, found 2");
  expect_error("add.s32 %r1, %rd2, %r1;", 14, "expected a register of at most 32 bits, found %rd2");
  expect_error("add.s64 %rd1, %rd2, %r1;", 21, "expected a 64-bit register, found %r1");
  expect_error("add.s32 %r9, %r1, %r1;", 9, "expected a register of at most 32 bits; %r9 is not declared");
  expect_error("mov.u32 %r1, %envreg3;", 14,
               "expected a register of at most 32 bits; %envreg3 is not declared or not supp");
  expect_error("mov.u64 %rd1, %clock;", 15, "%clock is 32 bits wide");
  expect_error("st.global.u32 [%rd1], %clock;", 23, "expected a register, found %clock");
  expect_error("add.s32 1, %r1, %r1;", 9, "expected a register of at most 32 bits");
  expect_error("cvt.s64.s32 %r1, %rd2;", 13, "expected a 64-bit register, found %r1");
  expect_error("cvt.s32.s64 %r1, %r2;", 18, "expected a 64-bit register, found %r2");
  expect_error("cvt.s32.s16 %p1, %r2;", 13, "expected a register of at most 32 bits, found %p1");
  expect_error("ld.global.u32 %p1, [%rd1];", 15, "expected a register of at most 32 bits, found %p1");
  expect_error("ld.global.u64 %r1, [%rd1];", 15, "expected a 64-bit register, found %r1");
  expect_error("st.global.u32 [%rd1], %p1;", 23, "expected a register of at most 32 bits, found %p1");
  expect_error("and.pred %p1, %p2, %r1;", 20, "expected a predicate register, found %r1");
  expect_error("@%r1 add.s32 %r1, %r1, %r1;", 6, "expected a predicate register, found %r1");
  expect_error("mov.u32 %r1, !%r2;", 14, "only a predicate can be negated");
  expect_error("ld.global.u32 %r1, %rd1;", 20, "expected an address in brackets");
  expect_error("ld.global.v2.u32 %r1, [%rd1];", 18, "expected a vector of 2 elements");
  expect_error("ld.global.u32 %r1, [unknown];", 20, "unknown is not declared");
  expect_error("ld.param.u64 %rd1, [q];", 20, "expected [parameter] or [parameter+offset]");
  expect_error("ld.param.u64 %rd1, [p+4];", 20, "expected an offset inside the 8 bytes of the parameter");
  expect_error("bfi.b32 %r1, %r2, %r3, 4;", 1, "bfi.b32: expected 5 operands, found 4");
  expect_error("bfi.b32 %r1, %r2, %r3, %rd1, 4;", 24, "expected a register of at most 32 bits, found %rd1");
  expect_error("lop3.b32 %r1, %r2, %r3, %r1, %r2;", 30, "expected a table from 0 to 255");
  expect_error("lop3.b32 %r1, %r2, %r3, %r1, 256;", 30, "expected a table from 0 to 255");
  expect_error("addc.u32 %r1, %r2, %r3, %r3;", 1, "addc.u32: expected 3 operands, found 4");
  expect_error("madc.lo.u32 %r1, %r2, %r3;", 1, "madc.lo.u32: expected 4 operands, found 3");
  expect_error("mad.hi.cc.u64 %rd1, %r2, %rd1, %rd2;", 21, "expected a 64-bit register, found %r2");
  expect_error("mov.b32 {%r1, %r2, %r3, %r1}, %r2;", 9, "only vectors of two parts, or of four of 16 bits");
  expect_error("add.u32 %r1, %r2+4, 1;", 14, "%r2 is no variable: nothing can be added to it here");
  expect_error("mov.u32 %r1, %tid.x+1;", 14, "%tid.x is no variable");
  expect_error("bra L+4; L: ret;", 5, "L is no variable");
  expect_error("mov.u64 %rd1, elsewhere;", 15, "variable elsewhere is not defined in this file");
  expect_error("mov.u32 %r1, counter;", 14, "the address of counter needs a 64-bit register");
  expect_error("mov.u32 %r1, p;", 14, "the address of p needs a 64-bit register");
  expect_error("ld.shared.u32 %r1, [counter];", 20, "counter lies in global memory, expected shared");
  expect_error("ld.global.u32 %r1, [dynamic];", 20, "dynamic lies in shared memory, expected global");
  expect_error("prefetch.global.L1 [%rd9];", 20, "%rd9 is not declared");
  expect_error(".shared .b64 much[0x40000000]; ld.shared.u64 %rd1, [much];", 14,
               ".shared variables of 8589934592 bytes, expected at most 1073741824");
}

BOOST_AUTO_TEST_CASE(textures) {
  for (const char* const opcode :
       {"tex.3d.v4.f32.f32", "tex.a2d.v4.f32.f32", "tex.cube.v4.f32.f32", "tex.2dms.v4.f32.s32",
        "tex.level.2d.v4.f32.f32", "tex.grad.2d.v4.f32.f32", "tex.base.2d.v4.f32.f32", "tex.2d.v2.f16x2.f32",
        "tex.1d.v4.f16.s32", "tld4.r.2d.v4.f32.f32", "txq.width.b32", "suld.b.1d.v4.b32.trap", "sust.b.2d.b32.clamp"}) {
    const std::string name = opcode;
    expect_error(name + " {%r1, %r2, %r3, %r0}, [image, {%r1, %r2}];", 1, "opcode " + name + " is not supported");
  }
  const std::string fetch = "tex.2d.v4.f32.s32 ", results = "{%r0, %r1, %r2, %r3}, ";
  expect_error(fetch + "{%r0, %r1, %r2, %r3};", 1, "tex.2d.v4.f32.s32: expected 2 operands, found 1");
  expect_error(fetch + results + "[image, {%r1, %r2}], 3;", 1, "tex.2d.v4.f32.s32: expected 2 operands, found 3");
  expect_error(fetch + "%r0, [image, {%r1, %r2}];", 19, "expected a vector of 4 elements");
  expect_error(fetch + "{%r0, %r1}, [image, {%r1, %r2}];", 19, "expected a vector of 4 elements");
  expect_error(fetch + "{%r0, %r1, %r2, %rd1}, [image, {%r1, %r2}];", 35,
               "expected a register of at most 32 bits, found");
  expect_error(fetch + "{%r0, %r1, %r2, %r9}, [image, {%r1, %r2}];", 35, "expected a register of at most 32 bits; %r9");
  expect_error(fetch + results + "[image];", 41, "expected [texture, {coordinates}]");
  expect_error(fetch + results + "[16, {%r1, %r2}];", 41, "expected [texture, {coordinates}]");
  expect_error(fetch + results + "[image, {%r1}];", 41, "expected 2 or 4 coordinates, found 1");
  expect_error(fetch + results + "[image, {%r1, %rd2}];", 55, "expected a register of at most 32 bits, found %rd2");
  expect_error(fetch + results + "[%r1, {%r1, %r2}];", 41, "expected a texture or a 64-bit register, found %r1");
  expect_error(fetch + results + "[counter, {%r1, %r2}];", 41, "counter is no texture");
  expect_error(fetch + results + "[dynamic, {%r1, %r2}];", 41, "dynamic lies in shared memory, expected global");
  expect_error(fetch + results + "[nothing, {%r1, %r2}];", 41, "nothing is not declared");
  expect_error("ld.global.u32 %r1, [image];", 20, "image is a texture");
  expect_error("ld.global.u32 %r1, [%rd1, {%r2}];", 20, "expected an address in brackets");
  expect_error(".param .b32 q; ld.param.u32 %r1, [q, {%r2}];", 34, "expected [parameter] or [parameter+offset]");
  expect_error(fetch + results + "[image, sampler, {%r1, %r2}];", 56, "expected ']', found ','");
  expect_error(".global .texref inner;", 9, "variables of type .texref are not supported here");
}

BOOST_AUTO_TEST_CASE(initial_values) {
  const auto message_of = [](const std::string& line) {
    try {
      compiler::compile(ptx::parse(line + "\n.entry k() { ret; }", "file.ptx"), "k");
    } catch (const ptx::Error& error) {
      return std::string(error.what()).substr(0, std::string(error.what()).find('\n'));
    }
    return std::string("no error");
  };
  BOOST_TEST(message_of(".global .u64 a = nothing;") ==
             "file.ptx:1:18: expected a number, a function, or a variable in .global or .const memory, found nothing");
  BOOST_TEST(message_of(".shared .b8 s[4]; .global .u64 a = s;").find("1:36: expected a number, a function") == 9U);
  BOOST_TEST(message_of(".global .u32 a; .global .u32 b = a;") ==
             "file.ptx:1:34: an address needs an element of 64 bits");
  BOOST_TEST(message_of(".global .u32 a; .const .u32 a;") == "file.ptx:1:29: variable a is defined twice");
  BOOST_TEST(message_of(".global .align 512 .u32 a;") == "file.ptx:1:25: expected an alignment of at most 256");
  BOOST_TEST(message_of(".global .b64 a[0x10000000];") ==
             "file.ptx:1:14: a has 2147483648 bytes, expected at most 1073741824");
  BOOST_TEST(message_of(".global .texref a; .global .u64 b = a;") ==
             "file.ptx:1:37: the address of texture a is not supported here");
  BOOST_TEST(message_of(".global .samplerref a;") == "file.ptx:1:9: variables of type .samplerref are not supported");
  BOOST_TEST(message_of(".global .surfref a;") == "file.ptx:1:9: variables of type .surfref are not supported");
  BOOST_TEST(message_of(".const .texref a;").find("1:8: variables of type .texref are not supported here") == 9U);
  BOOST_TEST(message_of(".global .texref a[4];").find("1:18: expected ',' or ';': arrays and initial values of") == 9U);
  BOOST_TEST(message_of(".global .u64 a = b, b[2] = {a+8, generic(a)}; .const .b8 c[4] = {1, 2};") == "no error");
}

BOOST_AUTO_TEST_CASE(control) {
  expect_error("bra NOWHERE;", 5, "label NOWHERE is not defined");
  expect_error("L: L: ret;", 4, "label L is defined twice");
  expect_error("bar.sync 16;", 10, "expected a barrier number from 0 to 15");
}

BOOST_AUTO_TEST_CASE(warps_and_barriers) {
  expect_error("bar.sync 0, 64, 1;", 1, "bar.sync: expected 1 or 2 operands, found 3");
  expect_error("bar.arrive 0;", 1, "bar.arrive: expected 2 operands, found 1");
  expect_error("bar.red.popc.u32 %r1, 0;", 1, "bar.red.popc.u32: expected 3 or 4 operands, found 2");
  expect_error("bar.red.popc.u32 %r1, 0, %r2;", 26, "expected a predicate register, found %r2");
  expect_error("bar.red.and.pred %r1, 0, %p1;", 18, "expected a predicate register, found %r1");
  expect_error("bar.red.min.u32 %r1, 0, %p1;", 1, "opcode bar.red.min.u32 is not supported");
  expect_error("bar.sync %rd1;", 10, "expected a register of at most 32 bits, found %rd1");
  expect_error("barrier.cluster.arrive;", 1, "opcode barrier.cluster.arrive is not supported");
  expect_error("shfl.sync.down.b32 %r1, %r2, 1, 31;", 1, "shfl.sync.down.b32: expected 5 operands, found 4");
  expect_error("shfl.down.b32 %r1|%r2, %r2, 1, 31;", 19, "expected a predicate register, found %r2");
  expect_error("shfl.sync.down.b64 %rd1, %rd2, 1, 31, -1;", 1, "opcode shfl.sync.down.b64 is not supported");
  expect_error("vote.sync.ballot.b32 %r1, %r2, -1;", 27, "expected a predicate register, found %r2");
  expect_error("vote.sync.any.pred %p1|%p2, %p3, -1;", 20, "expected one register, found two");
  expect_error("match.any.sync.b32 %r1|%p1, %r2, -1;", 20, "expected one register, found two");
  expect_error("match.all.sync.b64 %r1, %r2, -1;", 25, "expected a 64-bit register, found %r2");
  expect_error("redux.sync.min.f32 %r1, %r2, -1;", 1, "opcode redux.sync.min.f32 is not supported");
  expect_error("bar.warp.sync;", 1, "bar.warp.sync: expected 1 operands, found 0");
  expect_error("activemask.b32 %p1;", 16, "expected a register of at most 32 bits, found %p1");
}

BOOST_AUTO_TEST_CASE(entries) {
  const ptx::Module module = ptx::parse(".entry a() { ret; }\n.entry b() { ret; }", "file.ptx");
  try {
    compiler::compile(module, "c");
    BOOST_ERROR("no error");
  } catch (const std::invalid_argument& error) {
    BOOST_TEST(error.what() == std::string("file.ptx: no entry 'c'; entries: a, b"));
  }
  BOOST_CHECK_THROW(compiler::compile(module, ""), std::invalid_argument);
  BOOST_TEST(compiler::compile(module, "b").name == "b");
}
