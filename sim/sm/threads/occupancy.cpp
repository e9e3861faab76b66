// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/threads/occupancy.h"

namespace heddle {

Occupancy occupancy(const isa::Program& program, unsigned threads, const DesignPoint& point,
                    std::uint64_t dynamic_shared) {
  const unsigned warps = (threads + point.lanes - 1) / point.lanes;
  Occupancy found{point.ctas, 0, "blocks"};
  const auto limit = [&](const char* name, std::uint64_t has, std::uint64_t needs) {
    if (needs == 0 || has / needs >= found.ctas) return;
    found.ctas = static_cast<unsigned>(has / needs);
    found.limit = name;
  };
  limit("warps", point.warps, warps);
  limit("registers", point.registers, std::uint64_t(program.registers) * threads);
  limit("shared memory", point.shared_bytes, program.shared_bytes + dynamic_shared);
  found.warps = found.ctas * warps;
  return found;
}

}  // namespace heddle
