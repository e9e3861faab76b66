// SPDX-License-Identifier: Apache-2.0
// Opcodes that become several instructions, run by the oracle: carry chains, bfi with operands in registers, lop3.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <random>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/isa/disassemble.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;

namespace {

__extension__ using Wide = unsigned __int128;
using Words = std::vector<std::uint32_t>;

/// An entry k(.param .u64 p) with the buffer's address in %rd1; its first words are in %r1 to %r8, %p1 is true and %p2
/// is false.
isa::Program program_of(const std::string& body) {
  std::string text = R"(.visible .entry k(.param .u64 p) {
.reg .pred %p<4>; .reg .b32 %r<32>; .reg .b64 %rd<16>;
ld.param.u64 %rd1, [p]; setp.eq.u32 %p1, 0, 0; setp.ne.u32 %p2, 0, 0;
)";
  for (unsigned word = 1; word <= 8; ++word)
    text += fmt::format("ld.global.u32 %r{}, [%rd1+{}];\n", word, 4 * word - 4);
  return heddle::compiler::compile(heddle::ptx::parse(text + body + "\nret; }\n", "file.ptx"), "k");
}

/// The buffer after the run. It has 16 words; those after the input are zero.
Words run(const isa::Program& program, Words buffer) {
  buffer.resize(16, 0);
  gpu::OracleDevice device;
  const std::uint64_t address = gpu::upload(device, buffer);
  gpu::launch(device, program, {1}, {1}, address);
  return gpu::download<std::uint32_t>(device, address, buffer.size());
}

Wide wide_of(const Words& words, std::size_t first) {
  Wide value = 0;
  for (std::size_t index = 4; index-- > 0;) value = value << 32 | words[first + index];
  return value;
}

/// Words that are all zeros or ones as often as not, so that carries run through.
Words random_words(std::mt19937& random) {
  Words words(8);
  for (std::uint32_t& word : words) {
    word = random();
    if (random() % 2 == 0) word = random() % 2 == 0 ? 0 : ~0U;
  }
  return words;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_and_differences_of_128_bits) {
  // In place: each sum overwrites an operand that its carry out needs.
  const char* const body = R"({0}.cc.u32 %r1, %r1, %r5; {0}c.cc.u32 %r2, %r2, %r6;
    {0}c.cc.u32 %r3, %r3, %r7; {0}c.u32 %r4, %r4, %r8;
    st.global.v4.u32 [%rd1+32], {{%r1, %r2, %r3, %r4}};)";
  const isa::Program add = program_of(fmt::format(body, "add")), sub = program_of(fmt::format(body, "sub"));
  std::mt19937 random(1);
  for (unsigned turn = 0; turn < 200; ++turn) {
    const Words words = random_words(random);
    const Wide a = wide_of(words, 0), b = wide_of(words, 4);
    BOOST_TEST((wide_of(run(add, words), 8) == a + b), "turn " << turn);
    BOOST_TEST((wide_of(run(sub, words), 8) == a - b), "turn " << turn);
  }
}

BOOST_AUTO_TEST_CASE(sums_of_128_bits_in_64_bit_halves) {
  const isa::Program program =
      program_of(R"(ld.global.v2.u64 {%rd2, %rd3}, [%rd1]; ld.global.v2.u64 {%rd4, %rd5}, [%rd1+16];
    add.cc.s64 %rd4, %rd2, %rd4; addc.s64 %rd6, %rd3, %rd5; st.global.v2.u64 [%rd1+32], {%rd4, %rd6};)");
  std::mt19937 random(2);
  for (unsigned turn = 0; turn < 200; ++turn) {
    const Words words = random_words(random);
    BOOST_TEST((wide_of(run(program, words), 8) == wide_of(words, 0) + wide_of(words, 4)), "turn " << turn);
  }
}

