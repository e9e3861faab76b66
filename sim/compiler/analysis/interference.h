// SPDX-License-Identifier: Apache-2.0
// Which virtual registers may not share a place: what an instruction writes, and what is live behind it.
//
// Exact live sets have holes where a value is not needed, and two values interfere only where one is written while the
// other is live (Chaitin 1982).
#pragma once

#include <set>
#include <vector>

#include "sim/compiler/analysis/liveness.h"

namespace heddle::compiler {

class Interference {
 public:
  /// What a copy writes has the value of what it copies: with `copies_share`, that alone does not keep them apart.
  Interference(const VirtualCode& code, bool copies_share);

  bool between(VirtualId a, VirtualId b) const { return with(a).count(b) != 0; }
  const std::set<VirtualId>& with(VirtualId id) const { return neighbours_[static_cast<std::size_t>(id)]; }
  /// `gone` becomes another name of `kept`.
  void merge(VirtualId kept, VirtualId gone);

 private:
  void add(VirtualId a, VirtualId b);

  std::vector<std::set<VirtualId>> neighbours_;
};

/// An unguarded copy of one virtual register into another of its class, to the last bit.
bool is_plain_copy(const VirtualCode& code, const VirtualInstruction& instruction);

}  // namespace heddle::compiler
