// Predictions: where a program expects lanes of a warp to meet, other than where a branch's sides do (SR sec. 4.1).
//
//   HEDDLE_PREDICT(work);                     from here on lanes wait for each other at `work`
//   for (...) {
//     if (seldom) {
//       HEDDLE_RECONVERGE(work);              here
//       ...                                   what takes long
//     }
//   }
//
// HEDDLE_PREDICT_THRESHOLD(work, n): they go on when more than n are there. HEDDLE_PREDICT_FUNCTION(name): the point is
// where that function begins, which is to be noinline. A machine that does not ask for predictions (heddle run
// --reconverge predicted), or has no convergence barriers, runs the same program without them.
//
// A mark is a comment in inline assembly, which a compiler keeps where control has it: it moves no memory access across,
// so that code around it may come out otherwise than without. Nothing on the CPU, and nowhere with -DHEDDLE_NO_MARKS.
#pragma once

#if defined(__CUDA_ARCH__) && !defined(HEDDLE_NO_MARKS)
#define HEDDLE_TEXT_OF(argument) #argument
#define HEDDLE_PREDICT(label) asm volatile("// heddle.predict " #label)
#define HEDDLE_PREDICT_THRESHOLD(label, n) asm volatile("// heddle.predict " #label " threshold=" HEDDLE_TEXT_OF(n))
#define HEDDLE_PREDICT_FUNCTION(name) asm volatile("// heddle.predict_function " #name)
#define HEDDLE_RECONVERGE(label) asm volatile("// heddle.reconverge " #label)
#else
#define HEDDLE_PREDICT(label) static_cast<void>(0)
#define HEDDLE_PREDICT_THRESHOLD(label, n) static_cast<void>(0)
#define HEDDLE_PREDICT_FUNCTION(name) static_cast<void>(0)
#define HEDDLE_RECONVERGE(label) static_cast<void>(0)
#endif
// SPDX-License-Identifier: Apache-2.0
