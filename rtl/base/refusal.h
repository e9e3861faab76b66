// SPDX-License-Identifier: Apache-2.0
// The text of a named error: who refuses, for which warp, and why. Reports are not hardware: a synthesis tool drops
// them.
#pragma once

#include <string>

namespace heddle {

/// For example: "sm0.stack0: warp 3: branch of a slot that is not valid".
inline std::string refusal(const char* block, unsigned warp, const std::string& why) {
  return std::string(block) + ": warp " + std::to_string(warp) + ": " + why;
}

/// Why a control flow unit refuses a resolve, a ResolveOp.
inline const char* illegal_resolve(unsigned op) {
  return op == 1 ? "launch of a warp that is not done, or without lanes"
         : op == 2
             ? "branch of a slot that is not valid, issues in the same cycle, or lacks the taken lanes; or a return "
               "in an entry that no call pushed"
         : op == 3 ? "exit of a slot that is not valid, issues in the same cycle, or lacks the leaving lanes"
         : op == 4
             ? "call of a slot that is not valid or issues in the same cycle, of a part of its lanes, or to a unit "
               "without call entries"
         : op == 5 ? "memory split of slots at two PCs or that no memory split made, or of which one issues in the "
                     "same cycle, of no lanes "
                     "or of others, or to a unit that cannot"
         : op == 6
             ? "push of a slot that is not valid or issues in the same cycle, of a part of its lanes, or to a unit "
               "without such entries"
         : op == 7
             ? "pop of a slot that is not valid or issues in the same cycle, of a part of its lanes, of the lowest "
               "entry, or to a unit without such entries"
             : "no such operation";
}

}  // namespace heddle
