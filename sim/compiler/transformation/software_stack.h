// SPDX-License-Identifier: Apache-2.0
// Pushes and pops for machines whose programs manage the reconvergence stack (DPE sec. 7.3; rtl/software_stack): the
// hardware keeps {PC, mask} of two paths an entry and does not know where they meet.
//
// One push in front of each branch that lanes may leave both ways. Its lanes go on at the meeting point, and each way
// that comes there pops first. If lanes may come to the branch again before they meet, as in a loop that it leaves, the
// push is on each way into that cycle instead: who comes to the meeting point pops, who stays may part again. When it is to part
// while the other path of its entry is still on its way, or in the loop too, the hardware pushes by itself: so a branch
// too says where its lanes go on, at the pop.
//
// A pop does not say which push it ends: it is the innermost. So at each meeting point there is one pop, and a push that
// stands inside another for the same point goes on at that pop. Which points are waited for is the same on all ways to an
// instruction; how often is not (the sides of a && b and of a meet in one else). Where it is not, since one way comes past
// a branch that all lanes take together, branches of that kind push too, in the whole program; where it is not even then
// (a loop that is entered in its middle), the program is refused. Lanes that never meet only exit: their push has nowhere to go on, and
// its entry is popped empty.
// A function begins with nothing open, and its return too: calls of functions that may call themselves push, and their
// returns pop, without instructions for it.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// \throws isa::ExecutionError (not supported) naming the line of an instruction at which different pushes are open
void insert_pushes_and_pops(VirtualCode& code);

}  // namespace heddle::compiler
