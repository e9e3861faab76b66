// SPDX-License-Identifier: Apache-2.0
// Dominators and natural loops of virtual code, function by function.
#pragma once

#include <vector>

#include "sim/compiler/analysis/meeting_points.h"

namespace heddle::compiler {

class Dominators {
 public:
  Dominators(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

  /// Whether `block` is on all ways from the start of its function to `other`.
  bool dominates(BlockIndex block, std::size_t other) const;

 private:
  std::vector<std::size_t> immediate_;  // by block; above all functions: one more
};

struct NaturalLoop {
  BlockIndex head = 0;
  std::vector<bool> inside;  ///< by block
  std::size_t size() const;  ///< blocks
};

/// By head: the blocks from which a way leads back to it, through none that it does not dominate.
std::vector<NaturalLoop> natural_loops(const std::vector<isa::BasicBlock>& blocks, const Dominators& dominators);

/// For each block those that lead to it.
std::vector<std::vector<BlockIndex>> predecessors_of(const std::vector<isa::BasicBlock>& blocks);

/// The block that holds an instruction.
BlockIndex block_at(const std::vector<isa::BasicBlock>& blocks, isa::Pc pc);

}  // namespace heddle::compiler
