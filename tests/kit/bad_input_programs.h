// SPDX-License-Identifier: Apache-2.0
// PTX files with something wrong, for system_bad_input_test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/kit/ptx_text.h"

namespace heddle::tests {

/// A kernel in which so many registers hold a value at once.
inline std::string with_registers(unsigned count) {
  const std::string number = std::to_string(count);
  std::string text = ".visible .entry k(.param .u64 p) {\n  .reg .b32 %r<" + number + ">;\n  .reg .b64 %rd<2>;\n" +
                     "  ld.param.u64 %rd0, [p];\n";
  for (unsigned index = 0; index < count; ++index)
    text += "  ld.volatile.global.u32 %r" + std::to_string(index) + ", [%rd0];\n";
  for (unsigned index = 0; index < count; ++index) text += "  st.global.u32 [%rd0], %r" + std::to_string(index) + ";\n";
  return text + "  ret;\n}\n";
}

/// File name and text. Line numbers matter: the test asks for them.
inline std::vector<std::pair<std::string, std::string>> bad_input_programs() {
  const std::string head = ".version 7.0\n.target sm_60\n";
  return {
      {"good.ptx", head + R"(.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %rd1, %r0, %r1, %rd0;
  st.global.u32 [%rd1], %r0;
  ret;
}
)"},
      {"syntax.cu", "__global__ void k(int* data) {\n  data[threadIdx.x] = 1\n}\n"},
      {"syntax.ptx", head + R"(.visible .entry k() {
  .reg .b32 %r<4>
  ret;
}
)"},
      {"opcode.ptx", head + R"(.visible .entry k() {
  .reg .b32 %r<4>;
  add.f16 %r0, %r1, %r2;
  ret;
}
)"},
      {"mark.ptx", head + ".visible .entry k() {\n  // heddle.forecast rain\n  ret;\n}\n"},
      {"lost.ptx", head + ".visible .entry k() {\n  // heddle.predict L1\n  ret;\n}\n"},
      {"type.ptx", head + R"(.visible .entry k() {
  .reg .b32 %r<4>;
  @%r0 bra OUT;
OUT:
  ret;
}
)"},
      {"shared.ptx", head + R"(.visible .entry k() {
  .shared .align 4 .b8 tile[64];
  .reg .b32 %r<4>;
  mov.u32 %r0, %tid.x;
  mov.u32 %r2, tile;
  mad.lo.u32 %r0, %r0, 4, %r2;
  ld.shared.u32 %r1, [%r0];
  ret;
}
)"},
      {"deep.ptx", ptx_text("deep.ptx")},
      {"barrier.ptx", head + R"(.visible .entry k() {
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p0, %r0, 3;
  @%p0 bra SKIP;
  bar.sync 0;
SKIP:
  add.u32 %r0, %r0, 1;
  ret;
}
)"},
      {"spin.ptx", head + R"(.visible .entry k(.param .u64 lock) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  .reg .pred %p<2>;
  ld.param.u64 %rd0, [lock];
AGAIN:
  atom.global.cas.b32 %r0, [%rd0], 0, 1;
  setp.ne.s32 %p0, %r0, 0;
  @%p0 bra AGAIN;
  atom.global.exch.b32 %r0, [%rd0], 0;
  ret;
}
)"},
      // The inner loop never ends.
      {"nested.ptx", head + R"(.file 1 "folder/nested.cu"
.visible .entry k() {
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  mov.u32 %r0, 0;
OUTER:
  add.u32 %r0, %r0, 1;
INNER:
  .loc 1 4 3
  add.u32 %r1, %r1, 2;
  .loc 1 5 3
  bra INNER;
  setp.lt.u32 %p0, %r0, 9;
  @%p0 bra OUTER;
  ret;
}
)"},
      {"many.ptx", head + with_registers(100)},
      {"tile.ptx", head + R"(.visible .entry k() {
  .shared .align 4 .b8 tile[65536];
  .reg .b32 %r<4>;
  ld.shared.u32 %r1, [tile];
  ret;
}
)"},
      {"endless.ptx", head + R"(.visible .entry k() {
  .reg .b32 %r<4>;
  mov.u32 %r0, 0;
AGAIN:
  add.u32 %r0, %r0, 1;
  bra AGAIN;
}
)"},
      {"tickets.ptx", ptx_text("tickets.ptx")},
  };
}

}  // namespace heddle::tests
