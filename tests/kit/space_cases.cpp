// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/space_cases.h"

#include "sim/compiler/compile.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/gpu/timed_device.h"
#include "sim/isa/address_space.h"
#include "sim/ptx/parser.h"

namespace heddle::tests {
namespace {

using Words = std::vector<std::uint32_t>;

std::string module_text(const std::string& body, const std::string& variables) {
  return variables + R"(.visible .entry k(.param .u64 p) {
.reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
mad.lo.u32 %r2, %r3, %r4, %r1; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2;
)" + body +
         "\n}\n";
}

/// Requests for lines of the timed device during a launch; on the oracle what is expected.
template <class Run>
std::uint64_t lines_of(gpu::Device& device, std::uint64_t expected, Run run) {
  const auto* timed = dynamic_cast<const gpu::TimedDevice*>(&device);
  const std::uint64_t before = timed == nullptr ? 0 : timed->statistics().line_requests;
  run();
  return timed == nullptr ? expected : timed->statistics().line_requests - before;
}

// ---- Cases: empty, or what is wrong ----

/// Lanes of one instruction in shared, global and local memory; loads, stores and atomics; also under a branch.
std::string mixed_spaces(gpu::Device& device) {
  const isa::Program program = compiler::compile(ptx::parse_file(HEDDLE_PTX_SOURCES "/mixed_spaces.ptx"), "k");
  return check(device, program, 3, 96, 0, [](unsigned thread) {
    const unsigned where = thread % 4;
    std::uint32_t value = thread * 17 + 5, old = 0;
    if (where == 3) value *= 2;
    if (where != 2) old = value, value += 3;
    const std::uint32_t space = where == 1 ? 256 : where == 2 ? 512 : 1024;
    return (value ^ old << 16 ^ space << 20) + (where == 1 || where == 2 ? value : 0);
  });
}

/// Many accesses at once with lanes in two memories each: the load/store unit must have room for both parts.
std::string full_unit(gpu::Device& device) {
  const isa::Program program = program_of(R"(
    mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; mul.wide.u32 %rd4, %r1, 32; add.u64 %rd3, %rd3, %rd4;
    and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; ld.global.u64 %rd5, [%rd1]; mul.wide.u32 %rd6, %r2, 32;
    add.u64 %rd5, %rd5, %rd6; selp.u64 %rd7, %rd3, %rd5, %p1;
    st.u32 [%rd7], %r2; red.add.u32 [%rd7+4], 1; st.u32 [%rd7+8], %r2; red.add.u32 [%rd7+12], 2;
    st.u32 [%rd7+16], %r2; red.add.u32 [%rd7+20], 3; st.u32 [%rd7+24], %r2; red.add.u32 [%rd7+28], 4;
    ld.v4.u32 {%r6, %r7, %r8, %r9}, [%rd7]; ld.v4.u32 {%r10, %r11, %r12, %r13}, [%rd7+16];
    add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; add.u32 %r6, %r6, %r9; add.u32 %r6, %r6, %r10;
    add.u32 %r6, %r6, %r11; add.u32 %r6, %r6, %r12; add.u32 %r6, %r6, %r13; st.global.u32 [%rd2+8], %r6; ret;)",
                                          ".shared .align 16 .b8 tile[16384];\n");
  constexpr unsigned Blocks = 3, Threads = 512;
  const std::uint64_t scratch = device.allocate(32 * Blocks * Threads),
                      buffer = device.allocate(4 * Blocks * Threads + 8);
  device.write(buffer, &scratch, sizeof scratch);
  gpu::launch(device, program, {Blocks}, {Threads}, buffer);
  const Words found = gpu::download<std::uint32_t>(device, buffer + 8, Blocks * Threads);
  for (unsigned thread = 0; thread < found.size(); ++thread)
    if (found[thread] != 4 * thread + 10) return fmt::format("thread {}: {}", thread, found[thread]);
  return "";
}

