// SPDX-License-Identifier: Apache-2.0
// Pushes and pops for machines whose programs manage the reconvergence stack (DPE sec. 7.3; rtl/software_stack): the
// hardware keeps {PC, mask} of two paths an entry and does not know where they meet.
//
// One push in front of a branch that lanes may leave both ways. Its lanes go on at the meeting point, and each way
// that comes there pops first. If lanes may come to the branch again before they meet, as in a loop that it leaves, the
// push is on each way into that cycle instead: who comes to the meeting point pops, who stays may part again. Where a push
// waits for a meeting point, further branches with the same one have none (a && b && c, returns out of loops). When such a
// branch is to part while the other path of its entry is still on its way, the hardware pushes by itself: so a branch
// too says where its lanes go on, at the pop.
//
// A pop does not say which push it ends: it is the innermost. So at each meeting point there is one pop, to which those go
// back for whom a branch has pushed. Which points are waited for is the same on all ways to an
// instruction. Where it is not, since one way comes past
// a branch that all lanes take together, branches of that kind push too, in the whole program; where it is not even then
// (a loop that is entered in its middle), the program is refused. Lanes that never meet only exit: they need no push.
//
// So a warp of N lanes needs at most 1 + L + min(N - 2, B) entries: L are the pushes that are open at once, along calls,
// B the branches without a push that may part again, any number in a loop. An entry that a branch pushes has two paths
// with lanes, all of the path that parted, and the other path of the entry beneath has lanes too: of N lanes one less each
// time, and two are left at least.
//
// On a stack of one path an entry (rtl/single_software_stack) each branch that parts leaves one beneath: at most
// 1 + L + min(N - 1, B'), for B' branches that may part at all. What they leave has no lane in common, and none of the path
// that runs.
//
// A function begins with nothing open, and its return too: calls of functions that may call themselves push, and their
// returns pop, without instructions for it.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// Sets stack_levels of the code, and single_stack_levels for one path an entry: how many entries a warp of so many lanes
/// may need besides the lowest one, but for calls of functions that may call themselves.
/// \throws isa::ExecutionError (not supported) naming the line of an instruction at which different pushes are open
void insert_pushes_and_pops(VirtualCode& code, unsigned lanes);

}  // namespace heddle::compiler
