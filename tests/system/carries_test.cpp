// SPDX-License-Identifier: Apache-2.0
// The carry of extended-precision arithmetic under every mechanism: written right before a branch and read on both of
// its sides, written on both sides and read after they met, late and early, guarded or not.
#include <boost/test/unit_test.hpp>

#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;
using heddle::gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// Eight turns with other branches each; %s is a sum of what was read. Input has eight words a thread, output sixteen.
constexpr const char* Program = R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry random(.param .u64 random_param_0, .param .u64 random_param_1, .param .u64 random_param_2,
                       .param .u64 random_param_3, .param .u32 random_param_4)
{
  .reg .b32 %a, %b, %c, %d, %s, %turn, %bit, %tid, %ntid, %cta, %index, %slow, %own;
  .reg .b64 %input, %output, %offset, %x, %y;
  .reg .pred %left, %odd, %more;
  ld.param.u64 %input, [random_param_1];
  ld.param.u64 %output, [random_param_3];
  mov.u32 %tid, %tid.x;
  mov.u32 %ntid, %ntid.x;
  mov.u32 %cta, %ctaid.x;
  mad.lo.u32 %index, %cta, %ntid, %tid;
  mul.wide.u32 %offset, %index, 32;
  add.u64 %input, %input, %offset;
  mul.wide.u32 %offset, %index, 64;
  add.u64 %output, %output, %offset;
  ld.global.u32 %a, [%input];
  ld.global.u32 %b, [%input+4];
  ld.global.u32 %c, [%input+8];
  ld.global.u32 %d, [%input+12];
  ld.global.u64 %x, [%input+16];
  ld.global.u64 %y, [%input+24];
  mov.u32 %s, 0;
  mov.u32 %turn, 0;
TURN:
  shr.u32 %bit, %index, %turn;
  xor.b32 %bit, %bit, %a;
  and.b32 %bit, %bit, 1;
  setp.eq.u32 %left, %bit, 1;
  and.b32 %bit, %b, 4;
  setp.ne.u32 %odd, %bit, 0;
  or.b32 %slow, %d, 3;
  rem.u32 %slow, %a, %slow;
  add.cc.u32 %own, %slow, %c;
  @%left bra LEFT;
  addc.cc.u32 %a, %a, %b;
  madc.hi.cc.u32 %c, %c, %d, %a;
  @%odd sub.cc.u32 %b, %b, %c;
  addc.u32 %s, %s, %slow;
  add.cc.u64 %x, %x, %y;
  bra MET;
LEFT:
  subc.cc.u32 %b, %b, %a;
  div.u32 %slow, %c, 7;
  @!%odd addc.cc.u32 %d, %slow, %b;
  subc.u32 %s, %s, %d;
  mad.lo.cc.u32 %c, %a, %d, %slow;
MET:
  addc.cc.u32 %s, %s, %own;
  addc.u32 %d, %d, %s;
  mad.lo.u32 %a, %a, 1664525, %s;
  add.u32 %turn, %turn, 1;
  setp.lt.u32 %more, %turn, 8;
  @%more bra TURN;
  st.global.u32 [%output], %a;
  st.global.u32 [%output+4], %b;
  st.global.u32 [%output+8], %c;
  st.global.u32 [%output+12], %d;
  st.global.u64 [%output+16], %x;
  st.global.u32 [%output+24], %s;
  ret;
}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(equal_the_oracle_under_every_mechanism) {
  std::vector<heddle::gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::stack_mechanisms()) {
    tests::RandomProgram program;
    program.seed = 1;
    program.point = &heddle::point::hpca13::Values;
    program.ptx = Program;
    program.grid = {1, 1, 1};
    program.block = {256, 1, 1};
    requests.push_back(tests::request_of(mechanism, tests::host_program(program)));
  }
  for (const auto& result : heddle::gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
  }
}