/// Arrays in local memory with an index that depends on the thread; bytes, halves and words of it.
std::string local_arrays(gpu::Device& device) {
  const isa::Program program = program_of(R"(
    .local .align 4 .b8 mine[64];
    mov.u64 %rd3, mine; mov.u32 %r5, 0;
FILL: add.u32 %r6, %r5, %r1; and.b32 %r6, %r6, 15; mul.wide.u32 %rd4, %r6, 4; add.u64 %rd4, %rd3, %rd4;
    mad.lo.u32 %r7, %r5, 1000, %r2; st.local.u32 [%rd4], %r7;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 16; @%p1 bra FILL;
    and.b32 %r8, %r2, 15; mul.wide.u32 %rd5, %r8, 4; add.u64 %rd5, %rd3, %rd5;
    ld.local.u32 %r9, [%rd5]; ld.local.u8 %rs1, [%rd5+1]; ld.local.s16 %r10, [%rd5]; cvt.u32.u16 %r11, %rs1;
    st.local.u8 [%rd5+3], %rs1; ld.local.u32 %r12, [%rd5]; add.u32 %r9, %r9, %r12;
    add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11; st.global.u32 [%rd2], %r9; ret;)");
  return check(device, program, 2, 100, 0, [](unsigned thread) {
    const std::uint32_t index = (thread % 16 - thread % 100) % 16, value = index * 1000 + thread;
    const std::uint32_t byte = value >> 8 & 0xff, half = static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    return value + ((value & 0xffffff) | byte << 24) + half + byte;
  });
}

/// Warp slots are used again and again: each thread finds zeros, in all words, and leaves others behind.
std::string local_memory_starts_as_zeros(gpu::Device& device) {
  const isa::Program program = program_of(R"(
    .local .align 8 .b8 mine[48];
    mov.u64 %rd3, mine; mov.u32 %r5, 0; mov.u64 %rd6, 0;
LOOK: mul.wide.u32 %rd4, %r5, 8; add.u64 %rd4, %rd3, %rd4; ld.local.u64 %rd5, [%rd4]; or.b64 %rd6, %rd6, %rd5;
    not.b64 %rd7, %rd5; st.local.u64 [%rd4], %rd7;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 6; @%p1 bra LOOK;
    ld.local.u64 %rd5, [mine+40]; popc.b64 %r7, %rd5; cvt.u32.u64 %r8, %rd6; shr.u64 %rd6, %rd6, 32;
    cvt.u32.u64 %r9, %rd6; or.b32 %r8, %r8, %r9; add.u32 %r8, %r8, %r7; st.global.u32 [%rd2], %r8; ret;)");
  return check(device, program, 60, 96, 0, [](unsigned) { return 64U; });
}

/// A word of all lanes at one offset is one line; with 8-byte accesses in the program it is two.
std::string local_memory_is_interleaved(gpu::Device& device) {
  const isa::Program words = program_of(R"(.local .align 4 .b8 mine[16];
    st.local.u32 [mine+8], %r2; ld.local.u32 %r5, [mine+8]; st.global.u32 [%rd2], %r5; ret;)");
  const isa::Program pairs = program_of(R"(.local .align 8 .b8 mine[16];
    st.local.u64 [mine+8], %rd2; ld.local.u64 %rd5, [mine+8]; ld.local.u32 %r5, [mine]; add.u32 %r5, %r5, %r2;
    st.global.u32 [%rd5], %r5; ret;)");
  std::string wrong;
  const auto own = [](unsigned thread) { return thread; };
  const std::uint64_t of_words = lines_of(device, 3, [&] { wrong += check(device, words, 1, 32, 0, own); });
  const std::uint64_t of_pairs = lines_of(device, 7, [&] { wrong += check(device, pairs, 1, 32, 0, own); });
  if (of_words != 3 || of_pairs != 7) wrong += fmt::format("{} and {} lines, expected 3 and 7", of_words, of_pairs);
  return wrong;
}

/// Begins behind the program's own shared memory, at its alignment; a launch says how large it is.
std::string shared_memory_sized_at_launch(gpu::Device& device) {
  const isa::Program program = program_of(R"(
    mov.u32 %r5, dynamic; cvta.shared.u64 %rd3, dynamic+4; cvta.to.shared.u64 %rd3, %rd3; cvt.u32.u64 %r6, %rd3;
    shl.b32 %r7, %r1, 2; add.u32 %r8, %r5, %r7; st.shared.u32 [own], 7; st.shared.u32 [%r8], %r2;
    bar.sync 0; xor.b32 %r7, %r7, 4; add.u32 %r8, %r5, %r7; ld.shared.u32 %r9, [%r8]; ld.shared.u32 %r10, [dynamic];
    mad.lo.u32 %r9, %r9, 1000, %r10; mul.lo.u32 %r5, %r5, 100000; add.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r6;
    mov.u32 %r11, %dynamic_smem_size; mov.u32 %r12, %total_smem_size; add.u32 %r9, %r9, %r11;
    shl.b32 %r12, %r12, 20; add.u32 %r9, %r9, %r12; ld.shared.u32 %r10, [own]; add.u32 %r9, %r9, %r10;
    st.global.u32 [%rd2], %r9; ret;)",
                                          ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 own[20];\n");
  std::string wrong;
  for (const unsigned threads : {64U, 256U}) {
    const unsigned bytes = 4 * threads;
    wrong += check(device, program, 2, threads, bytes, [=](unsigned thread) {
      const unsigned first = thread / threads * threads;
      return (thread ^ 1) * 1000 + first + 32 * 100000 + 36 + bytes + ((32 + bytes) << 20) + 7;
    });
  }
  return wrong;
}

