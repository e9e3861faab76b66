// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/threads/local_memory.h"

#include <algorithm>

namespace heddle {

namespace {

bool may_split_words(const isa::Instruction& instruction) {
  return instruction.bytes == 8 && (instruction.space == isa::Space::Local || instruction.space == isa::Space::Generic);
}

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void LocalMemory::start(const isa::Program& program, const DesignPoint& point, unsigned number, unsigned sms,
                        BackingStore& store) {
  first_warp_ = std::uint64_t(number) * point.warps;
  bytes_per_warp_ = 0;
  if (program.local_bytes == 0) return;
  granule_ = std::any_of(program.code.begin(), program.code.end(), may_split_words) ? 8 : 4;
  lanes_ = point.lanes;
  bytes_per_warp_ = rounded_up(rounded_up(program.local_bytes, granule_) * lanes_, point.line_bytes);
  store.reserve(bytes_per_warp_ * point.warps * sms);
}

}  // namespace heddle