BOOST_AUTO_TEST_CASE(product_of_64_bits_by_words) {
  // The manual's own example of madc: {r2, r1} * {r4, r3}, all 128 bits.
  const isa::Program program = program_of(R"(mul.lo.u32 %r11, %r1, %r3; mul.hi.u32 %r12, %r1, %r3;
    mad.lo.cc.u32 %r12, %r1, %r4, %r12; madc.hi.u32 %r13, %r1, %r4, 0;
    mad.lo.cc.u32 %r12, %r2, %r3, %r12; madc.hi.cc.u32 %r13, %r2, %r3, %r13; addc.u32 %r14, 0, 0;
    mad.lo.cc.u32 %r13, %r2, %r4, %r13; madc.hi.u32 %r14, %r2, %r4, %r14;
    st.global.v4.u32 [%rd1+32], {%r11, %r12, %r13, %r14};)");
  std::mt19937 random(3);
  for (unsigned turn = 0; turn < 300; ++turn) {
    const Words words = random_words(random);
    const Wide a = wide_of(words, 0);
    const std::uint64_t x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(a >> 64);
    BOOST_TEST((wide_of(run(program, words), 8) == Wide{x} * y), "turn " << turn);
  }
}

// What sub.cc leaves is the carry of an adder that computes a + ~b + 1: 1 where nothing is borrowed (DESIGN 9).
BOOST_AUTO_TEST_CASE(the_carry_after_a_subtraction) {
  const isa::Program program = program_of(R"(sub.cc.u32 %r11, %r1, %r2; addc.u32 %r11, %r3, %r3;
    sub.cc.u32 %r12, %r2, %r1; addc.u32 %r12, %r3, %r3;
    add.cc.u32 %r13, %r3, %r3; subc.u32 %r13, %r3, %r3;
    add.cc.u32 %r14, %r4, %r4; subc.u32 %r14, %r3, %r3;
    st.global.v4.u32 [%rd1+32], {%r11, %r12, %r13, %r14};)");
  const Words found = run(program, {5, 3, 0, ~0U, 0, 0, 0, 0});
  BOOST_TEST(found[8] == 1U);
  BOOST_TEST(found[9] == 0U);
  BOOST_TEST(found[10] == ~0U);
  BOOST_TEST(found[11] == 0U);
}