/// Two entries and the host see the same variables, launch after launch.
std::string variables_of_a_module(gpu::Device& device) {
  const std::string variables = R"(.visible .global .align 4 .u32 counter = 5;
.const .align 4 .b32 table[2][3] = {{10, 20}, {30, -1, 50}};
.global .align 8 .u64 pointers[4] = {table, table+16, generic(counter), late};
.global .align 8 .f64 late = 0d3FF8000000000000;
.global .align 4 .f32 single[2] = {0f40490FDB};
.global .align 1 .b8 zeros[100];
.const .align 1 .b8 text[6] = {104, 101, 108, 108, 111, 0};
)";
  const ptx::Module module = ptx::parse(module_text(R"(
    mul.wide.u32 %rd3, %r1, 8; mov.u64 %rd4, pointers; add.u64 %rd4, %rd4, %rd3; ld.global.u64 %rd5, [%rd4];
    ld.u32 %r5, [%rd5]; ld.const.u32 %r6, [table+8]; add.u32 %r5, %r5, %r6;
    ld.global.u32 %r7, [single]; ld.global.u32 %r8, [single+4]; add.u32 %r5, %r5, %r7; add.u32 %r5, %r5, %r8;
    ld.global.u8 %r9, [zeros+99]; add.u32 %r5, %r5, %r9; cvta.const.u64 %rd6, text+1; ld.s8 %r10, [%rd6+3];
    add.u32 %r5, %r5, %r10; atom.global.add.u32 %r11, [counter], 0; mad.lo.u32 %r5, %r11, 4096, %r5;
    st.global.u32 [%rd2], %r5; ret;)",
                                                    variables) +
                                            ".visible .entry bump() { .reg .b64 %rd1; mov.u64 %rd1, counter; "
                                            "red.global.add.u32 [%rd1], 2; ret; }\n",
                                        "file.ptx");
  const auto globals = compiler::global_data(module);
  const isa::Program look = compiler::compile(module, "k", globals), bump = compiler::compile(module, "bump", globals);
  std::string wrong;
  std::uint32_t counter = 5;
  const auto expected = [&](unsigned thread) {
    const std::uint32_t pointed[] = {10, 0xffffffff, counter, 0};
    return pointed[thread] + 0 + 0x40490FDB + 'o' + counter * 4096;
  };
  wrong += check(device, look, 1, 4, 0, expected);
  gpu::launch(device, bump, {3}, {10});
  counter += 60;
  wrong += check(device, look, 1, 4, 0, expected);
  const std::uint64_t address = device.address_of(look, "counter");
  if (gpu::download<std::uint32_t>(device, address, 1).front() != counter) wrong += "the host reads another value";
  counter = 1000;
  device.write(address, &counter, sizeof counter);
  gpu::launch(device, bump, {1}, {32});
  counter += 64;
  wrong += check(device, look, 1, 4, 0, expected);
  try {
    device.address_of(look, "nothing");
    wrong += "a variable that is not there has an address";
  } catch (const gpu::ExecutionError& error) {
    if (std::string(error.what()).find("cudaErrorInvalidSymbol: file.ptx has no variable nothing") != 0)
      wrong += error.what();
  }
  return wrong;
}

