// SPDX-License-Identifier: Apache-2.0
// libFuzzer's target: any bytes as PTX. Built and run by scripts/fuzz ptx.
#include <cstdio>
#include <cstdlib>

#include "tests/ptx/mutations.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string wrong = heddle::tests::misbehaviour(std::string(reinterpret_cast<const char*>(data), size));
  if (!wrong.empty()) {
    std::fprintf(stderr, "%s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}
