// SPDX-License-Identifier: Apache-2.0
// Where the threads of a row stand when each has a PC of its own, for messages.
#pragma once

#include "sim/isa/lanes.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

/// Number k of the groups of live threads that stand at one PC and wait at a CTA barrier or do not; mask 0: there is no
/// such group. \param pcs  by lane
inline PathView path_of_row(const isa::Pc* pcs, isa::Lanes live, isa::Lanes waiting, unsigned k) {
  for (isa::Lanes rest = live; rest != 0;) {
    const auto first = static_cast<unsigned>(__builtin_ctz(rest));
    PathView path{pcs[first], 0};
    isa::for_each_lane(rest, [&](unsigned lane) {
      const bool alike = pcs[lane] == path.pc && (waiting >> lane & 1) == (waiting >> first & 1);
      path.mask |= isa::Lanes(alike) << lane;
    });
    if (k-- == 0) return path;
    rest &= ~path.mask;
  }
  return {};
}

}  // namespace heddle