/// A parameter that is an array, indexed: through the parameter space and as a generic address.
std::string addresses_of_parameters(gpu::Device& device) {
  const isa::Program program =
      compiler::compile(ptx::parse(R"(.visible .entry k(.param .u64 p, .param .align 4 .b8 q[32]) {
    .reg .b32 %r<8>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 7; mul.wide.u32 %rd2, %r2, 4;
    mov.b64 %rd3, q; add.u64 %rd4, %rd3, %rd2; ld.param.u32 %r3, [%rd4];
    cvta.param.u64 %rd5, q; add.u64 %rd5, %rd5, 28; sub.u64 %rd5, %rd5, %rd2; ld.u32 %r4, [%rd5];
    ld.param.u32 %r5, [q+4]; mad.lo.u32 %r3, %r4, 100, %r3; mad.lo.u32 %r3, %r5, 10000, %r3;
    mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r3; ret; })",
                                   "file.ptx"),
                        "k");
  const std::uint64_t buffer = device.allocate(4 * 32);
  std::string wrong;
  for (unsigned launch = 0; launch < 2; ++launch) {
    std::array<std::uint32_t, 8> q;
    for (unsigned index = 0; index < 8; ++index) q[index] = index + 1 + launch;
    gpu::launch(device, program, {1}, {32}, buffer, q);
    const Words found = gpu::download<std::uint32_t>(device, buffer, 32);
    for (unsigned thread = 0; thread < 32; ++thread)
      if (found[thread] != q[thread % 8] + 100 * q[7 - thread % 8] + 10000 * q[1])
        wrong += fmt::format("thread {} of launch {}: {}; ", thread, launch, found[thread]);
  }
  return wrong;
}

/// Clocks advance, their halves fit together, and a launch has its number; what is stored does not depend on time.
std::string special_registers(gpu::Device& device) {
  const isa::Program program = program_of(R"(
    mov.u64 %rd3, %clock64; mov.u32 %r5, %clock; mov.u64 %rd4, %globaltimer; mov.u32 %r6, %clock_hi;
    rem.u32 %r7, %r5, 7; mov.u32 %r8, %clock; mov.u64 %rd5, %clock64;
    setp.lt.u64 %p1, %rd3, %rd5; sub.u32 %r9, %r8, %r5; setp.gt.u32 %p2, %r9, 0; setp.lt.u32 %p3, %r9, 100000;
    sub.u64 %rd6, %rd5, %rd3; setp.lt.u64 %p4, %rd6, 100000; setp.eq.u32 %p5, %r6, 0;
    and.pred %p1, %p1, %p2; and.pred %p1, %p1, %p3; and.pred %p1, %p1, %p4; and.pred %p1, %p1, %p5;
    setp.ge.u64 %p2, %rd4, %rd3; and.pred %p1, %p1, %p2; selp.u32 %r10, 1, 0, %p1;
    mov.u32 %r11, %smid; mov.u32 %r12, %nsmid; setp.lt.u32 %p2, %r11, %r12; selp.u32 %r13, 2, 0, %p2;
    mov.u64 %rd7, %gridid; setp.ne.u64 %p3, %rd7, 0; selp.u32 %r14, 4, 0, %p3;
    or.b32 %r10, %r10, %r13; or.b32 %r10, %r10, %r14; st.global.u32 [%rd2], %r10; ret;)");
  return check(device, program, 2, 64, 0, [](unsigned) { return 7U; });
}

/// Hints do nothing, ordered accesses do what plain ones do.
std::string hints_and_order(gpu::Device& device) {
  const isa::Program program = program_of(R"(.pragma "nounroll";
    prefetch.global.L1 [%rd2]; prefetchu.L1 [%rd2]; discard.global.L2 [%rd2], 128; nanosleep.u32 100; pmevent 3;
    applypriority.global.L2::evict_normal [%rd2], 128;
    st.release.gpu.global.u32 [%rd2], %r2; ld.acquire.sys.global.u32 %r5, [%rd2];
    atom.acq_rel.gpu.global.add.u32 %r6, [%rd2], 1; red.release.gpu.global.add.u32 [%rd2], 1;
    ld.global.nc.L1::no_allocate.L2::128B.u32 %r7, [%rd2]; add.u32 %r5, %r5, %r7; add.u32 %r5, %r5, %r6;
    setp.gt.u32 %p1, %r2, 1000000; @%p1 trap; ldu.global.u32 %r8, [%rd2]; sub.u32 %r8, %r8, %r7; add.u32 %r5, %r5, %r8;
    st.global.u32 [%rd2], %r5; ret;)");
  return check(device, program, 2, 64, 0, [](unsigned thread) { return 3 * thread + 2; });
}

