// SPDX-License-Identifier: Apache-2.0
// PTX programs with functions, each with what it computes, for the oracle and for the timed SM.
//
// Each is an entry k(.param .u64 p) of one block; thread t reads word t of the buffer and overwrites it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::tests {

struct CallProgram {
  const char* name;
  std::string ptx;
  std::uint32_t (*expected)(std::uint32_t value, unsigned thread);
};

/// The entry: `body` turns %x (the word) and %t (the thread) into %x.
inline std::string with_entry(const std::string& functions, const std::string& body) {
  return ".version 7.0\n.target sm_60\n.address_size 64\n" + functions +
         R"(
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<8>; .reg .b32 %r<16>, %x, %t; .reg .pred %p<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %rd2, %t, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %x, [%rd1];
)" + body +
         "\n  st.global.u32 [%rd1], %x;\n  ret;\n}\n";
}

/// As clang writes a call: scopes whose names are the same every time.
inline std::string call(const std::string& callee, const std::string& argument, const std::string& result) {
  return "{ .param .b32 param0; st.param.b32 [param0+0], " + argument +
         "; .param .b32 retval0;\n  call.uni (retval0), " + callee + ", (param0); ld.param.b32 " + result +
         ", [retval0+0]; }\n";
}

inline std::uint32_t fibonacci(std::uint32_t n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

inline std::uint32_t collatz(std::uint32_t n) {
  std::uint32_t steps = 0;
  for (n = n % 97 + 1; n != 1; n = n % 2 != 0 ? 3 * n + 1 : n / 2) ++steps;
  return steps;
}

/// Programs whose functions are not called again before they return.
inline std::vector<CallProgram> plain_calls() {
  // Returns early on both sides of a branch; `odd` has a loop of its own.
  const std::string collatz_ptx = R"(
.func (.param .b32 r) collatz(.param .b32 n) {
  .reg .b32 %n, %s, %b; .reg .pred %p;
  ld.param.u32 %n, [n]; rem.u32 %n, %n, 97; add.u32 %n, %n, 1; mov.u32 %s, 0;
LOOP: setp.eq.u32 %p, %n, 1; @%p bra DONE;
  add.u32 %s, %s, 1; and.b32 %b, %n, 1; setp.eq.u32 %p, %b, 0; @%p bra EVEN;
  mad.lo.u32 %n, %n, 3, 1; bra.uni LOOP;
EVEN: shr.u32 %n, %n, 1; bra.uni LOOP;
DONE: st.param.b32 [r], %s; ret;
}
.func (.param .b32 r) twice(.param .b32 n) {
  .reg .b32 %n, %a, %b; .reg .pred %p;
  ld.param.u32 %n, [n]; setp.gt.u32 %p, %n, 1000; @%p bra BIG;
  st.param.b32 [r], %n; ret;
BIG: )" + call("collatz", "%n", "%a") +
                                  "xor.b32 %n, %n, 5; " + call("collatz", "%n", "%b") +
                                  R"( add.u32 %a, %a, %b; st.param.b32 [r], %a; ret;
})";
  return {
      {"a call inside a divergent branch, early returns, a function with two callers",
       with_entry(collatz_ptx, "and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;\n" +
                                   call("twice", "%x", "%r2") + "bra JOIN;\nEVEN: add.u32 %r3, %x, 7;\n" +
                                   call("collatz", "%r3", "%r2") + "JOIN: mad.lo.u32 %x, %r2, 3, %t;"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t {
         const std::uint32_t odd = x > 1000 ? collatz(x) + collatz(x ^ 5) : x;
         return (t % 2 == 0 ? collatz(x + 7) : odd) * 3 + t;
       }},
      {"a guarded call, and one without arguments or results",
       with_entry(collatz_ptx + ".global .align 4 .u32 unused;\n.func nothing() { ret; }\n",
                  "call nothing; setp.lt.u32 %p1, %t, 5;\n"
                  "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %x; st.param.b32 [b], %x; "
                  "@!%p1 call (b), collatz, (a); ld.param.b32 %x, [b]; }"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t { return t < 5 ? x : collatz(x); }},
      {"bytes, halves, words and pairs of a structure; a register parameter; vectors",
       with_entry(R"(
.func (.param .align 8 .b8 r[16]) mix(.param .align 8 .b8 s[24], .reg .u64 wide, .reg .pred unused) {
  .reg .b32 %a<8>; .reg .b64 %d<4>; .reg .b16 %h;
  ld.param.u8 %a0, [s+1]; ld.param.s8 %a1, [s+3]; ld.param.s16 %a2, [s+6]; ld.param.u32 %a3, [s+8];
  ld.param.u64 %d0, [s+16];
  add.u32 %a0, %a0, %a1; add.u32 %a0, %a0, %a2; add.u32 %a0, %a0, %a3;
  add.u64 %d0, %d0, wide;
  st.param.b64 [r], %d0; cvt.u16.u32 %h, %a0; st.param.b16 [r+8], %h; st.param.b8 [r+10], %a0; st.param.b32 [r+12], %a0;
  ret;
})",
                  R"({ .param .align 8 .b8 s[24]; .param .align 8 .b8 r[16]; .reg .b64 %w;
  st.param.b8 [s+0], 1; st.param.b8 [s+1], %x; st.param.b8 [s+2], 255; st.param.b8 [s+3], %t;
  st.param.b16 [s+4], 77; st.param.b16 [s+6], %x; st.param.v2.b32 [s+8], {%x, %t};
  cvt.u64.u32 %w, %x; shl.b64 %w, %w, 20; st.param.b64 [s+16], %w; mov.u64 %w, 0x123456789;
  setp.eq.u32 %p1, 0, 0;
  call (r), mix, (s, %w, %p1);
  ld.param.b64 %w, [r]; ld.param.u16 %r1, [r+8]; ld.param.u8 %r2, [r+10]; ld.param.b32 %r3, [r+12];
  mov.b64 {%r4, %r5}, %w; xor.b32 %r4, %r4, %r5; add.u32 %x, %r1, %r2; add.u32 %x, %x, %r3; add.u32 %x, %x, %r4; })"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t {
         const std::uint32_t a = (x & 0xff) + static_cast<std::uint32_t>(static_cast<std::int8_t>(t)) +
                                 static_cast<std::uint32_t>(static_cast<std::int16_t>(x)) + x;
         const std::uint64_t w = (std::uint64_t{x} << 20) + 0x123456789;
         return (a & 0xffff) + (a & 0xff) + a + (static_cast<std::uint32_t>(w) ^ static_cast<std::uint32_t>(w >> 32));
       }},
      {"indirect calls: each lane its own of three functions, some none",
       with_entry(R"(
.func (.param .b32 r) f(.param .b32 a) { .reg .b32 %a; ld.param.b32 %a, [a]; add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) g(.param .b32 a) { .reg .b32 %a; ld.param.b32 %a, [a]; mul.lo.u32 %a, %a, 3; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) h(.param .b32 a) {
  .reg .b32 %a, %i; .reg .pred %p; ld.param.b32 %a, [a]; and.b32 %i, %a, 7;
L: setp.eq.u32 %p, %i, 0; @%p bra E; mad.lo.u32 %a, %a, 5, %i; sub.u32 %i, %i, 1; bra L;
E: st.param.b32 [r], %a; ret; }
)",
                  R"(  rem.u32 %r1, %x, 4; mov.u64 %rd3, f; mov.u64 %rd4, g; mov.u64 %rd5, h;
  setp.eq.u32 %p1, %r1, 1; selp.b64 %rd3, %rd4, %rd3, %p1; setp.eq.u32 %p1, %r1, 2; selp.b64 %rd3, %rd5, %rd3, %p1;
  setp.ne.u32 %p2, %r1, 3;
  { .param .b32 a; .param .b32 r; st.param.b32 [a], %x;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    @%p2 call (r), %rd3, (a), prototype_0;
    @%p2 ld.param.b32 %x, [r]; }
  { .param .b32 a; .param .b32 r; st.param.b32 [a], %x; call (r), g, (a); ld.param.b32 %x, [r]; })"),
       [](std::uint32_t x, unsigned) -> std::uint32_t {
         if (x % 4 == 0) return 3 * (x + 1);
         if (x % 4 == 1) return 9 * x;
         if (x % 4 == 3) return 3 * x;
         for (std::uint32_t i = x & 7; i != 0; --i) x = 5 * x + i;
         return 3 * x;
       }},
      {"brx.idx: four targets in a loop", with_entry("", R"(  mov.u32 %r1, 0; mov.u32 %r2, 0;
LOOP: shr.u32 %r3, %x, %r1; and.b32 %r3, %r3, 3;
  targets: .branchtargets A, B, C, D;
  brx.idx %r3, targets;
A: add.u32 %r2, %r2, 1; bra NEXT;
B: mul.lo.u32 %r2, %r2, 7;
C: xor.b32 %r2, %r2, %r1; bra NEXT;
D: sub.u32 %r2, %r2, %t;
NEXT: add.u32 %r1, %r1, 2; setp.lt.u32 %p1, %r1, 32; @%p1 bra LOOP;
  mov.u32 %x, %r2;)"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t {
         std::uint32_t y = 0;
         for (unsigned i = 0; i < 32; i += 2) {
           switch (x >> i & 3) {
             case 0:
               y += 1;
               break;
             case 1:
               y *= 7;
               [[fallthrough]];
             case 2:
               y ^= i;
               break;
             default:
               y -= t;
           }
         }
         return y;
       }},
  };
}

