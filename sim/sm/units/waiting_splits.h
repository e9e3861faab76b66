// SPDX-License-Identifier: Apache-2.0
// The splits of a warp that were seen to wait while nothing else of the warp moved: at a `.sync` operation for lanes that
// are not with them, or at a CTA barrier. Two have a slot and are seen; the others are seen when they have one (R9). When
// as many wait as there are, none can go on by itself.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle {

class WaitingSplits {
 public:
  struct Split {
    isa::Pc pc = 0;
    isa::Lanes lanes = 0;
    isa::Lanes missing = 0;  ///< live lanes that it waits for; none: it waits at a CTA barrier
  };

  /// Something of the warp has moved: splits may have met, ended or begun.
  void forget() { splits_.clear(); }
  /// \pre it is not known
  void note(const Split& split) { splits_.push_back(split); }
  /// Splits that wait stand at different PCs.
  bool knows(isa::Pc pc) const {
    return std::any_of(splits_.begin(), splits_.end(), [pc](const Split& split) { return split.pc == pc; });
  }
  std::size_t count() const { return splits_.size(); }
  bool any_at_cta_barrier() const {
    return std::any_of(splits_.begin(), splits_.end(), [](const Split& split) { return split.missing == 0; });
  }
  /// The one of the lowest PC that waits for lanes; null: there is none.
  const Split* first_that_misses_lanes() const {
    const Split* first = nullptr;
    for (const Split& split : splits_)
      if (split.missing != 0 && (first == nullptr || split.pc < first->pc)) first = &split;
    return first;
  }

 private:
  std::vector<Split> splits_;
};

}  // namespace heddle