/// What clang makes without optimisation: variables in local memory, reached through generic addresses.
std::string unoptimised_code(gpu::Device& device) {
  const ptx::Module module = ptx::parse_file(std::string(HEDDLE_PTX_DIR) + "/clang_opcodes_O0.ptx");
  const isa::Program integers = compiler::compile(module, "integers"), floats = compiler::compile(module, "floats");
  const std::uint64_t words = gpu::upload(device, Words{0x8091a2b3, 0x00c0ffe0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const std::uint64_t pairs =
      gpu::upload(device, std::vector<std::uint64_t>{0xfedcba9876543210, 0xf00dfeedfacecafe, 0, 0, 0, 0, 0, 0, 0, 0});
  const std::uint64_t singles =
      gpu::upload(device, std::vector<float>{3.7F, -2.3F, -5.5F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const std::uint64_t doubles = gpu::upload(device, std::vector<double>{0.1, 0, 0});
  gpu::launch(device, integers, {1}, {1}, words, pairs);
  gpu::launch(device, floats, {1}, {1}, singles, doubles);
  const auto rotated = gpu::download<std::uint32_t>(device, words, 6)[5];
  const auto quotient = gpu::download<float>(device, singles, 16)[15];
  if (integers.local_bytes == 0) return "the code does not use local memory";
  if (rotated != (0x8091a2b3U << 13 | 0x8091a2b3U >> 19)) return fmt::format("rotated {:#x}", rotated);
  return quotient == 3.7F / -2.3F ? "" : fmt::format("quotient {}", quotient);
}

/// The same in CUDA C++, unoptimised and optimised: pointers into four spaces, a counter, a launch's shared memory.
std::string compiled_spaces(gpu::Device& device) {
  std::string wrong;
  for (const char* variant : {"O0", "O2"}) {
    const ptx::Module module = ptx::parse_file(std::string(HEDDLE_PTX_DIR) + "/clang_spaces_" + variant + ".ptx");
    const auto globals = compiler::global_data(module);
    const isa::Program spaces = compiler::compile(module, "spaces", globals);
    constexpr unsigned Blocks = 2, Threads = 96;
    const std::uint64_t out = device.allocate(4 * Blocks * Threads);
    gpu::launch(device, compiler::compile(module, "count_launch", globals), {1}, {5});
    gpu::launch(device, spaces, {Blocks}, {Threads}, gpu::SharedBytes{4 * Threads + 4}, out, Threads);
    const Words found = gpu::download<std::uint32_t>(device, out, Blocks * Threads);
    for (unsigned index = 0; index < found.size(); ++index) {
      const unsigned thread = index % Threads;
      unsigned last = 0;
      for (unsigned i = 0; i < 8; ++i) last = (i * thread) % 8 == thread % 8 ? i : last;
      const unsigned expected = thread % 3 == 0   ? 3 * (3 * (thread / 2) + 3)
                                : thread % 3 == 1 ? (thread % 2 == 0 ? 2 + 3 + 5 : 7 + 11 + 13)
                                                  : last + 105;
      if (found[index] != expected && wrong.empty())
        wrong = fmt::format("{}: thread {}: {}, expected {}", variant, index, found[index], expected);
    }
  }
  return wrong;
}

}  // namespace

isa::Program program_of(const std::string& body, const std::string& variables) {
  return compiler::compile(ptx::parse(module_text(body, variables), "file.ptx"), "k");
}

gpu::Outcome run_space_cases(gpu::Device& device) {
  struct Case {
    const char* name;
    std::string (*run)(gpu::Device&);  // empty, or what is wrong
  };
  constexpr Case Cases[] = {
      {"mixed spaces", mixed_spaces},
      {"full load/store unit", full_unit},
      {"local arrays", local_arrays},
      {"local memory starts as zeros", local_memory_starts_as_zeros},
      {"local memory is interleaved", local_memory_is_interleaved},
      {"shared memory sized at launch", shared_memory_sized_at_launch},
      {"variables of a module", variables_of_a_module},
      {"addresses of parameters", addresses_of_parameters},
      {"special registers", special_registers},
      {"hints and order", hints_and_order},
      {"unoptimised code", unoptimised_code},
      {"compiled spaces", compiled_spaces},
  };
  for (const Case& test : Cases) {
    const std::string wrong = test.run(device);
    if (!wrong.empty()) return {false, fmt::format("{}: {}", test.name, wrong)};
  }
  return {true, ""};
}

}  // namespace heddle::tests
