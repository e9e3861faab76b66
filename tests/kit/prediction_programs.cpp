// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/prediction_programs.h"

#include <memory>

#include "sim/compiler/compile.h"
#include "sim/gpu/workload.h"
#include "sim/ptx/parser.h"

namespace heddle::tests {

namespace {

/// An entry that stores %s of each thread; %t is its number.
std::string program(const std::string& body, const std::string& functions = "") {
  return R"(.version 7.0
.target sm_70
.address_size 64
)" + functions +
         R"(.visible .entry k(.param .u64 out)
{
  .reg .b32 %t, %i, %x, %m, %s;
  .reg .b64 %o, %a;
  .reg .pred %p, %q;
  ld.param.u64 %o, [out];
  mov.u32 %t, %tid.x;
  mul.wide.u32 %a, %t, 4;
  add.u64 %o, %o, %a;
)" + body +
         R"(  st.global.u32 [%o], %s;
  ret;
}
)";
}

std::string times(unsigned count, const std::string& lines) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += lines;
  return text;
}

const char* const Mix = "  mul.lo.u32 %s, %s, 1664525;\n  add.u32 %s, %s, 1013904223;\n";
const char* const MixResult = "  mul.lo.u32 %r, %r, 1664525;\n  add.u32 %r, %r, 1013904223;\n";
const char* const MixLast = "  mul.lo.u32 %s, %s, 22695477;\n  add.u32 %s, %s, 1;\n";

}  // namespace

namespace {

/// \param before, behind  the Predict
std::string delay(const std::string& expensive, const std::string& before = "", const std::string& behind = "") {
  return program(R"(  mov.u32 %s, %t;
  mov.u32 %i, 0;
)" + before + "  // heddle.predict L1\n" +
                 behind + R"(LOOP:
  add.u32 %x, %t, %i;
  and.b32 %m, %x, 7;
  setp.ne.u32 %p, %m, 0;
  @%p bra NEXT;
  // heddle.reconverge L1
)" + expensive + R"(NEXT:
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 48;
  @%q bra LOOP;
)" + times(4, MixLast));
}

}  // namespace

const std::string IterationDelay = delay(times(8, Mix));
const std::string TurnsMeet = delay(R"(  and.b32 %m, %i, 1;
  setp.eq.u32 %q, %m, 0;
  @%q bra EVEN;
)" + times(4, Mix) + "EVEN:\n" + times(8, Mix));

const std::string TwoWaysIn = delay(times(8, Mix), R"(  and.b32 %m, %t, 1;
  setp.ne.u32 %q, %m, 0;
)",
                                    "  @%q bra NEXT;\n");

const std::string ExitInside = delay(times(8, Mix) + R"(  st.global.u32 [%o], %s;
  and.b32 %m, %s, 31;
  setp.eq.u32 %q, %m, 5;
  @%q exit;
)");

const std::string InEachOther = program(R"(  mov.u32 %s, %t;
  mov.u32 %i, 0;
  // heddle.predict OUTER
LOOP:
  add.u32 %x, %t, %i;
  and.b32 %m, %x, 3;
  setp.ne.u32 %p, %m, 0;
  @%p bra NEXT;
  // heddle.reconverge OUTER
)" + times(3, Mix) + R"(  mov.u32 %x, 0;
  // heddle.predict INNER
AGAIN:
  xor.b32 %m, %x, %s;
  and.b32 %m, %m, 3;
  setp.ne.u32 %p, %m, 0;
  @%p bra ON;
  // heddle.reconverge INNER
)" + times(8, Mix) + R"(ON:
  add.u32 %x, %x, 1;
  setp.lt.u32 %q, %x, 8;
  @%q bra AGAIN;
NEXT:
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 16;
  @%q bra LOOP;
)");

namespace {

/// With a prediction in the caller, or in f itself, which goes as deep as its argument says.
std::string recursive(const char* in_kernel, const char* in_function, const char* at_call) {
  return program(std::string("  mov.u32 %s, %t;\n") + in_kernel + R"(  and.b32 %m, %t, 7;
  setp.gt.u32 %p, %m, 3;
  @%p bra OTHER;
  call (%s), f, (%m);
  bra MET;
OTHER:
  add.u32 %m, %m, 9;
  call (%s), f, (%m);
MET:
)",
                 std::string(R"(.func (.reg .b32 %r) f(.reg .b32 %n)
{
  .reg .b32 %k;
  .reg .pred %p;
)") + in_function + R"(  mov.u32 %r, %n;
  setp.eq.u32 %p, %n, 0;
  @%p bra END;
  sub.u32 %k, %n, 1;
)" + at_call + R"(  call (%r), f, (%k);
)" + MixResult + R"(  add.u32 %r, %r, %n;
END:
  ret;
}
)");
}

}  // namespace

const std::string RecursiveFunction = recursive("  // heddle.predict_function f\n", "", "");
const std::string InRecursion = recursive("", "  // heddle.predict L1\n", "  // heddle.reconverge L1\n");

const std::string CommonFunction = program(R"(  mov.u32 %s, %t;
  mov.u32 %i, 0;
  // heddle.predict_function foo
LOOP:
  add.u32 %m, %t, %i;
  and.b32 %m, %m, 31;
  setp.gt.u32 %p, %m, 15;
  @%p bra OTHER;
  add.u32 %s, %s, 1;
  call (%s), between, (%s, %m);
  bra NEXT;
OTHER:
  add.u32 %s, %s, 5;
  call (%s), foo, (%s);
NEXT:
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 24;
  @%q bra LOOP;
  call (%s), foo, (%s);
)",
                                           R"(.func (.reg .b32 %r) foo(.reg .b32 %x)
{
  .reg .b32 %n;
  .reg .pred %p;
  mov.u32 %r, %x;
  mov.u32 %n, 0;
MORE:
)" + times(4, MixResult) + R"(  add.u32 %n, %n, 1;
  setp.lt.u32 %p, %n, 8;
  @%p bra MORE;
  ret;
}
.func (.reg .b32 %r) between(.reg .b32 %x, .reg .b32 %m)
{
  .reg .pred %p;
  mov.u32 %r, %x;
  setp.eq.u32 %p, %m, 0;
  @%p bra SKIP;
  call (%r), foo, (%x);
SKIP:
  add.u32 %r, %r, 7;
  ret;
}
)");

const std::string AcrossABarrier = program(R"(  setp.lt.u32 %p, %t, 16;
  // heddle.predict L1
  @%p bra OTHER;
  // heddle.reconverge L1
  mul.lo.u32 %s, %t, 3;
  bar.sync 0;
  bra MET;
OTHER:
  mul.lo.u32 %s, %t, 5;
  bar.sync 0;
  // heddle.reconverge L1
  add.u32 %s, %s, 7;
MET:
)");

gpu::HostProgram prediction_program(const std::string& ptx, const Mechanism& mechanism,
                                    compiler::CompileOptions options) {
  if (divergence_named(mechanism.divergence).has(SmSide::Barriers))
    options.machine.convergence_barriers = point::hpca13::Values.barrier_registers;
  const ptx::Module module = ptx::parse(ptx, "predictions.ptx");
  const auto placed = std::make_shared<isa::Program>(compiler::compile(module, "k", nullptr, options));
  return [placed](gpu::Device& device) {
    constexpr unsigned Threads = point::hpca13::Lanes;
    const std::uint64_t out = gpu::upload(device, std::vector<std::uint32_t>(Threads));
    gpu::launch(device, *placed, {1, 1, 1}, {Threads, 1, 1}, out);
    return gpu::Outcome{true, "stored a word a thread"};
  };
}

}  // namespace heddle::tests