/// Programs with recursive functions.
inline std::vector<CallProgram> recursive_calls() {
  const std::string fibonacci_ptx = R"(
.func (.param .b32 r) fib(.param .b32 n) {
  .reg .b32 %n, %a, %b; .reg .pred %p;
  ld.param.u32 %n, [n]; setp.lt.u32 %p, %n, 2; @!%p bra MORE;
  st.param.b32 [r], %n; ret;
MORE: sub.u32 %a, %n, 1;
)" + call("fib", "%a", "%a") + "sub.u32 %b, %n, 2;\n" +
                                    call("fib", "%b", "%b") + "add.u32 %a, %a, %b; st.param.b32 [r], %a; ret;\n}\n";
  return {
      {"fibonacci, a depth that differs from lane to lane",
       with_entry(fibonacci_ptx, "rem.u32 %r1, %x, 11;\n" + call("fib", "%r1", "%r2") + "add.u32 %x, %r2, %t;"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t { return fibonacci(x % 11) + t; }},
      {"fibonacci inside a divergent branch, a barrier behind it",
       with_entry(fibonacci_ptx,
                  "and.b32 %r1, %x, 1; setp.eq.u32 %p1, %r1, 0; rem.u32 %r1, %x, 9; mov.u32 %r2, 1;\n"
                  "@%p1 bra SKIP;\n" +
                      call("fib", "%r1", "%r2") + "SKIP: bar.sync 0; add.u32 %x, %r2, %t;"),
       [](std::uint32_t x, unsigned t) -> std::uint32_t { return (x % 2 == 0 ? 1 : fibonacci(x % 9)) + t; }},
      {"two functions that call each other, with a predicate and a pair that live across the call",
       with_entry(R"(
.func (.param .b32 r) odd(.param .b32 n);
.func (.param .b32 r) even(.param .b32 n) {
  .reg .b32 %n, %a; .reg .pred %p, %q; .reg .b64 %d;
  ld.param.u32 %n, [n]; setp.eq.u32 %p, %n, 0; @%p bra ZERO;
  and.b32 %a, %n, 4; setp.ne.u32 %q, %a, 0; cvt.u64.u32 %d, %n; shl.b64 %d, %d, 30;
  sub.u32 %n, %n, 1;
)" + call("odd", "%n", "%a") +
                      R"(
  @%q add.u32 %a, %a, 2; shr.u64 %d, %d, 29; cvt.u32.u64 %n, %d; add.u32 %a, %a, %n; st.param.b32 [r], %a; ret;
ZERO: st.param.b32 [r], 1; ret;
}
.func (.param .b32 r) odd(.param .b32 n) {
  .reg .b32 %n, %a; .reg .pred %p; .local .align 4 .b8 frame[8];
  ld.param.u32 %n, [n]; setp.eq.u32 %p, %n, 0; @%p bra ZERO;
  st.local.u32 [frame+4], %n; sub.u32 %n, %n, 1;
)" + call("even", "%n", "%a") +
                      R"( ld.local.u32 %n, [frame+4]; add.u32 %a, %a, %n; st.param.b32 [r], %a; ret;
ZERO: st.param.b32 [r], 0; ret;
}
)",
                  "rem.u32 %r1, %x, 13;\n" + call("even", "%r1", "%x")),
       [](std::uint32_t x, unsigned) -> std::uint32_t {
         // From the innermost call outwards.
         std::uint32_t value = x % 13 % 2 == 0 ? 1 : 0;
         for (std::uint32_t n = 1; n <= x % 13; ++n) {
           const bool in_even = (x % 13 - n) % 2 == 0;
           value += in_even ? ((n & 4) != 0 ? 2 : 0) + 2 * n : n;
         }
         return value;
       }},
      {"indirect calls of a function that calls itself and of one that does not, which is called directly too",
       with_entry(fibonacci_ptx + R"(
.func (.param .b32 r) triple(.param .b32 a) {
  .reg .b32 %a; ld.param.b32 %a, [a]; mul.lo.u32 %a, %a, 3; st.param.b32 [r], %a; ret; }
)",
                  R"(  mov.u64 %rd3, fib; mov.u64 %rd4, triple; and.b32 %r1, %x, 1; setp.eq.u32 %p1, %r1, 1;
  selp.b64 %rd3, %rd4, %rd3, %p1; rem.u32 %r2, %x, 8;
  { .param .b32 a; .param .b32 r; st.param.b32 [a], %r2;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %rd3, (a), prototype_0; ld.param.b32 %r3, [r]; }
)" + call("triple", "%r3", "%x")),
       [](std::uint32_t x, unsigned) -> std::uint32_t { return 3 * (x % 2 != 0 ? 3 * (x % 8) : fibonacci(x % 8)); }},
      {"some threads exit in the middle of their recursion",
       with_entry(R"(
.func (.param .b32 r) down(.param .b32 n) {
  .reg .b32 %n, %a; .reg .pred %p;
  ld.param.u32 %n, [n]; setp.eq.u32 %p, %n, 5; @%p exit;
  setp.lt.u32 %p, %n, 2; @%p bra LAST; sub.u32 %a, %n, 2;
)" + call("down", "%a", "%a") +
                      R"( add.u32 %a, %a, %n; st.param.b32 [r], %a; ret;
LAST: st.param.b32 [r], %n; ret;
}
)",
                  "rem.u32 %r1, %x, 12;\n" + call("down", "%r1", "%x")),
       [](std::uint32_t x, unsigned) -> std::uint32_t {
         if (x % 12 >= 5 && x % 2 != 0) return x;
         std::uint32_t sum = 0;
         for (std::uint32_t n = x % 12; n > 1; n -= 2) sum += n;
         return sum + x % 2;
       }},
  };
}

}  // namespace heddle::tests