// Chains of all four opcodes in any order, against one adder that works bit by bit.
BOOST_AUTO_TEST_CASE(mixed_chains) {
  constexpr const char* Opcodes[] = {"add.cc", "addc.cc", "sub.cc", "subc.cc", "addc", "subc"};
  std::mt19937 random(5);
  for (unsigned turn = 0; turn < 100; ++turn) {
    const Words words = random_words(random);
    std::string body;
    Words expected;
    bool carry = false;
    for (unsigned step = 0; step < 8; ++step) {
      const std::string opcode = Opcodes[step == 0 ? 2 * (random() % 2) : random() % std::size(Opcodes)];
      const unsigned a = random() % 8, b = random() % 8;
      body +=
          fmt::format("{}.u32 %r11, %r{}, %r{}; st.global.u32 [%rd1+{}], %r11;\n", opcode, a + 1, b + 1, 32 + 4 * step);
      const bool subtracts = opcode[0] == 's', reads = opcode[3] == 'c';
      bool in = reads ? carry : subtracts;
      std::uint32_t sum = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        const unsigned x = words[a] >> bit & 1, y = (words[b] >> bit & 1) ^ (subtracts ? 1U : 0U);
        const unsigned ones = x + y + (in ? 1 : 0);
        sum |= (ones & 1) << bit;
        in = ones > 1;
      }
      expected.push_back(sum);
      if (opcode.size() > 4) carry = in;  // .cc
    }
    const Words found = run(program_of(body), words);
    BOOST_TEST(Words(found.begin() + 8, found.end()) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_guard_holds_for_the_sum_and_for_the_carry) {
  const isa::Program program = program_of(R"(add.cc.u32 %r11, %r1, %r2; @%p2 add.cc.u32 %r11, %r3, %r3;
    addc.u32 %r12, 0, 0; st.global.u32 [%rd1+32], %r11; st.global.u32 [%rd1+36], %r12;
    mov.u32 %r5, 5; @!%p1 madc.lo.cc.u32 %r5, %r5, %r5, %r5; @%p1 addc.cc.u32 %r6, %r6, %r6; addc.u32 %r7, 0, 0;
    st.global.v2.u32 [%rd1+40], {%r5, %r6}; st.global.u32 [%rd1+48], %r7;)");
  const Words found = run(program, {~0U, 2, 0, 0, 0, 0x80000000U, 0, 0});
  BOOST_TEST(found[8] == 1U);
  BOOST_TEST(found[9] == 1U);  // the carry of the first sum, not of 0 + 0
  BOOST_TEST(found[10] == 5U);
  BOOST_TEST(found[11] == 1U);  // 0x80000000 + 0x80000000 + carry
  BOOST_TEST(found[12] == 1U);
}

BOOST_AUTO_TEST_CASE(the_scoreboard_sees_the_carry) {
  const isa::Program program =
      program_of("add.cc.u32 %r1, %r1, %r2; addc.cc.u32 %r3, %r4, %r5; subc.u32 %r6, %r7, %r8;");
  unsigned writes = 0, reads = 0;
  for (const isa::Instruction& instruction : program.code) {
    writes += instruction.destination.id == isa::CarryId ? 1 : 0;
    const isa::Source& carry = instruction.sources[2];
    reads += carry.kind == isa::Source::Kind::Predicate && carry.index == isa::CarryPredicate ? 1 : 0;
  }
  BOOST_TEST(writes == 2U);
  BOOST_TEST(reads == 3U);  // of addc.cc the sum and the carry out
  const std::string listing = isa::disassemble(program);
  BOOST_TEST(listing.find("addc.cc.u32 carry <- r") != std::string::npos, listing);
  BOOST_TEST(listing.find(", carry\n") != std::string::npos, listing);
}

BOOST_AUTO_TEST_CASE(the_predicate_of_a_shuffle_costs_only_where_it_is_read) {
  const auto instructions = [](const std::string& body) { return program_of(body).code.size(); };
  const std::size_t none = instructions("");
  BOOST_TEST(instructions("shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;") == none + 1);
  BOOST_TEST(instructions("shfl.sync.bfly.b32 %r2|%p3, %r1, 1, 31, -1; shfl.sync.idx.b32 %r3|%p3, %r1, %r2, 31, -1;") ==
             none + 2);
  BOOST_TEST(instructions("shfl.sync.bfly.b32 %r2|%p3, %r1, 1, 31, -1; @%p3 mov.u32 %r2, 0;") == none + 3);
  BOOST_TEST(instructions("shfl.sync.bfly.b32 %r2|_, %r1, 1, %r3, -1;") == none + 2);
  BOOST_TEST(instructions("@%p1 shfl.sync.bfly.b32 %r2|%p1, %r1, 1, 31, -1;") == none + 3);
}

namespace {

/// What a statement leaves in %rd15, of a %rd2 with 0xfedcba98fffffffb, an %r2 of 70000 and an %r3 of -2.75 as f32.
std::uint64_t wide_result(const std::string& statement) {
  const isa::Program program = program_of("mov.u64 %rd2, 0xfedcba98fffffffb; mov.u64 %rd15, -1; mov.u32 %r2, 70000;" +
                                          ("mov.b32 %r3, 0fc0300000;" + statement) + "st.global.u64 [%rd1+32], %rd15;");
  const Words found = run(program, {0x80c0e0f0, 0xffffffff, 0, 0, 0, 0, 0, 0});
  return found[8] | std::uint64_t{found[9]} << 32;
}

}  // namespace

// PTX ISA, "Operand Size Exceeding Instruction-Type Size": a source is cut to the type, a destination is extended by
// the type's sign or with zeros.
BOOST_AUTO_TEST_CASE(registers_wider_than_the_type) {
  BOOST_TEST(wide_result("cvt.s64.s32 %rd15, %rd2;") == 0xfffffffffffffffbU);
  BOOST_TEST(wide_result("cvt.u64.u32 %rd15, %rd2;") == 0xfffffffbU);
  BOOST_TEST(wide_result("cvt.s64.s8 %rd15, %rd2;") == 0xfffffffffffffffbU);
  BOOST_TEST(wide_result("cvt.u64.u16 %rd15, %rd2;") == 0xfffbU);
  BOOST_TEST(wide_result("cvt.u32.u8 %r5, %rd2; mov.b64 %rd15, {%r5, %r5};") == 0xfb'0000'00fbU);
  BOOST_TEST(wide_result("cvt.u16.u32 %r5, %rd2; mov.b64 %rd15, {%r5, %r5};") == 0xfffb'0000'fffbU);
  BOOST_TEST(wide_result("cvt.rn.f32.s32 %r5, %rd2; mov.b64 %rd15, {%r5, %r5};") == 0xc0a00000'c0a00000U);
  BOOST_TEST(wide_result("cvt.s16.s32 %rd15, %r2;") == 70000U - 65536U);
  BOOST_TEST(wide_result("cvt.s8.s32 %rd15, %r2;") == 0x70U);
  BOOST_TEST(wide_result("cvt.s16.s32 %rd15, %rd2;") == 0xfffffffffffffffbU);
  BOOST_TEST(wide_result("cvt.u16.s32 %rd15, %rd2;") == 0xfffbU);
  BOOST_TEST(wide_result("cvt.s32.s64 %rd15, %rd2;") == 0xfffffffffffffffbU);
  BOOST_TEST(wide_result("cvt.u32.s64 %rd15, %rd2;") == 0xfffffffbU);
  BOOST_TEST(wide_result("cvt.rzi.s32.f32 %rd15, %r3;") == 0xfffffffffffffffeU);
  BOOST_TEST(wide_result("cvt.rzi.s8.f32 %rd15, %r3;") == 0xfffffffffffffffeU);
  BOOST_TEST(wide_result("cvt.rn.f32.s32 %rd15, %rd2;") == 0xc0a00000U);
  BOOST_TEST(wide_result("cvt.rn.f16.f32 %rd15, %r3;") == 0xc180U);
  BOOST_TEST(wide_result("@%p2 cvt.s16.s32 %rd15, %r2;") == ~std::uint64_t{0});
  BOOST_TEST(wide_result("cvt.s32.s16 %rd2, %rd2; mov.u64 %rd15, %rd2;") == 0xfffffffffffffffbU);

  BOOST_TEST(wide_result("ld.global.s8 %rd15, [%rd1];") == 0xfffffffffffffff0U);
  BOOST_TEST(wide_result("ld.global.u8 %rd15, [%rd1];") == 0xf0U);
  BOOST_TEST(wide_result("ld.global.b16 %rd15, [%rd1];") == 0xe0f0U);
  BOOST_TEST(wide_result("ld.global.s16 %rd15, [%rd1];") == 0xffffffffffffe0f0U);
  BOOST_TEST(wide_result("ld.global.s32 %rd15, [%rd1];") == 0xffffffff80c0e0f0U);
  BOOST_TEST(wide_result("ld.global.f32 %rd15, [%rd1];") == 0x80c0e0f0U);
  BOOST_TEST(wide_result("ld.global.v2.s8 {%rd3, %rd15}, [%rd1];") == 0xffffffffffffffe0U);
  BOOST_TEST(wide_result("ld.param.s8 %rd15, [p+5];") == 0x7fU);  // device memory begins at 0x7f0000000000
  BOOST_TEST(wide_result("ld.param.s16 %rd15, [p+4];") == 0x7f00U);
  BOOST_TEST(wide_result("st.global.u32 [%rd1], %rd2; ld.global.u64 %rd15, [%rd1];") == 0xffffffff'fffffffbU);
  BOOST_TEST(wide_result("st.global.u16 [%rd1], %rd2; ld.global.u64 %rd15, [%rd1];") == 0xffffffff'80c0fffbU);
  BOOST_TEST(wide_result("st.global.v2.u8 [%rd1], {%rd2, %rd2}; ld.global.u32 %rd15, [%rd1];") == 0x80c0fbfbU);
}

BOOST_AUTO_TEST_CASE(fields_are_constants_or_registers) {
  const isa::Program program = program_of(R"(bfi.b32 %r11, %r1, %r2, 8, 4; bfi.b32 %r12, %r1, %r2, %r3, %r4;
    bfi.b32 %r2, %r1, %r2, 4, %r4; mov.b64 %rd2, {%r1, %r1}; mov.u64 %rd3, 0; bfi.b64 %rd4, %rd2, %rd3, 28, %r5;
    st.global.v4.u32 [%rd1+32], {%r11, %r12, %r2, %r1}; st.global.u64 [%rd1+48], %rd4;)");
  const Words found = run(program, {0xabcdefff, 0, 16, 12, 8, 0, 0, 0});
  BOOST_TEST(found[8] == 0xf00U);
  BOOST_TEST(found[9] == 0x0fff0000U);
  BOOST_TEST(found[10] == 0xfff0U);
  BOOST_TEST(found[12] == 0xf0000000U);
  BOOST_TEST(found[13] == 0xfU);
}

BOOST_AUTO_TEST_CASE(vectors_of_four_parts) {
  const isa::Program program = program_of(R"(ld.global.u64 %rd2, [%rd1]; mov.b64 {%r11, %r12, _, %r14}, %rd2;
    mov.b64 %rd3, {%r14, %r11, %r12, %r3}; @%p2 mov.b64 %rd3, {%r3, %r3, %r3, %r3};
    st.global.u64 [%rd1+32], %rd3;)");
  const Words found = run(program, {0x44443333, 0x22221111, 0x9999aaaa, 0, 0, 0, 0, 0});
  BOOST_TEST(found[8] == 0x33332222U);
  BOOST_TEST(found[9] == 0xaaaa4444U);
}

// lop3 with a predicate: p says that the value is not zero, combined with q; the value may go nowhere.
BOOST_AUTO_TEST_CASE(functions_of_three_bits_with_a_predicate) {
  const isa::Program program = program_of(R"(lop3.or.b32 %r11|%p3, %r1, %r2, %r3, 0x80, %p2; selp.b32 %r14, 1, 0, %p3;
    lop3.or.b32 %r12|%p3, %r1, %r2, 0, 0x80, %p1; selp.b32 %r15, 1, 0, %p3;
    lop3.and.b32 _|%p3, %r1, %r2, %r3, 0xfe, !%p2; selp.b32 %r16, 1, 0, %p3;
    lop3.and.b32 %r1|%p1, %r1, %r1, %r1, 0x80, %p2; selp.b32 %r17, 1, 0, %p1;
    st.global.v2.u32 [%rd1+32], {%r11, %r12}; st.global.v4.u32 [%rd1+48], {%r14, %r15, %r16, %r17};)");
  const Words found = run(program, {0xff, 0x3f, 0x18, 0, 0, 0, 0, 0});
  BOOST_TEST(found[8] == 0x18U);
  BOOST_TEST(found[9] == 0U);
  BOOST_TEST(Words(found.begin() + 12, found.end()) == (Words{1, 1, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(masks_votes_and_the_size_of_a_warp) {
  const isa::Program program = program_of(R"(bmsk.clamp.b32 %r11, %r1, %r2; bmsk.wrap.b32 %r12, %r1, %r3;
    mov.u32 %r13, WARP_SZ; add.u32 %r13, %r13, -WARP_SZ; mov.u32 %r14, WARP_SZ;
    vote.ballot.sync.b32 %r15, %p1, 1; vote.any.sync.pred %p3, %p2, 1; selp.b32 %r16, 1, 0, %p3;
    st.global.v4.u32 [%rd1+32], {%r11, %r12, %r13, %r14}; st.global.v2.u32 [%rd1+48], {%r15, %r16};)");
  const Words found = run(program, {3, 7, 34, 0, 0, 0, 0, 0});
  BOOST_TEST(found[8] == 0x3f8U);
  BOOST_TEST(found[9] == 0x18U);
  BOOST_TEST(found[10] == 0U);
  BOOST_TEST(found[11] == 32U);
  BOOST_TEST(found[12] == 1U);
  BOOST_TEST(found[13] == 0U);
}

BOOST_AUTO_TEST_CASE(functions_of_three_bits) {
  const isa::Program program = program_of(R"(lop3.b32 %r11, %r1, %r2, %r3, 0x96; lop3.b32 %r12, %r1, %r2, %r3, 0xe8;
    lop3.b32 %r13, %r1, %r2, %r3, 0xca; @%p2 lop3.b32 %r13, %r1, %r2, %r3, 0;
    st.global.v2.u32 [%rd1+32], {%r11, %r12}; st.global.u32 [%rd1+40], %r13;)");
  BOOST_TEST(isa::disassemble(program).find("lop3.b32.0x96 r") != std::string::npos);
  std::mt19937 random(4);
  const std::uint32_t a = random(), b = random(), c = random();
  const Words found = run(program, {a, b, c, 0, 0, 0, 0, 0});
  BOOST_TEST(found[8] == (a ^ b ^ c));
  BOOST_TEST(found[9] == ((a & b) | (a & c) | (b & c)));
  BOOST_TEST(found[10] == ((a & b) | (~a & c)));
}
